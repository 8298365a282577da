#include "data/date.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define DATE_SECONDS 86400.0

static const char *const date_orders[] = {"ymd", "dmy", "mdy"};

const char *date_order_name(enum date_order order) {
  return date_orders[order];
}

enum date_order date_order_find(const char *name) {
  int order = 0;
  while (order < DATE_ORDERS && strcmp(date_orders[order], name) != 0)
    order++;
  return (enum date_order)order;
}

/* ---- the calendar ---- */

/* Days since 1970-01-01 of a day of the Gregorian calendar. Years begin in March, so that the odd day is the last. */
static long date_days(long year, long month, long day) {
  long years = month > 2 ? year : year - 1, era = years / 400, of_era = years - era * 400;
  long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int date_is_day(long year, long month, long day) {
  static const int last[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (year < 1 || month < 1 || month > 12 || day < 1) return 0;
  return day <= last[month - 1] + (month == 2 && is_leap);
}

const char *date_print(double day, char text[DATE_TEXT]) {
  long days = (long)floor(day) + 719468, era = (days >= 0 ? days : days - 146096) / 146097;
  long of_era = days - era * 146097, years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long of_year = of_era - (365 * years + years / 4 - years / 100), month = (5 * of_year + 2) / 153;
  long number = of_year - (153 * month + 2) / 5 + 1;
  month += month < 10 ? 3 : -9;
  snprintf(text, DATE_TEXT, "%04ld-%02ld-%02ld", years + era * 400 + (month <= 2), month, number);
  return text;
}

/* ---- texts ---- */

struct date_text {
  const char *at, *end;
};

static int date_is_digit(const struct date_text *text) {
  return text->at < text->end && *text->at >= '0' && *text->at <= '9';
}

static int date_is_letter(const struct date_text *text) {
  return text->at < text->end && ((*text->at >= 'a' && *text->at <= 'z') || (*text->at >= 'A' && *text->at <= 'Z'));
}

static int date_take(struct date_text *text, char c) {
  if (text->at == text->end || *text->at != c) return 0;
  text->at++;
  return 1;
}

/* Up to `most` digits; -1 if they are fewer than `least`. */
static long date_number(struct date_text *text, int least, int most) {
  long number = 0;
  int digits = 0;
  for (; digits < most && date_is_digit(text); digits++)
    number = number * 10 + (*text->at++ - '0');
  return digits >= least ? number : -1;
}

/* A month by its English name, three letters of it or more; -1 if it is not one. */
static long date_name(struct date_text *text) {
  static const char *const names[] = {"january", "february", "march",     "april",   "may",      "june",
                                      "july",    "august",   "september", "october", "november", "december"};
  const char *begin = text->at;
  size_t length;
  while (date_is_letter(text))
    text->at++;
  length = (size_t)(text->at - begin);
  for (int m = 0; length >= 3 && m < 12; m++)
    if (length <= strlen(names[m]) && strncasecmp(begin, names[m], length) == 0) return m + 1;
  return -1;
}

static long date_month(struct date_text *text) {
  return date_is_letter(text) ? date_name(text) : date_number(text, 1, 2);
}

/* What stands between two parts, the same both times; behind a name a comma may precede a blank. */
static char date_between(struct date_text *text) {
  char c = text->at < text->end ? *text->at : 0;
  if (c == ',' && text->end - text->at > 1 && text->at[1] == ' ') c = *++text->at;
  if (!c || !strchr("-/. ", c)) return 0;
  text->at++;
  return c;
}

/* AM or PM behind the hour. */
static int date_half(struct date_text *text, long *hour) {
  int is_late = *text->at == 'P' || *text->at == 'p', is_early = *text->at == 'A' || *text->at == 'a';
  if (text->end - text->at != 2 || (text->at[1] != 'M' && text->at[1] != 'm') || !(is_late || is_early)) return 1;
  text->at = text->end;
  if (*hour < 1 || *hour > 12) return 0;
  *hour = *hour % 12 + (is_late ? 12 : 0);
  return 1;
}

/* Z, UTC, +01:00, +0100 or +01. */
static int date_zone(struct date_text *text) {
  if (text->end - text->at == 3 && strncmp(text->at, "UTC", 3) == 0) return text->at = text->end, 1;
  if (date_take(text, 'Z')) return 1;
  if (!date_take(text, '+') && !date_take(text, '-')) return 1;
  if (date_number(text, 2, 2) < 0) return 0;
  date_take(text, ':');
  return text->at == text->end || date_number(text, 2, 2) >= 0;
}

/* The time of day in seconds, up to the end; -1 if it is something else. */
static double date_time(struct date_text *text) {
  long hour = date_number(text, 1, 2), minute = date_take(text, ':') ? date_number(text, 2, 2) : -1, second = 0;
  double part = 0, scale = 0.1;
  if (date_take(text, ':')) {
    second = date_number(text, 2, 2);
    if (date_take(text, '.'))
      for (; date_is_digit(text); scale /= 10)
        part += scale * (*text->at++ - '0');
  }
  date_take(text, ' ');
  if (text->at < text->end && (!date_half(text, &hour) || !date_zone(text))) return -1;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return -1;
  return text->at == text->end ? (double)(hour * 3600 + minute * 60 + second) + part : -1;
}

int date_parse(const char *text, size_t length, enum date_order order, struct date *date) {
  struct date_text rest = {text, text + length};
  long year, month, day, days;
  double seconds = 0;
  char first, second;
  int has_name;
  if (length < 8 || length > 40) return 0;
  year = order == DATE_YMD ? date_number(&rest, 4, 4) : 0;
  has_name = order == DATE_MDY && date_is_letter(&rest);
  day = order == DATE_DMY ? date_number(&rest, 1, 2) : 0;
  month = order == DATE_MDY ? date_month(&rest) : 0;
  first = date_between(&rest);
  if (order != DATE_MDY) has_name = date_is_letter(&rest), month = date_month(&rest);
  if (order == DATE_MDY) day = date_number(&rest, 1, 2);
  second = date_between(&rest);
  if (order == DATE_YMD)
    day = date_number(&rest, 1, 2);
  else
    year = date_number(&rest, 4, 4);
  if (!first || first != second || (first == ' ' && !has_name) || !date_is_day(year, month, day)) return 0;
  if (rest.at < rest.end) {
    if (!date_take(&rest, 'T') && !date_take(&rest, ' ')) return 0;
    seconds = date_time(&rest);
  }
  if (seconds < 0) return 0;
  days = date_days(year, month, day);
  *date = (struct date){(double)days + seconds / DATE_SECONDS, (double)(month - 1), (double)(((days + 3) % 7 + 7) % 7),
                        seconds / DATE_SECONDS};
  return 1;
}

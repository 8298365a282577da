#include "data/date.h"

#include <math.h>
#include <time.h>

#include "support/suite.h"

static int parse(const char *text, enum date_order order, struct date *date) {
  return date_parse(text, strlen(text), order, date);
}

START_TEST(test_spellings_of_one_day) {
  static const struct {
    const char *text;
    enum date_order order;
  } cases[] = {{"2024-03-05", DATE_YMD},   {"2024/3/5", DATE_YMD},     {"2024.03.05", DATE_YMD},
               {"05.03.2024", DATE_DMY},   {"5/3/2024", DATE_DMY},     {"5-Mar-2024", DATE_DMY},
               {"5 march 2024", DATE_DMY}, {"03/05/2024", DATE_MDY},   {"3-5-2024", DATE_MDY},
               {"Mar 5, 2024", DATE_MDY},  {"MARCH 05 2024", DATE_MDY}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct date date;
    ck_assert_msg(parse(cases[i].text, cases[i].order, &date), "%s", cases[i].text);
    ck_assert_double_eq(date.day, 19787);
    ck_assert_double_eq(date.month, 2);
    ck_assert_double_eq(date.weekday, 1); /* a Tuesday */
    ck_assert_double_eq(date.time, 0);
  }
}
END_TEST

START_TEST(test_times) {
  static const struct {
    const char *text;
    double seconds;
  } cases[] = {
      {"2024-03-05 14:05", 50700},          {"2024-03-05T14:05:09", 50709},           {"2024-03-05T14:05:09Z", 50709},
      {"2024-03-05 14:05:09.500", 50709.5}, {"2024-03-05 14:05:09+01:00", 50709},     {"2024-03-05 2:05 PM", 50700},
      {"2024-03-05 12:00 AM", 0},           {"2024-03-05 12:30 pm", 45000},           {"2024-03-05 00:00:00", 0},
      {"2024-03-05 14:05 UTC", 50700},      {"2024-03-05T14:05:09.25-0530", 50709.25}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct date date;
    ck_assert_msg(parse(cases[i].text, DATE_YMD, &date), "%s", cases[i].text);
    ck_assert_double_eq_tol(date.time * 86400, cases[i].seconds, 1e-6);
    ck_assert_double_eq_tol(date.day, 19787 + date.time, 1e-9);
  }
}
END_TEST

START_TEST(test_what_is_not_a_date) {
  static const char *const texts[] = {"",
                                      "2024",
                                      "20240305",
                                      "2024-13-05",
                                      "2024-02-30",
                                      "2023-02-29",
                                      "2024-3",
                                      "2024-03-05x",
                                      "24-03-05",
                                      "2024-03/05",
                                      "2024 03 05",
                                      "2024-00-05",
                                      "2024-03-00",
                                      "a-b-c",
                                      "2024-03-05 25:00",
                                      "2024-03-05 12:60",
                                      "2024-03-05 13:00 PM",
                                      "2024-03-05 ",
                                      "2024-03-05T",
                                      "1.234.567",
                                      "192.168.1.100",
                                      "2024-03-05 12:00 QM",
                                      "2024-03-05 12:00+1",
                                      "12345-03-05",
                                      "2024-Mrz-05",
                                      "2024-Ma-05"};
  struct date date;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int order = 0; order < DATE_ORDERS; order++)
      ck_assert_msg(!parse(texts[i], (enum date_order)order, &date), "%s is a date", texts[i]);
  ck_assert(!parse("31/12/2024", DATE_MDY, &date));
  ck_assert(parse("31/12/2024", DATE_DMY, &date));
  ck_assert(!parse("12/31/2024", DATE_DMY, &date));
}
END_TEST

/* Every fifth day of four centuries, against the C library; and back to text. */
START_TEST(test_calendar) {
  for (long day = -60000; day < 90000; day += 5) {
    time_t seconds = (time_t)day * 86400;
    struct tm tm;
    struct date date;
    char text[DATE_TEXT], wanted[64];
    gmtime_r(&seconds, &tm);
    strftime(wanted, sizeof wanted, "%Y-%m-%d", &tm);
    ck_assert_str_eq(date_print((double)day + 0.9, text), wanted);
    ck_assert_msg(parse(text, DATE_YMD, &date), "%s", text);
    ck_assert_double_eq(date.day, (double)day);
    ck_assert_double_eq(date.month, tm.tm_mon);
    ck_assert_double_eq(date.weekday, (tm.tm_wday + 6) % 7);
  }
}
END_TEST

/* No byte beyond the length is looked at: cut anywhere it is another date or none. */
START_TEST(test_cut) {
  const char *text = "2024-03-05T14:05:09.25+01:00";
  for (size_t length = 0; length <= strlen(text); length++) {
    char *copy = malloc(length ? length : 1);
    struct date date;
    memcpy(copy, text, length);
    for (int order = 0; order < DATE_ORDERS; order++)
      date_parse(copy, length, (enum date_order)order, &date);
    free(copy);
  }
  for (int order = 0; order < DATE_ORDERS; order++)
    ck_assert_int_eq(date_order_find(date_order_name((enum date_order)order)), order);
  ck_assert_int_eq(date_order_find("myd"), DATE_ORDERS);
}
END_TEST

SUITE_MAIN("date", test_spellings_of_one_day, test_times, test_what_is_not_a_date, test_calendar, test_cut)

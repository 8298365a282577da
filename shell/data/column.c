#include "data/column.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quote.h"

#define COLUMN_SLACK      0x1p-45 /* far more than log and log1p are wrong by, far less than a float shows */
#define COLUMN_DISTINCT   65536u  /* different texts remembered; a column with more is free text */
#define COLUMN_CATEGORIES 256u    /* categories kept: the most frequent */
#define COLUMN_CODES      16u     /* whole numbers with at most this many different values are codes */
#define COLUMN_TAIL       8.0     /* standard deviations from the mean to the maximum: a long tail */
#define COLUMN_VALUES     4       /* categories that a line on a column names */
#define COLUMN_NEARLY     0.9     /* share of numbers from which texts in a column look like a mistake */

void column_free(struct column *column) {
  free(column->name);
  free(column->seen.text);
  nameset_free(&column->categories);
}

int column_is_numeric(const struct column *column) {
  return column->kind == COLUMN_NUMBER || column->kind == COLUMN_LOG;
}

int column_has_range(const struct column *column) {
  return column_is_numeric(column) || column->kind == COLUMN_DATE;
}

int column_is_open(const struct column *column) {
  return column->kind != COLUMN_SKIP && !column->is_fitted;
}

double column_log(double x) {
  if (x == 0) return x; /* what log1p says, and what such columns are full of */
  return x < 0 ? -log1p(-x) : log1p(x);
}

uint32_t column_width(const struct column *column) {
  if (column_is_numeric(column)) return 2;
  if (column->kind == COLUMN_DATE) return COLUMN_DATE_WIDTH;
  return column->kind == COLUMN_CATEGORY ? column->categories.count + 2 : 0;
}

void column_prepare(struct column *column) {
  double low = column->kind == COLUMN_LOG ? column_log(column->low) : column->low;
  double high = column->kind == COLUMN_LOG ? column_log(column->high) : column->high;
  column->offset = low;
  column->scale = high > low ? 1 / (high - low) : 0; /* constant in public: tells nothing */
  if (!isfinite(column->scale)) column->scale = 0;
}

/* log is quicker than log1p. A value that is the same for a little more and a little less is right, since each step from the
 * logarithm on is monotone; zero is left out, because it has two signs. */
float column_scaled_log(const struct column *column, double x) {
  if (x >= 1) {
    double logarithm = log(1 + x), slack = logarithm * COLUMN_SLACK;
    float low = column_place(column, logarithm - slack), high = column_place(column, logarithm + slack);
    if (low == high && low != 0) return low;
  }
  return column_place(column, column_log(x));
}

void column_place_date(const struct column *column, const struct date *date, float feature[4]) {
  feature[0] = column_place(column, date->day);
  feature[1] = (float)(date->month / 11);
  feature[2] = (float)(date->weekday / 6);
  feature[3] = (float)date->time;
}

/* ---- how a public column looks ---- */

static void column_survey_number(struct column_survey *survey, double x) {
  if (survey->numbers == 0 || x < survey->low) survey->low = x;
  if (survey->numbers == 0 || x > survey->high) survey->high = x;
  survey->has_fallen |= survey->numbers && x <= survey->last;
  survey->last = x;
  survey->numbers++;
  survey->sum += x;
  survey->squares += x * x;
  survey->logs += column_log(x);
  survey->has_fractions |= x != floor(x);
}

/* A text that is not a number: may it be a number as others write it? Returns whether it is a date. */
static int column_survey_text(struct column_survey *survey, const char *text, size_t length) {
  double x;
  int is_date = 0;
  survey->texts++;
  if (!survey->decimal && memchr(text, ',', length) && number_parse_comma(text, length, &x) == NUMBER_OK)
    survey->commas++;
  for (int order = 0; order < DATE_ORDERS; order++) {
    struct column_survey_dates *dates = &survey->dates[order];
    struct date date;
    if (!date_parse(text, length, (enum date_order)order, &date)) continue;
    if (dates->count == 0 || date.day < dates->low) dates->low = date.day;
    if (dates->count == 0 || date.day > dates->high) dates->high = date.day;
    is_date = 1;
    dates->count++;
    dates->sum += date.day;
    survey->has_points |= memchr(text, '.', length < 6 ? length : 6) != NULL;
  }
  return is_date;
}

int column_survey_add(struct column_survey *survey, const char *text, size_t length, uint64_t line) {
  uint32_t number = NAMESET_NONE;
  double x;
  int code, is_odd = 0;
  switch ((survey->decimal ? number_parse_comma : number_parse)(text, length, &x)) {
  case NUMBER_OK:
    column_survey_number(survey, x);
    break;
  case NUMBER_NOT_FINITE:
    if (!survey->not_finite) survey->not_finite = line;
    break;
  case NUMBER_NONE:
    is_odd = !column_survey_text(survey, text, length);
    break;
  }
  if (survey->distinct.count < COLUMN_DISTINCT) {
    code = nameset_add(&survey->distinct, text, length, &number);
    if (code) return code;
  } else {
    number = nameset_find(&survey->distinct, text, length);
    if (number == NAMESET_NONE) survey->is_crowded = 1;
  }
  if (number != NAMESET_NONE) survey->distinct.times[number]++;
  if (survey->texts == 1 && !survey->first_text) {
    survey->first_text = line;
    survey->first_text_number = number;
  }
  if (is_odd && !survey->first_odd) {
    survey->first_odd = line;
    survey->first_odd_number = number;
  }
  return EXIT_OK;
}

/* The order in which the most texts are dates. Where day or month could be first, points say that the day is. */
static enum date_order column_survey_order(const struct column_survey *survey) {
  enum date_order order = survey->has_points ? DATE_DMY : DATE_MDY, other = survey->has_points ? DATE_MDY : DATE_DMY;
  if (survey->dates[other].count > survey->dates[order].count) order = other;
  return survey->dates[DATE_YMD].count >= survey->dates[order].count ? DATE_YMD : order;
}

static int column_survey_is_date(const struct column_survey *survey) {
  uint64_t dates = survey->dates[column_survey_order(survey)].count;
  return dates && dates == survey->texts && !survey->numbers && !survey->not_finite;
}

/* What a column looks like. */
static enum column_kind column_survey_kind(const struct column_survey *survey) {
  double n = (double)survey->numbers, mean = survey->sum / n, variance = survey->squares / n - mean * mean;
  if (survey->distinct.count == 0) return COLUMN_SKIP;
  if (column_survey_is_date(survey)) return COLUMN_DATE;
  if (survey->texts) return survey->is_crowded ? COLUMN_SKIP : COLUMN_CATEGORY;
  if (!survey->has_fractions && survey->distinct.count <= COLUMN_CODES) return COLUMN_CATEGORY;
  if (survey->low >= 0 && variance > 0 && survey->high - mean > COLUMN_TAIL * sqrt(variance)) return COLUMN_LOG;
  return COLUMN_NUMBER;
}

static void column_survey_range(const struct column_survey *survey, struct column *column) {
  const struct column_survey_dates *dates = column->kind == COLUMN_DATE ? &survey->dates[column->order] : NULL;
  double n = (double)(dates ? dates->count : survey->numbers), mean = (dates ? dates->sum : survey->sum) / n;
  double low = dates ? dates->low : survey->low, high = dates ? dates->high : survey->high;
  column->low = low;
  column->high = high;
  if (column->kind == COLUMN_LOG) {
    low = column_log(low);
    high = column_log(high);
    mean = survey->logs / n;
  }
  column->empty = high > low ? (mean - low) / (high - low) : 0;
  if (!(column->empty >= 0 && column->empty <= 1)) column->empty = 0.5; /* sums beyond a double */
}

static int column_survey_compare(const void *a, const void *b, void *context) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const struct nameset *distinct = context;
  if (distinct->times[x] != distinct->times[y]) return distinct->times[x] > distinct->times[y] ? -1 : 1;
  return strcmp(nameset_text(distinct, x), nameset_text(distinct, y));
}

/* The most frequent texts, in order of frequency. Where there are too many, a text seen once is not a category. */
static int column_survey_categories(struct column_survey *survey, struct column *column) {
  struct nameset *distinct = &survey->distinct;
  uint32_t *order, number;
  int code = memory_take(&order, distinct->count, sizeof *order);
  if (code) return code;
  for (uint32_t i = 0; i < distinct->count; i++)
    order[i] = i;
  qsort_r(order, distinct->count, sizeof *order, column_survey_compare, distinct);
  for (uint32_t i = 0; i < distinct->count && i < COLUMN_CATEGORIES && !code; i++) {
    if (distinct->count > COLUMN_CATEGORIES && distinct->times[order[i]] < 2) break;
    code =
        nameset_add(&column->categories, nameset_text(distinct, order[i]), nameset_length(distinct, order[i]), &number);
  }
  for (uint32_t i = column->categories.count; i < distinct->count; i++)
    column->seen.rare += distinct->times[order[i]];
  free(order);
  if (column->categories.count == 0) column->kind = COLUMN_SKIP;
  return code;
}

int column_survey_decide(struct column_survey *survey, struct column *column) {
  uint32_t text;
  int is_date, code = EXIT_OK;
  column->seen = (struct column_seen){.numbers = survey->numbers,
                                      .texts = survey->texts,
                                      .missing = survey->missing,
                                      .commas = survey->commas,
                                      .dates = survey->dates[column_survey_order(survey)].count,
                                      .distinct = survey->distinct.count,
                                      .is_crowded = survey->is_crowded,
                                      .is_whole = !survey->has_fractions,
                                      .is_rising = !survey->has_fallen,
                                      .text_line = survey->first_text};
  /* Among dates the odd one is the text that is not a date. */
  is_date = survey->first_odd && 2 * column->seen.dates > survey->texts + survey->numbers;
  text = is_date ? survey->first_odd_number : survey->first_text_number;
  if (is_date) column->seen.text_line = survey->first_odd;
  if (survey->first_text && text != NAMESET_NONE)
    code = memory_print(&column->seen.text, "%s", nameset_text(&survey->distinct, text));
  if (code) return code;
  if (column->kind == COLUMN_AUTO) {
    column->kind = column_survey_kind(survey);
    column->order = column_survey_order(survey);
    column->seen.is_either_order = column->kind == COLUMN_DATE && column->order != DATE_YMD && !survey->has_points &&
                                   survey->dates[DATE_DMY].count == survey->dates[DATE_MDY].count;
  }
  column->is_fitted = 1;
  if (column->kind == COLUMN_CATEGORY) return column_survey_categories(survey, column);
  if (column_is_numeric(column) && survey->numbers == 0) column->kind = COLUMN_SKIP; /* nothing but empty cells */
  if (column->kind == COLUMN_DATE && survey->dates[column->order].count == 0) column->kind = COLUMN_SKIP;
  if (column_has_range(column)) column_survey_range(survey, column);
  return EXIT_OK;
}

/* ---- how columns were read ---- */

/* Is it nearly all numbers, more different ones than codes have, and yet not a number? */
static int column_is_odd(const struct column *column) {
  const struct column_seen *seen = &column->seen;
  double all = (double)(seen->numbers + seen->texts);
  return seen->texts && !column_is_numeric(column) && seen->distinct > COLUMN_CODES &&
         (double)seen->numbers >= COLUMN_NEARLY * all;
}

static void column_print_date(FILE *stream, const struct column *column) {
  static const char *const orders[] = {"year first", "day first", "month first"};
  char low[DATE_TEXT], high[DATE_TEXT];
  fprintf(stream, "date (%s), %s to %s: when, month, weekday, time of day", orders[column->order],
          date_print(column->low, low), date_print(column->high, high));
}

static void column_print_kind(FILE *stream, const struct column *column) {
  const struct nameset *set = &column->categories;
  const struct column_seen *seen = &column->seen;
  if (column->kind == COLUMN_CATEGORY) {
    fprintf(stream, "category, %u values: ", set->count);
    for (uint32_t i = 0; i < set->count && i < COLUMN_VALUES; i++) {
      struct quote quote;
      fprintf(stream, "%s%s", i ? ", " : "", quote_name(&quote, nameset_text(set, i), nameset_length(set, i)));
    }
    if (set->count > COLUMN_VALUES) fputs(", ...", stream);
    if (seen->distinct > set->count) fprintf(stream, " (%u rarer ones count as one)", seen->distinct - set->count);
  } else if (column->kind == COLUMN_DATE) {
    column_print_date(stream, column);
  } else if (column_is_numeric(column)) {
    fprintf(stream, "number, %g to %g%s", column->low, column->high,
            column->kind == COLUMN_LOG ? ", by its logarithm (a long tail)" : "");
  } else {
    fprintf(stream, "not used%s",
            seen->texts     ? ": nearly every text is different"
            : seen->missing ? ": every cell is missing"
                            : "");
  }
  if (seen->missing) fprintf(stream, "; %" PRIu64 " missing", seen->missing);
  if (column_is_odd(column)) fputs("; LOOK: nearly all of it are numbers", stream);
}

void column_print(FILE *stream, const struct column *column, size_t count, size_t most) {
  size_t shown = count > most ? most : count, numbers = 0, categories = 0;
  int width = 0;
  for (size_t i = 0; i < shown; i++) {
    size_t length = strlen(column[i].name);
    if ((int)length > width) width = length > 24 ? 24 : (int)length;
  }
  for (size_t i = 0; i < shown; i++) {
    struct quote quote;
    fprintf(stream, "  %-*s  ", width + 2, quote_name(&quote, column[i].name, strlen(column[i].name)));
    column_print_kind(stream, &column[i]);
    fputc('\n', stream);
  }
  if (shown == count) return;
  for (size_t i = shown; i < count; i++) {
    numbers += (size_t)column_has_range(&column[i]);
    categories += column[i].kind == COLUMN_CATEGORY;
  }
  fprintf(stream, "  ... and %zu more: %zu numbers, %zu categories, %zu not used (--verbose shows them)\n",
          count - shown, numbers, categories, count - shown - numbers - categories);
}

void column_warn(const char *path, const struct column *column, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct column_seen *seen = &column[i].seen;
    struct quote name, text;
    if (!column_is_odd(&column[i])) continue;
    error_warn("WARNING: %s: column %s is numbers but for %" PRIu64 " of %" PRIu64
               " cells, so it was read as categories; the first of them is %s in line %" PRIu64
               "; if that means missing: --missing %s",
               path, quote_name(&name, column[i].name, strlen(column[i].name)), seen->texts,
               seen->numbers + seen->texts, seen->text ? quote_name(&text, seen->text, strlen(seen->text)) : "a text",
               seen->text_line, seen->text ? text.text : "TEXT");
  }
}

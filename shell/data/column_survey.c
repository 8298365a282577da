#include "data/column_survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

void column_survey_free(struct column_survey *survey) {
  nameset_free(&survey->distinct);
}

int column_survey_add(struct column_survey *survey, const char *text, size_t length, uint64_t line) {
  uint32_t number = NAMESET_NONE;
  double x;
  int code;
  switch (number_parse(text, length, &x)) {
  case NUMBER_OK:
    if (survey->numbers == 0 || x < survey->low) survey->low = x;
    if (survey->numbers == 0 || x > survey->high) survey->high = x;
    survey->numbers++;
    survey->sum += x;
    survey->squares += x * x;
    survey->logs += column_log(x);
    survey->has_fractions |= x != floor(x);
    break;
  case NUMBER_NOT_FINITE:
    if (!survey->not_finite) survey->not_finite = line;
    break;
  case NUMBER_NONE:
    survey->texts++;
    break;
  }
  if (survey->distinct.count < COLUMN_SURVEY_DISTINCT) {
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
  return EXIT_OK;
}

static enum column_kind column_survey_kind(const struct column_survey *survey) {
  double n = (double)survey->numbers, mean = survey->sum / n, variance = survey->squares / n - mean * mean;
  if (survey->distinct.count == 0) return COLUMN_SKIP;
  if (survey->texts) return survey->is_crowded ? COLUMN_SKIP : COLUMN_CATEGORY;
  if (!survey->has_fractions && survey->distinct.count <= COLUMN_SURVEY_CODES) return COLUMN_CATEGORY;
  if (survey->low >= 0 && variance > 0 && survey->high - mean > COLUMN_SURVEY_TAIL * sqrt(variance)) return COLUMN_LOG;
  return COLUMN_NUMBER;
}

static void column_survey_range(const struct column_survey *survey, struct column *column) {
  double n = (double)survey->numbers, low = survey->low, high = survey->high, mean = survey->sum / n;
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

/* The most frequent texts, in order of frequency. Where there are too many, a text seen once is no category. */
static int column_survey_categories(struct column_survey *survey, struct column *column) {
  const struct nameset *distinct = &survey->distinct;
  uint32_t *order, i, number;
  int code = memory_take(&order, distinct->count, sizeof *order);
  if (code) return code;
  for (i = 0; i < distinct->count; i++)
    order[i] = i;
  qsort_r(order, distinct->count, sizeof *order, column_survey_compare, (void *)distinct);
  for (i = 0; i < distinct->count && i < COLUMN_SURVEY_CATEGORIES && !code; i++) {
    if (distinct->count > COLUMN_SURVEY_CATEGORIES && distinct->times[order[i]] < 2) break;
    code =
        nameset_add(&column->categories, nameset_text(distinct, order[i]), nameset_length(distinct, order[i]), &number);
  }
  free(order);
  if (column->categories.count == 0) column->kind = COLUMN_SKIP;
  return code;
}

/* What an operator may want to know of how the column was read. */
static int column_survey_note(const struct column_survey *survey, struct column *column) {
  const char *text;
  column->seen.numbers = survey->numbers;
  column->seen.texts = survey->texts;
  column->seen.missing = survey->missing;
  column->seen.distinct = survey->distinct.count;
  column->seen.text_line = survey->first_text;
  if (!survey->first_text || survey->first_text_number == NAMESET_NONE) return EXIT_OK;
  text = nameset_text(&survey->distinct, survey->first_text_number);
  return memory_print(&column->seen.text, "%s", text);
}

int column_survey_decide(struct column_survey *survey, struct column *column) {
  int code = column_survey_note(survey, column);
  if (code) return code;
  if (column->kind == COLUMN_AUTO) column->kind = column_survey_kind(survey);
  column->is_fitted = 1;
  if (column->kind == COLUMN_CATEGORY) return column_survey_categories(survey, column);
  if (column_is_numeric(column)) {
    if (survey->numbers)
      column_survey_range(survey, column);
    else
      column->kind = COLUMN_SKIP; /* nothing but empty cells */
  }
  return EXIT_OK;
}

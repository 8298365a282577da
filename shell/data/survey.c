#include "data/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

void survey_init(struct survey *survey) {
  memset(survey, 0, sizeof *survey);
}

void survey_free(struct survey *survey) {
  nameset_free(&survey->words);
}

static double survey_log(double x) {
  return x < 0 ? -log1p(-x) : log1p(x);
}

int survey_add(struct survey *survey, const char *text, size_t length, uint64_t line) {
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
    survey->logs += survey_log(x);
    survey->has_fractions |= x != floor(x);
    break;
  case NUMBER_NOT_FINITE:
    if (!survey->not_finite) survey->not_finite = line;
    break;
  case NUMBER_NONE:
    survey->texts++;
    break;
  }
  if (survey->words.count < SURVEY_DISTINCT) {
    if ((code = nameset_add(&survey->words, text, length, &number)) != EXIT_OK) return code;
  } else {
    number = nameset_find(&survey->words, text, length);
    if (number == NAMESET_NONE) survey->is_crowded = 1;
  }
  if (number != NAMESET_NONE) survey->words.times[number]++;
  return EXIT_OK;
}

static enum column_kind survey_kind(const struct survey *survey) {
  double n = (double)survey->numbers, mean = survey->sum / n, variance = survey->squares / n - mean * mean;
  if (survey->words.count == 0) return COLUMN_SKIP;
  if (survey->texts) return survey->is_crowded ? COLUMN_SKIP : COLUMN_CATEGORY;
  if (!survey->has_fractions && survey->words.count <= SURVEY_CODES) return COLUMN_CATEGORY;
  if (survey->low >= 0 && variance > 0 && survey->high - mean > SURVEY_TAIL * sqrt(variance)) return COLUMN_LOG;
  return COLUMN_NUMBER;
}

static void survey_range(const struct survey *survey, struct column *column) {
  double n = (double)survey->numbers, low = survey->low, high = survey->high, mean = survey->sum / n;
  column->low = low;
  column->high = high;
  if (column->kind == COLUMN_LOG) {
    low = survey_log(low);
    high = survey_log(high);
    mean = survey->logs / n;
  }
  column->empty = high > low ? (mean - low) / (high - low) : 0;
  if (!(column->empty >= 0 && column->empty <= 1)) column->empty = 0.5; /* sums beyond a double */
}

static int survey_compare(const void *a, const void *b, void *context) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const struct nameset *words = context;
  if (words->times[x] != words->times[y]) return words->times[x] > words->times[y] ? -1 : 1;
  return strcmp(nameset_text(words, x), nameset_text(words, y));
}

/* The most frequent texts, in order of frequency. Where there are too many, a text seen once is no category. */
static int survey_categories(struct survey *survey, struct column *column) {
  const struct nameset *words = &survey->words;
  uint32_t *order = malloc(((size_t)words->count + 1) * sizeof *order), i, number;
  int code = EXIT_OK;
  if (!order) return error_report(EXIT_SYSTEM, "out of memory");
  for (i = 0; i < words->count; i++)
    order[i] = i;
  qsort_r(order, words->count, sizeof *order, survey_compare, (void *)words);
  for (i = 0; i < words->count && i < SURVEY_CATEGORIES && code == EXIT_OK; i++) {
    if (words->count > SURVEY_CATEGORIES && words->times[order[i]] < 2) break;
    code = nameset_add(&column->categories, nameset_text(words, order[i]), nameset_length(words, order[i]), &number);
  }
  free(order);
  if (column->categories.count == 0) column->kind = COLUMN_SKIP;
  return code;
}

int survey_decide(struct survey *survey, struct column *column) {
  if (column->kind == COLUMN_AUTO) column->kind = survey_kind(survey);
  column->is_fitted = 1;
  if (column->kind == COLUMN_CATEGORY) return survey_categories(survey, column);
  if (column->kind == COLUMN_NUMBER || column->kind == COLUMN_LOG) {
    if (survey->numbers)
      survey_range(survey, column);
    else
      column->kind = COLUMN_SKIP; /* nothing but empty cells */
  }
  return EXIT_OK;
}

#include "survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "say.h"

void fumata_survey_init(fumata_survey *survey) {
  memset(survey, 0, sizeof *survey);
}

void fumata_survey_free(fumata_survey *survey) {
  fumata_words_free(&survey->words);
}

static double fumata_survey_log(double x) {
  return x < 0 ? -log1p(-x) : log1p(x);
}

int fumata_survey_add(fumata_survey *survey, const char *text, size_t length, uint64_t line) {
  uint32_t number = FUMATA_WORDS_NONE;
  double x;
  int code;
  switch (fumata_number_parse(text, length, &x)) {
  case FUMATA_NUMBER_OK:
    if (survey->numbers == 0 || x < survey->low) survey->low = x;
    if (survey->numbers == 0 || x > survey->high) survey->high = x;
    survey->numbers++;
    survey->sum += x;
    survey->squares += x * x;
    survey->logs += fumata_survey_log(x);
    survey->has_fractions |= x != floor(x);
    break;
  case FUMATA_NUMBER_NOT_FINITE:
    if (!survey->not_finite) survey->not_finite = line;
    break;
  case FUMATA_NUMBER_NONE:
    survey->texts++;
    break;
  }
  if (survey->words.count < FUMATA_SURVEY_DISTINCT) {
    if ((code = fumata_words_add(&survey->words, text, length, &number)) != FUMATA_EXIT_OK) return code;
  } else {
    number = fumata_words_find(&survey->words, text, length);
    if (number == FUMATA_WORDS_NONE) survey->is_crowded = 1;
  }
  if (number != FUMATA_WORDS_NONE) survey->words.times[number]++;
  return FUMATA_EXIT_OK;
}

static fumata_column_kind fumata_survey_kind(const fumata_survey *survey) {
  double n = (double)survey->numbers, mean = survey->sum / n, variance = survey->squares / n - mean * mean;
  if (survey->words.count == 0) return FUMATA_COLUMN_SKIP;
  if (survey->texts) return survey->is_crowded ? FUMATA_COLUMN_SKIP : FUMATA_COLUMN_CATEGORY;
  if (!survey->has_fractions && survey->words.count <= FUMATA_SURVEY_CODES) return FUMATA_COLUMN_CATEGORY;
  if (survey->low >= 0 && variance > 0 && survey->high - mean > FUMATA_SURVEY_TAIL * sqrt(variance))
    return FUMATA_COLUMN_LOG;
  return FUMATA_COLUMN_NUMBER;
}

static void fumata_survey_range(const fumata_survey *survey, fumata_column *column) {
  double n = (double)survey->numbers, low = survey->low, high = survey->high, mean = survey->sum / n;
  column->low = low;
  column->high = high;
  if (column->kind == FUMATA_COLUMN_LOG) {
    low = fumata_survey_log(low);
    high = fumata_survey_log(high);
    mean = survey->logs / n;
  }
  column->empty = high > low ? (mean - low) / (high - low) : 0;
  if (!(column->empty >= 0 && column->empty <= 1)) column->empty = 0.5; /* sums beyond a double */
}

static int fumata_survey_compare(const void *a, const void *b, void *context) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const fumata_words *words = context;
  if (words->times[x] != words->times[y]) return words->times[x] > words->times[y] ? -1 : 1;
  return strcmp(fumata_words_text(words, x), fumata_words_text(words, y));
}

/* The most frequent texts, in order of frequency. Where there are too many, a text seen once is no category. */
static int fumata_survey_categories(fumata_survey *survey, fumata_column *column) {
  const fumata_words *words = &survey->words;
  uint32_t *order = malloc(((size_t)words->count + 1) * sizeof *order), i, number;
  int code = FUMATA_EXIT_OK;
  if (!order) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  for (i = 0; i < words->count; i++)
    order[i] = i;
  qsort_r(order, words->count, sizeof *order, fumata_survey_compare, (void *)words);
  for (i = 0; i < words->count && i < FUMATA_SURVEY_CATEGORIES && code == FUMATA_EXIT_OK; i++) {
    if (words->count > FUMATA_SURVEY_CATEGORIES && words->times[order[i]] < 2) break;
    code = fumata_words_add(&column->categories, fumata_words_text(words, order[i]),
                            fumata_words_length(words, order[i]), &number);
  }
  free(order);
  if (column->categories.count == 0) column->kind = FUMATA_COLUMN_SKIP;
  return code;
}

int fumata_survey_decide(fumata_survey *survey, fumata_column *column) {
  if (column->kind == FUMATA_COLUMN_AUTO) column->kind = fumata_survey_kind(survey);
  column->is_fitted = 1;
  if (column->kind == FUMATA_COLUMN_CATEGORY) return fumata_survey_categories(survey, column);
  if (column->kind == FUMATA_COLUMN_NUMBER || column->kind == FUMATA_COLUMN_LOG) {
    if (survey->numbers)
      fumata_survey_range(survey, column);
    else
      column->kind = FUMATA_COLUMN_SKIP; /* nothing but empty cells */
  }
  return FUMATA_EXIT_OK;
}

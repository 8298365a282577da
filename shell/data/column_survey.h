/* What a public CSV column looks like, seen cell by cell, and what it is therefore encoded as. */
#ifndef DATA_COLUMN_SURVEY_H
#define DATA_COLUMN_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "base/nameset.h"
#include "data/column.h"

#define COLUMN_SURVEY_DISTINCT   65536u /* different texts remembered; a column with more is free text */
#define COLUMN_SURVEY_CATEGORIES 256u   /* categories kept: the most frequent */
#define COLUMN_SURVEY_CODES      16u    /* whole numbers with at most so many different values are codes */
#define COLUMN_SURVEY_TAIL       8.0    /* standard deviations from the mean to the maximum: a long tail */

/* A survey of nothing yet is all zeros. */
struct column_survey {
  uint64_t numbers, texts, missing;
  uint64_t first_text; /* line of the first cell that is neither number nor missing, and which text it is */
  uint32_t first_text_number;
  uint64_t not_finite; /* line of the first nan or inf, 0: none */
  int has_fractions;
  int is_crowded;                       /* there are more different texts than are remembered */
  double low, high, sum, squares, logs; /* of the numbers */
  struct nameset distinct;              /* the different texts, with how often each came */
};

void column_survey_free(struct column_survey *survey);

/* Looks at one cell that is not empty. Returns an exit code (error.h). */
int column_survey_add(struct column_survey *survey, const char *text, size_t length, uint64_t line);

/* Decides the column's kind (unless it was stated) and its range or categories. */
int column_survey_decide(struct column_survey *survey, struct column *column);

#endif

/* What a public CSV column looks like, seen cell by cell, and what it is therefore encoded as. */
#ifndef DATA_SURVEY_H
#define DATA_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "base/nameset.h"
#include "data/encoding.h"

#define SURVEY_DISTINCT   65536u /* different texts remembered; a column with more is free text */
#define SURVEY_CATEGORIES 256u   /* categories kept: the most frequent */
#define SURVEY_CODES      16u    /* whole numbers with at most so many different values are codes */
#define SURVEY_TAIL       8.0    /* standard deviations from the mean to the maximum: a long tail */

struct survey {
  uint64_t numbers, texts;
  uint64_t not_finite; /* line of the first nan or inf, 0: none */
  int has_fractions;
  int is_crowded;
  double low, high, sum, squares, logs;
  struct nameset words;
};

void survey_init(struct survey *survey);
void survey_free(struct survey *survey);

/* Looks at one cell that is not empty. Returns an exit code (error.h). */
int survey_add(struct survey *survey, const char *text, size_t length, uint64_t line);

/* Decides the column's kind (unless it was stated) and its range or categories. */
int survey_decide(struct survey *survey, struct column *column);

#endif

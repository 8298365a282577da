/* What a public CSV column looks like, seen cell by cell, and what it is therefore encoded as. */
#ifndef FUMATA_SURVEY_H
#define FUMATA_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "encode.h"
#include "words.h"

#define FUMATA_SURVEY_DISTINCT   65536u /* different texts remembered; a column with more is free text */
#define FUMATA_SURVEY_CATEGORIES 256u   /* categories kept: the most frequent */
#define FUMATA_SURVEY_CODES      16u    /* whole numbers with at most so many different values are codes */
#define FUMATA_SURVEY_TAIL       8.0    /* standard deviations from the mean to the maximum: a long tail */

typedef struct {
  uint64_t numbers, texts;
  uint64_t not_finite; /* line of the first nan or inf, 0: none */
  int has_fractions;
  int is_crowded;
  double low, high, sum, squares, logs;
  fumata_words words;
} fumata_survey;

void fumata_survey_init(fumata_survey *survey);
void fumata_survey_free(fumata_survey *survey);

/* Looks at one cell that is not empty. Returns an exit code (say.h). */
int fumata_survey_add(fumata_survey *survey, const char *text, size_t length, uint64_t line);

/* Decides the column's kind (unless it was stated) and its range or categories. */
int fumata_survey_decide(fumata_survey *survey, fumata_column *column);

#endif

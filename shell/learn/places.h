/* Where a record lies among the others, as whole numbers, for questions that ask those near a point (core/crowd.h).
 *
 * The rule is learned from public rows alone: each column is centred and brought to deviation 1 (one with a long tail through
 * asinh first; one of two values, such as a category's, to values 1 apart, or rare categories would outweigh all else), clipped, and
 * where there are many columns projected onto their principal components. Once there is a student, its
 * scores, standardised on public rows and stretched, are further coordinates: neighbours then also look alike to the student.
 *
 * The place of a row depends on that row and the rule alone, to the last bit: one loop in one order for each row, whoever else is
 * in the file. */
#ifndef LEARN_PLACES_H
#define LEARN_PLACES_H

#include "data/encoding.h"
#include "data/rows.h"
#include "learn/learner.h"

#define PLACES_SCORES_MAX 64u /* of more classes than these none sharpens */
#define PLACES_NONE       UINT32_MAX

struct places {
  uint32_t inputs; /* columns of a row */
  uint32_t classes;
  uint32_t plain;                /* coordinates that the row's columns become */
  uint32_t room;                 /* coordinates that a student's scores become, behind these, ... */
  uint32_t scores;               /* ... and become now: 0 before there is a student */
  uint32_t dimensions;           /* all, filled up with 0 to a multiple of FUMATA_CROWD_LANES; stays the same */
  float *mean, *scale;           /* of each column, after its tail was drawn in */
  float *tail;                   /* of each column: asinh(value / tail), or 0: the value as it is */
  float *zero;                   /* what a 0 of each column becomes */
  uint32_t *kept;                /* which of the columns that are looked at it is, or PLACES_NONE */
  float *axes;                   /* columns that are looked at x plain, or NULL: a coordinate is a column */
  float *origin;                 /* the coordinates of a row of zeros */
  float clip;                    /* columns are clipped at so many times PLACES_CLIP (places.c) */
  float unit;                    /* whole numbers in a deviation */
  double spread;                 /* the root of the coordinates' summed variances */
  double stretch;                /* deviations that one of a score becomes */
  const struct learner *student; /* who sharpens */
  const struct learned *learned;
  double score_mean[PLACES_SCORES_MAX], score_scale[PLACES_SCORES_MAX];
};

/* Each int is an exit code (error.h). */

/* Learns the rule from public rows. `features` are the steps that made them (NULL: none): principal components are not brought to
 * deviation 1 again. */
int places_fit(struct places *places, const struct features *features, const struct rows *public_rows,
               uint32_t classes);
void places_free(struct places *places);

/* From now on the scores of this student, which must outlive this or be replaced, are further coordinates. Those of before stay as they
 * are, and so does the number of dimensions. */
int places_sharpen(struct places *places, const struct learner *student, const struct learned *learned,
                   const struct rows *public_rows);

/* The place of row i: `dimensions` numbers, each within -FUMATA_PLACE_MAX .. FUMATA_PLACE_MAX. Reads row i alone. */
void places_of_row(const struct places *places, const struct rows *rows, size_t i, int16_t *place);

/* After the student has changed: the further coordinates alone, of a place that was made by this rule. */
void places_sharpen_row(const struct places *places, const struct rows *rows, size_t i, int16_t *place);

#endif

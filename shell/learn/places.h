/* Where a record is among the others, as whole numbers, for questions that ask the records near a point (core/crowd.h).
 *
 * The rule is learned from public rows alone. Each column is centred and scaled to deviation 1. A column with a long tail
 * goes through asinh first. A column of two values, such as a category's, is scaled to values 1 apart: otherwise rare
 * categories would outweigh all else. Columns are clipped, and if there are many, projected onto their principal
 * components. Once there is a student, its scores, standardised on public rows and stretched, are further coordinates:
 * neighbours then also look alike to the student.
 *
 * The place of a row depends on that row and the rule alone, to the last bit: one loop in one order for each row, whatever
 * else is in the file. */
#ifndef LEARN_PLACES_H
#define LEARN_PLACES_H

#include "data/encoding.h"
#include "data/rows.h"
#include "learn/learner.h"

#define PLACES_SCORES_MAX 64u /* with more classes than these no student sharpens */
#define PLACES_NONE       UINT32_MAX

struct places {
  uint32_t inputs; /* columns of a row */
  uint32_t classes;
  uint32_t plain;                /* coordinates from the row's columns */
  uint32_t room;                 /* coordinates from a student's scores, after these: room for them ... */
  uint32_t scores;               /* ... and how many there are now: 0 before there is a student */
  uint32_t dimensions;           /* all, filled up with 0 to a multiple of FUMATA_CROWD_LANES; never changes */
  float *mean, *scale;           /* of each column, after its tail was drawn in */
  float *tail;                   /* of each column: asinh(value / tail), or 0: the value as it is */
  float *zero;                   /* the coordinate of a 0 in each column */
  uint32_t *kept;                /* its index among the columns that are used, or PLACES_NONE */
  float *axes;                   /* used columns x plain, or NULL: a coordinate is a column */
  float *origin;                 /* the coordinates of a row of zeros */
  float clip;                    /* columns are clipped at this many times PLACES_CLIP (places.c) */
  float unit;                    /* whole numbers in a deviation */
  double spread;                 /* the root of the coordinates' summed variances */
  double stretch;                /* how many deviations one deviation of a score becomes */
  const struct learner *student; /* the student that sharpens */
  const struct learned *learned;
  double score_mean[PLACES_SCORES_MAX], score_scale[PLACES_SCORES_MAX];
};

/* Each int is an exit code (error.h). */

/* Learns the rule from public rows. `features` are the steps that made these rows (NULL: none): principal components are
 * not scaled to deviation 1 again. */
int places_fit(struct places *places, const struct features *features, const struct rows *public_rows,
               uint32_t classes);
void places_free(struct places *places);

/* From now on the scores of this student are further coordinates. It must outlive this or be replaced. The earlier
 * coordinates stay as they are, and so does the number of dimensions. */
int places_sharpen(struct places *places, const struct learner *student, const struct learned *learned,
                   const struct rows *public_rows);

/* The place of row i: `dimensions` numbers, each within -FUMATA_PLACE_MAX .. FUMATA_PLACE_MAX. Reads row i alone. */
void places_of_row(const struct places *places, const struct rows *rows, size_t i, int16_t *place);

/* After the student has changed: makes only the further coordinates of a place that this rule made. */
void places_sharpen_row(const struct places *places, const struct rows *rows, size_t i, int16_t *place);

#endif

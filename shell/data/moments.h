/* Means and covariances of public rows, batch by batch, in double precision. */
#ifndef DATA_MOMENTS_H
#define DATA_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "data/rows.h"

#define MOMENTS_FULL_MAX     4096u  /* columns of a covariance: a full matrix of 128 MB */
#define MOMENTS_DIAGONAL_MAX 65536u /* columns of variances: the standardised rows are dense */

/* Running sums about an origin. */
struct moments {
  uint32_t inputs;
  int is_full; /* a covariance, not only variances */
  uint64_t count;
  double *origin; /* mean of the first batch: sums are taken about it */
  double *sum;
  double *square;     /* inputs, or inputs x inputs (lower triangle) */
  double *work;       /* one block of rows */
  double *low, *high; /* without a covariance: the least and largest value of each column */
  size_t block;
};

/* Each returns an exit code (error.h). */
int moments_init(struct moments *moments, uint32_t inputs, int is_full);
int moments_add(struct moments *moments, const struct rows *rows);
void moments_free(struct moments *moments);

double moments_mean(const struct moments *moments, size_t i);

/* i >= j; without a covariance i = j. */
double moments_covariance(const struct moments *moments, size_t i, size_t j);

/* The `wanted` directions of largest variance, as unit vectors, largest last: axis[k * inputs + j] for k < wanted, and
 * the variance along each; `variance` has room for `inputs`. */
int moments_principal(const struct moments *moments, size_t wanted, double *axis, double *variance);

#endif

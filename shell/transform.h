/* Standardisation and principal components, fitted on public rows alone, applied to any rows. */
#ifndef FUMATA_TRANSFORM_H
#define FUMATA_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>

#include "rows.h"

typedef enum { FUMATA_TRANSFORM_RAW, FUMATA_TRANSFORM_STANDARD, FUMATA_TRANSFORM_PCA } fumata_transform_kind;

#define FUMATA_TRANSFORM_PCA_MAX      4096u  /* raw columns: the covariance is a full matrix */
#define FUMATA_TRANSFORM_STANDARD_MAX 65536u /* raw columns: the result is dense */

/* standard: out[j] = (in[j] - mean[j]) * scale[j];  pca: out = (in - mean) axes. */
typedef struct {
  fumata_transform_kind kind;
  uint32_t inputs, outputs;
  float *mean;  /* inputs */
  float *scale; /* standard: inputs */
  float *axes;  /* pca: inputs x outputs, row-major */
  float *shift; /* pca: mean times axes, outputs */
} fumata_transform;

/* Running sums over batches of public rows, in double precision. */
typedef struct {
  uint32_t inputs;
  int is_full; /* a covariance, not only variances */
  uint64_t count;
  double *origin; /* mean of the first batch: sums are taken about it */
  double *sum;
  double *square; /* inputs, or inputs x inputs (lower triangle) */
  double *work;   /* one block of rows */
  size_t block;
} fumata_moments;

/* "raw", "standard", "pca:N" into kind and number of outputs (0 but for pca). Returns an exit code (say.h). */
int fumata_transform_parse(const char *text, fumata_transform_kind *kind, uint32_t *outputs);

int fumata_moments_init(fumata_moments *moments, uint32_t inputs, int is_full);
int fumata_moments_add(fumata_moments *moments, const fumata_rows *rows);
void fumata_moments_free(fumata_moments *moments);

/* Fit from moments. pca: `outputs` axes of largest variance, each with its largest entry positive, and all stretched by
 * one factor that makes their mean public variance 1, so that a learner's settings do not depend on the data's unit. */
int fumata_transform_fit(fumata_transform *transform, fumata_transform_kind kind, uint32_t outputs,
                         const fumata_moments *moments);

/* Derives what is not stored in a file (the shift). */
int fumata_transform_prepare(fumata_transform *transform);
void fumata_transform_init(fumata_transform *transform); /* raw */
void fumata_transform_free(fumata_transform *transform);

/* Appends the transform of all rows of `in` to the dense rows `out`, with labels, units and lines. Not for raw.
 * The features of a row depend on that row alone, to the last bit: no teacher may see a change in another's chunk. */
int fumata_transform_apply(const fumata_transform *transform, const fumata_rows *in, fumata_rows *out);

#endif

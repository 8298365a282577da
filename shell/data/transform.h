/* One step from rows to features (features.h): scaling and principal components, fitted on public rows alone, or
 * histograms of gradients, fitted on nothing; applied to any rows. */
#ifndef DATA_TRANSFORM_H
#define DATA_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>

#include "data/hog.h"
#include "data/moments.h"
#include "data/rows.h"

enum transform_kind { TRANSFORM_STANDARD, TRANSFORM_RANGE, TRANSFORM_PCA, TRANSFORM_HOG };

/* Inputs at most. */
#define TRANSFORM_PCA_MAX      MOMENTS_FULL_MAX
#define TRANSFORM_STANDARD_MAX MOMENTS_DIAGONAL_MAX

/* standard, range: out[j] = (in[j] - mean[j]) * scale[j];  pca: out = (in - mean) axes. */
struct transform {
  enum transform_kind kind;
  uint32_t inputs, outputs;
  float *mean;  /* inputs */
  float *scale; /* standard, range: inputs */
  float *axes;  /* pca: inputs x outputs, row-major */
  float *shift; /* pca: mean times axes, outputs */
  struct hog hog;
  int keeps; /* hog: the pixels stay, before the histograms */
};

/* Is it ready to be applied? Not one that is only asked for. */
int transform_is_fitted(const struct transform *transform);

/* hog: its shape is known. Returns an exit code (error.h), as those below. */
int transform_shape(struct transform *transform, uint32_t rows, uint32_t columns);

/* Fits on the moments of public rows. range: the public values of a column span -1 .. 1. pca: `outputs` axes of largest variance, each with its largest entry positive,
 * all stretched by one factor that makes their mean public variance 1, so that a learner's settings do not depend on
 * the data's unit. */
int transform_fit(struct transform *transform, enum transform_kind kind, uint32_t outputs,
                  const struct moments *moments);

/* Derives what is not stored in a file (the shift). */
int transform_prepare(struct transform *transform);
void transform_init(struct transform *transform);
void transform_free(struct transform *transform);

/* Appends the transform of all rows of `in` to the dense rows `out`, with labels, units and lines.
 * The features of a row depend on that row alone, to the last bit: no teacher may see a change in another's chunk. */
int transform_apply(const struct transform *transform, const struct rows *in, struct rows *out);

#endif

/* Standardisation and principal components, fitted on public rows alone, applied to any rows. */
#ifndef DATA_TRANSFORM_H
#define DATA_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>

#include "data/moments.h"
#include "data/rows.h"

enum transform_kind { TRANSFORM_RAW, TRANSFORM_STANDARD, TRANSFORM_PCA };

/* Raw columns at most. */
#define TRANSFORM_PCA_MAX      MOMENTS_FULL_MAX
#define TRANSFORM_STANDARD_MAX MOMENTS_DIAGONAL_MAX

/* standard: out[j] = (in[j] - mean[j]) * scale[j];  pca: out = (in - mean) axes. */
struct transform {
  enum transform_kind kind;
  uint32_t inputs, outputs;
  float *mean;  /* inputs */
  float *scale; /* standard: inputs */
  float *axes;  /* pca: inputs x outputs, row-major */
  float *shift; /* pca: mean times axes, outputs */
};

/* "raw", "standard", "pca:N" into kind and number of outputs (0 but for pca). Returns an exit code (error.h). */
int transform_parse(const char *text, enum transform_kind *kind, uint32_t *outputs);

/* Fits on the moments of public rows. pca: `outputs` axes of largest variance, each with its largest entry positive,
 * all stretched by one factor that makes their mean public variance 1, so that a learner's settings do not depend on
 * the data's unit. */
int transform_fit(struct transform *transform, enum transform_kind kind, uint32_t outputs,
                  const struct moments *moments);

/* Derives what is not stored in a file (the shift). */
int transform_prepare(struct transform *transform);
void transform_init(struct transform *transform); /* raw */
void transform_free(struct transform *transform);

/* Appends the transform of all rows of `in` to the dense rows `out`, with labels, units and lines. Not for raw.
 * The features of a row depend on that row alone, to the last bit: no teacher may see a change in another's chunk. */
int transform_apply(const struct transform *transform, const struct rows *in, struct rows *out);

#endif

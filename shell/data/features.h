/* What becomes of a record's numbers before a learner sees them: steps, one after the other.
 *
 *   raw                    the numbers as they are (no step)
 *   hog, hog:28x28         histograms of oriented gradients instead of the pixels (hog.h); raw+hog: beside them
 *   standard               each column to mean 0 and variance 1
 *   range                  each column to -1 .. 1
 *   pca:N                  the N principal components
 *
 * A plus stands between two steps: "hog+pca:100", "raw+hog+standard+pca:100". hog learns nothing; the others are fitted
 * on public rows alone, each on what the steps before it make of them; all are applied to any rows. */
#ifndef DATA_FEATURES_H
#define DATA_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "data/hog.h"
#include "data/moments.h"
#include "data/rows.h"

#define FEATURES_STEPS 4

enum features_kind { FEATURES_STANDARD, FEATURES_RANGE, FEATURES_PCA, FEATURES_HOG };

/* Inputs at most. */
#define FEATURES_PCA_MAX      MOMENTS_FULL_MAX
#define FEATURES_STANDARD_MAX MOMENTS_DIAGONAL_MAX

/* standard, range: out[j] = (in[j] - mean[j]) * scale[j];  pca: out = (in - mean) axes. */
struct features_step {
  enum features_kind kind;
  uint32_t inputs, outputs;
  float *mean;  /* inputs */
  float *scale; /* standard, range: inputs */
  float *axes;  /* pca: inputs x outputs, row-major */
  float *shift; /* pca: mean times axes, outputs */
  struct hog hog;
  int keeps; /* hog: the pixels stay, before the histograms */
};

struct features {
  size_t count;
  struct features_step step[FEATURES_STEPS];
};

/* "standard", "range", "pca" or "hog" */
const char *features_name(enum features_kind kind);

/* What --features says. Each int is an exit code (error.h), unless a question is asked. */
int features_parse(struct features *features, const char *text);
void features_free(struct features *features);

/* A further step, not fitted; NULL if there are too many. */
struct features_step *features_add(struct features *features, enum features_kind kind);

/* The step that describes images, or NULL. */
struct features_step *features_image(struct features *features);

/* How many features a row of `inputs` numbers has in the end. */
uint32_t features_outputs(const struct features *features, uint32_t inputs);

/* Does each step take what the step before it gives? `where` starts the error line. */
int features_check(const struct features *features, uint32_t inputs, const char *where);

/* Appends to `out` what the steps make of stage[0]; the other stages are working room. There is at least one step.
 * The features of a row depend on that row alone, to the last bit: no teacher may see a change in another's chunk. */
int features_apply(const struct features *features, struct rows stage[FEATURES_STEPS], struct rows *out);

/* ---- one step ---- */

/* Is it ready to be applied? Not one that is only asked for. */
int features_is_fitted(const struct features_step *step);

/* hog: its shape is known. */
int features_shape(struct features_step *step, uint32_t rows, uint32_t columns);

/* Fits on the moments of public rows. range: the public values of a column span -1 .. 1. pca: `outputs` axes of largest
 * variance, each with its largest entry positive, all stretched by one factor that makes their mean public variance 1, so
 * that a learner's settings do not depend on the data's unit. */
int features_fit(struct features_step *step, enum features_kind kind, uint32_t outputs, const struct moments *moments);

/* Derives what is not stored in a file (the shift). */
int features_prepare(struct features_step *step);
void features_free_step(struct features_step *step);

/* Appends what the step makes of all rows of `in` to the dense rows `out`, with labels, units and lines. */
int features_apply_step(const struct features_step *step, const struct rows *in, struct rows *out);

#endif

/* What becomes of a record's numbers before anybody learns from them: steps, one after the other (transform.h).
 *
 *   raw                    the numbers as they are (no step)
 *   hog, hog:28x28         histograms of oriented gradients instead of the pixels (hog.h); raw+hog: beside them
 *   standard               each column to mean 0 and variance 1
 *   range                  each column to -1 .. 1
 *   pca:N                  the N principal components
 *
 * A plus stands between two steps: "hog+pca:100", "raw+hog+standard+pca:100". hog learns nothing; the others are fitted
 * on public rows, each on what the steps before it make of them. */
#ifndef DATA_FEATURES_H
#define DATA_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "data/transform.h"

#define FEATURES_STEPS 4

struct features {
  size_t count;
  struct transform step[FEATURES_STEPS];
};

/* What --features says. Each int is an exit code (error.h). */
int features_parse(struct features *features, const char *text);
void features_free(struct features *features);

/* A further step, not fitted; NULL if there are too many. */
struct transform *features_add(struct features *features, enum transform_kind kind);

/* The step that describes images, or NULL. */
struct transform *features_image(struct features *features);

/* Features of a row that has so many numbers at first. */
uint32_t features_outputs(const struct features *features, uint32_t inputs);

/* Does each step take what the step before it gives? `where` starts the error line. */
int features_check(const struct features *features, uint32_t inputs, const char *where);

/* Appends to `out` what the steps make of stage[0]; the other stages are working room. There is at least one step.
 * The features of a row depend on that row alone, to the last bit: no teacher may see a change in another's chunk. */
int features_apply(const struct features *features, struct rows stage[FEATURES_STEPS], struct rows *out);

#endif

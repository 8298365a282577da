#include "data/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void transform_init(struct transform *transform) {
  memset(transform, 0, sizeof *transform);
}

void transform_free(struct transform *transform) {
  free(transform->mean);
  free(transform->scale);
  free(transform->axes);
  free(transform->shift);
  transform_init(transform);
}

int transform_is_fitted(const struct transform *transform) {
  return transform->mean || (transform->kind == TRANSFORM_HOG && transform->inputs);
}

int transform_shape(struct transform *transform, uint32_t rows, uint32_t columns) {
  if (rows == 0 || columns > ROWS_COLUMNS_MAX / rows || hog_init(&transform->hog, rows, columns))
    return error_report(EXIT_INPUT, "--features hog: images of %u x %u pixels are too small, too large or too narrow",
                        rows, columns);
  transform->inputs = rows * columns;
  transform->outputs = hog_outputs(&transform->hog) + (transform->keeps ? transform->inputs : 0);
  return EXIT_OK;
}

/* A constant column has variance zero exactly (its sums are exact) and becomes zero. */
static int transform_fit_scale(struct transform *transform, const struct moments *moments) {
  size_t j;
  int code = memory_take(&transform->scale, moments->inputs, sizeof *transform->scale);
  for (j = 0; !code && j < moments->inputs; j++) {
    double variance = moments_covariance(moments, j, j);
    transform->scale[j] = variance > 0 ? (float)(1 / sqrt(variance)) : 0;
    if (!isfinite(transform->scale[j])) transform->scale[j] = 0;
  }
  return code;
}

static int transform_fit_range(struct transform *transform, const struct moments *moments) {
  int code = memory_take(&transform->scale, moments->inputs, sizeof *transform->scale);
  for (size_t j = 0; !code && j < moments->inputs; j++) {
    double low = moments->low[j], high = moments->high[j];
    transform->mean[j] = (float)((low + high) / 2);
    transform->scale[j] = high > low ? (float)(2 / (high - low)) : 0;
    if (!isfinite(transform->scale[j])) transform->scale[j] = 0;
  }
  return code;
}

/* An eigenvector is known up to its sign: the largest entry is made positive. */
static double transform_sign(const double *axis, size_t d) {
  size_t largest = 0, j;
  for (j = 1; j < d; j++)
    if (fabs(axis[j]) > fabs(axis[largest])) largest = j;
  return axis[largest] < 0 ? -1 : 1;
}

/* The axes by falling variance, stretched by one factor that makes their mean variance 1. */
static void transform_stretch(struct transform *transform, const double *axis, const double *variance) {
  size_t d = transform->inputs, outputs = transform->outputs, i, j;
  double total = 0, scale;
  for (i = 0; i < outputs; i++)
    total += variance[i] > 0 ? variance[i] : 0;
  scale = total > 0 ? sqrt((double)outputs / total) : 1;
  for (i = 0; i < outputs; i++) {
    const double *from = axis + (outputs - 1 - i) * d;
    double factor = scale * transform_sign(from, d);
    for (j = 0; j < d; j++)
      transform->axes[j * outputs + i] = (float)(factor * from[j]);
  }
}

static int transform_fit_axes(struct transform *transform, const struct moments *moments) {
  size_t d = moments->inputs, outputs = transform->outputs;
  double *axis = NULL, *variance = NULL;
  int code = memory_take(&transform->axes, d * outputs, sizeof *transform->axes);
  if (!code) code = memory_take(&axis, d * outputs, sizeof *axis);
  if (!code) code = memory_take(&variance, d, sizeof *variance);
  if (!code) code = moments_principal(moments, outputs, axis, variance);
  if (!code) transform_stretch(transform, axis, variance);
  free(axis);
  free(variance);
  return code ? code : transform_prepare(transform);
}

int transform_prepare(struct transform *transform) {
  size_t d = transform->inputs, outputs = transform->outputs, i, j;
  int code;
  free(transform->shift);
  transform->shift = NULL;
  if (transform->kind != TRANSFORM_PCA) return EXIT_OK;
  code = memory_take(&transform->shift, outputs, sizeof *transform->shift);
  if (code) return code;
  for (i = 0; i < outputs; i++) {
    double shift = 0;
    for (j = 0; j < d; j++)
      shift += (double)transform->mean[j] * (double)transform->axes[j * outputs + i];
    transform->shift[i] = (float)shift;
  }
  return EXIT_OK;
}

int transform_fit(struct transform *transform, enum transform_kind kind, uint32_t outputs,
                  const struct moments *moments) {
  size_t d = moments->inputs, j;
  int code;
  transform_init(transform);
  if (moments->count < 2) return error_report(EXIT_INPUT, "--features: the public file has fewer than two records");
  if (kind == TRANSFORM_PCA && outputs > d)
    return error_report(EXIT_INPUT, "--features pca:%u, but the data have only %zu columns", outputs, d);
  transform->kind = kind;
  transform->inputs = moments->inputs;
  transform->outputs = kind == TRANSFORM_PCA ? outputs : moments->inputs;
  code = memory_take(&transform->mean, d, sizeof *transform->mean);
  for (j = 0; !code && j < d; j++)
    transform->mean[j] = (float)moments_mean(moments, j);
  if (!code)
    code = kind == TRANSFORM_STANDARD ? transform_fit_scale(transform, moments)
           : kind == TRANSFORM_RANGE  ? transform_fit_range(transform, moments)
                                      : transform_fit_axes(transform, moments);
  if (code) transform_free(transform);
  return code;
}

/* out += x * axis. Each output is a sum over the inputs in their order, whatever rows are projected beside it: a row's
 * features must not change by a bit when other rows come or go, so a blocked matrix product will not do here. */
static void transform_add(float *restrict out, const float *restrict axis, float x, size_t outputs) {
  size_t i = 0, k;
  for (; i + 8 <= outputs; i += 8)
    for (k = 0; k < 8; k++)
      out[i + k] += x * axis[i + k];
  for (; i < outputs; i++)
    out[i] += x * axis[i];
}

static void transform_project(const struct transform *transform, const struct rows *in, size_t row, float *out) {
  size_t outputs = transform->outputs, j;
  for (j = 0; j < outputs; j++)
    out[j] = -transform->shift[j];
  if (in->is_dense) {
    const float *from = in->dense + row * in->columns;
    for (j = 0; j < in->columns; j++)
      if (from[j] != 0) transform_add(out, transform->axes + j * outputs, from[j], outputs);
  } else {
    for (j = in->start[row]; j < in->start[row + 1]; j++)
      transform_add(out, transform->axes + in->index[j] * outputs, in->value[j], outputs);
  }
}

static void transform_rescale(const struct transform *transform, const struct rows *in, size_t row, float *out) {
  uint32_t j;
  rows_expand(in, row, out);
  for (j = 0; j < transform->inputs; j++)
    out[j] = (out[j] - transform->mean[j]) * transform->scale[j];
}

/* `image` is room for one. */
static void transform_describe(const struct transform *transform, const struct rows *in, size_t row, float *image,
                               float *out) {
  rows_expand(in, row, image);
  if (transform->keeps) memcpy(out, image, transform->inputs * sizeof *out);
  hog_describe(&transform->hog, image, out + (transform->keeps ? transform->inputs : 0));
}

int transform_apply(const struct transform *transform, const struct rows *in, struct rows *out) {
  float *image = NULL;
  size_t i;
  int code = rows_reserve(out, in->count, 0);
  if (!code && transform->kind == TRANSFORM_HOG) code = memory_take(&image, transform->inputs, sizeof *image);
  for (i = 0; !code && i < in->count; i++) {
    float *row = rows_push_dense(out, in->label[i], in->unit[i], in->line[i]);
    if (transform->kind == TRANSFORM_HOG)
      transform_describe(transform, in, i, image, row);
    else if (transform->kind == TRANSFORM_PCA)
      transform_project(transform, in, i, row);
    else
      transform_rescale(transform, in, i, row);
  }
  free(image);
  return code;
}

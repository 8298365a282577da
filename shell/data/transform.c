#include "data/transform.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define TRANSFORM_BLOCK 512 /* rows converted to double at once */

static int transform_memory(void) {
  return error_report(EXIT_SYSTEM, "out of memory");
}

int transform_parse(const char *text, enum transform_kind *kind, uint32_t *outputs) {
  *outputs = 0;
  *kind = TRANSFORM_RAW;
  if (strcmp(text, "raw") == 0) return EXIT_OK;
  if (strcmp(text, "standard") == 0) {
    *kind = TRANSFORM_STANDARD;
    return EXIT_OK;
  }
  if (strncmp(text, "pca:", 4) == 0 && text[4] >= '1' && text[4] <= '9') {
    char *end;
    unsigned long n = strtoul(text + 4, &end, 10);
    if (*end == '\0' && n <= TRANSFORM_PCA_MAX) {
      *kind = TRANSFORM_PCA;
      *outputs = (uint32_t)n;
      return EXIT_OK;
    }
  }
  return error_report(EXIT_INPUT, "--features is raw, standard or pca:N with N from 1 to %u", TRANSFORM_PCA_MAX);
}

int moments_init(struct moments *moments, uint32_t inputs, int is_full) {
  size_t d = inputs, most = is_full ? TRANSFORM_PCA_MAX : TRANSFORM_STANDARD_MAX;
  memset(moments, 0, sizeof *moments);
  if (d > most)
    return error_report(EXIT_INPUT, "--features %s is for at most %zu columns; the data have %zu",
                        is_full ? "pca" : "standard", most, d);
  moments->inputs = inputs;
  moments->is_full = is_full;
  moments->origin = calloc(d, sizeof(double));
  moments->sum = calloc(d, sizeof(double));
  moments->square = calloc(is_full ? d * d : d, sizeof(double));
  moments->block = is_full ? TRANSFORM_BLOCK : 1;
  moments->work = malloc(d * moments->block * sizeof(double));
  if (moments->origin && moments->sum && moments->square && moments->work) return EXIT_OK;
  moments_free(moments);
  return transform_memory();
}

void moments_free(struct moments *moments) {
  free(moments->origin);
  free(moments->sum);
  free(moments->square);
  free(moments->work);
  memset(moments, 0, sizeof *moments);
}

/* Row i, less the origin, in double precision. */
static void moments_row(const struct moments *moments, const struct rows *rows, size_t i, double *out) {
  size_t j;
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (j = 0; j < rows->columns; j++)
      out[j] = (double)row[j] - moments->origin[j];
    return;
  }
  for (j = 0; j < rows->columns; j++)
    out[j] = -moments->origin[j];
  for (j = rows->start[i]; j < rows->start[i + 1]; j++)
    out[rows->index[j]] += (double)rows->value[j];
}

/* The mean of the first batch: about it, sums do not cancel. */
static void moments_begin(struct moments *moments, const struct rows *rows) {
  size_t d = moments->inputs, i, j;
  for (i = 0; i < rows->count; i++) {
    moments_row(moments, rows, i, moments->work); /* the origin is still zero */
    for (j = 0; j < d; j++)
      moments->sum[j] += moments->work[j];
  }
  for (j = 0; j < d; j++) {
    moments->origin[j] = moments->sum[j] / (double)rows->count;
    moments->sum[j] = 0;
  }
}

int moments_add(struct moments *moments, const struct rows *rows) {
  size_t d = moments->inputs, begin, i, j;
  if (rows->count == 0) return EXIT_OK;
  if (moments->count == 0) moments_begin(moments, rows);
  for (begin = 0; begin < rows->count; begin += moments->block) {
    size_t n = rows->count - begin < moments->block ? rows->count - begin : moments->block;
    for (i = 0; i < n; i++) {
      double *row = moments->work + i * d;
      moments_row(moments, rows, begin + i, row);
      for (j = 0; j < d; j++)
        moments->sum[j] += row[j];
      if (!moments->is_full)
        for (j = 0; j < d; j++)
          moments->square[j] += row[j] * row[j];
    }
    if (moments->is_full)
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)d, (int)n, 1.0, moments->work, (int)d, 1.0,
                  moments->square, (int)d);
  }
  moments->count += rows->count;
  return EXIT_OK;
}

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

/* A constant column has variance zero exactly (its sums are exact) and becomes zero. */
static void transform_fit_scale(struct transform *transform, const struct moments *moments) {
  double n = (double)moments->count;
  uint32_t j;
  for (j = 0; j < moments->inputs; j++) {
    double about = moments->sum[j] / n, variance = moments->square[j] / n - about * about;
    transform->scale[j] = variance > 0 ? (float)(1 / sqrt(variance)) : 0;
    if (!isfinite(transform->scale[j])) transform->scale[j] = 0;
  }
}

/* An eigenvector is known up to its sign: the largest entry is made positive. */
static double transform_sign(const double *axis, size_t d) {
  size_t largest = 0, j;
  for (j = 1; j < d; j++)
    if (fabs(axis[j]) > fabs(axis[largest])) largest = j;
  return axis[largest] < 0 ? -1 : 1;
}

static int transform_fit_axes(struct transform *transform, const struct moments *moments) {
  size_t d = moments->inputs, outputs = transform->outputs, i, j;
  double n = (double)moments->count;
  double *matrix = malloc(d * d * sizeof *matrix), *spread = malloc(d * sizeof *spread);
  double *axis = malloc(d * outputs * sizeof *axis);
  lapack_int *support = malloc(2 * d * sizeof *support), found = 0, failed = -1;
  if (matrix && spread && axis && support) {
    for (i = 0; i < d; i++)
      for (j = 0; j <= i; j++)
        matrix[i * d + j] = moments->square[i * d + j] / n - moments->sum[i] / n * (moments->sum[j] / n);
    /* The lower triangle by rows is the upper one by columns. */
    failed =
        LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'U', (lapack_int)d, matrix, (lapack_int)d, 0, 0,
                       (lapack_int)(d - outputs + 1), (lapack_int)d, 0, &found, spread, axis, (lapack_int)d, support);
  }
  if (failed == 0 && (size_t)found == outputs) {
    double total = 0, scale;
    for (i = 0; i < outputs; i++)
      total += spread[i] > 0 ? spread[i] : 0;
    scale = total > 0 ? sqrt((double)outputs / total) : 1;
    for (i = 0; i < outputs; i++) { /* LAPACK ascends, we descend */
      const double *from = axis + (outputs - 1 - i) * d;
      double factor = scale * transform_sign(from, d);
      for (j = 0; j < d; j++)
        transform->axes[j * outputs + i] = (float)(factor * from[j]);
    }
  } else if (failed == 0) {
    failed = 1;
  }
  free(matrix);
  free(spread);
  free(axis);
  free(support);
  if (failed > 0) return error_report(EXIT_SYSTEM, "the principal components did not converge");
  return failed == 0 ? EXIT_OK : transform_memory();
}

int transform_prepare(struct transform *transform) {
  size_t d = transform->inputs, outputs = transform->outputs, i, j;
  free(transform->shift);
  transform->shift = NULL;
  if (transform->kind != TRANSFORM_PCA) return EXIT_OK;
  transform->shift = malloc(outputs * sizeof *transform->shift);
  if (!transform->shift) return transform_memory();
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
  transform->mean = malloc(d * sizeof *transform->mean);
  if (kind == TRANSFORM_PCA)
    transform->axes = malloc(d * outputs * sizeof *transform->axes);
  else
    transform->scale = malloc(d * sizeof *transform->scale);
  if (!transform->mean || (!transform->axes && !transform->scale)) {
    transform_free(transform);
    return transform_memory();
  }
  for (j = 0; j < d; j++)
    transform->mean[j] = (float)(moments->origin[j] + moments->sum[j] / (double)moments->count);
  if (kind == TRANSFORM_STANDARD)
    transform_fit_scale(transform, moments);
  else if ((code = transform_fit_axes(transform, moments)) != EXIT_OK ||
           (code = transform_prepare(transform)) != EXIT_OK) {
    transform_free(transform);
    return code;
  }
  return EXIT_OK;
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

static void transform_standard(const struct transform *transform, const struct rows *in, size_t row, float *out) {
  uint32_t j;
  rows_expand(in, row, out);
  for (j = 0; j < transform->inputs; j++)
    out[j] = (out[j] - transform->mean[j]) * transform->scale[j];
}

int transform_apply(const struct transform *transform, const struct rows *in, struct rows *out) {
  size_t i;
  int code = rows_reserve(out, in->count, 0);
  if (code != EXIT_OK) return code;
  for (i = 0; i < in->count; i++) {
    float *row = rows_push_dense(out, in->label[i], in->unit[i], in->line[i]);
    if (transform->kind == TRANSFORM_PCA)
      transform_project(transform, in, i, row);
    else
      transform_standard(transform, in, i, row);
  }
  return EXIT_OK;
}

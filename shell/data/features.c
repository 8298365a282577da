#include "data/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define FEATURES_PIXELS 65536u /* rows or columns of an image at most */

static const char *const features_names[] = {
    [FEATURES_STANDARD] = "standard", [FEATURES_RANGE] = "range", [FEATURES_PCA] = "pca", [FEATURES_HOG] = "hog"};

const char *features_name(enum features_kind kind) {
  return features_names[kind];
}

/* ---- the steps that are asked for ---- */

struct features_step *features_add(struct features *features, enum features_kind kind) {
  struct features_step *step;
  if (features->count == FEATURES_STEPS) return NULL;
  step = &features->step[features->count++];
  *step = (struct features_step){.kind = kind};
  return step;
}

void features_free(struct features *features) {
  for (size_t s = 0; s < features->count; s++)
    features_free_step(&features->step[s]);
  memset(features, 0, sizeof *features);
}

struct features_step *features_image(struct features *features) {
  return features->count && features->step[0].kind == FEATURES_HOG ? &features->step[0] : NULL;
}

/* A number from 1 to `most` without leading zero; NULL if there is none, else what follows it. */
static const char *features_number(const char *text, unsigned long most, uint32_t *number) {
  char *end;
  unsigned long n;
  if (*text < '1' || *text > '9') return NULL;
  n = strtoul(text, &end, 10);
  if (n > most) return NULL;
  *number = (uint32_t)n;
  return end;
}

/* Takes one word, if it may stand here: a kind, and behind a colon pca's N, or the rows and columns of an image. */
static int features_take(struct features *features, const char *word, int *is_raw) {
  size_t length = strcspn(word, ":");
  const char *rest = word[length] ? word + length + 1 : NULL;
  int is_first = features->count == 0;
  struct features_step *step;
  enum features_kind kind = FEATURES_STANDARD;
  if (!strcmp(word, "raw")) return *is_raw = is_first && !*is_raw;
  while (kind <= FEATURES_HOG && (strncmp(word, features_names[kind], length) || features_names[kind][length]))
    kind++;
  if (kind > FEATURES_HOG || (kind == FEATURES_HOG && !is_first)) return 0;
  if (kind == FEATURES_PCA ? !rest : rest && kind != FEATURES_HOG) return 0;
  step = features_add(features, kind);
  if (!step) return 0;
  step->keeps = kind == FEATURES_HOG && *is_raw;
  if (!rest) return 1;
  if (kind == FEATURES_PCA) {
    rest = features_number(rest, FEATURES_PCA_MAX, &step->outputs);
  } else {
    rest = features_number(rest, FEATURES_PIXELS, &step->hog.rows);
    rest = rest && *rest == 'x' ? features_number(rest + 1, FEATURES_PIXELS, &step->hog.columns) : NULL;
  }
  return rest && !*rest;
}

int features_parse(struct features *features, const char *text) {
  int is_raw = 0;
  memset(features, 0, sizeof *features);
  for (;;) {
    size_t length = strcspn(text, "+");
    char word[32];
    int is_short = length < sizeof word;
    if (is_short) memcpy(word, text, length), word[length] = '\0';
    if (!is_short || !features_take(features, word, &is_raw))
      return error_report(EXIT_INPUT,
                          "--features: '%.*s' cannot stand here; it is [raw+]hog[:ROWSxCOLUMNS], then standard, range "
                          "or pca:N (N from 1 to %u), at most %d with a plus between two; or raw alone",
                          (int)(length < 40 ? length : 40), text, FEATURES_PCA_MAX, FEATURES_STEPS);
    if (!text[length]) return EXIT_OK;
    text += length + 1;
  }
}

uint32_t features_outputs(const struct features *features, uint32_t inputs) {
  return features->count ? features->step[features->count - 1].outputs : inputs;
}

int features_check(const struct features *features, uint32_t inputs, const char *where) {
  for (size_t s = 0; s < features->count; inputs = features->step[s++].outputs)
    if (features->step[s].inputs != inputs)
      return error_report(EXIT_INPUT, "%s: features: a step for %u numbers where there are %u", where,
                          features->step[s].inputs, inputs);
  return EXIT_OK;
}

/* ---- a step is fitted ---- */

void features_free_step(struct features_step *step) {
  free(step->mean);
  free(step->scale);
  free(step->axes);
  free(step->shift);
  memset(step, 0, sizeof *step);
}

int features_is_fitted(const struct features_step *step) {
  return step->mean || (step->kind == FEATURES_HOG && step->inputs);
}

int features_shape(struct features_step *step, uint32_t rows, uint32_t columns) {
  if (rows == 0 || columns > ROWS_COLUMNS_MAX / rows || hog_init(&step->hog, rows, columns))
    return error_report(EXIT_INPUT, "--features hog: images of %u x %u pixels are too small, too large or too narrow",
                        rows, columns);
  step->inputs = rows * columns;
  step->outputs = hog_outputs(&step->hog) + (step->keeps ? step->inputs : 0);
  return EXIT_OK;
}

/* standard, range. A constant column has variance zero exactly (its sums are exact) and becomes zero. */
static int features_fit_scale(struct features_step *step, const struct moments *moments) {
  int code = memory_take(&step->scale, moments->inputs, sizeof *step->scale);
  for (size_t j = 0; !code && j < moments->inputs; j++) {
    double low = moments->low[j], high = moments->high[j], variance = moments_covariance(moments, j, j);
    if (step->kind == FEATURES_RANGE) {
      step->mean[j] = (float)((low + high) / 2);
      step->scale[j] = high > low ? (float)(2 / (high - low)) : 0;
    } else {
      step->scale[j] = variance > 0 ? (float)(1 / sqrt(variance)) : 0;
    }
    if (!isfinite(step->scale[j])) step->scale[j] = 0;
  }
  return code;
}

/* The axes by falling variance, stretched by one factor that makes their mean variance 1. An eigenvector is known up to its
 * sign: the largest entry is made positive. */
static void features_stretch(struct features_step *step, const double *axis, const double *variance) {
  size_t d = step->inputs, outputs = step->outputs;
  double total = 0, scale;
  for (size_t i = 0; i < outputs; i++)
    total += variance[i] > 0 ? variance[i] : 0;
  scale = total > 0 ? sqrt((double)outputs / total) : 1;
  for (size_t i = 0; i < outputs; i++) {
    const double *from = axis + (outputs - 1 - i) * d;
    size_t largest = 0;
    double factor;
    for (size_t j = 1; j < d; j++)
      if (fabs(from[j]) > fabs(from[largest])) largest = j;
    factor = from[largest] < 0 ? -scale : scale;
    for (size_t j = 0; j < d; j++)
      step->axes[j * outputs + i] = (float)(factor * from[j]);
  }
}

static int features_fit_axes(struct features_step *step, const struct moments *moments) {
  size_t d = moments->inputs, outputs = step->outputs;
  double *axis = NULL, *variance = NULL;
  int code = memory_take(&step->axes, d * outputs, sizeof *step->axes);
  if (!code) code = memory_take(&axis, d * outputs, sizeof *axis);
  if (!code) code = memory_take(&variance, d, sizeof *variance);
  if (!code) code = moments_principal(moments, outputs, axis, variance);
  if (!code) features_stretch(step, axis, variance);
  free(axis);
  free(variance);
  return code ? code : features_prepare(step);
}

int features_prepare(struct features_step *step) {
  size_t d = step->inputs, outputs = step->outputs;
  int code;
  free(step->shift);
  step->shift = NULL;
  if (step->kind != FEATURES_PCA) return EXIT_OK;
  code = memory_take(&step->shift, outputs, sizeof *step->shift);
  for (size_t i = 0; !code && i < outputs; i++) {
    double shift = 0;
    for (size_t j = 0; j < d; j++)
      shift += (double)step->mean[j] * (double)step->axes[j * outputs + i];
    step->shift[i] = (float)shift;
  }
  return code;
}

int features_fit(struct features_step *step, enum features_kind kind, uint32_t outputs, const struct moments *moments) {
  size_t d = moments->inputs;
  int code;
  memset(step, 0, sizeof *step);
  if (moments->count < 2) return error_report(EXIT_INPUT, "--features: the public file has fewer than two records");
  if (kind == FEATURES_PCA && outputs > d)
    return error_report(EXIT_INPUT, "--features pca:%u, but the data have only %zu columns", outputs, d);
  step->kind = kind;
  step->inputs = moments->inputs;
  step->outputs = kind == FEATURES_PCA ? outputs : moments->inputs;
  code = memory_take(&step->mean, d, sizeof *step->mean);
  for (size_t j = 0; !code && j < d; j++)
    step->mean[j] = (float)moments_mean(moments, j);
  if (!code) code = kind == FEATURES_PCA ? features_fit_axes(step, moments) : features_fit_scale(step, moments);
  if (code) features_free_step(step);
  return code;
}

/* ---- and applied ---- */

/* out += x * axis. Each output is a sum over the inputs in their order, whatever rows are projected beside it: a row's
 * features must not change by a bit when other rows come or go, so a blocked matrix product will not do here. */
static void features_add_axis(float *restrict out, const float *restrict axis, float x, size_t outputs) {
  size_t i = 0;
  for (; i + 8 <= outputs; i += 8)
    for (size_t k = 0; k < 8; k++)
      out[i + k] += x * axis[i + k];
  for (; i < outputs; i++)
    out[i] += x * axis[i];
}

static void features_project(const struct features_step *step, const struct rows *in, size_t row, float *out) {
  size_t outputs = step->outputs;
  for (size_t j = 0; j < outputs; j++)
    out[j] = -step->shift[j];
  if (in->is_dense) {
    const float *from = in->dense + row * in->columns;
    for (size_t j = 0; j < in->columns; j++)
      if (from[j] != 0) features_add_axis(out, step->axes + j * outputs, from[j], outputs);
  } else {
    for (size_t j = in->start[row]; j < in->start[row + 1]; j++)
      features_add_axis(out, step->axes + in->index[j] * outputs, in->value[j], outputs);
  }
}

int features_apply_step(const struct features_step *step, const struct rows *in, struct rows *out) {
  float *image = NULL; /* hog: room for one */
  int code = rows_reserve(out, in->count, 0);
  if (!code && step->kind == FEATURES_HOG) code = memory_take(&image, step->inputs, sizeof *image);
  for (size_t i = 0; !code && i < in->count; i++) {
    float *row = rows_push_dense(out, in->label[i], in->unit[i], in->line[i]);
    if (step->kind == FEATURES_HOG) {
      rows_expand(in, i, image);
      if (step->keeps) memcpy(row, image, step->inputs * sizeof *row);
      hog_describe(&step->hog, image, row + (step->keeps ? step->inputs : 0));
    } else if (step->kind == FEATURES_PCA) {
      features_project(step, in, i, row);
    } else {
      rows_expand(in, i, row);
      for (uint32_t j = 0; j < step->inputs; j++)
        row[j] = (row[j] - step->mean[j]) * step->scale[j];
    }
  }
  free(image);
  return code;
}

int features_apply(const struct features *features, struct rows stage[FEATURES_STEPS], struct rows *out) {
  int code = EXIT_OK;
  for (size_t s = 0; !code && s < features->count; s++) {
    const struct features_step *step = &features->step[s];
    int is_last = s + 1 == features->count;
    if (!is_last && stage[s + 1].columns != step->outputs) {
      rows_free(&stage[s + 1]);
      rows_init(&stage[s + 1], step->outputs, 1);
    }
    if (!is_last) rows_clear(&stage[s + 1]);
    code = features_apply_step(step, &stage[s], is_last ? out : &stage[s + 1]);
  }
  return code;
}

/* A linear learner on a Gaussian kernel (Nystroem's approximation). Some rows of the lesson are landmarks. The kernel's
 * values at them, made orthogonal, are the columns of a logistic regression. Landmarks are evenly spaced in the lesson: no
 * coin is drawn.
 *
 * A model is floats: the number of landmarks, gamma, the squared length of each landmark, the landmarks column by column,
 * and for each score of linear.h a weight for each landmark, and a bias:
 *   score(x) = bias + sum over landmarks z of weight(z) exp(-gamma |x - z|^2). */
#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/ensemble.h"
#include "learn/linear.h"
#include "learn/model.h"

/* The usual parameters, chosen on Fashion-MNIST and hotel_bookings. */
#define KERNEL_COST      1
#define KERNEL_WIDTH     1
#define KERNEL_LANDMARKS 300
#define KERNEL_MOST      1024u /* landmarks */

#define KERNEL_JITTER 1e-4 /* on the diagonal: two landmarks may be equal rows */
#define KERNEL_BLOCK  256  /* entries of a lesson that are multiplied by the inverse factor at a time */

/* The parts of a model. */
struct kernel {
  uint32_t landmarks, columns, scores;
  float gamma;
  const float *length; /* landmarks */
  const float *place;  /* columns x landmarks */
  const float *weight; /* scores x (landmarks + 1) */
};

static size_t kernel_floats(uint32_t landmarks, uint32_t columns, uint32_t scores) {
  return 2 + (size_t)landmarks * (1 + (size_t)columns) + (size_t)scores * (landmarks + 1);
}

/* Opens a model; returns 0 if these bytes are not one. */
static int kernel_view(const struct learner *learner, const struct learned *learned, struct kernel *kernel) {
  const float *from = (const float *)learned->bytes;
  *kernel = (struct kernel){.columns = learner->columns, .scores = linear_scores(learner->classes)};
  if (learned->size < 2 * sizeof(float) || !(from[0] >= 1 && from[0] <= KERNEL_MOST) || from[0] != floorf(from[0]))
    return 0;
  kernel->landmarks = (uint32_t)from[0];
  kernel->gamma = from[1];
  kernel->length = from + 2;
  kernel->place = kernel->length + kernel->landmarks;
  kernel->weight = kernel->place + (size_t)kernel->landmarks * kernel->columns;
  return learned->size == kernel_floats(kernel->landmarks, kernel->columns, kernel->scores) * sizeof(float);
}

static int kernel_fits(const struct learner *learner, const struct learned *learned) {
  struct kernel kernel;
  return !learned->size || kernel_view(learner, learned, &kernel);
}

/* ---- the kernel ---- */

/* out += x * place. Each output is a sum over the columns in their order, so it does not depend on other rows. */
static void kernel_add(float *restrict out, const float *restrict place, float x, uint32_t count) {
  for (uint32_t l = 0; l < count; l++)
    out[l] += x * place[l];
}

/* The kernel's value at each landmark, for one row: one loop over its columns in their order. */
static void kernel_values(const struct kernel *kernel, const struct rows *rows, size_t i, float *value) {
  uint32_t count = kernel->landmarks;
  float square = 0;
  memset(value, 0, count * sizeof *value);
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (uint32_t j = 0; j < rows->columns; j++) {
      if (row[j] == 0) continue;
      square += row[j] * row[j];
      kernel_add(value, kernel->place + (size_t)j * count, row[j], count);
    }
  } else {
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
      square += rows->value[e] * rows->value[e];
      kernel_add(value, kernel->place + (size_t)rows->index[e] * count, rows->value[e], count);
    }
  }
  for (uint32_t l = 0; l < count; l++) {
    float distance = square + kernel->length[l] - 2 * value[l];
    value[l] = expf(-kernel->gamma * (distance > 0 ? distance : 0));
  }
}

static void kernel_score_view(const struct kernel *kernel, uint32_t classes, const struct rows *rows, size_t i,
                              float *score) {
  float value[KERNEL_MOST];
  const float *weight = kernel->weight;
  kernel_values(kernel, rows, i, value);
  score[0] = 0;
  for (uint32_t s = 0; s < kernel->scores; s++, weight += kernel->landmarks + 1) {
    float sum = weight[kernel->landmarks];
    for (uint32_t l = 0; l < kernel->landmarks; l++)
      sum += weight[l] * value[l];
    score[classes == 2 ? 1 : s] = sum;
  }
}

static void kernel_score_row(const struct learner *learner, const struct learned *learned, const struct rows *rows,
                             size_t i, float *score) {
  struct kernel kernel;
  if (kernel_view(learner, learned, &kernel))
    kernel_score_view(&kernel, learner->classes, rows, i, score);
  else
    memset(score, 0, learner->classes * sizeof *score);
}

/* ---- learning ---- */

/* Sets the landmarks and their squared lengths. */
static void kernel_mark(const struct learner *learner, const struct lesson *lesson, uint32_t landmarks, float *model) {
  const struct rows *rows = lesson->rows;
  float *length = model + 2, *place = length + landmarks;
  for (uint32_t l = 0; l < landmarks; l++) {
    size_t i = lesson->row[(size_t)((unsigned __int128)l * lesson->count / landmarks)];
    for (uint32_t j = 0; rows->is_dense && j < learner->columns; j++)
      place[(size_t)j * landmarks + l] = rows->dense[i * learner->columns + j];
    for (size_t e = rows->is_dense ? 0 : rows->start[i]; !rows->is_dense && e < rows->start[i + 1]; e++)
      place[(size_t)rows->index[e] * landmarks + l] = rows->value[e];
    for (uint32_t j = 0; j < learner->columns; j++)
      length[l] += place[(size_t)j * landmarks + l] * place[(size_t)j * landmarks + l];
  }
  model[0] = (float)landmarks;
}

/* One over the square of `width` times the landmarks' mean squared distance. */
static float kernel_gamma(const struct kernel *kernel, double width) {
  double n = kernel->landmarks, lengths = 0, mean = 0, spread;
  for (uint32_t l = 0; l < kernel->landmarks; l++)
    lengths += (double)kernel->length[l];
  for (uint32_t j = 0; j < kernel->columns; j++) {
    double sum = 0;
    for (uint32_t l = 0; l < kernel->landmarks; l++)
      sum += (double)kernel->place[(size_t)j * kernel->landmarks + l];
    mean += sum / n * (sum / n);
  }
  spread = 2 * (lengths / n - mean);
  return (float)(1 / (width * width * (spread > 1e-12 ? spread : 1)));
}

/* The factor R of the matrix of kernel values between landmarks: the matrix is R' R. */
static int kernel_factor(const struct kernel *kernel, double **factor) {
  size_t n = kernel->landmarks;
  double *matrix;
  int code = memory_take(&matrix, n * n, sizeof *matrix);
  if (code) return code;
  for (size_t a = 0; a < n; a++)
    for (size_t b = a; b < n; b++) {
      double distance = 0; /* not computed from the lengths: for close landmarks that would lose all precision */
      for (size_t j = 0; j < kernel->columns; j++) {
        double apart = (double)kernel->place[j * n + a] - (double)kernel->place[j * n + b];
        distance += apart * apart;
      }
      matrix[a * n + b] = exp(-(double)kernel->gamma * distance) + (a == b ? KERNEL_JITTER : 0);
    }
  if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', (lapack_int)n, matrix, (lapack_int)n)) {
    free(matrix);
    return error_report(EXIT_SYSTEM, "the kernel's landmarks have no factor");
  }
  *factor = matrix;
  return EXIT_OK;
}

/* The columns of the logistic regression: for each entry of the lesson, the kernel's values times the inverse of R. */
static int kernel_columns(const struct kernel *kernel, const double *factor, const struct lesson *lesson,
                          struct rows *columns) {
  uint32_t n = kernel->landmarks;
  double *block = NULL;
  float value[KERNEL_MOST];
  int code = rows_reserve(columns, lesson->count, 0);
  if (!code) code = memory_take(&block, (size_t)KERNEL_BLOCK * n, sizeof *block);
  for (size_t e = 0; !code && e < lesson->count; e += KERNEL_BLOCK) {
    size_t count = lesson->count - e < KERNEL_BLOCK ? lesson->count - e : KERNEL_BLOCK;
    for (size_t k = 0; k < count; k++) {
      kernel_values(kernel, lesson->rows, lesson->row[e + k], value);
      for (uint32_t l = 0; l < n; l++)
        block[k * n + l] = (double)value[l];
    }
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)count, (int)n, 1, factor,
                (int)n, block, (int)n);
    for (size_t k = 0; k < count; k++) {
      float *row = rows_push_dense(columns, lesson_label(lesson, e + k), 0, 0);
      for (uint32_t l = 0; l < n; l++)
        row[l] = (float)block[k * n + l];
    }
  }
  free(block);
  return code;
}

/* Turns weights of these columns into weights of the kernel's values: multiplies each by the inverse of R. */
static int kernel_turn(const struct kernel *kernel, const double *factor, const float *linear, float *weight) {
  uint32_t n = kernel->landmarks;
  double *one;
  int code = memory_take(&one, n, sizeof *one);
  for (uint32_t s = 0; !code && s < kernel->scores; s++, linear += n + 1, weight += n + 1) {
    for (uint32_t l = 0; l < n; l++)
      one[l] = (double)linear[l];
    cblas_dtrsv(CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)n, factor, (int)n, one, 1);
    for (uint32_t l = 0; l < n; l++)
      weight[l] = (float)one[l];
    weight[n] = linear[n];
  }
  free(one);
  return code;
}

/* Trains the logistic regression on these columns and all entries of the lesson, in their order. */
static int kernel_solve(const struct learner *learner, const struct lesson *lesson, const struct rows *columns,
                        struct learned *learned) {
  struct learner linear = *learner;
  struct lesson inner = *lesson;
  size_t *order;
  int code = memory_take(&order, lesson->count, sizeof *order);
  for (size_t e = 0; !code && e < lesson->count; e++)
    order[e] = e;
  linear.kind = &learner_logistic;
  linear.columns = columns->columns;
  linear.scale = 1;
  inner.rows = columns;
  inner.row = order;
  inner.label = NULL;
  if (!code) code = learner_train(&linear, &inner, learned);
  free(order);
  return code;
}

static int kernel_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  uint32_t landmarks = lesson->count < learner->landmarks ? (uint32_t)lesson->count : learner->landmarks;
  size_t floats = kernel_floats(landmarks, learner->columns, linear_scores(learner->classes));
  struct learned linear = {0};
  struct kernel kernel;
  struct rows columns;
  double *factor = NULL;
  float *model = NULL;
  int code = memory_take(&model, floats, sizeof *model);
  if (code) return code;
  rows_init(&columns, landmarks, 1);
  kernel_mark(learner, lesson, landmarks, model);
  learned->bytes = (unsigned char *)model;
  learned->size = floats * sizeof *model;
  kernel_view(learner, learned, &kernel);
  model[1] = kernel.gamma = kernel_gamma(&kernel, learner->width);
  code = kernel_factor(&kernel, &factor);
  if (!code) code = kernel_columns(&kernel, factor, lesson, &columns);
  if (!code) code = kernel_solve(learner, lesson, &columns, &linear);
  if (!code && linear.size)
    code = kernel_turn(&kernel, factor, (const float *)linear.bytes, model + (kernel.weight - model));
  rows_free(&columns);
  learned_free(&linear);
  free(factor);
  if (code) learned_free(learned);
  return code;
}

/* ---- labels and scores ---- */

static int kernel_open(const struct learner *learner, const struct learned *learned, void **model) {
  struct kernel *kernel;
  int code;
  *model = NULL;
  if (!learned->size) return EXIT_OK;
  code = memory_take(model, 1, sizeof *kernel);
  if (code) return code;
  kernel = *model;
  if (kernel_view(learner, learned, kernel)) return EXIT_OK;
  return error_report(EXIT_INPUT, "the kernel's bytes are not a model");
}

static int kernel_label(const struct learner *learner, void *model, const struct rows *rows, size_t first, size_t count,
                        uint32_t *labels, int *failed) {
  const struct kernel *kernel = model;
  float *score;
  int code = memory_take(&score, learner->classes, sizeof *score);
  *failed = 0;
  memset(labels, 0, count * sizeof *labels);
  for (size_t i = 0; !code && kernel && i < count; i++) {
    kernel_score_view(kernel, learner->classes, rows, first + i, score);
    for (uint32_t c = 1; c < learner->classes; c++)
      if (score[c] > score[labels[i]]) labels[i] = c;
  }
  free(score);
  return code;
}

static int kernel_score(const struct ensemble *single, const struct rows *rows, float *score) {
  const struct kernel *kernel = single->model[0];
  uint32_t classes = single->learner->classes;
  memset(score, 0, rows->count * classes * sizeof *score);
  for (size_t i = 0; kernel && i < rows->count; i++)
    kernel_score_view(kernel, classes, rows, i, score + i * classes);
  return EXIT_OK;
}

/* {"gamma": ..., "landmarks": a row for each landmark, "weights": a row for each score, "bias": a number for each score} */
static int kernel_print(const struct learner *learner, const struct learned *learned, struct json *json) {
  struct kernel kernel;
  uint32_t n;
  if (!kernel_view(learner, learned, &kernel)) return json_string(json, "kernel", NULL), EXIT_OK;
  n = kernel.landmarks;
  json_open(json, "kernel", '{', 1);
  json_print(json, "gamma", "%.9g", (double)kernel.gamma);
  json_open(json, "landmarks", '[', 1);
  for (uint32_t l = 0; l < n; l++)
    json_floats(json, NULL, kernel.place + l, kernel.columns, n);
  json_close(json);
  json_open(json, "weights", '[', 1);
  for (uint32_t s = 0; s < kernel.scores; s++)
    json_floats(json, NULL, kernel.weight + (size_t)s * (n + 1), n, 1);
  json_close(json);
  json_floats(json, "bias", kernel.weight + n, kernel.scores, n + 1);
  json_close(json);
  return EXIT_OK;
}

static int kernel_show(const struct student_model *model, size_t most, FILE *out) {
  struct kernel kernel;
  (void)most;
  if (!kernel_view(&model->learner, &model->learned, &kernel)) return EXIT_OK;
  fprintf(out, "kernel    exp(-%.5g |x - z|^2) at %u landmarks z, which are public records; --json has them\n",
          (double)kernel.gamma, kernel.landmarks);
  return EXIT_OK;
}

static const struct learner_parameter kernel_parameters[] = {
    {"C", offsetof(struct learner, cost), 0, DBL_TRUE_MIN, 1e9, KERNEL_COST, 0},
    {"width", offsetof(struct learner, width), 0, 1e-3, 1e3, KERNEL_WIDTH, 0},
    {"landmarks", offsetof(struct learner, landmarks), 1, 1, KERNEL_MOST, KERNEL_LANDMARKS, 0},
    {"tolerance", offsetof(struct learner, tolerance), 0, DBL_TRUE_MIN, 1 - DBL_EPSILON / 2, 0.01, 1},
    {"balance", offsetof(struct learner, balance), 0, 0, 1, 0, 1},
    {0}};

const struct learner_kind learner_kernel = {.name = "kernel",
                                            .form = "kernel",
                                            .traits = LEARNER_MEMBER | LEARNER_PROBABILITY | LEARNER_HEARS,
                                            .parameter = kernel_parameters,
                                            .train = kernel_train,
                                            .fits = kernel_fits,
                                            .open = kernel_open,
                                            .label = kernel_label,
                                            .close = free,
                                            .score = kernel_score,
                                            .score_row = kernel_score_row,
                                            .shift = linear_shift,
                                            .show = kernel_show,
                                            .print_member = kernel_print};

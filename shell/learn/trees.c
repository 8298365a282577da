/* Boosted trees: xgboost, one thread a model, fixed seed. A model is xgboost's own UBJSON text. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xgboost/c_api.h>

#include "base/memory.h"
#include "learn/ensemble.h"
#include "learn/walk.h"

/* The usual parameters, chosen like those of linear.c. */
#define TREES_ROUNDS 20
#define TREES_DEPTH  4
#define TREES_RATE   0.3

static int trees_failed(void) {
  return error_report(EXIT_SYSTEM, "xgboost: %.100s", XGBGetLastError());
}

/* Rows row[0 .. count - 1], or first .. first + count - 1 if `row` is NULL. A zero is a value, not a gap, so that dense
 * and sparse rows give the same trees. */
static int trees_matrix(const struct rows *rows, const size_t *row, size_t first, size_t count, DMatrixHandle *matrix) {
  float *dense;
  int failed, code = memory_align(&dense, count * rows->columns, sizeof *dense);
  if (code) return code;
  for (size_t e = 0; e < count; e++)
    rows_expand(rows, row ? row[e] : first + e, dense + e * rows->columns);
  failed = XGDMatrixCreateFromMat(dense, count, rows->columns, NAN, matrix);
  free(dense);
  return failed ? trees_failed() : EXIT_OK;
}

static int trees_describe(const struct learner *learner, const struct lesson *lesson, DMatrixHandle matrix) {
  double *weight = NULL;
  float *value;
  int failed, code = memory_take(&value, lesson->count, sizeof *value);
  if (code) return code;
  code = lesson_balance(lesson, learner->classes, learner->balance, &weight);
  if (code) return free(value), code;
  for (size_t e = 0; e < lesson->count; e++)
    value[e] = (float)lesson_label(lesson, e);
  failed = XGDMatrixSetFloatInfo(matrix, "label", value, lesson->count);
  if (!failed && (lesson->times || learner->balance > 0)) {
    for (size_t e = 0; e < lesson->count; e++)
      value[e] = (float)weight[lesson_label(lesson, e)] * (float)lesson_times(lesson, e) /
                 (float)(lesson->times ? lesson->share : 1);
    failed = XGDMatrixSetFloatInfo(matrix, "weight", value, lesson->count);
  }
  free(value);
  free(weight);
  return failed ? trees_failed() : EXIT_OK;
}

static int trees_set(BoosterHandle booster, const struct learner *learner) {
  char number[32];
  int failed = XGBoosterSetParam(booster, "nthread", "1") || XGBoosterSetParam(booster, "seed", "0") ||
               XGBoosterSetParam(booster, "verbosity", "0") || XGBoosterSetParam(booster, "tree_method", "exact") ||
               XGBoosterSetParam(booster, "base_score", "0.5") ||
               /* chunks are small: a leaf may hold one row; the penalty on its weight is enough regularisation */
               XGBoosterSetParam(booster, "min_child_weight", "0");
  snprintf(number, sizeof number, "%u", learner->depth);
  failed = failed || XGBoosterSetParam(booster, "max_depth", number);
  snprintf(number, sizeof number, "%.17g", learner->rate);
  failed = failed || XGBoosterSetParam(booster, "eta", number);
  if (learner->classes == 2) return failed || XGBoosterSetParam(booster, "objective", "binary:logistic");
  snprintf(number, sizeof number, "%u", learner->classes);
  return failed || XGBoosterSetParam(booster, "num_class", number) ||
         XGBoosterSetParam(booster, "objective", "multi:softmax");
}

static int trees_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  DMatrixHandle matrix = NULL;
  BoosterHandle booster = NULL;
  const char *bytes = NULL;
  bst_ulong size = 0;
  int code = trees_matrix(lesson->rows, lesson->row, 0, lesson->count, &matrix), failed = 0;
  if (!code) code = trees_describe(learner, lesson, matrix);
  if (!code) {
    failed = XGBoosterCreate(&matrix, 1, &booster) || trees_set(booster, learner);
    for (uint32_t round = 0; !failed && round < learner->rounds; round++)
      failed = XGBoosterUpdateOneIter(booster, (int)round, matrix);
    failed = failed || XGBoosterSaveModelToBuffer(booster, "{\"format\": \"ubj\"}", &size, &bytes);
    if (failed) code = trees_failed();
  }
  if (!code) code = learned_set(learned, bytes, size);
  if (booster) XGBoosterFree(booster);
  if (matrix) XGDMatrixFree(matrix);
  return code;
}

/* A model of size 0 gives a NULL handle. */
static int trees_open(const struct learner *learner, const struct learned *learned, void **handle) {
  BoosterHandle booster = NULL;
  (void)learner;
  *handle = NULL;
  if (!learned->size) return EXIT_OK;
  if (XGBoosterCreate(NULL, 0, &booster) || XGBoosterLoadModelFromBuffer(booster, learned->bytes, learned->size) ||
      XGBoosterSetParam(booster, "nthread", "1") || XGBoosterSetParam(booster, "verbosity", "0")) {
    int code = trees_failed();
    if (booster) XGBoosterFree(booster);
    return code;
  }
  *handle = booster;
  return EXIT_OK;
}

static void trees_close(void *handle) {
  if (handle) XGBoosterFree(handle);
}

/* The model's results for rows first .. first + count - 1: its labels (with two classes the probability of the second), or
 * margins. The handle owns the result. A stranger's model may be of another number of classes, and then gives another
 * number of results than `wanted`. */
static int trees_predict(void *handle, const struct rows *rows, size_t first, size_t count, int is_margin,
                         size_t wanted, const float **result) {
  char setting[128];
  DMatrixHandle matrix = NULL;
  const bst_ulong *shape;
  bst_ulong dimensions = 0;
  size_t results = 1;
  int code = trees_matrix(rows, NULL, first, count, &matrix);
  if (code) return code;
  snprintf(setting, sizeof setting,
           "{\"type\": %d, \"training\": false, \"iteration_begin\": 0, \"iteration_end\": 0, \"strict_shape\": false}",
           is_margin);
  if (XGBoosterPredictFromDMatrix(handle, matrix, setting, &shape, &dimensions, result)) code = trees_failed();
  for (bst_ulong d = 0; !code && d < dimensions; d++)
    results *= shape[d];
  if (!code && results != wanted) code = error_report(EXIT_INPUT, "the trees are of another number of classes");
  XGDMatrixFree(matrix);
  return code;
}

static int trees_label(const struct learner *learner, void *handle, const struct rows *rows, size_t first, size_t count,
                       uint32_t *labels, int *failed) {
  const float *result = NULL;
  int code = handle ? trees_predict(handle, rows, first, count, 0, count, &result) : EXIT_OK;
  *failed = 0;
  memset(labels, 0, count * sizeof *labels);
  for (size_t i = 0; !code && result && i < count; i++) {
    double value = result[i];
    if (learner->classes == 2)
      labels[i] = value > 0.5;
    else if (value > 0 && value < learner->classes)
      labels[i] = (uint32_t)value;
  }
  return code;
}

/* Margins; with two classes the first one is 0. */
static int trees_score(const struct ensemble *single, const struct rows *rows, float *score) {
  uint32_t classes = single->learner->classes;
  size_t wanted = rows->count * (classes > 2 ? classes : 1);
  const float *result = NULL;
  int code = single->model[0] ? trees_predict(single->model[0], rows, 0, rows->count, 1, wanted, &result) : EXIT_OK;
  memset(score, 0, rows->count * classes * sizeof *score);
  if (code || !result) return code;
  if (classes > 2) memcpy(score, result, wanted * sizeof *score);
  for (size_t i = 0; classes == 2 && i < rows->count; i++)
    score[2 * i + 1] = result[i];
  return EXIT_OK;
}

/* Turns the model into trees that we walk down ourselves. */
static int trees_by_row(const struct learner *learner, struct learned *learned) {
  struct learned walk = {0};
  bst_ulong count = 0;
  const char **text = NULL;
  void *booster;
  int code = trees_open(learner, learned, &booster);
  if (code || !booster) return code;
  if (XGBoosterDumpModelEx(booster, "", 0, "text", &count, &text)) code = trees_failed();
  for (bst_ulong t = 0; !code && t < count; t++)
    code = walk_add(&walk, text[t]);
  trees_close(booster);
  learned_free(learned);
  *learned = walk;
  return code;
}

static void trees_score_row(const struct learner *learner, const struct learned *learned, const struct rows *rows,
                            size_t i, float *score) {
  walk_row(learned, learner->classes, rows, i, score);
}

/* xgboost's own JSON text of the model. */
static int trees_print(const struct learner *learner, const struct learned *learned, struct json *json) {
  void *booster;
  const char *text = NULL;
  bst_ulong size = 0;
  int code = trees_open(learner, learned, &booster);
  if (code) return code;
  if (!booster) return json_string(json, "xgboost", NULL), EXIT_OK;
  if (XGBoosterSaveModelToBuffer(booster, "{\"format\": \"json\"}", &size, &text)) code = trees_failed();
  if (!code) json_print(json, "xgboost", "%s", "");
  if (!code) fwrite(text, 1, size, json->out);
  trees_close(booster);
  return code;
}

static const struct learner_parameter trees_parameters[] = {
    {"rounds", offsetof(struct learner, rounds), 1, 1, 10000, TREES_ROUNDS, 0},
    {"depth", offsetof(struct learner, depth), 1, 1, 30, TREES_DEPTH, 0},
    {"rate", offsetof(struct learner, rate), 0, DBL_TRUE_MIN, 1, TREES_RATE, 0},
    {"balance", offsetof(struct learner, balance), 0, 0, 1, 0, 1},
    {0}};

const struct learner_kind learner_trees = {.name = "trees",
                                           .form = "trees",
                                           .traits = LEARNER_MEMBER | LEARNER_PROBABILITY | LEARNER_SOFTMAX,
                                           .parameter = trees_parameters,
                                           .train = trees_train,
                                           .open = trees_open,
                                           .label = trees_label,
                                           .close = trees_close,
                                           .score = trees_score,
                                           .score_row = trees_score_row,
                                           .by_row = trees_by_row,
                                           .print_member = trees_print};

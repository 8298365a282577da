#include "learn/trees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xgboost/c_api.h>

#include "base/memory.h"

static int trees_failed(void) {
  return error_report(EXIT_SYSTEM, "xgboost: %.100s", XGBGetLastError());
}

/* Rows row[0 .. count - 1], or first .. first + count - 1 when `row` is NULL. A zero is a value, not a gap, so that
 * dense and sparse rows give the same trees. */
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
               /* chunks are small: a leaf may hold one row, the penalty on its weight is regularisation enough */
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

int trees_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
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

int trees_open(const struct learned *learned, void **handle) {
  BoosterHandle booster = NULL;
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

void trees_close(void *handle) {
  if (handle) XGBoosterFree(handle);
}

/* Are there so many results? A model of a stranger may be one of another number of classes. */
static int trees_check(const bst_ulong *shape, bst_ulong dimensions, size_t wanted) {
  size_t results = 1;
  for (bst_ulong d = 0; d < dimensions; d++)
    results *= shape[d];
  return results == wanted ? EXIT_OK : error_report(EXIT_INPUT, "the trees are of another number of classes");
}

int trees_predict(void *handle, const struct rows *rows, size_t first, size_t count, uint32_t classes,
                  uint32_t *labels) {
  static const char setting[] = "{\"type\": 0, \"training\": false, \"iteration_begin\": 0, \"iteration_end\": 0, "
                                "\"strict_shape\": false}";
  DMatrixHandle matrix = NULL;
  const bst_ulong *shape;
  bst_ulong dimensions;
  const float *result;
  int code;
  memset(labels, 0, count * sizeof *labels);
  if (!handle) return EXIT_OK;
  code = trees_matrix(rows, NULL, first, count, &matrix);
  if (code) return code;
  if (XGBoosterPredictFromDMatrix(handle, matrix, setting, &shape, &dimensions, &result)) {
    code = trees_failed();
  } else {
    code = trees_check(shape, dimensions, count);
    for (size_t i = 0; !code && i < count; i++) {
      double value = result[i];
      if (classes == 2)
        labels[i] = value > 0.5;
      else if (value > 0 && value < classes)
        labels[i] = (uint32_t)value;
    }
  }
  XGDMatrixFree(matrix);
  return code;
}

int trees_margin(void *handle, const struct rows *rows, uint32_t classes, float *margin) {
  static const char setting[] = "{\"type\": 1, \"training\": false, \"iteration_begin\": 0, \"iteration_end\": 0, "
                                "\"strict_shape\": false}";
  DMatrixHandle matrix = NULL;
  const bst_ulong *shape;
  bst_ulong dimensions;
  const float *result;
  int code;
  memset(margin, 0, rows->count * classes * sizeof *margin);
  if (!handle) return EXIT_OK;
  code = trees_matrix(rows, NULL, 0, rows->count, &matrix);
  if (code) return code;
  if (XGBoosterPredictFromDMatrix(handle, matrix, setting, &shape, &dimensions, &result))
    code = trees_failed();
  else
    code = trees_check(shape, dimensions, rows->count * (classes > 2 ? classes : 1));
  if (!code && classes > 2) memcpy(margin, result, rows->count * classes * sizeof *margin);
  for (size_t i = 0; !code && classes == 2 && i < rows->count; i++)
    margin[2 * i + 1] = result[i];
  XGDMatrixFree(matrix);
  return code;
}

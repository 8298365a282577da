#include "learn/error_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/plan.h"
#include "learn/ensemble.h"
#include "learn/pool.h"

struct error_estimate_exam {
  const struct learner *learner;
  const struct rows *rows;
  const struct chunks *chunks;
  uint32_t *parts; /* error of each chunk */
};

/* A new set of rows that holds a copy of row[0 .. count - 1]. */
static int error_estimate_copy(struct rows *copy, const struct rows *rows, const size_t *row, size_t count) {
  float *expanded;
  int code;
  rows_init(copy, rows->columns, 1);
  code = rows_reserve(copy, count, 0);
  for (size_t e = 0; !code && e < count; e++) {
    expanded = rows_push_dense(copy, rows->label[row[e]], 0, 0);
    rows_expand(rows, row[e], expanded);
  }
  return code;
}

/* wrong / count in parts, rounded. */
static uint32_t error_estimate_share(size_t wrong, size_t count) {
  return (uint32_t)((2 * wrong * ERROR_ESTIMATE_PARTS + count) / (2 * count));
}

/* Where the second half of a chunk begins: all rows of a unit stand together and stay together. */
static size_t error_estimate_middle(const struct rows *rows, const size_t *row, size_t count) {
  size_t middle = count / 2;
  while (middle && middle < count && rows->unit[row[middle]] == rows->unit[row[middle - 1]])
    middle++;
  return middle;
}

/* Learns from the first half and answers the second. */
static int error_estimate_examine(void *context, size_t chunk, unsigned worker) {
  struct error_estimate_exam *exam = context;
  const size_t *row = exam->chunks->row + exam->chunks->start[chunk];
  size_t count = exam->chunks->start[chunk + 1] - exam->chunks->start[chunk];
  size_t middle = error_estimate_middle(exam->rows, row, count), right, labelled;
  struct lesson lesson = {.rows = exam->rows, .row = row, .count = middle};
  struct learned learned = {0};
  struct ensemble single = {0};
  struct rows test;
  int code;
  (void)worker;
  exam->parts[chunk] = ERROR_ESTIMATE_PARTS / 2;
  if (middle == 0 || middle >= count) return EXIT_OK;
  code = error_estimate_copy(&test, exam->rows, row + middle, count - middle);
  if (!code) code = learner_train(exam->learner, &lesson, &learned);
  if (!code) code = ensemble_single(&single, exam->learner, &learned);
  single.may_abstain = 1;
  if (!code) code = ensemble_score(&single, &test, &right, &labelled);
  if (!code) exam->parts[chunk] = error_estimate_share(test.count - right, test.count);
  ensemble_free(&single);
  learned_free(&learned);
  rows_free(&test);
  return code;
}

int error_estimate_sum(const struct learner *learner, const struct rows *rows, const struct chunks *chunks,
                       uint32_t *sum) {
  struct error_estimate_exam exam = {.learner = learner, .rows = rows, .chunks = chunks};
  struct progress progress;
  int code = memory_take(&exam.parts, chunks->teachers, sizeof *exam.parts);
  if (code) return code;
  progress_start(&progress, "estimating the error", chunks->teachers);
  code = pool_run(chunks->teachers, error_estimate_examine, &exam, &progress);
  progress_end(&progress);
  *sum = 0;
  for (uint32_t i = 0; i < chunks->teachers; i++)
    *sum += exam.parts[i];
  free(exam.parts);
  return code;
}

double error_estimate_rate(int64_t noisy, uint32_t chunks) {
  double error = (double)noisy / ((double)ERROR_ESTIMATE_PARTS * chunks);
  return error < 0 ? 0 : error > 1 ? 1 : error;
}

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

/* Learns from the first half of a chunk and answers the second. All rows of a unit stand together, and stay together. */
static int error_estimate_examine(void *context, size_t chunk, unsigned worker) {
  struct error_estimate_exam *exam = context;
  const size_t *row = exam->chunks->row + exam->chunks->start[chunk];
  size_t count = exam->chunks->start[chunk + 1] - exam->chunks->start[chunk], middle = count / 2, right, labelled;
  struct lesson lesson = {.rows = exam->rows, .row = row};
  struct learned learned = {0};
  struct ensemble single = {0};
  struct rows test;
  int code;
  (void)worker;
  exam->parts[chunk] = ERROR_ESTIMATE_PARTS / 2;
  while (middle && middle < count && exam->rows->unit[row[middle]] == exam->rows->unit[row[middle - 1]])
    middle++;
  if (middle == 0 || middle >= count) return EXIT_OK;
  lesson.count = middle;
  rows_init(&test, exam->rows->columns, 1);
  code = rows_reserve(&test, count - middle, 0);
  for (size_t e = middle; !code && e < count; e++)
    rows_expand(exam->rows, row[e], rows_push_dense(&test, exam->rows->label[row[e]], 0, 0));
  if (!code) code = learner_train(exam->learner, &lesson, &learned);
  if (!code) code = ensemble_single(&single, exam->learner, &learned);
  single.may_abstain = 1;
  if (!code) code = ensemble_score(&single, &test, &right, &labelled);
  if (!code) /* the wrong share, in parts, rounded */
    exam->parts[chunk] = (uint32_t)((2 * (test.count - right) * ERROR_ESTIMATE_PARTS + test.count) / (2 * test.count));
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

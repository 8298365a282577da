#include "learn/choosing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "learn/ensemble.h"
#include "learn/pool.h"

#define CHOOSING_LEAST   0.001
#define CHOOSING_ENTRIES 3000u /* tried at most: more take time and hardly change the choice */

struct choosing {
  const struct learner *learner;
  const struct lesson *lesson;
  double loss[CHOOSING_MOST][CHOOSING_FOLDS];
};

/* The entries of a fold (or all others), in their order: of many entries some, evenly spaced. */
static size_t choosing_part(const struct lesson *lesson, size_t fold, int is_held_out, size_t *row, int32_t *label) {
  size_t count = 0, all = lesson->count, most = all < CHOOSING_ENTRIES ? all : CHOOSING_ENTRIES;
  for (size_t k = 0; k < most; k++) {
    size_t e = k * all / most;
    if ((k % CHOOSING_FOLDS == fold) != is_held_out) continue;
    row[count] = lesson->row[e];
    label[count++] = lesson_label(lesson, e);
  }
  return count;
}

/* How unlikely a model finds the labels: the sum of -ln of their probabilities, each of which is at least CHOOSING_LEAST. */
static int choosing_test(const struct learner *learner, const struct learned *learned, const struct rows *rows,
                         const int32_t *label, double *loss) {
  uint32_t classes = learner->classes;
  struct ensemble single;
  float *share = NULL;
  int code = ensemble_single(&single, learner, learned);
  if (code) return code;
  code = memory_align(&share, rows->count * classes, sizeof *share);
  if (!code) code = ensemble_probability(&single, rows, share);
  for (size_t i = 0; !code && i < rows->count; i++)
    *loss -= log(CHOOSING_LEAST + (1 - 2 * CHOOSING_LEAST) * (double)share[i * classes + (size_t)label[i]]);
  free(share);
  ensemble_free(&single);
  return code;
}

/* One learner and one fold. */
static int choosing_try(void *context, size_t job, unsigned worker) {
  struct choosing *choosing = context;
  size_t which = job / CHOOSING_FOLDS, fold = job % CHOOSING_FOLDS, room = choosing->lesson->count, *row = NULL, count;
  const struct learner *learner = &choosing->learner[which];
  struct learned learned = {0};
  int32_t *label = NULL;
  struct rows held;
  int code = memory_take(&row, room, sizeof *row);
  (void)worker;
  if (!code) code = memory_take(&label, room, sizeof *label);
  rows_init(&held, 1, 1);
  if (!code) {
    struct lesson part = {.rows = choosing->lesson->rows, .row = row, .label = label};
    part.count = choosing_part(choosing->lesson, fold, 0, row, label);
    code = learner_train(learner, &part, &learned);
  }
  if (!code) {
    count = choosing_part(choosing->lesson, fold, 1, row, label);
    code = rows_gather(choosing->lesson->rows, row, count, &held);
  }
  if (!code) code = choosing_test(learner, &learned, &held, label, &choosing->loss[which][fold]);
  rows_free(&held);
  learned_free(&learned);
  free(row);
  free(label);
  return code;
}

int choosing_losses(const struct learner *learner, size_t count, const struct lesson *lesson, double *loss) {
  struct choosing choosing = {.learner = learner, .lesson = lesson};
  int code = pool_run(count * CHOOSING_FOLDS, choosing_try, &choosing, NULL);
  for (size_t l = 0; l < count; l++) {
    loss[l] = 0;
    for (int f = 0; f < CHOOSING_FOLDS; f++)
      loss[l] += choosing.loss[l][f];
  }
  return code;
}

int choosing_best(const struct learner *learner, size_t count, const struct lesson *lesson, size_t *best) {
  double loss[CHOOSING_MOST];
  int code = choosing_losses(learner, count, lesson, loss);
  *best = 0;
  for (size_t l = 1; !code && l < count; l++)
    if (loss[l] < loss[*best]) *best = l;
  return code;
}

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

/* The entries of a fold (or all others), in their order; if there are too many, an evenly spaced part of them. */
struct choosing_part {
  size_t *row;
  int32_t *label;
  struct heard *heard;
};

static struct lesson choosing_take(const struct lesson *lesson, size_t fold, int is_held_out,
                                   const struct choosing_part *part) {
  struct lesson taken = {.rows = lesson->rows, .row = part->row, .label = part->label};
  size_t all = lesson->count, most = all < CHOOSING_ENTRIES ? all : CHOOSING_ENTRIES;
  taken.heard = lesson->heard ? part->heard : NULL;
  for (size_t k = 0; k < most; k++) {
    size_t e = k * all / most;
    if ((k % CHOOSING_FOLDS == fold) != is_held_out) continue;
    part->row[taken.count] = lesson->row[e];
    if (lesson->heard) part->heard[taken.count] = lesson->heard[e];
    part->label[taken.count++] = lesson_label(lesson, e);
  }
  return taken;
}

/* How unlikely a model finds the labels: the sum of -ln of their probabilities, each at least CHOOSING_LEAST. */
static int choosing_test(const struct learner *learner, const struct learned *learned, const struct lesson *held,
                         double *loss) {
  uint32_t classes = learner->classes;
  struct ensemble single;
  struct rows rows;
  float *share = NULL;
  int code = ensemble_single(&single, learner, learned);
  if (code) return code;
  rows_init(&rows, 1, 1);
  code = rows_gather(held->rows, held->row, held->count, &rows);
  if (!code) code = memory_align(&share, rows.count * classes, sizeof *share);
  if (!code) code = ensemble_probability(&single, &rows, share);
  for (size_t i = 0; !code && i < rows.count; i++)
    *loss -= log(CHOOSING_LEAST + (1 - 2 * CHOOSING_LEAST) * (double)share[i * classes + (size_t)held->label[i]]);
  free(share);
  rows_free(&rows);
  ensemble_free(&single);
  return code;
}

/* The same for a poll's answers. */
static void choosing_hear(const struct learner *learner, const struct learned *learned, const struct lesson *held,
                          double *loss) {
  float score[2];
  double slope, bend;
  for (size_t e = 0; e < held->count; e++) {
    learner->kind->score_row(learner, learned, held->rows, held->row[e], score);
    *loss += heard_loss(&held->heard[e], held->label[e] == 1, (double)score[1] - (double)score[0], &slope, &bend);
  }
}

/* Tries one learner on one fold. */
static int choosing_try(void *context, size_t job, unsigned worker) {
  struct choosing *choosing = context;
  size_t which = job / CHOOSING_FOLDS, fold = job % CHOOSING_FOLDS, room = choosing->lesson->count;
  const struct learner *learner = &choosing->learner[which];
  double *loss = &choosing->loss[which][fold];
  struct learned learned = {0};
  struct choosing_part part = {0};
  struct lesson lesson;
  int code = memory_take(&part.row, room, sizeof *part.row);
  (void)worker;
  if (!code) code = memory_take(&part.label, room, sizeof *part.label);
  if (!code) code = memory_take(&part.heard, room, sizeof *part.heard);
  if (!code) {
    lesson = choosing_take(choosing->lesson, fold, 0, &part);
    code = learner_train(learner, &lesson, &learned);
  }
  if (!code) {
    lesson = choosing_take(choosing->lesson, fold, 1, &part);
    if (lesson.heard)
      choosing_hear(learner, &learned, &lesson, loss);
    else
      code = choosing_test(learner, &learned, &lesson, loss);
  }
  learned_free(&learned);
  free(part.row);
  free(part.label);
  free(part.heard);
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

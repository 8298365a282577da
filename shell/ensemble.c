#include "ensemble.h"

#include <stdlib.h>
#include <string.h>

#include "learner_exec.h"
#include "learner_trees.h"
#include "pool.h"
#include "say.h"

typedef struct {
  fumata_ensemble *ensemble;
  const fumata_rows *rows;
  const fumata_chunks *chunks;
} fumata_ensemble_lessons;

static int fumata_ensemble_teach(void *context, size_t teacher, unsigned worker) {
  fumata_ensemble_lessons *lessons = context;
  const fumata_chunks *chunks = lessons->chunks;
  fumata_lesson lesson = {.rows = lessons->rows,
                          .row = chunks->row + chunks->start[teacher],
                          .count = chunks->start[teacher + 1] - chunks->start[teacher]};
  (void)worker;
  return fumata_learner_train(lessons->ensemble->learner, &lesson, &lessons->ensemble->learned[teacher]);
}

int fumata_ensemble_train(fumata_ensemble *ensemble, const fumata_learner *learner, const fumata_rows *rows,
                          const fumata_chunks *chunks) {
  fumata_ensemble_lessons lessons = {ensemble, rows, chunks};
  fumata_progress progress;
  int code;
  memset(ensemble, 0, sizeof *ensemble);
  ensemble->learner = learner;
  ensemble->is_lenient = 1;
  ensemble->teachers = chunks->teachers;
  ensemble->learned = calloc(chunks->teachers, sizeof *ensemble->learned);
  if (!ensemble->learned) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  fumata_progress_start(&progress, "training teachers", chunks->teachers);
  code = fumata_pool_run(chunks->teachers, fumata_ensemble_teach, &lessons, &progress);
  fumata_progress_end(&progress);
  if (code) fumata_ensemble_free(ensemble);
  return code;
}

int fumata_ensemble_ready(fumata_ensemble *ensemble) {
  const fumata_learner *learner = ensemble->learner;
  int code = FUMATA_EXIT_OK;
  if (ensemble->is_ready) return code;
  if (learner->kind == FUMATA_LEARNER_LOGISTIC || learner->kind == FUMATA_LEARNER_SVM) {
    code = fumata_vote_linear_make(&ensemble->linear, ensemble->learned, ensemble->teachers, learner->classes,
                                   learner->columns);
    for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
      fumata_learned_free(&ensemble->learned[t]);
  } else if (learner->kind == FUMATA_LEARNER_TREES) {
    ensemble->trees = calloc(ensemble->teachers, sizeof *ensemble->trees);
    if (!ensemble->trees) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
    for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
      code = fumata_trees_open(&ensemble->learned[t], &ensemble->trees[t]);
  }
  ensemble->is_ready = !code;
  return code;
}

int fumata_ensemble_single(fumata_ensemble *ensemble, const fumata_learner *learner, const fumata_learned *learned) {
  memset(ensemble, 0, sizeof *ensemble);
  ensemble->learner = learner;
  ensemble->teachers = 1;
  ensemble->learned = calloc(1, sizeof *ensemble->learned);
  if (ensemble->learned && learned->size) {
    ensemble->learned->bytes = malloc(learned->size);
    if (ensemble->learned->bytes)
      memcpy(ensemble->learned->bytes, learned->bytes, ensemble->learned->size = learned->size);
  }
  if (!ensemble->learned || (learned->size && !ensemble->learned->bytes)) {
    fumata_ensemble_free(ensemble);
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  }
  return fumata_ensemble_ready(ensemble);
}

void fumata_ensemble_free(fumata_ensemble *ensemble) {
  for (uint32_t t = 0; ensemble->trees && t < ensemble->teachers; t++)
    fumata_trees_close(ensemble->trees[t]);
  for (uint32_t t = 0; ensemble->learned && t < ensemble->teachers; t++)
    fumata_learned_free(&ensemble->learned[t]);
  fumata_vote_linear_free(&ensemble->linear);
  free(ensemble->trees);
  free(ensemble->learned);
  memset(ensemble, 0, sizeof *ensemble);
}

size_t fumata_ensemble_width(const fumata_ensemble *ensemble) {
  return ensemble->learner->classes <= 256 ? 1 : 2;
}

typedef struct {
  const fumata_ensemble *ensemble;
  const fumata_rows *rows;
  size_t first, count;
  unsigned char *votes;
  float *work; /* linear: one piece a worker */
  size_t piece;
} fumata_ensemble_round;

/* One block of queries, all teachers. */
static int fumata_ensemble_block(void *context, size_t block, unsigned worker) {
  fumata_ensemble_round *round = context;
  const fumata_ensemble *ensemble = round->ensemble;
  size_t begin = block * FUMATA_VOTE_LINEAR_BLOCK, left = round->count - begin;
  fumata_vote_linear_cast(&ensemble->linear, round->rows, round->first + begin,
                          left < FUMATA_VOTE_LINEAR_BLOCK ? left : FUMATA_VOTE_LINEAR_BLOCK,
                          round->work + worker * round->piece,
                          round->votes + begin * ensemble->teachers * fumata_ensemble_width(ensemble));
  return FUMATA_EXIT_OK;
}

/* One teacher, all queries. */
static int fumata_ensemble_voice(void *context, size_t teacher, unsigned worker) {
  fumata_ensemble_round *round = context;
  const fumata_ensemble *ensemble = round->ensemble;
  uint32_t *labels = malloc((round->count + 1) * sizeof *labels);
  int code, failed = 0;
  (void)worker;
  if (!labels) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  if (ensemble->trees)
    code = fumata_trees_predict(ensemble->trees[teacher], round->rows, round->first, round->count,
                                ensemble->learner->classes, labels);
  else
    code = fumata_exec_predict(ensemble->learner, &ensemble->learned[teacher], round->rows, round->first, round->count,
                               labels, &failed);
  if (!code && failed && !ensemble->is_lenient)
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "the model's command '%.60s' failed", ensemble->learner->command);
  for (size_t q = 0; !code && q < round->count; q++) {
    size_t at = q * ensemble->teachers + teacher;
    if (fumata_ensemble_width(ensemble) == 1)
      round->votes[at] = (uint8_t)labels[q];
    else
      ((uint16_t *)round->votes)[at] = (uint16_t)labels[q];
  }
  free(labels);
  return code;
}

int fumata_ensemble_vote(const fumata_ensemble *ensemble, const fumata_rows *rows, size_t first, size_t count,
                         void *votes) {
  fumata_ensemble_round round = {.ensemble = ensemble, .rows = rows, .first = first, .count = count, .votes = votes};
  int code;
  if (!ensemble->linear.teachers) return fumata_pool_run(ensemble->teachers, fumata_ensemble_voice, &round, NULL);
  round.piece = (fumata_vote_linear_work(&ensemble->linear) + 15) / 16 * 16;
  round.work = aligned_alloc(64, fumata_pool_width() * round.piece * sizeof *round.work);
  if (!round.work) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  code = fumata_pool_run((count + FUMATA_VOTE_LINEAR_BLOCK - 1) / FUMATA_VOTE_LINEAR_BLOCK, fumata_ensemble_block,
                         &round, NULL);
  free(round.work);
  return code;
}

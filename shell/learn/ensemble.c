#include "learn/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hush.h"
#include "base/memory.h"
#include "base/votes.h"
#include "learn/pool.h"

/* ---- learning ---- */

struct ensemble_lessons {
  struct ensemble *ensemble;
  const struct rows *rows;
  const struct chunks *chunks;
};

static struct lesson ensemble_lesson(const struct ensemble_lessons *lessons, size_t teacher) {
  const struct chunks *chunks = lessons->chunks;
  return (struct lesson){.rows = lessons->rows,
                         .row = chunks->row + chunks->start[teacher],
                         .count = chunks->start[teacher + 1] - chunks->start[teacher]};
}

static int ensemble_teach(void *context, size_t teacher, unsigned worker) {
  struct ensemble_lessons *lessons = context;
  struct lesson lesson = ensemble_lesson(lessons, teacher), next;
  size_t likely = teacher + pool_width(); /* what this worker probably does next, if all work at the same speed */
  (void)worker;
  if (likely < lessons->chunks->teachers) {
    next = ensemble_lesson(lessons, likely);
    lesson_expect(&next);
  }
  return learner_train(lessons->ensemble->learner, &lesson, &lessons->ensemble->learned[teacher]);
}

int ensemble_train(struct ensemble *ensemble, const struct learner *learner, const struct rows *rows,
                   const struct chunks *chunks) {
  struct ensemble_lessons lessons = {ensemble, rows, chunks};
  struct progress progress;
  int code;
  *ensemble = (struct ensemble){.learner = learner, .teachers = chunks->teachers, .may_abstain = 1};
  code = memory_take(&ensemble->learned, chunks->teachers, sizeof *ensemble->learned);
  if (code) return code;
  progress_start(&progress, "training teachers", chunks->teachers);
  code = pool_run(chunks->teachers, ensemble_teach, &lessons, &progress);
  progress_end(&progress);
  if (code) ensemble_free(ensemble);
  return code;
}

int ensemble_ready(struct ensemble *ensemble) {
  const struct learner *learner = ensemble->learner;
  int code = EXIT_OK;
  if (ensemble->is_ready) return code;
  hush_begin();
  code = memory_take(&ensemble->is_empty, ensemble->teachers, 1);
  for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
    ensemble->is_empty[t] = ensemble->learned[t].size == 0;
  if (!code && learner->kind->open_all) {
    code = learner->kind->open_all(ensemble);
  } else if (!code) {
    code = memory_take(&ensemble->model, ensemble->teachers, sizeof *ensemble->model);
    for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
      code = learner->kind->open(learner, &ensemble->learned[t], &ensemble->model[t]);
  }
  hush_end();
  ensemble->is_ready = !code;
  return code;
}

int ensemble_single(struct ensemble *ensemble, const struct learner *learner, const struct learned *learned) {
  int code;
  *ensemble = (struct ensemble){.learner = learner, .teachers = 1};
  code = memory_take(&ensemble->learned, 1, sizeof *ensemble->learned);
  if (!code) code = learned_set(ensemble->learned, learned->bytes, learned->size);
  if (!code) code = ensemble_ready(ensemble);
  if (code) ensemble_free(ensemble);
  return code;
}

void ensemble_free(struct ensemble *ensemble) {
  const struct learner_kind *kind = ensemble->learner ? ensemble->learner->kind : NULL;
  for (uint32_t t = 0; ensemble->model && kind->close && t < ensemble->teachers; t++)
    kind->close(ensemble->model[t]);
  if (ensemble->all) kind->close_all(ensemble->all);
  for (uint32_t t = 0; ensemble->learned && t < ensemble->teachers; t++)
    learned_free(&ensemble->learned[t]);
  free(ensemble->is_empty);
  free(ensemble->model);
  free(ensemble->learned);
  memset(ensemble, 0, sizeof *ensemble);
}

/* ---- voting ---- */

size_t ensemble_width(const struct ensemble *ensemble) {
  return votes_width(ensemble->learner->classes);
}

uint32_t ensemble_label(const struct ensemble *ensemble, const void *votes, size_t at) {
  return ensemble_width(ensemble) == 1 ? ((const uint8_t *)votes)[at] : ((const uint16_t *)votes)[at];
}

void ensemble_put(const struct ensemble *ensemble, void *votes, size_t at, uint32_t label) {
  if (ensemble_width(ensemble) == 1)
    ((uint8_t *)votes)[at] = (uint8_t)label;
  else
    ((uint16_t *)votes)[at] = (uint16_t)label;
}

struct ensemble_queries {
  const struct ensemble *ensemble;
  const struct rows *rows;
  size_t first, count;
  void *votes;
};

/* One teacher answers all queries. */
static int ensemble_ask(void *context, size_t teacher, unsigned worker) {
  struct ensemble_queries *queries = context;
  const struct ensemble *ensemble = queries->ensemble;
  const struct learner *learner = ensemble->learner;
  uint32_t *labels;
  int abstains = ensemble->may_abstain && ensemble->is_empty[teacher], failed = 0;
  int code = memory_take(&labels, queries->count, sizeof *labels);
  (void)worker;
  if (code) return code;
  if (!abstains)
    code = learner->kind->label(learner, ensemble->model[teacher], queries->rows, queries->first, queries->count,
                                labels, &failed);
  if (!code && failed && !ensemble->may_abstain)
    code = error_report(EXIT_SYSTEM, "the model's command '%.60s' failed", learner->command ? learner->command : "");
  for (size_t q = 0; !code && q < queries->count; q++)
    ensemble_put(ensemble, queries->votes, q * ensemble->teachers + teacher,
                 abstains || failed ? VOTES_ABSTAIN : labels[q]);
  free(labels);
  return code;
}

int ensemble_vote(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count, void *votes) {
  struct ensemble_queries queries = {ensemble, rows, first, count, votes};
  int code;
  if (!ensemble->all) return pool_run(ensemble->teachers, ensemble_ask, &queries, NULL);
  hush_begin();
  code = ensemble->learner->kind->vote_all(ensemble, rows, first, count, votes);
  hush_end();
  for (uint32_t t = 0; !code && ensemble->may_abstain && t < ensemble->teachers; t++)
    for (size_t q = 0; ensemble->is_empty[t] && q < count; q++)
      ensemble_put(ensemble, votes, q * ensemble->teachers + t, VOTES_ABSTAIN);
  return code;
}

int ensemble_score(const struct ensemble *ensemble, const struct rows *rows, size_t *right, size_t *labelled) {
  void *votes;
  int code = memory_take(&votes, rows->count * ensemble->teachers, ensemble_width(ensemble));
  *right = *labelled = 0;
  if (!code) code = ensemble_vote(ensemble, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++) {
    if (rows->label[i] == ROWS_UNLABELLED) continue;
    ++*labelled;
    *right += rows->label[i] == (int32_t)ensemble_label(ensemble, votes, i);
  }
  free(votes);
  return code;
}

/* ---- probabilities ---- */

/* Scales shares to a sum of 1; if all are zero they become equal. */
static void ensemble_normalise(float *share, uint32_t classes) {
  double sum = 0;
  for (uint32_t c = 0; c < classes; c++)
    sum += (double)share[c];
  for (uint32_t c = 0; c < classes; c++)
    share[c] = sum > 0 ? (float)((double)share[c] / sum) : 1.0f / (float)classes;
}

int ensemble_probability(const struct ensemble *single, const struct rows *rows, float *share) {
  uint32_t classes = single->learner->classes;
  int traits = single->learner->kind->traits, is_softmax = traits & LEARNER_SOFTMAX && classes > 2;
  int code = single->learner->kind->score(single, rows, share);
  for (size_t i = 0; !code && i < rows->count; i++, share += classes) {
    float most = share[0];
    for (uint32_t c = 1; c < classes; c++)
      most = share[c] > most ? share[c] : most;
    for (uint32_t c = 0; !(traits & LEARNER_COUNTS) && c < classes; c++)
      share[c] = is_softmax ? expf(share[c] - most) : (float)(1 / (1 + exp(-(double)share[c])));
    if (classes == 2 && !(traits & LEARNER_COUNTS))
      share[0] = 1 - share[1]; /* the second score says all */
    else
      ensemble_normalise(share, classes);
  }
  return code;
}

#include "learn/ensemble.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/votes.h"
#include "learn/committee.h"
#include "learn/exec.h"
#include "learn/pool.h"
#include "learn/trees.h"

#define ENSEMBLE_LINE (MEMORY_LINE / sizeof(float)) /* floats of a cache line: no two workers write to the same one */

#define ENSEMBLE_ROOM ((size_t)1 << 24) /* bytes of members' votes at a time, unless one query has more */

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
  size_t likely = teacher + pool_width(); /* what this worker does next, when all work at the same speed */
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
  memset(ensemble, 0, sizeof *ensemble);
  ensemble->learner = learner;
  ensemble->may_abstain = 1;
  ensemble->teachers = chunks->teachers;
  code = memory_take(&ensemble->learned, chunks->teachers, sizeof *ensemble->learned);
  if (code) return code;
  progress_start(&progress, "training teachers", chunks->teachers);
  code = pool_run(chunks->teachers, ensemble_teach, &lessons, &progress);
  progress_end(&progress);
  if (code) ensemble_free(ensemble);
  return code;
}

struct ensemble_members {
  struct learner learner; /* of one member */
  struct ensemble ensemble;
};

static int ensemble_ready_committees(struct ensemble *ensemble) {
  uint32_t members = ensemble->learner->members;
  struct ensemble *inner;
  int code = memory_take(&ensemble->members, 1, sizeof *ensemble->members);
  if (code) return code;
  inner = &ensemble->members->ensemble;
  ensemble->members->learner = *ensemble->learner;
  ensemble->members->learner.members = 0;
  inner->learner = &ensemble->members->learner;
  inner->may_abstain = 1; /* a member whose sample was empty */
  code = memory_take(&inner->learned, (size_t)ensemble->teachers * members, sizeof *inner->learned);
  if (code) return code;
  inner->teachers = ensemble->teachers * members;
  for (uint32_t t = 0; !code && t < ensemble->teachers; t++) {
    code = committee_open(&ensemble->learned[t], members, inner->learned + (size_t)t * members);
    learned_free(&ensemble->learned[t]);
  }
  return code ? code : ensemble_ready(inner);
}

int ensemble_ready(struct ensemble *ensemble) {
  const struct learner *learner = ensemble->learner;
  int code;
  if (ensemble->is_ready) return EXIT_OK;
  code = memory_take(&ensemble->is_empty, ensemble->teachers, 1);
  for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
    ensemble->is_empty[t] = ensemble->learned[t].size == 0;
  if (!code && learner->members) {
    code = ensemble_ready_committees(ensemble);
  } else if (!code && learner_is_linear(learner)) {
    code =
        linear_vote_make(&ensemble->linear, ensemble->learned, ensemble->teachers, learner->classes, learner->columns);
    for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
      learned_free(&ensemble->learned[t]);
  } else if (!code && learner->kind == LEARNER_TREES) {
    code = memory_take(&ensemble->trees, ensemble->teachers, sizeof *ensemble->trees);
    for (uint32_t t = 0; !code && t < ensemble->teachers; t++)
      code = trees_open(&ensemble->learned[t], &ensemble->trees[t]);
  }
  ensemble->is_ready = !code;
  return code;
}

int ensemble_single(struct ensemble *ensemble, const struct learner *learner, const struct learned *learned) {
  int code;
  memset(ensemble, 0, sizeof *ensemble);
  ensemble->learner = learner;
  ensemble->teachers = 1;
  code = memory_take(&ensemble->learned, 1, sizeof *ensemble->learned);
  if (!code) code = learned_set(ensemble->learned, learned->bytes, learned->size);
  if (!code) code = ensemble_ready(ensemble);
  if (code) ensemble_free(ensemble);
  return code;
}

void ensemble_free(struct ensemble *ensemble) {
  for (uint32_t t = 0; ensemble->trees && t < ensemble->teachers; t++)
    trees_close(ensemble->trees[t]);
  for (uint32_t t = 0; ensemble->learned && t < ensemble->teachers; t++)
    learned_free(&ensemble->learned[t]);
  if (ensemble->members) ensemble_free(&ensemble->members->ensemble);
  linear_vote_free(&ensemble->linear);
  free(ensemble->members);
  free(ensemble->is_empty);
  free(ensemble->trees);
  free(ensemble->learned);
  memset(ensemble, 0, sizeof *ensemble);
}

size_t ensemble_width(const struct ensemble *ensemble) {
  return votes_width(ensemble->learner->classes);
}

struct ensemble_round {
  const struct ensemble *ensemble;
  const struct rows *rows;
  size_t first, count;
  unsigned char *votes;
  float *work; /* linear: one piece a worker */
  size_t piece;
};

static void ensemble_put(const struct ensemble *ensemble, unsigned char *votes, size_t at, uint32_t label) {
  if (ensemble_width(ensemble) == 1)
    votes[at] = (uint8_t)label;
  else
    ((uint16_t *)votes)[at] = (uint16_t)label;
}

/* One block of queries, all teachers. */
static int ensemble_block(void *context, size_t block, unsigned worker) {
  struct ensemble_round *round = context;
  const struct ensemble *ensemble = round->ensemble;
  size_t begin = block * LINEAR_VOTE_BLOCK, left = round->count - begin;
  size_t count = left < LINEAR_VOTE_BLOCK ? left : LINEAR_VOTE_BLOCK;
  unsigned char *votes = round->votes + begin * ensemble->teachers * ensemble_width(ensemble);
  linear_vote_cast(&ensemble->linear, round->rows, round->first + begin, count, round->work + worker * round->piece,
                   votes);
  for (uint32_t t = 0; ensemble->may_abstain && t < ensemble->teachers; t++)
    for (size_t q = 0; ensemble->is_empty[t] && q < count; q++)
      ensemble_put(ensemble, votes, q * ensemble->teachers + t, VOTES_ABSTAIN);
  return EXIT_OK;
}

/* The labels that a teacher has learned to give; *failed if its command gave none and it may abstain. */
static int ensemble_ask(const struct ensemble_round *round, size_t teacher, uint32_t *labels, int *failed) {
  const struct ensemble *ensemble = round->ensemble;
  int code;
  if (ensemble->trees)
    return trees_predict(ensemble->trees[teacher], round->rows, round->first, round->count, ensemble->learner->classes,
                         labels);
  code = exec_predict(ensemble->learner, &ensemble->learned[teacher], round->rows, round->first, round->count, labels,
                      failed);
  if (!code && *failed && !ensemble->may_abstain)
    code = error_report(EXIT_SYSTEM, "the model's command '%.60s' failed", ensemble->learner->command);
  return code;
}

/* One teacher, all queries. */
static int ensemble_voice(void *context, size_t teacher, unsigned worker) {
  struct ensemble_round *round = context;
  const struct ensemble *ensemble = round->ensemble;
  uint32_t *labels;
  int abstains = ensemble->may_abstain && ensemble->is_empty[teacher];
  int code = memory_take(&labels, round->count, sizeof *labels);
  (void)worker;
  if (code) return code;
  if (!abstains) code = ensemble_ask(round, teacher, labels, &abstains);
  for (size_t q = 0; !code && q < round->count; q++)
    ensemble_put(ensemble, round->votes, q * ensemble->teachers + teacher, abstains ? VOTES_ABSTAIN : labels[q]);
  free(labels);
  return code;
}

/* The label that most of the members at `first` name, the smaller one of two; VOTES_ABSTAIN if none names any. `counts` has
 * room for the classes. */
static uint32_t ensemble_majority(const struct ensemble *inner, const void *votes, size_t first, uint32_t members,
                                  uint32_t *counts) {
  uint32_t classes = inner->learner->classes, best = 0;
  memset(counts, 0, classes * sizeof *counts);
  for (uint32_t m = 0; m < members; m++) {
    uint32_t label = ensemble_label(inner, votes, first + m);
    if (label < classes) counts[label]++;
  }
  for (uint32_t c = 1; c < classes; c++)
    if (counts[c] > counts[best]) best = c;
  return counts[best] ? best : VOTES_ABSTAIN;
}

/* Committees on rows first .. first + count - 1; `room` is for their members' votes. */
static int ensemble_deliberate(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count,
                               unsigned char *room, uint32_t *counts, unsigned char *votes) {
  const struct ensemble *inner = &ensemble->members->ensemble;
  uint32_t members = ensemble->learner->members;
  int code = ensemble_vote(inner, rows, first, count, room);
  for (size_t at = 0; !code && at < count * ensemble->teachers; at++) {
    uint32_t label = ensemble_majority(inner, room, at * members, members, counts);
    if (label == VOTES_ABSTAIN && !ensemble->may_abstain) label = 0;
    ensemble_put(ensemble, votes, at, label);
  }
  return code;
}

static int ensemble_vote_committees(const struct ensemble *ensemble, const struct rows *rows, size_t first,
                                    size_t count, unsigned char *votes) {
  size_t width = ensemble_width(ensemble), row = ensemble->members->ensemble.teachers * width;
  size_t block = row < ENSEMBLE_ROOM ? ENSEMBLE_ROOM / row : 1, done;
  unsigned char *room = NULL;
  uint32_t *counts = NULL;
  int code = memory_take(&room, block * row, 1);
  if (!code) code = memory_take(&counts, ensemble->learner->classes, sizeof *counts);
  for (done = 0; !code && done < count; done += block)
    code = ensemble_deliberate(ensemble, rows, first + done, count - done < block ? count - done : block, room, counts,
                               votes + done * ensemble->teachers * width);
  free(room);
  free(counts);
  return code;
}

int ensemble_vote(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count, void *votes) {
  struct ensemble_round round = {.ensemble = ensemble, .rows = rows, .first = first, .count = count, .votes = votes};
  int code;
  if (ensemble->members) return ensemble_vote_committees(ensemble, rows, first, count, votes);
  if (!ensemble->linear.teachers) return pool_run(ensemble->teachers, ensemble_voice, &round, NULL);
  round.piece = (linear_vote_work(&ensemble->linear) + ENSEMBLE_LINE - 1) / ENSEMBLE_LINE * ENSEMBLE_LINE;
  code = memory_align(&round.work, pool_width() * round.piece, sizeof *round.work);
  if (code) return code;
  code = pool_run((count + LINEAR_VOTE_BLOCK - 1) / LINEAR_VOTE_BLOCK, ensemble_block, &round, NULL);
  free(round.work);
  return code;
}

uint32_t ensemble_label(const struct ensemble *ensemble, const void *votes, size_t at) {
  return ensemble_width(ensemble) == 1 ? ((const uint8_t *)votes)[at] : ((const uint16_t *)votes)[at];
}

int ensemble_score(const struct ensemble *ensemble, const struct rows *rows, size_t *right, size_t *labelled) {
  unsigned char *votes;
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

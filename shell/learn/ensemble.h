/* Teachers: each learns from its own chunk, all vote on every query. */
#ifndef LEARN_ENSEMBLE_H
#define LEARN_ENSEMBLE_H

#include "gate/chunks.h"
#include "learn/learner.h"
#include "learn/linear_vote.h"

/* The members of all committees, as one ensemble: those of the first committee, then those of the second, ... */
struct ensemble_members;

struct ensemble {
  const struct learner *learner;
  uint32_t teachers;
  struct learned *learned;          /* one a teacher; empty for linear ones after ensemble_ready */
  struct linear_vote linear;        /* linear learners */
  void **trees;                     /* trees */
  struct ensemble_members *members; /* committees */
  unsigned char *is_empty;          /* one a teacher: its chunk was empty, or its command failed to learn */
  int is_ready;
  int may_abstain; /* teachers: one that is empty, or whose command fails, names no class. A student must name one: an
                    * empty one names label 0, and a command that fails is an error. */
};

/* Each returns an exit code (error.h). `learner` must outlive the ensemble. */
int ensemble_train(struct ensemble *ensemble, const struct learner *learner, const struct rows *rows,
                   const struct chunks *chunks);

/* Puts the models into the form in which they vote. An ensemble of one is how a student predicts. */
int ensemble_ready(struct ensemble *ensemble);
int ensemble_single(struct ensemble *ensemble, const struct learner *learner, const struct learned *learned);
void ensemble_free(struct ensemble *ensemble);

/* Bytes of one vote (base/votes.h). */
size_t ensemble_width(const struct ensemble *ensemble);

/* Votes on rows first .. first + count - 1: count x teachers, query by query. */
int ensemble_vote(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count, void *votes);

/* The label at place `at` of such votes; no class if it is an abstention. */
uint32_t ensemble_label(const struct ensemble *ensemble, const void *votes, size_t at);

/* How many of the labelled rows an ensemble of one labels rightly. */
int ensemble_score(const struct ensemble *ensemble, const struct rows *rows, size_t *right, size_t *labelled);

#endif

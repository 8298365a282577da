/* Teachers: each learns from its own chunk, and all vote on every query. A student is an ensemble of one. */
#ifndef LEARN_ENSEMBLE_H
#define LEARN_ENSEMBLE_H

#include "gate/chunks.h"
#include "learn/learner.h"

struct ensemble {
  const struct learner *learner;
  uint32_t teachers;
  struct learned *learned; /* one for each teacher; a kind that opens all at once may have taken them (learner.h) */
  unsigned char *is_empty; /* for each teacher: its chunk was empty, or its command failed to learn */
  void **model;            /* one for each teacher, opened; or ... */
  void *all;               /* ... all in one */
  int is_ready;
  int may_abstain; /* teachers: one that is empty, or whose command fails, names no class. A student must name one: an
                    * empty one names label 0, and a command that fails is an error. */
};

/* Each returns an exit code (error.h). `learner` must outlive the ensemble. */
int ensemble_train(struct ensemble *ensemble, const struct learner *learner, const struct rows *rows,
                   const struct chunks *chunks);

/* Opens the models for voting. */
int ensemble_ready(struct ensemble *ensemble);
int ensemble_single(struct ensemble *ensemble, const struct learner *learner, const struct learned *learned);
void ensemble_free(struct ensemble *ensemble);

/* Bytes of one vote (base/votes.h). */
size_t ensemble_width(const struct ensemble *ensemble);

/* Votes on rows first .. first + count - 1: count x teachers votes, query by query. */
int ensemble_vote(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count, void *votes);

/* Reads the label at place `at` of such votes; no class if it is an abstention. The second one writes a label. */
uint32_t ensemble_label(const struct ensemble *ensemble, const void *votes, size_t at);
void ensemble_put(const struct ensemble *ensemble, void *votes, size_t at, uint32_t label);

/* How many of the labelled rows an ensemble of one labels rightly. */
int ensemble_score(const struct ensemble *ensemble, const struct rows *rows, size_t *right, size_t *labelled);

/* How likely each class is to an ensemble of one whose learner has probabilities (learner_check_probability): shares of all
 * rows, classes a row; the class with the largest is the label.
 *
 *   logistic    the logistic function of the score; of more than two classes, each against the rest, made to add up to 1,
 *               as liblinear does it
 *   trees       the logistic function or softmax of xgboost's margins
 *   committee   the share of its members that name the class */
int ensemble_probability(const struct ensemble *single, const struct rows *rows, float *share);

#endif

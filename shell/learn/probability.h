/* How sure a student is, class by class; the class with the largest share is its label.
 *
 *   logistic    the logistic function of the score; of more than two classes, each against the rest, made to add up to 1,
 *               as liblinear does it
 *   trees       the logistic function or softmax of xgboost's margins
 *   committee   the share of its members that name the class
 *
 * An svm has distances but no probabilities, and a command gives labels only: they are refused. */
#ifndef LEARN_PROBABILITY_H
#define LEARN_PROBABILITY_H

#include "learn/ensemble.h"

struct probability {
  const struct learner *learner;
  const struct learned *learned;
  void *trees;
  struct learner member_learner; /* committee */
  struct ensemble *member;
};

/* Each returns an exit code (error.h). Learner and model must outlive it; `path` is the model's, for the message. */
int probability_open(struct probability *probability, const struct learner *learner, const struct learned *learned,
                     const char *path);

/* Shares of all rows, classes a row. */
int probability_of(const struct probability *probability, const struct rows *rows, float *share);
void probability_close(struct probability *probability);

#endif

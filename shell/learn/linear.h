/* Linear learners: liblinear's primal solvers, which draw no random numbers.
 *
 * A model is floats: for each score its columns + 1 weights, the last one the bias. Two classes have one score
 * (positive: label 1), more have one score a class (the largest wins, the smallest label among equals). */
#ifndef LEARN_LINEAR_H
#define LEARN_LINEAR_H

#include "learn/learner.h"

int linear_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned);

/* Scores of a model for that many classes. */
uint32_t linear_scores(uint32_t classes);

#endif

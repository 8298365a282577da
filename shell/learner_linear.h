/* Linear learners: liblinear's primal solvers, which draw no random numbers.
 *
 * A model is floats: for each score its columns + 1 weights, the last one the bias. Two classes have one score
 * (positive: label 1), more have one score a class (the largest wins, the smallest label among equals). */
#ifndef FUMATA_LEARNER_LINEAR_H
#define FUMATA_LEARNER_LINEAR_H

#include "learner.h"

int fumata_linear_train(const fumata_learner *learner, const fumata_lesson *lesson, fumata_learned *learned);

/* Scores of a model for that many classes. */
uint32_t fumata_linear_scores(uint32_t classes);

#endif

/* Which of several learners does best on answers that it was not taught. */
#ifndef LEARN_CHOOSING_H
#define LEARN_CHOOSING_H

#include "learn/learner.h"

#define CHOOSING_MOST 8 /* learners */

/* The learners have probabilities and are fitted to the rows; the lesson's entries have their own labels. Each learner
 * learns from all parts of the entries but one and is tried on that part, for each of CHOOSING_FOLDS parts. *best is the
 * one that finds the labels likeliest, the first of equals. Returns an exit code (error.h). */
#define CHOOSING_FOLDS 3
int choosing_best(const struct learner *learner, size_t count, const struct lesson *lesson, size_t *best);

/* How unlikely each learner finds the labels, for a caller that weighs this in another way. */
int choosing_losses(const struct learner *learner, size_t count, const struct lesson *lesson, double *loss);

#endif

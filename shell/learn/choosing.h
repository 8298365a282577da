/* Which of several learners does best, by the answers that each has not seen. */
#ifndef LEARN_CHOOSING_H
#define LEARN_CHOOSING_H

#include "learn/learner.h"

#define CHOOSING_MOST 8 /* learners */

/* Learners that have probabilities and were fitted to the rows; the lesson's entries have labels of their own. Each learns from all
 * but one part of the entries and is tried on that part, for each of CHOOSING_FOLDS parts; *best is the one that finds the labels
 * likeliest, the first of equals. Returns an exit code (error.h). */
#define CHOOSING_FOLDS 3
int choosing_best(const struct learner *learner, size_t count, const struct lesson *lesson, size_t *best);

/* How unlikely each finds them, for who weighs that in another way. */
int choosing_losses(const struct learner *learner, size_t count, const struct lesson *lesson, double *loss);

#endif

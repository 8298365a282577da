/* Exact laws of what a certified plan releases on streams that a theory of the worst case suggests, for a data set and its
 * neighbour: one teacher, always the same, is moved, so that every query lies at one distance on one side and at the next
 * on the other. An outcome is a number: labels before the last silence (meter), winners named (toll), the summed score of
 * the stretches (classic). The likelihood ratio rises or falls with it, so nothing is lost by it. */
#ifndef AUDIT_LAWS_H
#define AUDIT_LAWS_H

#include <stddef.h>

#include "plan/plan.h"

struct laws {
  double *here, *there; /* probability of each outcome on either side */
  size_t size;
  double *score;  /* classic: what a stretch of n labels adds to the outcome */
  size_t longest; /* and the number of such n; a longer stretch counts as the longest */
};

/* Of queries at distance `here` against `there`, which differ by one. 0, or -1 when memory is short. */
int laws_make(struct laws *laws, const struct plan_box *plan, uint32_t here, uint32_t there);
void laws_free(struct laws *laws);

/* The outcome of a stretch of n labels in classic, as a number to be added up. */
size_t laws_stretch(const struct laws *laws, size_t labels);

/* The smallest epsilon at which the first side is within (epsilon, delta) of the second. */
double laws_epsilon(const double *first, const double *second, size_t size, double delta);

#endif

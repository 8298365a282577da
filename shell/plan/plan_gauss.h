/* Toll tables made of Gaussian noise, for comparison: the second paper's Algorithm 1 adds it to the count of one class, that
 * is to half the gap, that is to the distance; the winner is then named with probability Phi(d / sigma). */
#ifndef PLAN_PLAN_GAUSS_H
#define PLAN_PLAN_GAUSS_H

#include "plan/plan.h"

/* The sigma of Algorithm 1: sqrt(2 L ln(1/delta)) / sigma + L / (2 sigma^2) = epsilon. */
double plan_gauss_sigma(const struct plan_target *target);

/* A table of this sigma for target->answers, with the smallest epsilon (three significant digits) that the core certifies
 * for it at the target's delta in box->claim. 0, or -1, nothing printed, when it does not fit a table or the core certifies no
 * epsilon. */
int plan_gauss_paper(const struct plan_target *target, double sigma, struct plan_box *box);

/* The table of the smallest sigma that the core certifies for the target, and that sigma. Exit code (error.h). */
int plan_gauss_make(const struct plan_target *target, struct plan_box *box, double *sigma);

#endif

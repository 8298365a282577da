/* Algorithm 2's noise as tables: the paper's constants, or the tightest that the certificate admits. */
#ifndef PLAN_PLAN_CLASSIC_H
#define PLAN_PLAN_CLASSIC_H

#include "plan/plan.h"

extern const struct mechanism plan_classic_mechanism;

/* What a paper prescribes for its Algorithm 2: threshold noise of scale lambda, query noise of twice that, the width, and
 * the number of teachers for which a wrong answer has a chance of `beta` at most. */
struct plan_paper {
  double lambda, width, teachers;
};

/* As Bassily, Thakkar and Thakurta have it: lambda = sqrt(32 T ln(2/delta)) / epsilon, w = 2 lambda ln(2m/delta),
 * k = 34 sqrt(2) lambda ln(4mT/min(delta, beta/2)) (Theorem 3.2). */
void plan_classic_constants(const struct plan_target *target, uint64_t queries, double beta, struct plan_paper *paper);

/* As Liu, Zhu, Chaudhuri and Wang have it: lambda = (sqrt(2T(epsilon + ln(2/delta))) + sqrt(2T ln(2/delta))) / epsilon,
 * w = 3 lambda ln(2(m+T)/delta); k by their Proposition 11 for votes of PLAN_AGREEMENT and more. */
void plan_classic_liu(const struct plan_target *target, uint64_t queries, double beta, struct plan_paper *paper);

/* The best certified plan: the lower half of discrete Laplace noise, at scales of our own choice. Exit code (error.h). */
int plan_classic_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

/* Tables of a paper's constants for `target`, with the smallest epsilon (three significant digits) that the core
 * certifies for those very tables at the target's delta in box->claim. 0, or -1, nothing printed, when the noise does
 * not fit a table or the core certifies no epsilon. */
int plan_classic_paper(const struct plan_target *target, const struct plan_paper *paper, struct plan_box *box);

#endif

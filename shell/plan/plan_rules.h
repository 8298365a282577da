/* The papers' rules for how many silences and teachers to have, from what the operator believes about the teachers. */
#ifndef PLAN_PLAN_RULES_H
#define PLAN_PLAN_RULES_H

#include "plan/plan.h"

/* Bassily et al., Theorem 3.2: T = 3 (r m + sqrt(r m ln(m / beta) / 2)) for learners of error rate r and m queries, rounded up
 * and kept within 1 .. FUMATA_SILENCES_MAX. */
uint32_t plan_rules_error_rate(double error, uint64_t queries);

/* Liu et al., (nu, Delta)-approximate high margin: on all but a share nu of the queries the mean vote is more than Delta away
 * from one half. */
struct plan_rules_margin {
  double nu, delta;
};

/* Proposition 11: T = nu m + sqrt(2 nu m ln(3/g)) + (2/3) ln(3/g), rounded up and kept in range. */
uint32_t plan_rules_margin_silences(const struct plan_rules_margin *margin, uint64_t queries);

/* Proposition 11: K = max(2 ln(3m/g) / Delta^2, 3 lambda (ln(4m/delta) + ln(3m/g)) / Delta), with Algorithm 2's lambda for
 * target->silences. */
double plan_rules_margin_teachers(const struct plan_rules_margin *margin, const struct plan_target *target,
                                  uint64_t queries);

/* Theorem 15: K = 6 sqrt(ln(2n)) (sqrt(L ln(1/delta)) + sqrt(L ln(1/delta) + epsilon L)) / epsilon for target->answers that a
 * student chooses, and n private records. */
double plan_rules_active_teachers(const struct plan_target *target, uint64_t records);

#endif

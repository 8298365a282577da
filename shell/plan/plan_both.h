/* Plans that hold silences and answers in one budget (MECHANISM section 7, Theorem J): a meter's table and a toll's at one
 * order alpha, and the search for what each of them may cost. */
#ifndef PLAN_PLAN_BOTH_H
#define PLAN_PLAN_BOTH_H

#include "plan/plan.h"

extern const struct mechanism plan_both_mechanism;

/* The certified plan with the smallest sum of the distance at which silence falls to the aim's and the distance at which
 * naming the loser does: a teacher more helps both. Exit code (error.h). */
int plan_both_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

#endif

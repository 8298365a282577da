/* What is left open, solved for: the most silences or answers, or the smallest epsilon, for which a vote at a given distance
 * fails at most with a given probability. Of one kind alone. */
#ifndef PLAN_PLAN_SOLVE_H
#define PLAN_PLAN_SOLVE_H

#include "plan/plan.h"

/* Exit codes (error.h); a failure has printed its line and left the box empty. */

/* The largest number (in 1..most) of silences or answers whose plan keeps plan_miss at `distance` at or below `miss`; 0 if
 * none does. The plan is in the box unless it is 0. */
int plan_solve_most(const struct plan_target *target, enum plan_kind kind, uint32_t distance, double miss,
                    uint32_t most, struct plan_box *box, uint32_t *found);

/* The smallest epsilon (three significant digits, exact) whose plan for the target's delta and its silences or answers does
 * that; target->epsilon_* is ignored and box->claim says what was found. EXIT_REFUSED if none up to 100 does. */
int plan_solve_epsilon(const struct plan_target *target, enum plan_kind kind, uint32_t distance, double miss,
                       struct plan_box *box);

#endif

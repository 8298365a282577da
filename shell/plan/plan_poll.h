/* Plans of the poll (MECHANISM section 9): a toll's table and certificate, with the votes that one record has in the place
 * of the answers. A lead takes the place of the distance. */
#ifndef PLAN_PLAN_POLL_H
#define PLAN_PLAN_POLL_H

#include "plan/plan.h"

extern const struct mechanism plan_poll_mechanism;

/* Exit codes (error.h); a failure has printed its line and left the box empty. */

/* The best certified plan for target->votes of each record; `aim` NULL means the lead at which the answer is wrong with
 * PLAN_POLL_WRONG. */
int plan_poll_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

/* For comparison: the narrowest Gaussian noise on the lead that the core certifies for the same votes, and its sigma. */
int plan_poll_gauss(const struct plan_target *target, struct plan_box *box, double *sigma);

#endif

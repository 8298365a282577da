/* Whose noise a plan is made of: ours, as tight as the certificate admits, or a paper's own constants. */
#ifndef PLAN_PLAN_CONSTANTS_H
#define PLAN_PLAN_CONSTANTS_H

#include "plan/plan.h"

enum plan_constants {
  PLAN_CONSTANTS_OURS,
  PLAN_CONSTANTS_BASSILY, /* the first paper's Algorithm 2 */
  PLAN_CONSTANTS_LIU,     /* the second paper's Algorithm 2 for silences, its Algorithm 1 for answers */
  PLAN_CONSTANTS_GAUSS    /* answers of a toll or a poll by the narrowest Gaussian noise that the core certifies */
};

const char *plan_constants_name(enum plan_constants constants);

/* The mechanism that such constants are for, where the operator names none. */
enum plan_mechanism plan_constants_mechanism(enum plan_constants constants, const struct plan_target *target);

/* Are there such constants of this mechanism? Exit code (error.h). */
int plan_constants_check(enum plan_constants constants, enum plan_mechanism mechanism);

/* The certified plan; with a paper's constants box->claim says the epsilon that they really cost. `queries` is the papers'
 * m. Exit code (error.h). */
int plan_constants_make(enum plan_constants constants, enum plan_mechanism mechanism, const struct plan_target *target,
                        uint64_t queries, struct plan_box *box);

#endif

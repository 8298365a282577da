/* `fumata plan --advise`: epsilon, teachers, silences and answers from what a user knows. */
#ifndef COMMAND_PLAN_ADVICE_H
#define COMMAND_PLAN_ADVICE_H

#include "plan/plan.h"

struct plan_advice {
  uint64_t records; /* private ones (or units), about */
  uint64_t queries; /* public ones */
  uint32_t classes;
  double error_rate; /* of a teacher, expected */
};

/* Prints a plan a line, for the target's epsilon or, if that is open, for several, and names the smallest one that will do.
 * `mechanism` is an enum plan_mechanism, or negative: what suits the classes. Returns an exit code (error.h). */
int plan_advice_print(const struct plan_advice *advice, const struct plan_target *target, int mechanism, int json);

#endif

/* The plans that are attacked, and the worst of what theory suggests against them: exact numbers, nothing sampled. */
#ifndef AUDIT_PLANS_H
#define AUDIT_PLANS_H

#include "audit/game.h"
#include "audit/laws.h"

struct plans_wish {
  enum plan_mechanism mechanism;
  const char *epsilon, *delta;
  uint32_t silences, answers; /* of a poll: the votes of a record */
};

/* The planner's plan for it; ends the program when there is none. */
void plans_make(const struct plans_wish *wish, struct plan_box *plan);

double plans_epsilon(const struct plan_box *plan); /* what it is certified for */
double plans_delta(const struct plan_box *plan);

/* Distances worth trying: up to where the last row is reached, or classic's width and what its noise adds. `rarest`: not
 * those at which a silence is rarer than that. */
uint32_t plans_farthest(const struct plan_box *plan, double rarest);

/* The larger of the epsilons of the two directions. */
double plans_exact(const double *here, const double *there, size_t size, double delta);

/* Among streams at one distance (and its neighbour), up to `most`, tried at about `places` of them: the worst. */
struct laws_place plans_worst(const struct plan_box *plan, uint32_t most, uint32_t places);

#endif

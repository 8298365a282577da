#include "audit/plans.h"

#include <math.h>
#include <stdlib.h>

#include "plan/mechanism.h"

void plans_make(const struct plans_wish *wish, struct plan_box *plan) {
  struct plan_target target = {.silences = wish->silences};
  *(wish->mechanism == PLAN_MECHANISM_POLL ? &target.votes : &target.answers) = wish->answers;
  if (plan_target_epsilon(&target, "epsilon", wish->epsilon) || plan_target_delta(&target, "delta", wish->delta) ||
      mechanism_of(wish->mechanism)->make(&target, NULL, plan))
    exit(3);
}

double plans_epsilon(const struct plan_box *plan) {
  return (double)plan->claim.epsilon_num / plan->claim.epsilon_den;
}

double plans_delta(const struct plan_box *plan) {
  return (double)plan->claim.delta_num / (double)plan->claim.delta_den;
}

uint32_t plans_farthest(const struct plan_box *plan, double rarest) {
  int is_toll = plan->mechanism == PLAN_MECHANISM_TOLL || plan->mechanism == PLAN_MECHANISM_POLL;
  uint32_t most = is_toll                                     ? plan->toll.size
                  : plan->mechanism != PLAN_MECHANISM_CLASSIC ? plan->meter.size
                  : plan->classic.width > 0                   ? (uint32_t)(2 * plan->classic.width)
                                                              : 20;
  uint32_t rare = is_toll ? most : plan_distance(plan, rarest);
  return rare < most ? rare : most;
}

double plans_exact(const double *here, const double *there, size_t size, double delta) {
  return fmax(laws_epsilon(here, there, size, delta), laws_epsilon(there, here, size, delta));
}

static double plans_exact_at(const struct plan_box *plan, const struct laws_place *place) {
  struct laws laws;
  double exact;
  if (laws_make(&laws, plan, place)) exit(3);
  exact = plans_exact(laws.here, laws.there, laws.size, plans_delta(plan));
  laws_free(&laws);
  return exact;
}

/* The worst distance of one kind, by itself. */
static uint32_t plans_worst_of(const struct plan_box *plan, uint32_t most, uint32_t places) {
  uint32_t step = most / places + 1, worst = 1;
  double largest = -1;
  for (uint32_t d = 1; d <= most; d += step) {
    struct laws_place place = {d, d - 1, 0, 0};
    double exact = plans_exact_at(plan, &place);
    if (exact > largest) largest = exact, worst = d;
  }
  return worst;
}

/* The worst distance of each kind by itself, the toll's also at the edge and the other way round. */
static struct laws_place plans_worst_both(const struct plan_box *plan, uint32_t most, uint32_t places) {
  struct plan_box meter = *plan, toll = *plan;
  struct laws_place worst = {0, 0, 0, 0};
  double largest = -1;
  uint32_t silent, named;
  meter.mechanism = PLAN_MECHANISM_METER;
  toll.mechanism = PLAN_MECHANISM_TOLL;
  silent = plans_worst_of(&meter, most, places);
  named = plans_worst_of(&toll, toll.toll.size, places);
  for (int way = 0; way < 4; way++) {
    uint32_t far = way & 1 ? 1 : named;
    struct laws_place place = {silent, silent - 1, way & 2 ? far - 1 : far, way & 2 ? far : far - 1};
    double exact = plans_exact_at(plan, &place);
    if (exact > largest) largest = exact, worst = place;
  }
  return worst;
}

struct laws_place plans_worst(const struct plan_box *plan, uint32_t most, uint32_t places) {
  uint32_t worst;
  if (plan->mechanism == PLAN_MECHANISM_BOTH) return plans_worst_both(plan, most, places);
  worst = plans_worst_of(plan, most, places);
  return (struct laws_place){worst, worst - 1, 0, 0};
}

/* Plans for tests. */
#ifndef SUPPORT_PLANS_H
#define SUPPORT_PLANS_H

#include <check.h>
#include <string.h>

#include "plan/mechanism.h"
#include "plan/plan.h"

/* `epsilon` NULL: none is given. */
static inline void plans_target(struct plan_target *target, const char *epsilon, const char *delta, uint32_t silences) {
  memset(target, 0, sizeof *target);
  if (epsilon) ck_assert_int_eq(plan_target_epsilon(target, "epsilon", epsilon), 0);
  ck_assert_int_eq(plan_target_delta(target, "delta", delta), 0);
  target->silences = silences;
}

/* Epsilon 8, delta 1e-5: a unanimous vote of a few hundred teachers is as good as never silent, and its winner as good as
 * always named. As many silences, answers, both, or votes of a record, as the mechanism has them. */
static inline void plans_make(struct plan_box *box, enum plan_mechanism mechanism, uint32_t silences) {
  struct plan_target target;
  plans_target(&target, "8", "1e-5", silences);
  if (mechanism == PLAN_MECHANISM_TOLL || mechanism == PLAN_MECHANISM_BOTH) target.answers = silences;
  if (mechanism == PLAN_MECHANISM_POLL) target.votes = silences;
  if (mechanism == PLAN_MECHANISM_TOLL || mechanism == PLAN_MECHANISM_POLL) target.silences = 0;
  ck_assert_int_eq(mechanism_of(mechanism)->make(&target, NULL, box), 0);
}

/* Whatever the planner hands out, the core has accepted for exactly the target. */
static inline void plans_expect_certified(const struct plan_target *target, const struct plan_box *box) {
  fumata_fault fault;
  ck_assert_int_eq(plan_certify(box, &box->claim, &fault), FUMATA_OK);
  ck_assert_uint_eq(box->claim.epsilon_num, target->epsilon_num);
  ck_assert_uint_eq(box->claim.epsilon_den, target->epsilon_den);
  ck_assert_uint_eq(box->claim.delta_num, target->delta_num);
  ck_assert_uint_eq(box->claim.delta_den, target->delta_den);
  ck_assert_uint_eq(plan_limit(box).silences, target->silences);
  ck_assert_uint_eq(plan_limit(box).answers, target->answers);
  ck_assert_uint_eq(plan_votes(box), target->votes);
}

/* The box holds a certified plan of the target at the smallest epsilon, up to 1, whose table reaches `distance` at 5 %. */
static inline void plans_expect_least(const struct plan_target *target, struct plan_box *box, uint32_t distance,
                                      double (*reach)(const struct plan_target *, double)) {
  struct plan_target less = *target;
  less.epsilon_num = box->claim.epsilon_num;
  less.epsilon_den = box->claim.epsilon_den;
  plans_expect_certified(&less, box);
  ck_assert(rational_value(less.epsilon_num, less.epsilon_den) <= 1.0);
  plan_free(box);
  less.epsilon_num *= 99;
  less.epsilon_den *= 100;
  ck_assert(reach(&less, 0.05) > distance);
}

#endif

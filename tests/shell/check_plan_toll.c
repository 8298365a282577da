#include <math.h>

#include "base/error.h"
#include "plan/plan_solve.h"
#include "plan/plan_toll.h"
#include "support/plans.h"
#include "support/scratch.h"

static struct plan_target answers_target(const char *epsilon, const char *delta, uint32_t answers) {
  struct plan_target target;
  plans_target(&target, epsilon, delta, 0);
  target.answers = answers;
  return target;
}

START_TEST(test_toll_far_and_wide) {
  static const struct {
    const char *epsilon, *delta;
    uint32_t answers;
  } cases[] = {{"0.05", "1e-5", 1},   {"0.1", "1e-9", 50},  {"1", "1e-12", 10},  {"50", "1e-5", 3},
               {"1/3", "1/7", 2},     {"3.16", "1e-5", 7},  {"10", "0.5", 1},    {"2", "1e-5", 1000000},
               {"0.5", "1e-15", 300}, {"20", "1e-6", 1000}, {"1", "1e-18", 100}, {"0.01", "1e-5", 100}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct plan_target target = answers_target(cases[i].epsilon, cases[i].delta, cases[i].answers);
    struct plan_box box;
    uint32_t d;
    ck_assert_msg(plan_toll_make(&target, NULL, &box) == 0, "case %zu", i);
    plans_expect_certified(&target, &box);
    ck_assert_int_eq(box.mechanism, PLAN_MECHANISM_TOLL);
    ck_assert(plan_miss(&box, PLAN_KIND_TOLL, 0) == 0.5);
    ck_assert(plan_miss(&box, PLAN_KIND_TOLL, UINT32_MAX) <= PLAN_FLOOR);
    ck_assert(plan_silence(&box, 1000000) == 1); /* it answers no query of the meter */
    d = plan_miss_distance(&box, PLAN_KIND_TOLL, 0.05);
    ck_assert(plan_miss(&box, PLAN_KIND_TOLL, d) <= 0.05 && plan_miss(&box, PLAN_KIND_TOLL, d - 1) > 0.05);
    /* The float distance and the table agree to a tenth of a percent. */
    ck_assert_msg(fabs(ceil(plan_toll_reach(&target, 0.05) * 1.0001) - d) <= 1 + 1e-3 * d, "case %zu", i);
    plan_free(&box);
  }
}
END_TEST

/* No entry can be any larger: the table is the extremal one. */
START_TEST(test_toll_is_extremal) {
  struct plan_target target = answers_target("1", "1e-5", 400);
  struct plan_box box;
  fumata_fault fault;
  ck_assert_int_eq(plan_toll_make(&target, NULL, &box), 0);
  for (uint32_t i = 0; i + 1 < box.toll.size; i++) {
    uint64_t kept = box.memory[1][i], others = 0 - kept;
    box.memory[1][i] = kept + others / 2000;
    ck_assert_msg(plan_certify(&box, &box.claim, &fault) != FUMATA_OK, "entry %u", i);
    ck_assert_int_eq(fault.kind, FUMATA_FAULT_ANSWER);
    box.memory[1][i] = kept;
  }
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_OK);
  ck_assert(fabs(plan_toll_log_u(box.toll.named, box.toll.size, box.claim.alpha) -
                 log(ldexp((double)box.claim.u, -32))) < 1e-7);
  plan_free(&box);
}
END_TEST

/* No other order does better. */
START_TEST(test_toll_order_is_the_best) {
  struct plan_target target = answers_target("0.5", "1e-6", 250);
  struct plan_budget budget = plan_budget(&target);
  struct plan_box box;
  double best;
  ck_assert_int_eq(plan_toll_make(&target, NULL, &box), 0);
  best = plan_toll_reach(&target, 0.05);
  for (double alpha = 2; alpha < 200; alpha++) {
    double log_u = plan_budget_moment(&budget, alpha, 0) / budget.answers;
    ck_assert_msg(plan_toll_cost(&plan_usual_aim, alpha, log_u) >= best - 1e-9, "alpha %g", alpha);
  }
  plan_free(&box);
}
END_TEST

START_TEST(test_toll_refuses) {
  struct plan_target target = answers_target("1/4294967295", "1e-5", 1);
  struct plan_box box;
  memset(&box, 0, sizeof box);
  scratch_expect(EXIT_REFUSED, plan_toll_make(&target, NULL, &box), "no plan keeps");
  ck_assert_ptr_null(box.memory[1]);
  target = answers_target("1", "1e-5", 0);
  scratch_expect(EXIT_INPUT, plan_toll_make(&target, NULL, &box), "answers: must be 1 to 1000000");
  target.answers = FUMATA_ANSWERS_MAX + 1;
  scratch_expect(EXIT_INPUT, plan_toll_make(&target, NULL, &box), "answers: must be 1 to 1000000");
}
END_TEST

/* A plan made for a profile is at least as good on it as the plan made for the distance. */
START_TEST(test_toll_profile) {
  double share[60], usual = 0, suited = 0;
  struct plan_aim aim = {.share = share, .size = 60};
  struct plan_target target = answers_target("1", "1e-5", 800);
  struct plan_box one, two;
  for (int d = 0; d < 60; d++)
    share[d] = 1.0 / 60;
  ck_assert_int_eq(plan_toll_make(&target, NULL, &one), 0);
  ck_assert_int_eq(plan_toll_make(&target, &aim, &two), 0);
  plans_expect_certified(&target, &two);
  for (uint32_t d = 0; d < 60; d++) {
    usual += share[d] * plan_miss(&one, PLAN_KIND_TOLL, d);
    suited += share[d] * plan_miss(&two, PLAN_KIND_TOLL, d);
  }
  ck_assert(suited <= usual * 1.0001);
  plan_free(&one);
  plan_free(&two);
}
END_TEST

START_TEST(test_largest_answers) {
  struct plan_target target = answers_target("1", "1e-5", 0), more;
  struct plan_box box;
  uint32_t answers;
  ck_assert_int_eq(plan_solve_most(&target, PLAN_KIND_TOLL, 99, 1 - 0.95, 1000000, &box, &answers), 0);
  ck_assert_uint_gt(answers, 400);
  ck_assert(plan_miss(&box, PLAN_KIND_TOLL, 99) <= 0.05);
  more = target;
  more.answers = answers;
  plans_expect_certified(&more, &box);
  plan_free(&box);
  more.answers = answers + 1;
  ck_assert_int_eq(plan_toll_make(&more, NULL, &box), 0);
  ck_assert(plan_miss(&box, PLAN_KIND_TOLL, 99) > 0.05);
  plan_free(&box);
  ck_assert_int_eq(plan_solve_most(&target, PLAN_KIND_TOLL, 99, 1 - 0.95, 7, &box, &answers), 0);
  ck_assert_uint_eq(answers, 7);
  plan_free(&box);
  ck_assert_int_eq(plan_solve_most(&target, PLAN_KIND_TOLL, 0, 1 - 0.95, 1000, &box, &answers), 0);
  ck_assert_uint_eq(answers, 0);
}
END_TEST

START_TEST(test_smallest_epsilon) {
  struct plan_target target = answers_target(NULL, "1e-5", 400);
  struct plan_box box;
  ck_assert_int_eq(plan_solve_epsilon(&target, PLAN_KIND_TOLL, 96, 1 - 0.95, &box), 0);
  ck_assert(plan_miss(&box, PLAN_KIND_TOLL, 96) <= 0.05);
  plans_expect_least(&target, &box, 96, plan_toll_reach);
  scratch_expect(EXIT_REFUSED, plan_solve_epsilon(&target, PLAN_KIND_TOLL, 0, 1 - 0.95, &box), "no epsilon below 100");
}
END_TEST

SCRATCH_MAIN("plan_toll", test_toll_far_and_wide, test_toll_is_extremal, test_toll_order_is_the_best, test_toll_refuses,
             test_toll_profile, test_largest_answers, test_smallest_epsilon)

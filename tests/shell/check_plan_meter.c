#include <math.h>

#include "base/error.h"
#include "base/rational.h"
#include "plan/plan_meter.h"
#include "plan/plan_solve.h"
#include "support/plans.h"
#include "support/scratch.h"

START_TEST(test_meter_far_and_wide) {
  static const struct {
    const char *epsilon, *delta;
    uint32_t silences;
  } cases[] = {{"0.05", "1e-5", 1},  {"0.1", "1e-9", 50},  {"1", "1e-12", 10},   {"50", "1e-5", 3},
               {"1/3", "1/7", 2},    {"3.16", "1e-5", 7},  {"2", "1e-5", 20000}, {"10", "0.5", 1},
               {"0.5", "1e-15", 30}, {"20", "1e-6", 1000}, {"1", "1e-18", 1}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct plan_target target;
    struct plan_box box;
    uint32_t d;
    plans_target(&target, cases[i].epsilon, cases[i].delta, cases[i].silences);
    ck_assert_msg(plan_meter_make(&target, NULL, &box) == 0, "case %zu", i);
    plans_expect_certified(&target, &box);
    ck_assert(plan_silence(&box, 0) == 1);
    ck_assert(plan_silence(&box, UINT32_MAX) <= PLAN_FLOOR);
    d = plan_distance(&box, 0.05);
    ck_assert(plan_silence(&box, d) <= 0.05 && plan_silence(&box, d - 1) > 0.05);
    /* The float distance and the table agree to a hundredth of a percent. */
    ck_assert(fabs(ceil(plan_meter_reach(&target, 0.05) * 1.0001) - d) <= 1 + 1e-3 * d);
    plan_free(&box);
  }
}
END_TEST

START_TEST(test_meter_refuses) {
  struct plan_target target;
  struct plan_box box;
  memset(&box, 0, sizeof box);
  plans_target(&target, "1", "1e-19", 1);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_REFUSED);
  ck_assert_ptr_null(box.memory[0]);
  plans_target(&target, "1/4294967295", "1e-5", 1);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_REFUSED);
  plans_target(&target, "1", "1e-5", 0);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_INPUT);
  target.silences = FUMATA_SILENCES_MAX + 1;
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_INPUT);
}
END_TEST

/* A plan made for a profile is at least as good on it as the plan made for the distance. */
START_TEST(test_meter_profile) {
  double share[126];
  struct plan_aim aim = {.share = share, .size = 126};
  struct plan_target target;
  struct plan_box one, two;
  double silent_one = 0, silent_two = 0;
  int d;
  for (d = 0; d < 126; d++)
    share[d] = d / 7875.0;
  plans_target(&target, "2", "1e-5", 50);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &one), 0);
  ck_assert_int_eq(plan_meter_make(&target, &aim, &two), 0);
  plans_expect_certified(&target, &two);
  for (d = 0; d < 126; d++) {
    silent_one += share[d] * plan_silence(&one, (uint32_t)d);
    silent_two += share[d] * plan_silence(&two, (uint32_t)d);
  }
  ck_assert(silent_two <= silent_one * 1.0001);
  plan_free(&one);
  plan_free(&two);
}
END_TEST

START_TEST(test_largest_silences) {
  struct plan_target target, more;
  struct plan_box box;
  uint32_t silences;
  plans_target(&target, "1", "1e-5", 0);
  ck_assert_int_eq(plan_solve_most(&target, PLAN_KIND_METER, 124, 0.05, 1000000, &box, &silences), 0);
  ck_assert_uint_gt(silences, 10);
  ck_assert(plan_silence(&box, 124) <= 0.05);
  more = target;
  more.silences = silences;
  plans_expect_certified(&more, &box);
  plan_free(&box);
  more.silences = silences + 1;
  ck_assert_int_eq(plan_meter_make(&more, NULL, &box), 0);
  ck_assert(plan_silence(&box, 124) > 0.05);
  plan_free(&box);
  ck_assert_int_eq(plan_solve_most(&target, PLAN_KIND_METER, 124, 0.05, 3, &box, &silences), 0);
  ck_assert_uint_eq(silences, 3);
  plan_free(&box);
  ck_assert_int_eq(plan_solve_most(&target, PLAN_KIND_METER, 5, 0.05, 1000, &box, &silences), 0);
  ck_assert_uint_eq(silences, 0);
}
END_TEST

START_TEST(test_smallest_epsilon) {
  struct plan_target target;
  struct plan_box box;
  plans_target(&target, NULL, "1e-5", 20);
  ck_assert_int_eq(plan_solve_epsilon(&target, PLAN_KIND_METER, 130, 0.05, &box), 0);
  ck_assert(plan_silence(&box, 130) <= 0.05);
  plans_expect_least(&target, &box, 130, plan_meter_reach);
  ck_assert_int_eq(plan_solve_epsilon(&target, PLAN_KIND_METER, 0, 0.05, &box), EXIT_REFUSED);
}
END_TEST

SCRATCH_MAIN("plan_meter", test_meter_far_and_wide, test_meter_refuses, test_meter_profile, test_largest_silences,
             test_smallest_epsilon)

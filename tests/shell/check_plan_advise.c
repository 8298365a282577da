#include "base/error.h"
#include "plan/plan_advise.h"
#include "plan/plan_meter.h"
#include "support/plans.h"
#include "support/scratch.h"

START_TEST(test_advice) {
  struct plan_setting setting = {20000, 5000, 0, 0};
  struct plan_target target;
  struct plan_box box;
  uint32_t teachers = 0;
  plans_target(&target, "2", "1e-5", 0);
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_ge(target.silences, 1);
  ck_assert_uint_le(teachers, 500);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  ck_assert_uint_le(plan_teachers(&box, 0.9, 0.05), teachers + 5);
  plan_free(&box);
  /* Data in plenty: as many silences as the queries can use. */
  setting.records = 10000000;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(target.silences, 605);
  setting.records = 100;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), EXIT_REFUSED);
}
END_TEST

START_TEST(test_budgets_that_protect_nobody) {
  struct rational none = {0, 0}, most = {20, 1}, over = {2000001, 100000}, below = {9999, 1000000},
                  hundredth = {1, 100};
  ck_assert_int_eq(plan_advise_budget(NULL, none, none), 0);
  ck_assert_int_eq(plan_advise_budget(NULL, most, below), 0);
  scratch_expect(EXIT_REFUSED, plan_advise_budget(NULL, over, below), "epsilon 20.00001 is too large");
  scratch_expect(EXIT_REFUSED, plan_advise_budget("a.plan", most, hundredth), "a.plan: delta 0.01 is too large");
}
END_TEST

/* At the edge: one teacher fewer and a unanimous vote is silent more often than not. */
START_TEST(test_enough_teachers) {
  struct plan_target target;
  struct plan_box box;
  uint32_t teachers = 1, silences;
  plans_target(&target, "1", "1e-5", 20);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  while (plan_silence(&box, plan_vote_distance(teachers, teachers)) > 0.5)
    teachers++;
  ck_assert_int_eq(plan_advise_enough(&box, teachers), 0);
  scratch_expect(EXIT_REFUSED, plan_advise_enough(&box, teachers - 1), "even a unanimous vote");
  plan_free(&box);
  ck_assert_int_eq(plan_advise_most(&target, 1000, 30, &silences), 0);
  ck_assert_uint_eq(silences, 30);
  ck_assert_int_eq(plan_advise_most(&target, 3, 30, &silences), 0);
  ck_assert_uint_eq(silences, 1);
  ck_assert_int_eq(plan_advise_most(&target, 200, 300, &silences), 0);
  target.silences = silences;
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  ck_assert_int_eq(plan_advise_enough(&box, 200), 0);
  plan_free(&box);
}
END_TEST

START_TEST(test_enough_teachers_for_answers) {
  struct plan_target target;
  struct plan_box box;
  uint32_t teachers = 3;
  plans_target(&target, "1", "1e-5", 0);
  target.answers = 400;
  ck_assert_int_eq(mechanism_of(PLAN_MECHANISM_TOLL)->make(&target, NULL, &box), 0);
  while (plan_miss(&box, PLAN_KIND_TOLL, plan_vote_distance(teachers, teachers)) > PLAN_UNANIMOUS_LOSER)
    teachers++;
  ck_assert_int_eq(plan_advise_enough(&box, teachers), 0);
  scratch_expect(EXIT_REFUSED, plan_advise_enough(&box, teachers - 1), "answered with its loser");
  scratch_expect(EXIT_REFUSED, plan_advise_enough(&box, teachers - 1), "this plan takes 239 teachers, or at most ");
  plan_free(&box);
  target.silences = 20; /* of both kinds the silences are what asks for more */
  ck_assert_int_eq(mechanism_of(PLAN_MECHANISM_BOTH)->make(&target, NULL, &box), 0);
  scratch_expect(EXIT_REFUSED, plan_advise_enough(&box, 120), "be silent");
  ck_assert_int_eq(plan_advise_enough(&box, 300), 0);
  plan_free(&box);
}
END_TEST

SCRATCH_MAIN("plan_advise", test_advice, test_budgets_that_protect_nobody, test_enough_teachers,
             test_enough_teachers_for_answers)

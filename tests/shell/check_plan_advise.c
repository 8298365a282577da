#include "base/error.h"
#include "plan/plan_advise.h"
#include "plan/plan_meter.h"
#include "plan/plan_toll.h"
#include "support/plans.h"
#include "support/scratch.h"

/* Silences alone: as many as there are well taught teachers for; where these are too few for one, teachers of less. */
START_TEST(test_advice_of_silences) {
  struct plan_setting setting = {.mechanism = PLAN_MECHANISM_METER, .units = 20000, .queries = 5000, .classes = 2};
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
  setting.units = 10000000;
  target.silences = teachers = 0;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(target.silences, 605);
  setting.units = 1500;
  target.silences = teachers = 0;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_gt(teachers, 1500 / PLAN_RECORDS);
  ck_assert_uint_le(teachers, 1500 / PLAN_LEARN_UNITS);
  setting.units = 100;
  target.silences = teachers = 0;
  scratch_expect(EXIT_REFUSED, plan_advise(&target, &setting, &teachers), "about 100 units are too few");
}
END_TEST

/* Answers: k and L by the rule, what was said stays, and more of either kind would miss what the rule promises. */
START_TEST(test_advice_of_answers) {
  struct plan_setting setting = {.mechanism = PLAN_MECHANISM_TOLL, .units = 8000, .queries = 5000, .classes = 2};
  struct plan_target target;
  uint32_t teachers = 0;
  ck_assert_int_eq(plan_advise_mechanism(2), PLAN_MECHANISM_TOLL);
  ck_assert_int_eq(plan_advise_mechanism(3), PLAN_MECHANISM_BOTH);
  plans_target(&target, "1", "1e-5", 0);
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(teachers, 140); /* 0.35 * 8000^(2/3) */
  ck_assert_uint_eq(target.silences, 0);
  ck_assert_double_le(plan_toll_reach(&target, 1 - PLAN_LEARN_NAMED), plan_vote_distance(140, 140));
  target.answers++;
  ck_assert_double_gt(plan_toll_reach(&target, 1 - PLAN_LEARN_NAMED), plan_vote_distance(140, 140));
  setting.queries = 50; /* nothing is asked twice */
  target.answers = 0;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(target.answers, 50);
  setting.queries = setting.units = 10000000; /* data in plenty */
  target.answers = teachers = 0;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(teachers, PLAN_LEARN_TEACHERS);
  teachers = 77, target.answers = 33;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert(teachers == 77 && target.answers == 33 && target.silences == 0);
  teachers = 6, target.answers = 0;
  setting.units = 0;
  scratch_expect(EXIT_REFUSED, plan_advise(&target, &setting, &teachers), "6 teachers are too few for this epsilon");
}
END_TEST

/* More than two classes: some silences beside answers, up to five a class. */
START_TEST(test_advice_of_both) {
  struct plan_setting setting = {.mechanism = PLAN_MECHANISM_BOTH, .units = 50000, .queries = 10000, .classes = 10};
  struct plan_target target;
  uint32_t teachers = 0;
  plans_target(&target, "4", "1e-5", 0);
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(teachers, PLAN_LEARN_TEACHERS_MANY / 2);
  ck_assert_uint_eq(target.silences, 50);
  ck_assert_uint_eq(target.answers, PLAN_LEARN_ANSWERS_BOTH);
  plans_target(&target, "1/4", "1e-5", 0);
  teachers = target.answers = 0;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_lt(target.silences, 50);
}
END_TEST

/* The papers' own noise takes thousands of teachers; ours, in the same mechanism, fewer. */
START_TEST(test_advice_of_classic) {
  struct plan_setting setting = {.mechanism = PLAN_MECHANISM_CLASSIC,
                                 .units = 200000,
                                 .queries = 1000,
                                 .classes = 2,
                                 .constants = PLAN_CONSTANTS_LIU};
  struct plan_target target;
  uint32_t theirs = 0, ours = 0;
  plans_target(&target, "2", "1e-5", 4);
  ck_assert_int_eq(plan_advise(&target, &setting, &theirs), 0);
  setting.constants = PLAN_CONSTANTS_OURS;
  ck_assert_int_eq(plan_advise(&target, &setting, &ours), 0);
  ck_assert_uint_lt(ours * 3, theirs);
  setting.units = 500;
  ours = 0;
  scratch_expect(EXIT_REFUSED, plan_advise(&target, &setting, &ours), "too few units or teachers");
}
END_TEST

START_TEST(test_budgets_that_do_not_protect) {
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

SCRATCH_MAIN("plan_advise", test_advice_of_silences, test_advice_of_answers, test_advice_of_both,
             test_advice_of_classic, test_budgets_that_do_not_protect, test_enough_teachers,
             test_enough_teachers_for_answers)

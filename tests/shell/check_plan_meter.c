#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rational.h"
#include "core/ballot.h"
#include "plan/plan_classic.h"
#include "plan/plan_meter.h"

static void aim_at(struct plan_target *target, const char *epsilon, const char *delta, uint32_t silences) {
  memset(target, 0, sizeof *target);
  if (epsilon) ck_assert_int_eq(plan_target_epsilon(target, "epsilon", epsilon), 0);
  ck_assert_int_eq(plan_target_delta(target, "delta", delta), 0);
  target->silences = silences;
}

START_TEST(test_rational_reads_exactly) {
  static const struct {
    const char *text;
    uint64_t num, den;
    const char *back;
  } cases[] = {{"3.16", 79, 25, "3.16"},
               {"1e-5", 1, 100000, "1e-5"},
               {"1E-5", 1, 100000, "1e-5"},
               {"0.00001", 1, 100000, "1e-5"},
               {"0.1", 1, 10, "0.1"},
               {"4.40", 22, 5, "4.4"},
               {"8", 8, 1, "8"},
               {"2.5e2", 250, 1, "250"},
               {"1/3", 1, 3, "1/3"},
               {"6/4", 3, 2, "1.5"},
               {".5", 1, 2, "0.5"},
               {"5.", 5, 1, "5"},
               {"007", 7, 1, "7"},
               {"1.23e-7", 123, 1000000000, "1.23e-7"},
               {"1.2e-7", 12, 100000000, "1.2e-7"},
               {"18446744073709551615", UINT64_MAX, 1, "18446744073709551615"},
               {"1e-19", 1, UINT64_C(10000000000000000000), "1e-19"},
               {"1000000000000000000e-18", 1, 1, "1"}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rational got = {0, 0}, again = {0, 0};
    char text[RATIONAL_TEXT];
    uint64_t a = cases[i].num, b = cases[i].den;
    while (b) {
      uint64_t rest = a % b;
      a = b, b = rest;
    }
    ck_assert_msg(rational_parse(cases[i].text, &got) == 0, "%s", cases[i].text);
    ck_assert_uint_eq(got.num, cases[i].num / a);
    ck_assert_uint_eq(got.den, cases[i].den / a);
    rational_print(got.num, got.den, text);
    ck_assert_str_eq(text, cases[i].back);
    ck_assert_int_eq(rational_parse(text, &again), 0);
    ck_assert_uint_eq(again.num, got.num);
    ck_assert_uint_eq(again.den, got.den);
  }
}
END_TEST

START_TEST(test_rational_refuses) {
  static const char *const bad[] = {"",
                                    "0",
                                    "0.0",
                                    "-1",
                                    "+1",
                                    " 1",
                                    "1 ",
                                    "1,5",
                                    "1e",
                                    "e5",
                                    ".",
                                    "1/0",
                                    "0/5",
                                    "1/",
                                    "1/2/3",
                                    "1/-2",
                                    "nan",
                                    "inf",
                                    "0x10",
                                    "1e20",
                                    "1e-20",
                                    "1e99999999999",
                                    "18446744073709551616",
                                    "1.5/2",
                                    "1..2"};
  size_t i;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct rational got = {7, 9};
    ck_assert_msg(rational_parse(bad[i], &got) == -1, "'%s' was read", bad[i]);
    ck_assert(got.num == 7 && got.den == 9);
  }
}
END_TEST

START_TEST(test_targets_refuse) {
  struct plan_target target;
  memset(&target, 0, sizeof target);
  ck_assert_int_eq(plan_target_epsilon(&target, "--epsilon", "0"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_epsilon(&target, "--epsilon", "4294967296"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_delta(&target, "--delta", "1"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_delta(&target, "--delta", "x"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_delta(&target, "--delta", "1e-19"), 0);
}
END_TEST

/* Whatever the planner hands out, the core has accepted for exactly the target. */
static void expect_certified(const struct plan_target *target, const struct plan_box *box) {
  fumata_fault fault;
  ck_assert_int_eq(plan_certify(box, &box->claim, &fault), FUMATA_OK);
  ck_assert_uint_eq(box->claim.epsilon_num, target->epsilon_num);
  ck_assert_uint_eq(box->claim.epsilon_den, target->epsilon_den);
  ck_assert_uint_eq(box->claim.delta_num, target->delta_num);
  ck_assert_uint_eq(box->claim.delta_den, target->delta_den);
  ck_assert_uint_eq(plan_limit(box), target->silences);
}

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
    aim_at(&target, cases[i].epsilon, cases[i].delta, cases[i].silences);
    ck_assert_msg(plan_meter_make(&target, NULL, &box) == 0, "case %zu", i);
    expect_certified(&target, &box);
    ck_assert(plan_silence(&box, 0) == 1);
    ck_assert(plan_silence(&box, UINT32_MAX) <= PLAN_METER_FLOOR);
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
  aim_at(&target, "1", "1e-19", 1);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_REFUSED);
  ck_assert_ptr_null(box.memory[0]);
  aim_at(&target, "1/4294967295", "1e-5", 1);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_REFUSED);
  aim_at(&target, "1", "1e-5", 0);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_INPUT);
  target.silences = FUMATA_SILENCES_MAX + 1;
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), EXIT_INPUT);
}
END_TEST

/* A plan made for a profile is at least as good on it as the plan made for the distance. */
START_TEST(test_meter_profile) {
  double share[126];
  struct plan_aim aim = {0, share, 126};
  struct plan_target target;
  struct plan_box one, two;
  double silent_one = 0, silent_two = 0;
  int d;
  for (d = 0; d < 126; d++)
    share[d] = d / 7875.0;
  aim_at(&target, "2", "1e-5", 50);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &one), 0);
  ck_assert_int_eq(plan_meter_make(&target, &aim, &two), 0);
  expect_certified(&target, &two);
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
  aim_at(&target, "1", "1e-5", 0);
  ck_assert_int_eq(plan_meter_silences(&target, 124, 0.05, 1000000, &box, &silences), 0);
  ck_assert_uint_gt(silences, 10);
  ck_assert(plan_silence(&box, 124) <= 0.05);
  more = target;
  more.silences = silences;
  expect_certified(&more, &box);
  plan_free(&box);
  more.silences = silences + 1;
  ck_assert_int_eq(plan_meter_make(&more, NULL, &box), 0);
  ck_assert(plan_silence(&box, 124) > 0.05);
  plan_free(&box);
  ck_assert_int_eq(plan_meter_silences(&target, 124, 0.05, 3, &box, &silences), 0);
  ck_assert_uint_eq(silences, 3);
  plan_free(&box);
  ck_assert_int_eq(plan_meter_silences(&target, 5, 0.05, 1000, &box, &silences), 0);
  ck_assert_uint_eq(silences, 0);
}
END_TEST

START_TEST(test_smallest_epsilon) {
  struct plan_target target, less;
  struct plan_box box;
  aim_at(&target, NULL, "1e-5", 20);
  ck_assert_int_eq(plan_meter_epsilon(&target, 130, 0.05, &box), 0);
  ck_assert(plan_silence(&box, 130) <= 0.05);
  less = target;
  less.epsilon_num = box.claim.epsilon_num;
  less.epsilon_den = box.claim.epsilon_den;
  expect_certified(&less, &box);
  ck_assert(rational_value(less.epsilon_num, less.epsilon_den) <= 1.0);
  plan_free(&box);
  less.epsilon_num *= 99;
  less.epsilon_den *= 100;
  ck_assert(plan_meter_reach(&less, 0.05) > 130);
  ck_assert_int_eq(plan_meter_epsilon(&target, 0, 0.05, &box), EXIT_REFUSED);
}
END_TEST

START_TEST(test_vote_distance_is_the_ballots) {
  uint32_t teachers, agreeing;
  for (teachers = 1; teachers < 60; teachers++)
    for (agreeing = (teachers + 1) / 2; agreeing <= teachers; agreeing++) {
      uint32_t counts[2] = {agreeing, teachers - agreeing};
      fumata_verdict verdict;
      ck_assert_int_eq(fumata_ballot_decide(counts, 2, &verdict), FUMATA_OK);
      ck_assert_uint_eq(plan_vote_distance(teachers, agreeing), verdict.distance);
    }
}
END_TEST

START_TEST(test_teachers_suffice) {
  static const double agreements[] = {1, 0.95, 0.9, 0.75};
  struct plan_target target;
  struct plan_box box;
  size_t i;
  aim_at(&target, "2", "1e-5", 20);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  for (i = 0; i < 4; i++) {
    uint32_t least = plan_teachers(&box, agreements[i], 0.05), k;
    for (k = least; k < 3000; k++)
      ck_assert(plan_silence(&box, plan_vote_distance(k, (uint32_t)floor(agreements[i] * k + 1e-9))) <= 0.05);
    k = least - 1;
    ck_assert(plan_silence(&box, plan_vote_distance(k, (uint32_t)floor(agreements[i] * k + 1e-9))) > 0.05);
  }
  ck_assert_uint_eq(plan_teachers(&box, 0.5, 0.05), UINT32_MAX);
  ck_assert_uint_eq(plan_teachers(&box, 1, 1e-9), UINT32_MAX);
  plan_free(&box);
}
END_TEST

START_TEST(test_advice) {
  struct plan_setting setting = {20000, 5000, 0, 0};
  struct plan_target target;
  struct plan_box box;
  uint32_t teachers = 0;
  aim_at(&target, "2", "1e-5", 0);
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

/* Discrete Laplace noise with the paper's constants: certified, and well below the epsilon that the paper proves. */
START_TEST(test_paper_constants) {
  struct plan_target target;
  struct plan_box box;
  fumata_claim claim;
  fumata_fault fault;
  struct plan_paper paper;
  double epsilon;
  aim_at(&target, "1", "1e-5", 20);
  plan_classic_constants(&target, 1000, 0.1, &paper);
  ck_assert(fabs(paper.lambda - 88.3849) < 1e-3);
  ck_assert(fabs(paper.width - 3379) < 1);
  ck_assert_int_eq(plan_classic_paper(&target, 1000, &box), 0);
  ck_assert_int_eq(box.classic.width, 3379);
  ck_assert_int_eq(fumata_certify_classic(&box.classic, &box.claim, &fault), FUMATA_OK);
  epsilon = rational_value(box.claim.epsilon_num, box.claim.epsilon_den);
  ck_assert(epsilon > 0.3 && epsilon < 0.4);
  claim = box.claim;
  claim.epsilon_num = claim.epsilon_den = 1;
  ck_assert_int_eq(fumata_certify_classic(&box.classic, &claim, &fault), FUMATA_OK);
  claim = box.claim;
  claim.epsilon_num *= 99;
  claim.epsilon_den *= 100;
  ck_assert_int_ne(fumata_certify_classic(&box.classic, &claim, &fault), FUMATA_OK);
  plan_free(&box);
}
END_TEST

START_TEST(test_classic_tight) {
  static const char *const epsilons[] = {"0.5", "1", "4", "10"};
  int i;
  for (i = 0; i < 8; i++) {
    struct plan_target target;
    struct plan_box box, paper;
    aim_at(&target, epsilons[i % 4], "1e-5", i < 4 ? 5 : 100);
    ck_assert_int_eq(plan_classic_make(&target, NULL, &box), 0);
    expect_certified(&target, &box);
    ck_assert_int_eq(plan_classic_paper(&target, 1000, &paper), 0);
    ck_assert_uint_lt(3 * plan_distance(&box, 0.05), plan_distance(&paper, 0.05));
    plan_free(&box);
    plan_free(&paper);
  }
}
END_TEST

/* The silence of a classic plan, from its definition: every pair of outcomes. */
START_TEST(test_classic_silence) {
  uint64_t one[2] = {UINT64_C(1) << 61, UINT64_C(3) << 62},
           two[3] = {UINT64_C(1) << 60, UINT64_C(1) << 62, UINT64_C(1) << 63};
  struct plan_box box;
  uint32_t d;
  memset(&box, 0, sizeof box);
  box.mechanism = PLAN_MECHANISM_CLASSIC;
  box.classic.threshold = (fumata_noise){one, 2, -1};
  box.classic.query = (fumata_noise){two, 3, -2};
  box.classic.width = 1;
  for (d = 0; d < 6; d++) {
    static const double p[3] = {0.125, 0.625, 0.25}, q[4] = {0.0625, 0.1875, 0.25, 0.5};
    double sum = 0;
    int i, j;
    for (i = 0; i < 3; i++)
      for (j = 0; j < 4; j++)
        if (j == 0 || (int)d + j - 2 <= 1 + i - 1) sum += p[i] * q[j];
    ck_assert(fabs(plan_silence(&box, d) - sum) < 1e-12);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("planner");
  TCase *all = tcase_create("all");
  SRunner *runner = srunner_create(suite);
  int failed;
  tcase_set_timeout(all, 60);
  tcase_add_test(all, test_rational_reads_exactly);
  tcase_add_test(all, test_rational_refuses);
  tcase_add_test(all, test_targets_refuse);
  tcase_add_test(all, test_meter_far_and_wide);
  tcase_add_test(all, test_meter_refuses);
  tcase_add_test(all, test_meter_profile);
  tcase_add_test(all, test_largest_silences);
  tcase_add_test(all, test_smallest_epsilon);
  tcase_add_test(all, test_vote_distance_is_the_ballots);
  tcase_add_test(all, test_teachers_suffice);
  tcase_add_test(all, test_advice);
  tcase_add_test(all, test_paper_constants);
  tcase_add_test(all, test_classic_tight);
  tcase_add_test(all, test_classic_silence);
  suite_add_tcase(suite, all);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

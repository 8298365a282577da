#include <math.h>

#include "base/error.h"
#include "plan/plan_both.h"
#include "plan/plan_meter.h"
#include "plan/plan_toll.h"
#include "support/plans.h"
#include "support/scratch.h"

static struct plan_target both_target(const char *epsilon, const char *delta, uint32_t silences, uint32_t answers) {
  struct plan_target target;
  plans_target(&target, epsilon, delta, silences);
  target.answers = answers;
  return target;
}

START_TEST(test_both_far_and_wide) {
  static const struct {
    const char *epsilon, *delta;
    uint32_t silences, answers;
  } cases[] = {{"1", "1e-5", 20, 400}, {"0.1", "1e-9", 5, 50}, {"4", "1e-5", 1, 1},      {"20", "1e-6", 1000, 3},
               {"1/3", "1/7", 2, 900}, {"2", "1e-5", 1, 5000}, {"0.5", "1e-12", 100, 10}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct plan_target target = both_target(cases[i].epsilon, cases[i].delta, cases[i].silences, cases[i].answers);
    struct plan_box box, meter, toll;
    ck_assert_msg(plan_both_make(&target, NULL, &box) == 0, "case %zu", i);
    plans_expect_certified(&target, &box);
    ck_assert_int_eq(box.mechanism, PLAN_MECHANISM_BOTH);
    ck_assert(plan_silence(&box, 0) == 1 && plan_miss(&box, PLAN_KIND_TOLL, 0) == 0.5);
    /* Each is worth less than alone with the whole budget, and not nothing. */
    ck_assert_int_eq(plan_meter_make(&target, NULL, &meter), 0);
    ck_assert_int_eq(plan_toll_make(&target, NULL, &toll), 0);
    ck_assert_uint_ge(plan_distance(&box, 0.05), plan_distance(&meter, 0.05));
    ck_assert_uint_ge(plan_miss_distance(&box, PLAN_KIND_TOLL, 0.05), plan_miss_distance(&toll, PLAN_KIND_TOLL, 0.05));
    ck_assert_uint_le(plan_distance(&box, 0.05), 4 * plan_distance(&meter, 0.05));
    ck_assert_uint_le(plan_miss_distance(&box, PLAN_KIND_TOLL, 0.05),
                      5 * plan_miss_distance(&toll, PLAN_KIND_TOLL, 0.05));
    plan_free(&box);
    plan_free(&meter);
    plan_free(&toll);
  }
}
END_TEST

static uint32_t sum_of_distances(const struct plan_target *target, double share) {
  struct plan_aim aim = {.silence = PLAN_SILENCE, .answers = share};
  struct plan_box box;
  uint32_t sum;
  ck_assert_int_eq(plan_both_make(target, &aim, &box), 0);
  plans_expect_certified(target, &box);
  sum = plan_distance(&box, 0.05) + plan_miss_distance(&box, PLAN_KIND_TOLL, 0.05);
  plan_free(&box);
  return sum;
}

/* No other share of the budget brings the sum of the distances down further; a larger one serves answers better. */
START_TEST(test_both_shares) {
  struct plan_target target = both_target("1", "1e-5", 50, 300);
  struct plan_aim little = {.silence = PLAN_SILENCE, .answers = 0.1}, much = {.silence = PLAN_SILENCE, .answers = 0.8};
  uint32_t best = sum_of_distances(&target, 0);
  struct plan_box one, two;
  for (double share = 0.05; share < 1; share += 0.1)
    ck_assert_uint_le(best, sum_of_distances(&target, share) + 1);
  ck_assert_int_eq(plan_both_make(&target, &little, &one), 0);
  ck_assert_int_eq(plan_both_make(&target, &much, &two), 0);
  ck_assert_uint_lt(plan_distance(&one, 0.05), plan_distance(&two, 0.05));
  ck_assert_uint_gt(plan_miss_distance(&one, PLAN_KIND_TOLL, 0.05), plan_miss_distance(&two, PLAN_KIND_TOLL, 0.05));
  plan_free(&one);
  plan_free(&two);
}
END_TEST

/* One silence or one answer more, or an order less, and the core refuses. */
START_TEST(test_both_is_tight) {
  struct plan_target target = both_target("1", "1e-5", 20, 400);
  struct plan_box box;
  fumata_fault fault;
  ck_assert_int_eq(plan_both_make(&target, NULL, &box), 0);
  box.meter.limit++;
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_ERR_UNCERTIFIED);
  box.meter.limit--, box.toll.limit++;
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_ERR_UNCERTIFIED);
  box.toll.limit--, box.claim.alpha--;
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_ERR_UNCERTIFIED);
  box.claim.alpha++;
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_OK);
  plan_free(&box);
}
END_TEST

START_TEST(test_both_refuses) {
  struct plan_target target = both_target("1", "1e-5", 0, 5);
  struct plan_box box;
  scratch_expect(EXIT_INPUT, plan_both_make(&target, NULL, &box), "silences: must be");
  target = both_target("1", "1e-5", 5, 0);
  scratch_expect(EXIT_INPUT, plan_both_make(&target, NULL, &box), "answers: must be");
  target = both_target("1/4294967295", "1e-5", 5, 5);
  scratch_expect(EXIT_REFUSED, plan_both_make(&target, NULL, &box), "with 5 silences and 5 answers");
  ck_assert_ptr_null(box.memory[0]);
  ck_assert_ptr_null(box.memory[1]);
}
END_TEST

SCRATCH_MAIN("plan_both", test_both_far_and_wide, test_both_shares, test_both_is_tight, test_both_refuses)

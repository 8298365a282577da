#include <math.h>

#include "base/rational.h"
#include "plan/plan_classic.h"
#include "support/plans.h"
#include "support/scratch.h"

/* Discrete Laplace noise with the paper's constants: certified, and well below the epsilon that the paper proves. */
START_TEST(test_paper_constants) {
  struct plan_target target;
  struct plan_box box;
  fumata_claim claim;
  fumata_fault fault;
  struct plan_paper paper;
  double epsilon;
  plans_target(&target, "1", "1e-5", 20);
  plan_classic_constants(&target, 1000, 0.1, &paper);
  ck_assert(fabs(paper.lambda - 88.3849) < 1e-3);
  ck_assert(fabs(paper.width - 3379) < 1);
  ck_assert_int_eq(plan_classic_paper(&target, &paper, &box), 0);
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
    struct plan_paper constants;
    struct plan_box box, paper;
    plans_target(&target, epsilons[i % 4], "1e-5", i < 4 ? 5 : 100);
    ck_assert_int_eq(plan_classic_make(&target, NULL, &box), 0);
    plans_expect_certified(&target, &box);
    plan_classic_constants(&target, 1000, 0.1, &constants);
    ck_assert_int_eq(plan_classic_paper(&target, &constants, &paper), 0);
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

SCRATCH_MAIN("plan_classic", test_paper_constants, test_classic_tight, test_classic_silence)

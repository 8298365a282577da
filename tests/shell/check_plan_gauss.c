#include <math.h>

#include "base/error.h"
#include "plan/plan_gauss.h"
#include "plan/plan_toll.h"
#include "support/plans.h"
#include "support/scratch.h"

static struct plan_target answers_target(const char *epsilon, uint32_t answers) {
  struct plan_target target;
  plans_target(&target, epsilon, "1e-5", 0);
  target.answers = answers;
  return target;
}

/* The paper's equation holds of its sigma. */
START_TEST(test_sigma_of_the_paper) {
  static const char *const epsilons[] = {"0.25", "1", "4"};
  for (int i = 0; i < 3; i++) {
    struct plan_target target = answers_target(epsilons[i], 400);
    double sigma = plan_gauss_sigma(&target), epsilon = rational_value(target.epsilon_num, target.epsilon_den);
    ck_assert(fabs(sqrt(2 * 400 * log(1e5)) / sigma + 400 / (2 * sigma * sigma) - epsilon) < 1e-9);
  }
}
END_TEST

static double phi(double x) {
  return erfc(-x / sqrt(2)) / 2;
}

START_TEST(test_the_paper_costs_less_than_it_says) {
  struct plan_target target = answers_target("1", 400);
  double sigma = plan_gauss_sigma(&target), epsilon;
  struct plan_box box;
  fumata_claim less;
  fumata_fault fault;
  ck_assert_int_eq(plan_gauss_paper(&target, sigma, &box), 0);
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_OK);
  for (uint32_t d = 0; d < 300; d += 7)
    ck_assert(fabs(1 - plan_miss(&box, PLAN_KIND_TOLL, d) - phi(d / sigma)) < 1e-12);
  epsilon = rational_value(box.claim.epsilon_num, box.claim.epsilon_den);
  ck_assert(epsilon > 0.6 && epsilon < 0.65);
  for (uint32_t alpha = 2; alpha < 300; alpha++) { /* whatever the order: not for one percent less */
    less = box.claim;
    less.epsilon_num *= 99;
    less.epsilon_den *= 100;
    less.alpha = alpha;
    less.u = (uint64_t)ceil(ldexp(exp(plan_toll_log_u(box.toll.named, box.toll.size, alpha)) * (1 + 1e-8), 32)) + 1;
    ck_assert_int_ne(plan_certify(&box, &less, &fault), FUMATA_OK);
  }
  plan_free(&box);
}
END_TEST

/* Between the extremal table and the paper's. */
START_TEST(test_the_narrowest) {
  static const char *const epsilons[] = {"0.5", "1", "8"};
  for (int i = 0; i < 6; i++) {
    struct plan_target target = answers_target(epsilons[i % 3], i < 3 ? 50 : 800);
    struct plan_box ours, gauss, paper;
    double sigma;
    ck_assert_int_eq(plan_toll_make(&target, NULL, &ours), 0);
    ck_assert_int_eq(plan_gauss_make(&target, &gauss, &sigma), 0);
    plans_expect_certified(&target, &gauss);
    ck_assert_int_eq(plan_gauss_paper(&target, plan_gauss_sigma(&target), &paper), 0);
    ck_assert(sigma < plan_gauss_sigma(&target));
    ck_assert_uint_le(plan_miss_distance(&ours, PLAN_KIND_TOLL, 0.05),
                      plan_miss_distance(&gauss, PLAN_KIND_TOLL, 0.05));
    ck_assert_uint_lt(plan_miss_distance(&gauss, PLAN_KIND_TOLL, 0.05),
                      plan_miss_distance(&paper, PLAN_KIND_TOLL, 0.05));
    plan_free(&ours);
    plan_free(&gauss);
    plan_free(&paper);
  }
}
END_TEST

START_TEST(test_gauss_refuses) {
  struct plan_target target = answers_target("1", 0);
  struct plan_box box;
  double sigma;
  scratch_expect(EXIT_INPUT, plan_gauss_make(&target, &box, &sigma), "answers: must be");
  target = answers_target("1/1000000", 1000000);
  scratch_expect(EXIT_REFUSED, plan_gauss_make(&target, &box, &sigma), "no Gaussian noise");
  ck_assert_int_eq(plan_gauss_paper(&target, 1e9, &box), -1);
  ck_assert_ptr_null(box.memory[1]);
}
END_TEST

SCRATCH_MAIN("plan_gauss", test_sigma_of_the_paper, test_the_paper_costs_less_than_it_says, test_the_narrowest,
             test_gauss_refuses)

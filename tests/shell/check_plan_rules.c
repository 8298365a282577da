/* The papers' rules, against numbers worked out by hand. */
#include "plan/plan_rules.h"
#include "support/plans.h"
#include "support/scratch.h"

START_TEST(test_error_rate) {
  ck_assert_uint_eq(plan_rules_error_rate(0, 1000), 1);
  ck_assert_uint_eq(plan_rules_error_rate(0.1, 0), 1);
  /* 3 (100 + sqrt(100 ln(1000 / 0.05) / 2)) = 366.76 */
  ck_assert_uint_eq(plan_rules_error_rate(0.1, 1000), 367);
  ck_assert_uint_eq(plan_rules_error_rate(1, UINT64_C(1) << 60), FUMATA_SILENCES_MAX);
}
END_TEST

START_TEST(test_margin) {
  struct plan_rules_margin margin = {0.05, 0.2};
  struct plan_target target;
  /* 50 + sqrt(100 ln 60) + (2/3) ln 60 = 50 + 20.235 + 2.730 */
  ck_assert_uint_eq(plan_rules_margin_silences(&margin, 1000), 73);
  plans_target(&target, "1", "1e-5", 20);
  /* lambda = sqrt(40 (1 + ln 2e5)) + sqrt(40 ln 2e5) = 22.9836 + 22.0962 = 45.0798;
   * 3 lambda (ln 4e8 + ln 6e4) / 0.2 = 676.197 * (19.8070 + 11.0021) = 20833.0, above 2 ln 6e4 / 0.04 = 550.1 */
  ck_assert_double_eq_tol(plan_rules_margin_teachers(&margin, &target, 1000), 20833, 1.1);
  /* A margin so small that chance in the votes asks for more than the noise does. */
  plans_target(&target, "20", "1e-5", 1);
  margin.delta = 0.001;
  ck_assert_double_eq_tol(plan_rules_margin_teachers(&margin, &target, 1000), 22004200, 100);
}
END_TEST

START_TEST(test_active) {
  struct plan_target target;
  plans_target(&target, "1", "1e-5", 0);
  target.answers = 400;
  /* L ln(1/delta) = 4605.17; 6 sqrt(ln 20000) (67.8614 + 70.7472) = 6 * 3.14699 * 138.6086 = 2617.2 */
  ck_assert_double_eq_tol(plan_rules_active_teachers(&target, 10000), 2618, 1.5);
}
END_TEST

SCRATCH_MAIN("plan_rules", test_error_rate, test_margin, test_active)

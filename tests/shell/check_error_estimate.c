/* The paper's rule for T and the private estimate behind it. */
#include <math.h>

#include "base/error.h"
#include "core/plan.h"
#include "learn/error_estimate.h"
#include "support/lessons.h"
#include "support/scratch.h"

START_TEST(rule) {
  ck_assert_uint_eq(error_estimate_silences(0, 1000), 1);
  ck_assert_uint_eq(error_estimate_silences(0.1, 0), 1);
  /* 3 (100 + sqrt(100 ln(1000 / 0.05) / 2)) = 366.76 */
  ck_assert_uint_eq(error_estimate_silences(0.1, 1000), 367);
  ck_assert_uint_eq(error_estimate_silences(1, UINT64_C(1) << 60), FUMATA_SILENCES_MAX);
}
END_TEST

/* The table is discrete Laplace noise: symmetric, of the right spread, and what it costs beyond epsilon is tiny. */
START_TEST(noise) {
  static const struct rational epsilons[] = {{1, 50}, {1, 10}, {1, 2}, {3, 1}};
  for (size_t e = 0; e < 4; e++) {
    struct error_estimate_noise table;
    double epsilon = (double)epsilons[e].num / (double)epsilons[e].den, scale = ERROR_ESTIMATE_PARTS / epsilon;
    double mean = 0, square = 0;
    ck_assert_int_eq(error_estimate_noise_make(&table, epsilons[e]), 0);
    ck_assert_int_eq(fumata_noise_check(&table.noise), FUMATA_OK);
    ck_assert((double)table.delta.num / (double)table.delta.den < 1e-12);
    ck_assert(table.delta.num > 0);
    for (uint32_t j = 0; j <= table.noise.size; j++) {
      double below = j ? (double)table.noise.cdf[j - 1] : 0, z = (double)table.noise.first + j;
      double above = j < table.noise.size ? (double)table.noise.cdf[j] : 0x1p64;
      mean += z * (above - below) * 0x1p-64;
      square += z * z * (above - below) * 0x1p-64;
    }
    ck_assert_double_eq_tol(mean, 0, 0.01 * scale);
    ck_assert_double_eq_tol(sqrt(square), sqrt(2) * scale, 0.02 * scale);
    ck_assert_int_eq(fumata_noise_draw(&table.noise, UINT64_C(1) << 63), 0);
    error_estimate_noise_free(&table);
  }
}
END_TEST

START_TEST(refused) {
  struct error_estimate_noise table;
  scratch_expect(EXIT_INPUT, error_estimate_noise_make(&table, (struct rational){1, 1000}), "from 0.01 to 20");
  scratch_expect(EXIT_INPUT, error_estimate_noise_make(&table, (struct rational){21, 1}), "from 0.01 to 20");
}
END_TEST

/* Labels that are half noise are seen as such; the rows that are not held out play no part. */
START_TEST(error) {
  struct error_estimate_noise table;
  struct learner learner;
  struct coins coins;
  struct rows rows;
  unsigned char *keep;
  double clean = 1, noisy = 0, other = 0;
  uint64_t state = 71;
  ck_assert_int_eq(error_estimate_noise_make(&table, (struct rational){2, 1}), 0);
  lessons_make(&rows, 8000, 8, 2, 1, 61);
  keep = malloc(rows.count);
  for (size_t i = 0; i < rows.count; i++) {
    keep[i] = i % 2 == 0;
    if (!keep[i] && lessons_next(&state) % 2) rows.label[i] = 1 - rows.label[i];
  }
  lessons_learner(&learner, "logistic", &rows, 2);
  coins_seed(&coins, 5);
  ck_assert_int_eq(error_estimate_run(&learner, &rows, keep, 100, &table, &coins, &clean), 0);
  for (size_t i = 0; i < rows.count; i++)
    keep[i] = !keep[i];
  ck_assert_int_eq(error_estimate_run(&learner, &rows, keep, 100, &table, &coins, &noisy), 0);
  ck_assert_int_eq(error_estimate_run(&learner, &rows, keep, 100, &table, &coins, &other), 0);
  ck_assert_msg(clean < 0.1, "clean labels: %g", clean);
  ck_assert_msg(fabs(noisy - 0.5) < 0.1, "noisy labels: %g", noisy);
  ck_assert_msg(noisy != other, "no noise was added");
  free(keep);
  rows_free(&rows);
  error_estimate_noise_free(&table);
}
END_TEST

SCRATCH_MAIN("error_estimate", rule, noise, refused, error)

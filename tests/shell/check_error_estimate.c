/* The private estimate behind the paper's rule for T. */
#include <math.h>

#include "base/error.h"
#include "gate/count.h"
#include "learn/error_estimate.h"
#include "plan/plan_count.h"
#include "support/ledgers.h"
#include "support/lessons.h"
#include "support/plans.h"
#include "support/scratch.h"

#define CHUNKS 100

/* The errors of chunks first .. last - 1 of the rows that are kept. */
static uint32_t sum_errors(const struct learner *learner, const struct rows *rows, const unsigned char *keep,
                           uint32_t first, uint32_t last) {
  struct chunks chunks;
  uint32_t sum = UINT32_MAX;
  ck_assert_int_eq(chunks_make(&chunks, rows->unit, rows->count, keep, CHUNKS), 0);
  chunks_slice(&chunks, first, last);
  ck_assert_int_eq(error_estimate_sum(learner, rows, &chunks, &sum), 0);
  chunks_free(&chunks);
  return sum;
}

/* One estimate, with a counter of its own. Several processes that have a part of the chunks each find the same sum. */
static double estimate(const struct learner *learner, const struct rows *rows, const unsigned char *keep,
                       struct coins *coins) {
  struct ledger ledger;
  struct plan_target target;
  struct plan_count noise;
  struct count count = {0};
  uint64_t noisy;
  uint32_t sum = sum_errors(learner, rows, keep, 0, CHUNKS);
  ck_assert_uint_eq(sum_errors(learner, rows, keep, 0, 30) + sum_errors(learner, rows, keep, 30, CHUNKS), sum);
  plans_target(&target, "2", "1e-12", 1);
  ck_assert_int_eq(plan_count_make(&target, ERROR_ESTIMATE_PARTS, &noise), 0);
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "error estimate"), 0);
  ck_assert_int_eq(count_release(&count, coins, "error estimate", "parts", sum, &noisy), 0);
  ledger_shut(&ledger);
  plan_count_free(&noise);
  return error_estimate_rate((int64_t)noisy, CHUNKS);
}

/* Labels that are half noise are seen as such; the rows that are not held out play no part. */
START_TEST(error) {
  struct learner learner;
  struct coins coins;
  struct rows rows;
  unsigned char *keep;
  double clean, noisy, other;
  uint64_t state = 71;
  lessons_make(&rows, 8000, 8, 2, 1, 61);
  keep = malloc(rows.count);
  for (size_t i = 0; i < rows.count; i++) {
    keep[i] = i % 2 == 0;
    if (!keep[i] && lessons_next(&state) % 2) rows.label[i] = 1 - rows.label[i];
  }
  lessons_learner(&learner, "logistic", &rows, 2);
  coins_seed(&coins, 5);
  clean = estimate(&learner, &rows, keep, &coins);
  for (size_t i = 0; i < rows.count; i++)
    keep[i] = !keep[i];
  noisy = estimate(&learner, &rows, keep, &coins);
  other = estimate(&learner, &rows, keep, &coins);
  ck_assert_msg(clean < 0.1, "clean labels: %g", clean);
  ck_assert_msg(fabs(noisy - 0.5) < 0.1, "noisy labels: %g", noisy);
  ck_assert_msg(noisy != other, "no noise was added");
  free(keep);
  rows_free(&rows);
}
END_TEST

/* Noise may lead out of 0 .. 1. */
START_TEST(rate) {
  ck_assert(error_estimate_rate(-5, 10) == 0 && error_estimate_rate(250, 10) == 0.25 &&
            error_estimate_rate(1001, 10) == 1);
}
END_TEST

SCRATCH_MAIN("error_estimate", error, rate)

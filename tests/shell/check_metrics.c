/* learn/metrics: against numbers that were worked out by hand, printed in papers, or given by scikit-learn. */
#include "learn/metrics.h"

#include <math.h>

#include "base/error.h"
#include "support/scratch.h"

static void near(double got, double wanted) {
  ck_assert_msg(fabs(got - wanted) < 1e-6, "%.9f instead of %.9f", got, wanted);
}

static void near_all(struct metrics_value got, double value, double low, double high) {
  near(got.value, value);
  near(got.low, low);
  near(got.high, high);
}

/* Newcombe 1998, tables I and II: 81 of 263; none and all of ten. */
START_TEST(test_shares) {
  near_all(metrics_share(81, 263), 81.0 / 263, 0.255288520, 0.366209577);
  near_all(metrics_share(7, 10), 0.7, 0.396778147, 0.892208733);
  near_all(metrics_share(0, 10), 0, 0, 0.277532800);
  near_all(metrics_share(10, 10), 1, 0.722467200, 1);
  ck_assert(isnan(metrics_share(0, 0).value));
}
END_TEST

/* Six records, two classes, equal scores among them: 2/3 and 0.552711 by scikit-learn. */
START_TEST(test_two_classes) {
  int32_t truth[] = {0, 0, 1, 1, -1, 0, 1};
  uint32_t answer[] = {0, 0, 0, 1, 1, 0, 0};
  float score[] = {.9f, .1f, .6f, .4f, .65f, .35f, .2f, .8f, 0, 1, .6f, .4f, .6f, .4f};
  struct metrics metrics;
  uint64_t won, lost;
  ck_assert_int_eq(metrics_begin(&metrics, 2), EXIT_OK);
  ck_assert_int_eq(metrics_add(&metrics, 4, truth, answer, score, 1), EXIT_OK);
  ck_assert_int_eq(metrics_add(&metrics, 3, truth + 4, answer + 4, score + 8, 1), EXIT_OK);
  ck_assert_int_eq(metrics_end(&metrics), EXIT_OK);
  ck_assert_uint_eq(metrics.records, 6); /* not the one without a label */
  near_all(metrics.auc, 2.0 / 3, 0.244888522, 0.921534467);
  near(metrics.log_loss.value, 0.552711362);
  near(metrics_accuracy(&metrics).value, 4.0 / 6);
  near(metrics_recall(&metrics, 0).value, 1);
  near(metrics_recall(&metrics, 1).value, 1.0 / 3);
  near(metrics_precision(&metrics, 0).value, 3.0 / 5);
  near(metrics_precision(&metrics, 1).value, 1);
  near(metrics_balanced(&metrics).value, 2.0 / 3);
  ck_assert_uint_eq(metrics_majority(&metrics), 0);
  metrics_against_majority(&metrics, &won, &lost);
  ck_assert_uint_eq(won, 1);
  ck_assert_uint_eq(lost, 0);
  ck_assert_uint_eq(metrics.bin[1].records, 1);
  ck_assert_uint_eq(metrics.bin[4].records, 3);
  ck_assert_uint_eq(metrics.bin[4].right, 1);
  near(metrics.bin[8].sum, 0.8);
  metrics_free(&metrics);
}
END_TEST

/* Eight records, three classes: scikit-learn's roc_auc_score(multi_class="ovr"), log_loss and balanced_accuracy_score. */
START_TEST(test_three_classes) {
  int32_t truth[] = {0, 1, 2, 0, 1, 2, 0, 0};
  uint32_t answer[] = {0, 1, 2, 0, 0, 1, 0, 2};
  float score[] = {.7f, .2f, .1f, .3f, .5f, .2f, .2f, .2f, .6f, .4f, .4f, .2f,
                   .5f, .3f, .2f, .1f, .6f, .3f, .8f, .1f, .1f, .3f, .3f, .4f};
  struct metrics metrics;
  struct metrics_value balanced;
  ck_assert_int_eq(metrics_begin(&metrics, 3), EXIT_OK);
  ck_assert_int_eq(metrics_add(&metrics, 8, truth, answer, score, 1), EXIT_OK);
  ck_assert_int_eq(metrics_end(&metrics), EXIT_OK);
  near(metrics.auc.value, 0.822916667);
  ck_assert(metrics.auc.low < 0.7 && metrics.auc.low > 0.3 && metrics.auc.high > 0.85 && metrics.auc.high < 1);
  near(metrics.log_loss.value, 0.789000056);
  balanced = metrics_balanced(&metrics);
  near(balanced.value, 0.583333333);
  /* Squared and added: 3 of 4, 1 of 2, 1 of 2. */
  near(balanced.low,
       balanced.value - sqrt(pow(0.75 - metrics_share(3, 4).low, 2) + 2 * pow(0.5 - metrics_share(1, 2).low, 2)) / 3);
  metrics_free(&metrics);
}
END_TEST

/* Of one record there is a mean and no spread: neither limit is a number. */
START_TEST(test_one_record) {
  int32_t truth = 1;
  uint32_t answer = 1;
  float score[] = {0.25F, 0.75F};
  struct metrics metrics;
  ck_assert_int_eq(metrics_begin(&metrics, 2), EXIT_OK);
  ck_assert_int_eq(metrics_add(&metrics, 1, &truth, &answer, score, 1), EXIT_OK);
  ck_assert_int_eq(metrics_end(&metrics), EXIT_OK);
  near(metrics.log_loss.value, -log(0.75));
  ck_assert(isnan(metrics.log_loss.low) && isnan(metrics.log_loss.high));
  metrics_free(&metrics);
}
END_TEST

/* Perfect on few records is not certain: the limit solves (1 - t)^2 = z^2 V(t) for four against four. */
START_TEST(test_perfect) {
  int32_t truth[] = {0, 0, 0, 0, 1, 1, 1, 1};
  uint32_t answer[] = {0, 0, 0, 0, 1, 1, 1, 1};
  float score[] = {0, -4, 0, -3, 0, -2, 0, -1, 0, 1, 0, 2, 0, 3, 0, 4};
  struct metrics metrics;
  ck_assert_int_eq(metrics_begin(&metrics, 2), EXIT_OK);
  ck_assert_int_eq(metrics_add(&metrics, 8, truth, answer, score, 0), EXIT_OK);
  ck_assert_int_eq(metrics_end(&metrics), EXIT_OK);
  near_all(metrics.auc, 1, 0.582284046, 1);
  ck_assert(!metrics.has_probability && isnan(metrics.log_loss.value)); /* scores are not probabilities */
  near(metrics_balanced(&metrics).value, 1);
  ck_assert(metrics_balanced(&metrics).low < 0.7);
  metrics_free(&metrics);
}
END_TEST

/* A class that does not occur has no recall and does not count; labels alone have no AUC; an answer that is no class is refused. */
START_TEST(test_what_is_missing) {
  int32_t truth[] = {0, 0, 2};
  uint32_t answer[] = {0, 1, 2}, none[] = {3};
  struct metrics metrics;
  ck_assert_int_eq(metrics_begin(&metrics, 3), EXIT_OK);
  ck_assert_int_eq(metrics_add(&metrics, 3, truth, answer, NULL, 0), EXIT_OK);
  ck_assert_int_eq(metrics_end(&metrics), EXIT_OK);
  ck_assert(isnan(metrics.auc.value) && isnan(metrics_recall(&metrics, 1).value));
  near(metrics_precision(&metrics, 1).value, 0);
  near(metrics_balanced(&metrics).value, 0.75);
  ck_assert_uint_eq(metrics_occurring(&metrics), 2);
  scratch_expect(EXIT_INPUT, metrics_add(&metrics, 1, truth, none, NULL, 0), "answer is not a class");
  metrics_free(&metrics);
  ck_assert_int_eq(metrics_begin(&metrics, 2), EXIT_OK);
  ck_assert_int_eq(metrics_end(&metrics), EXIT_OK);
  ck_assert(isnan(metrics_accuracy(&metrics).value) && isnan(metrics.auc.value));
  metrics_free(&metrics);
}
END_TEST

SCRATCH_MAIN("metrics", test_shares, test_two_classes, test_three_classes, test_one_record, test_perfect,
             test_what_is_missing)

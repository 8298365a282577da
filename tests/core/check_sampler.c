/* Chi-square: what the compiled core draws against the exact integer laws of its tables, for tables that the planner makes:
 * noise of classic plans and of counts, the meter and the toll at every distance. The coins are seeded, so that the outcome
 * is the same in every run. */
#include <math.h>
#include <stdlib.h>

#include "core/fumata.h"
#include "plan/mechanism.h"
#include "plan/plan_count.h"
#include "support/suite.h"
#include "support/words.h"

#define DRAWS    1000000u
#define FEWEST   8.0 /* expected draws of a cell; rarer outcomes share one */
#define SURPRISE 5.0 /* deviations of a chi-square that is not chance */

/* How many deviations a chi-square of `degrees` degrees lies above its mean (Wilson and Hilferty). */
static double surprise(double square, double degrees) {
  double spread = 2 / (9 * degrees);
  return (cbrt(square / degrees) - (1 - spread)) / sqrt(spread);
}

/* Counts against the law: outcomes that are too rare are put together with those after them. */
static double surprise_of(const uint64_t *counts, const double *law, size_t size, double draws) {
  double square = 0, expected = 0, seen = 0;
  int cells = 0;
  for (size_t j = 0; j < size; j++) {
    expected += law[j] * draws;
    seen += (double)counts[j];
    if (expected < FEWEST && j + 1 < size) continue;
    if (expected > 0)
      square += (seen - expected) * (seen - expected) / expected, cells++;
    else
      ck_assert_double_eq(seen, 0);
    expected = seen = 0;
  }
  return cells > 1 ? surprise(square, cells - 1) : 0;
}

static double share(uint64_t coins) {
  return ldexp((double)coins, -64);
}

static void check_noise(const fumata_noise *noise) {
  size_t size = (size_t)noise->size + 1;
  uint64_t *counts = calloc(size, sizeof *counts);
  double *law = calloc(size, sizeof *law);
  for (uint32_t j = 0; j < noise->size; j++)
    law[j] = share(noise->cdf[j] - (j ? noise->cdf[j - 1] : 0));
  law[size - 1] = share(0 - noise->cdf[noise->size - 1]); /* what is left of 2^64 */
  for (uint32_t i = 0; i < DRAWS; i++)
    counts[fumata_noise_draw(noise, word()) - noise->first]++;
  ck_assert_double_lt(surprise_of(counts, law, size, DRAWS), SURPRISE);
  free(counts);
  free(law);
}

static struct plan_box made(enum plan_mechanism mechanism, const char *epsilon, uint32_t silences, uint32_t answers) {
  struct plan_target target = {.silences = silences, .answers = answers};
  struct plan_box plan;
  ck_assert_int_eq(plan_target_epsilon(&target, "epsilon", epsilon), 0);
  ck_assert_int_eq(plan_target_delta(&target, "delta", "1e-5"), 0);
  ck_assert_int_eq(mechanism_of(mechanism)->make(&target, NULL, &plan), 0);
  return plan;
}

START_TEST(test_noise_of_classic) {
  static const char *const epsilons[] = {"1", "4", "8"};
  struct plan_box plan = made(PLAN_MECHANISM_CLASSIC, epsilons[_i], 2 + 3 * (uint32_t)_i, 0);
  seed = 100 + (uint64_t)_i;
  check_noise(&plan.classic.threshold);
  check_noise(&plan.classic.query);
  plan_free(&plan);
}
END_TEST

START_TEST(test_noise_of_a_count) {
  static const char *const epsilons[] = {"0.04", "0.5", "2"};
  struct plan_target target = {0};
  struct plan_count count;
  ck_assert_int_eq(plan_target_epsilon(&target, "epsilon", epsilons[_i]), 0);
  ck_assert_int_eq(plan_target_delta(&target, "delta", "1e-6"), 0);
  ck_assert_int_eq(plan_count_make(&target, 1 + (uint32_t)_i, &count), 0);
  seed = 200 + (uint64_t)_i;
  check_noise(&count.counter.noise);
  plan_count_free(&count);
}
END_TEST

/* One number of many, on one degree of freedom: as many deviations as it lies off. */
static double off(uint64_t hits, double chance, double draws) {
  double spread = sqrt(draws * chance * (1 - chance));
  return spread > 0 ? fabs((double)hits - draws * chance) / spread : fabs((double)hits - draws * chance);
}

/* Of each distance, two beyond the table too: every one by itself, and the sum of squares of all. */
struct distances {
  double square, most;
  uint32_t count;
};

static void distances_add(struct distances *sum, uint64_t hits, double chance, double draws) {
  double away = off(hits, chance, draws);
  if (fmin(chance, 1 - chance) * draws < FEWEST) return;
  sum->square += away * away;
  sum->most = fmax(sum->most, away);
  sum->count++;
}

static void distances_judge(const struct distances *sum) {
  ck_assert_uint_gt(sum->count, 10);
  ck_assert_double_lt(sum->most, SURPRISE);
  ck_assert_double_lt(surprise(sum->square, sum->count), SURPRISE);
}

static uint64_t silences_at(const fumata_meter *begun, uint32_t distance, uint32_t draws) {
  fumata_verdict verdict = {1, distance};
  uint64_t silences = 0;
  int32_t answer;
  int refused = 0;
  for (uint32_t i = 0; i < draws; i++) {
    fumata_meter meter = *begun;
    refused |= fumata_meter_answer(&meter, &verdict, word(), &answer);
    silences += answer == FUMATA_SILENT;
  }
  ck_assert_int_eq(refused, FUMATA_OK);
  return silences;
}

START_TEST(test_meter_at_each_distance) {
  struct plan_box plan = made(PLAN_MECHANISM_METER, _i ? "8" : "4", 5, 0);
  uint32_t draws = DRAWS / 10;
  struct distances sum = {0, 0, 0};
  fumata_meter meter;
  seed = 300 + (uint64_t)_i;
  ck_assert_int_eq(fumata_meter_init(&meter, &plan.meter, &plan.claim), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_OK);
  ck_assert_uint_eq(silences_at(&meter, 0, 1000), 1000);
  for (uint32_t d = 1; d <= plan.meter.size + 2; d++) {
    uint32_t row = d < plan.meter.size ? d : plan.meter.size;
    distances_add(&sum, silences_at(&meter, d, draws), share(plan.meter.silence[row - 1]), draws);
  }
  distances_judge(&sum);
  plan_free(&plan);
}
END_TEST

static uint64_t winners_at(const fumata_toll *begun, uint32_t distance, uint32_t draws) {
  fumata_duel duel = {2, 1, distance};
  uint64_t winners = 0;
  int32_t answer;
  int refused = 0;
  for (uint32_t i = 0; i < draws; i++) {
    fumata_toll toll = *begun;
    refused |= fumata_toll_answer(&toll, &duel, word(), &answer);
    winners += answer == 2;
  }
  ck_assert_int_eq(refused, FUMATA_OK);
  return winners;
}

START_TEST(test_toll_at_each_distance) {
  struct plan_box plan = made(PLAN_MECHANISM_TOLL, _i ? "4" : "2", 0, _i ? 50 : 20);
  uint32_t draws = DRAWS / 10;
  struct distances sum = {0, 0, 0};
  fumata_toll toll;
  seed = 400 + (uint64_t)_i;
  ck_assert_int_eq(fumata_toll_init(&toll, &plan.toll, &plan.claim), FUMATA_OK);
  ck_assert_int_eq(fumata_toll_reserve(&toll, 1), FUMATA_OK);
  distances_add(&sum, winners_at(&toll, 0, draws), 0.5, draws);
  for (uint32_t d = 1; d <= plan.toll.size + 2; d++) {
    uint32_t row = d < plan.toll.size ? d : plan.toll.size;
    distances_add(&sum, draws - winners_at(&toll, d, draws), 1 - share(plan.toll.named[row - 1]), draws);
  }
  distances_judge(&sum);
  plan_free(&plan);
}
END_TEST

/* That all this can fail: a table that says another law than the one that is drawn from, by a hundredth in one entry. */
START_TEST(test_a_wrong_entry_is_seen) {
  uint64_t drawn[] = {UINT64_C(1) << 62, UINT64_C(1) << 63, UINT64_C(3) << 62}, counts[4] = {0};
  const double law[] = {0.25, 0.25, 0.25, 0.25};
  fumata_noise noise = {drawn, 3, 0};
  seed = 500;
  drawn[1] += UINT64_C(1) << 57;
  for (uint32_t i = 0; i < DRAWS; i++)
    counts[fumata_noise_draw(&noise, word())]++;
  ck_assert_double_gt(surprise_of(counts, law, 4, DRAWS), SURPRISE);
}
END_TEST

SUITE_LOOPS("sampler", {test_noise_of_classic, 3}, {test_noise_of_a_count, 3}, {test_meter_at_each_distance, 2},
            {test_toll_at_each_distance, 2}, {test_a_wrong_entry_is_seen, 1})

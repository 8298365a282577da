/* The planner's noise for a count: certified, as narrow as Laplace noise can be, and refused for anything less. */
#include "plan/plan_count.h"

#include <math.h>

#include "support/plans.h"
#include "support/scratch.h"

static const char *const epsilons[] = {"0.01", "0.02", "0.1", "0.5", "1"};
static const uint32_t sensitivities[] = {1, 100};

static void make(struct plan_count *count, const char *epsilon, const char *delta, uint32_t sensitivity) {
  struct plan_target target;
  plans_target(&target, epsilon, delta, 1);
  ck_assert_int_eq(plan_count_make(&target, sensitivity, count), 0);
}

static double mass(const fumata_noise *noise, int64_t j) {
  if (j < 0 || j > (int64_t)noise->size) return 0;
  return ((j < (int64_t)noise->size ? (double)noise->cdf[j] : 0x1p64) - (j ? (double)noise->cdf[j - 1] : 0)) * 0x1p-64;
}

/* Certified; no further from zero than 1 % (and what the core's e^epsilon loses) beyond untruncated Laplace noise; and
 * refused for a sensitivity of one more and for a smaller delta. */
START_TEST(certified) {
  const char *epsilon = epsilons[_i % 5];
  uint32_t sensitivity = sensitivities[_i / 5];
  struct plan_count count;
  fumata_fault fault;
  double rate, distance = 0, mean = 0;
  make(&count, epsilon, "1e-8", sensitivity);
  rate = atof(epsilon) / sensitivity;
  for (uint32_t j = 0; j <= count.counter.noise.size; j++) {
    double z = (double)(count.counter.noise.first + (int64_t)j);
    distance += fabs(z) * mass(&count.counter.noise, j);
    mean += z * mass(&count.counter.noise, j);
  }
  ck_assert_double_eq_tol(mean, 0, 1e-6 / rate);
  /* E|Z| = 2 b / (1 - b^2). */
  ck_assert_double_lt(distance, 1.01 * 2 * exp(-rate) / -expm1(-2 * rate));
  count.claim.delta_den = 101;
  count.claim.delta_num = 1;
  ck_assert_int_eq(fumata_certify_noise(&count.counter.noise, sensitivity + 1, &count.claim, &fault),
                   FUMATA_ERR_UNCERTIFIED);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  ck_assert_uint_eq(fault.index, sensitivity + 1);
  count.claim.delta_num = count.memory[sensitivity - 1] / 1000 * 999; /* below what the lowest places expose */
  count.claim.delta_den = UINT64_MAX;
  ck_assert_int_eq(fumata_certify_noise(&count.counter.noise, sensitivity, &count.claim, &fault),
                   FUMATA_ERR_UNCERTIFIED);
  plan_count_free(&count);
}
END_TEST

/* An entry moved by 0.5 % of its place the wrong way is refused, at the middle and far out. */
START_TEST(moved_entry) {
  struct plan_count count;
  fumata_fault fault;
  make(&count, epsilons[_i], "1e-8", 1);
  for (uint32_t part = 1; part < 4; part++) {
    uint32_t j = (uint32_t)(-count.counter.noise.first) * part / 4;
    uint64_t was = count.memory[j];
    count.memory[j] += (uint64_t)(0.005 * 0x1p64 * mass(&count.counter.noise, j));
    count.claim.delta_den = UINT64_C(200000000); /* room for rounding, none for what the entry exposes */
    count.claim.delta_num = 3;
    ck_assert_int_eq(fumata_certify_noise(&count.counter.noise, 1, &count.claim, &fault), FUMATA_ERR_UNCERTIFIED);
    ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
    count.memory[j] = was;
    ck_assert_int_eq(fumata_certify_noise(&count.counter.noise, 1, &count.claim, &fault), FUMATA_OK);
  }
  plan_count_free(&count);
}
END_TEST

/* The exact law: the most that any shift costs beyond e^epsilon, summed in doubles, is no more than delta. */
START_TEST(exact_law) {
  struct plan_count count;
  make(&count, epsilons[1 + _i], "1e-6", 3);
  for (int64_t h = -3; h <= 3; h++) {
    double excess = 0, factor = exp(atof(epsilons[1 + _i]));
    for (int64_t j = 0; j <= (int64_t)count.counter.noise.size; j++) {
      double beyond = mass(&count.counter.noise, j) - factor * mass(&count.counter.noise, j - h);
      if (beyond > 0) excess += beyond;
    }
    ck_assert_double_le(excess, 1e-6 * (1 + 1e-6));
    if (h == 3 || h == -3) ck_assert_double_gt(excess, 0.5e-6);
  }
  plan_count_free(&count);
}
END_TEST

/* The law of releases, counted: near the count, and above it. */
START_TEST(empirical_law) {
  enum { RELEASES = 20000 };
  struct plan_count count;
  uint64_t state = 4711;
  int inside = 0, above = 0;
  double b = exp(-0.5), wanted = 1 - 2 * b * b * b / (1 + b); /* P(|Z| <= 2) */
  make(&count, "0.5", "1e-9", 1);
  for (int i = 0; i < RELEASES; i++) {
    fumata_counter counter;
    uint64_t coin;
    int64_t noisy;
    state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    coin = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    coin = (coin ^ coin >> 27) * UINT64_C(0x94d049bb133111eb);
    coin ^= coin >> 31;
    counter = count.counter;
    ck_assert_int_eq(fumata_count_release(&counter, 1000, coin, &noisy), FUMATA_OK);
    inside += noisy >= 998 && noisy <= 1002;
    above += noisy > 1000;
  }
  ck_assert_double_eq_tol((double)inside / RELEASES, wanted, 0.015);
  ck_assert_double_eq_tol((double)above / RELEASES, b / (1 + b), 0.015);
  plan_count_free(&count);
}
END_TEST

START_TEST(refused) {
  struct plan_target target;
  struct plan_count count;
  plans_target(&target, "0.001", "1e-8", 1);
  scratch_expect(EXIT_REFUSED, plan_count_make(&target, 1000, &count), "does not fit a table");
  ck_assert_ptr_null(count.memory);
  scratch_expect(EXIT_INPUT, plan_count_make(&target, 0, &count), "by 1 to 1000");
  plans_target(&target, "1/1000000", "1e-8", 1); /* the core's e^epsilon is not above 1 */
  scratch_expect(EXIT_REFUSED, plan_count_make(&target, 1, &count), "no noise keeps");
  ck_assert_ptr_null(count.memory);
}
END_TEST

SUITE_LOOPS_BETWEEN("plan_count", scratch_begin, scratch_end, {certified, 10}, {moved_entry, 5}, {exact_law, 4},
                    {empirical_law, 1}, {refused, 1})

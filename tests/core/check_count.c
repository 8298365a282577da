#include "core/count.h"

#include <string.h>

#include "support/suite.h"

#define SIXTEENTH (UINT64_C(1) << 60)

/* 1, 2, 5, 5, 2 and 1 sixteenths: proofs/coq/Count.v has the same table. */
static const uint64_t six_cdf[5] = {SIXTEENTH, 3 * SIXTEENTH, 8 * SIXTEENTH, 13 * SIXTEENTH, 15 * SIXTEENTH};
static const fumata_noise six = {six_cdf, 5, -2};
static const fumata_claim a_sixteenth = {.epsilon_num = 1, .epsilon_den = 1, .delta_num = 1, .delta_den = 16};

static void expect(fumata_status wanted, fumata_fault_kind kind, uint32_t index, const fumata_noise *noise,
                   uint32_t sensitivity, fumata_claim claim) {
  fumata_fault fault = {FUMATA_FAULT_FIRST, 77};
  ck_assert_int_eq(fumata_certify_noise(noise, sensitivity, &claim, &fault), wanted);
  ck_assert_int_eq(fault.kind, kind);
  ck_assert_uint_eq(fault.index, index);
}

/* Certified for a change of 1, and neither for one of 2 nor at a smaller delta. */
START_TEST(test_limits) {
  fumata_claim claim = a_sixteenth;
  expect(FUMATA_OK, FUMATA_FAULT_NONE, 0, &six, 1, claim);
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 2, &six, 2, claim);
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 2, &six, 1000, claim);
  claim.delta_den = 17;
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 1, &six, 1, claim);
  claim = a_sixteenth; /* ln 2.5 = 0.9163 */
  claim.epsilon_num = 917, claim.epsilon_den = 1000;
  expect(FUMATA_OK, FUMATA_FAULT_NONE, 0, &six, 1, claim);
  claim.epsilon_num = 916;
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 1, &six, 1, claim);
}
END_TEST

/* Both directions count: a table that is steep on one side only is refused, whichever side it is. */
START_TEST(test_both_ways) {
  uint64_t rising[2] = {SIXTEENTH, 3 * SIXTEENTH}, falling[2] = {13 * SIXTEENTH, 15 * SIXTEENTH};
  fumata_noise up = {rising, 2, 0}, down = {falling, 2, 0};
  fumata_claim claim = {.epsilon_num = 2, .epsilon_den = 1, .delta_num = 13, .delta_den = 16};
  expect(FUMATA_OK, FUMATA_FAULT_NONE, 0, &up, 1, claim);
  expect(FUMATA_OK, FUMATA_FAULT_NONE, 0, &down, 1, claim);
  claim.delta_num = 12;
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 1, &up, 1, claim);
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 1, &down, 1, claim);
}
END_TEST

/* All coins exposed is more than any delta, though their number does not fit a word. */
START_TEST(test_all_exposed) {
  uint64_t cdf[2] = {UINT64_C(1) << 63, UINT64_C(1) << 63};
  fumata_noise split = {cdf, 2, 0};
  fumata_claim claim = {.epsilon_num = 1, .epsilon_den = 1, .delta_num = UINT64_MAX - 1, .delta_den = UINT64_MAX};
  expect(FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 1, &split, 1, claim);
}
END_TEST

START_TEST(test_faults) {
  uint64_t none[2] = {0, 0}, fallen[2] = {5, 4};
  fumata_noise empty = {none, 2, 0}, disorder = {fallen, 2, 0};
  fumata_claim claim = a_sixteenth;
  expect(FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 1, &six, 0, claim);
  expect(FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 1, &six, FUMATA_COUNT_SENSITIVITY_MAX + 1, claim);
  expect(FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 0, &empty, 1, claim);
  expect(FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 0, &disorder, 1, claim);
  claim.delta_den = 1;
  expect(FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0, &six, 0, claim);
  claim = a_sixteenth, claim.delta_num = 0;
  expect(FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0, &six, 1, claim);
  claim = a_sixteenth, claim.epsilon_num = 0;
  expect(FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0, &six, 1, claim);
  claim = a_sixteenth, claim.epsilon_den = 0;
  expect(FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0, &six, 1, claim);
}
END_TEST

/* T-COUNT-1 at the edges of every place, T-COUNT-2: a second release is refused and changes nothing. */
START_TEST(test_release) {
  for (int j = 0; j <= 5; j++) {
    uint64_t low = j ? six_cdf[j - 1] : 0, last = (j < 5 ? six_cdf[j] : 0) - 1;
    for (int end = 0; end < 2; end++) {
      fumata_counter counter;
      int64_t noisy = 77;
      ck_assert_int_eq(fumata_count_init(&counter, &six, 1, &a_sixteenth), FUMATA_OK);
      ck_assert_int_eq(fumata_count_release(&counter, 1000, end ? last : low, &noisy), FUMATA_OK);
      ck_assert_int_eq(noisy, 1000 - 2 + j);
      ck_assert_int_eq(fumata_count_release(&counter, 5, 0, &noisy), FUMATA_ERR_CLOSED);
      ck_assert_int_eq(noisy, 1000 - 2 + j);
    }
  }
}
END_TEST

/* A count too large is taken for the largest; a small one may come out negative. */
START_TEST(test_ends) {
  static const uint64_t counts[] = {
      0, 1, (uint64_t)FUMATA_COUNT_MAX - 1, (uint64_t)FUMATA_COUNT_MAX, (uint64_t)FUMATA_COUNT_MAX + 1, UINT64_MAX};
  static const int64_t noisy[] = {
      -2, -1, FUMATA_COUNT_MAX - 3, FUMATA_COUNT_MAX - 2, FUMATA_COUNT_MAX - 2, FUMATA_COUNT_MAX - 2};
  for (int i = 0; i < 6; i++) {
    fumata_counter counter;
    int64_t found;
    ck_assert_int_eq(fumata_count_init(&counter, &six, 1, &a_sixteenth), FUMATA_OK);
    ck_assert_int_eq(fumata_count_release(&counter, counts[i], 0, &found), FUMATA_OK);
    ck_assert_int_eq(found, noisy[i]);
  }
}
END_TEST

/* Noise that is refused makes no counter. */
START_TEST(test_refused_noise) {
  fumata_counter counter, before;
  memset(&counter, 0x5a, sizeof counter);
  before = counter;
  ck_assert_int_eq(fumata_count_init(&counter, &six, 2, &a_sixteenth), FUMATA_ERR_UNCERTIFIED);
  ck_assert_mem_eq(&counter, &before, sizeof counter);
}
END_TEST

SUITE_MAIN("count", test_limits, test_both_ways, test_all_exposed, test_faults, test_release, test_ends,
           test_refused_noise)

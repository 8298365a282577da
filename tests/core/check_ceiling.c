#include "core/ceiling.h"

#include "support/suite.h"
#include "support/words.h"

#define MOST UINT64_MAX

__extension__ typedef unsigned __int128 wide;

static const fumata_cost absent = {0, 0}, marked = {7, 7};

static uint64_t divisor(uint64_t a, uint64_t b) {
  return b ? divisor(b, a % b) : a;
}

static void expect_sum(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t num, uint64_t den) {
  fumata_cost sum = marked;
  ck_assert_int_eq(fumata_ceiling_add((fumata_cost){a, b}, (fumata_cost){c, d}, &sum), FUMATA_OK);
  ck_assert_uint_eq(sum.num, num);
  ck_assert_uint_eq(sum.den, den);
}

static void expect_no_sum(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  fumata_cost sum = marked;
  ck_assert_int_eq(fumata_ceiling_add((fumata_cost){a, b}, (fumata_cost){c, d}, &sum), FUMATA_ERR_CLAIM);
  ck_assert_uint_eq(sum.num, marked.num);
  ck_assert_uint_eq(sum.den, marked.den);
}

START_TEST(test_sums) {
  expect_sum(1, 2, 1, 3, 5, 6);
  expect_sum(1, 6, 1, 10, 4, 15);
  expect_sum(1, 2, 1, 2, 1, 1);
  expect_sum(2, 4, 0, 9, 1, 2);
  expect_sum(0, 5, 0, 3, 0, 1);
  expect_sum(absent.num, absent.den, 3, 6, 1, 2);
  expect_sum(3, 6, absent.num, absent.den, 1, 2);
  expect_sum(9, 0, 9, 0, 0, 1); /* without a denominator there is no cost, whatever stands above */
}
END_TEST

/* The last sums that fit 64 bits, and the first that do not: above, below, and above by the addition alone. */
START_TEST(test_sums_at_the_edge) {
  expect_sum(MOST - 1, 1, 1, 1, MOST, 1);
  expect_no_sum(MOST, 1, 1, 1);
  expect_no_sum(1, 1, MOST, 1);
  expect_sum(MOST / 2, 1, 1, 2, MOST, 2);
  expect_no_sum(MOST / 2 + 1, 1, 1, 2);
  expect_no_sum(1, 2, MOST / 2 + 1, 1);
  expect_sum(1, UINT32_MAX, 1, UINT32_MAX + UINT64_C(2), UINT64_C(1) << 33, MOST);
  expect_no_sum(1, UINT64_C(1) << 32, 1, (UINT64_C(1) << 32) + 1);
  expect_sum(0, MOST, 1, MOST, 1, MOST);
}
END_TEST

/* The slowest numbers for Euclid's algorithm: neighbours of Fibonacci's. */
START_TEST(test_long_division) {
  uint64_t a = 1, b = 1;
  for (int i = 0; i < 91; i++) {
    uint64_t next = a + b;
    a = b, b = next;
  }
  expect_sum(a, b, 0, 1, a, b);
  expect_sum(b / 2, a / 2, 0, 1, b / 2 / divisor(b / 2, a / 2), a / 2 / divisor(b / 2, a / 2));
}
END_TEST

/* Of any costs: exact and in lowest terms, or over the least common denominator too wide. */
START_TEST(test_any_sums) {
  uint32_t fits = 0;
  seed = 3;
  for (int i = 0; i < 200000; i++) {
    fumata_cost x = {word() >> below(64), 1 + (word() >> (1 + below(63)))};
    fumata_cost y = {word() >> below(64), 1 + (word() >> (1 + below(63)))}, sum = marked;
    uint64_t common = divisor(x.den, y.den);
    wide den = (wide)x.den * (y.den / common), one = (wide)x.num * (y.den / common),
         two = (wide)y.num * (x.den / common);
    int is_word = den <= MOST && one <= MOST && two <= MOST && one + two <= MOST;
    ck_assert_int_eq(fumata_ceiling_add(x, y, &sum), is_word ? FUMATA_OK : FUMATA_ERR_CLAIM);
    if (!is_word) continue;
    fits++;
    ck_assert((wide)sum.num * den == (one + two) * sum.den);
    ck_assert_uint_eq(divisor(sum.num, sum.den), 1);
  }
  ck_assert_uint_gt(fits, 20000);
}
END_TEST

static void expect_order(fumata_cost x, fumata_cost total, int wanted) {
  ck_assert_int_eq(fumata_ceiling_within(x, total), wanted);
}

START_TEST(test_within) {
  expect_order((fumata_cost){1, 3}, (fumata_cost){2, 6}, 1);
  expect_order((fumata_cost){1, 3}, (fumata_cost){333333333333333333, 1000000000000000000}, 0);
  expect_order((fumata_cost){1, 3}, (fumata_cost){333333333333333334, 1000000000000000000}, 1);
  expect_order((fumata_cost){MOST, MOST}, (fumata_cost){MOST - 1, MOST}, 0);
  expect_order((fumata_cost){MOST - 1, MOST}, (fumata_cost){MOST, MOST}, 1);
  expect_order((fumata_cost){MOST, 1}, absent, 1);
  expect_order(absent, (fumata_cost){0, 1}, 1);
  expect_order(absent, absent, 1);
  expect_order((fumata_cost){9, 0}, (fumata_cost){0, 1}, 1);
  expect_order((fumata_cost){1, 1}, (fumata_cost){0, 1}, 0);
  seed = 4;
  for (int i = 0; i < 200000; i++) {
    fumata_cost x = {word() >> below(64), word() >> below(64)},
                y = {word() >> below(64), 1 + (word() >> (1 + below(63)))};
    if (i % 3 == 0) y.num = x.num, y.den = x.den - below(2) + (x.den == 0) * 2; /* close to each other */
    expect_order(x, y, x.den == 0 || y.den == 0 || (wide)x.num * y.den <= (wide)y.num * x.den);
  }
}
END_TEST

static void expect_parts(fumata_cost x, uint32_t parts) {
  fumata_cost part = marked, rest = marked, sum;
  ck_assert_int_eq(fumata_ceiling_split(x, parts, &part, &rest), FUMATA_OK);
  ck_assert_uint_eq(divisor(part.num, part.den), 1);
  ck_assert_uint_eq(divisor(rest.num, rest.den), 1);
  ck_assert((wide)part.num * x.den * parts == (wide)x.num * part.den);
  ck_assert_int_eq(fumata_ceiling_add(part, rest, &sum), FUMATA_OK);
  ck_assert_int_eq(fumata_ceiling_within(sum, x), 1);
  ck_assert_int_eq(fumata_ceiling_within(x, sum), 1);
}

static void expect_no_parts(fumata_cost x, uint32_t parts) {
  fumata_cost part = marked, rest = marked;
  ck_assert_int_eq(fumata_ceiling_split(x, parts, &part, &rest), FUMATA_ERR_CLAIM);
  ck_assert_uint_eq(part.num + part.den + rest.num + rest.den, 28);
}

START_TEST(test_parts) {
  expect_parts((fumata_cost){1, 1}, 50);
  expect_parts((fumata_cost){1, 100000}, 50);
  expect_parts((fumata_cost){5, 3}, 1);
  expect_parts((fumata_cost){79, 25}, 2);
  expect_parts((fumata_cost){1, MOST / 50}, 50);
  expect_no_parts((fumata_cost){1, MOST / 50 + 1}, 50);
  expect_no_parts((fumata_cost){MOST / 49 + 1, 1}, 50);
  expect_no_parts((fumata_cost){1, 1}, 0);
  expect_no_parts(absent, 50);
}
END_TEST

SUITE_MAIN("ceiling", test_sums, test_sums_at_the_edge, test_long_division, test_any_sums, test_within, test_parts)

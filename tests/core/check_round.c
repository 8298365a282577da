#include "core/round.h"

#include <math.h>
#include <stdlib.h>

#include "support/suite.h"

/* 64 bits of mantissa hold any product of two numbers, and any sum of two that are close, exactly. */
static long double value(fumata_number n) {
  return ldexpl((long double)n.mantissa, (int)n.exponent);
}

static uint64_t state = 1;

static uint64_t word(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static fumata_number number(int range) {
  fumata_number n;
  n.mantissa = (uint32_t)(word() | UINT64_C(0x80000000));
  if (word() % 8 == 0) n.mantissa = word() % 2 ? UINT32_MAX : UINT32_C(0x80000000);
  n.exponent = (int64_t)(word() % (uint64_t)(2 * range + 1)) - range;
  return n;
}

#define ABOVE(n, exact, slack)                                                                                         \
  do {                                                                                                                 \
    long double above_ = (exact);                                                                                      \
    ck_assert_uint_ge((n).mantissa, UINT32_C(0x80000000));                                                             \
    ck_assert(value(n) >= above_);                                                                                     \
    ck_assert(value(n) <= above_ * (1 + ldexpl(1, (slack))));                                                          \
  } while (0)

#define BELOW(n, exact, slack)                                                                                         \
  do {                                                                                                                 \
    long double below_ = (exact);                                                                                      \
    ck_assert_uint_ge((n).mantissa, UINT32_C(0x80000000));                                                             \
    ck_assert(value(n) <= below_);                                                                                     \
    ck_assert(value(n) >= below_ * (1 - ldexpl(1, (slack))));                                                          \
  } while (0)

START_TEST(test_pack) {
  int i;
  for (i = 0; i < 5000; i++) {
    uint64_t m = word() >> (word() % 64);
    int64_t e = (int64_t)(word() % 200) - 100;
    if (m == 0) m = 1;
    ABOVE(fumata_round_pack_up(m, e), ldexpl((long double)m, (int)e), -31);
    BELOW(fumata_round_pack_down(m, e), ldexpl((long double)m, (int)e), -31);
    ABOVE(fumata_round_pack_up(m, FUMATA_ROUND_WHOLE), (long double)m, -31);
    BELOW(fumata_round_pack_down(m, FUMATA_ROUND_WHOLE), (long double)m, -31);
    ABOVE(fumata_round_pack_up(m, FUMATA_ROUND_FIXED), ldexpl((long double)m, -32), -31);
    BELOW(fumata_round_pack_down(m, FUMATA_ROUND_FIXED), ldexpl((long double)m, -32), -31);
    ABOVE(fumata_round_pack_up(m, FUMATA_ROUND_SHARE), ldexpl((long double)m, -64), -31);
    BELOW(fumata_round_pack_down(m, FUMATA_ROUND_SHARE), ldexpl((long double)m, -64), -31);
  }
}
END_TEST

/* What fits is not rounded at all; the largest word is rounded into the next power of two. */
START_TEST(test_pack_exact) {
  int i;
  for (i = 0; i < 64; i++) {
    ck_assert(value(fumata_round_pack_up(UINT64_C(1) << i, FUMATA_ROUND_WHOLE)) == ldexpl(1, i));
    ck_assert(value(fumata_round_pack_down(UINT64_C(1) << i, FUMATA_ROUND_WHOLE)) == ldexpl(1, i));
  }
  ck_assert(value(fumata_round_pack_up(UINT32_MAX, FUMATA_ROUND_WHOLE)) == 4294967295.0L);
  ck_assert(value(fumata_round_pack_down(UINT32_MAX, FUMATA_ROUND_WHOLE)) == 4294967295.0L);
  ck_assert(value(fumata_round_pack_up(UINT64_MAX, FUMATA_ROUND_WHOLE)) == ldexpl(1, 64));
  ck_assert(value(fumata_round_pack_down(UINT64_MAX, FUMATA_ROUND_WHOLE)) == ldexpl(4294967295.0L, 32));
}
END_TEST

START_TEST(test_mul_div) {
  int i;
  for (i = 0; i < 5000; i++) {
    fumata_number x = number(1000), y = number(1000);
    fumata_number up = fumata_round_div_up(x, y), down = fumata_round_div_down(x, y);
    ABOVE(fumata_round_mul_up(x, y), value(x) * value(y), -31);
    BELOW(fumata_round_mul_down(x, y), value(x) * value(y), -31);
    ck_assert(value(up) * value(y) >= value(x));
    ck_assert(value(up) * value(y) <= value(x) * (1 + ldexpl(1, -29)));
    ck_assert(value(down) * value(y) <= value(x));
    ck_assert(value(down) * value(y) >= value(x) * (1 - ldexpl(1, -29)));
  }
}
END_TEST

START_TEST(test_add_sub_close) {
  int i;
  for (i = 0; i < 5000; i++) {
    fumata_number x = number(12), y = number(12), rest = fumata_round_sub_down(x, y);
    long double gap = value(x) - value(y);
    ABOVE(fumata_round_add_up(x, y), value(x) + value(y), -30);
    BELOW(fumata_round_add_down(x, y), value(x) + value(y), -30);
    if (gap <= 0) {
      ck_assert_uint_eq(rest.mantissa, 0);
    } else {
      ck_assert_uint_ne(rest.mantissa, 0);
      BELOW(rest, gap, -30);
    }
  }
}
END_TEST

/* A side too small to matter still pushes an upper bound up and never a lower bound. */
START_TEST(test_add_sub_far) {
  int i;
  for (i = 0; i < 5000; i++) {
    fumata_number x = number(10), y = number(10), rest;
    y.exponent -= 100 + (int64_t)(word() % 1000000);
    ck_assert(value(fumata_round_add_up(x, y)) > value(x));
    ck_assert(value(fumata_round_add_up(y, x)) > value(x));
    ck_assert(value(fumata_round_add_up(x, y)) <= value(x) * (1 + ldexpl(1, -31)));
    ck_assert(value(fumata_round_add_down(x, y)) == value(x));
    ck_assert(value(fumata_round_add_down(y, x)) == value(x));
    rest = fumata_round_sub_down(x, y);
    ck_assert(value(rest) < value(x) && value(rest) >= value(x) * (1 - ldexpl(1, -31)));
    ck_assert_uint_eq(fumata_round_sub_down(y, x).mantissa, 0);
  }
}
END_TEST

static void same(fumata_number x, fumata_number y) {
  ck_assert_uint_eq(x.mantissa, y.mantissa);
  ck_assert_int_eq(x.exponent, y.exponent);
}

/* Not a bit depends on the order of the two sides, at equal exponents, near ones and far ones. */
START_TEST(test_commutes) {
  static const int ranges[] = {0, 12, 1000};
  int i;
  for (i = 0; i < 5000; i++) {
    fumata_number x = number(ranges[i % 3]), y = number(ranges[i % 3]);
    same(fumata_round_add_up(x, y), fumata_round_add_up(y, x));
    same(fumata_round_add_down(x, y), fumata_round_add_down(y, x));
    same(fumata_round_mul_up(x, y), fumata_round_mul_up(y, x));
    same(fumata_round_mul_down(x, y), fumata_round_mul_down(y, x));
  }
}
END_TEST

START_TEST(test_pow) {
  int i;
  for (i = 0; i < 2000; i++) {
    fumata_number x = number(0);
    uint32_t n = (uint32_t)(word() % 300);
    long double exact;
    x.exponent = -31 - (int64_t)(word() % 2); /* 1/2 .. 2 */
    exact = powl(value(x), n);
    ck_assert(value(fumata_round_pow_up(x, n)) >= exact * (1 - ldexpl(1, -50)));
    ck_assert(value(fumata_round_pow_up(x, n)) <= exact * (1 + ldexpl(300, -30)));
    ck_assert(value(fumata_round_pow_down(x, n)) <= exact * (1 + ldexpl(1, -50)));
    ck_assert(value(fumata_round_pow_down(x, n)) >= exact * (1 - ldexpl(300, -30)));
    ck_assert(value(fumata_round_pow_up(x, 0)) == 1 && value(fumata_round_pow_down(x, 0)) == 1);
    ck_assert(value(fumata_round_pow_up(x, 1)) == value(x) && value(fumata_round_pow_down(x, 1)) == value(x));
  }
}
END_TEST

/* The corners of the range that a certificate may ask for do not overflow. */
START_TEST(test_pow_far) {
  fumata_number x = {UINT32_MAX, 16777216}, y = {UINT32_C(0x80000000), -16777216};
  ck_assert_int_gt(fumata_round_pow_up(x, FUMATA_ROUND_POWER).exponent, INT64_C(16777216) * FUMATA_ROUND_POWER);
  ck_assert_int_lt(fumata_round_pow_down(y, FUMATA_ROUND_POWER).exponent, INT64_C(-16777180) * FUMATA_ROUND_POWER);
}
END_TEST

START_TEST(test_le) {
  int i;
  for (i = 0; i < 5000; i++) {
    fumata_number x = number(1), y = number(1);
    if (word() % 4 == 0) y.mantissa = x.mantissa;
    ck_assert_int_eq(fumata_round_le(x, y), value(x) <= value(y));
    ck_assert_int_eq(fumata_round_le(y, x), value(y) <= value(x));
    ck_assert_int_eq(fumata_round_le(x, x), 1);
  }
}
END_TEST

SUITE_MAIN("round", test_pack, test_pack_exact, test_mul_div, test_add_sub_close, test_add_sub_far, test_commutes,
           test_pow, test_pow_far, test_le)

#include "ceiling.h"

#define FUMATA_CEILING_HALF UINT64_C(4294967296) /* 2^32: words are multiplied in halves */

/* high * 2^64 + low. */
typedef struct {
  uint64_t high;
  uint64_t low;
} fumata_product;

/* The halves of a number. */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures upper:       \result * 4294967296 <= number < (\result + 1) * 4294967296;
    ensures small:       \result < 4294967296; */
static uint64_t fumata_ceiling_upper(uint64_t number) {
  return number / FUMATA_CEILING_HALF;
}

/* A product of two halves, and a third half, fit one word. */
/*@ requires halves:     a < 4294967296 && b < 4294967296 && c < 4294967296;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == a * b + c; */
static uint64_t fumata_ceiling_cell(uint64_t a, uint64_t b, uint64_t c) {
  return a * b + c;
}

/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures product:     \result.high * 18446744073709551616 + \result.low == x * y; */
static fumata_product fumata_ceiling_multiply(uint64_t x, uint64_t y) {
  fumata_product product;
  uint64_t high_x = fumata_ceiling_upper(x);
  uint64_t high_y = fumata_ceiling_upper(y);
  uint64_t low_x = x - high_x * FUMATA_CEILING_HALF;
  uint64_t low_y = y - high_y * FUMATA_CEILING_HALF;
  uint64_t first = fumata_ceiling_cell(low_x, low_y, 0);
  uint64_t carry = fumata_ceiling_upper(first);
  uint64_t second = fumata_ceiling_cell(high_x, low_y, carry);
  uint64_t above = fumata_ceiling_upper(second);
  uint64_t third = fumata_ceiling_cell(low_x, high_y, second - above * FUMATA_CEILING_HALF);
  uint64_t over = fumata_ceiling_upper(third);

  product.low = (third - over * FUMATA_CEILING_HALF) * FUMATA_CEILING_HALF + (first - carry * FUMATA_CEILING_HALF);
  product.high = fumata_ceiling_cell(high_x, high_y, above) + over;
  return product;
}

/*@ requires some:       1 <= b;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures divisor:     \result == FumataDivisor(a, b);
    ensures some:        1 <= \result;
    ensures small:       \result <= b; */
static uint64_t fumata_ceiling_divisor(uint64_t a, uint64_t b) {
  uint32_t n;

  /*@ loop invariant range:   0 <= n <= FUMATA_CEILING_STEPS;
      loop invariant first:   n == FUMATA_CEILING_STEPS ==> b == \at(b, Pre);
      loop invariant small:   n < FUMATA_CEILING_STEPS ==> b < a <= \at(b, Pre);
      loop invariant divisor: FumataEuclid(a, b, n) == FumataDivisor(\at(a, Pre), \at(b, Pre));
      loop assigns            n, a, b;
      loop variant            n; */
  for (n = FUMATA_CEILING_STEPS; n > 0 && b != 0; n--) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/*@ requires some:       1 <= den;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures lowest:      FumataIsLowest(num, den, \result); */
static fumata_cost fumata_ceiling_reduce(uint64_t num, uint64_t den) {
  uint64_t divisor = fumata_ceiling_divisor(num, den);
  fumata_cost x;

  x.num = num / divisor;
  x.den = den / divisor;
  return x;
}

/* A cost that is absent is 0 / 1. */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures num:         \result.num == FumataNum(x);
    ensures den:         \result.den == FumataDen(x); */
static fumata_cost fumata_ceiling_some(fumata_cost x) {
  if (x.den == 0) {
    x.num = 0;
    x.den = 1;
  }
  return x;
}

fumata_status fumata_ceiling_add(fumata_cost x, fumata_cost y, fumata_cost *sum) {
  fumata_cost a = fumata_ceiling_some(x);
  fumata_cost b = fumata_ceiling_some(y);
  uint64_t divisor = fumata_ceiling_divisor(a.den, b.den);
  fumata_product den = fumata_ceiling_multiply(a.den, b.den / divisor);
  fumata_product one = fumata_ceiling_multiply(a.num, b.den / divisor);
  fumata_product two = fumata_ceiling_multiply(b.num, a.den / divisor);

  /*@ assert some: 1 <= a.den && 1 <= b.den / divisor; */
  /*@ assert den: FumataSumDen(x, y) == den.high * 18446744073709551616 + den.low; */
  /*@ assert num: FumataSumNum(x, y) == (one.high + two.high) * 18446744073709551616 + one.low + two.low; */
  if (den.high != 0 || one.high != 0 || two.high != 0 || one.low > UINT64_MAX - two.low) {
    return FUMATA_ERR_CLAIM;
  }
  *sum = fumata_ceiling_reduce(one.low + two.low, den.low);
  return FUMATA_OK;
}

int fumata_ceiling_within(fumata_cost x, fumata_cost total) {
  fumata_cost a = fumata_ceiling_some(x);
  fumata_product left = fumata_ceiling_multiply(a.num, total.den);
  fumata_product right = fumata_ceiling_multiply(total.num, a.den);

  return total.den == 0 || left.high < right.high || (left.high == right.high && left.low <= right.low);
}

fumata_status fumata_ceiling_split(fumata_cost x, uint32_t parts, fumata_cost *part, fumata_cost *rest) {
  fumata_product den = fumata_ceiling_multiply(x.den, parts);
  fumata_product others;

  if (x.den == 0 || parts == 0) {
    return FUMATA_ERR_CLAIM;
  }
  others = fumata_ceiling_multiply(x.num, parts - 1u);
  if (den.high != 0 || others.high != 0) {
    return FUMATA_ERR_CLAIM;
  }
  *part = fumata_ceiling_reduce(x.num, den.low);
  *rest = fumata_ceiling_reduce(others.low, den.low);
  return FUMATA_OK;
}

#include "round.h"

#define FUMATA_ROUND_HALF  UINT64_C(2147483648) /* 2^31, the least mantissa */
#define FUMATA_ROUND_FULL  UINT64_C(4294967296) /* 2^32, the first that is none */
#define FUMATA_ROUND_PLACE 64                   /* beyond this many places to the right nothing changes */

/* mantissa * 2^exponent while it is still as wide as a machine word. */
typedef struct {
  uint64_t mantissa;
  int64_t exponent;
} fumata_wide;

/*@ requires small:      mantissa < FUMATA_ROUND_FULL;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataNumber(mantissa, exponent);
    ensures parts:       \result.mantissa == mantissa && \result.exponent == exponent; */
static fumata_number fumata_round_number(uint64_t mantissa, int64_t exponent) {
  fumata_number n;

  n.mantissa = (uint32_t)mantissa;
  n.exponent = exponent;
  return n;
}

/* The same value with the highest bit of the mantissa set. */
/*@ requires positive:   1 <= mantissa;
    requires range:      -FUMATA_ROUND_RANGE <= exponent <= FUMATA_ROUND_RANGE;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures mantissa:    \result.mantissa == FumataWide(mantissa);
    ensures exponent:    \result.exponent == exponent - FumataZeros(mantissa);
    ensures full:        9223372036854775808 <= \result.mantissa;
    ensures range:       exponent - 63 <= \result.exponent <= exponent; */
static fumata_wide fumata_round_widen(uint64_t mantissa, int64_t exponent) {
  fumata_wide wide;

  if (mantissa < UINT64_C(4294967296)) {
    mantissa *= UINT64_C(4294967296);
    exponent -= 32;
  }
  /*@ assert full_32: 4294967296 <= mantissa && mantissa == FumataWide32(\at(mantissa, Pre)); */
  if (mantissa < UINT64_C(281474976710656)) {
    mantissa *= UINT64_C(65536);
    exponent -= 16;
  }
  /*@ assert full_16: 281474976710656 <= mantissa && mantissa == FumataWide16(\at(mantissa, Pre)); */
  if (mantissa < UINT64_C(72057594037927936)) {
    mantissa *= UINT64_C(256);
    exponent -= 8;
  }
  /*@ assert full_8: 72057594037927936 <= mantissa && mantissa == FumataWide8(\at(mantissa, Pre)); */
  if (mantissa < UINT64_C(1152921504606846976)) {
    mantissa *= UINT64_C(16);
    exponent -= 4;
  }
  /*@ assert full_4: 1152921504606846976 <= mantissa && mantissa == FumataWide4(\at(mantissa, Pre)); */
  if (mantissa < UINT64_C(4611686018427387904)) {
    mantissa *= UINT64_C(4);
    exponent -= 2;
  }
  /*@ assert full_2: 4611686018427387904 <= mantissa && mantissa == FumataWide2(\at(mantissa, Pre)); */
  if (mantissa < UINT64_C(9223372036854775808)) {
    mantissa *= UINT64_C(2);
    exponent -= 1;
  }
  wide.mantissa = mantissa;
  wide.exponent = exponent;
  return wide;
}

fumata_number fumata_round_pack_down(uint64_t mantissa, int64_t exponent) {
  fumata_wide wide = fumata_round_widen(mantissa, exponent);

  return fumata_round_number(wide.mantissa / FUMATA_ROUND_FULL, wide.exponent + 32);
}

fumata_number fumata_round_pack_up(uint64_t mantissa, int64_t exponent) {
  fumata_wide wide = fumata_round_widen(mantissa, exponent);
  uint64_t high = wide.mantissa / FUMATA_ROUND_FULL + (wide.mantissa % FUMATA_ROUND_FULL != 0);

  if (high == FUMATA_ROUND_FULL) {
    return fumata_round_number(FUMATA_ROUND_HALF, wide.exponent + 33);
  }
  return fumata_round_number(high, wide.exponent + 32);
}

fumata_number fumata_round_mul_up(fumata_number x, fumata_number y) {
  return fumata_round_pack_up((uint64_t)x.mantissa * y.mantissa, x.exponent + y.exponent);
}

fumata_number fumata_round_mul_down(fumata_number x, fumata_number y) {
  return fumata_round_pack_down((uint64_t)x.mantissa * y.mantissa, x.exponent + y.exponent);
}

fumata_number fumata_round_div_up(fumata_number x, fumata_number y) {
  uint64_t top = (uint64_t)x.mantissa * FUMATA_ROUND_FULL;
  uint64_t quotient = top / y.mantissa + (top % y.mantissa != 0);

  return fumata_round_pack_up(quotient, x.exponent - y.exponent - 32);
}

fumata_number fumata_round_div_down(fumata_number x, fumata_number y) {
  uint64_t top = (uint64_t)x.mantissa * FUMATA_ROUND_FULL;

  return fumata_round_pack_down(top / y.mantissa, x.exponent - y.exponent - 32);
}

/* The mantissa, stretched by 2^31 so that it keeps its digits, some places to the right. */
/*@ requires positive:   1 <= x.mantissa;
    requires places:     0 <= places;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataAlignUp(x, places);
    ensures range:       1 <= \result <= x.mantissa * 2147483648; */
static uint64_t fumata_round_align_up(fumata_number x, int64_t places) {
  uint64_t mantissa = x.mantissa * FUMATA_ROUND_HALF;
  int64_t n;

  /*@ loop invariant range:   0 <= n <= FUMATA_ROUND_PLACE;
      loop invariant small:   1 <= mantissa <= x.mantissa * 2147483648;
      loop invariant value:   FumataHalveUp(mantissa, n) == FumataAlignUp(x, places);
      loop assigns            n, mantissa;
      loop variant            n; */
  for (n = places < FUMATA_ROUND_PLACE ? places : FUMATA_ROUND_PLACE; n > 0; n--) {
    mantissa = mantissa / 2 + mantissa % 2;
  }
  return mantissa;
}

/*@ requires positive:   1 <= x.mantissa;
    requires places:     0 <= places;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataAlignDown(x, places);
    ensures range:       \result <= x.mantissa * 2147483648; */
static uint64_t fumata_round_align_down(fumata_number x, int64_t places) {
  uint64_t mantissa = x.mantissa * FUMATA_ROUND_HALF;
  int64_t n;

  /*@ loop invariant range:   0 <= n <= FUMATA_ROUND_PLACE;
      loop invariant small:   mantissa <= x.mantissa * 2147483648;
      loop invariant value:   FumataHalveDown(mantissa, n) == FumataAlignDown(x, places);
      loop assigns            n, mantissa;
      loop variant            n; */
  for (n = places < FUMATA_ROUND_PLACE ? places : FUMATA_ROUND_PLACE; n > 0; n--) {
    mantissa /= 2;
  }
  return mantissa;
}

fumata_number fumata_round_add_up(fumata_number x, fumata_number y) {
  uint64_t sum;

  if (x.exponent < y.exponent) {
    sum = fumata_round_align_up(x, y.exponent - x.exponent) + fumata_round_align_up(y, 0);
    /*@ assert left: FumataAddUp(x, y) == FumataPackUp(sum, y.exponent - 31); */
    return fumata_round_pack_up(sum, y.exponent - 31);
  }
  sum = fumata_round_align_up(x, 0) + fumata_round_align_up(y, x.exponent - y.exponent);
  /*@ assert right: FumataAddUp(x, y) == FumataPackUp(sum, x.exponent - 31); */
  return fumata_round_pack_up(sum, x.exponent - 31);
}

fumata_number fumata_round_add_down(fumata_number x, fumata_number y) {
  uint64_t sum;

  if (x.exponent < y.exponent) {
    sum = fumata_round_align_down(x, y.exponent - x.exponent) + fumata_round_align_down(y, 0);
    /*@ assert left: FumataAddDown(x, y) == FumataPackDown(sum, y.exponent - 31); */
    return fumata_round_pack_down(sum, y.exponent - 31);
  }
  sum = fumata_round_align_down(x, 0) + fumata_round_align_down(y, x.exponent - y.exponent);
  /*@ assert right: FumataAddDown(x, y) == FumataPackDown(sum, x.exponent - 31); */
  return fumata_round_pack_down(sum, x.exponent - 31);
}

fumata_number fumata_round_sub_down(fumata_number x, fumata_number y) {
  uint64_t whole, part;

  if (x.exponent < y.exponent) {
    return fumata_round_number(0, 0);
  }
  whole = fumata_round_align_down(x, 0);
  part = fumata_round_align_up(y, x.exponent - y.exponent);
  if (whole <= part) {
    return fumata_round_number(0, 0);
  }
  /*@ assert rest: FumataSubDown(x, y) == FumataPackDown(whole - part, x.exponent - 31); */
  return fumata_round_pack_down(whole - part, x.exponent - 31);
}

fumata_number fumata_round_pow_up(fumata_number x, uint32_t n) {
  fumata_number power = fumata_round_pack_up(1, FUMATA_ROUND_WHOLE);
  uint32_t i;

  /*@ loop invariant range:   1 <= i <= n + 1;
      loop invariant number:  FumataSpans(power, -33 - 33554432 * (i - 1), 33 + 33554432 * (i - 1));
      loop invariant near:    FumataIsNumber(x, 2000) ==> -33 - 2048 * (i - 1) <= power.exponent <= 33 + 2048 * (i - 1);
      loop invariant value:   power == FumataPowUp(x, i - 1);
      loop assigns            i, power;
      loop variant            n + 1 - i; */
  for (i = 1; i <= n; i++) {
    power = fumata_round_mul_up(power, x);
  }
  return power;
}

fumata_number fumata_round_pow_down(fumata_number x, uint32_t n) {
  fumata_number power = fumata_round_pack_down(1, FUMATA_ROUND_WHOLE);
  uint32_t i;

  /*@ loop invariant range:   1 <= i <= n + 1;
      loop invariant number:  FumataSpans(power, -33 - 33554432 * (i - 1), 33 + 33554432 * (i - 1));
      loop invariant near:    FumataIsNumber(x, 2000) ==> -33 - 2048 * (i - 1) <= power.exponent <= 33 + 2048 * (i - 1);
      loop invariant value:   power == FumataPowDown(x, i - 1);
      loop assigns            i, power;
      loop variant            n + 1 - i; */
  for (i = 1; i <= n; i++) {
    power = fumata_round_mul_down(power, x);
  }
  return power;
}

int fumata_round_le(fumata_number x, fumata_number y) {
  return x.exponent < y.exponent || (x.exponent == y.exponent && x.mantissa <= y.mantissa);
}

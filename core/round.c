#include "round.h"

#define FUMATA_ROUND_HALF UINT64_C(2147483648)          /* 2^31, the least mantissa */
#define FUMATA_ROUND_FULL UINT64_C(4294967296)          /* 2^32, the first that is none */
#define FUMATA_ROUND_WIDE UINT64_C(9223372036854775808) /* 2^63, the same for a word */

#ifdef __FRAMAC__
#include "algebra.acsl"
#endif

/* Laws of powers of two. Each is proved by the loop in its body, whose invariant is the induction. */
/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataTwo(e + 1) == 2 * FumataTwo(e);
  @/
  void fumata_round_two_next(int64_t e) {
  }
*/

/*@ ghost
  /@
    requires range:      -4 * FUMATA_ROUND_RANGE <= e <= 4 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataTwo(e) > 0;
  @/
  void fumata_round_two_positive(int64_t e) {
    int64_t i = 0;
    /@
      loop invariant range:    0 <= i && (i <= e || i == 0);
      loop invariant law:      FumataTwo(i) > 0;
      loop assigns             i;
      loop variant             e - i;
    @/
    while (i < e) {
      i++;
    }
    /@
      loop invariant range:    (e >= 0 ==> i == e) && (e < 0 ==> e <= i <= 0);
      loop invariant law:      FumataTwo(i) > 0;
      loop assigns             i;
      loop variant             i - e;
    @/
    while (i > e) {
      i--;
    }
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= a <= 2 * FUMATA_ROUND_RANGE;
    requires range:      -2 * FUMATA_ROUND_RANGE <= b <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataTwo(a + b) == FumataTwo(a) * FumataTwo(b);
  @/
  void fumata_round_two_add(int64_t a, int64_t b) {
    int64_t i = 0;
    /@ assert zero: FumataTwo(0) == 1.0; @/
    /@
      loop invariant range:    0 <= i && (i <= b || i == 0);
      loop invariant law:      FumataTwo(a + i) == FumataTwo(a) * FumataTwo(i);
      loop assigns             i;
      loop variant             b - i;
    @/
    while (i < b) {
      fumata_round_two_next(a + i);
      fumata_round_two_next(i);
      i++;
    }
    /@
      loop invariant range:    (b >= 0 ==> i == b) && (b < 0 ==> b <= i <= 0);
      loop invariant law:      FumataTwo(a + i) == FumataTwo(a) * FumataTwo(i);
      loop assigns             i;
      loop variant             i - b;
    @/
    while (i > b) {
      i--;
      fumata_round_two_next(a + i);
      fumata_round_two_next(i);
    }
    /@ assert end: i == b; @/
  }
*/

/*@ ghost
  /@
    requires range:      -4 * FUMATA_ROUND_RANGE <= a <= b <= 4 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         0 < FumataTwo(a) <= FumataTwo(b);
  @/
  void fumata_round_two_grows(int64_t a, int64_t b) {
    int64_t i = a;
    fumata_round_two_positive(a);
    /@
      loop invariant range:    a <= i <= b;
      loop invariant law:      0 < FumataTwo(a) <= FumataTwo(i);
      loop assigns             i;
      loop variant             b - i;
    @/
    while (i < b) {
      fumata_round_two_next(i);
      i++;
    }
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures bits_1:      FumataTwo(e + 1) == 2 * FumataTwo(e);
    ensures bits_2:      FumataTwo(e + 2) == 4 * FumataTwo(e);
    ensures bits_4:      FumataTwo(e + 4) == 16 * FumataTwo(e);
    ensures bits_8:      FumataTwo(e + 8) == 256 * FumataTwo(e);
    ensures bits_16:     FumataTwo(e + 16) == 65536 * FumataTwo(e);
    ensures bits_32:     FumataTwo(e + 32) == 4294967296 * FumataTwo(e);
    ensures positive:    0 < FumataTwo(e);
  @/
  void fumata_round_two_words(int64_t e) {
    fumata_round_two_next(0);
    fumata_round_two_add(1, 1);
    fumata_round_two_add(2, 2);
    fumata_round_two_add(4, 4);
    fumata_round_two_add(8, 8);
    fumata_round_two_add(16, 16);
    fumata_round_two_add(e, 1);
    fumata_round_two_add(e, 2);
    fumata_round_two_add(e, 4);
    fumata_round_two_add(e, 8);
    fumata_round_two_add(e, 16);
    fumata_round_two_add(e, 32);
    fumata_round_two_positive(e);
  }
*/

/* What a scaled number is. Said apart, as CVC4 and Z3 do not multiply by a factor an equation they already know. */
/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataScaled(m, e) == (real)m * FumataTwo(e);
  @/
  void fumata_round_scaled_parts(uint64_t m, int64_t e) {
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataScaled(a * b, e) == (real)a * (real)b * FumataTwo(e);
  @/
  void fumata_round_scaled_product(uint64_t a, uint64_t b, int64_t e) {
    /@ assert product: (real)(a * b) == (real)a * (real)b; @/
  }
*/

/*@ ghost
  /@
    requires range:      -4 * FUMATA_ROUND_RANGE <= e <= 4 * FUMATA_ROUND_RANGE;
    requires factor:     FumataTwo(e + k) == c * FumataTwo(e);
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataScaled(m * c, e) == FumataScaled(m, e + k);
  @/
  void fumata_round_two_factor(uint64_t m, uint64_t c, int64_t e, int k) {
    fumata_round_scaled_product(m, c, e);
    fumata_round_scaled_parts(m, e + k);
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= 2 * FUMATA_ROUND_RANGE;
    requires bits:       k == 1 || k == 2 || k == 4 || k == 8 || k == 16 || k == 32;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures bits_1:      k == 1 ==> FumataScaled(m * 2, e) == FumataScaled(m, e + k);
    ensures bits_2:      k == 2 ==> FumataScaled(m * 4, e) == FumataScaled(m, e + k);
    ensures bits_4:      k == 4 ==> FumataScaled(m * 16, e) == FumataScaled(m, e + k);
    ensures bits_8:      k == 8 ==> FumataScaled(m * 256, e) == FumataScaled(m, e + k);
    ensures bits_16:     k == 16 ==> FumataScaled(m * 65536, e) == FumataScaled(m, e + k);
    ensures bits_32:     k == 32 ==> FumataScaled(m * 4294967296, e) == FumataScaled(m, e + k);
  @/
  void fumata_round_two_shift(uint64_t m, int64_t e, int k) {
    fumata_round_two_words(e);
    if (k == 1) {
      fumata_round_two_factor(m, 2, e, k);
    } else if (k == 2) {
      fumata_round_two_factor(m, 4, e, k);
    } else if (k == 4) {
      fumata_round_two_factor(m, 16, e, k);
    } else if (k == 8) {
      fumata_round_two_factor(m, 256, e, k);
    } else if (k == 16) {
      fumata_round_two_factor(m, 65536, e, k);
    } else {
      fumata_round_two_factor(m, 4294967296, e, k);
    }
  }
*/

/*@ ghost
  /@
    requires range:      -4 * FUMATA_ROUND_RANGE <= e <= 4 * FUMATA_ROUND_RANGE;
    requires factor:     FumataTwo(e + k) == c * FumataTwo(e) && FumataTwo(e) > 0;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures below:       h * c <= m ==> FumataScaled(h, e + k) <= FumataScaled(m, e);
    ensures above:       h * c >= m ==> FumataScaled(h, e + k) >= FumataScaled(m, e);
    ensures less:        h * c < m ==> FumataScaled(h, e + k) < FumataScaled(m, e);
    ensures more:        h * c > m ==> FumataScaled(h, e + k) > FumataScaled(m, e);
  @/
  void fumata_round_scaled_factor(uint64_t m, uint64_t h, uint64_t c, int64_t e, int k) {
    fumata_round_scaled_parts(m, e);
    fumata_round_scaled_parts(h, e + k);
    /@ assert product: (real)(h * c) == (real)h * (real)c; @/
    /@ assert signs:   FumataPositive((real)h, (real)c); @/
    /@ assert below:   h * c <= m ==> FumataNested((real)h * (real)c, (real)m, FumataTwo(e), FumataTwo(e)); @/
    /@ assert above:   h * c >= m ==> FumataNested((real)m, (real)h * (real)c, FumataTwo(e), FumataTwo(e)); @/
    /@ assert less:    h * c < m ==> FumataStrict((real)h * (real)c, (real)m, FumataTwo(e)); @/
    /@ assert more:    h * c > m ==> FumataStrict((real)m, (real)h * (real)c, FumataTwo(e)); @/
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures below:       h * 4294967296 <= m ==> FumataScaled(h, e + 32) <= FumataScaled(m, e);
    ensures above:       h * 4294967296 >= m ==> FumataScaled(h, e + 32) >= FumataScaled(m, e);
    ensures less:        h * 4294967296 < m ==> FumataScaled(h, e + 32) < FumataScaled(m, e);
    ensures more:        h * 4294967296 > m ==> FumataScaled(h, e + 32) > FumataScaled(m, e);
  @/
  void fumata_round_scaled_word(uint64_t m, uint64_t h, int64_t e) {
    fumata_round_two_words(e);
    fumata_round_scaled_factor(m, h, 4294967296, e, 32);
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures below:       h * 8589934592 <= m ==> FumataScaled(h, e + 33) <= FumataScaled(m, e);
    ensures above:       h * 8589934592 >= m ==> FumataScaled(h, e + 33) >= FumataScaled(m, e);
    ensures less:        h * 8589934592 < m ==> FumataScaled(h, e + 33) < FumataScaled(m, e);
    ensures more:        h * 8589934592 > m ==> FumataScaled(h, e + 33) > FumataScaled(m, e);
  @/
  void fumata_round_scaled_carry(uint64_t m, uint64_t h, int64_t e) {
    fumata_round_two_words(e);
    fumata_round_two_next(e + 32);
    fumata_round_scaled_factor(m, h, 8589934592, e, 33);
  }
*/

/*@ ghost
  /@
    requires range:      -FUMATA_ROUND_RANGE <= e <= FUMATA_ROUND_RANGE;
    requires range:      -FUMATA_ROUND_RANGE <= f <= FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataScaled(a, e) * FumataScaled(b, f) == FumataScaled(a * b, e + f);
  @/
  void fumata_round_scaled_times(uint64_t a, int64_t e, uint64_t b, int64_t f) {
    fumata_round_two_add(e, f);
    fumata_round_scaled_parts(a, e);
    fumata_round_scaled_parts(b, f);
    fumata_round_scaled_product(a, b, e + f);
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures weak:        a <= b ==> FumataScaled(a, e) <= FumataScaled(b, e);
    ensures positive:    a >= 1 ==> FumataScaled(a, e) > 0;
  @/
  void fumata_round_scaled_grows(uint64_t a, uint64_t b, int64_t e) {
    fumata_round_two_positive(e);
    fumata_round_scaled_factor(b, a, 1, e, 0);
    fumata_round_scaled_factor(a, 0, 1, e, 0);
  }
*/

/*@ ghost
  /@
    requires range:      -FUMATA_ROUND_RANGE <= e <= FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataScaled(m * 2147483648, e - 31) == FumataScaled(m, e);
  @/
  void fumata_round_scaled_half(uint64_t m, int64_t e) {
    fumata_round_two_words(e - 32);
    fumata_round_two_next(e - 32);
    fumata_round_two_factor(m, 2147483648, e - 31, 31);
  }
*/

/* The quotient is reached in two steps, since the products of the first one are in the way of the division. */
/*@ ghost
  /@
    requires range:      -FUMATA_ROUND_RANGE / 4 <= e <= FUMATA_ROUND_RANGE / 4;
    requires range:      -FUMATA_ROUND_RANGE / 4 <= f <= FUMATA_ROUND_RANGE / 4;
    requires positive:   1 <= b && c * b <= 18446744073709551615 && a * 4294967296 <= 18446744073709551615;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures above:       c * b >= a * 4294967296 ==>
                         FumataAtLeast(FumataScaled(c, e - f - 32), FumataScaled(b, f), FumataScaled(a, e));
    ensures below:       c * b <= a * 4294967296 ==>
                         FumataAtMost(FumataScaled(c, e - f - 32), FumataScaled(b, f), FumataScaled(a, e));
  @/
  void fumata_round_scaled_ratio(uint64_t a, int64_t e, uint64_t b, int64_t f, uint64_t c) {
    fumata_round_scaled_times(c, e - f - 32, b, f);
    fumata_round_scaled_word(c * b, a, e - 32);
    fumata_round_scaled_grows(b, b, f);
    /@ assert product: FumataScaled(c, e - f - 32) * FumataScaled(b, f) == FumataScaled(c * b, e - 32); @/
    /@ assert above: c * b >= a * 4294967296 ==>
                     FumataOver(FumataScaled(c, e - f - 32), FumataScaled(b, f), FumataScaled(a, e)); @/
    /@ assert below: c * b <= a * 4294967296 ==>
                     FumataUnder(FumataScaled(c, e - f - 32), FumataScaled(b, f), FumataScaled(a, e)); @/
  }
*/

/*@ ghost
  /@
    requires range:      -FUMATA_ROUND_RANGE / 4 <= e <= FUMATA_ROUND_RANGE / 4;
    requires range:      -FUMATA_ROUND_RANGE / 4 <= f <= FUMATA_ROUND_RANGE / 4;
    requires positive:   1 <= b && c * b <= 18446744073709551615 && a * 4294967296 <= 18446744073709551615;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures above:       c * b >= a * 4294967296 ==>
                         FumataScaled(a, e) / FumataScaled(b, f) <= FumataScaled(c, e - f - 32);
    ensures below:       c * b <= a * 4294967296 ==>
                         FumataScaled(c, e - f - 32) <= FumataScaled(a, e) / FumataScaled(b, f);
  @/
  void fumata_round_scaled_over(uint64_t a, int64_t e, uint64_t b, int64_t f, uint64_t c) {
    fumata_round_scaled_ratio(a, e, b, f, c);
  }
*/

/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures below:       h * 2 <= m ==> FumataScaled(h, e + 1) <= FumataScaled(m, e);
    ensures above:       h * 2 >= m ==> FumataScaled(h, e + 1) >= FumataScaled(m, e);
  @/
  void fumata_round_scaled_double(uint64_t m, uint64_t h, int64_t e) {
    fumata_round_two_next(e);
    fumata_round_two_positive(e);
    fumata_round_scaled_factor(m, h, 2, e, 1);
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataScaled(a + b, e) == FumataScaled(a, e) + FumataScaled(b, e);
  @/
  void fumata_round_scaled_plus(uint64_t a, uint64_t b, int64_t e) {
    /@ assert sum: (real)(a + b) == (real)a + (real)b; @/
  }
*/

/* Zero and one at a larger exponent, where an alignment ends that has no more digits to drop. */
/*@ ghost
  /@
    requires range:      -2 * FUMATA_ROUND_RANGE <= e <= f <= 2 * FUMATA_ROUND_RANGE;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures none:        FumataScaled(0, e) == 0 && FumataScaled(0, f) == 0;
    ensures one:         0 < FumataScaled(1, e) <= FumataScaled(1, f);
  @/
  void fumata_round_scaled_ends(int64_t e, int64_t f) {
    fumata_round_two_grows(e, f);
    fumata_round_scaled_parts(0, e);
    fumata_round_scaled_parts(0, f);
    fumata_round_scaled_parts(1, e);
    fumata_round_scaled_parts(1, f);
  }
*/

/* mantissa * 2^exponent while it is still as wide as a machine word. */
typedef struct {
  uint64_t mantissa;
  int64_t exponent;
} fumata_wide;

/*@
  requires small:      mantissa < FUMATA_ROUND_FULL;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures parts:       \result.mantissa == mantissa && \result.exponent == exponent;
*/
static fumata_number fumata_round_number(uint64_t mantissa, int64_t exponent) {
  fumata_number n;

  n.mantissa = (uint32_t)mantissa;
  n.exponent = exponent;
  return n;
}

/* The same value with the highest bit of the mantissa set. */
/*@
  requires positive:   1 <= mantissa;
  requires range:      -FUMATA_ROUND_RANGE <= exponent <= FUMATA_ROUND_RANGE;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures same:        FumataScaled(\result.mantissa, \result.exponent) == FumataScaled(mantissa, exponent);
  ensures full:        FUMATA_ROUND_WIDE <= \result.mantissa;
  ensures range:       exponent - 63 <= \result.exponent <= exponent;
*/
static fumata_wide fumata_round_widen(uint64_t mantissa, int64_t exponent) {
  fumata_wide wide;

  if (mantissa < UINT64_C(4294967296)) {
    /*@ ghost fumata_round_two_shift(mantissa, exponent - 32, 32); */
    mantissa *= UINT64_C(4294967296);
    exponent -= 32;
  }
  /*@ assert same_32: FumataScaled(mantissa, exponent) == FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)); */
  /*@ assert full_32: 4294967296 <= mantissa; */
  if (mantissa < UINT64_C(281474976710656)) {
    /*@ ghost fumata_round_two_shift(mantissa, exponent - 16, 16); */
    mantissa *= UINT64_C(65536);
    exponent -= 16;
  }
  /*@ assert same_16: FumataScaled(mantissa, exponent) == FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)); */
  /*@ assert full_16: 281474976710656 <= mantissa; */
  if (mantissa < UINT64_C(72057594037927936)) {
    /*@ ghost fumata_round_two_shift(mantissa, exponent - 8, 8); */
    mantissa *= UINT64_C(256);
    exponent -= 8;
  }
  /*@ assert same_8: FumataScaled(mantissa, exponent) == FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)); */
  /*@ assert full_8: 72057594037927936 <= mantissa; */
  if (mantissa < UINT64_C(1152921504606846976)) {
    /*@ ghost fumata_round_two_shift(mantissa, exponent - 4, 4); */
    mantissa *= UINT64_C(16);
    exponent -= 4;
  }
  /*@ assert same_4: FumataScaled(mantissa, exponent) == FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)); */
  /*@ assert full_4: 1152921504606846976 <= mantissa; */
  if (mantissa < UINT64_C(4611686018427387904)) {
    /*@ ghost fumata_round_two_shift(mantissa, exponent - 2, 2); */
    mantissa *= UINT64_C(4);
    exponent -= 2;
  }
  /*@ assert same_2: FumataScaled(mantissa, exponent) == FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)); */
  /*@ assert full_2: 4611686018427387904 <= mantissa; */
  if (mantissa < UINT64_C(9223372036854775808)) {
    /*@ ghost fumata_round_two_shift(mantissa, exponent - 1, 1); */
    mantissa *= UINT64_C(2);
    exponent -= 1;
  }
  /*@ assert same_1: FumataScaled(mantissa, exponent) == FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)); */
  /*@ assert full_1: 9223372036854775808 <= mantissa; */
  wide.mantissa = mantissa;
  wide.exponent = exponent;
  return wide;
}

fumata_number fumata_round_pack_down(uint64_t mantissa, int64_t exponent) {
  fumata_wide wide = fumata_round_widen(mantissa, exponent);
  uint64_t high = wide.mantissa / FUMATA_ROUND_FULL;

  /*@ ghost fumata_round_scaled_word(wide.mantissa, high, wide.exponent); */
  /*@ ghost fumata_round_scaled_word(wide.mantissa, high + 1, wide.exponent); */
  /*@ ghost fumata_round_scaled_grows(high, high, wide.exponent + 32); */
  return fumata_round_number(high, wide.exponent + 32);
}

fumata_number fumata_round_pack_up(uint64_t mantissa, int64_t exponent) {
  fumata_wide wide = fumata_round_widen(mantissa, exponent);
  uint64_t high = wide.mantissa / FUMATA_ROUND_FULL;

  /*@ ghost fumata_round_scaled_grows(wide.mantissa, wide.mantissa, wide.exponent); */
  /*@ ghost fumata_round_scaled_word(wide.mantissa, high - 1, wide.exponent); */
  /*@ ghost fumata_round_scaled_word(wide.mantissa, high, wide.exponent); */
  /*@ ghost fumata_round_scaled_word(wide.mantissa, high + 1, wide.exponent); */
  if (wide.mantissa % FUMATA_ROUND_FULL == 0) {
    return fumata_round_number(high, wide.exponent + 32);
  }
  if (high == FUMATA_ROUND_FULL - 1) {
    /*@ ghost fumata_round_scaled_carry(wide.mantissa, FUMATA_ROUND_HALF, wide.exponent); */
    /*@ ghost fumata_round_scaled_carry(wide.mantissa, FUMATA_ROUND_HALF - 1, wide.exponent); */
    return fumata_round_number(FUMATA_ROUND_HALF, wide.exponent + 33);
  }
  return fumata_round_number(high + 1, wide.exponent + 32);
}

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures whole:       FumataScaled(m, 0) == m;
    ensures fixed:       FumataScaled(m, -32) == FumataFixed(m);
    ensures share:       FumataScaled(m, -64) == FumataShare(m);
  @/
  void fumata_round_scaled_units(uint64_t m) {
    fumata_round_two_words(-32);
    fumata_round_two_words(-64);
    fumata_round_scaled_parts(m, -32);
    fumata_round_scaled_parts(m, -64);
    /@ assert fixed: FumataTwo(-32) == 1 / 4294967296.0; @/
    /@ assert share: FumataTwo(-64) == 1 / 18446744073709551616.0; @/
  }
*/

fumata_number fumata_round_whole_up(uint64_t n) {
  /*@ ghost fumata_round_scaled_units(n); */
  return fumata_round_pack_up(n, 0);
}

fumata_number fumata_round_whole_down(uint64_t n) {
  /*@ ghost fumata_round_scaled_units(n); */
  return fumata_round_pack_down(n, 0);
}

fumata_number fumata_round_fixed_up(uint64_t n) {
  /*@ ghost fumata_round_scaled_units(n); */
  return fumata_round_pack_up(n, -32);
}

fumata_number fumata_round_fixed_down(uint64_t n) {
  /*@ ghost fumata_round_scaled_units(n); */
  return fumata_round_pack_down(n, -32);
}

fumata_number fumata_round_share_up(uint64_t n) {
  /*@ ghost fumata_round_scaled_units(n); */
  return fumata_round_pack_up(n, -64);
}

fumata_number fumata_round_share_down(uint64_t n) {
  /*@ ghost fumata_round_scaled_units(n); */
  return fumata_round_pack_down(n, -64);
}

fumata_number fumata_round_mul_up(fumata_number x, fumata_number y) {
  /*@ ghost fumata_round_scaled_times(x.mantissa, x.exponent, y.mantissa, y.exponent); */
  return fumata_round_pack_up((uint64_t)x.mantissa * y.mantissa, x.exponent + y.exponent);
}

fumata_number fumata_round_mul_down(fumata_number x, fumata_number y) {
  /*@ ghost fumata_round_scaled_times(x.mantissa, x.exponent, y.mantissa, y.exponent); */
  return fumata_round_pack_down((uint64_t)x.mantissa * y.mantissa, x.exponent + y.exponent);
}

fumata_number fumata_round_div_up(fumata_number x, fumata_number y) {
  uint64_t top = (uint64_t)x.mantissa * FUMATA_ROUND_FULL;
  uint64_t quotient = top / y.mantissa;

  /*@ assert floor: quotient * y.mantissa + top % y.mantissa == top && 0 <= top % y.mantissa < y.mantissa; */
  if (top % y.mantissa != 0) {
    quotient++;
    /*@ assert next: top < quotient * y.mantissa < top + y.mantissa; */
  }
  /*@ assert quotient: top <= quotient * y.mantissa < top + y.mantissa; */
  /*@ assert positive: 1 <= quotient; */
  /*@ ghost fumata_round_scaled_over(x.mantissa, x.exponent, y.mantissa, y.exponent, quotient); */
  return fumata_round_pack_up(quotient, x.exponent - y.exponent - 32);
}

fumata_number fumata_round_div_down(fumata_number x, fumata_number y) {
  uint64_t top = (uint64_t)x.mantissa * FUMATA_ROUND_FULL;
  uint64_t quotient = top / y.mantissa;
  fumata_number result;

  /*@ assert quotient: top - y.mantissa < quotient * y.mantissa <= top; */
  /*@ assert positive: 1 <= quotient; */
  /*@ assert grows:    2147483648 * quotient <= quotient * y.mantissa; */
  /*@ assert bound:    quotient <= 8589934592; */
  /*@ ghost fumata_round_scaled_over(x.mantissa, x.exponent, y.mantissa, y.exponent, quotient); */
  /*@ ghost fumata_round_scaled_over(x.mantissa, x.exponent, y.mantissa, y.exponent, quotient + 1); */
  /*@ ghost fumata_round_scaled_grows(quotient + 1, quotient + quotient, x.exponent - y.exponent - 32); */
  /*@ ghost fumata_round_scaled_plus(quotient, quotient, x.exponent - y.exponent - 32); */
  result = fumata_round_pack_down(quotient, x.exponent - y.exponent - 32);
  /*@ ghost fumata_round_scaled_grows((uint64_t)result.mantissa + 1, (uint64_t)result.mantissa + result.mantissa,
                                      result.exponent); */
  /*@ ghost fumata_round_scaled_plus(result.mantissa, result.mantissa, result.exponent); */
  /*@ assert near: FumataScaled(quotient, x.exponent - y.exponent - 32) <= 2 * FumataValue(result); */
  /*@ assert next: FumataScaled(quotient + 1, x.exponent - y.exponent - 32) <=
                   2 * FumataScaled(quotient, x.exponent - y.exponent - 32); */
  return result;
}

/* The mantissa at a larger exponent. */
/*@
  requires positive:   1 <= mantissa;
  requires range:      -FUMATA_ROUND_RANGE <= exponent <= target <= FUMATA_ROUND_RANGE;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataScaled(\result - 1, target) < FumataScaled(mantissa, exponent) <=
                       FumataScaled(\result, target);
  ensures range:       1 <= \result <= mantissa;
*/
static uint64_t fumata_round_align_up(uint64_t mantissa, int64_t exponent, int64_t target) {
  uint64_t half;

  /*@ ghost fumata_round_scaled_grows(mantissa, mantissa, exponent); */
  /*@ ghost fumata_round_two_positive(exponent); */
  /*@ ghost fumata_round_scaled_factor(mantissa, mantissa - 1, 1, exponent, 0); */
  /*@
    loop invariant range:    \at(exponent, Pre) <= exponent <= target;
    loop invariant small:    1 <= mantissa <= \at(mantissa, Pre);
    loop invariant above:    FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)) <= FumataScaled(mantissa, exponent);
    loop invariant next:     FumataScaled(mantissa - 1, exponent) <
                             FumataScaled(\at(mantissa, Pre), \at(exponent, Pre));
    loop assigns             mantissa, exponent, half;
    loop variant             target - exponent;
  */
  while (exponent < target && mantissa > 1) {
    half = mantissa / 2 + mantissa % 2;
    /*@ ghost fumata_round_scaled_double(mantissa, half, exponent); */
    /*@ ghost fumata_round_scaled_double(mantissa - 1, half - 1, exponent); */
    mantissa = half;
    exponent++;
  }
  /*@ ghost fumata_round_scaled_ends(exponent, target); */
  /*@ assert end: exponent == target || mantissa == 1; */
  return mantissa;
}

/*@
  requires range:      -FUMATA_ROUND_RANGE <= exponent <= target <= FUMATA_ROUND_RANGE;
  requires small:      mantissa < FUMATA_ROUND_WIDE;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures below:       FumataScaled(\result, target) <= FumataScaled(mantissa, exponent) <
                       FumataScaled(\result + 1, target);
  ensures range:       \result <= mantissa;
*/
static uint64_t fumata_round_align_down(uint64_t mantissa, int64_t exponent, int64_t target) {
  uint64_t half;

  /*@ ghost fumata_round_two_positive(exponent); */
  /*@ ghost fumata_round_scaled_factor(mantissa, mantissa + 1, 1, exponent, 0); */
  /*@
    loop invariant range:    \at(exponent, Pre) <= exponent <= target;
    loop invariant small:    mantissa <= \at(mantissa, Pre);
    loop invariant below:    FumataScaled(mantissa, exponent) <= FumataScaled(\at(mantissa, Pre), \at(exponent, Pre));
    loop invariant next:     FumataScaled(\at(mantissa, Pre), \at(exponent, Pre)) <
                             FumataScaled(mantissa + 1, exponent);
    loop assigns             mantissa, exponent, half;
    loop variant             target - exponent;
  */
  while (exponent < target && mantissa > 0) {
    half = mantissa / 2;
    /*@ ghost fumata_round_scaled_double(mantissa, half, exponent); */
    /*@ ghost fumata_round_scaled_double(mantissa + 1, half + 1, exponent); */
    mantissa = half;
    exponent++;
  }
  /*@ ghost fumata_round_scaled_ends(exponent, target); */
  /*@ assert end: exponent == target || mantissa == 0; */
  return mantissa;
}

/* Both sides are stretched by 2^31, so that the smaller one keeps its digits when it is aligned. */
fumata_number fumata_round_add_up(fumata_number x, fumata_number y) {
  uint64_t wide_x = x.mantissa * FUMATA_ROUND_HALF;
  uint64_t wide_y = y.mantissa * FUMATA_ROUND_HALF;

  /*@ ghost fumata_round_scaled_half(x.mantissa, x.exponent); */
  /*@ ghost fumata_round_scaled_half(y.mantissa, y.exponent); */
  if (x.exponent < y.exponent) {
    wide_x = fumata_round_align_up(wide_x, x.exponent - 31, y.exponent - 31);
    /*@ ghost fumata_round_scaled_plus(wide_x, wide_y, y.exponent - 31); */
    return fumata_round_pack_up(wide_x + wide_y, y.exponent - 31);
  }
  wide_y = fumata_round_align_up(wide_y, y.exponent - 31, x.exponent - 31);
  /*@ ghost fumata_round_scaled_plus(wide_x, wide_y, x.exponent - 31); */
  return fumata_round_pack_up(wide_x + wide_y, x.exponent - 31);
}

fumata_number fumata_round_add_down(fumata_number x, fumata_number y) {
  uint64_t wide_x = x.mantissa * FUMATA_ROUND_HALF;
  uint64_t wide_y = y.mantissa * FUMATA_ROUND_HALF;

  /*@ ghost fumata_round_scaled_half(x.mantissa, x.exponent); */
  /*@ ghost fumata_round_scaled_half(y.mantissa, y.exponent); */
  if (x.exponent < y.exponent) {
    wide_x = fumata_round_align_down(wide_x, x.exponent - 31, y.exponent - 31);
    /*@ ghost fumata_round_scaled_plus(wide_x, wide_y, y.exponent - 31); */
    return fumata_round_pack_down(wide_x + wide_y, y.exponent - 31);
  }
  wide_y = fumata_round_align_down(wide_y, y.exponent - 31, x.exponent - 31);
  /*@ ghost fumata_round_scaled_plus(wide_x, wide_y, x.exponent - 31); */
  return fumata_round_pack_down(wide_x + wide_y, x.exponent - 31);
}

/*@ ghost
  /@
    requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE) && FumataIsNumber(y, FUMATA_ROUND_RANGE);
    requires smaller:    x.exponent < y.exponent;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataValue(x) < FumataValue(y);
  @/
  void fumata_round_scaled_order(fumata_number x, fumata_number y) {
    fumata_round_scaled_double((uint64_t)x.mantissa + 1, y.mantissa, x.exponent);
    fumata_round_two_grows(x.exponent + 1, y.exponent);
    fumata_round_two_positive(x.exponent);
    fumata_round_scaled_factor((uint64_t)x.mantissa + 1, x.mantissa, 1, x.exponent, 0);
    /@ assert step: FumataNested((real)y.mantissa, (real)y.mantissa, FumataTwo(x.exponent + 1),
                                 FumataTwo(y.exponent)); @/
  }
*/

fumata_number fumata_round_sub_down(fumata_number x, fumata_number y) {
  uint64_t wide_x = x.mantissa * FUMATA_ROUND_HALF;
  uint64_t wide_y = y.mantissa * FUMATA_ROUND_HALF;

  /*@ ghost fumata_round_scaled_grows(1, 1, x.exponent - 31); */
  if (x.exponent < y.exponent) {
    /*@ ghost fumata_round_scaled_order(x, y); */
    return fumata_round_number(0, 0);
  }
  /*@ ghost fumata_round_scaled_half(x.mantissa, x.exponent); */
  /*@ ghost fumata_round_scaled_half(y.mantissa, y.exponent); */
  wide_y = fumata_round_align_up(wide_y, y.exponent - 31, x.exponent - 31);
  if (wide_x <= wide_y) {
    /*@ ghost fumata_round_scaled_grows(wide_x, wide_y, x.exponent - 31); */
    /*@ ghost fumata_round_scaled_plus(wide_y - 1, 1, x.exponent - 31); */
    return fumata_round_number(0, 0);
  }
  /*@ ghost fumata_round_scaled_plus(wide_x - wide_y, wide_y, x.exponent - 31); */
  return fumata_round_pack_down(wide_x - wide_y, x.exponent - 31);
}

fumata_number fumata_round_pow_up(fumata_number x, uint32_t n) {
  fumata_number power = fumata_round_whole_up(1);
  uint32_t i;

  /*@ assert one: FumataRoundsUp(power, 1.0); */
  /*@ ghost fumata_round_scaled_grows(x.mantissa, x.mantissa, x.exponent); */
  /*@
    loop invariant range:    0 <= i <= n;
    loop invariant number:   2147483648 <= power.mantissa;
    loop invariant exponent: -33 - 33554432 * i <= power.exponent <= 33 + 33554432 * i;
    loop invariant near:     FumataIsNumber(x, 2000) ==> -33 - 2048 * i <= power.exponent <= 33 + 2048 * i;
    loop invariant side:     FumataPow(FumataValue(x), i) <= FumataValue(power);
    loop invariant positive: 0 <= FumataPow(FumataValue(x), i) && 0 < FumataValue(power);
    loop assigns             i, power;
    loop variant             n - i;
  */
  for (i = 0; i < n; i++) {
    /*@ assert step: FumataNested(FumataPow(FumataValue(x), i), FumataValue(power), FumataValue(x), FumataValue(x)); */
    /*@ assert next: FumataPow(FumataValue(x), i + 1) == FumataPow(FumataValue(x), i) * FumataValue(x); */
    /*@ assert more: FumataPositive(FumataPow(FumataValue(x), i), FumataValue(x)); */
    power = fumata_round_mul_up(power, x);
  }
  return power;
}

fumata_number fumata_round_pow_down(fumata_number x, uint32_t n) {
  fumata_number power = fumata_round_whole_down(1);
  uint32_t i;

  /*@ assert one: FumataRoundsDown(power, 1.0); */
  /*@ ghost fumata_round_scaled_grows(x.mantissa, x.mantissa, x.exponent); */
  /*@
    loop invariant range:    0 <= i <= n;
    loop invariant number:   2147483648 <= power.mantissa;
    loop invariant exponent: -33 - 33554432 * i <= power.exponent <= 33 + 33554432 * i;
    loop invariant near:     FumataIsNumber(x, 2000) ==> -33 - 2048 * i <= power.exponent <= 33 + 2048 * i;
    loop invariant side:     FumataPow(FumataValue(x), i) >= FumataValue(power);
    loop invariant positive: 0 <= FumataPow(FumataValue(x), i) && 0 < FumataValue(power);
    loop assigns             i, power;
    loop variant             n - i;
  */
  for (i = 0; i < n; i++) {
    /*@ assert step: FumataNested(FumataValue(power), FumataPow(FumataValue(x), i), FumataValue(x), FumataValue(x)); */
    /*@ assert next: FumataPow(FumataValue(x), i + 1) == FumataPow(FumataValue(x), i) * FumataValue(x); */
    /*@ assert more: FumataPositive(FumataPow(FumataValue(x), i), FumataValue(x)); */
    power = fumata_round_mul_down(power, x);
  }
  return power;
}

int fumata_round_le(fumata_number x, fumata_number y) {
  if (x.exponent < y.exponent) {
    /*@ ghost fumata_round_scaled_order(x, y); */
    return 1;
  }
  if (x.exponent > y.exponent) {
    /*@ ghost fumata_round_scaled_order(y, x); */
    return 0;
  }
  /*@ ghost fumata_round_two_positive(x.exponent); */
  /*@ ghost fumata_round_scaled_factor(y.mantissa, x.mantissa, 1, x.exponent, 0); */
  return x.mantissa <= y.mantissa;
}

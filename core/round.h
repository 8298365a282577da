/* Numbers with directed rounding: every result is on the stated side of the exact one (proofs/coq says why). */
#ifndef FUMATA_ROUND_H
#define FUMATA_ROUND_H

#include <stdint.h>

#define FUMATA_ROUND_RANGE INT64_C(1125899906842624) /* 2^50, far beyond any exponent of a certificate */
#define FUMATA_ROUND_POWER 1048576u                  /* 2^20, the largest power */

/* mantissa * 2^exponent. The mantissa has its highest bit set; zero, where it can be a result, says so. */
typedef struct {
  uint32_t mantissa;
  int64_t exponent;
} fumata_number;

#ifdef __FRAMAC__
#include "round.acsl"
#endif

/* mantissa * 2^exponent as a number.
 *
 * Claim:    T-ROUND-1, every function computes its namesake in round.acsl, bit for bit.
 * Not here: that those round to their side (proofs/coq). */
/*@
  requires positive:   1 <= mantissa;
  requires range:      -FUMATA_ROUND_RANGE <= exponent <= FUMATA_ROUND_RANGE;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataPackUp(mantissa, exponent);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       exponent - 31 <= \result.exponent <= exponent + 33;
*/
fumata_number fumata_round_pack_up(uint64_t mantissa, int64_t exponent);

/*@
  requires positive:   1 <= mantissa;
  requires range:      -FUMATA_ROUND_RANGE <= exponent <= FUMATA_ROUND_RANGE;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataPackDown(mantissa, exponent);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       exponent - 31 <= \result.exponent <= exponent + 32;
*/
fumata_number fumata_round_pack_down(uint64_t mantissa, int64_t exponent);

/* n, n / 2^32 and n / 2^64 as numbers. */
/*@
  requires positive:   1 <= n;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataWholeUp(n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -31 <= \result.exponent <= 33;
*/
fumata_number fumata_round_whole_up(uint64_t n);

/*@
  requires positive:   1 <= n;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataWholeDown(n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -31 <= \result.exponent <= 33;
*/
fumata_number fumata_round_whole_down(uint64_t n);

/*@
  requires positive:   1 <= n;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataFixedUp(n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -63 <= \result.exponent <= 1;
*/
fumata_number fumata_round_fixed_up(uint64_t n);

/*@
  requires positive:   1 <= n;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataFixedDown(n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -63 <= \result.exponent <= 1;
*/
fumata_number fumata_round_fixed_down(uint64_t n);

/*@
  requires positive:   1 <= n;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataShareUp(n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -95 <= \result.exponent <= -31;
*/
fumata_number fumata_round_share_up(uint64_t n);

/*@
  requires positive:   1 <= n;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataShareDown(n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -95 <= \result.exponent <= -31;
*/
fumata_number fumata_round_share_down(uint64_t n);

/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 2) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 2);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataMulUp(x, y);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       x.exponent + y.exponent - 31 <= \result.exponent <= x.exponent + y.exponent + 33;
*/
fumata_number fumata_round_mul_up(fumata_number x, fumata_number y);

/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 2) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 2);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataMulDown(x, y);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       x.exponent + y.exponent - 31 <= \result.exponent <= x.exponent + y.exponent + 33;
*/
fumata_number fumata_round_mul_down(fumata_number x, fumata_number y);

/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataDivUp(x, y);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       x.exponent - y.exponent - 63 <= \result.exponent <= x.exponent - y.exponent + 1;
*/
fumata_number fumata_round_div_up(fumata_number x, fumata_number y);

/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataDivDown(x, y);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       x.exponent - y.exponent - 63 <= \result.exponent <= x.exponent - y.exponent + 1;
*/
fumata_number fumata_round_div_down(fumata_number x, fumata_number y);

/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataAddUp(x, y);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       \max(x.exponent, y.exponent) - 62 <= \result.exponent <= \max(x.exponent, y.exponent) + 2;
*/
fumata_number fumata_round_add_up(fumata_number x, fumata_number y);

/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataAddDown(x, y);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       \max(x.exponent, y.exponent) - 62 <= \result.exponent <= \max(x.exponent, y.exponent) + 2;
*/
fumata_number fumata_round_add_down(fumata_number x, fumata_number y);

/* x - y, or a mantissa of zero when nothing is certain to be left. */
/*@
  requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataSubDown(x, y);
  ensures full:        \result.mantissa != 0 ==> 2147483648 <= \result.mantissa;
  ensures range:       \result.mantissa != 0 ==> x.exponent - 62 <= \result.exponent <= x.exponent + 2;
*/
fumata_number fumata_round_sub_down(fumata_number x, fumata_number y);

/* x to the power n. */
/*@
  requires number:     FumataIsNumber(x, 16777216);
  requires power:      n <= FUMATA_ROUND_POWER;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataPowUp(x, n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -33 - 33554432 * n <= \result.exponent <= 33 + 33554432 * n;
  ensures near:        FumataIsNumber(x, 2000) ==> -33 - 2048 * n <= \result.exponent <= 33 + 2048 * n;
*/
fumata_number fumata_round_pow_up(fumata_number x, uint32_t n);

/*@
  requires number:     FumataIsNumber(x, 16777216);
  requires power:      n <= FUMATA_ROUND_POWER;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataPowDown(x, n);
  ensures full:        2147483648 <= \result.mantissa;
  ensures range:       -33 - 33554432 * n <= \result.exponent <= 33 + 33554432 * n;
  ensures near:        FumataIsNumber(x, 2000) ==> -33 - 2048 * n <= \result.exponent <= 33 + 2048 * n;
*/
fumata_number fumata_round_pow_down(fumata_number x, uint32_t n);

/*@
  requires numbers:    2147483648 <= x.mantissa && 2147483648 <= y.mantissa;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures order:       \result == 1 <==> FumataLe(x, y);
  ensures boolean:     \result == 0 || \result == 1;
*/
int fumata_round_le(fumata_number x, fumata_number y);

#endif

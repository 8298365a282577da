/* Numbers with directed rounding: every result is on the stated side of the exact one (proofs/coq says why). */
#ifndef FUMATA_ROUND_H
#define FUMATA_ROUND_H

#include <stdint.h>

#define FUMATA_ROUND_RANGE INT64_C(1125899906842624) /* 2^50, far beyond any exponent of a certificate */
#define FUMATA_ROUND_POWER 1048576u                  /* 2^20, the largest power */

#define FUMATA_ROUND_WHOLE 0     /* exponents to pack with: n */
#define FUMATA_ROUND_FIXED (-32) /* n / 2^32, a price */
#define FUMATA_ROUND_SHARE (-64) /* n / 2^64, a number of coins as a probability */

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
/*@ requires positive:   1 <= mantissa;
    requires range:      -FUMATA_ROUND_RANGE <= exponent <= FUMATA_ROUND_RANGE;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataPackUp(mantissa, exponent);
    ensures range:       FumataSpans(\result, exponent - 31, exponent + 33); */
fumata_number fumata_round_pack_up(uint64_t mantissa, int64_t exponent);

/*@ requires positive:   1 <= mantissa;
    requires range:      -FUMATA_ROUND_RANGE <= exponent <= FUMATA_ROUND_RANGE;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataPackDown(mantissa, exponent);
    ensures range:       FumataSpans(\result, exponent - 31, exponent + 32); */
fumata_number fumata_round_pack_down(uint64_t mantissa, int64_t exponent);

/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 2) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 2);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataMulUp(x, y);
    ensures range:       FumataSpans(\result, x.exponent + y.exponent - 31, x.exponent + y.exponent + 33); */
fumata_number fumata_round_mul_up(fumata_number x, fumata_number y);

/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 2) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 2);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataMulDown(x, y);
    ensures range:       FumataSpans(\result, x.exponent + y.exponent - 31, x.exponent + y.exponent + 33); */
fumata_number fumata_round_mul_down(fumata_number x, fumata_number y);

/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataDivUp(x, y);
    ensures range:       FumataSpans(\result, x.exponent - y.exponent - 63, x.exponent - y.exponent + 1); */
fumata_number fumata_round_div_up(fumata_number x, fumata_number y);

/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataDivDown(x, y);
    ensures range:       FumataSpans(\result, x.exponent - y.exponent - 63, x.exponent - y.exponent + 1); */
fumata_number fumata_round_div_down(fumata_number x, fumata_number y);

/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataAddUp(x, y);
    ensures range:       FumataSpans(\result, \max(x.exponent, y.exponent) - 62, \max(x.exponent, y.exponent) + 2); */
fumata_number fumata_round_add_up(fumata_number x, fumata_number y);

/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataAddDown(x, y);
    ensures range:       FumataSpans(\result, \max(x.exponent, y.exponent) - 62, \max(x.exponent, y.exponent) + 2); */
fumata_number fumata_round_add_down(fumata_number x, fumata_number y);

/* x - y, or a mantissa of zero when nothing is certain to be left. */
/*@ requires numbers:    FumataIsNumber(x, FUMATA_ROUND_RANGE / 8) && FumataIsNumber(y, FUMATA_ROUND_RANGE / 8);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataSubDown(x, y);
    ensures range:       \result.mantissa != 0 ==> FumataSpans(\result, x.exponent - 62, x.exponent + 2); */
fumata_number fumata_round_sub_down(fumata_number x, fumata_number y);

/* x to the power n. */
/*@ requires number:     FumataIsNumber(x, 16777216);
    requires power:      n <= FUMATA_ROUND_POWER;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataPowUp(x, n);
    ensures range:       FumataSpans(\result, -33 - 33554432 * n, 33 + 33554432 * n);
    ensures near:        FumataIsNumber(x, 2000) ==> -33 - 2048 * n <= \result.exponent <= 33 + 2048 * n; */
fumata_number fumata_round_pow_up(fumata_number x, uint32_t n);

/*@ requires number:     FumataIsNumber(x, 16777216);
    requires power:      n <= FUMATA_ROUND_POWER;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataPowDown(x, n);
    ensures range:       FumataSpans(\result, -33 - 33554432 * n, 33 + 33554432 * n);
    ensures near:        FumataIsNumber(x, 2000) ==> -33 - 2048 * n <= \result.exponent <= 33 + 2048 * n; */
fumata_number fumata_round_pow_down(fumata_number x, uint32_t n);

/*@ requires numbers:    2147483648 <= x.mantissa && 2147483648 <= y.mantissa;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures order:       FumataLe(x, y) ? \result == 1 : \result == 0; */
int fumata_round_le(fumata_number x, fumata_number y);

#endif

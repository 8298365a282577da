#include "certify_total.h"

uint64_t fumata_certify_others(uint64_t coins) {
  return UINT64_MAX - coins + 1;
}

fumata_number fumata_certify_ratio_up(uint64_t a, uint64_t b) {
  return fumata_round_div_up(fumata_round_pack_up(a, FUMATA_ROUND_SHARE),
                             fumata_round_pack_down(b, FUMATA_ROUND_SHARE));
}

fumata_number fumata_certify_inverse_up(uint64_t b) {
  return fumata_round_div_up(fumata_round_pack_up(1, FUMATA_ROUND_WHOLE),
                             fumata_round_pack_down(b, FUMATA_ROUND_SHARE));
}

fumata_number fumata_certify_term_up(uint64_t p, uint64_t r, uint32_t alpha) {
  fumata_number ratio = fumata_certify_ratio_up(p, r);

  return fumata_round_mul_up(fumata_round_pack_up(p, FUMATA_ROUND_SHARE), fumata_round_pow_up(ratio, alpha - 1));
}

/* An upper bound of c(alpha). */
/*@ requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataPeakUp(alpha);
    ensures range:       FumataIsNumber(\result, 16777216); */
static fumata_number fumata_certify_peak_up(uint32_t alpha) {
  fumata_number whole = fumata_round_pack_down(alpha, FUMATA_ROUND_WHOLE);
  fumata_number share = fumata_round_div_up(fumata_round_pack_up(1, FUMATA_ROUND_WHOLE), whole);
  fumata_number ratio = fumata_round_div_up(fumata_round_pack_up(alpha - 1, FUMATA_ROUND_WHOLE), whole);

  return fumata_round_mul_up(share, fumata_round_pow_up(ratio, alpha - 1));
}

/* A lower bound of y = (alpha - 1) num / den / 65536. */
/*@ requires some:       1 <= num && 1 <= den;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataExponentDown(num, den, alpha);
    ensures range:       FumataIsNumber(\result, 256); */
static fumata_number fumata_certify_exponent_down(uint32_t num, uint32_t den, uint32_t alpha) {
  fumata_number top = fumata_round_pack_down((uint64_t)num * (alpha - 1), FUMATA_ROUND_WHOLE);

  return fumata_round_div_down(top, fumata_round_pack_up((uint64_t)den * 65536, FUMATA_ROUND_WHOLE));
}

/* A lower bound of 1 + y + y^2 / 2. */
/*@ requires number:     FumataIsNumber(y, 256);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataParabolaDown(y);
    ensures range:       FumataIsNumber(\result, 2000); */
static fumata_number fumata_certify_parabola_down(fumata_number y) {
  fumata_number half = fumata_round_div_down(fumata_round_mul_down(y, y), fumata_round_pack_up(2, FUMATA_ROUND_WHOLE));

  return fumata_round_add_down(fumata_round_pack_down(1, FUMATA_ROUND_WHOLE), fumata_round_add_down(y, half));
}

fumata_number fumata_certify_exp_down(uint32_t num, uint32_t den, uint32_t alpha) {
  fumata_number y = fumata_certify_exponent_down(num, den, alpha);

  return fumata_round_pow_down(fumata_certify_parabola_down(y), 65536);
}

fumata_number fumata_certify_moment_up(uint32_t alpha, uint32_t limit, fumata_number growth) {
  fumata_number peak = fumata_certify_peak_up(alpha);

  return fumata_round_mul_up(peak, fumata_round_pow_up(growth, limit));
}

fumata_number fumata_certify_delta_down(uint64_t num, uint64_t den) {
  return fumata_round_div_down(fumata_round_pack_down(num, FUMATA_ROUND_WHOLE),
                               fumata_round_pack_up(den, FUMATA_ROUND_WHOLE));
}

fumata_number fumata_certify_left_down(uint64_t num, uint64_t den, uint32_t limit, fumata_number loss) {
  fumata_number delta = fumata_certify_delta_down(num, den);

  return fumata_round_sub_down(delta, fumata_round_mul_up(fumata_round_pack_up(limit, FUMATA_ROUND_WHOLE), loss));
}

int fumata_certify_fits(const fumata_claim *claim, fumata_number left, fumata_number moment) {
  fumata_number exp;

  if (left.mantissa == 0) {
    return 0;
  }
  exp = fumata_certify_exp_down(claim->epsilon_num, claim->epsilon_den, claim->alpha);
  return fumata_round_le(moment, fumata_round_mul_down(left, exp));
}

int fumata_certify_total(const fumata_claim *claim, uint32_t limit, fumata_number growth, fumata_number loss) {
  fumata_number left = fumata_certify_left_down(claim->delta_num, claim->delta_den, limit, loss);

  return fumata_certify_fits(claim, left, fumata_certify_moment_up(claim->alpha, limit, growth));
}

int fumata_certify_claim(const fumata_claim *claim) {
  return claim->epsilon_num >= 1 && claim->epsilon_den >= 1 && claim->delta_num >= 1 &&
         claim->delta_num < claim->delta_den && claim->alpha >= 2 && claim->alpha <= FUMATA_ALPHA_MAX;
}

fumata_fault fumata_certify_fault(fumata_fault_kind kind, uint32_t index) {
  fumata_fault fault;

  fault.kind = kind;
  fault.index = index;
  return fault;
}

fumata_status fumata_certify_status(fumata_fault_kind kind) {
  if (kind == FUMATA_FAULT_NONE) {
    return FUMATA_OK;
  }
  if (kind == FUMATA_FAULT_CLAIM) {
    return FUMATA_ERR_CLAIM;
  }
  if (kind == FUMATA_FAULT_LIMIT || kind == FUMATA_FAULT_ANSWERS) {
    return FUMATA_ERR_LIMIT;
  }
  if (kind == FUMATA_FAULT_TABLE || kind == FUMATA_FAULT_NAMED) {
    return FUMATA_ERR_TABLE;
  }
  return FUMATA_ERR_UNCERTIFIED;
}

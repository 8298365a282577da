#include "certify_total.h"

/* A lower bound of a / b, both in coins. */
/*@ requires some:       1 <= a && 1 <= b;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataRatioDown(a, b);
    ensures range:       FumataIsNumber(\result, 512); */
static fumata_number fumata_certify_ratio_down(uint64_t a, uint64_t b) {
  return fumata_round_div_down(fumata_round_pack_down(a, FUMATA_ROUND_SHARE),
                               fumata_round_pack_up(b, FUMATA_ROUND_SHARE));
}

/* Bounds of 1 + x + ... + x^(n - 1). */
/*@ requires number:     FumataIsNumber(x, 512);
    requires power:      1 <= n <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataSeriesUp(x, n);
    ensures range:       FumataIsNumber(\result, 4194304); */
static fumata_number fumata_certify_series_up(fumata_number x, uint32_t n) {
  fumata_number one = fumata_round_pack_up(1, FUMATA_ROUND_WHOLE);
  fumata_number sum = one;
  uint32_t i;

  /*@ loop invariant range:    2 <= i <= n + 1;
      loop invariant number:   FumataIsNumber(sum, 1024 * (i - 1));
      loop invariant value:    sum == FumataSeriesUp(x, i - 1);
      loop assigns             i, sum;
      loop variant             n + 1 - i; */
  for (i = 2; i <= n; i++) {
    sum = fumata_round_add_up(one, fumata_round_mul_up(x, sum));
  }
  return sum;
}

/*@ requires number:     FumataIsNumber(x, 512);
    requires power:      1 <= n <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataSeriesDown(x, n);
    ensures range:       FumataIsNumber(\result, 4194304); */
static fumata_number fumata_certify_series_down(fumata_number x, uint32_t n) {
  fumata_number one = fumata_round_pack_down(1, FUMATA_ROUND_WHOLE);
  fumata_number sum = one;
  uint32_t i;

  /*@ loop invariant range:    2 <= i <= n + 1;
      loop invariant number:   FumataIsNumber(sum, 1024 * (i - 1));
      loop invariant value:    sum == FumataSeriesDown(x, i - 1);
      loop assigns             i, sum;
      loop variant             n + 1 - i; */
  for (i = 2; i <= n; i++) {
    sum = fumata_round_add_down(one, fumata_round_mul_down(x, sum));
  }
  return sum;
}

/* A lower bound of 1 - b of Theorem M, or a mantissa of zero. With x = q / q' it is
 * 1 - q' x^n = p' + q' (1 - x) (1 + x + ... + x^(n - 1)) = p' + (p - p') (1 + x + ... + x^(n - 1)). */
/*@ requires some:       1 <= p && 1 <= r && p != r;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataRoomDown(p, r, alpha);
    ensures range:       \result.mantissa != 0 ==> FumataIsNumber(\result, 8388608); */
static fumata_number fumata_certify_room_down(uint64_t p, uint64_t r, uint32_t alpha) {
  uint64_t q = fumata_certify_others(p);
  uint64_t s = fumata_certify_others(r);
  fumata_number base = fumata_round_pack_down(r, FUMATA_ROUND_SHARE);
  fumata_number sum;

  if (p > r) {
    sum = fumata_certify_series_down(fumata_certify_ratio_down(q, s), alpha);
    return fumata_round_add_down(base, fumata_round_mul_down(fumata_round_pack_down(p - r, FUMATA_ROUND_SHARE), sum));
  }
  sum = fumata_certify_series_up(fumata_certify_ratio_up(q, s), alpha);
  return fumata_round_sub_down(base, fumata_round_mul_up(fumata_round_pack_up(r - p, FUMATA_ROUND_SHARE), sum));
}

/* Theorem M (a) from p to r. */
/*@ requires some:       1 <= p && 1 <= r;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    requires price:      1 <= v;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures step:        FumataStep(p, r, alpha, v) ? \result == 1 : \result == 0; */
static int fumata_certify_step(uint64_t p, uint64_t r, uint32_t alpha, uint64_t v) {
  fumata_number room, silent;

  if (p == r) {
    return 1;
  }
  room = fumata_certify_room_down(p, r, alpha);
  if (room.mantissa == 0) {
    return 0;
  }
  silent = fumata_certify_term_up(p, r, alpha);
  return fumata_round_le(silent, fumata_round_mul_down(room, fumata_round_pack_down(v, FUMATA_ROUND_FIXED)));
}

/* Theorem M (b). */
/*@ requires some:       1 <= p;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    requires price:      1 <= v;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures first:       FumataFirst(p, alpha, v) ? \result == 1 : \result == 0; */
static int fumata_certify_first(uint64_t p, uint32_t alpha, uint64_t v) {
  fumata_number power = fumata_round_pow_up(fumata_certify_inverse_up(p), alpha - 1);

  return fumata_round_le(power, fumata_round_pack_down(v, FUMATA_ROUND_FIXED));
}

/* The first entry that is out of order, or the size. */
/*@ requires readable:   \valid_read(silence + (0 .. size - 1));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       \result <= size;
    ensures ordered:     FumataSilenceTable(silence, \result);
    ensures first:       \result < size ==> FumataDisorder(silence, size, \result); */
static uint32_t fumata_certify_table(const uint64_t *silence, uint32_t size) {
  uint32_t i;

  /*@ loop invariant range:    0 <= i <= size;
      loop invariant table:    FumataSilenceTable(silence, i);
      loop assigns             i;
      loop variant             size - i; */
  for (i = 0; i < size; i++) {
    if (silence[i] < 1 || (i > 0 && silence[i] > silence[i - 1])) {
      return i;
    }
  }
  return size;
}

/* The first distance from which a step fails, or the size. */
/*@ requires readable:   1 <= size && \valid_read(silence + (0 .. size - 1));
    requires table:      FumataSilenceTable(silence, size);
    requires claim:      2 <= alpha <= FUMATA_ALPHA_MAX && 1 <= v;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       1 <= \result <= size;
    ensures steps:       FumataSteps(silence, \result, alpha, v);
    ensures first:       \result < size ==> !FumataStepAt(silence, \result, alpha, v); */
static uint32_t fumata_certify_steps(const uint64_t *silence, uint32_t size, uint32_t alpha, uint64_t v) {
  uint32_t i;

  /*@ loop invariant range:    1 <= i <= size;
      loop invariant steps:    FumataSteps(silence, i, alpha, v);
      loop assigns             i;
      loop variant             size - i; */
  for (i = 1; i < size; i++) {
    if (!fumata_certify_step(silence[i - 1], silence[i], alpha, v) ||
        !fumata_certify_step(silence[i], silence[i - 1], alpha, v)) {
      return i;
    }
    /*@ assert step: FumataStepAt(silence, i, alpha, v); */
  }
  return size;
}

/*@ requires plan:       FumataMeterPlanOk(plan);
    requires claim:      \valid_read(claim) && FumataMeterClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures total:       FumataMeterTotal(plan, claim) ? \result == 1 : \result == 0; */
static int fumata_certify_meter_total(const fumata_meter_plan *plan, const fumata_claim *claim) {
  fumata_number loss = fumata_round_pack_up(fumata_certify_others(plan->silence[0]), FUMATA_ROUND_SHARE);

  return fumata_certify_total(claim, plan->limit, fumata_round_pack_up(claim->v, FUMATA_ROUND_FIXED), loss);
}

/* What fails in a plan and a claim that are well formed. */
/*@ requires plan:       FumataMeterPlanOk(plan);
    requires claim:      \valid_read(claim) && FumataMeterClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataMeterExcess(plan, claim, \result.kind, \result.index); */
static fumata_fault fumata_certify_meter_excess(const fumata_meter_plan *plan, const fumata_claim *claim) {
  uint32_t i = fumata_certify_steps(plan->silence, plan->size, claim->alpha, claim->v);

  if (i < plan->size) {
    return fumata_certify_fault(FUMATA_FAULT_STEP, i);
  }
  if (!fumata_certify_first(plan->silence[0], claim->alpha, claim->v)) {
    return fumata_certify_fault(FUMATA_FAULT_FIRST, 0);
  }
  if (!fumata_certify_meter_total(plan, claim)) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, 0);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

fumata_fault fumata_certify_meter_fault(const fumata_meter_plan *plan, const fumata_claim *claim) {
  uint32_t i;

  if (!fumata_certify_claim(claim) || claim->v < UINT64_C(4294967296)) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 0);
  }
  if (plan->limit < 1 || plan->limit > FUMATA_SILENCES_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_LIMIT, 0);
  }
  if (plan->size < 1 || plan->size > FUMATA_TABLE_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 0);
  }
  i = fumata_certify_table(plan->silence, plan->size);
  if (i < plan->size) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, i);
  }
  return fumata_certify_meter_excess(plan, claim);
}

fumata_status fumata_certify_meter(const fumata_meter_plan *plan, const fumata_claim *claim, fumata_fault *fault) {
  fumata_fault found = fumata_certify_meter_fault(plan, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  return fumata_certify_status(found.kind);
}

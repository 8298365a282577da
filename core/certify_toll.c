#include "certify_total.h"

/* Theorem T's line from p to r. */
/*@ requires some:       1 <= p && 1 <= r;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    requires price:      1 <= u;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures step:        FumataTollStep(p, r, alpha, u) ? \result == 1 : \result == 0; */
static int fumata_certify_toll_step(uint64_t p, uint64_t r, uint32_t alpha, uint64_t u) {
  fumata_number winner, other;

  if (p == r) {
    return 1;
  }
  winner = fumata_certify_term_up(p, r, alpha);
  other = fumata_certify_term_up(fumata_certify_others(p), fumata_certify_others(r), alpha);
  return fumata_round_le(fumata_round_add_up(winner, other), fumata_round_pack_down(u, FUMATA_ROUND_FIXED));
}

/* The first entry that is out of order, or the size. */
/*@ requires readable:   \valid_read(named + (0 .. size - 1));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       \result <= size;
    ensures ordered:     FumataNamedTable(named, \result);
    ensures first:       \result < size ==> FumataNamedDisorder(named, size, \result); */
static uint32_t fumata_certify_toll_table(const uint64_t *named, uint32_t size) {
  uint64_t least = UINT64_C(9223372036854775808);
  uint32_t i;

  /*@ loop invariant range:    0 <= i <= size;
      loop invariant table:    FumataNamedTable(named, i);
      loop invariant least:    least == FumataNamedCoins(named, i);
      loop assigns             i, least;
      loop variant             size - i; */
  for (i = 0; i < size; i++) {
    if (named[i] < least) {
      return i;
    }
    least = named[i];
  }
  return size;
}

/* The first distance from which a step fails, or the size. */
/*@ requires readable:   \valid_read(named + (0 .. size - 1));
    requires table:      FumataNamedTable(named, size);
    requires claim:      2 <= alpha <= FUMATA_ALPHA_MAX && 1 <= u;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       \result <= size;
    ensures steps:       FumataTollSteps(named, \result, alpha, u);
    ensures first:       \result < size ==> !FumataTollStepAt(named, \result, alpha, u); */
static uint32_t fumata_certify_toll_steps(const uint64_t *named, uint32_t size, uint32_t alpha, uint64_t u) {
  uint64_t near = UINT64_C(9223372036854775808);
  uint32_t i;

  /*@ loop invariant range:    0 <= i <= size;
      loop invariant near:     1 <= near && near == FumataNamedCoins(named, i);
      loop invariant steps:    FumataTollSteps(named, i, alpha, u);
      loop assigns             i, near;
      loop variant             size - i; */
  for (i = 0; i < size; i++) {
    if (!fumata_certify_toll_step(near, named[i], alpha, u) || !fumata_certify_toll_step(named[i], near, alpha, u)) {
      return i;
    }
    near = named[i];
  }
  return size;
}

/*@ requires plan:       FumataTollPlanOk(plan);
    requires claim:      \valid_read(claim) && FumataTollClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures total:       FumataTollTotal(plan, claim) ? \result == 1 : \result == 0; */
static int fumata_certify_toll_total(const fumata_toll_plan *plan, const fumata_claim *claim) {
  fumata_number price = fumata_round_pack_up(claim->u, FUMATA_ROUND_FIXED);
  fumata_number delta = fumata_certify_delta_down(claim->delta_num, claim->delta_den);

  return fumata_certify_fits(claim, delta, fumata_certify_moment_up(claim->alpha, plan->limit, price));
}

/* What fails in a plan and a claim that are well formed. */
/*@ requires plan:       FumataTollPlanOk(plan);
    requires claim:      \valid_read(claim) && FumataTollClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataTollExcess(plan, claim, \result.kind, \result.index); */
static fumata_fault fumata_certify_toll_excess(const fumata_toll_plan *plan, const fumata_claim *claim) {
  uint32_t i = fumata_certify_toll_steps(plan->named, plan->size, claim->alpha, claim->u);

  if (i < plan->size) {
    return fumata_certify_fault(FUMATA_FAULT_ANSWER, i);
  }
  if (!fumata_certify_toll_total(plan, claim)) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, 0);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

fumata_fault fumata_certify_toll_fault(const fumata_toll_plan *plan, const fumata_claim *claim) {
  uint32_t i;

  if (!fumata_certify_claim(claim) || claim->u < UINT64_C(4294967296)) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 0);
  }
  if (plan->limit < 1 || plan->limit > FUMATA_ANSWERS_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_ANSWERS, 0);
  }
  if (plan->size < 1 || plan->size > FUMATA_TABLE_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_NAMED, 0);
  }
  i = fumata_certify_toll_table(plan->named, plan->size);
  if (i < plan->size) {
    return fumata_certify_fault(FUMATA_FAULT_NAMED, i);
  }
  return fumata_certify_toll_excess(plan, claim);
}

fumata_status fumata_certify_toll(const fumata_toll_plan *plan, const fumata_claim *claim, fumata_fault *fault) {
  fumata_fault found = fumata_certify_toll_fault(plan, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  return fumata_certify_status(found.kind);
}

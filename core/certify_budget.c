#include "certify_total.h"

/* An upper bound of the moment after all silences and answers, with c(alpha). */
/*@ requires plan:       \valid_read(plan) && FumataMeterPlanOk(&plan->meter) && FumataTollPlanOk(&plan->toll);
    requires claim:      \valid_read(claim) && FumataMeterClaimOk(claim) && FumataTollClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataBudgetMomentUp(&plan->meter, &plan->toll, claim);
    ensures range:       2147483648 <= \result.mantissa; */
static fumata_number fumata_certify_budget_moment(const fumata_budget_plan *plan, const fumata_claim *claim) {
  fumata_number silence = fumata_round_pack_up(claim->v, FUMATA_ROUND_FIXED);
  fumata_number answer = fumata_round_pack_up(claim->u, FUMATA_ROUND_FIXED);
  fumata_number moment = fumata_certify_moment_up(claim->alpha, plan->meter.limit, silence);

  return fumata_round_mul_up(moment, fumata_round_pow_up(answer, plan->toll.limit));
}

/*@ requires plan:       \valid_read(plan) && FumataMeterPlanOk(&plan->meter) && FumataTollPlanOk(&plan->toll);
    requires claim:      \valid_read(claim) && FumataMeterClaimOk(claim) && FumataTollClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures total:       FumataBudgetTotal(&plan->meter, &plan->toll, claim) ? \result == 1 : \result == 0; */
static int fumata_certify_budget_total(const fumata_budget_plan *plan, const fumata_claim *claim) {
  fumata_number loss = fumata_round_pack_up(fumata_certify_others(plan->meter.silence[0]), FUMATA_ROUND_SHARE);
  fumata_number left = fumata_certify_left_down(claim->delta_num, claim->delta_den, plan->meter.limit, loss);

  return fumata_certify_fits(claim, left, fumata_certify_budget_moment(plan, claim));
}

/*@ requires plan:       FumataBudgetPlanReadable(plan);
    requires claim:      \valid_read(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataBudgetFault(plan, claim, \result.kind, \result.index);
    ensures told:        \forall integer status; FumataStatusSays(status, \result.kind) ==>
                           FumataBudgetStatus(plan, claim, status);
    ensures certified:   \result.kind == FUMATA_FAULT_NONE <==> FumataBudgetIsCertified(plan, claim); */
static fumata_fault fumata_certify_budget_fault(const fumata_budget_plan *plan, const fumata_claim *claim) {
  fumata_fault meter = fumata_certify_meter_fault(&plan->meter, claim);
  fumata_fault toll;

  if (meter.kind != FUMATA_FAULT_NONE) {
    return meter;
  }
  toll = fumata_certify_toll_fault(&plan->toll, claim);
  if (toll.kind != FUMATA_FAULT_NONE) {
    return toll;
  }
  if (!fumata_certify_budget_total(plan, claim)) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, 0);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

fumata_status fumata_certify_budget(const fumata_budget_plan *plan, const fumata_claim *claim, fumata_fault *fault) {
  fumata_fault found = fumata_certify_budget_fault(plan, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  return fumata_certify_status(found.kind);
}

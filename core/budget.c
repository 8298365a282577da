#include "budget.h"

fumata_status fumata_budget_init(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim) {
  return fumata_budget_resume(budget, plan, claim, plan->meter.limit, plan->toll.limit);
}

fumata_status fumata_budget_resume(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim,
                                   uint32_t silences, uint32_t answers) {
  fumata_fault fault;
  fumata_status status;

  if (silences > plan->meter.limit || answers > plan->toll.limit) {
    return FUMATA_ERR_LEFT;
  }
  status = fumata_certify_budget(plan, claim, &fault);
  if (status != FUMATA_OK) {
    return status;
  }
  /*@ assert certified: FumataMeterIsCertified(&plan->meter, claim) && FumataTollIsCertified(&plan->toll, claim); */
  /*@ assert plans:     FumataMeterPlanOk(&plan->meter) && FumataTollPlanOk(&plan->toll); */
  /*@ assert tables:    FumataSilenceTable(plan->meter.silence, plan->meter.size) &&
                        FumataNamedTable(plan->toll.named, plan->toll.size); */
  budget->meter.plan.silence = plan->meter.silence;
  budget->meter.plan.size = plan->meter.size;
  budget->meter.plan.limit = plan->meter.limit;
  budget->meter.left = silences;
  budget->meter.reserved = 0u;
  budget->toll.plan.named = plan->toll.named;
  budget->toll.plan.size = plan->toll.size;
  budget->toll.plan.limit = plan->toll.limit;
  budget->toll.left = answers;
  budget->toll.reserved = 0u;
  /*@ assert limit:     budget->meter.plan.limit == \at(plan->meter.limit, Pre); */
  /*@ assert limit:     budget->toll.plan.limit == \at(plan->toll.limit, Pre); */
  /*@ assert runs:      FumataBudgetRuns(budget, plan); */
  /*@ assert apart:     \separated(budget, budget->meter.plan.silence + (0 .. budget->meter.plan.size - 1)); */
  /*@ assert apart:     \separated(budget, budget->toll.plan.named + (0 .. budget->toll.plan.size - 1)); */
  /*@ assert silence:   FumataSilenceTable(budget->meter.plan.silence, budget->meter.plan.size); */
  /*@ assert named:     FumataNamedTable(budget->toll.plan.named, budget->toll.plan.size); */
  /*@ assert meter:     FumataMeterPlanOk(&budget->meter.plan); */
  /*@ assert toll:      FumataTollPlanOk(&budget->toll.plan); */
  /*@ assert meter:     FumataMeterInvariant(&budget->meter); */
  /*@ assert toll:      FumataTollInvariant(&budget->toll); */
  return FUMATA_OK;
}

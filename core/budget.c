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
  return FUMATA_OK;
}

#include "meter.h"

fumata_status fumata_meter_init(fumata_meter *meter, const fumata_meter_plan *plan, const fumata_claim *claim) {
  return fumata_meter_resume(meter, plan, claim, plan->limit);
}

fumata_status fumata_meter_resume(fumata_meter *meter, const fumata_meter_plan *plan, const fumata_claim *claim,
                                  uint32_t left) {
  fumata_fault fault;
  fumata_status status;

  if (left > plan->limit) {
    return FUMATA_ERR_LEFT;
  }
  status = fumata_certify_meter(plan, claim, &fault);
  if (status != FUMATA_OK) {
    return status;
  }
  meter->plan.silence = plan->silence;
  meter->plan.size = plan->size;
  meter->plan.limit = plan->limit;
  meter->left = left;
  meter->reserved = 0u;
  return FUMATA_OK;
}

fumata_status fumata_meter_reserve(fumata_meter *meter, uint32_t n) {
  if (meter->reserved != 0u) {
    return FUMATA_ERR_RESERVED;
  }
  if (n == 0u || n > meter->left) {
    return FUMATA_ERR_SPENT;
  }
  meter->left -= n;
  meter->reserved = n;
  return FUMATA_OK;
}

/* How many rows of the table are above the coin. The table never rises, so they are its first rows, and a
 * distance is met with silence iff its row is one of them: the distance takes no part in the scan, and the
 * coin only in comparisons whose results are added up. */
/*@ requires plan:       FumataMeterPlanOk(plan);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       0 <= \result <= plan->size;
    ensures above:       \forall integer i; 0 <= i < \result ==> coin < plan->silence[i];
    ensures below:       \forall integer i; \result <= i < plan->size ==> plan->silence[i] <= coin; */
static uint32_t fumata_meter_above(const fumata_meter_plan *plan, uint64_t coin) {
  uint32_t above = 0u;
  uint32_t i;

  /*@ loop invariant range: 0 <= above <= i <= plan->size;
      loop invariant above: \forall integer j; 0 <= j < above ==> coin < plan->silence[j];
      loop invariant below: \forall integer j; above <= j < i ==> plan->silence[j] <= coin;
      loop invariant last:  above < i ==> plan->silence[i - 1] <= coin;
      loop assigns          above, i;
      loop variant          plan->size - i; */
  for (i = 0u; i < plan->size; i++) {
    above += (uint32_t)(coin < plan->silence[i]);
  }
  return above;
}

fumata_status fumata_meter_answer(fumata_meter *meter, const fumata_verdict *verdict, uint64_t coin, int32_t *answer) {
  uint32_t above;
  uint32_t label;

  if (verdict->winner >= FUMATA_CLASSES_MAX) {
    return FUMATA_ERR_VOTE;
  }
  if (meter->reserved == 0u) {
    return FUMATA_ERR_CLOSED;
  }
  above = fumata_meter_above(&meter->plan, coin);
  /* A product of two comparisons where && would be a branch on a secret. */
  label = (uint32_t)(verdict->distance > above) * (uint32_t)(above < meter->plan.size);
  meter->reserved -= 1u - label;
  /* winner + 1 or 0, less 1: the winner or FUMATA_SILENT. */
  *answer = (int32_t)((verdict->winner + 1u) * label) + FUMATA_SILENT;
  return FUMATA_OK;
}

fumata_status fumata_meter_close(fumata_meter *meter) {
  if (meter->reserved == 0u) {
    return FUMATA_OK;
  }
  meter->left += meter->reserved;
  meter->reserved = 0u;
  return FUMATA_OK;
}

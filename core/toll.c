#include "toll.h"

fumata_status fumata_toll_init(fumata_toll *toll, const fumata_toll_plan *plan, const fumata_claim *claim) {
  return fumata_toll_resume(toll, plan, claim, plan->limit);
}

fumata_status fumata_toll_resume(fumata_toll *toll, const fumata_toll_plan *plan, const fumata_claim *claim,
                                 uint32_t left) {
  fumata_fault fault;
  fumata_status status;

  if (left > plan->limit) {
    return FUMATA_ERR_LEFT;
  }
  status = fumata_certify_toll(plan, claim, &fault);
  if (status != FUMATA_OK) {
    return status;
  }
  toll->plan.named = plan->named;
  toll->plan.size = plan->size;
  toll->plan.limit = plan->limit;
  toll->left = left;
  toll->reserved = 0u;
  return FUMATA_OK;
}

fumata_status fumata_toll_reserve(fumata_toll *toll, uint32_t n) {
  if (toll->reserved != 0u) {
    return FUMATA_ERR_RESERVED;
  }
  if (n == 0u || n > toll->left) {
    return FUMATA_ERR_SPENT;
  }
  toll->left -= n;
  toll->reserved = n;
  return FUMATA_OK;
}

fumata_status fumata_toll_answer(fumata_toll *toll, const fumata_duel *duel, uint64_t coin, int32_t *answer) {
  uint32_t wins;

  if (duel->winner >= FUMATA_CLASSES_MAX || duel->loser >= FUMATA_CLASSES_MAX || duel->winner == duel->loser) {
    return FUMATA_ERR_VOTE;
  }
  if (toll->reserved == 0u) {
    return FUMATA_ERR_CLOSED;
  }
  wins = fumata_named_wins(&toll->plan, duel->distance, coin);
  toll->reserved -= 1u;
  *answer = (int32_t)(wins * duel->winner + (1u - wins) * duel->loser);
  return FUMATA_OK;
}

fumata_status fumata_toll_close(fumata_toll *toll) {
  toll->left += toll->reserved;
  toll->reserved = 0u;
  return FUMATA_OK;
}

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

/* How many rows of the table the coin reaches. The table never falls, so they are its first rows, and a distance
 * names the winner iff its row is beyond them: the distance takes no part in the scan, and the coin only in
 * comparisons whose results are added up. */
/*@ requires plan:       FumataTollPlanOk(plan);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       0 <= \result <= plan->size;
    ensures reached:     \forall integer i; 0 <= i < \result ==> plan->named[i] <= coin;
    ensures beyond:      \forall integer i; \result <= i < plan->size ==> coin < plan->named[i]; */
static uint32_t fumata_toll_reached(const fumata_toll_plan *plan, uint64_t coin) {
  uint32_t reached = 0u;
  uint32_t i;

  /*@ loop invariant range:   0 <= reached <= i <= plan->size;
      loop invariant reached: \forall integer j; 0 <= j < reached ==> plan->named[j] <= coin;
      loop invariant beyond:  \forall integer j; reached <= j < i ==> coin < plan->named[j];
      loop invariant last:    reached < i ==> coin < plan->named[i - 1];
      loop assigns            reached, i;
      loop variant            plan->size - i; */
  for (i = 0u; i < plan->size; i++) {
    reached += (uint32_t)(plan->named[i] <= coin);
  }
  return reached;
}

fumata_status fumata_toll_answer(fumata_toll *toll, const fumata_duel *duel, uint64_t coin, int32_t *answer) {
  uint64_t steps;
  uint32_t reached;
  uint32_t wins;

  if (duel->winner >= FUMATA_CLASSES_MAX || duel->loser >= FUMATA_CLASSES_MAX || duel->winner == duel->loser) {
    return FUMATA_ERR_VOTE;
  }
  if (toll->reserved == 0u) {
    return FUMATA_ERR_CLOSED;
  }
  reached = fumata_toll_reached(&toll->plan, coin);
  /* A coin of the lower half reaches no row; one step more makes it name the winner at distance 0 too. */
  steps = (uint64_t)duel->distance + (uint64_t)(coin < UINT64_C(9223372036854775808));
  /* A product of two comparisons where && would be a branch on a secret. */
  wins = (uint32_t)(steps > reached) * (uint32_t)(reached < toll->plan.size);
  /*@ assert flag:  wins == 0 || wins == 1; */
  /*@ assert lower: coin < 9223372036854775808 ==> reached == 0 && wins == 1; */
  /*@ assert named: wins == 1 ==> FumataTollNamesWinner(toll, duel->distance, coin); */
  /*@ assert other: wins == 0 ==> !FumataTollNamesWinner(toll, duel->distance, coin); */
  toll->reserved -= 1u;
  *answer = (int32_t)(wins * duel->winner + (1u - wins) * duel->loser);
  return FUMATA_OK;
}

fumata_status fumata_toll_close(fumata_toll *toll) {
  toll->left += toll->reserved;
  toll->reserved = 0u;
  return FUMATA_OK;
}

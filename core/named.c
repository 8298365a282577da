#include "named.h"

/* How many rows of the table the coin reaches. The table never falls, so they are its first rows, and a distance
 * names the winner iff its row is beyond them: the distance takes no part in the scan, and the coin only in
 * comparisons whose results are added up. */
/*@ requires plan:       FumataTollPlanOk(plan);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       0 <= \result <= plan->size;
    ensures reached:     \forall integer i; 0 <= i < \result ==> plan->named[i] <= coin;
    ensures beyond:      \forall integer i; \result <= i < plan->size ==> coin < plan->named[i]; */
static uint32_t fumata_named_reached(const fumata_toll_plan *plan, uint64_t coin) {
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

uint32_t fumata_named_wins(const fumata_toll_plan *plan, uint32_t distance, uint64_t coin) {
  uint32_t reached = fumata_named_reached(plan, coin);
  /* A coin of the lower half reaches no row; one step more makes it name the winner at distance 0 too. */
  uint64_t steps = (uint64_t)distance + (uint64_t)(coin < UINT64_C(9223372036854775808));
  /* A product of two comparisons where && would be a branch on a secret. */
  uint32_t wins = (uint32_t)(steps > reached) * (uint32_t)(reached < plan->size);

  /*@ assert flag:  wins == 0 || wins == 1; */
  /*@ assert lower: coin < 9223372036854775808 ==> reached == 0 && wins == 1; */
  /*@ assert row:   wins == 1 && 1 <= distance ==> reached <= distance - 1; */
  /*@ assert inner: wins == 1 && 1 <= distance < plan->size ==> coin < plan->named[distance - 1]; */
  /*@ assert last:  wins == 1 && plan->size <= distance ==> coin < plan->named[plan->size - 1]; */
  /*@ assert named: wins == 1 ==> coin < FumataPlanCoins(plan, distance); */
  /*@ assert other: wins == 0 ==> FumataPlanCoins(plan, distance) <= coin; */
  return wins;
}

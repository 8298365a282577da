/* Whole lives of a toll, for the prover only: nothing here is compiled into anything.
 *
 * The script and its rules are in history.h.
 *
 * Claim:    T-TOLL-1 and T-TOLL-3 for every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "toll.h"
#include "history.h"

/*@
  // Entry i of a transcript is counted.
  predicate FumataCountsOn{L}(int64_t *count, int32_t *seen, integer i) =
    count[i + 1] == count[i] + (seen[i] != FUMATA_NOTHING ? 1 : 0);

  // `count` is the running count of the answers in a transcript of n entries.
  predicate FumataCounts{L}(int64_t *count, int32_t *seen, integer n) =
    count[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsOn(count, seen, i));

  // Nothing, or one of the two candidates.
  predicate FumataTollTells(integer seen, integer winner, integer loser) =
    seen == FUMATA_NOTHING || seen == winner || seen == loser;

  // What was seen, is reserved and is left is no more than L either, while the program runs.
  predicate FumataMachineIsPaid{L}(fumata_toll *toll, fumata_life life, integer limit) =
    life.alive != 0 ==>
      FumataTollInvariant(toll) && life.spent + toll->reserved + toll->left <= limit;

  // And the machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataMachineRuns{L}(fumata_toll *toll, fumata_life life, fumata_toll_plan *plan) =
    life.alive != 0 ==> FumataTollRuns(toll, plan);
*/

/* One step of a life. */
/*@
  requires machine:    \valid(toll) && FumataMachineIsPaid(toll, life, plan->limit);
  requires store:      FumataStoreIsPaid(life, plan->limit);
  requires plan:       FumataTollPlanReadable(plan) && FumataTollApart(toll, plan);
  requires claim:      \valid_read(claim) && \separated(toll, claim);
  requires running:    FumataMachineRuns(toll, life, plan);

  terminates           \true;
  exits                \false;
  assigns              *toll;
  ensures machine:     FumataMachineIsPaid(toll, \result, plan->limit);
  ensures store:       FumataStoreIsPaid(\result, plan->limit);
  ensures running:     FumataMachineRuns(toll, \result, plan);
  ensures limit:       plan->limit == \old(plan->limit);
  ensures begun:       \result.begun == life.begun;
  ensures counted:     \result.spent == life.spent + (\result.seen != FUMATA_NOTHING ? 1 : 0);
  ensures told:        FumataTollTells(\result.seen, winner, loser);
  ensures nothing:     life.begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_life fumata_life_step(fumata_toll *toll, fumata_life life, const fumata_toll_plan *plan,
                                    const fumata_claim *claim, uint8_t step, uint32_t number, uint32_t winner,
                                    uint32_t loser, uint32_t distance, uint64_t coin) {
  fumata_duel duel;
  int32_t seen = FUMATA_NOTHING;

  duel.winner = winner;
  duel.loser = loser;
  duel.distance = distance;
  if (step == FUMATA_STEP_CRASH) {
    life.alive = 0;
    /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  } else if (step == FUMATA_STEP_START) {
    if (life.begun) {
      life.alive = fumata_toll_resume(toll, plan, claim, life.stored) == FUMATA_OK;
    }
    /*@ assert machine: FumataMachineIsPaid(toll, life, plan->limit); */
    /*@ assert running: FumataMachineRuns(toll, life, plan); */
    /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  } else if (life.alive) {
    if (step == FUMATA_STEP_RESERVE) {
      fumata_toll_reserve(toll, number);
      /*@ assert machine: FumataMachineIsPaid(toll, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(toll, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_STORE) {
      life.stored = toll->left;
      /*@ assert machine: FumataMachineIsPaid(toll, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(toll, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_CLOSE) {
      fumata_toll_close(toll);
      /*@ assert machine: FumataMachineIsPaid(toll, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(toll, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_ANSWER && life.stored <= toll->left) {
      fumata_toll_answer(toll, &duel, coin, &seen);
      life.spent += seen != FUMATA_NOTHING;
      /*@ assert machine: FumataMachineIsPaid(toll, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(toll, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    }
  }
  life.seen = seen;
  return life;
}

/*@
  requires plan:       FumataTollPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(losers + (0 .. length - 1)) &&
                       \valid_read(distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, seen, length);
  ensures limit:       count[length] <= plan->limit;
  ensures told:        \forall integer i; 0 <= i < length ==> FumataTollTells(seen[i], winners[i], losers[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       FumataTollIsCertified{Pre}(plan, claim);
*/
void fumata_history_toll(const fumata_toll_plan *plan, const fumata_claim *claim, uint32_t length,
                         const uint8_t *steps, const uint32_t *numbers, const uint32_t *winners,
                         const uint32_t *losers, const uint32_t *distances, const uint64_t *coins, int32_t *seen,
                         int64_t *count) {
  fumata_toll toll;
  fumata_life life;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&toll, winners + j); */
  /*@ assert losers:    \forall integer j; 0 <= j < length ==> \separated(&toll, losers + j); */
  life.begun = fumata_toll_init(&toll, plan, claim) == FUMATA_OK;
  life.alive = life.begun;
  life.stored = plan->limit;
  life.spent = 0;
  life.seen = FUMATA_NOTHING;
  /*@ assert machine: FumataMachineIsPaid(&toll, life, plan->limit); */
  /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant limit:     plan->limit == \at(plan->limit, Pre);
    loop invariant table:     plan->named == \at(plan->named, Pre) && plan->size == \at(plan->size, Pre);
    loop invariant readable:  FumataTollPlanReadable(plan);
    loop invariant apart:     FumataTollApart(&toll, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant losers:    \forall integer j; 0 <= j < length ==> losers[j] == \at(losers[j], Pre);
    loop invariant machine:   FumataMachineIsPaid(&toll, life, plan->limit);
    loop invariant store:     FumataStoreIsPaid(life, plan->limit);
    loop invariant running:   FumataMachineRuns(&toll, life, plan);
    loop invariant certified: life.begun != 0 ==> FumataTollIsCertified{Pre}(plan, claim);
    loop invariant counted:   FumataCounts(count, seen, i);
    loop invariant now:       count[i] == life.spent;
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataTollTells(seen[j], \at(winners[j], Pre), \at(losers[j], Pre));
    loop invariant nothing:   life.begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop assigns              i, life, toll, seen[0 .. length - 1], count[1 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    life = fumata_life_step(&toll, life, plan, claim, steps[i], numbers[i], winners[i], losers[i],
                            distances[i], coins[i]);
    /*@ assert past:   FumataCounts(count, seen, i); */
    /*@ assert before: count[i] == life.spent - (life.seen != FUMATA_NOTHING ? 1 : 0); */
    /*@ assert tells:  FumataTollTells(life.seen, \at(winners[\at(i, Here)], Pre), \at(losers[\at(i, Here)], Pre)); */
    seen[i] = life.seen;
    count[i + 1] = life.spent;
    /*@ assert told_past: \forall integer j; 0 <= j < i ==>
                            FumataTollTells(seen[j], \at(winners[j], Pre), \at(losers[j], Pre)); */
    /*@ assert past_each: \forall integer j; 0 <= j < i ==>
                            \at(FumataCountsOn(count, seen, j), LoopCurrent) && FumataCountsOn(count, seen, j); */
    /*@ assert first: count[0] == 0; */
    /*@ assert now:   FumataCountsOn(count, seen, i); */
  }
}

/* Whole lives of a meter, for the prover only: nothing here is compiled into anything.
 *
 * The script and its rules are in history.h.
 *
 * Claim:    T-METER-1, T-METER-2 and T-METER-3 for every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "meter.h"
#include "history.h"

/*@
  // Entry i of a transcript is counted.
  predicate FumataCountsOn{L}(int64_t *count, int32_t *seen, integer i) =
    count[i + 1] == count[i] + (seen[i] == FUMATA_SILENT ? 1 : 0);

  // `count` is the running count of the silences in a transcript of n entries.
  predicate FumataCounts{L}(int64_t *count, int32_t *seen, integer n) =
    count[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsOn(count, seen, i));

  // Nothing, a silence, or the winner of this step's ballot, which was not at distance 0.
  predicate FumataMeterTells(integer seen, integer winner, integer distance) =
    seen == FUMATA_NOTHING || seen == FUMATA_SILENT || (seen == winner && distance >= 1);

  // What was seen, is reserved and is left is no more than T either, while the program runs.
  predicate FumataMachineIsPaid{L}(fumata_meter *meter, fumata_life life, integer limit) =
    life.alive != 0 ==>
      FumataMeterInvariant(meter) && life.spent + meter->reserved + meter->left <= limit;

  // And the machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataMachineRuns{L}(fumata_meter *meter, fumata_life life, fumata_meter_plan *plan) =
    life.alive != 0 ==> FumataMeterRuns(meter, plan);
*/

/* One step of a life. */
/*@
  requires machine:    \valid(meter) && FumataMachineIsPaid(meter, life, plan->limit);
  requires store:      FumataStoreIsPaid(life, plan->limit);
  requires plan:       FumataMeterPlanReadable(plan) && FumataMeterApart(meter, plan);
  requires claim:      \valid_read(claim) && \separated(meter, claim);
  requires running:    FumataMachineRuns(meter, life, plan);

  terminates           \true;
  exits                \false;
  assigns              *meter;
  ensures machine:     FumataMachineIsPaid(meter, \result, plan->limit);
  ensures store:       FumataStoreIsPaid(\result, plan->limit);
  ensures running:     FumataMachineRuns(meter, \result, plan);
  ensures limit:       plan->limit == \old(plan->limit);
  ensures begun:       \result.begun == life.begun;
  ensures counted:     \result.spent == life.spent + (\result.seen == FUMATA_SILENT ? 1 : 0);
  ensures told:        FumataMeterTells(\result.seen, winner, distance);
  ensures nothing:     life.begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_life fumata_life_step(fumata_meter *meter, fumata_life life, const fumata_meter_plan *plan,
                                    const fumata_claim *claim, uint8_t step, uint32_t number, uint32_t winner,
                                    uint32_t distance, uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (step == FUMATA_STEP_CRASH) {
    life.alive = 0;
    /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  } else if (step == FUMATA_STEP_START) {
    if (life.begun) {
      life.alive = fumata_meter_resume(meter, plan, claim, life.stored) == FUMATA_OK;
    }
    /*@ assert machine: FumataMachineIsPaid(meter, life, plan->limit); */
    /*@ assert running: FumataMachineRuns(meter, life, plan); */
    /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  } else if (life.alive) {
    if (step == FUMATA_STEP_RESERVE) {
      fumata_meter_reserve(meter, number);
      /*@ assert machine: FumataMachineIsPaid(meter, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(meter, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_STORE) {
      life.stored = meter->left;
      /*@ assert machine: FumataMachineIsPaid(meter, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(meter, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_CLOSE) {
      fumata_meter_close(meter);
      /*@ assert machine: FumataMachineIsPaid(meter, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(meter, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_ANSWER && life.stored <= meter->left) {
      fumata_meter_answer(meter, &verdict, coin, &seen);
      life.spent += seen == FUMATA_SILENT;
      /*@ assert machine: FumataMachineIsPaid(meter, life, plan->limit); */
      /*@ assert running: FumataMachineRuns(meter, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    }
  }
  life.seen = seen;
  return life;
}

/*@
  requires plan:       FumataMeterPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, seen, length);
  ensures limit:       count[length] <= plan->limit;
  ensures told:        \forall integer i; 0 <= i < length ==> FumataMeterTells(seen[i], winners[i], distances[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       FumataMeterIsCertified{Pre}(plan, claim);
*/
void fumata_history_meter(const fumata_meter_plan *plan, const fumata_claim *claim, uint32_t length,
                          const uint8_t *steps, const uint32_t *numbers, const uint32_t *winners,
                          const uint32_t *distances, const uint64_t *coins, int32_t *seen, int64_t *count) {
  fumata_meter meter;
  fumata_life life;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&meter, winners + j); */
  /*@ assert distances: \forall integer j; 0 <= j < length ==> \separated(&meter, distances + j); */
  life.begun = fumata_meter_init(&meter, plan, claim) == FUMATA_OK;
  life.alive = life.begun;
  life.stored = plan->limit;
  life.spent = 0;
  life.seen = FUMATA_NOTHING;
  /*@ assert machine: FumataMachineIsPaid(&meter, life, plan->limit); */
  /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant limit:     plan->limit == \at(plan->limit, Pre);
    loop invariant table:     plan->silence == \at(plan->silence, Pre) && plan->size == \at(plan->size, Pre);
    loop invariant readable:  FumataMeterPlanReadable(plan);
    loop invariant apart:     FumataMeterApart(&meter, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant distances: \forall integer j; 0 <= j < length ==> distances[j] == \at(distances[j], Pre);
    loop invariant machine:   FumataMachineIsPaid(&meter, life, plan->limit);
    loop invariant store:     FumataStoreIsPaid(life, plan->limit);
    loop invariant running:   FumataMachineRuns(&meter, life, plan);
    loop invariant certified: life.begun != 0 ==> FumataMeterIsCertified{Pre}(plan, claim);
    loop invariant counted:   FumataCounts(count, seen, i);
    loop invariant now:       count[i] == life.spent;
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataMeterTells(seen[j], \at(winners[j], Pre), \at(distances[j], Pre));
    loop invariant nothing:   life.begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop assigns              i, life, meter, seen[0 .. length - 1], count[1 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    life = fumata_life_step(&meter, life, plan, claim, steps[i], numbers[i], winners[i], distances[i],
                            coins[i]);
    /*@ assert past:   FumataCounts(count, seen, i); */
    /*@ assert before: count[i] == life.spent - (life.seen == FUMATA_SILENT ? 1 : 0); */
    /*@ assert tells:  FumataMeterTells(life.seen, \at(winners[\at(i, Here)], Pre),
                                        \at(distances[\at(i, Here)], Pre)); */
    seen[i] = life.seen;
    count[i + 1] = life.spent;
    /*@ assert told_past: \forall integer j; 0 <= j < i ==>
                            FumataMeterTells(seen[j], \at(winners[j], Pre), \at(distances[j], Pre)); */
    /*@ assert past_each: \forall integer j; 0 <= j < i ==>
                            \at(FumataCountsOn(count, seen, j), LoopCurrent) && FumataCountsOn(count, seen, j); */
    /*@ assert first: count[0] == 0; */
    /*@ assert now:   FumataCountsOn(count, seen, i); */
  }
}

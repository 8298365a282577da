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

  // What was seen and what could be taken up again never add up to more than T, nor, while the program runs, do what
  // was seen, is reserved and is left.
  predicate FumataIsPaid{L}(fumata_meter *meter, integer alive, integer spent, integer stored, integer limit) =
    0 <= spent && spent + stored <= limit &&
    (alive != 0 ==> FumataMeterInvariant(meter) && spent + meter->reserved + meter->left <= limit);

  // The machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataMachineRuns{L}(fumata_meter *meter, integer alive, fumata_meter_plan *plan) =
    alive != 0 ==> FumataMeterRuns(meter, plan);

  // Nobody writes into the plan.
  predicate FumataPlanStays{K, L}(fumata_meter_plan *plan) =
    \at(plan->silence, K) == \at(plan->silence, L) && \at(plan->size, K) == \at(plan->size, L) &&
    \at(plan->limit, K) == \at(plan->limit, L);
*/

/* The program starts again from what it stored last, or crashes, or goes on. */
/*@
  requires meter:      \valid(meter);
  requires plan:       FumataMeterPlanReadable(plan) && FumataMeterApart(meter, plan);
  requires claim:      \valid_read(claim) && \separated(meter, claim);
  requires paid:       FumataIsPaid(meter, alive, spent, stored, plan->limit);
  requires running:    FumataMachineRuns(meter, alive, plan);
  requires begun:      alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *meter;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures paid:        FumataIsPaid(meter, \result, spent, stored, plan->limit);
  ensures running:     FumataMachineRuns(meter, \result, plan);
  ensures begun:       \result != 0 ==> begun != 0;
*/
static uint32_t fumata_life_starts(fumata_meter *meter, const fumata_meter_plan *plan, const fumata_claim *claim,
                                   uint8_t step, uint32_t begun, uint32_t alive, uint32_t spent, uint32_t stored) {
  if (step == FUMATA_STEP_CRASH) {
    return 0;
  }
  if (step != FUMATA_STEP_START || !begun) {
    return alive;
  }
  return fumata_meter_resume(meter, plan, claim, stored) == FUMATA_OK;
}

/* One step of the meter while the program runs: what the world sees of it. */
/*@
  requires meter:      \valid(meter);
  requires paid:       FumataIsPaid(meter, 1, spent, stored, limit);

  terminates           \true;
  exits                \false;
  assigns              meter->left, meter->reserved;
  ensures paid:        FumataIsPaid(meter, 1, spent + (\result == FUMATA_SILENT ? 1 : 0), stored, limit);
  ensures told:        FumataMeterTells(\result, winner, distance);
*/
static int32_t fumata_life_tells(fumata_meter *meter, uint32_t spent, uint32_t stored, uint32_t limit, uint8_t step,
                                 uint32_t number, uint32_t winner, uint32_t distance, uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (step == FUMATA_STEP_RESERVE) {
    fumata_meter_reserve(meter, number);
    /*@ assert reserved: FumataIsPaid(meter, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_CLOSE) {
    fumata_meter_close(meter);
    /*@ assert closed: FumataIsPaid(meter, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_ANSWER && stored <= meter->left) {
    fumata_meter_answer(meter, &verdict, coin, &seen);
    /*@ assert sum: spent + (seen == FUMATA_SILENT ? 1 : 0) + meter->reserved + meter->left <= limit; */
    /*@ assert answered: FumataIsPaid(meter, 1, spent + (seen == FUMATA_SILENT ? 1 : 0), stored, limit); */
  }
  return seen;
}

/* What is stored after a step. */
/*@
  requires meter:       \valid_read(meter);
  requires paid:       FumataIsPaid(meter, alive, spent, stored, limit);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures paid:        FumataIsPaid(meter, alive, spent, \result, limit);
*/
static uint32_t fumata_life_stores(const fumata_meter *meter, uint32_t alive, uint8_t step, uint32_t spent,
                                   uint32_t stored, uint32_t limit) {
  return alive && step == FUMATA_STEP_STORE ? meter->left : stored;
}

/* One step of a life. */
/*@
  requires meter:      \valid(meter);
  requires plan:       FumataMeterPlanReadable(plan) && FumataMeterApart(meter, plan);
  requires claim:      \valid_read(claim) && \separated(meter, claim);
  requires paid:       FumataIsPaid(meter, life.alive, spent, life.stored, plan->limit);
  requires running:    FumataMachineRuns(meter, life.alive, plan);
  requires begun:      life.alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *meter;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures paid:        FumataIsPaid(meter, \result.alive, spent + (\result.seen == FUMATA_SILENT ? 1 : 0),
                                    \result.stored, plan->limit);
  ensures running:     FumataMachineRuns(meter, \result.alive, plan);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures told:        FumataMeterTells(\result.seen, winner, distance);
  ensures nothing:     begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_life fumata_life_step(fumata_meter *meter, fumata_life life, const fumata_meter_plan *plan,
                                    const fumata_claim *claim, uint32_t begun, uint32_t spent, uint8_t step,
                                    uint32_t number, uint32_t winner, uint32_t distance, uint64_t coin) {
  life.alive = fumata_life_starts(meter, plan, claim, step, begun, life.alive, spent, life.stored);
  life.seen = FUMATA_NOTHING;
  if (life.alive) {
    life.seen = fumata_life_tells(meter, spent, life.stored, plan->limit, step, number, winner, distance, coin);
    /*@ assert plan: FumataPlanStays{Pre, Here}(plan); */
    /*@ assert running: FumataMeterRuns(meter, plan); */
  }
  spent += life.seen == FUMATA_SILENT;
  life.stored = fumata_life_stores(meter, life.alive, step, spent, life.stored, plan->limit);
  return life;
}

/* Entry i is written down and counted. */
/*@
  requires writable:   \valid(seen + (0 .. i)) && \valid(count + (0 .. i + 1));
  requires counted:    FumataCounts(count, seen, i);
  requires place:      i < 4294967295;
  requires range:      count[i] <= 4294967295;

  terminates           \true;
  exits                \false;
  assigns              seen[i], count[i + 1];
  ensures counted:     FumataCounts(count, seen, i + 1);
  ensures count:       count[i + 1] == \old(count[i]) + (told == FUMATA_SILENT ? 1 : 0);
  ensures seen:        seen[i] == told;
*/
static void fumata_life_writes(uint32_t i, int32_t told, int32_t *seen, int64_t *count) {
  seen[i] = told;
  count[i + 1u] = count[i] + (told == FUMATA_SILENT);
  /*@ assert past: \forall integer j; 0 <= j < i ==>
                     \at(FumataCountsOn(count, seen, j), Pre) && FumataCountsOn(count, seen, j); */
  /*@ assert now:  FumataCountsOn(count, seen, i); */
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
  uint32_t begun;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&meter, winners + j); */
  /*@ assert distances: \forall integer j; 0 <= j < length ==> \separated(&meter, distances + j); */
  begun = fumata_meter_init(&meter, plan, claim) == FUMATA_OK;
  life.alive = begun;
  life.stored = plan->limit;
  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant plan:      FumataPlanStays{Pre, Here}(plan);
    loop invariant readable:  FumataMeterPlanReadable(plan);
    loop invariant apart:     FumataMeterApart(&meter, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant distances: \forall integer j; 0 <= j < length ==> distances[j] == \at(distances[j], Pre);
    loop invariant paid:      FumataIsPaid(&meter, life.alive, count[i], life.stored, plan->limit);
    loop invariant running:   FumataMachineRuns(&meter, life.alive, plan);
    loop invariant begun:     life.alive != 0 ==> begun != 0;
    loop invariant certified: begun != 0 ==> FumataMeterIsCertified{Pre}(plan, claim);
    loop invariant nothing:   begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop invariant counted:   FumataCounts(count, seen, i);
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataMeterTells(seen[j], \at(winners[j], Pre), \at(distances[j], Pre));
    loop assigns              i, life, meter, seen[0 .. length - 1], count[0 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    /*@ assert range: 0 <= count[i] <= plan->limit; */
    life = fumata_life_step(&meter, life, plan, claim, begun, (uint32_t)count[i], steps[i], numbers[i], winners[i],
                            distances[i], coins[i]);
    /*@ assert paid: FumataIsPaid(&meter, life.alive, count[i] + (life.seen == FUMATA_SILENT ? 1 : 0), life.stored,
                                  plan->limit); */
    fumata_life_writes(i, life.seen, seen, count);
  }
}

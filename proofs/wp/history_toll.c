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

  // What was seen and what could be taken up again never add up to more than L, nor, while the program runs, do what
  // was seen, is reserved and is left.
  predicate FumataIsPaid{L}(fumata_toll *toll, integer alive, integer spent, integer stored, integer limit) =
    0 <= spent && spent + stored <= limit &&
    (alive != 0 ==> FumataTollInvariant(toll) && spent + toll->reserved + toll->left <= limit);

  // The machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataMachineRuns{L}(fumata_toll *toll, integer alive, fumata_toll_plan *plan) =
    alive != 0 ==> FumataTollRuns(toll, plan);

  // Nobody writes into the plan.
  predicate FumataPlanStays{K, L}(fumata_toll_plan *plan) =
    \at(plan->named, K) == \at(plan->named, L) && \at(plan->size, K) == \at(plan->size, L) &&
    \at(plan->limit, K) == \at(plan->limit, L);
*/

/* The program starts again from what it stored last, or crashes, or goes on. */
/*@
  requires toll:      \valid(toll);
  requires plan:       FumataTollPlanReadable(plan) && FumataTollApart(toll, plan);
  requires claim:      \valid_read(claim) && \separated(toll, claim);
  requires paid:       FumataIsPaid(toll, alive, spent, stored, plan->limit);
  requires running:    FumataMachineRuns(toll, alive, plan);
  requires begun:      alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *toll;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures paid:        FumataIsPaid(toll, \result, spent, stored, plan->limit);
  ensures running:     FumataMachineRuns(toll, \result, plan);
  ensures begun:       \result != 0 ==> begun != 0;
*/
static uint32_t fumata_life_starts(fumata_toll *toll, const fumata_toll_plan *plan, const fumata_claim *claim,
                                   uint8_t step, uint32_t begun, uint32_t alive, uint32_t spent, uint32_t stored) {
  if (step == FUMATA_STEP_CRASH) {
    return 0;
  }
  if (step != FUMATA_STEP_START || !begun) {
    return alive;
  }
  return fumata_toll_resume(toll, plan, claim, stored) == FUMATA_OK;
}

/* One step of the toll while the program runs: what the world sees of it. */
/*@
  requires toll:      \valid(toll);
  requires paid:       FumataIsPaid(toll, 1, spent, stored, limit);

  terminates           \true;
  exits                \false;
  assigns              toll->left, toll->reserved;
  ensures paid:        FumataIsPaid(toll, 1, spent + (\result != FUMATA_NOTHING ? 1 : 0), stored, limit);
  ensures told:        FumataTollTells(\result, winner, loser);
*/
static int32_t fumata_life_tells(fumata_toll *toll, uint32_t spent, uint32_t stored, uint32_t limit, uint8_t step,
                                 uint32_t number, uint32_t winner, uint32_t loser, uint32_t distance, uint64_t coin) {
  fumata_duel duel;
  int32_t seen = FUMATA_NOTHING;

  duel.winner = winner;
  duel.loser = loser;
  duel.distance = distance;
  if (step == FUMATA_STEP_RESERVE) {
    fumata_toll_reserve(toll, number);
    /*@ assert reserved: FumataIsPaid(toll, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_CLOSE) {
    fumata_toll_close(toll);
    /*@ assert closed: FumataIsPaid(toll, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_ANSWER && stored <= toll->left) {
    fumata_toll_answer(toll, &duel, coin, &seen);
    /*@ assert sum: spent + (seen != FUMATA_NOTHING ? 1 : 0) + toll->reserved + toll->left <= limit; */
    /*@ assert answered: FumataIsPaid(toll, 1, spent + (seen != FUMATA_NOTHING ? 1 : 0), stored, limit); */
  }
  return seen;
}

/* What is stored after a step. */
/*@
  requires toll:        \valid_read(toll);
  requires paid:       FumataIsPaid(toll, alive, spent, stored, limit);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures paid:        FumataIsPaid(toll, alive, spent, \result, limit);
*/
static uint32_t fumata_life_stores(const fumata_toll *toll, uint32_t alive, uint8_t step, uint32_t spent,
                                   uint32_t stored, uint32_t limit) {
  return alive && step == FUMATA_STEP_STORE ? toll->left : stored;
}

/* One step of a life. */
/*@
  requires toll:      \valid(toll);
  requires plan:       FumataTollPlanReadable(plan) && FumataTollApart(toll, plan);
  requires claim:      \valid_read(claim) && \separated(toll, claim);
  requires paid:       FumataIsPaid(toll, life.alive, spent, life.stored, plan->limit);
  requires running:    FumataMachineRuns(toll, life.alive, plan);
  requires begun:      life.alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *toll;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures paid:        FumataIsPaid(toll, \result.alive, spent + (\result.seen != FUMATA_NOTHING ? 1 : 0),
                                    \result.stored, plan->limit);
  ensures running:     FumataMachineRuns(toll, \result.alive, plan);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures told:        FumataTollTells(\result.seen, winner, loser);
  ensures nothing:     begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_life fumata_life_step(fumata_toll *toll, fumata_life life, const fumata_toll_plan *plan,
                                    const fumata_claim *claim, uint32_t begun, uint32_t spent, uint8_t step,
                                    uint32_t number, uint32_t winner, uint32_t loser, uint32_t distance, uint64_t coin) {
  life.alive = fumata_life_starts(toll, plan, claim, step, begun, life.alive, spent, life.stored);
  life.seen = FUMATA_NOTHING;
  if (life.alive) {
    life.seen = fumata_life_tells(toll, spent, life.stored, plan->limit, step, number, winner, loser, distance, coin);
    /*@ assert plan: FumataPlanStays{Pre, Here}(plan); */
    /*@ assert running: FumataTollRuns(toll, plan); */
  }
  spent += life.seen != FUMATA_NOTHING;
  life.stored = fumata_life_stores(toll, life.alive, step, spent, life.stored, plan->limit);
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
  ensures count:       count[i + 1] == \old(count[i]) + (told != FUMATA_NOTHING ? 1 : 0);
  ensures seen:        seen[i] == told;
*/
static void fumata_life_writes(uint32_t i, int32_t told, int32_t *seen, int64_t *count) {
  seen[i] = told;
  count[i + 1u] = count[i] + (told != FUMATA_NOTHING);
  /*@ assert past: \forall integer j; 0 <= j < i ==>
                     \at(FumataCountsOn(count, seen, j), Pre) && FumataCountsOn(count, seen, j); */
  /*@ assert now:  FumataCountsOn(count, seen, i); */
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
                          const uint32_t *losers, const uint32_t *distances, const uint64_t *coins, int32_t *seen, int64_t *count) {
  fumata_toll toll;
  fumata_life life;
  uint32_t begun;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&toll, winners + j); */
  /*@ assert losers:    \forall integer j; 0 <= j < length ==> \separated(&toll, losers + j); */
  begun = fumata_toll_init(&toll, plan, claim) == FUMATA_OK;
  life.alive = begun;
  life.stored = plan->limit;
  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant plan:      FumataPlanStays{Pre, Here}(plan);
    loop invariant readable:  FumataTollPlanReadable(plan);
    loop invariant apart:     FumataTollApart(&toll, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant losers:    \forall integer j; 0 <= j < length ==> losers[j] == \at(losers[j], Pre);
    loop invariant paid:      FumataIsPaid(&toll, life.alive, count[i], life.stored, plan->limit);
    loop invariant running:   FumataMachineRuns(&toll, life.alive, plan);
    loop invariant begun:     life.alive != 0 ==> begun != 0;
    loop invariant certified: begun != 0 ==> FumataTollIsCertified{Pre}(plan, claim);
    loop invariant nothing:   begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop invariant counted:   FumataCounts(count, seen, i);
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataTollTells(seen[j], \at(winners[j], Pre), \at(losers[j], Pre));
    loop assigns              i, life, toll, seen[0 .. length - 1], count[0 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    /*@ assert range: 0 <= count[i] <= plan->limit; */
    life = fumata_life_step(&toll, life, plan, claim, begun, (uint32_t)count[i], steps[i], numbers[i], winners[i],
                            losers[i], distances[i], coins[i]);
    /*@ assert paid: FumataIsPaid(&toll, life.alive, count[i] + (life.seen != FUMATA_NOTHING ? 1 : 0), life.stored,
                                  plan->limit); */
    fumata_life_writes(i, life.seen, seen, count);
  }
}

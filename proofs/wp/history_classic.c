/* Whole lives of a classic machine, for the prover only: nothing here is compiled into anything.
 *
 * The script and its rules are in history.h.
 *
 * Claim:    T-CLASSIC-1 for every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "classic.h"
#include "history.h"

/*@
  // Entry i of a transcript is counted.
  predicate FumataCountsOn{L}(int32_t *count, int32_t *seen, integer i) =
    count[i + 1] == count[i] + (seen[i] == FUMATA_SILENT ? 1 : 0);

  // `count` is the running count of the silences in a transcript of n entries.
  predicate FumataCounts{L}(int32_t *count, int32_t *seen, integer n) =
    count[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsOn(count, seen, i));

  // Nothing, a silence, or the winner of this step's ballot.
  predicate FumataClassicTells(integer seen, integer winner) =
    seen == FUMATA_NOTHING || seen == FUMATA_SILENT || seen == winner;

  // What was seen, is reserved and is left is no more than T either, while the program runs.
  predicate FumataMachineIsPaid{L}(fumata_classic *classic, fumata_life life, integer limit) =
    life.alive != 0 ==>
      FumataClassicInvariant(classic) && life.spent + classic->reserved + classic->left <= limit;

  // And the machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataMachineRuns{L}(fumata_classic *classic, fumata_life life, fumata_classic_plan *plan) =
    life.alive != 0 ==> FumataClassicRuns(classic, plan);
*/

/* One step of a life. */
/*@
  requires machine:    \valid(classic) && FumataMachineIsPaid(classic, life, plan->limit);
  requires store:      FumataStoreIsPaid(life, plan->limit);
  requires plan:       FumataClassicPlanReadable(plan) && FumataClassicApart(classic, plan);
  requires claim:      \valid_read(claim) && \separated(classic, claim);
  requires running:    FumataMachineRuns(classic, life, plan);

  terminates           \true;
  exits                \false;
  assigns              *classic;
  ensures machine:     FumataMachineIsPaid(classic, \result, plan->limit);
  ensures store:       FumataStoreIsPaid(\result, plan->limit);
  ensures running:     FumataMachineRuns(classic, \result, plan);
  ensures limit:       plan->limit == \old(plan->limit);
  ensures begun:       \result.begun == life.begun;
  ensures counted:     \result.spent == life.spent + (\result.seen == FUMATA_SILENT ? 1 : 0);
  ensures told:        FumataClassicTells(\result.seen, winner);
  ensures nothing:     life.begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_life fumata_life_step(fumata_classic *classic, fumata_life life, const fumata_classic_plan *plan,
                                    const fumata_claim *claim, uint8_t step, uint32_t winner, uint32_t distance,
                                    uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (step == FUMATA_STEP_CRASH) {
    life.alive = 0;
    /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  } else if (step == FUMATA_STEP_START) {
    if (life.begun) {
      life.alive = fumata_classic_resume(classic, plan, claim, life.stored) == FUMATA_OK;
    }
    /*@ assert machine: FumataMachineIsPaid(classic, life, plan->limit); */
    /*@ assert threshold: life.alive != 0 ==> FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
    /*@ assert query: life.alive != 0 ==> FumataNoiseSame(&classic->plan.query, &plan->query); */
    /*@ assert running: FumataMachineRuns(classic, life, plan); */
    /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  } else if (life.alive) {
    if (step == FUMATA_STEP_RESERVE) {
      fumata_classic_reserve(classic, coin);
      /*@ assert machine: FumataMachineIsPaid(classic, life, plan->limit); */
      /*@ assert threshold: life.alive != 0 ==> FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
      /*@ assert query: life.alive != 0 ==> FumataNoiseSame(&classic->plan.query, &plan->query); */
      /*@ assert running: FumataMachineRuns(classic, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_STORE) {
      life.stored = classic->left;
      /*@ assert machine: FumataMachineIsPaid(classic, life, plan->limit); */
      /*@ assert threshold: life.alive != 0 ==> FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
      /*@ assert query: life.alive != 0 ==> FumataNoiseSame(&classic->plan.query, &plan->query); */
      /*@ assert running: FumataMachineRuns(classic, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_CLOSE) {
      fumata_classic_close(classic);
      /*@ assert machine: FumataMachineIsPaid(classic, life, plan->limit); */
      /*@ assert threshold: life.alive != 0 ==> FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
      /*@ assert query: life.alive != 0 ==> FumataNoiseSame(&classic->plan.query, &plan->query); */
      /*@ assert running: FumataMachineRuns(classic, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    } else if (step == FUMATA_STEP_ANSWER && life.stored <= classic->left) {
      fumata_classic_answer(classic, &verdict, coin, &seen);
      life.spent += seen == FUMATA_SILENT;
      /*@ assert machine: FumataMachineIsPaid(classic, life, plan->limit); */
      /*@ assert threshold: life.alive != 0 ==> FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
      /*@ assert query: life.alive != 0 ==> FumataNoiseSame(&classic->plan.query, &plan->query); */
      /*@ assert running: FumataMachineRuns(classic, life, plan); */
      /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
    }
  }
  life.seen = seen;
  return life;
}

/*@
  requires plan:       FumataClassicPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));
  requires apart:      \separated(seen + (0 .. length - 1), count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, seen, length);
  ensures limit:       count[length] <= plan->limit;
  ensures told:        \forall integer i; 0 <= i < length ==> FumataClassicTells(seen[i], winners[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       FumataClassicIsCertified{Pre}(plan, claim);
*/
void fumata_history_classic(const fumata_classic_plan *plan, const fumata_claim *claim, uint32_t length,
                            const uint8_t *steps, const uint32_t *winners, const uint32_t *distances,
                            const uint64_t *coins, int32_t *seen, int32_t *count) {
  fumata_classic classic;
  fumata_life life;
  uint32_t i;

  /*@ assert ballots: \forall integer j; 0 <= j < length ==> \separated(&classic, winners + j); */
  life.begun = fumata_classic_init(&classic, plan, claim) == FUMATA_OK;
  /*@ assert runs: life.begun != 0 ==> classic.plan.limit == plan->limit; */
  /*@ assert limit: life.begun != 0 ==> classic.plan.limit <= FUMATA_SILENCES_MAX; */
  life.alive = life.begun;
  life.stored = plan->limit;
  life.spent = 0;
  life.seen = FUMATA_NOTHING;
  /*@ assert machine: FumataMachineIsPaid(&classic, life, plan->limit); */
  /*@ assert store: FumataStoreIsPaid(life, plan->limit); */
  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant limit:     plan->limit == \at(plan->limit, Pre);
    loop invariant threshold: plan->threshold.cdf == \at(plan->threshold.cdf, Pre) &&
                              plan->threshold.size == \at(plan->threshold.size, Pre);
    loop invariant query:     plan->query.cdf == \at(plan->query.cdf, Pre) &&
                              plan->query.size == \at(plan->query.size, Pre);
    loop invariant readable:  FumataClassicPlanReadable(plan);
    loop invariant apart:     FumataClassicApart(&classic, plan);
    loop invariant ballots:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant machine:   FumataMachineIsPaid(&classic, life, plan->limit);
    loop invariant store:     FumataStoreIsPaid(life, plan->limit);
    loop invariant running:   FumataMachineRuns(&classic, life, plan);
    loop invariant certified: life.begun != 0 ==> FumataClassicIsCertified{Pre}(plan, claim);
    loop invariant counted:   FumataCounts(count, seen, i);
    loop invariant now:       count[i] == life.spent;
    loop invariant told:      \forall integer j; 0 <= j < i ==> FumataClassicTells(seen[j], \at(winners[j], Pre));
    loop invariant nothing:   life.begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop assigns              i, life, classic, seen[0 .. length - 1], count[1 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    life = fumata_life_step(&classic, life, plan, claim, steps[i], winners[i], distances[i], coins[i]);
    /*@ assert past: FumataCounts(count, seen, i); */
    /*@ assert before: count[i] == life.spent - (life.seen == FUMATA_SILENT ? 1 : 0); */
    /*@ assert tells: FumataClassicTells(life.seen, \at(winners[\at(i, Here)], Pre)); */
    seen[i] = life.seen;
    /*@ assert still_seen: \forall integer j; 0 <= j < i ==> seen[j] == \at(seen[j], LoopCurrent); */
    /*@ assert still_count: \forall integer j; 0 <= j <= i ==> count[j] == \at(count[j], LoopCurrent); */
    count[i + 1] = (int32_t)life.spent;
    /*@ assert latest: seen[i] == life.seen; */
    /*@ assert beside: \separated(count + (i + 1), seen + (0 .. i - 1)); */
    /*@ assert past_seen: \forall integer j; 0 <= j < i ==> seen[j] == \at(seen[j], LoopCurrent); */
    /*@ assert past_count: \forall integer j; 0 <= j <= i ==> count[j] == \at(count[j], LoopCurrent); */
    /*@ assert told_past: \forall integer j; 0 <= j < i ==> FumataClassicTells(seen[j], \at(winners[j], Pre)); */
    /*@ assert told_now: FumataClassicTells(seen[i], \at(winners[\at(i, Here)], Pre)); */
    /*@ assert past_each: \forall integer j; 0 <= j < i ==>
                            \at(FumataCountsOn(count, seen, j), LoopCurrent) && FumataCountsOn(count, seen, j); */
    /*@ assert first: count[0] == 0; */
    /*@ assert now: FumataCountsOn(count, seen, i); */
  }
}

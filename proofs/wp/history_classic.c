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

  // What was seen and what could be taken up again never add up to more than T, nor, while the program runs, do what
  // was seen, is reserved and is left.
  predicate FumataIsPaid{L}(fumata_classic *classic, integer alive, integer spent, integer stored, integer limit) =
    0 <= spent && spent + stored <= limit &&
    (alive != 0 ==> FumataClassicInvariant(classic) && spent + classic->reserved + classic->left <= limit);

  // The machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataMachineRuns{L}(fumata_classic *classic, integer alive, fumata_classic_plan *plan) =
    alive != 0 ==> FumataClassicRuns(classic, plan);

  // Nobody writes into the plan.
  predicate FumataPlanStays{K, L}(fumata_classic_plan *plan) =
    \at(plan->threshold.cdf, K) == \at(plan->threshold.cdf, L) &&
    \at(plan->threshold.size, K) == \at(plan->threshold.size, L) &&
    \at(plan->threshold.first, K) == \at(plan->threshold.first, L) &&
    \at(plan->query.cdf, K) == \at(plan->query.cdf, L) && \at(plan->query.size, K) == \at(plan->query.size, L) &&
    \at(plan->query.first, K) == \at(plan->query.first, L) &&
    \at(plan->width, K) == \at(plan->width, L) && \at(plan->limit, K) == \at(plan->limit, L);
*/

/* The program starts again from what it stored last, or crashes, or goes on. */
/*@
  requires classic:      \valid(classic);
  requires plan:       FumataClassicPlanReadable(plan) && FumataClassicApart(classic, plan);
  requires claim:      \valid_read(claim) && \separated(classic, claim);
  requires paid:       FumataIsPaid(classic, alive, spent, stored, plan->limit);
  requires running:    FumataMachineRuns(classic, alive, plan);
  requires begun:      alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *classic;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures paid:        FumataIsPaid(classic, \result, spent, stored, plan->limit);
  ensures running:     FumataMachineRuns(classic, \result, plan);
  ensures begun:       \result != 0 ==> begun != 0;
*/
static uint32_t fumata_life_starts(fumata_classic *classic, const fumata_classic_plan *plan, const fumata_claim *claim,
                                   uint8_t step, uint32_t begun, uint32_t alive, uint32_t spent, uint32_t stored) {
  if (step == FUMATA_STEP_CRASH) {
    return 0;
  }
  if (step != FUMATA_STEP_START || !begun) {
    return alive;
  }
  return fumata_classic_resume(classic, plan, claim, stored) == FUMATA_OK;
}

/* One step of the classic while the program runs: what the world sees of it. */
/*@
  requires classic:      \valid(classic);
  requires paid:       FumataIsPaid(classic, 1, spent, stored, limit);

  terminates           \true;
  exits                \false;
  assigns              classic->threshold, classic->left, classic->reserved;
  ensures paid:        FumataIsPaid(classic, 1, spent + (\result == FUMATA_SILENT ? 1 : 0), stored, limit);
  ensures told:        FumataClassicTells(\result, winner);
*/
static int32_t fumata_life_tells(fumata_classic *classic, uint32_t spent, uint32_t stored, uint32_t limit, uint8_t step,
                                 uint32_t winner, uint32_t distance, uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (step == FUMATA_STEP_RESERVE) {
    fumata_classic_reserve(classic, coin);
    /*@ assert reserved: FumataIsPaid(classic, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_CLOSE) {
    fumata_classic_close(classic);
    /*@ assert closed: FumataIsPaid(classic, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_ANSWER && stored <= classic->left) {
    fumata_classic_answer(classic, &verdict, coin, &seen);
    /*@ assert sum: spent + (seen == FUMATA_SILENT ? 1 : 0) + classic->reserved + classic->left <= limit; */
    /*@ assert answered: FumataIsPaid(classic, 1, spent + (seen == FUMATA_SILENT ? 1 : 0), stored, limit); */
  }
  return seen;
}

/* What is stored after a step. */
/*@
  requires classic:     \valid_read(classic);
  requires paid:       FumataIsPaid(classic, alive, spent, stored, limit);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures paid:        FumataIsPaid(classic, alive, spent, \result, limit);
*/
static uint32_t fumata_life_stores(const fumata_classic *classic, uint32_t alive, uint8_t step, uint32_t spent,
                                   uint32_t stored, uint32_t limit) {
  return alive && step == FUMATA_STEP_STORE ? classic->left : stored;
}

/* One step of a life. */
/*@
  requires classic:      \valid(classic);
  requires plan:       FumataClassicPlanReadable(plan) && FumataClassicApart(classic, plan);
  requires claim:      \valid_read(claim) && \separated(classic, claim);
  requires paid:       FumataIsPaid(classic, life.alive, spent, life.stored, plan->limit);
  requires running:    FumataMachineRuns(classic, life.alive, plan);
  requires begun:      life.alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *classic;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures paid:        FumataIsPaid(classic, \result.alive, spent + (\result.seen == FUMATA_SILENT ? 1 : 0),
                                    \result.stored, plan->limit);
  ensures running:     FumataMachineRuns(classic, \result.alive, plan);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures told:        FumataClassicTells(\result.seen, winner);
  ensures nothing:     begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_life fumata_life_step(fumata_classic *classic, fumata_life life, const fumata_classic_plan *plan,
                                    const fumata_claim *claim, uint32_t begun, uint32_t spent, uint8_t step,
                                    uint32_t winner, uint32_t distance, uint64_t coin) {
  life.alive = fumata_life_starts(classic, plan, claim, step, begun, life.alive, spent, life.stored);
  life.seen = FUMATA_NOTHING;
  if (life.alive) {
    life.seen = fumata_life_tells(classic, spent, life.stored, plan->limit, step, winner, distance, coin);
    /*@ assert plan: FumataPlanStays{Pre, Here}(plan); */
    /*@ assert threshold: FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
    /*@ assert query: FumataNoiseSame(&classic->plan.query, &plan->query); */
    /*@ assert running: FumataClassicRuns(classic, plan); */
  }
  spent += life.seen == FUMATA_SILENT;
  life.stored = fumata_life_stores(classic, life.alive, step, spent, life.stored, plan->limit);
  return life;
}

/* Entry i is written down and counted. */
/*@
  requires writable:   \valid(seen + (0 .. i)) && \valid(count + (0 .. i + 1));
  requires counted:    FumataCounts(count, seen, i);
  requires apart:      \separated(seen + (0 .. i), count + (0 .. i + 1));
  requires place:      i < 4294967295;
  requires range:      count[i] <= FUMATA_SILENCES_MAX;

  terminates           \true;
  exits                \false;
  assigns              seen[i], count[i + 1];
  ensures counted:     FumataCounts(count, seen, i + 1);
  ensures count:       count[i + 1] == \old(count[i]) + (told == FUMATA_SILENT ? 1 : 0);
  ensures seen:        seen[i] == told;
*/
static void fumata_life_writes(uint32_t i, int32_t told, int32_t *seen, int32_t *count) {
  seen[i] = told;
  count[i + 1u] = count[i] + (told == FUMATA_SILENT);
  /*@ assert past: \forall integer j; 0 <= j < i ==>
                     \at(FumataCountsOn(count, seen, j), Pre) && FumataCountsOn(count, seen, j); */
  /*@ assert now:  FumataCountsOn(count, seen, i); */
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
                          const uint8_t *steps, const uint32_t *winners,
                          const uint32_t *distances, const uint64_t *coins, int32_t *seen, int32_t *count) {
  fumata_classic classic;
  fumata_life life;
  uint32_t begun;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&classic, winners + j); */
  begun = fumata_classic_init(&classic, plan, claim) == FUMATA_OK;
  /*@ assert limit:     plan->limit == \at(plan->limit, Pre) && plan->width == \at(plan->width, Pre); */
  /*@ assert sizes:     plan->threshold.size == \at(plan->threshold.size, Pre) &&
                        plan->query.size == \at(plan->query.size, Pre); */
  life.alive = begun;
  life.stored = plan->limit;
  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant plan:      FumataPlanStays{Pre, Here}(plan);
    loop invariant readable:  FumataClassicPlanReadable(plan);
    loop invariant apart:     FumataClassicApart(&classic, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant paid:      FumataIsPaid(&classic, life.alive, count[i], life.stored, plan->limit);
    loop invariant running:   FumataMachineRuns(&classic, life.alive, plan);
    loop invariant begun:     life.alive != 0 ==> begun != 0;
    loop invariant certified: begun != 0 ==> FumataClassicIsCertified{Pre}(plan, claim);
    loop invariant limit:     begun != 0 ==> plan->limit <= FUMATA_SILENCES_MAX;
    loop invariant small:     count[i] <= FUMATA_SILENCES_MAX;
    loop invariant nothing:   begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop invariant counted:   FumataCounts(count, seen, i);
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataClassicTells(seen[j], \at(winners[j], Pre));
    loop assigns              i, life, classic, seen[0 .. length - 1], count[0 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    /*@ assert range: 0 <= count[i] <= plan->limit; */
    life = fumata_life_step(&classic, life, plan, claim, begun, (uint32_t)count[i], steps[i], winners[i],
                            distances[i], coins[i]);
    /*@ assert paid: FumataIsPaid(&classic, life.alive, count[i] + (life.seen == FUMATA_SILENT ? 1 : 0), life.stored,
                                  plan->limit); */
    fumata_life_writes(i, life.seen, seen, count);
  }
}

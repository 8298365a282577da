/* Whole lives of a meter, for the prover only: nothing here is compiled into anything.
 *
 * A script says, step by step and in any order, what the program that owns the meter does and what happens to it:
 * reserve, store, answer, close, crash, start. The three rules that such a program keeps (A-STORE) are the three
 * conditions below: it begins once, it starts again from what it stored last, and it asks for an answer only when
 * what it stored is no more than what is left. A crash may come between any two steps; after it
 * nothing is known of the memory the meter was in.
 *
 * Claim:    T-METER-1, T-METER-2 and T-METER-3 for every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "meter.h"

enum { FUMATA_STEP_RESERVE, FUMATA_STEP_STORE, FUMATA_STEP_ANSWER, FUMATA_STEP_CLOSE, FUMATA_STEP_CRASH,
       FUMATA_STEP_START };

/* A step at which the world saw nothing. */
#define FUMATA_NOTHING (-2)

/* What there is besides the world: the program's memory, its store, and our own count. */
typedef struct {
  fumata_meter meter;
  uint32_t alive;    /* the program runs and `meter` means something */
  uint32_t begun;    /* the first start was granted */
  uint32_t stored;   /* the last `left` on disk; all of T before anything is stored */
  uint32_t silences; /* silences the world has seen */
} fumata_life;

/*@
  // `count` is the running count of the silences in a transcript of n entries.
  predicate FumataCounts{L}(int64_t *count, int32_t *seen, integer n) =
    count[0] == 0 &&
    (\forall integer i; 0 <= i < n ==> count[i + 1] == count[i] + (seen[i] == FUMATA_SILENT ? 1 : 0));

  // Nothing, a silence, or the winner of this step's ballot, which was not at distance 0.
  predicate FumataMeterTells(integer seen, integer winner, integer distance) =
    seen == FUMATA_NOTHING || seen == FUMATA_SILENT || (seen == winner && distance >= 1);

  // The invariant of a life: what was seen and what could be taken up again never add up to more than T; nor does
  // what was seen, is reserved and is left.
  predicate FumataLifeIsPaid{L}(fumata_life *life, fumata_meter_plan *plan) =
    life->silences + life->stored <= plan->limit &&
    (life->alive != 0 ==>
       life->begun != 0 && FumataMeterInvariant(&life->meter) && FumataMeterRuns(&life->meter, plan) &&
       life->silences + life->meter.reserved + life->meter.left <= plan->limit);
*/

/* One step; returns what the world sees of it. */
/*@
  requires life:       \valid(life) && FumataLifeIsPaid(life, plan);
  requires plan:       FumataMeterPlanReadable(plan) && \separated(life, plan) && FumataMeterApart(&life->meter, plan);
  requires claim:      \valid_read(claim);

  terminates           \true;
  exits                \false;
  assigns              *life;
  ensures paid:        FumataLifeIsPaid(life, plan);
  ensures begun:       life->begun == \old(life->begun);
  ensures counted:     life->silences == \old(life->silences) + (\result == FUMATA_SILENT ? 1 : 0);
  ensures told:        FumataMeterTells(\result, winner, distance);
  ensures nothing:     life->begun == 0 ==> \result == FUMATA_NOTHING;
*/
static int32_t fumata_life_step(fumata_life *life, const fumata_meter_plan *plan, const fumata_claim *claim,
                                uint8_t step, uint32_t winner, uint32_t distance, uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (step == FUMATA_STEP_CRASH) {
    life->alive = 0;
  } else if (step == FUMATA_STEP_START) {
    if (life->begun) {
      life->alive = fumata_meter_resume(&life->meter, plan, claim, life->stored) == FUMATA_OK;
    }
    /*@ assert paid: FumataLifeIsPaid(life, plan); */
  } else if (life->alive) {
    if (step == FUMATA_STEP_RESERVE) {
      fumata_meter_reserve(&life->meter);
      /*@ assert paid: FumataLifeIsPaid(life, plan); */
    } else if (step == FUMATA_STEP_STORE) {
      life->stored = life->meter.left;
      /*@ assert paid: FumataLifeIsPaid(life, plan); */
    } else if (step == FUMATA_STEP_CLOSE) {
      fumata_meter_close(&life->meter);
      /*@ assert paid: FumataLifeIsPaid(life, plan); */
    } else if (step == FUMATA_STEP_ANSWER && life->stored <= life->meter.left) {
      fumata_meter_answer(&life->meter, &verdict, coin, &seen);
      life->silences += seen == FUMATA_SILENT;
      /*@ assert paid: FumataLifeIsPaid(life, plan); */
    }
  }
  return seen;
}

/*@
  requires plan:       FumataMeterPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, seen, length);
  ensures limit:       count[length] <= plan->limit;
  ensures told:        \forall integer i; 0 <= i < length ==> FumataMeterTells(seen[i], winners[i], distances[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       \old(FumataMeterIsPrivate(plan, claim));
*/
void fumata_history_meter(const fumata_meter_plan *plan, const fumata_claim *claim, uint32_t length,
                          const uint8_t *steps, const uint32_t *winners, const uint32_t *distances,
                          const uint64_t *coins, int32_t *seen, int64_t *count) {
  fumata_life life;
  uint32_t i;

  life.begun = fumata_meter_init(&life.meter, plan, claim) == FUMATA_OK;
  life.alive = life.begun;
  life.stored = plan->limit;
  life.silences = 0;
  count[0] = 0;
  /*@ assert begun: FumataLifeIsPaid(&life, plan); */
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant plan:      plan->silence == \at(plan->silence, Pre) && plan->size == \at(plan->size, Pre) &&
                              plan->limit == \at(plan->limit, Pre);
    loop invariant apart:     FumataMeterPlanReadable(plan) && FumataMeterApart(&life.meter, plan);
    loop invariant ballots:   \forall integer j; 0 <= j < length ==>
                                winners[j] == \at(winners[j], Pre) && distances[j] == \at(distances[j], Pre);
    loop invariant paid:      FumataLifeIsPaid(&life, plan);
    loop invariant certified: life.begun != 0 ==> \at(FumataMeterIsPrivate(plan, claim), Pre);
    loop invariant counted:   FumataCounts(count, seen, i) && count[i] == life.silences;
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataMeterTells(seen[j], \at(winners[j], Pre), \at(distances[j], Pre));
    loop invariant nothing:   life.begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop assigns              i, life, seen[0 .. length - 1], count[1 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    seen[i] = fumata_life_step(&life, plan, claim, steps[i], winners[i], distances[i], coins[i]);
    count[i + 1] = life.silences;
  }
}

/* Whole lives of a budget of silences and answers, for the prover only: nothing here is compiled into anything.
 *
 * The script and its rules are in history.h; both numbers left are stored together.
 *
 * Claim:    T-BUDGET-1, T silences and L answers at most in any interleaving with crashes, and T-METER-2, T-METER-3 and
 *           T-TOLL-3 for every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "budget.h"
#include "history.h"

/* As fumata_life, for both kinds. */
typedef struct {
  uint32_t alive;
  uint32_t begun;
  uint32_t stored_silences;
  uint32_t stored_answers;
  uint32_t silences;
  uint32_t answers;
  int32_t seen;
} fumata_joint;

/* How many of each the world has seen before an entry of a transcript. */
typedef struct {
  int64_t silences;
  int64_t answers;
} fumata_seen;

/*@
  // A step at which the toll answered. (A meter that answers is asked at another step.)
  predicate FumataIsAnswer(integer step, integer seen) = step == FUMATA_STEP_DUEL && seen != FUMATA_NOTHING;

  // Entry i of a transcript is counted.
  predicate FumataCountsOn{L}(fumata_seen *count, uint8_t *steps, int32_t *seen, integer i) =
    count[i + 1].silences == count[i].silences + (seen[i] == FUMATA_SILENT ? 1 : 0) &&
    (FumataIsAnswer(steps[i], seen[i]) ? count[i + 1].answers == count[i].answers + 1
                                       : count[i + 1].answers == count[i].answers);

  // `count` are the running counts of silences and answers in a transcript of n entries.
  predicate FumataCounts{L}(fumata_seen *count, uint8_t *steps, int32_t *seen, integer n) =
    count[0].silences == 0 && count[0].answers == 0 &&
    (\forall integer i; 0 <= i < n ==> FumataCountsOn(count, steps, seen, i));

  // Nothing; of the meter a silence, or the winner, which was not at distance 0; of the toll one of two candidates.
  predicate FumataBudgetTells(integer step, integer seen, integer winner, integer loser, integer distance) =
    seen == FUMATA_NOTHING ||
    (step == FUMATA_STEP_ANSWER && (seen == FUMATA_SILENT || (seen == winner && distance >= 1))) ||
    (step == FUMATA_STEP_DUEL && seen != FUMATA_SILENT && (seen == winner || seen == loser));

  // What was seen and what could be taken up again never add up to more than T and L.
  predicate FumataStoreIsJoint(fumata_joint life, integer silences, integer answers) =
    life.silences + life.stored_silences <= silences && life.answers + life.stored_answers <= answers &&
    (life.begun == 0 ==> life.alive == 0 && life.silences == 0 && life.answers == 0) &&
    (life.begun != 0 ==> silences <= FUMATA_SILENCES_MAX && answers <= FUMATA_ANSWERS_MAX);

  // What was seen, is reserved and is left is no more than that either, while the program runs.
  predicate FumataMeterIsJoint{L}(fumata_meter *meter, fumata_joint life, fumata_meter_plan *plan) =
    life.alive != 0 ==>
      FumataMeterInvariant(meter) && FumataMeterRuns(meter, plan) &&
      life.silences + meter->reserved + meter->left <= plan->limit;

  predicate FumataTollIsJoint{L}(fumata_toll *toll, fumata_joint life, fumata_toll_plan *plan) =
    life.alive != 0 ==>
      FumataTollInvariant(toll) && FumataTollRuns(toll, plan) &&
      life.answers + toll->reserved + toll->left <= plan->limit;
*/

/* One step of a life. */
/*@
  requires machine:    \valid(budget) && FumataMeterIsJoint(&budget->meter, life, &plan->meter) &&
                       FumataTollIsJoint(&budget->toll, life, &plan->toll);
  requires store:      FumataStoreIsJoint(life, plan->meter.limit, plan->toll.limit);
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan);
  requires claim:      \valid_read(claim) && \separated(budget, claim);

  terminates           \true;
  exits                \false;
  assigns              *budget;
  ensures meter:       FumataMeterIsJoint(&budget->meter, \result, &plan->meter);
  ensures toll:        FumataTollIsJoint(&budget->toll, \result, &plan->toll);
  ensures store:       FumataStoreIsJoint(\result, plan->meter.limit, plan->toll.limit);
  ensures limits:      plan->meter.limit == \old(plan->meter.limit) && plan->toll.limit == \old(plan->toll.limit);
  ensures begun:       \result.begun == life.begun;
  ensures silences:    \result.silences == life.silences + (\result.seen == FUMATA_SILENT ? 1 : 0);
  ensures answers:     FumataIsAnswer(step, \result.seen) ? \result.answers == life.answers + 1
                                                          : \result.answers == life.answers;
  ensures told:        FumataBudgetTells(step, \result.seen, winner, loser, distance);
  ensures nothing:     life.begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_joint fumata_joint_step(fumata_budget *budget, fumata_joint life, const fumata_budget_plan *plan,
                                      const fumata_claim *claim, uint8_t step, uint32_t number, uint32_t winner,
                                      uint32_t loser, uint32_t distance, uint64_t coin) {
  fumata_verdict verdict;
  fumata_duel duel;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  duel.winner = winner;
  duel.loser = loser;
  duel.distance = distance;
  if (step == FUMATA_STEP_CRASH) {
    life.alive = 0;
  } else if (step == FUMATA_STEP_START) {
    if (life.begun) {
      life.alive = fumata_budget_resume(budget, plan, claim, life.stored_silences, life.stored_answers) == FUMATA_OK;
    }
    /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
    /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
  } else if (life.alive) {
    if (step == FUMATA_STEP_RESERVE) {
      fumata_meter_reserve(&budget->meter, number);
      /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
      /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
    } else if (step == FUMATA_STEP_PAY) {
      fumata_toll_reserve(&budget->toll, number);
      /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
      /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
    } else if (step == FUMATA_STEP_STORE) {
      life.stored_silences = budget->meter.left;
      life.stored_answers = budget->toll.left;
    } else if (step == FUMATA_STEP_CLOSE) {
      fumata_meter_close(&budget->meter);
      /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
      /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
      fumata_toll_close(&budget->toll);
      /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
      /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
    } else if (step == FUMATA_STEP_ANSWER && life.stored_silences <= budget->meter.left) {
      fumata_meter_answer(&budget->meter, &verdict, coin, &seen);
      life.silences += seen == FUMATA_SILENT;
      /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
      /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
    } else if (step == FUMATA_STEP_DUEL && life.stored_answers <= budget->toll.left) {
      fumata_toll_answer(&budget->toll, &duel, coin, &seen);
      life.answers += seen != FUMATA_NOTHING;
      /*@ assert meter: FumataMeterIsJoint(&budget->meter, life, &plan->meter); */
      /*@ assert toll: FumataTollIsJoint(&budget->toll, life, &plan->toll); */
    }
  }
  /*@ assert store: FumataStoreIsJoint(life, plan->meter.limit, plan->toll.limit); */
  life.seen = seen;
  return life;
}

/*@
  requires plan:       FumataBudgetPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(losers + (0 .. length - 1)) &&
                       \valid_read(distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, steps, seen, length);
  ensures silences:    count[length].silences <= plan->meter.limit;
  ensures answers:     count[length].answers <= plan->toll.limit;
  ensures told:        \forall integer i; 0 <= i < length ==>
                         FumataBudgetTells(steps[i], seen[i], winners[i], losers[i], distances[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       FumataBudgetIsCertified{Pre}(plan, claim);
*/
void fumata_history_budget(const fumata_budget_plan *plan, const fumata_claim *claim, uint32_t length,
                           const uint8_t *steps, const uint32_t *numbers, const uint32_t *winners,
                           const uint32_t *losers, const uint32_t *distances, const uint64_t *coins, int32_t *seen,
                           fumata_seen *count) {
  fumata_budget budget;
  fumata_joint life;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&budget, winners + j); */
  /*@ assert losers:    \forall integer j; 0 <= j < length ==> \separated(&budget, losers + j); */
  /*@ assert distances: \forall integer j; 0 <= j < length ==> \separated(&budget, distances + j); */
  life.begun = fumata_budget_init(&budget, plan, claim) == FUMATA_OK;
  life.alive = life.begun;
  life.stored_silences = plan->meter.limit;
  life.stored_answers = plan->toll.limit;
  life.silences = 0;
  life.answers = 0;
  life.seen = FUMATA_NOTHING;
  /*@ assert meter: FumataMeterIsJoint(&budget.meter, life, &plan->meter); */
  /*@ assert toll: FumataTollIsJoint(&budget.toll, life, &plan->toll); */
  /*@ assert store: FumataStoreIsJoint(life, plan->meter.limit, plan->toll.limit); */
  count[0].silences = 0;
  count[0].answers = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant limits:    plan->meter.limit == \at(plan->meter.limit, Pre) &&
                              plan->toll.limit == \at(plan->toll.limit, Pre);
    loop invariant silence:   plan->meter.silence == \at(plan->meter.silence, Pre) &&
                              plan->meter.size == \at(plan->meter.size, Pre);
    loop invariant named:     plan->toll.named == \at(plan->toll.named, Pre) &&
                              plan->toll.size == \at(plan->toll.size, Pre);
    loop invariant readable:  FumataBudgetPlanReadable(plan);
    loop invariant apart:     FumataBudgetApart(&budget, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant losers:    \forall integer j; 0 <= j < length ==> losers[j] == \at(losers[j], Pre);
    loop invariant distances: \forall integer j; 0 <= j < length ==> distances[j] == \at(distances[j], Pre);
    loop invariant meter:     FumataMeterIsJoint(&budget.meter, life, &plan->meter);
    loop invariant toll:      FumataTollIsJoint(&budget.toll, life, &plan->toll);
    loop invariant store:     FumataStoreIsJoint(life, plan->meter.limit, plan->toll.limit);
    loop invariant certified: life.begun != 0 ==> FumataBudgetIsCertified{Pre}(plan, claim);
    loop invariant counted:   FumataCounts(count, steps, seen, i);
    loop invariant now:       count[i].silences == life.silences && count[i].answers == life.answers;
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataBudgetTells(steps[j], seen[j], \at(winners[j], Pre), \at(losers[j], Pre),
                                                  \at(distances[j], Pre));
    loop invariant nothing:   life.begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop assigns              i, life, budget, seen[0 .. length - 1], count[1 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    life = fumata_joint_step(&budget, life, plan, claim, steps[i], numbers[i], winners[i], losers[i], distances[i],
                             coins[i]);
    /*@ assert past:   FumataCounts(count, steps, seen, i); */
    /*@ assert before: count[i].silences == life.silences - (life.seen == FUMATA_SILENT ? 1 : 0); */
    /*@ assert tells:  FumataBudgetTells(steps[i], life.seen, \at(winners[\at(i, Here)], Pre),
                                         \at(losers[\at(i, Here)], Pre), \at(distances[\at(i, Here)], Pre)); */
    seen[i] = life.seen;
    count[i + 1].silences = life.silences;
    count[i + 1].answers = life.answers;
    /*@ assert told_past: \forall integer j; 0 <= j < i ==>
                            FumataBudgetTells(steps[j], seen[j], \at(winners[j], Pre), \at(losers[j], Pre),
                                              \at(distances[j], Pre)); */
    /*@ assert past_each: \forall integer j; 0 <= j < i ==>
                            \at(FumataCountsOn(count, steps, seen, j), LoopCurrent) &&
                            FumataCountsOn(count, steps, seen, j); */
    /*@ assert first: count[0].silences == 0 && count[0].answers == 0; */
    /*@ assert now:   FumataCountsOn(count, steps, seen, i); */
  }
}

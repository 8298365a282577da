/* Whole lives of a budget of silences and answers, for the prover only: nothing here is compiled into anything.
 *
 * The script and its rules are in history.h; both numbers left are stored together.
 *
 * Claim:    T-BUDGET-1, T silences and L answers at most in any interleaving with crashes, and T-METER-2, T-METER-3 and
 *           T-TOLL-3 for every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "budget.h"
#include "history.h"

/* As fumata_life, for both kinds; the limits stay what they are. */
typedef struct {
  uint32_t alive;
  uint32_t begun;
  uint32_t silences_limit;
  uint32_t answers_limit;
  uint32_t stored_silences;
  uint32_t stored_answers;
  uint32_t silences;
  uint32_t answers;
  int32_t seen;
} fumata_joint;

/*@
  // Entry i of a transcript is of the kind that is counted: a silence, or an answer of the toll.
  predicate FumataIsCounted(integer kind, integer step, integer seen) =
    kind == 0 ? seen == FUMATA_SILENT : step == FUMATA_STEP_DUEL && seen != FUMATA_NOTHING;

  predicate FumataCountsOn{L}(int64_t *count, integer kind, uint8_t *steps, int32_t *seen, integer i) =
    FumataIsCounted(kind, steps[i], seen[i]) ? count[i + 1] == count[i] + 1 : count[i + 1] == count[i];

  // `count` is the running count of this kind in a transcript of n entries.
  predicate FumataCounts{L}(int64_t *count, integer kind, uint8_t *steps, int32_t *seen, integer n) =
    count[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsOn(count, kind, steps, seen, i));

  // Nothing; of the meter a silence, or the winner, which was not at distance 0; of the toll one of two candidates.
  predicate FumataBudgetTells(integer step, integer seen, integer winner, integer loser, integer distance) =
    seen == FUMATA_NOTHING ||
    (step == FUMATA_STEP_ANSWER && (seen == FUMATA_SILENT || (seen == winner && distance >= 1))) ||
    (step == FUMATA_STEP_DUEL && seen != FUMATA_SILENT && (seen == winner || seen == loser));

  // What was seen and what could be taken up again never add up to more than T and L.
  predicate FumataStoreIsJoint(fumata_joint life) =
    life.silences + life.stored_silences <= life.silences_limit &&
    life.answers + life.stored_answers <= life.answers_limit &&
    (life.begun == 0 ==> life.alive == 0 && life.silences == 0 && life.answers == 0) &&
    (life.begun != 0 ==> life.silences_limit <= FUMATA_SILENCES_MAX && life.answers_limit <= FUMATA_ANSWERS_MAX);

  // What was seen, is reserved and is left is no more than that either, while the program runs.
  predicate FumataMeterIsJoint{L}(fumata_meter *meter, fumata_joint life) =
    life.alive != 0 ==>
      FumataMeterInvariant(meter) && meter->plan.limit == life.silences_limit &&
      life.silences + meter->reserved + meter->left <= life.silences_limit;

  predicate FumataTollIsJoint{L}(fumata_toll *toll, fumata_joint life) =
    life.alive != 0 ==>
      FumataTollInvariant(toll) && toll->plan.limit == life.answers_limit &&
      life.answers + toll->reserved + toll->left <= life.answers_limit;

  // The tables of the machines lie outside both.
  predicate FumataTablesApart{L}(fumata_budget *budget, fumata_joint life) =
    life.alive != 0 ==>
      \separated(budget, budget->meter.plan.silence + (0 .. budget->meter.plan.size - 1)) &&
      \separated(budget, budget->toll.plan.named + (0 .. budget->toll.plan.size - 1));

  predicate FumataIsJoint{L}(fumata_budget *budget, fumata_joint life) =
    \valid(budget) && FumataMeterIsJoint(&budget->meter, life) && FumataTollIsJoint(&budget->toll, life) &&
    FumataTablesApart(budget, life) && FumataStoreIsJoint(life);

  // The same life: begun once, of the same limits.
  predicate FumataSameLife(fumata_joint before, fumata_joint after) =
    after.begun == before.begun && after.silences_limit == before.silences_limit &&
    after.answers_limit == before.answers_limit;

  // A step at which the world saw nothing.
  predicate FumataQuietStep(fumata_joint before, fumata_joint after) =
    FumataSameLife(before, after) && after.silences == before.silences && after.answers == before.answers &&
    after.seen == FUMATA_NOTHING;

  // The plan of a life.
  predicate FumataJointPlan{L}(fumata_budget_plan *plan, fumata_joint life) =
    plan->meter.limit == life.silences_limit && plan->toll.limit == life.answers_limit;
*/

/*@
  requires joint:      FumataIsJoint(budget, life) && life.seen == FUMATA_NOTHING;
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan) && FumataJointPlan(plan, life);
  requires claim:      \valid_read(claim) && \separated(budget, claim);
  terminates           \true;
  exits                \false;
  assigns              *budget;
  ensures joint:       FumataIsJoint(budget, \result);
  ensures quiet:       FumataQuietStep(life, \result);
*/
static fumata_joint fumata_joint_start(fumata_budget *budget, fumata_joint life, const fumata_budget_plan *plan,
                                       const fumata_claim *claim) {
  if (life.begun) {
    life.alive = fumata_budget_resume(budget, plan, claim, life.stored_silences, life.stored_answers) == FUMATA_OK;
    /*@ assert limits: life.alive != 0 ==> budget->meter.plan.limit == life.silences_limit &&
                       budget->toll.plan.limit == life.answers_limit; */
    /*@ assert meter:  FumataMeterIsJoint(&budget->meter, life); */
    /*@ assert toll:   FumataTollIsJoint(&budget->toll, life); */
    /*@ assert apart:  FumataTablesApart(budget, life); */
  }
  return life;
}

/* Reserve silences, or answers. */
/*@
  requires joint:      FumataIsJoint(budget, life) && life.alive != 0 && life.seen == FUMATA_NOTHING;
  terminates           \true;
  exits                \false;
  assigns              budget->meter.left, budget->meter.reserved, budget->toll.left, budget->toll.reserved;
  ensures joint:       FumataIsJoint(budget, life);
*/
static void fumata_joint_reserve(fumata_budget *budget, fumata_joint life, uint8_t step, uint32_t number) {
  if (step == FUMATA_STEP_RESERVE) {
    fumata_meter_reserve(&budget->meter, number);
    /*@ assert meter: FumataMeterIsJoint(&budget->meter, life); */
    /*@ assert toll:  FumataTollIsJoint(&budget->toll, life); */
  } else if (step == FUMATA_STEP_PAY) {
    fumata_toll_reserve(&budget->toll, number);
    /*@ assert meter: FumataMeterIsJoint(&budget->meter, life); */
    /*@ assert toll:  FumataTollIsJoint(&budget->toll, life); */
  }
}

/*@
  requires joint:      FumataIsJoint(budget, life) && life.alive != 0 && life.seen == FUMATA_NOTHING;
  terminates           \true;
  exits                \false;
  assigns              budget->meter.left, budget->meter.reserved, budget->toll.left, budget->toll.reserved;
  ensures joint:       FumataIsJoint(budget, life);
*/
static void fumata_joint_close(fumata_budget *budget, fumata_joint life) {
  fumata_meter_close(&budget->meter);
  /*@ assert meter: FumataMeterIsJoint(&budget->meter, life); */
  /*@ assert toll:  FumataTollIsJoint(&budget->toll, life); */
  fumata_toll_close(&budget->toll);
  /*@ assert meter: FumataMeterIsJoint(&budget->meter, life); */
  /*@ assert toll:  FumataTollIsJoint(&budget->toll, life); */
}

/* Ask the meter, if what is stored allows it. */
/*@
  requires joint:      FumataIsJoint(budget, life) && life.alive != 0 && life.seen == FUMATA_NOTHING;
  terminates           \true;
  exits                \false;
  assigns              budget->meter.reserved;
  ensures joint:       FumataIsJoint(budget, \result);
  ensures same:        FumataSameLife(life, \result);
  ensures silences:    \result.silences == life.silences + (\result.seen == FUMATA_SILENT ? 1 : 0);
  ensures answers:     \result.answers == life.answers;
  ensures told:        \result.seen == FUMATA_NOTHING || \result.seen == FUMATA_SILENT ||
                       (\result.seen == winner && distance >= 1);
*/
static fumata_joint fumata_joint_answer(fumata_budget *budget, fumata_joint life, uint32_t winner, uint32_t distance,
                                        uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (life.stored_silences <= budget->meter.left) {
    fumata_meter_answer(&budget->meter, &verdict, coin, &seen);
    life.silences += seen == FUMATA_SILENT;
    life.seen = seen;
    /*@ assert meter: FumataMeterIsJoint(&budget->meter, life); */
    /*@ assert toll:  FumataTollIsJoint(&budget->toll, life); */
  }
  return life;
}

/* Ask the toll, if what is stored allows it. */
/*@
  requires joint:      FumataIsJoint(budget, life) && life.alive != 0 && life.seen == FUMATA_NOTHING;
  terminates           \true;
  exits                \false;
  assigns              budget->toll.reserved;
  ensures joint:       FumataIsJoint(budget, \result);
  ensures same:        FumataSameLife(life, \result);
  ensures silences:    \result.silences == life.silences;
  ensures answers:     \result.answers == life.answers + (\result.seen != FUMATA_NOTHING ? 1 : 0);
  ensures told:        \result.seen == FUMATA_NOTHING ||
                       (\result.seen != FUMATA_SILENT && (\result.seen == winner || \result.seen == loser));
*/
static fumata_joint fumata_joint_duel(fumata_budget *budget, fumata_joint life, uint32_t winner, uint32_t loser,
                                      uint32_t distance, uint64_t coin) {
  fumata_duel duel;
  int32_t seen = FUMATA_NOTHING;

  duel.winner = winner;
  duel.loser = loser;
  duel.distance = distance;
  if (life.stored_answers <= budget->toll.left) {
    fumata_toll_answer(&budget->toll, &duel, coin, &seen);
    life.answers += seen != FUMATA_NOTHING;
    life.seen = seen;
    /*@ assert meter: FumataMeterIsJoint(&budget->meter, life); */
    /*@ assert toll:  FumataTollIsJoint(&budget->toll, life); */
  }
  return life;
}

/* One step of a life. */
/*@
  requires joint:      FumataIsJoint(budget, life);
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan) && FumataJointPlan(plan, life);
  requires claim:      \valid_read(claim) && \separated(budget, claim);

  terminates           \true;
  exits                \false;
  assigns              *budget;
  ensures joint:       FumataIsJoint(budget, \result);
  ensures same:        FumataSameLife(life, \result);
  ensures silences:    FumataIsCounted(0, step, \result.seen) ? \result.silences == life.silences + 1
                                                              : \result.silences == life.silences;
  ensures answers:     FumataIsCounted(1, step, \result.seen) ? \result.answers == life.answers + 1
                                                              : \result.answers == life.answers;
  ensures told:        FumataBudgetTells(step, \result.seen, winner, loser, distance);
  ensures nothing:     life.begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_joint fumata_joint_step(fumata_budget *budget, fumata_joint life, const fumata_budget_plan *plan,
                                      const fumata_claim *claim, uint8_t step, uint32_t number, uint32_t winner,
                                      uint32_t loser, uint32_t distance, uint64_t coin) {
  life.seen = FUMATA_NOTHING;
  if (step == FUMATA_STEP_CRASH) {
    life.alive = 0;
    return life;
  }
  if (step == FUMATA_STEP_START) {
    return fumata_joint_start(budget, life, plan, claim);
  }
  if (!life.alive) {
    return life;
  }
  if (step == FUMATA_STEP_ANSWER) {
    return fumata_joint_answer(budget, life, winner, distance, coin);
  }
  if (step == FUMATA_STEP_DUEL) {
    return fumata_joint_duel(budget, life, winner, loser, distance, coin);
  }
  if (step == FUMATA_STEP_CLOSE) {
    fumata_joint_close(budget, life);
    return life;
  }
  if (step == FUMATA_STEP_STORE) {
    life.stored_silences = budget->meter.left;
    life.stored_answers = budget->toll.left;
    return life;
  }
  fumata_joint_reserve(budget, life, step, number);
  return life;
}

/* The first start. */
/*@
  requires state:      \valid(budget);
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan);
  requires claim:      \valid_read(claim) && \separated(budget, claim);
  terminates           \true;
  exits                \false;
  assigns              *budget;
  ensures joint:       FumataIsJoint(budget, \result) && FumataJointPlan(plan, \result);
  ensures none:        \result.silences == 0 && \result.answers == 0;
  ensures certified:   \result.begun != 0 <==> FumataBudgetIsCertified{Pre}(plan, claim);
*/
static fumata_joint fumata_joint_begin(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim) {
  fumata_joint life;

  life.begun = 0;
  if (fumata_budget_init(budget, plan, claim) == FUMATA_OK) {
    life.begun = 1;
    /*@ assert state:  FumataMeterInvariant(&budget->meter) && FumataTollInvariant(&budget->toll); */
    /*@ assert meter:  budget->meter.plan.limit == plan->meter.limit && budget->meter.left == plan->meter.limit &&
                       budget->meter.reserved == 0; */
    /*@ assert toll:   budget->toll.plan.limit == plan->toll.limit && budget->toll.left == plan->toll.limit &&
                       budget->toll.reserved == 0; */
    /*@ assert limits: plan->meter.limit <= FUMATA_SILENCES_MAX && plan->toll.limit <= FUMATA_ANSWERS_MAX; */
  }
  life.alive = life.begun;
  life.silences_limit = plan->meter.limit;
  life.answers_limit = plan->toll.limit;
  life.stored_silences = plan->meter.limit;
  life.stored_answers = plan->toll.limit;
  life.silences = 0;
  life.answers = 0;
  life.seen = FUMATA_NOTHING;
  /*@ assert meter:  FumataMeterIsJoint(&budget->meter, life); */
  /*@ assert toll:   FumataTollIsJoint(&budget->toll, life); */
  /*@ assert apart:  FumataTablesApart(budget, life); */
  /*@ assert store:  FumataStoreIsJoint(life); */
  return life;
}

/* All that follows it. `kind` says what is counted: 0 for silences, 1 for answers. */
/*@
  requires joint:      FumataIsJoint(budget, life) && life.silences == 0 && life.answers == 0;
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan) && FumataJointPlan(plan, life);
  requires claim:      \valid_read(claim) && \separated(budget, claim);
  requires kind:       kind <= 1;
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(losers + (0 .. length - 1)) &&
                       \valid_read(distances + (0 .. length - 1));
  requires apart:      \separated(budget, winners + (0 .. length - 1)) &&
                       \separated(budget, losers + (0 .. length - 1)) &&
                       \separated(budget, distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              *budget, seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, kind, steps, seen, length);
  ensures limit:       count[length] <= (kind == 0 ? life.silences_limit : life.answers_limit);
  ensures told:        \forall integer i; 0 <= i < length ==>
                         FumataBudgetTells(steps[i], seen[i], winners[i], losers[i], distances[i]);
  ensures nothing:     life.begun == 0 ==> \forall integer i; 0 <= i < length ==> seen[i] == FUMATA_NOTHING;
*/
static void fumata_joint_live(fumata_budget *budget, fumata_joint life, const fumata_budget_plan *plan,
                              const fumata_claim *claim, uint8_t kind, uint32_t length, const uint8_t *steps,
                              const uint32_t *numbers, const uint32_t *winners, const uint32_t *losers,
                              const uint32_t *distances, const uint64_t *coins, int32_t *seen, int64_t *count) {
  uint32_t i;

  count[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant same:      FumataSameLife(\at(life, Pre), life);
    loop invariant limits:    plan->meter.limit == \at(plan->meter.limit, Pre) &&
                              plan->toll.limit == \at(plan->toll.limit, Pre) && FumataJointPlan(plan, life);
    loop invariant silence:   plan->meter.silence == \at(plan->meter.silence, Pre) &&
                              plan->meter.size == \at(plan->meter.size, Pre);
    loop invariant named:     plan->toll.named == \at(plan->toll.named, Pre) &&
                              plan->toll.size == \at(plan->toll.size, Pre);
    loop invariant readable:  FumataBudgetPlanReadable(plan);
    loop invariant apart:     FumataBudgetApart(budget, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant losers:    \forall integer j; 0 <= j < length ==> losers[j] == \at(losers[j], Pre);
    loop invariant distances: \forall integer j; 0 <= j < length ==> distances[j] == \at(distances[j], Pre);
    loop invariant joint:     FumataIsJoint(budget, life);
    loop invariant counted:   FumataCounts(count, kind, steps, seen, i);
    loop invariant now:       count[i] == (kind == 0 ? life.silences : life.answers);
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataBudgetTells(steps[j], seen[j], \at(winners[j], Pre), \at(losers[j], Pre),
                                                  \at(distances[j], Pre));
    loop invariant nothing:   life.begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop assigns              i, life, *budget, seen[0 .. length - 1], count[1 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    life = fumata_joint_step(budget, life, plan, claim, steps[i], numbers[i], winners[i], losers[i], distances[i],
                             coins[i]);
    /*@ assert past:   FumataCounts(count, kind, steps, seen, i); */
    /*@ assert kinds:  FumataIsCounted(kind, steps[i], life.seen)
                         ? (kind == 0 ? life.silences : life.answers) == count[i] + 1
                         : (kind == 0 ? life.silences : life.answers) == count[i]; */
    /*@ assert tells:  FumataBudgetTells(steps[i], life.seen, \at(winners[\at(i, Here)], Pre),
                                         \at(losers[\at(i, Here)], Pre), \at(distances[\at(i, Here)], Pre)); */
    seen[i] = life.seen;
    count[i + 1] = kind == 0 ? life.silences : life.answers;
    /*@ assert told_past: \forall integer j; 0 <= j < i ==>
                            FumataBudgetTells(steps[j], seen[j], \at(winners[j], Pre), \at(losers[j], Pre),
                                              \at(distances[j], Pre)); */
    /*@ assert past_each: \forall integer j; 0 <= j < i ==>
                            \at(FumataCountsOn(count, kind, steps, seen, j), LoopCurrent) &&
                            FumataCountsOn(count, kind, steps, seen, j); */
    /*@ assert first: count[0] == 0; */
    /*@ assert now:   FumataCountsOn(count, kind, steps, seen, i); */
  }
}

/* A whole life; `budget` is the memory that the program gives its machines, and nothing is known of it before. */
/*@
  requires state:      \valid(budget);
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan);
  requires claim:      \valid_read(claim) && \separated(budget, claim);
  requires kind:       kind <= 1;
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(losers + (0 .. length - 1)) &&
                       \valid_read(distances + (0 .. length - 1));
  requires apart:      \separated(budget, winners + (0 .. length - 1)) &&
                       \separated(budget, losers + (0 .. length - 1)) &&
                       \separated(budget, distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(count + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              *budget, seen[0 .. length - 1], count[0 .. length];
  ensures counted:     FumataCounts(count, kind, steps, seen, length);
  ensures limit:       count[length] <= (kind == 0 ? \old(plan->meter.limit) : \old(plan->toll.limit));
  ensures told:        \forall integer i; 0 <= i < length ==>
                         FumataBudgetTells(steps[i], seen[i], winners[i], losers[i], distances[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       FumataBudgetIsCertified{Pre}(plan, claim);
*/
void fumata_history_budget(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim,
                           uint8_t kind, uint32_t length, const uint8_t *steps, const uint32_t *numbers,
                           const uint32_t *winners, const uint32_t *losers, const uint32_t *distances,
                           const uint64_t *coins, int32_t *seen, int64_t *count) {
  fumata_joint life = fumata_joint_begin(budget, plan, claim);

  /*@ assert limits: life.silences_limit == \at(plan->meter.limit, Pre) &&
                     life.answers_limit == \at(plan->toll.limit, Pre); */
  fumata_joint_live(budget, life, plan, claim, kind, length, steps, numbers, winners, losers, distances, coins, seen,
                    count);
}

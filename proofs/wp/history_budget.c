/* Whole lives of a budget, both kinds in one life, for the prover only: nothing here is compiled into anything.
 *
 * The script and its rules are in history.h. Reservations, answers and closes say which of the two machines is meant;
 * a start, a crash and a store are of both.
 *
 * Claim:    T-BUDGET-2: T-METER-1 to T-METER-3, T-TOLL-1 and T-TOLL-3 for every transcript of both kinds.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "budget.h"
#include "history.h"

/* Which machine a step is for; any other number is the toll's. */
#define FUMATA_KIND_METER 0

/* What a step returns: history.h's life of both kinds. What the world has seen so far is in the counts. */
typedef struct {
  uint32_t alive;
  uint32_t silences; /* the meter's `left` on disk */
  uint32_t answers;  /* the toll's */
  int32_t seen;
} fumata_joint;

/*@
  // How many answers of the toll an entry is.
  logic integer FumataAnswersIn(integer kind, integer seen) =
    kind != FUMATA_KIND_METER && seen != FUMATA_NOTHING ? 1 : 0;

  // Entry i of a transcript is counted if it is a silence.
  predicate FumataCountsSilence{L}(int64_t *count, int32_t *seen, integer i) =
    count[i + 1] == count[i] + (seen[i] == FUMATA_SILENT ? 1 : 0);

  // Entry i of a transcript is counted if the toll gave it.
  predicate FumataCountsAnswer{L}(int64_t *count, uint8_t *kinds, int32_t *seen, integer i) =
    count[i + 1] == count[i] + FumataAnswersIn(kinds[i], seen[i]);

  // `count` is the running count of the silences in a transcript of n entries.
  predicate FumataCountsSilences{L}(int64_t *count, int32_t *seen, integer n) =
    count[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsSilence(count, seen, i));

  // `count` is the running count of the answers in a transcript of n entries.
  predicate FumataCountsAnswers{L}(int64_t *count, uint8_t *kinds, int32_t *seen, integer n) =
    count[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsAnswer(count, kinds, seen, i));

  // Nothing; of the meter a silence or the winner of this step's ballot, which was not at distance 0; of the toll one
  // of the two candidates.
  predicate FumataTells(integer kind, integer seen, integer winner, integer loser, integer distance) =
    seen == FUMATA_NOTHING ||
    (kind == FUMATA_KIND_METER ? seen == FUMATA_SILENT || (seen == winner && distance >= 1)
                               : seen == winner || seen == loser);

  // What was seen and what could be taken up again never add up to more than T, nor, while the program runs, do what
  // was seen, is reserved and is left.
  predicate FumataSilencesArePaid{L}(fumata_meter *meter, integer alive, integer spent, integer stored, integer limit) =
    0 <= spent && spent + stored <= limit &&
    (alive != 0 ==> FumataMeterInvariant(meter) && spent + meter->reserved + meter->left <= limit);

  // The same of answers and L.
  predicate FumataAnswersArePaid{L}(fumata_toll *toll, integer alive, integer spent, integer stored, integer limit) =
    0 <= spent && spent + stored <= limit &&
    (alive != 0 ==> FumataTollInvariant(toll) && spent + toll->reserved + toll->left <= limit);

  // The machine that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataBudgetIsOf{L}(fumata_budget *budget, integer alive, fumata_budget_plan *plan) =
    alive != 0 ==> FumataBudgetRuns(budget, plan);

  // Nobody writes into the plan.
  predicate FumataPlanStays{K, L}(fumata_budget_plan *plan) =
    \at(plan->meter.silence, K) == \at(plan->meter.silence, L) &&
    \at(plan->meter.size, K) == \at(plan->meter.size, L) &&
    \at(plan->meter.limit, K) == \at(plan->meter.limit, L) &&
    \at(plan->toll.named, K) == \at(plan->toll.named, L) && \at(plan->toll.size, K) == \at(plan->toll.size, L) &&
    \at(plan->toll.limit, K) == \at(plan->toll.limit, L);
*/

/* The program starts again from what it stored last, or crashes, or goes on. */
/*@
  requires budget:     \valid(budget);
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan);
  requires claim:      \valid_read(claim) && \separated(budget, claim);
  requires silences:   FumataSilencesArePaid(&budget->meter, alive, silences, silences_stored, plan->meter.limit);
  requires answers:    FumataAnswersArePaid(&budget->toll, alive, answers, answers_stored, plan->toll.limit);
  requires running:    FumataBudgetIsOf(budget, alive, plan);
  requires begun:      alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *budget;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures silences:    FumataSilencesArePaid(&budget->meter, \result, silences, silences_stored, plan->meter.limit);
  ensures answers:     FumataAnswersArePaid(&budget->toll, \result, answers, answers_stored, plan->toll.limit);
  ensures running:     FumataBudgetIsOf(budget, \result, plan);
  ensures begun:       \result != 0 ==> begun != 0;
*/
static uint32_t fumata_life_starts(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim,
                                   uint8_t step, uint32_t begun, uint32_t alive, uint32_t silences,
                                   uint32_t silences_stored, uint32_t answers, uint32_t answers_stored) {
  if (step == FUMATA_STEP_CRASH) {
    return 0;
  }
  if (step != FUMATA_STEP_START || !begun) {
    return alive;
  }
  alive = fumata_budget_resume(budget, plan, claim, silences_stored, answers_stored) == FUMATA_OK;
  /*@ assert limits:   plan->meter.limit == \at(plan->meter.limit, Pre) &&
                       plan->toll.limit == \at(plan->toll.limit, Pre); */
  /*@ assert sizes:    plan->meter.size == \at(plan->meter.size, Pre) &&
                       plan->toll.size == \at(plan->toll.size, Pre); */
  /*@ assert meter:    alive != 0 ==> FumataMeterInvariant(&budget->meter) && budget->meter.left == silences_stored &&
                                      budget->meter.reserved == 0; */
  /*@ assert toll:     alive != 0 ==> FumataTollInvariant(&budget->toll) && budget->toll.left == answers_stored &&
                                      budget->toll.reserved == 0; */
  /*@ assert silences: FumataSilencesArePaid(&budget->meter, alive, silences, silences_stored, plan->meter.limit); */
  /*@ assert answers:  FumataAnswersArePaid(&budget->toll, alive, answers, answers_stored, plan->toll.limit); */
  return alive;
}

/* One step of the meter while the program runs: what the world sees of it. */
/*@
  requires meter:      \valid(meter);
  requires paid:       FumataSilencesArePaid(meter, 1, spent, stored, limit);

  terminates           \true;
  exits                \false;
  assigns              meter->left, meter->reserved;
  ensures paid:        FumataSilencesArePaid(meter, 1, spent + (\result == FUMATA_SILENT ? 1 : 0), stored, limit);
  ensures told:        FumataTells(FUMATA_KIND_METER, \result, winner, 0, distance);
*/
static int32_t fumata_life_meter(fumata_meter *meter, uint32_t spent, uint32_t stored, uint32_t limit, uint8_t step,
                                 uint32_t number, uint32_t winner, uint32_t distance, uint64_t coin) {
  fumata_verdict verdict;
  int32_t seen = FUMATA_NOTHING;

  verdict.winner = winner;
  verdict.distance = distance;
  if (step == FUMATA_STEP_RESERVE) {
    fumata_meter_reserve(meter, number);
    /*@ assert reserved: FumataSilencesArePaid(meter, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_CLOSE) {
    fumata_meter_close(meter);
    /*@ assert closed: FumataSilencesArePaid(meter, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_ANSWER && stored <= meter->left) {
    fumata_meter_answer(meter, &verdict, coin, &seen);
    /*@ assert sum: spent + (seen == FUMATA_SILENT ? 1 : 0) + meter->reserved + meter->left <= limit; */
    /*@ assert answered: FumataSilencesArePaid(meter, 1, spent + (seen == FUMATA_SILENT ? 1 : 0), stored, limit); */
  }
  return seen;
}

/* The same beside the toll, which does not notice. */
/*@
  requires budget:     \valid(budget);
  requires plan:       \valid_read(plan) && \separated(budget, plan);
  requires running:    FumataBudgetIsOf(budget, 1, plan);
  requires paid:       FumataSilencesArePaid(&budget->meter, 1, spent, stored, plan->meter.limit);
  requires toll:       FumataTollInvariant(&budget->toll);

  terminates           \true;
  exits                \false;
  assigns              budget->meter.left, budget->meter.reserved;
  ensures paid:        FumataSilencesArePaid(&budget->meter, 1, spent + (\result == FUMATA_SILENT ? 1 : 0), stored,
                                             plan->meter.limit);
  ensures toll:        FumataTollInvariant(&budget->toll);
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures running:     FumataBudgetIsOf(budget, 1, plan);
  ensures told:        FumataTells(FUMATA_KIND_METER, \result, winner, 0, distance);
*/
static int32_t fumata_life_beside_toll(fumata_budget *budget, const fumata_budget_plan *plan, uint32_t spent,
                                       uint32_t stored, uint8_t step, uint32_t number, uint32_t winner,
                                       uint32_t distance, uint64_t coin) {
  int32_t seen =
      fumata_life_meter(&budget->meter, spent, stored, plan->meter.limit, step, number, winner, distance, coin);

  /*@ assert limits: plan->meter.limit == \at(plan->meter.limit, Pre) &&
                     plan->toll.limit == \at(plan->toll.limit, Pre); */
  /*@ assert sizes:  plan->meter.size == \at(plan->meter.size, Pre) &&
                     plan->toll.size == \at(plan->toll.size, Pre); */
  /*@ assert size:   budget->toll.plan.size == \at(budget->toll.plan.size, Pre); */
  /*@ assert limit:  budget->toll.plan.limit == \at(budget->toll.plan.limit, Pre); */
  /*@ assert left:   budget->toll.left == \at(budget->toll.left, Pre) &&
                     budget->toll.reserved == \at(budget->toll.reserved, Pre); */
  /*@ assert table:  FumataNamedTable(budget->toll.plan.named, budget->toll.plan.size); */
  return seen;
}

/* One step of the toll while the program runs: what the world sees of it. */
/*@
  requires toll:       \valid(toll);
  requires paid:       FumataAnswersArePaid(toll, 1, spent, stored, limit);

  terminates           \true;
  exits                \false;
  assigns              toll->left, toll->reserved;
  ensures paid:        FumataAnswersArePaid(toll, 1, spent + (\result != FUMATA_NOTHING ? 1 : 0), stored, limit);
  ensures told:        FumataTells(1, \result, winner, loser, distance);
*/
static int32_t fumata_life_toll(fumata_toll *toll, uint32_t spent, uint32_t stored, uint32_t limit, uint8_t step,
                                uint32_t number, uint32_t winner, uint32_t loser, uint32_t distance, uint64_t coin) {
  fumata_duel duel;
  int32_t seen = FUMATA_NOTHING;

  duel.winner = winner;
  duel.loser = loser;
  duel.distance = distance;
  if (step == FUMATA_STEP_RESERVE) {
    fumata_toll_reserve(toll, number);
    /*@ assert reserved: FumataAnswersArePaid(toll, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_CLOSE) {
    fumata_toll_close(toll);
    /*@ assert closed: FumataAnswersArePaid(toll, 1, spent, stored, limit); */
  } else if (step == FUMATA_STEP_ANSWER && stored <= toll->left) {
    fumata_toll_answer(toll, &duel, coin, &seen);
    /*@ assert sum: spent + (seen != FUMATA_NOTHING ? 1 : 0) + toll->reserved + toll->left <= limit; */
    /*@ assert answered: FumataAnswersArePaid(toll, 1, spent + (seen != FUMATA_NOTHING ? 1 : 0), stored, limit); */
  }
  return seen;
}

/* The same beside the meter, which does not notice. */
/*@
  requires budget:     \valid(budget);
  requires plan:       \valid_read(plan) && \separated(budget, plan);
  requires running:    FumataBudgetIsOf(budget, 1, plan);
  requires paid:       FumataAnswersArePaid(&budget->toll, 1, spent, stored, plan->toll.limit);
  requires meter:      FumataMeterInvariant(&budget->meter);

  terminates           \true;
  exits                \false;
  assigns              budget->toll.left, budget->toll.reserved;
  ensures paid:        FumataAnswersArePaid(&budget->toll, 1, spent + (\result != FUMATA_NOTHING ? 1 : 0), stored,
                                            plan->toll.limit);
  ensures meter:       FumataMeterInvariant(&budget->meter);
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures running:     FumataBudgetIsOf(budget, 1, plan);
  ensures told:        FumataTells(1, \result, winner, loser, distance);
*/
static int32_t fumata_life_beside_meter(fumata_budget *budget, const fumata_budget_plan *plan, uint32_t spent,
                                        uint32_t stored, uint8_t step, uint32_t number, uint32_t winner, uint32_t loser,
                                        uint32_t distance, uint64_t coin) {
  int32_t seen =
      fumata_life_toll(&budget->toll, spent, stored, plan->toll.limit, step, number, winner, loser, distance, coin);

  /*@ assert limits: plan->meter.limit == \at(plan->meter.limit, Pre) &&
                     plan->toll.limit == \at(plan->toll.limit, Pre); */
  /*@ assert sizes:  plan->meter.size == \at(plan->meter.size, Pre) &&
                     plan->toll.size == \at(plan->toll.size, Pre); */
  /*@ assert size:   budget->meter.plan.size == \at(budget->meter.plan.size, Pre); */
  /*@ assert limit:  budget->meter.plan.limit == \at(budget->meter.plan.limit, Pre); */
  /*@ assert left:   budget->meter.left == \at(budget->meter.left, Pre) &&
                     budget->meter.reserved == \at(budget->meter.reserved, Pre); */
  /*@ assert table:  FumataSilenceTable(budget->meter.plan.silence, budget->meter.plan.size); */
  return seen;
}

/* One step of either machine, if the program runs at all: what the world sees of it. */
/*@
  requires budget:     \valid(budget);
  requires plan:       \valid_read(plan) && \separated(budget, plan);
  requires running:    FumataBudgetIsOf(budget, alive, plan);
  requires silences:   FumataSilencesArePaid(&budget->meter, alive, silences, silences_stored, plan->meter.limit);
  requires answers:    FumataAnswersArePaid(&budget->toll, alive, answers, answers_stored, plan->toll.limit);

  terminates           \true;
  exits                \false;
  assigns              budget->meter.left, budget->meter.reserved, budget->toll.left, budget->toll.reserved;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures running:     FumataBudgetIsOf(budget, alive, plan);
  ensures silences:    FumataSilencesArePaid(&budget->meter, alive, silences + (\result == FUMATA_SILENT ? 1 : 0),
                                             silences_stored, plan->meter.limit);
  ensures answers:     FumataAnswersArePaid(&budget->toll, alive, answers + FumataAnswersIn(kind, \result),
                                            answers_stored, plan->toll.limit);
  ensures told:        FumataTells(kind, \result, winner, loser, distance);
  ensures nothing:     alive == 0 ==> \result == FUMATA_NOTHING;
*/
static int32_t fumata_life_tells(fumata_budget *budget, uint32_t alive, const fumata_budget_plan *plan,
                                 uint32_t silences, uint32_t silences_stored, uint32_t answers, uint32_t answers_stored,
                                 uint8_t step, uint8_t kind, uint32_t number, uint32_t winner, uint32_t loser,
                                 uint32_t distance, uint64_t coin) {
  int32_t seen = FUMATA_NOTHING;

  if (alive && kind == FUMATA_KIND_METER) {
    seen = fumata_life_beside_toll(budget, plan, silences, silences_stored, step, number, winner, distance, coin);
    /*@ assert left:     budget->toll.left == \at(budget->toll.left, Pre) &&
                         budget->toll.reserved == \at(budget->toll.reserved, Pre); */
    /*@ assert silences: FumataSilencesArePaid(&budget->meter, alive, silences + (seen == FUMATA_SILENT ? 1 : 0),
                                               silences_stored, plan->meter.limit); */
    /*@ assert answers:  FumataAnswersArePaid(&budget->toll, alive, answers, answers_stored, plan->toll.limit); */
  } else if (alive) {
    seen = fumata_life_beside_meter(budget, plan, answers, answers_stored, step, number, winner, loser, distance, coin);
    /*@ assert left:     budget->meter.left == \at(budget->meter.left, Pre) &&
                         budget->meter.reserved == \at(budget->meter.reserved, Pre); */
    /*@ assert silences: FumataSilencesArePaid(&budget->meter, alive, silences, silences_stored, plan->meter.limit); */
    /*@ assert answers:  FumataAnswersArePaid(&budget->toll, alive, answers + (seen != FUMATA_NOTHING ? 1 : 0),
                                              answers_stored, plan->toll.limit); */
    /*@ assert label:    seen != FUMATA_SILENT; */
  }
  return seen;
}

/* What is stored of the meter after a step. */
/*@
  requires meter:      \valid_read(meter);
  requires paid:       FumataSilencesArePaid(meter, alive, spent, stored, limit);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures paid:        FumataSilencesArePaid(meter, alive, spent, \result, limit);
*/
static uint32_t fumata_life_stores_meter(const fumata_meter *meter, uint32_t alive, uint8_t step, uint32_t spent,
                                         uint32_t stored, uint32_t limit) {
  return alive && step == FUMATA_STEP_STORE ? meter->left : stored;
}

/* What is stored of the toll after a step. */
/*@
  requires toll:       \valid_read(toll);
  requires paid:       FumataAnswersArePaid(toll, alive, spent, stored, limit);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures paid:        FumataAnswersArePaid(toll, alive, spent, \result, limit);
*/
static uint32_t fumata_life_stores_toll(const fumata_toll *toll, uint32_t alive, uint8_t step, uint32_t spent,
                                        uint32_t stored, uint32_t limit) {
  return alive && step == FUMATA_STEP_STORE ? toll->left : stored;
}

/* One step of a life. */
/*@
  requires budget:     \valid(budget);
  requires plan:       FumataBudgetPlanReadable(plan) && FumataBudgetApart(budget, plan);
  requires claim:      \valid_read(claim) && \separated(budget, claim);
  requires silences:   FumataSilencesArePaid(&budget->meter, life.alive, silences, life.silences, plan->meter.limit);
  requires answers:    FumataAnswersArePaid(&budget->toll, life.alive, answers, life.answers, plan->toll.limit);
  requires running:    FumataBudgetIsOf(budget, life.alive, plan);
  requires begun:      life.alive != 0 ==> begun != 0;

  terminates           \true;
  exits                \false;
  assigns              *budget;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures silences:    FumataSilencesArePaid(&budget->meter, \result.alive,
                                             silences + (\result.seen == FUMATA_SILENT ? 1 : 0), \result.silences,
                                             plan->meter.limit);
  ensures answers:     FumataAnswersArePaid(&budget->toll, \result.alive,
                                            answers + FumataAnswersIn(kind, \result.seen), \result.answers,
                                            plan->toll.limit);
  ensures running:     FumataBudgetIsOf(budget, \result.alive, plan);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures told:        FumataTells(kind, \result.seen, winner, loser, distance);
  ensures nothing:     begun == 0 ==> \result.seen == FUMATA_NOTHING;
*/
static fumata_joint fumata_life_step(fumata_budget *budget, fumata_joint life, const fumata_budget_plan *plan,
                                     const fumata_claim *claim, uint32_t begun, uint32_t silences, uint32_t answers,
                                     uint8_t step, uint8_t kind, uint32_t number, uint32_t winner, uint32_t loser,
                                     uint32_t distance, uint64_t coin) {
  /*@ assert apart: \separated(budget, plan); */
  life.alive =
      fumata_life_starts(budget, plan, claim, step, begun, life.alive, silences, life.silences, answers, life.answers);
  life.seen = fumata_life_tells(budget, life.alive, plan, silences, life.silences, answers, life.answers, step, kind,
                                number, winner, loser, distance, coin);
  silences += life.seen == FUMATA_SILENT;
  answers += kind != FUMATA_KIND_METER && life.seen != FUMATA_NOTHING;
  /*@ assert silences: FumataSilencesArePaid(&budget->meter, life.alive, silences, life.silences, plan->meter.limit); */
  /*@ assert answers:  FumataAnswersArePaid(&budget->toll, life.alive, answers, life.answers, plan->toll.limit); */
  life.silences =
      fumata_life_stores_meter(&budget->meter, life.alive, step, silences, life.silences, plan->meter.limit);
  life.answers = fumata_life_stores_toll(&budget->toll, life.alive, step, answers, life.answers, plan->toll.limit);
  return life;
}

/* Entry i is written down and counted. */
/*@
  requires readable:   \valid_read(kinds + (0 .. i));
  requires writable:   \valid(seen + (0 .. i)) && \valid(silences + (0 .. i + 1)) && \valid(answers + (0 .. i + 1));
  requires apart:      \separated(silences + (0 .. i + 1), answers + (0 .. i + 1));
  requires silent:     FumataCountsSilences(silences, seen, i);
  requires answered:   FumataCountsAnswers(answers, kinds, seen, i);
  requires place:      i < 4294967295;
  requires range:      silences[i] <= 4294967295 && answers[i] <= 4294967295;

  terminates           \true;
  exits                \false;
  assigns              seen[i], silences[i + 1], answers[i + 1];
  ensures silent:      FumataCountsSilences(silences, seen, i + 1);
  ensures answered:    FumataCountsAnswers(answers, kinds, seen, i + 1);
  ensures silences:    silences[i + 1] == \old(silences[i]) + (told == FUMATA_SILENT ? 1 : 0);
  ensures answers:     answers[i + 1] == \old(answers[i]) + FumataAnswersIn(kinds[i], told);
  ensures seen:        seen[i] == told;
*/
static void fumata_life_writes(const uint8_t *kinds, uint32_t i, int32_t told, int32_t *seen, int64_t *silences,
                               int64_t *answers) {
  seen[i] = told;
  silences[i + 1u] = silences[i] + (told == FUMATA_SILENT);
  answers[i + 1u] = answers[i] + (kinds[i] != FUMATA_KIND_METER && told != FUMATA_NOTHING);
  /*@ assert seen: \forall integer j; 0 <= j < i ==> seen[j] == \at(seen[j], Pre); */
  /*@ assert past: \forall integer j; 0 <= j <= i ==> silences[j] == \at(silences[j], Pre); */
  /*@ assert paid: \forall integer j; 0 <= j <= i ==> answers[j] == \at(answers[j], Pre); */
  /*@ assert silences_past: \forall integer j; 0 <= j < i ==>
                              \at(FumataCountsSilence(silences, seen, j), Pre) &&
                              FumataCountsSilence(silences, seen, j); */
  /*@ assert answers_past:  \forall integer j; 0 <= j < i ==>
                              \at(FumataCountsAnswer(answers, kinds, seen, j), Pre) &&
                              FumataCountsAnswer(answers, kinds, seen, j); */
  /*@ assert silence: FumataCountsSilence(silences, seen, i); */
  /*@ assert answer:  FumataCountsAnswer(answers, kinds, seen, i); */
}

/*@
  requires plan:       FumataBudgetPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(kinds + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1));
  requires ballots:    \valid_read(winners + (0 .. length - 1)) && \valid_read(losers + (0 .. length - 1)) &&
                       \valid_read(distances + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(silences + (0 .. length)) &&
                       \valid(answers + (0 .. length));
  requires apart:      \separated(silences + (0 .. length), answers + (0 .. length));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], silences[0 .. length], answers[0 .. length];
  ensures silences:    FumataCountsSilences(silences, seen, length);
  ensures answers:     FumataCountsAnswers(answers, kinds, seen, length);
  ensures limit:       silences[length] <= plan->meter.limit && answers[length] <= plan->toll.limit;
  ensures told:        \forall integer i; 0 <= i < length ==>
                         FumataTells(kinds[i], seen[i], winners[i], losers[i], distances[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_NOTHING) ==>
                       FumataBudgetIsCertified{Pre}(plan, claim);
*/
void fumata_history_budget(const fumata_budget_plan *plan, const fumata_claim *claim, uint32_t length,
                           const uint8_t *steps, const uint8_t *kinds, const uint32_t *numbers, const uint32_t *winners,
                           const uint32_t *losers, const uint32_t *distances, const uint64_t *coins, int32_t *seen,
                           int64_t *silences, int64_t *answers) {
  fumata_budget budget;
  fumata_joint life;
  uint32_t begun;
  uint32_t i;

  /*@ assert winners:   \forall integer j; 0 <= j < length ==> \separated(&budget, winners + j); */
  /*@ assert losers:    \forall integer j; 0 <= j < length ==> \separated(&budget, losers + j); */
  /*@ assert distances: \forall integer j; 0 <= j < length ==> \separated(&budget, distances + j); */
  begun = fumata_budget_init(&budget, plan, claim) == FUMATA_OK;
  /*@ assert limits:    plan->meter.limit == \at(plan->meter.limit, Pre) &&
                        plan->toll.limit == \at(plan->toll.limit, Pre); */
  /*@ assert sizes:     plan->meter.size == \at(plan->meter.size, Pre) &&
                        plan->toll.size == \at(plan->toll.size, Pre); */
  /*@ assert meter:     begun != 0 ==> FumataMeterIsCertified{Pre}(&plan->meter, claim); */
  /*@ assert toll:      begun != 0 ==> FumataTollIsCertified{Pre}(&plan->toll, claim); */
  /*@ assert total:     begun != 0 ==> FumataBudgetTotal{Pre}(&plan->meter, &plan->toll, claim); */
  life.alive = begun;
  life.silences = plan->meter.limit;
  life.answers = plan->toll.limit;
  silences[0] = 0;
  answers[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant plan:      FumataPlanStays{Pre, Here}(plan);
    loop invariant readable:  FumataBudgetPlanReadable(plan);
    loop invariant apart:     FumataBudgetApart(&budget, plan);
    loop invariant winners:   \forall integer j; 0 <= j < length ==> winners[j] == \at(winners[j], Pre);
    loop invariant losers:    \forall integer j; 0 <= j < length ==> losers[j] == \at(losers[j], Pre);
    loop invariant distances: \forall integer j; 0 <= j < length ==> distances[j] == \at(distances[j], Pre);
    loop invariant silences:  FumataSilencesArePaid(&budget.meter, life.alive, silences[i], life.silences,
                                                    plan->meter.limit);
    loop invariant answers:   FumataAnswersArePaid(&budget.toll, life.alive, answers[i], life.answers,
                                                   plan->toll.limit);
    loop invariant running:   FumataBudgetIsOf(&budget, life.alive, plan);
    loop invariant begun:     life.alive != 0 ==> begun != 0;
    loop invariant certified: begun != 0 ==> FumataBudgetIsCertified{Pre}(plan, claim);
    loop invariant nothing:   begun == 0 ==> \forall integer j; 0 <= j < i ==> seen[j] == FUMATA_NOTHING;
    loop invariant silent:    FumataCountsSilences(silences, seen, i);
    loop invariant answered:  FumataCountsAnswers(answers, kinds, seen, i);
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataTells(kinds[j], seen[j], \at(winners[j], Pre), \at(losers[j], Pre),
                                            \at(distances[j], Pre));
    loop assigns              i, life, budget, seen[0 .. length - 1], silences[0 .. length], answers[0 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    /*@ assert range: 0 <= silences[i] <= plan->meter.limit && 0 <= answers[i] <= plan->toll.limit; */
    /*@ assert exact: (uint32_t)silences[i] == silences[i] && (uint32_t)answers[i] == answers[i]; */
    life = fumata_life_step(&budget, life, plan, claim, begun, (uint32_t)silences[i], (uint32_t)answers[i], steps[i],
                            kinds[i], numbers[i], winners[i], losers[i], distances[i], coins[i]);
    /*@ assert silences: FumataSilencesArePaid(&budget.meter, life.alive,
                                               silences[i] + (life.seen == FUMATA_SILENT ? 1 : 0), life.silences,
                                               plan->meter.limit); */
    /*@ assert answers:  FumataAnswersArePaid(&budget.toll, life.alive,
                                              answers[i] + FumataAnswersIn(kinds[i], life.seen), life.answers,
                                              plan->toll.limit); */
    fumata_life_writes(kinds, i, life.seen, seen, silences, answers);
  }
  /*@ assert all: i == length; */
  /*@ assert silences: silences[i] <= plan->meter.limit; */
  /*@ assert answers:  answers[i] <= plan->toll.limit; */
}

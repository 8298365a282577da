/* Whole lives of a poll, for the prover only: nothing here is compiled into anything.
 *
 * A script says, step by step and in any order, what the program that owns the poll does and what happens to it: ask, write
 * the uses to disk, say that they are stored, answer, clear, close, crash, start. The three rules that such a program keeps
 * (A-STORE) are conditions below: it begins once, it starts again from what it wrote last, and it says that the uses are
 * stored only when what it wrote last is what they are. A crash may come between any two steps; after it nothing is known of
 * the memory the poll was in. One unit is watched, and it may be any.
 *
 * Claim:    T-POLL-4 for every unit and every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "crowd.h" /* and with it poll.h, whose own name would find the C library's */

enum { FUMATA_TURN_ASK, FUMATA_TURN_WRITE, FUMATA_TURN_STORED, FUMATA_TURN_ANSWER, FUMATA_TURN_CLEAR, FUMATA_TURN_CLOSE,
       FUMATA_TURN_CRASH, FUMATA_TURN_START };

/* A step at which the world saw nothing. */
#define FUMATA_UNSAID 2u

/* What there is besides the poll: its program and the disk; and what has happened so far. */
typedef struct {
  uint32_t alive;   /* the program runs and the poll's memory means something */
  uint32_t written; /* the watched unit's uses on disk */
  uint32_t spent;   /* answers to leads in which the watched unit had a vote */
  uint32_t made;    /* leads that were made */
  uint32_t told;    /* answers that were given */
  uint32_t seen;    /* the answer of this step */
} fumata_polled;

/*@
  // The memory of a poll, and the count beside it.
  predicate FumataLentOk{L}(fumata_poll *p, uint16_t *used, integer units, int32_t *lead, integer room, integer unit,
                            int64_t *took) =
    units <= FUMATA_UNITS_MAX && room <= FUMATA_LEADS_MAX && 0 <= unit < units &&
    \valid(used + (0 .. units - 1)) && \valid(lead + (0 .. room - 1)) && \valid(took + (0 .. room)) &&
    \separated(p, used + (0 .. units - 1), lead + (0 .. room - 1));

  // The poll that runs is in the memory it was given.
  predicate FumataPollIs{L}(fumata_poll *p, uint16_t *used, integer units, int32_t *lead, integer room) =
    p->uses.used == used && p->uses.size == units && p->leads.lead == lead && p->leads.size == room;

  // took[i]: in how many of the first i leads of the queue the watched unit had a vote.
  predicate FumataTook{L}(int64_t *took, integer asked) =
    took[0] == 0 &&
    (\forall integer i, j; 0 <= i <= j <= asked ==> took[i] <= took[j]) &&
    (\forall integer i; 0 <= i < asked ==> took[i + 1] <= took[i] + 1);

  // Of the votes that wait, all are among the uses, and those that may be answered are on disk. No lead waits that was
  // answered.
  predicate FumataWaits{L}(fumata_poll *p, uint16_t *used, integer unit, int64_t *took, integer written, integer spent,
                           integer made, integer told) =
    FumataTook(took, p->asked) &&
    spent + took[p->stored] - took[p->answered] <= written &&
    spent + took[p->asked] - took[p->answered] <= used[unit] <= p->plan.limit &&
    told + p->asked - p->answered <= made;

  // Every vote that was answered is on disk, and no more than B are; no more answers than leads.
  predicate FumataPolledOk(integer written, integer spent, integer made, integer told, integer limit) =
    0 <= spent <= written <= limit && told <= made;

  // The poll that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataPollLives{L}(fumata_poll *p, fumata_toll_plan *plan, uint16_t *used, integer units, int32_t *lead,
                               integer room) =
    FumataPollInvariant(p) && FumataPollIs(p, used, units, lead, room) && FumataPollRuns(p, plan);
*/

/* The watched unit, and all others, are asked a question. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires running:    FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  requires waits:      FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  requires so_far:     FumataPolledOk(life.written, life.spent, life.made, life.told, poll->plan.limit);
  requires steps:      life.made < 4294967295;
  requires question:   FumataPollCanAsk(poll, question) && FumataPollCanHear(poll, voices);
  terminates           \true;
  exits                \false;
  assigns              poll->asked, used[0 .. units - 1], lead[0 .. room - 1], took[0 .. room];
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, \result.written, \result.spent, \result.made, \result.told);
  ensures so_far:      FumataPolledOk(\result.written, \result.spent, \result.made, \result.told, poll->plan.limit);
  ensures kept:        \result.alive == life.alive && \result.seen == life.seen && \result.written == life.written &&
                       \result.spent == life.spent && \result.told == life.told;
  ensures made:        life.made <= \result.made <= life.made + 1;
*/
static fumata_polled fumata_life_asks(fumata_poll *poll, fumata_polled life, uint16_t *used, uint32_t units, int32_t *lead,
                                      uint32_t room, uint32_t unit, int64_t *took, const fumata_question *question,
                                      const fumata_voices *voices) {
  uint32_t slot = poll->asked;
  int64_t before = used[unit];

  if (fumata_poll_vote(poll, question, voices) == FUMATA_OK) {
    /*@ assert vote: before <= used[unit] <= before + 1 && used[unit] <= poll->plan.limit; */
    took[slot + 1u] = took[slot] + (used[unit] - before);
    /*@ assert took: FumataTook(took, poll->asked); */
    life.made += 1u;
  }
  return life;
}

/* One lead is answered. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires running:    FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  requires waits:      FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  requires so_far:     FumataPolledOk(life.written, life.spent, life.made, life.told, poll->plan.limit);
  terminates           \true;
  exits                \false;
  assigns              poll->answered;
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, \result.written, \result.spent, \result.made, \result.told);
  ensures so_far:      FumataPolledOk(\result.written, \result.spent, \result.made, \result.told, poll->plan.limit);
  ensures kept:        \result.alive == life.alive && \result.written == life.written && \result.made == life.made;
  ensures spent:       life.spent <= \result.spent <= life.spent + 1;
  ensures told:        \result.seen == FUMATA_UNSAID ? \result.told == life.told && \result.spent == life.spent :
                       \result.told == life.told + 1 && (\result.seen == 0 || \result.seen == 1);
*/
static fumata_polled fumata_life_answers(fumata_poll *poll, fumata_polled life, uint16_t *used, uint32_t units, int32_t *lead,
                                         uint32_t room, uint32_t unit, int64_t *took, uint64_t coin) {
  uint32_t slot = poll->answered;
  uint32_t yes = 0;

  life.seen = FUMATA_UNSAID;
  if (fumata_poll_answer(poll, coin, &yes) == FUMATA_OK) {
    /*@ assert votes: took[slot] <= took[slot + 1] <= took[slot] + 1 && took[slot + 1] <= took[poll->stored]; */
    life.spent += (uint32_t)(took[slot + 1u] - took[slot]);
    life.told += 1u;
    life.seen = yes;
  }
  return life;
}

/* The program writes, says that it has, makes room, ends, crashes, or starts again from what it wrote last. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires plan:       FumataTollPlanReadable(plan) && \valid_read(claim) && FumataPollCanStart(poll, plan, claim);
  requires is:         FumataPollIs(poll, used, units, lead, room);
  requires running:    life.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  requires waits:      life.alive != 0 ==> FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  requires so_far:     FumataPolledOk(life.written, life.spent, life.made, life.told, plan->limit);
  requires begun:      life.alive != 0 ==> begun != 0;
  terminates           \true;
  exits                \false;
  assigns              poll->plan, poll->asked, poll->stored, poll->answered, poll->leads.size, used[0 .. units - 1],
                       lead[0 .. room - 1], took[0 .. room];
  ensures running:     \result.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  ensures waits:       \result.alive != 0 ==>
                       FumataWaits(poll, used, unit, took, \result.written, \result.spent, \result.made, \result.told);
  ensures so_far:      FumataPolledOk(\result.written, \result.spent, \result.made, \result.told, plan->limit);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures kept:        \result.seen == life.seen && \result.spent == life.spent && \result.told == life.told &&
                       \result.made == life.made;
*/
static fumata_polled fumata_life_goes_on(fumata_poll *poll, fumata_polled life, const fumata_toll_plan *plan,
                                         const fumata_claim *claim, uint32_t begun, uint16_t *used, uint32_t units,
                                         int32_t *lead, uint32_t room, uint32_t unit, int64_t *took, uint8_t step) {
  if (step == FUMATA_TURN_CRASH) {
    life.alive = 0;
  } else if (step == FUMATA_TURN_START && begun) {
    used[unit] = (uint16_t)life.written;
    took[0] = 0;
    poll->leads.size = room;
    life.alive = fumata_poll_resume(poll, plan, claim) == FUMATA_OK;
  } else if (life.alive && step == FUMATA_TURN_WRITE) {
    life.written = used[unit];
  } else if (life.alive && step == FUMATA_TURN_STORED && life.written == used[unit]) {
    fumata_poll_stored(poll);
  } else if (life.alive && step == FUMATA_TURN_CLEAR) {
    fumata_poll_clear(poll);
    took[0] = 0;
  } else if (life.alive && step == FUMATA_TURN_CLOSE) {
    fumata_poll_close(poll);
    poll->leads.size = room;
    life.alive = 0;
  }
  return life;
}

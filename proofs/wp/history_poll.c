/* Whole lives of a poll, for the prover only: nothing here is compiled into anything.
 *
 * A script says, step by step and in any order, what the program that owns the poll does and what happens to it: ask all
 * units or those of a list, write the uses to disk, say that they are stored, answer, clear, close, crash, start. The three rules that such a program keeps
 * (A-STORE) are conditions below: it begins once, it starts again from what it wrote last, and it says that the uses are
 * stored only when what it wrote last is what they are. A crash may come between any two steps; after it nothing is known of
 * the memory the poll was in. One unit is watched, and it may be any.
 *
 * Claim:    T-POLL-4 for every unit and every transcript the world can see.
 * Not here: two programs at once on one store, a store that loses or repeats writes (A-STORE). */
#include "crowd.h" /* and with it poll.h, whose own name would find the C library's */

enum { FUMATA_TURN_ASK, FUMATA_TURN_LIST, FUMATA_TURN_WRITE, FUMATA_TURN_STORED, FUMATA_TURN_ANSWER, FUMATA_TURN_CLEAR,
       FUMATA_TURN_CLOSE, FUMATA_TURN_CRASH, FUMATA_TURN_START };

/* A step at which the world saw nothing. */
#define FUMATA_UNSAID 2u

/* What there is besides the poll: its program and the disk; and what has happened so far. */
typedef struct {
  uint32_t alive;   /* the program runs and the poll's memory means something */
  uint32_t written; /* the watched unit's uses on disk */
  uint32_t spent;   /* answers to leads in which the watched unit had a vote */
  uint32_t made;    /* leads that were made */
  uint32_t told;    /* answers that were given */
} fumata_polled;

/* What an answer tells, and whether the watched unit had a vote in it. */
typedef struct {
  uint32_t seen;
  uint32_t vote;
} fumata_said;

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

  predicate FumataLifeRuns{L}(fumata_poll *p, uint16_t *used, integer units, int32_t *lead, integer room, integer unit,
                              int64_t *took) =
    \valid(p) && FumataLentOk(p, used, units, lead, room, unit, took) &&
    FumataPollInvariant(p) && FumataPollIs(p, used, units, lead, room);

  // took[i]: in how many of the first i leads of the queue the watched unit had a vote.
  predicate FumataTook{L}(int64_t *took, integer asked) =
    took[0] == 0 &&
    (\forall integer i; 0 <= i <= asked ==> 0 <= took[i] <= i) &&
    (\forall integer i; 0 <= i < asked ==> took[i] <= took[i + 1] <= took[i] + 1) &&
    (\forall integer i, j; 0 <= i <= j <= asked ==> took[i] <= took[j]);

  // Of the votes that wait, all are among the uses, and those that may be answered are on disk. No lead waits that was
  // answered.
  predicate FumataWaits{L}(fumata_poll *p, uint16_t *used, integer unit, int64_t *took, integer written, integer spent,
                           integer made, integer told) =
    FumataTook(took, p->asked) &&
    0 <= spent + took[p->stored] - took[p->answered] <= written &&
    spent + took[p->asked] - took[p->answered] <= used[unit] <= p->plan.limit &&
    told + p->asked - p->answered <= made;

  // Every vote that was answered is on disk, and no more than B are; no more answers than leads.
  predicate FumataPolledOk(integer written, integer spent, integer made, integer told, integer limit) =
    0 <= spent <= written <= limit && written <= FUMATA_POLL_VOTES_MAX && told <= made;

  // The poll that runs is the one of the plan, whose certificate is the other half of the theorem's hypotheses.
  predicate FumataPollLives{L}(fumata_poll *p, fumata_toll_plan *plan, uint16_t *used, integer units, int32_t *lead,
                               integer room) =
    FumataPollInvariant(p) && FumataPollIs(p, used, units, lead, room) && FumataPollRuns(p, plan);

  // The plan and the claim, and what a question is put into, are no part of that memory.
  predicate FumataPollApart{L}(fumata_poll *p, fumata_toll_plan *plan, fumata_claim *claim, uint16_t *used, integer units,
                               int32_t *lead, integer room, uint64_t *named, integer size) =
    \separated(p, plan) && \separated(p, claim) &&
    \separated(used + (0 .. units - 1), plan) && \separated(used + (0 .. units - 1), claim) &&
    (1 <= size <= FUMATA_TABLE_MAX ==>
       \separated(p, used + (0 .. units - 1), named + (0 .. size - 1)) &&
       \separated(lead + (0 .. room - 1), named + (0 .. size - 1)));

  predicate FumataScratchOk{L}(fumata_poll *p, fumata_toll_plan *plan, fumata_claim *claim, uint16_t *used, integer units,
                               int32_t *lead, integer room, fumata_question *question, fumata_voices *voices,
                               fumata_list *asked) =
    \valid(question) && \valid(voices) && \valid(asked) && \separated(question, voices, asked) &&
    \separated(p, question) && \separated(p, voices) && \separated(p, asked) &&
    \separated(question, plan) && \separated(voices, plan) && \separated(asked, plan) &&
    \separated(question, claim) && \separated(voices, claim) && \separated(asked, claim) &&
    \separated(used + (0 .. units - 1), question) && \separated(used + (0 .. units - 1), voices) &&
    \separated(used + (0 .. units - 1), asked) && \separated(lead + (0 .. room - 1), question);

  // Where weights, numbers and labels come from, anywhere in it. Numbers are distances, or the units of a list.
  predicate FumataPoolOk{L}(fumata_poll *p, uint16_t *used, integer units, int16_t *weights, uint32_t *numbers,
                            uint16_t *labels, integer pool) =
    \valid_read(weights + (0 .. pool + FUMATA_CLASSES_MAX - 1)) &&
    \valid_read(numbers + (0 .. pool + FUMATA_UNITS_MAX - 1)) && \valid_read(labels + (0 .. pool + FUMATA_UNITS_MAX - 1)) &&
    \separated(p, weights + (0 .. pool + 4294967295)) && \separated(p, numbers + (0 .. pool + 4294967295)) &&
    \separated(p, labels + (0 .. pool + 4294967295)) &&
    \separated(used + (0 .. units - 1), weights + (0 .. pool + 4294967295)) &&
    \separated(used + (0 .. units - 1), labels + (0 .. pool + 4294967295));

  // Nobody writes into the poll, or into the plan.
  predicate FumataPollStays{K, L}(fumata_poll *p) =
    \at(p->plan.named, K) == \at(p->plan.named, L) && \at(p->plan.size, K) == \at(p->plan.size, L) &&
    \at(p->plan.limit, K) == \at(p->plan.limit, L) && \at(p->uses.used, K) == \at(p->uses.used, L) &&
    \at(p->uses.size, K) == \at(p->uses.size, L) && \at(p->leads.lead, K) == \at(p->leads.lead, L) &&
    \at(p->leads.size, K) == \at(p->leads.size, L) && \at(p->asked, K) == \at(p->asked, L) &&
    \at(p->stored, K) == \at(p->stored, L) && \at(p->answered, K) == \at(p->answered, L);

  predicate FumataPlanStays{K, L}(fumata_toll_plan *plan) =
    \at(plan->named, K) == \at(plan->named, L) && \at(plan->size, K) == \at(plan->size, L) &&
    \at(plan->limit, K) == \at(plan->limit, L);
*/

/* One more lead is counted: in it the watched unit had a vote, or not. */
/*@
  requires memory:     \valid(took + (0 .. slot + 1)) && slot < FUMATA_LEADS_MAX;
  requires took:       FumataTook(took, slot);
  requires vote:       0 <= vote <= 1;
  terminates \true; exits \false;
  assigns              took[slot + 1];
  ensures took:        FumataTook(took, slot + 1);
  ensures next:        took[slot + 1] == \old(took[slot]) + vote;
  ensures kept:        \forall integer i; 0 <= i <= slot ==> took[i] == \old(took[i]);
*/
static void fumata_life_counts(int64_t *took, uint32_t slot, int64_t vote) {
  took[slot + 1u] = took[slot] + vote;
  /*@ assert kept: \forall integer i; 0 <= i <= slot ==> took[i] == \at(took[i], Pre); */
  /*@ assert last: \forall integer i; 0 <= i <= slot ==> took[i] <= took[slot]; */
}

/* The watched unit, and all others, are asked a question: whether a lead was made. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  requires waits:      FumataWaits(poll, used, unit, took, written, spent, made, told);
  requires question:   FumataPollCanAsk(poll, question) && FumataPollCanHear(poll, voices);
  terminates \true; exits \false;
  assigns              poll->asked, used[0 .. units - 1], lead[0 .. room], took[0 .. room];
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, written, spent, made + \result, told);
  ensures made:        0 <= \result <= 1;
*/
static uint32_t fumata_life_asks(fumata_poll *poll, uint16_t *used, uint32_t units, int32_t *lead, uint32_t room,
                                 uint32_t unit, int64_t *took, const fumata_question *question,
                                 const fumata_voices *voices, uint32_t written, uint32_t spent, uint32_t made,
                                 uint32_t told) {
  uint32_t slot = poll->asked;
  int64_t before = used[unit];

  if (fumata_poll_vote(poll, question, voices) != FUMATA_OK) {
    /*@ assert same: poll->asked == slot && used[unit] == before; */
    return 0u;
  }
  /*@ assert vote: before <= used[unit] <= before + 1 && used[unit] <= poll->plan.limit; */
  fumata_life_counts(took, slot, used[unit] - before);
  return 1u;
}

/* The units of a list are asked one: whether a lead was made. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  requires waits:      FumataWaits(poll, used, unit, took, written, spent, made, told);
  requires question:   FumataPollCanAsk(poll, question) && FumataPollCanList(poll, asked);
  terminates \true; exits \false;
  assigns              poll->asked, used[0 .. units - 1], lead[0 .. room], took[0 .. room];
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, written, spent, made + \result, told);
  ensures made:        0 <= \result <= 1;
*/
static uint32_t fumata_life_lists(fumata_poll *poll, uint16_t *used, uint32_t units, int32_t *lead, uint32_t room,
                                  uint32_t unit, int64_t *took, const fumata_question *question,
                                  const fumata_list *asked, uint32_t written, uint32_t spent, uint32_t made,
                                  uint32_t told) {
  uint32_t slot = poll->asked;
  int64_t before = used[unit];

  if (fumata_poll_vote_listed(poll, question, asked) != FUMATA_OK) {
    /*@ assert same: poll->asked == slot && used[unit] == before; */
    return 0u;
  }
  /*@ assert listed: \forall integer i; 0 <= i < asked->size && asked->units[i] == unit ==>
                       before <= used[unit] <= before + 1 && used[unit] <= poll->plan.limit; */
  /*@ assert others: (\forall integer i; 0 <= i < asked->size ==> asked->units[i] != unit) ==> used[unit] == before; */
  /*@ assert vote:   before <= used[unit] <= before + 1 && used[unit] <= poll->plan.limit; */
  fumata_life_counts(took, slot, used[unit] - before);
  return 1u;
}

/* One lead is answered. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  requires waits:      FumataWaits(poll, used, unit, took, written, spent, made, told);
  terminates \true; exits \false;
  assigns              poll->answered;
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, written, spent + \result.vote, made,
                                   told + (\result.seen == FUMATA_UNSAID ? 0 : 1));
  ensures vote:        0 <= \result.vote <= 1;
  ensures seen:        \result.seen == 0 || \result.seen == 1 || (\result.seen == FUMATA_UNSAID && \result.vote == 0);
*/
static fumata_said fumata_life_answers(fumata_poll *poll, uint16_t *used, uint32_t units, int32_t *lead, uint32_t room,
                                       uint32_t unit, int64_t *took, uint64_t coin, uint32_t written, uint32_t spent,
                                       uint32_t made, uint32_t told) {
  uint32_t slot = poll->answered;
  uint32_t yes = FUMATA_UNSAID;
  fumata_said said;

  said.seen = FUMATA_UNSAID;
  said.vote = 0u;
  if (fumata_poll_answer(poll, coin, &yes) == FUMATA_OK) {
    /*@ assert next:  poll->answered == slot + 1 && slot + 1 <= poll->stored <= poll->asked; */
    /*@ assert took:  FumataTook(took, poll->asked); */
    /*@ assert vote:  took[slot] <= took[slot + 1] <= took[slot] + 1; */
    /*@ assert later: took[slot + 1] <= took[poll->stored]; */
    said.vote = (uint32_t)(took[slot + 1u] - took[slot]);
    said.seen = yes;
  }
  return said;
}

/* The uses are written to disk: what is on it then of the watched unit. */
/*@
  requires memory:     \valid_read(poll) && \valid_read(used + unit);
  requires running:    FumataPollInvariant(poll);
  requires waits:      FumataWaits(poll, used, unit, took, written, spent, made, told);
  terminates \true; exits \false;
  assigns              \nothing;
  ensures waits:       FumataWaits(poll, used, unit, took, \result, spent, made, told);
  ensures range:       spent <= \result <= poll->plan.limit && \result <= FUMATA_POLL_VOTES_MAX;
*/
static uint32_t fumata_life_writes(const fumata_poll *poll, const uint16_t *used, uint32_t unit, int64_t *took,
                                   uint32_t written, uint32_t spent, uint32_t made, uint32_t told) {
  /*@ assert order: took[poll->answered] <= took[poll->stored] <= took[poll->asked]; */
  return used[unit];
}

/* The program says that the uses are stored, which they are. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  requires waits:      FumataWaits(poll, used, unit, took, written, spent, made, told);
  requires written:    written == used[unit];
  terminates \true; exits \false;
  assigns              poll->stored;
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, written, spent, made, told);
*/
static void fumata_life_stores(fumata_poll *poll, uint16_t *used, uint32_t units, int32_t *lead, uint32_t room,
                               uint32_t unit, int64_t *took, uint32_t written, uint32_t spent, uint32_t made,
                               uint32_t told) {
  /*@ assert order: took[poll->answered] <= took[poll->asked]; */
  fumata_poll_stored(poll);
}

/* The queue is emptied. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  requires waits:      FumataWaits(poll, used, unit, took, written, spent, made, told);
  requires so_far:     spent <= written && told <= made;
  terminates \true; exits \false;
  assigns              poll->asked, poll->stored, poll->answered, lead[0 .. room], took[0];
  ensures running:     FumataPollInvariant(poll) && FumataPollIs(poll, used, units, lead, room);
  ensures waits:       FumataWaits(poll, used, unit, took, written, spent, made, told);
*/
static void fumata_life_clears(fumata_poll *poll, uint16_t *used, uint32_t units, int32_t *lead, uint32_t room,
                               uint32_t unit, int64_t *took, uint32_t written, uint32_t spent, uint32_t made,
                               uint32_t told) {
  /*@ assert order: took[poll->answered] <= took[poll->asked]; */
  /*@ assert spent: spent <= used[unit]; */
  fumata_poll_clear(poll);
  took[0] = 0;
}

/* The program starts again from what it wrote last: whether it runs. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires plan:       FumataPollCanStart(poll, plan, claim) && FumataPollIs(poll, used, units, lead, room);
  requires apart:      \separated(poll, plan);
  requires so_far:     FumataPolledOk(written, spent, made, told, plan->limit);
  terminates \true; exits \false;
  assigns              poll->plan, poll->asked, poll->stored, poll->answered, used[unit], took[0];
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures is:          FumataPollIs(poll, used, units, lead, room);
  ensures running:     \result != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  ensures waits:       \result != 0 ==> FumataWaits(poll, used, unit, took, written, spent, made, told);
*/
static uint32_t fumata_life_starts(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim,
                                   uint16_t *used, uint32_t units, int32_t *lead, uint32_t room, uint32_t unit,
                                   int64_t *took, uint32_t written, uint32_t spent, uint32_t made, uint32_t told) {
  uint32_t alive;

  used[unit] = (uint16_t)written;
  took[0] = 0;
  alive = fumata_poll_resume(poll, plan, claim) == FUMATA_OK;
  /*@ assert plan:   FumataPlanStays{Pre, Here}(plan); */
  /*@ assert used:   used[unit] == written && took[0] == 0; */
  /*@ assert is:     FumataPollIs(poll, used, units, lead, room); */
  /*@ assert starts: alive != 0 ==> FumataPollStarts(poll, plan); */
  /*@ assert idle:   alive != 0 ==> FumataPollIsIdle(poll); */
  /*@ assert limit:  alive != 0 ==> poll->plan.limit == plan->limit; */
  return alive;
}

/* The program ends. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  terminates \true; exits \false;
  assigns              poll->asked, poll->stored, poll->answered, poll->leads.size, used[0 .. units - 1], lead[0 .. room];
  ensures is:          FumataPollIs(poll, used, units, lead, room);
*/
static void fumata_life_ends(fumata_poll *poll, uint16_t *used, uint32_t units, int32_t *lead, uint32_t room,
                             uint32_t unit, int64_t *took) {
  fumata_poll_close(poll);
  poll->leads.size = room;
}

/* One step of a program that runs. */
/*@
  requires running:    FumataLifeRuns(poll, used, units, lead, room, unit, took);
  requires waits:      FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  requires so_far:     FumataPolledOk(life.written, life.spent, life.made, life.told, poll->plan.limit);
  requires steps:      life.made < 4294967295;
  requires question:   FumataPollCanAsk(poll, question) && FumataPollCanHear(poll, voices) && FumataPollCanList(poll, asked);
  terminates \true; exits \false;
  assigns              poll->asked, poll->stored, poll->answered, poll->leads.size, used[0 .. units - 1], lead[0 .. room],
                       took[0 .. room];
  ensures is:          FumataPollIs(poll, used, units, lead, room);
  ensures running:     \result.alive != 0 ==> FumataPollInvariant(poll);
  ensures waits:       \result.alive != 0 ==>
                       FumataWaits(poll, used, unit, took, \result.written, \result.spent, \result.made, \result.told);
  ensures so_far:      FumataPolledOk(\result.written, \result.spent, \result.made, \result.told, poll->plan.limit);
  ensures made:        life.made <= \result.made <= life.made + 1;
*/
static fumata_polled fumata_life_steps(fumata_poll *poll, fumata_polled life, uint16_t *used, uint32_t units,
                                       int32_t *lead, uint32_t room, uint32_t unit, int64_t *took,
                                       const fumata_question *question, const fumata_voices *voices,
                                       const fumata_list *asked, uint64_t coin, uint8_t step) {
  fumata_said said;

  if (step == FUMATA_TURN_ASK) {
    life.made += fumata_life_asks(poll, used, units, lead, room, unit, took, question, voices, life.written, life.spent,
                                  life.made, life.told);
  } else if (step == FUMATA_TURN_LIST) {
    life.made += fumata_life_lists(poll, used, units, lead, room, unit, took, question, asked, life.written, life.spent,
                                   life.made, life.told);
  } else if (step == FUMATA_TURN_WRITE) {
    life.written = fumata_life_writes(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  } else if (step == FUMATA_TURN_STORED && life.written == used[unit]) {
    fumata_life_stores(poll, used, units, lead, room, unit, took, life.written, life.spent, life.made, life.told);
  } else if (step == FUMATA_TURN_ANSWER) {
    said = fumata_life_answers(poll, used, units, lead, room, unit, took, coin, life.written, life.spent, life.made,
                               life.told);
    /*@ assert order: took[poll->answered] <= took[poll->stored]; */
    life.spent += said.vote;
    life.told += said.seen != FUMATA_UNSAID;
  } else if (step == FUMATA_TURN_CLEAR) {
    fumata_life_clears(poll, used, units, lead, room, unit, took, life.written, life.spent, life.made, life.told);
  } else if (step == FUMATA_TURN_CLOSE) {
    fumata_life_ends(poll, used, units, lead, room, unit, took);
    life.alive = 0u;
  } else if (step == FUMATA_TURN_CRASH) {
    life.alive = 0u;
  }
  return life;
}

/* One step of a life. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires plan:       FumataPollCanStart(poll, plan, claim) && \separated(poll, plan);
  requires is:         FumataPollIs(poll, used, units, lead, room);
  requires running:    life.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  requires waits:      life.alive != 0 ==> FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  requires so_far:     FumataPolledOk(life.written, life.spent, life.made, life.told, plan->limit);
  requires begun:      life.alive != 0 ==> begun != 0;
  requires steps:      life.made < 4294967295;
  requires question:   FumataPollCanAsk(poll, question) && FumataPollCanHear(poll, voices) && FumataPollCanList(poll, asked);
  terminates \true; exits \false;
  assigns              poll->plan, poll->asked, poll->stored, poll->answered, poll->leads.size, used[0 .. units - 1],
                       lead[0 .. room], took[0 .. room];
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures is:          FumataPollIs(poll, used, units, lead, room);
  ensures running:     \result.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  ensures waits:       \result.alive != 0 ==>
                       FumataWaits(poll, used, unit, took, \result.written, \result.spent, \result.made, \result.told);
  ensures so_far:      FumataPolledOk(\result.written, \result.spent, \result.made, \result.told, plan->limit);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures made:        life.made <= \result.made <= life.made + 1;
  ensures silent:      begun == 0 ==> \result.made == life.made;
*/
static fumata_polled fumata_life_goes_on(fumata_poll *poll, fumata_polled life, const fumata_toll_plan *plan,
                                         const fumata_claim *claim, uint32_t begun, uint16_t *used, uint32_t units,
                                         int32_t *lead, uint32_t room, uint32_t unit, int64_t *took,
                                         const fumata_question *question, const fumata_voices *voices,
                                         const fumata_list *asked, uint64_t coin, uint8_t step) {
  if (step == FUMATA_TURN_START && begun) {
    life.alive = fumata_life_starts(poll, plan, claim, used, units, lead, room, unit, took, life.written, life.spent,
                                    life.made, life.told);
    /*@ assert plan: FumataPlanStays{Pre, Here}(plan); */
  } else if (life.alive) {
    life = fumata_life_steps(poll, life, used, units, lead, room, unit, took, question, voices, asked, coin, step);
    /*@ assert plan: FumataPlanStays{Pre, Here}(plan); */
    /*@ assert runs: FumataPollRuns(poll, plan); */
  }
  return life;
}

/* The first start, of a poll in which nobody has voted: whether it runs. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires is:         FumataPollIs(poll, used, units, lead, room);
  requires plan:       FumataTollPlanReadable(plan) && \valid_read(claim);
  requires apart:      FumataPollApart(poll, plan, claim, used, units, lead, room, plan->named, plan->size);
  terminates \true; exits \false;
  assigns              poll->plan, poll->asked, poll->stored, poll->answered, used[0 .. units - 1], took[0];
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures is:          FumataPollIs(poll, used, units, lead, room);
  ensures running:     \result != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  ensures waits:       \result != 0 ==> FumataWaits(poll, used, unit, took, 0, 0, 0, 0);
  ensures certified:   \result != 0 ==> FumataTollIsCertified{Pre}(plan, claim);
*/
static uint32_t fumata_life_begins(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim,
                                   uint16_t *used, uint32_t units, int32_t *lead, uint32_t room, uint32_t unit,
                                   int64_t *took) {
  uint32_t begun;

  /*@ assert start: FumataPollCanStart(poll, plan, claim); */
  begun = fumata_poll_init(poll, plan, claim) == FUMATA_OK;
  took[0] = 0;
  /*@ assert plan:   FumataPlanStays{Pre, Here}(plan); */
  /*@ assert is:     FumataPollIs(poll, used, units, lead, room); */
  /*@ assert starts: begun != 0 ==> FumataPollStarts(poll, plan) && used[unit] == 0; */
  return begun;
}

/* A question is put together, and whom it asks. */
/*@
  requires memory:     \valid(poll) && \valid_read(plan) && \valid(question) && \valid(voices) && \valid(asked);
  requires apart:      \separated(poll, question) && \separated(poll, voices) && \separated(poll, asked) &&
                       \separated(question, plan) && \separated(voices, plan) && \separated(asked, plan) &&
                       \separated(question, voices, asked);
  terminates \true; exits \false;
  assigns              *question, *voices, *asked;
  ensures poll:        FumataPollStays{Pre, Post}(poll);
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures question:    question->weights == weights + from && question->size == size;
  ensures voices:      voices->distances == numbers + from && voices->labels == labels + from;
  ensures list:        asked->units == numbers + from && asked->labels == labels + from;
*/
static void fumata_life_puts(fumata_poll *poll, const fumata_toll_plan *plan, fumata_question *question,
                             fumata_voices *voices, fumata_list *asked, const int16_t *weights, const uint32_t *numbers,
                             const uint16_t *labels, uint32_t from, uint32_t size, uint32_t most, uint32_t radius,
                             uint32_t listed) {
  question->weights = weights + from;
  question->size = size;
  question->most = most;
  question->radius = radius;
  /*@ assert question: FumataPollStays{Pre, Here}(poll) && FumataPlanStays{Pre, Here}(plan); */
  voices->distances = numbers + from;
  voices->labels = labels + from;
  /*@ assert voices:   FumataPollStays{Pre, Here}(poll) && FumataPlanStays{Pre, Here}(plan); */
  asked->units = numbers + from;
  asked->labels = labels + from;
  asked->size = listed;
}

/* It may be asked. */
/*@
  requires memory:     \valid(poll) && \valid_read(question) && FumataPollIs(poll, used, units, lead, room);
  requires weights:    \valid_read(weights + (0 .. (integer)pool + FUMATA_CLASSES_MAX - 1)) && from <= pool;
  requires apart:      \separated(poll, weights + (0 .. (integer)pool + 4294967295)) &&
                       \separated(used + (0 .. units - 1), weights + (0 .. (integer)pool + 4294967295));
  requires scratch:    \separated(poll, question) && \separated(used + (0 .. units - 1), question) &&
                       \separated(lead + (0 .. room - 1), question);
  requires question:   question->weights == weights + from;
  terminates \true; exits \false;
  assigns              \nothing;
  ensures asks:        FumataPollCanAsk(poll, question);
*/
static void fumata_life_may_ask(const fumata_poll *poll, const uint16_t *used, uint32_t units, const int32_t *lead,
                                uint32_t room, const fumata_question *question, const int16_t *weights, uint32_t pool,
                                uint32_t from) {
  /*@ assert weights: \separated(used + (0 .. units - 1), question->weights + (0 .. question->size - 1)); */
}

/* So may those of a list. */
/*@
  requires memory:     \valid(poll) && \valid_read(asked) && poll->uses.used == used && poll->uses.size == units;
  requires pool:       \valid_read(numbers + (0 .. (integer)pool + FUMATA_UNITS_MAX - 1)) && from <= pool &&
                       \valid_read(labels + (0 .. (integer)pool + FUMATA_UNITS_MAX - 1));
  requires apart:      \separated(poll, numbers + (0 .. (integer)pool + 4294967295)) &&
                       \separated(poll, labels + (0 .. (integer)pool + 4294967295)) &&
                       \separated(used + (0 .. units - 1), labels + (0 .. (integer)pool + 4294967295));
  requires scratch:    \separated(poll, asked) && \separated(used + (0 .. units - 1), asked);
  requires list:       asked->units == numbers + from && asked->labels == labels + from;
  terminates \true; exits \false;
  assigns              \nothing;
  ensures lists:       FumataPollCanList(poll, asked);
*/
static void fumata_life_may_list(const fumata_poll *poll, const uint16_t *used, uint32_t units, const fumata_list *asked,
                                 const uint32_t *numbers, const uint16_t *labels, uint32_t pool, uint32_t from) {
  /*@ assert labels: \separated(used + (0 .. units - 1), asked->labels + (0 .. asked->size - 1)); */
}

/* One step of a life, with a question that is made of numbers. */
/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires plan:       FumataTollPlanReadable(plan) && \valid_read(claim);
  requires apart:      FumataPollApart(poll, plan, claim, used, units, lead, room, plan->named, plan->size);
  requires scratch:    FumataScratchOk(poll, plan, claim, used, units, lead, room, question, voices, asked);
  requires pool:       FumataPoolOk(poll, used, units, weights, numbers, labels, pool) && from <= pool;
  requires is:         FumataPollIs(poll, used, units, lead, room);
  requires running:    life.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  requires waits:      life.alive != 0 ==> FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
  requires so_far:     FumataPolledOk(life.written, life.spent, life.made, life.told, plan->limit);
  requires begun:      life.alive != 0 ==> begun != 0;
  requires steps:      life.made < 4294967295;
  terminates \true; exits \false;
  assigns              poll->plan, poll->asked, poll->stored, poll->answered, poll->leads.size, used[0 .. units - 1],
                       lead[0 .. room], took[0 .. room], *question, *voices, *asked;
  ensures plan:        FumataPlanStays{Pre, Post}(plan);
  ensures is:          FumataPollIs(poll, used, units, lead, room);
  ensures running:     \result.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
  ensures waits:       \result.alive != 0 ==>
                       FumataWaits(poll, used, unit, took, \result.written, \result.spent, \result.made, \result.told);
  ensures so_far:      FumataPolledOk(\result.written, \result.spent, \result.made, \result.told, plan->limit);
  ensures begun:       \result.alive != 0 ==> begun != 0;
  ensures made:        life.made <= \result.made <= life.made + 1;
  ensures silent:      begun == 0 ==> \result.made == life.made;
*/
static fumata_polled fumata_life_turns(fumata_poll *poll, fumata_polled life, const fumata_toll_plan *plan,
                                       const fumata_claim *claim, uint32_t begun, uint16_t *used, uint32_t units,
                                       int32_t *lead, uint32_t room, uint32_t unit, int64_t *took,
                                       fumata_question *question, fumata_voices *voices, fumata_list *asked,
                                       const int16_t *weights, const uint32_t *numbers, const uint16_t *labels,
                                       uint32_t pool, uint32_t from, uint32_t size, uint32_t most, uint32_t radius,
                                       uint32_t listed, uint64_t coin, uint8_t step) {
  fumata_life_puts(poll, plan, question, voices, asked, weights, numbers, labels, from, size, most, radius, listed);
  /*@ assert is:    FumataPollIs(poll, used, units, lead, room); */
  /*@ assert lives: life.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room); */
  /*@ assert start: FumataPollCanStart(poll, plan, claim); */
  /*@ assert hears: FumataPollCanHear(poll, voices); */
  fumata_life_may_ask(poll, used, units, lead, room, question, weights, pool, from);
  fumata_life_may_list(poll, used, units, asked, numbers, labels, pool, from);
  return fumata_life_goes_on(poll, life, plan, claim, begun, used, units, lead, room, unit, took, question, voices, asked,
                             coin, step);
}

/*@
  requires memory:     \valid(poll) && FumataLentOk(poll, used, units, lead, room, unit, took);
  requires is:         FumataPollIs(poll, used, units, lead, room);
  requires plan:       FumataTollPlanReadable(plan) && \valid_read(claim);
  requires apart:      FumataPollApart(poll, plan, claim, used, units, lead, room, plan->named, plan->size);
  requires scratch:    FumataScratchOk(poll, plan, claim, used, units, lead, room, question, voices, asked);
  requires pool:       FumataPoolOk(poll, used, units, weights, numbers, labels, pool);
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1));
  requires questions:  \valid_read(sizes + (0 .. length - 1)) && \valid_read(mosts + (0 .. length - 1)) &&
                       \valid_read(radii + (0 .. length - 1)) && \valid_read(lists + (0 .. length - 1)) &&
                       \valid_read(where + (0 .. length - 1));
  terminates \true; exits \false;
  assigns              *poll, used[0 .. units - 1], lead[0 .. room], took[0 .. room], *question, *voices, *asked;
  ensures limit:       \result.spent <= \result.written <= plan->limit;
  ensures leads:       \result.told <= \result.made;
  ensures certified:   \result.made > 0 ==> FumataTollIsCertified{Pre}(plan, claim);
*/
fumata_polled fumata_history_poll(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim,
                                  uint16_t *used, uint32_t units, int32_t *lead, uint32_t room, uint32_t unit,
                                  int64_t *took, fumata_question *question, fumata_voices *voices, fumata_list *asked,
                                  const int16_t *weights, const uint32_t *numbers, const uint16_t *labels,
                                  uint32_t pool, uint32_t length, const uint8_t *steps, const uint64_t *coins,
                                  const uint32_t *sizes, const uint32_t *mosts, const uint32_t *radii,
                                  const uint32_t *lists, const uint32_t *where) {
  fumata_polled life = {0u, 0u, 0u, 0u, 0u};
  uint32_t begun = fumata_life_begins(poll, plan, claim, used, units, lead, room, unit, took);
  uint32_t i;

  life.alive = begun;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant plan:      FumataPlanStays{Pre, Here}(plan);
    loop invariant is:        FumataPollIs(poll, used, units, lead, room);
    loop invariant running:   life.alive != 0 ==> FumataPollLives(poll, plan, used, units, lead, room);
    loop invariant waits:     life.alive != 0 ==>
                                FumataWaits(poll, used, unit, took, life.written, life.spent, life.made, life.told);
    loop invariant so_far:    FumataPolledOk(life.written, life.spent, life.made, life.told, plan->limit);
    loop invariant begun:     life.alive != 0 || life.made > 0 ==> begun != 0;
    loop invariant made:      life.made <= i;
    loop assigns              i, life, *poll, used[0 .. units - 1], lead[0 .. room], took[0 .. room], *question,
                              *voices, *asked;
    loop variant              length - i;
  */
  for (i = 0u; i < length; i++) {
    life = fumata_life_turns(poll, life, plan, claim, begun, used, units, lead, room, unit, took, question, voices,
                             asked, weights, numbers, labels, pool, where[i] <= pool ? where[i] : 0u, sizes[i], mosts[i],
                             radii[i], lists[i], coins[i], steps[i]);
  }
  return life;
}

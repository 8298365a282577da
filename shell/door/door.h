/* The planner, the ledger and block-wise answering for programs in other languages: opaque handles, plain arrays,
 * errors as a text. A NULL argument that is needed is an error; for functions that return a number the number is 0. Nothing is
 * printed. Threads may work side by side, each with handles of its own; a handle is for one thread at a time. After a fork a
 * meter belongs to the parent: in the child it does not answer, and closing it frees its memory and leaves the ledger alone. */
#ifndef DOOR_DOOR_H
#define DOOR_DOOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FUMATA_DOOR __attribute__((visibility("default")))

typedef struct fumata_door_plan fumata_door_plan;
typedef struct fumata_door_meter fumata_door_meter;
typedef struct fumata_door_poll fumata_door_poll;

/* What a function that returns int returns: the exit codes of the program. */
enum {
  FUMATA_DOOR_OK = 0,
  FUMATA_DOOR_REFUSED = 1, /* a plan that is not certified, a budget that is spent */
  FUMATA_DOOR_INPUT = 2,   /* a wrong argument or a wrong file */
  FUMATA_DOOR_SYSTEM = 3,  /* the machine failed: disk, memory, randomness */
  FUMATA_DOOR_STOPPED = 4  /* a signal asked to stop */
};

/* What the elements of a block of votes are. */
enum { FUMATA_DOOR_LABELS8 = 1, FUMATA_DOOR_LABELS16 = 2, FUMATA_DOOR_COUNTS = 3 };

/* What a plan says, for showing. `table` belongs to the plan; it is NULL for a plan without a silence table. */
typedef struct {
  uint64_t epsilon_num, epsilon_den, delta_num, delta_den, v;
  uint32_t alpha, silences, size, is_classic;
  const uint64_t *table;
} fumata_door_facts;

/* What a plan says about the toll: the price of an answer, how many there are, and the table of how often the answer is the
 * winner (times 2^64, from distance 1 on), which belongs to the plan. All is 0 for a plan without answers. */
typedef struct {
  uint64_t u;
  uint32_t answers, size;
  const uint64_t *named;
} fumata_door_toll_facts;

/* The text of this thread's last error. */
FUMATA_DOOR const char *fumata_door_error(void);

/* The version of the library. */
FUMATA_DOOR const char *fumata_door_version(void);

/* Each of these returns one of the codes above. */

/* A plan made to measure; `mechanism` is "meter" or "classic". */
FUMATA_DOOR int fumata_door_plan_make(const char *epsilon, const char *delta, uint32_t silences, const char *mechanism,
                                      fumata_door_plan **plan);
/* A plan for silences, for answers of the toll, or for both in one budget; 0: none of that kind. */
FUMATA_DOOR int fumata_door_plan_budget(const char *epsilon, const char *delta, uint32_t silences, uint32_t answers,
                                        fumata_door_plan **plan);
/* The plan for the most answers, up to `most`, such that the answer to a vote at `distance` is its winner with probability
 * `named` or more; refused if there is no such plan. */
FUMATA_DOOR int fumata_door_plan_most_answers(const char *epsilon, const char *delta, uint32_t distance, double named,
                                              uint32_t most, fumata_door_plan **plan);
/* A meter plan from the caller's numbers; the table is copied. Refused unless the core certifies it. */
FUMATA_DOOR int fumata_door_plan_trust(const char *epsilon, const char *delta, uint32_t silences, uint32_t alpha,
                                       uint64_t v, const uint64_t *table, uint64_t size, fumata_door_plan **plan);
/* A toll plan likewise. */
FUMATA_DOOR int fumata_door_plan_trust_toll(const char *epsilon, const char *delta, uint32_t answers, uint32_t alpha,
                                            uint64_t u, const uint64_t *named, uint64_t size, fumata_door_plan **plan);
/* A plan file; refused unless the core certifies it. */
FUMATA_DOOR int fumata_door_plan_read(const char *path, fumata_door_plan **plan);
FUMATA_DOOR int fumata_door_plan_write(const fumata_door_plan *plan, const char *path);
FUMATA_DOOR void fumata_door_plan_facts(const fumata_door_plan *plan, fumata_door_facts *facts);
FUMATA_DOOR double fumata_door_plan_silence(const fumata_door_plan *plan, uint32_t distance);
FUMATA_DOOR void fumata_door_plan_toll_facts(const fumata_door_plan *plan, fumata_door_toll_facts *facts);
/* How often the toll's answer to a vote at this distance is its winner; 0 for a plan without answers. */
FUMATA_DOOR double fumata_door_plan_named(const fumata_door_plan *plan, uint32_t distance);
FUMATA_DOOR void fumata_door_plan_free(fumata_door_plan *plan);

/* Begin or resume the plan on a ledger. The totals may be NULL. The plan must outlive the meter. */
FUMATA_DOOR int fumata_door_meter_open(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                                       const char *total_epsilon, const char *total_delta, int again,
                                       fumata_door_meter **meter);
/* Answer `rows` ballots of `columns` elements; *done of them when the budget closes or an error stops it. A label that
 * is not a class abstains; counts may be any numbers. */
FUMATA_DOOR int fumata_door_meter_answer(fumata_door_meter *meter, const void *votes, int kind, uint64_t rows,
                                         uint32_t columns, int32_t *answers, uint64_t *done);
FUMATA_DOOR uint32_t fumata_door_meter_left(const fumata_door_meter *meter); /* silences */

/* The same ballots asked of the toll: each answer is one of two candidates. `pairs` is rows x 2 labels, the smaller one of
 * a query's two first, chosen publicly and never by looking at votes; NULL where there are two classes. *done of them when
 * the answers are spent or an error stops it. */
FUMATA_DOOR int fumata_door_meter_choose(fumata_door_meter *meter, const void *votes, int kind, uint64_t rows,
                                         uint32_t columns, const uint32_t *pairs, int32_t *answers, uint64_t *done);
FUMATA_DOOR uint32_t fumata_door_meter_answers_left(const fumata_door_meter *meter);
/* Which plan of the ledger this is, 1, 2, ... as in its journal, and the number of the plan's next query. */
FUMATA_DOOR uint64_t fumata_door_meter_plan(const fumata_door_meter *meter);
FUMATA_DOOR uint64_t fumata_door_meter_next(const fumata_door_meter *meter);
/* How many silences and answers are paid for at a time from here on, and may be lost by a crash; 0: as before. */
FUMATA_DOOR void fumata_door_meter_reserve(fumata_door_meter *meter, uint32_t silences, uint32_t answers);

/* An answer that was released, as the ledger's journal has it: of which plan, to which query (from 0 on, over all meters of the
 * plan), a label or below 0 a silence; of the toll between which two labels. `kind` is 0 of the meter, 1 of the toll, 2 of a poll. */
typedef struct {
  uint64_t plan, query;
  uint32_t kind, first, second;
  int32_t answer;
} fumata_door_answer;

/* The first `room` of all answers that were paid for in a ledger, the oldest first, also after a crash and while it is in use; how
 * many there are in *count. */
FUMATA_DOOR int fumata_door_ledger_answers(const char *ledger, fumata_door_answer *answers, uint64_t room,
                                           uint64_t *count);

/* ---- budgets ---- */

/* What a ledger has spent, and its ceilings; a den of 0: there is no ceiling. */
typedef struct {
  uint64_t spent_epsilon_num, spent_epsilon_den, spent_delta_num, spent_delta_den;
  uint64_t total_epsilon_num, total_epsilon_den, total_delta_num, total_delta_den;
} fumata_door_totals;

/* A ledger with these ceilings, made where there is none; one that is there must have the same. Either may be NULL. */
FUMATA_DOOR int fumata_door_ledger_make(const char *ledger, const char *total_epsilon, const char *total_delta);
/* Also while it is in use. */
FUMATA_DOOR int fumata_door_ledger_totals(const char *ledger, fumata_door_totals *totals);
/* Refuses a budget whose bound says nothing: a delta of 1/100 or more, an epsilon above 20. */
FUMATA_DOOR int fumata_door_budget_check(const char *epsilon, const char *delta);
/* Refuses teachers who are too few for the plan: even a unanimous vote of them would go unanswered, more often than not. */
FUMATA_DOOR int fumata_door_plan_check_teachers(const fumata_door_plan *plan, uint32_t teachers);
/* Would fumata_door_meter_open_for begin or resume this plan, as the ledger is now? Writes and spends nothing: to be asked before
 * teachers are trained. A ledger that is not there allows any plan. */
FUMATA_DOOR int fumata_door_plan_allow(const fumata_door_plan *plan, const char *ledger, const char *protects,
                                       int again);
/* fumata_door_meter_open for votes whose neighbours the caller knows: `protects` is "records", "labels" or "units of NAME", and
 * goes into the ledger, which refuses to add up costs that protect different things. NULL: votes of unknown origin. */
FUMATA_DOOR int fumata_door_meter_open_for(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                                           const char *protects, const char *total_epsilon, const char *total_delta,
                                           int again, fumata_door_meter **meter);

/* Gives an unused reservation back and frees the meter, whatever is returned. */
FUMATA_DOOR int fumata_door_meter_close(fumata_door_meter *meter);

/* ---- the poll: private records near a public question vote, each at most B times ---- */

/* Private records: where each lies, `dimensions` whole numbers from -1023 to 1023 a record (others are clipped), and its class. A
 * place is computed from its own record alone, by a public rule. `first` NULL: each record is a unit; else records first[u] ..
 * first[u + 1] - 1 are unit u's, of `units`, and the nearest of them speaks for it. */
typedef struct {
  uint32_t records, dimensions, units;
  const int16_t *places;
  const uint16_t *labels;
  const uint32_t *first;
} fumata_door_crowd;

/* A public question, chosen by public data and released answers alone: records at most `radius` (squared) from the centre vote
 * with the weight of their class, from -most to most; those of weight 0 do not vote. `row` is the caller's own number of it. */
typedef struct {
  uint64_t row;
  const int16_t *centre, *weights;
  uint32_t most, radius;
} fumata_door_question;

/* A plan in which each unit has `votes` votes. The claim is about one unit added or removed; for one that is changed epsilon doubles. */
FUMATA_DOOR int fumata_door_poll_plan(const char *epsilon, const char *delta, uint32_t votes, fumata_door_plan **plan);
/* Begin the poll on a ledger, which costs the plan's whole epsilon and delta, or resume it on the very same crowd. The plan must
 * outlive it; the crowd is copied, and wiped when the poll is closed. */
FUMATA_DOOR int fumata_door_poll_open(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                                      const fumata_door_crowd *crowd, const char *total_epsilon,
                                      const char *total_delta, int again, fumata_door_poll **poll);
/* Answer questions that do not depend on each other's answers: 1 is yes, the weights' sum is probably positive. What was asked in
 * an earlier session, in the same order, is answered as it was then. *done of them when an error stops it. */
FUMATA_DOOR int fumata_door_poll_ask(fumata_door_poll *poll, const fumata_door_question *questions, uint64_t count,
                                     uint8_t *yes, uint64_t *done);
/* Wipes what is private and frees the poll, whatever is returned. */
FUMATA_DOOR int fumata_door_poll_close(fumata_door_poll *poll);

#ifdef __cplusplus
}
#endif

#endif

/* What a run may spend and what it buys: the ledger beside the private file, the plan, and before it the numbers that the
 * planner needs and was not given, each paid for. Nothing else in a run uses the number of private records. */
#ifndef RUN_BUDGET_H
#define RUN_BUDGET_H

#include "gate/session.h"
#include "learn/asking.h"
#include "learn/polling.h"
#include "plan/plan_count.h"
#include "run/teachers.h"

#define BUDGET_OPEN (-1) /* an option that was not given */

struct budget {
  /* requested */
  struct plan_target target; /* what was not given is 0 */
  const char *plan_path;
  struct session_options session;
  int raise_total, same_data_set, anyway;
  /* ... and for `learn` only */
  int mechanism, constants; /* an enum plan_mechanism, or BUDGET_OPEN; an enum plan_constants */
  int way;                  /* an enum asking_way, or BUDGET_OPEN */
  int is_poll;              /* the private records vote, not teachers */
  double error_rate;        /* 0: not given */
  struct rational estimate; /* epsilon of the error estimate; den 0: not requested */
  uint64_t about;           /* private units: the operator's number, or a count with noise; 0: not known */
  /* made by the run */
  char *ledger; /* the one beside the private file, if none was named */
  char *other;  /* where labels are in their own file: the name of the same ledger beside the other of the two files */
  struct plan_box plan;
  struct polling_rule rule;                   /* of a poll */
  uint8_t data[DIGEST_SIZE];                  /* and whose records are asked (run/neighbours.h), before it is settled */
  int is_counted;                             /* `about` is a count with noise */
  struct rational count_epsilon, count_delta; /* its part of the budget; den 0: not counted */
  struct plan_count noise;                    /* of the estimate */
  struct rational estimate_delta;
  double estimated;
};

void budget_init(struct budget *budget);
void budget_free(struct budget *budget);

/* Each int below is an exit code (error.h). */

/* Does the budget protect, the estimate's part included? Call it before there is a plan, unless the operator insists. */
int budget_check(const struct budget *budget);

/* If no ledger was named, finds the one beside the private file (`path`, NULL: no file). Then takes the ledger, which must
 * be that of the private file; nothing is spent yet. */
int budget_find_ledger(struct budget *budget, const char *path);
int budget_open(const struct budget *budget, const char *path, struct session *session, struct coins *coins);

/* May results go to this path? Not onto the ledger, nor onto a file beside it, whether these exist yet or not. */
int budget_apart(const struct budget *budget, const char *path);

/* Rows and labels in two files have one ledger: once it is used, the name beside the other file is a link to it. */
int budget_link(const struct budget *budget);

/* The plan of --plan or the planner's. It must protect, and `teachers` (0: not known) must be enough for it, unless
 * --anyway is given. */
int budget_plan(struct budget *budget, uint32_t teachers);

/* ---- learn ---- */

/* Pays for the count and the estimate if they are needed, and makes the plan: teachers, silences and answers, and how to
 * ask. `queries` is the number of public records. */
int budget_settle(struct budget *budget, struct teachers *teachers, uint64_t queries, struct session *session,
                  struct coins *coins);

/* Makes only the plan: the mechanism, teachers, silences and answers where they are open, or the rule of a poll. It uses
 * public numbers: `units` that teach (0: not known; a poll must know), queries, classes. */
int budget_size(struct budget *budget, struct teachers *teachers, uint64_t units, uint64_t queries);

/* About how many units teach (0: not known), and what they are called. */
uint64_t budget_teaching(const struct budget *budget, const struct teachers *teachers);
const char *budget_noun(const struct teachers *teachers);

/* All costs of a run: the plan, the count of units, the error estimate. */
void budget_total(const struct budget *budget, struct rational *epsilon, struct rational *delta);

#endif

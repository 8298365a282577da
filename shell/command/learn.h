/* A run of `fumata learn`, shared by the files that make it up: learn.c (the run), learn_queries.c (what is asked),
 * learn_plan.c and learn_size.c (what is paid), learn_ask.c (rounds of questions), learn_output.c (what is written and
 * said). */
#ifndef COMMAND_LEARN_H
#define COMMAND_LEARN_H

#include "command/training.h"
#include "learn/asking.h"
#include "learn/error_estimate.h"
#include "learn/judgement.h"
#include "learn/student.h"
#include "plan/plan_count.h"

#define LEARN_OPEN (-1) /* a choice that was not made */

struct learn {
  /* what was asked for */
  struct training training;
  const char *student_text, *test_path, *output;
  enum silent_as silent_as;
  int has_silent_as, label_private, compare, json, dry_run;
  enum asking_way way;
  int has_way;
  int is_advised;           /* the silences beside answers */
  int mechanism, constants; /* an enum plan_mechanism, or LEARN_OPEN; an enum plan_constants */
  double error_rate;        /* 0: not given */
  struct rational estimate; /* den 0: not asked for */
  /* state */
  struct learner student;
  struct rows queries; /* public rows in the order in which they are asked */
  size_t *id;          /* record number of each */
  struct rows test;
  struct asking asking;
  uint64_t about; /* private units: what the operator says, or a count with noise; 0: not known */
  int is_counted; /* the latter */
  struct rational count_epsilon, count_delta; /* its part of the budget; den 0: not counted */
  struct learned learned;
  struct session session;
  struct plan_count noise; /* of the estimate */
  struct rational estimate_delta;
  double estimated;
  int has_score;
  size_t right, tested;
  struct judgement_facts facts;
  char *staging;
  int made_folder;
  size_t kept; /* how much of the folder's path was there before (base/output.h) */
};

/* The int functions return an exit code (error.h). */

/* Loads public and private rows, and shuffles the queries. */
int learn_queries_load(struct learn *learn);

/* Pays for what the planner must know and nobody said, and makes the plan: teachers and silences. Nothing else here looks
 * at how many private records there are. */
int learn_plan(struct learn *learn);

/* Settles the mechanism and fills in teachers, silences and answers where they are open, from public numbers: of `units` that
 * teach (0: not known), of queries, of classes. Then the plan itself. Then what follows from it: how is asked, and what kind
 * of student suits such answers. */
int learn_size(struct learn *learn, uint64_t units);
int learn_size_plan(struct learn *learn);
void learn_size_student(struct learn *learn);

/* Asks until nothing is left to ask or to pay with; and the student that learns from all that was said. */
int learn_ask(struct learn *learn);
int learn_ask_student(struct learn *learn);

/* Units that teach, about (0: not known), and what they are called. */
uint64_t learn_plan_teaching(const struct learn *learn);
const char *learn_plan_noun(const struct learn *learn);

/* What the student is worth, for the summary and the last lines. */
int learn_judge(struct learn *learn);

/* Columns, plan, expectations and time, from public data alone; instead of a run. */
int learn_dry_run(struct learn *learn);

/* The folder, with a place inside where results wait until all of them are there. */
int learn_output_open(struct learn *learn);

/* Everything into the waiting place, then all of it into the folder, the summary last. */
int learn_output_write(struct learn *learn);

/* --json: the summary, on standard output instead of the lines. */
int learn_output_print(const struct learn *learn);

/* The lines at the end of a run. */
void learn_output_tell(const struct learn *learn);

/* What is left of a run that failed: the ledger if anything was spent, else nothing. */
void learn_output_tidy(struct learn *learn);

#endif

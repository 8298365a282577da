/* The folder of results of `fumata learn`, which appear together or not at all: student.model, labels.csv, plan, summary.json.
 * Only what was released, or never depended on the private records, is in it. */
#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "run/budget.h"
#include "run/learning.h"
#include "run/neighbours.h"
#include "run/staging.h"

struct results {
  /* of what */
  const struct teachers *teachers;
  const struct budget *budget;
  const struct learning *learning;
  const struct neighbours *neighbours; /* where the budget is a poll's */
  const struct session *session;
  int is_seeded; /* nothing of it is private */
  /* where */
  const char *folder;
  struct staging staging; /* a place inside where results wait until all of them are there */
  int made_folder;
  int is_written, keeps_staging; /* all of it is in the folder; or a part is, and could not be taken back */
  int has_lock, lock;            /* on the folder: no other run writes into it meanwhile */
  size_t kept;                   /* how much of the folder's path was there before (base/output.h) */
};

/* Exit codes (error.h). */

/* Makes the folder, in which no result may be yet, but those that a run was about to write when it died. Once the ledger is open
 * it says whether that was one of its own, whose answers it has: these results are written anew, others never. */
int results_open(struct results *results);
int results_claim(struct results *results);

/* Room on the disk for all of them, before anything is spent: by what is public. Given free when they are written. */
int results_reserve(const struct results *results);

/* Everything into the waiting place, then all of it into the folder, the summary last. */
int results_write(struct results *results);

/* summary.json, on any stream. */
void results_print(const struct results *results, FILE *out);

/* What is left of a run that failed: the ledger if anything was spent, else nothing. Called in any case. */
void results_tidy(struct results *results);

#endif

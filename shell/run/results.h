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
  const struct neighbours *neighbours; /* if the budget is a poll's */
  const struct session *session;
  int is_seeded; /* nothing of it is private */
  /* where */
  const char *folder;
  struct staging staging; /* a place inside the folder where results wait until all are there */
  int made_folder;
  int is_written, keeps_staging; /* all results are in the folder; or some are, and could not be taken back */
  int has_lock, lock;            /* on the folder: meanwhile no other run writes into it */
  size_t kept;                   /* how much of the folder's path existed before (base/output.h) */
};

/* Exit codes (error.h). */

/* Makes the folder. It must not contain results yet, except those of a run that died while it wrote them. Once the ledger
 * is open, it tells whether that run was one of its own, whose answers it has: such results are written anew, others
 * never. */
int results_open(struct results *results);
int results_claim(struct results *results);

/* Takes room on the disk for all of them before anything is spent; the size follows from public numbers. The room is given
 * back once they are written. */
int results_reserve(const struct results *results);

/* Writes everything into the waiting place, then moves it into the folder, the summary last. */
int results_write(struct results *results);

/* Writes summary.json to any stream. */
void results_print(const struct results *results, FILE *out);

/* After a failed run leaves only the ledger if anything was spent, else nothing. Always call it. */
void results_tidy(struct results *results);

#endif

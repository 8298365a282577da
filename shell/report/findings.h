/* The results of a run of `fumata learn`: all that a page about it (page.h) is made of. Of the private records it has only what was
 * released. */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include <stdint.h>

#include "gate/ledger.h"
#include "learn/metrics.h"
#include "learn/model.h"
#include "plan/plan.h"
#include "report/summary.h"

enum { FINDINGS_SUMMARY, FINDINGS_PLAN, FINDINGS_LABELS, FINDINGS_MODEL, FINDINGS_FILES };
extern const char *const findings_files[FINDINGS_FILES]; /* their names in the folder */

/* Where the stream of answers stood after a row of the ledger. */
struct findings_point {
  uint64_t labels, silences, answers; /* of the meter; of the toll */
};

struct findings {
  /* what was asked for */
  const char *folder, *test_path, *ledger_path; /* NULL: not given */
  int exec;                                     /* a student with an exec learner may run its command */
  /* what the run left */
  char *path[FINDINGS_FILES];
  uint8_t digest[FINDINGS_FILES][DIGEST_SIZE];
  struct summary summary;
  struct plan_box plan;
  int is_certified; /* by this program's core */
  struct student_model model;
  uint64_t *released; /* for each class */
  uint64_t silent, labels;
  /* the ledger, if it was found */
  int has_ledger;
  char *ledger_found;
  struct ledger ledger;
  const struct ledger_plan *entry; /* this plan in it; NULL: it is not there */
  struct findings_point *point;
  size_t points, point_room;
  /* the student on the file of --test, and the results under their names in a summary */
  struct metrics metrics;
  struct summary measured;
};

/* Exit codes (error.h). findings_score does nothing without a test. */
int findings_read(struct findings *findings);
int findings_score(struct findings *findings);

/* What has test_accuracy and the like: the results of findings_score or, without them, the run's summary. */
const struct summary *findings_measured(const struct findings *findings);
void findings_free(struct findings *findings);

#endif

/* What a run of `fumata learn` left behind: all that a page about it (page.h) is made of. Nothing in it depends on private
 * records but what was released. */
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
  int exec;                                     /* a student that is a command may run */
  /* what the run left */
  char *path[FINDINGS_FILES];
  uint8_t digest[FINDINGS_FILES][DIGEST_SIZE];
  struct summary summary;
  struct plan_box plan;
  int is_certified; /* by the core of this program, just now */
  struct student_model model;
  uint64_t *released; /* for each class */
  uint64_t silent, labels;
  /* the ledger, if it is at hand */
  int has_ledger;
  char *ledger_found;
  struct ledger ledger;
  const struct ledger_plan *entry; /* this plan in it; NULL: it is not there */
  struct findings_point *point;
  size_t points, point_room;
  /* the student on the operator's own test; and its numbers under the names that they have in a summary */
  struct metrics metrics;
  struct summary measured;
};

/* Exit codes (error.h). The student is put to the test only if there is one. */
int findings_read(struct findings *findings);
int findings_score(struct findings *findings);

/* Where test_accuracy and the others of its kind stand: in what was measured just now, or else in what the run noted. */
const struct summary *findings_measured(const struct findings *findings);
void findings_free(struct findings *findings);

#endif

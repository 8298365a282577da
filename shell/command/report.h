/* A page about one run of `fumata learn`, shared by the files that make it: report.c (the command), report_read.c (what
 * the run left), report_score.c (the student on a test), report_page.c (the page), report_chart.c (its pictures),
 * report_html.c (text and style). */
#ifndef COMMAND_REPORT_H
#define COMMAND_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "command/report_summary.h"
#include "gate/ledger.h"
#include "learn/model.h"
#include "plan/plan.h"

enum { REPORT_SUMMARY, REPORT_PLAN, REPORT_LABELS, REPORT_MODEL, REPORT_FILES };
extern const char *const report_files[REPORT_FILES]; /* their names in the folder */

/* Where the stream of answers stood after a row of the ledger. */
struct report_point {
  uint64_t labels, silences, answers; /* of the meter; of the toll */
};

struct report {
  /* what was asked for */
  const char *folder, *test_path, *ledger_path, *output_path;
  int exec, force;
  /* what the run left */
  char *path[REPORT_FILES];
  uint8_t digest[REPORT_FILES][DIGEST_SIZE];
  struct report_summary summary;
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
  struct report_point *point;
  size_t points, point_room;
  /* the student on the test: confusion[truth * classes + answer] */
  uint64_t *confusion;
  uint64_t tested, right;
};

/* Exit codes (error.h). */
int report_read(struct report *report);
void report_read_free(struct report *report);
int report_score(struct report *report);
int report_page(const struct report *report, FILE *out);

#endif

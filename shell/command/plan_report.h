/* What is worth knowing about a plan, for people or as JSON, with the paper's constants beside it. */
#ifndef COMMAND_PLAN_REPORT_H
#define COMMAND_PLAN_REPORT_H

#include "plan/plan_classic.h"

struct plan_report {
  const struct plan_box *box;
  const struct plan_box *paper; /* the paper's noise as a plan; without memory if it does not fit a table */
  struct plan_paper constants;
  uint64_t queries;  /* that the paper's constants are for */
  uint32_t teachers; /* 0: not given */
};

/* Both print on standard output. */
void plan_report_text(const struct plan_report *report);
void plan_report_json(const struct plan_report *report);

#endif

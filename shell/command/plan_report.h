/* What `fumata plan` prints of a plan: the same facts as text (plan_report_text.c) and as JSON (plan_report_json.c), beside
 * what two papers prescribe for the same budget. */
#ifndef COMMAND_PLAN_REPORT_H
#define COMMAND_PLAN_REPORT_H

#include "plan/plan_classic.h"
#include "plan/plan_rules.h"

/* A paper's constants for the silences and for the answers, each with the whole epsilon, and what the core certifies for
 * tables made of them. A box without tables: the paper has no such queries, its noise fits no table, or none are asked. */
struct plan_report_paper {
  const char *name, *key; /* for people, and in JSON */
  struct plan_paper constants;
  struct plan_box silences;
  double sigma;
  struct plan_box answers;
};

enum { PLAN_REPORT_BASSILY, PLAN_REPORT_LIU, PLAN_REPORT_PAPERS };

/* What the operator believes about the teachers, for the papers' rules; 0: nothing was said. */
struct plan_report_beliefs {
  double error_rate;
  struct plan_rules_margin margin;
  uint64_t records; /* private ones, about */
};

struct plan_report {
  const struct plan_box *box;
  uint64_t queries;  /* the papers' m */
  uint32_t teachers; /* 0: not given */
  struct plan_report_beliefs beliefs;
  struct plan_target target;
  struct plan_report_paper papers[PLAN_REPORT_PAPERS];
};

/* The papers' columns for `target`, and an end of them. */
void plan_report_fill(struct plan_report *report, const struct plan_target *target);
void plan_report_free(struct plan_report *report);

/* What a plan is worth, query kind by query kind; UINT32_MAX stands for "never". */
#define PLAN_REPORT_LEVELS 3
struct plan_report_facts {
  uint32_t distance[PLAN_REPORT_LEVELS]; /* at which silence, or naming the loser, has fallen to each level */
  uint32_t unanimous, nine_tenths;       /* teachers for an answer, or for the winner, 95 times in 100 */
};

/* The levels, of the meter as silence and of the toll as naming the loser. */
double plan_report_level(enum plan_kind kind, int which);
struct plan_report_facts plan_report_look(const struct plan_box *box, enum plan_kind kind);
int plan_report_has(const struct plan_box *box); /* are there tables in it? */

/* The share of `teachers` that must name one label, all others naming the same second one, to stand at `distance`;
 * above 1 when not even all of them suffice. */
double plan_report_share(uint32_t teachers, uint32_t distance);

void plan_report_text(const struct plan_report *report);
void plan_report_json(const struct plan_report *report);

#endif

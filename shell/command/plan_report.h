/* What `fumata plan` prints of a plan: the same facts as text (plan_report_text.c) and as JSON (plan_report_json.c), and
 * where it is asked for what others prescribe for the same budget. */
#ifndef COMMAND_PLAN_REPORT_H
#define COMMAND_PLAN_REPORT_H

#include "plan/plan_classic.h"
#include "plan/plan_rules.h"

/* A rival's constants for the silences and for the answers, each with the whole epsilon, and what the core certifies for
 * tables made of them: by kind of query. A box without tables: the rival has no such queries, its noise fits no table, or
 * none are asked. */
struct plan_report_rival {
  const char *name, *key;      /* for people, and in JSON */
  struct plan_paper constants; /* of a paper's silences */
  double sigma;                /* of the Gaussian noise of its answers */
  struct plan_box boxes[PLAN_KINDS];
};

/* Two papers beside a meter's or a toll's plan, Gaussian noise beside a poll. */
enum { PLAN_REPORT_BASSILY, PLAN_REPORT_LIU, PLAN_REPORT_GAUSS = 0, PLAN_REPORT_RIVALS = 2 };

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
  struct plan_report_rival rivals[PLAN_REPORT_RIVALS];
  int rival_count; /* 0: none were asked for */
};

/* The rivals' columns for report->target. */
void plan_report_compare(struct plan_report *report);
void plan_report_free(struct plan_report *report);

/* What a plan is worth, query kind by query kind; UINT32_MAX stands for "never". */
#define PLAN_REPORT_LEVELS 3
struct plan_report_facts {
  uint32_t distance[PLAN_REPORT_LEVELS]; /* or lead, at which failing has fallen to each level */
  uint32_t unanimous, nine_tenths;       /* teachers for an answer, or for the winner, 95 times in 100 */
};

/* The levels: how often a query of the kind fails. */
double plan_report_level(enum plan_kind kind, int which);
struct plan_report_facts plan_report_look(const struct plan_box *box, enum plan_kind kind);
int plan_report_has(const struct plan_box *box); /* are there tables in it? */

/* The share of `teachers` that must name one label, all others naming the same second one, to stand at `distance`;
 * above 1 when not even all of them suffice. */
double plan_report_share(uint32_t teachers, uint32_t distance);

/* A poll's claim is about one record added or removed. One that is changed is both: twice epsilon, exactly, and (1 +
 * e^epsilon) delta, rounded up to three digits. */
void plan_report_changed_epsilon(const struct plan_box *box, char text[RATIONAL_TEXT]);
double plan_report_changed_delta(const struct plan_box *box);

void plan_report_text(const struct plan_report *report);
void plan_report_json(const struct plan_report *report);

/* What is paid for, as members of a JSON object: "silences" and "answers", or "votes_per_record". */
void plan_report_json_limit(const struct plan_box *box);

#endif

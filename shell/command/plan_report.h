/* What `fumata plan` prints about a plan: the same facts as text and as JSON, and with --compare what others prescribe for the
 * same budget. */
#ifndef COMMAND_PLAN_REPORT_H
#define COMMAND_PLAN_REPORT_H

#include "plan/plan_classic.h"
#include "plan/plan_rules.h"

/* A rival's constants for silences and for answers, each with the whole epsilon, and what the core certifies for tables made from
 * them, by kind of query. A box is without tables if the rival does not have such queries, if its noise does not fit a table, or if
 * the plan does not have such queries. */
struct plan_report_rival {
  const char *name, *key;      /* for people, and in JSON */
  struct plan_paper constants; /* of a paper's silences */
  double sigma;                /* of the Gaussian noise of its answers */
  struct plan_box boxes[PLAN_KINDS];
};

/* Two papers beside a meter's or a toll's plan, Gaussian noise beside a poll. */
enum { PLAN_REPORT_BASSILY, PLAN_REPORT_LIU, PLAN_REPORT_GAUSS = 0, PLAN_REPORT_RIVALS = 2 };

/* What the operator expects of the teachers, for the papers' rules; 0: not given. */
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

void plan_report_print(struct plan_report *report, int compare, int json);

/* The texts of a plan's epsilon and delta. */
void plan_report_claim(const struct plan_box *box, char epsilon[RATIONAL_TEXT], char delta[RATIONAL_TEXT]);

/* What is paid for, as members of a JSON object: "silences" and "answers", or "votes_per_record". */
struct json;
void plan_report_json_limit(struct json *json, const struct plan_box *box);

#endif

#include "command/plan_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rational.h"
#include "plan/policy.h"

#define PLAN_REPORT_TEACHERS 1000 /* for shares, where neither the operator nor the plan names a number */

/* UINT32_MAX stands for "never". */
struct plan_report_facts {
  uint32_t distance[3];            /* of each level of silence */
  uint32_t unanimous, nine_tenths; /* teachers for an answer 95 times in 100 */
};

static const double plan_report_levels[3] = {0.5, 0.05, 0.01};
static const char *const plan_report_names[3] = {"50", "5", "1"};

static void plan_report_look(const struct plan_box *box, struct plan_report_facts *facts) {
  for (int i = 0; i < 3; i++)
    facts->distance[i] = plan_distance(box, plan_report_levels[i]);
  facts->unanimous = plan_teachers(box, 1, PLAN_SILENCE);
  facts->nine_tenths = plan_teachers(box, PLAN_AGREEMENT, PLAN_SILENCE);
}

/* The share of `teachers` that must name one label, all others naming the same second one, to stand at `distance`;
 * above 1 when not even all of them suffice. */
static double plan_report_share(uint32_t teachers, uint32_t distance) {
  if (distance == UINT32_MAX) return 2;
  return floor((teachers + 2.0 * distance + 2) / 2) / teachers;
}

static void plan_report_cell(char text[24], uint32_t number) {
  if (number == UINT32_MAX)
    strcpy(text, "-");
  else
    snprintf(text, 24, "%" PRIu32, number);
}

static void plan_report_percent(char text[24], uint32_t teachers, uint32_t distance) {
  double share = plan_report_share(teachers, distance);
  if (share > 1)
    strcpy(text, "never");
  else
    snprintf(text, 24, "%.1f %%", 100 * share);
}

static void plan_report_text_claim(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("%s plan, certified by the core: epsilon %s, delta %s, %" PRIu32 " silences\n",
         plan_mechanism_name(box->mechanism), epsilon, delta, plan_limit(box).silences);
  if (box->mechanism == PLAN_MECHANISM_METER)
    printf("  alpha %" PRIu32 ", V %.9f, a table of %" PRIu32
           " distances; 1 - p at distance 1 is %.3g, p at the end %.3g\n",
           box->claim.alpha, ldexp((double)box->claim.v, -32), box->meter.size,
           ldexp((double)(0 - box->meter.silence[0]), -64),
           ldexp((double)box->meter.silence[box->meter.size - 1], -64));
  else
    printf("  alpha %" PRIu32 ", width %" PRId64 ", tables of %" PRIu32 " and %" PRIu32 " entries\n", box->claim.alpha,
           box->classic.width, box->classic.threshold.size, box->classic.query.size);
}

static void plan_report_text_distance(int level, uint32_t teachers, uint32_t ours, uint32_t theirs) {
  char label[48], a[24], b[24], c[24], d[24];
  snprintf(label, sizeof label, "silence falls to %g %% at distance", 100 * plan_report_levels[level]);
  plan_report_cell(a, ours);
  plan_report_percent(b, teachers, ours);
  plan_report_cell(c, theirs);
  plan_report_percent(d, teachers, theirs);
  if (theirs == UINT32_MAX)
    printf("%-36s %10s %20s   -\n", label, a, b);
  else
    printf("%-36s %10s %20s   %s (%s)\n", label, a, b, c, d);
}

static void plan_report_text_teachers(const char *label, uint32_t ours, uint32_t theirs) {
  char a[24], b[24];
  plan_report_cell(a, ours);
  plan_report_cell(b, theirs);
  printf("%-36s %10s %20s   %s\n", label, a, "", b);
}

static void plan_report_text_paper(const struct plan_report *report) {
  const struct plan_box *paper = report->paper;
  char epsilon[RATIONAL_TEXT];
  printf("\nthe paper (Algorithm 2, m = %" PRIu64 "): lambda %.1f, w %.0f, k %.0f teachers", report->queries,
         report->constants.lambda, report->constants.width, report->constants.teachers);
  if (paper->memory[0]) {
    rational_print(paper->claim.epsilon_num, paper->claim.epsilon_den, epsilon);
    printf("; the core certifies it at epsilon %s\n", epsilon);
  } else
    printf("; its noise does not fit a table here\n");
}

void plan_report_text(const struct plan_report *report) {
  struct plan_report_facts ours, theirs;
  uint32_t teachers = report->teachers;
  char scale[48];
  plan_report_look(report->box, &ours);
  memset(&theirs, 0xff, sizeof theirs);
  if (report->paper->memory[0]) plan_report_look(report->paper, &theirs);
  if (!teachers) teachers = ours.nine_tenths == UINT32_MAX ? PLAN_REPORT_TEACHERS : ours.nine_tenths;
  plan_report_text_claim(report->box);
  snprintf(scale, sizeof scale, "of %" PRIu32 " teachers", teachers);
  printf("\n%-36s %10s %20s   %s\n", "", "this plan", scale, "the paper's constants");
  for (int i = 0; i < 3; i++)
    plan_report_text_distance(i, teachers, ours.distance[i], theirs.distance[i]);
  plan_report_text_teachers("teachers, unanimous, 95 % answered", ours.unanimous, theirs.unanimous);
  plan_report_text_teachers("teachers, 90 % agree, 95 % answered", ours.nine_tenths, theirs.nine_tenths);
  plan_report_text_paper(report);
}

static void plan_report_json_number(const char *name, uint32_t number) {
  if (number == UINT32_MAX)
    printf("\"%s\": null", name);
  else
    printf("\"%s\": %" PRIu32, name, number);
}

static void plan_report_json_share(const char *name, double share) {
  if (share > 1)
    printf("\"%s\": null", name);
  else
    printf("\"%s\": %.6g", name, share);
}

static void plan_report_json_facts(const struct plan_box *box, uint32_t teachers) {
  struct plan_report_facts facts;
  plan_report_look(box, &facts);
  printf("\"distance\": {");
  for (int i = 0; i < 3; i++) {
    fputs(i ? ", " : "", stdout);
    plan_report_json_number(plan_report_names[i], facts.distance[i]);
  }
  printf("}, ");
  if (teachers) {
    printf("\"agreeing\": {");
    for (int i = 0; i < 3; i++) {
      fputs(i ? ", " : "", stdout);
      plan_report_json_share(plan_report_names[i], plan_report_share(teachers, facts.distance[i]));
    }
    printf("}, ");
  }
  plan_report_json_number("teachers_unanimous", facts.unanimous);
  printf(", ");
  plan_report_json_number("teachers_nine_tenths", facts.nine_tenths);
}

static void plan_report_json_claim(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("\"certified\": true, \"mechanism\": \"%s\", \"epsilon\": \"%s\", \"delta\": \"%s\", \"silences\": %" PRIu32
         ", \"alpha\": %" PRIu32 ", ",
         plan_mechanism_name(box->mechanism), epsilon, delta, plan_limit(box).silences, box->claim.alpha);
  if (box->mechanism == PLAN_MECHANISM_METER)
    printf("\"v\": %" PRIu64 ", \"size\": %" PRIu32 ", ", box->claim.v, box->meter.size);
  else
    printf("\"width\": %" PRId64 ", \"sizes\": [%" PRIu32 ", %" PRIu32 "], ", box->classic.width,
           box->classic.threshold.size, box->classic.query.size);
}

static void plan_report_json_paper(const struct plan_report *report) {
  const struct plan_box *paper = report->paper;
  char epsilon[RATIONAL_TEXT];
  printf("\"paper\": {\"queries\": %" PRIu64 ", \"lambda\": %.6g, \"width\": %.6g, \"teachers\": %.6g", report->queries,
         report->constants.lambda, report->constants.width, report->constants.teachers);
  if (paper->memory[0]) {
    rational_print(paper->claim.epsilon_num, paper->claim.epsilon_den, epsilon);
    printf(", \"certified_epsilon\": \"%s\", ", epsilon);
    plan_report_json_facts(paper, report->teachers);
  }
  printf("}");
}

void plan_report_json(const struct plan_report *report) {
  printf("{");
  plan_report_json_claim(report->box);
  if (report->teachers) printf("\"teachers\": %" PRIu32 ", ", report->teachers);
  plan_report_json_facts(report->box, report->teachers);
  printf(", ");
  plan_report_json_paper(report);
  printf("}\n");
}

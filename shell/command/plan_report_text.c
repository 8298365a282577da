#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rational.h"
#include "command/plan_report.h"

#define PLAN_REPORT_TEXT_TEACHERS 1000 /* for shares, where neither the operator nor the plan names a number */
#define PLAN_REPORT_TEXT_COLUMNS  "%-38s %10s %20s"

struct plan_report_text_cell {
  char text[32];
};

static struct plan_report_text_cell plan_report_text_number(uint32_t number) {
  struct plan_report_text_cell cell = {"-"};
  if (number != UINT32_MAX) snprintf(cell.text, sizeof cell.text, "%" PRIu32, number);
  return cell;
}

static struct plan_report_text_cell plan_report_text_percent(uint32_t teachers, uint32_t distance) {
  struct plan_report_text_cell cell = {"never"};
  double share = plan_report_share(teachers, distance);
  if (share <= 1) snprintf(cell.text, sizeof cell.text, "%.1f %%", 100 * share);
  return cell;
}

static void plan_report_text_meter(const struct plan_box *box) {
  printf("  alpha %" PRIu32 ", V %.9f, a table of %" PRIu32
         " distances; 1 - p at distance 1 is %.3g, p at the end %.3g\n",
         box->claim.alpha, ldexp((double)box->claim.v, -32), box->meter.size,
         ldexp((double)(0 - box->meter.silence[0]), -64), ldexp((double)box->meter.silence[box->meter.size - 1], -64));
}

static void plan_report_text_toll(const struct plan_box *box) {
  printf("  alpha %" PRIu32 ", U %.9f, a table of %" PRIu32
         " distances; the loser of the last one is named with %.3g\n",
         box->claim.alpha, ldexp((double)box->claim.u, -32), box->toll.size,
         ldexp((double)(0 - box->toll.named[box->toll.size - 1]), -64));
}

static void plan_report_text_claim(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("%s plan, certified by the core: epsilon %s, delta %s, %s\n", plan_mechanism_name(box->mechanism), epsilon,
         delta, plan_quota_print(plan_limit(box), limit));
  if (box->meter.size) plan_report_text_meter(box);
  if (box->toll.size) plan_report_text_toll(box);
  if (box->mechanism == PLAN_MECHANISM_CLASSIC)
    printf("  alpha %" PRIu32 ", width %" PRId64 ", tables of %" PRIu32 " and %" PRIu32 " entries\n", box->claim.alpha,
           box->classic.width, box->classic.threshold.size, box->classic.query.size);
}

/* What is compared: this plan, and the papers' for the same kind of query. */
struct plan_report_text_table {
  enum plan_kind kind;
  uint32_t teachers;
  struct plan_report_facts ours, theirs[PLAN_REPORT_PAPERS];
};

static void plan_report_text_heading(const struct plan_report *report, const struct plan_report_text_table *table) {
  char scale[48];
  snprintf(scale, sizeof scale, "of %" PRIu32 " teachers", table->teachers);
  printf("\n" PLAN_REPORT_TEXT_COLUMNS, "", "this plan", scale);
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++)
    printf("   %16s", report->papers[i].name);
  putchar('\n');
}

/* The number of each paper in a row. */
static void plan_report_text_papers(const uint32_t number[PLAN_REPORT_PAPERS]) {
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++)
    printf("   %16s", plan_report_text_number(number[i]).text);
  putchar('\n');
}

static void plan_report_text_distance(const struct plan_report_text_table *table, int level) {
  uint32_t ours = table->ours.distance[level], theirs[PLAN_REPORT_PAPERS];
  double miss = plan_report_level(table->kind, level);
  char label[48];
  if (table->kind == PLAN_KIND_METER)
    snprintf(label, sizeof label, "silence falls to %g %% at distance", 100 * miss);
  else
    snprintf(label, sizeof label, "the winner is named %g %% at distance", 100 * (1 - miss));
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++)
    theirs[i] = table->theirs[i].distance[level];
  printf(PLAN_REPORT_TEXT_COLUMNS, label, plan_report_text_number(ours).text,
         plan_report_text_percent(table->teachers, ours).text);
  plan_report_text_papers(theirs);
}

static void plan_report_text_teachers(const struct plan_report_text_table *table) {
  const char *what = table->kind == PLAN_KIND_METER ? "answered" : "named";
  uint32_t unanimous[PLAN_REPORT_PAPERS], nine_tenths[PLAN_REPORT_PAPERS];
  char label[48];
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++) {
    unanimous[i] = table->theirs[i].unanimous;
    nine_tenths[i] = table->theirs[i].nine_tenths;
  }
  snprintf(label, sizeof label, "teachers, unanimous, 95 %% %s", what);
  printf(PLAN_REPORT_TEXT_COLUMNS, label, plan_report_text_number(table->ours.unanimous).text, "");
  plan_report_text_papers(unanimous);
  snprintf(label, sizeof label, "teachers, 90 %% agree, 95 %% %s", what);
  printf(PLAN_REPORT_TEXT_COLUMNS, label, plan_report_text_number(table->ours.nine_tenths).text, "");
  plan_report_text_papers(nine_tenths);
}

static void plan_report_text_kind(const struct plan_report *report, enum plan_kind kind) {
  struct plan_report_text_table table = {kind, report->teachers, plan_report_look(report->box, kind), {{{0}, 0, 0}}};
  if (!table.teachers)
    table.teachers = table.ours.nine_tenths == UINT32_MAX ? PLAN_REPORT_TEXT_TEACHERS : table.ours.nine_tenths;
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++) {
    const struct plan_report_paper *paper = &report->papers[i];
    table.theirs[i] = plan_report_look(kind == PLAN_KIND_METER ? &paper->silences : &paper->answers, kind);
  }
  plan_report_text_heading(report, &table);
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    plan_report_text_distance(&table, i);
  plan_report_text_teachers(&table);
}

static void plan_report_text_price(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT];
  if (!plan_report_has(box)) {
    printf("; its noise does not fit a table here\n");
    return;
  }
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  printf("; the core certifies it at epsilon %s\n", epsilon);
}

static void plan_report_text_constants(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  putchar('\n');
  for (int i = 0; i < PLAN_REPORT_PAPERS && limit.silences; i++) {
    const struct plan_paper *constants = &report->papers[i].constants;
    printf("%s (Algorithm 2, m = %" PRIu64 "): lambda %.1f, w %.0f, k %.0f teachers", report->papers[i].name,
           report->queries, constants->lambda, constants->width, constants->teachers);
    plan_report_text_price(&report->papers[i].silences);
  }
  if (limit.answers) {
    printf("%s (Algorithm 1): sigma %.1f", report->papers[PLAN_REPORT_LIU].name, report->papers[PLAN_REPORT_LIU].sigma);
    plan_report_text_price(&report->papers[PLAN_REPORT_LIU].answers);
  }
  if (limit.silences && limit.answers) puts("(the papers' columns: each kind alone, with the whole epsilon)");
}

/* What the papers' rules advise. */
static void plan_report_text_rules(const struct plan_report *report) {
  const struct plan_report_beliefs *beliefs = &report->beliefs;
  const struct plan_rules_margin *margin = &beliefs->margin;
  if (beliefs->error_rate > 0)
    printf("Theorem 3.2 of Bassily et al., error rate %g: T = %" PRIu32 "\n", beliefs->error_rate,
           plan_rules_error_rate(beliefs->error_rate, report->queries));
  if (margin->delta > 0)
    printf("Proposition 11 of Liu et al., nu %g, Delta %g: T = %" PRIu32 ", K = %.0f teachers\n", margin->nu,
           margin->delta, plan_rules_margin_silences(margin, report->queries),
           plan_rules_margin_teachers(margin, &report->target, report->queries));
  if (report->target.answers && beliefs->records)
    printf("Theorem 15 of Liu et al., L = %" PRIu32 " chosen queries: K = %.0f teachers\n", report->target.answers,
           plan_rules_active_teachers(&report->target, beliefs->records));
}

void plan_report_text(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  plan_report_text_claim(report->box);
  if (limit.silences) plan_report_text_kind(report, PLAN_KIND_METER);
  if (limit.answers) plan_report_text_kind(report, PLAN_KIND_TOLL);
  plan_report_text_constants(report);
  plan_report_text_rules(report);
}

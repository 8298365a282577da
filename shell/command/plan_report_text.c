#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/rational.h"
#include "command/plan_report.h"

#define PLAN_REPORT_TEXT_TEACHERS 1000 /* for shares, where neither the operator nor the plan names a number */

struct plan_report_text_cell {
  char text[32];
};

static struct plan_report_text_cell plan_report_text_number(const struct plan_report_facts *facts, size_t at) {
  struct plan_report_text_cell cell = {"-"};
  uint32_t number;
  memcpy(&number, (const char *)facts + at, sizeof number);
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
  const int is_poll = box->mechanism == PLAN_MECHANISM_POLL;
  printf("  alpha %" PRIu32 ", U %.9f, a table of %" PRIu32 " %s; the %s with %.3g\n", box->claim.alpha,
         ldexp((double)box->claim.u, -32), box->toll.size, is_poll ? "leads" : "distances",
         is_poll ? "answer at the last one is wrong" : "loser of the last one is named",
         ldexp((double)(0 - box->toll.named[box->toll.size - 1]), -64));
}

static void plan_report_text_claim(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("%s plan, certified by the core: epsilon %s, delta %s, %s\n", plan_mechanism_name(box->mechanism), epsilon,
         delta, plan_limit_print(box, limit));
  if (box->meter.size) plan_report_text_meter(box);
  if (box->toll.size) plan_report_text_toll(box);
  if (box->mechanism == PLAN_MECHANISM_CLASSIC)
    printf("  alpha %" PRIu32 ", width %" PRId64 ", tables of %" PRIu32 " and %" PRIu32 " entries\n", box->claim.alpha,
           box->classic.width, box->classic.threshold.size, box->classic.query.size);
}

/* What is compared: this plan, and the rivals' for the same kind of query. A poll has no teachers. */
struct plan_report_text_table {
  enum plan_kind kind;
  uint32_t teachers;
  int rivals;
  struct plan_report_facts ours, theirs[PLAN_REPORT_RIVALS];
};

static void plan_report_text_heading(const struct plan_report *report, const struct plan_report_text_table *table) {
  char scale[48] = "";
  if (table->kind != PLAN_KIND_POLL) snprintf(scale, sizeof scale, "of %" PRIu32 " teachers", table->teachers);
  printf("\n%-38s %10s", "", "this plan");
  if (scale[0] || table->rivals) printf(" %20s", scale);
  for (int i = 0; i < table->rivals; i++)
    printf("   %16s", report->rivals[i].name);
  putchar('\n');
}

/* A row: a number of this plan, which share of the teachers that is ("": it is not one of them), and the rivals' numbers.
 * `at`: of the number in its struct plan_report_facts. */
static void plan_report_text_row(const struct plan_report_text_table *table, const char *label, const char *share,
                                 size_t at) {
  printf("%-38s %10s", label, plan_report_text_number(&table->ours, at).text);
  if (share[0] || table->rivals) printf(" %20s", share);
  for (int i = 0; i < table->rivals; i++)
    printf("   %16s", plan_report_text_number(&table->theirs[i], at).text);
  putchar('\n');
}

static void plan_report_text_distance(const struct plan_report_text_table *table, int level) {
  static const char *const words[PLAN_KINDS] = {[PLAN_KIND_METER] = "silence falls to %g %% at distance",
                                                [PLAN_KIND_TOLL] = "the winner is named %g %% at distance",
                                                [PLAN_KIND_POLL] = "the answer is right %g %% at a lead of"};
  double miss = plan_report_level(table->kind, level);
  struct plan_report_text_cell share = plan_report_text_percent(table->teachers, table->ours.distance[level]);
  char label[48];
  snprintf(label, sizeof label, words[table->kind], 100 * (table->kind == PLAN_KIND_METER ? miss : 1 - miss));
  plan_report_text_row(table, label, table->kind == PLAN_KIND_POLL ? "" : share.text,
                       offsetof(struct plan_report_facts, distance) + (size_t)level * sizeof(uint32_t));
}

static void plan_report_text_teachers(const struct plan_report_text_table *table) {
  const char *what = table->kind == PLAN_KIND_METER ? "answered" : "named";
  char label[48];
  snprintf(label, sizeof label, "teachers, unanimous, 95 %% %s", what);
  plan_report_text_row(table, label, "", offsetof(struct plan_report_facts, unanimous));
  snprintf(label, sizeof label, "teachers, 90 %% agree, 95 %% %s", what);
  plan_report_text_row(table, label, "", offsetof(struct plan_report_facts, nine_tenths));
}

static void plan_report_text_kind(const struct plan_report *report, enum plan_kind kind) {
  struct plan_report_text_table table = {.kind = kind,
                                         .teachers = report->teachers,
                                         .ours = plan_report_look(report->box, kind),
                                         .rivals = report->rival_count};
  if (!table.teachers)
    table.teachers = table.ours.nine_tenths == UINT32_MAX ? PLAN_REPORT_TEXT_TEACHERS : table.ours.nine_tenths;
  for (int i = 0; i < report->rival_count; i++)
    table.theirs[i] = plan_report_look(&report->rivals[i].boxes[kind], kind);
  plan_report_text_heading(report, &table);
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    plan_report_text_distance(&table, i);
  if (kind != PLAN_KIND_POLL) plan_report_text_teachers(&table);
}

/* What a poll's claim is about. */
static void plan_report_text_neighbours(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT];
  plan_report_changed_epsilon(box, epsilon);
  printf("\nThe claim is about one record (or unit) added or removed, and any number of answers.\n"
         "About one record changed it says epsilon %s, delta %.3g.\n",
         epsilon, plan_report_changed_delta(box));
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
  const struct plan_report_rival *liu = &report->rivals[PLAN_REPORT_LIU], *gauss = &report->rivals[PLAN_REPORT_GAUSS];
  struct plan_quota limit = plan_limit(report->box);
  putchar('\n');
  for (int i = 0; i < report->rival_count && limit.silences; i++) {
    const struct plan_paper *constants = &report->rivals[i].constants;
    printf("%s (Algorithm 2, m = %" PRIu64 "): lambda %.1f, w %.0f, k %.0f teachers", report->rivals[i].name,
           report->queries, constants->lambda, constants->width, constants->teachers);
    plan_report_text_price(&report->rivals[i].boxes[PLAN_KIND_METER]);
  }
  if (limit.answers) {
    printf("%s (Algorithm 1): sigma %.1f", liu->name, liu->sigma);
    plan_report_text_price(&liu->boxes[PLAN_KIND_TOLL]);
  }
  if (plan_votes(report->box)) {
    printf("%s on the lead: sigma %.1f", gauss->name, gauss->sigma);
    plan_report_text_price(&gauss->boxes[PLAN_KIND_POLL]);
  }
  if (limit.silences && limit.answers) puts("(the papers' columns: each kind alone, with the whole epsilon)");
}

/* What the papers' rules advise. */
static void plan_report_text_rules(const struct plan_report *report) {
  const struct plan_report_beliefs *beliefs = &report->beliefs;
  const struct plan_rules_margin *margin = &beliefs->margin;
  const int is_active = report->target.answers && beliefs->records;
  if (!report->rival_count && (beliefs->error_rate > 0 || margin->delta > 0 || is_active)) putchar('\n');
  if (beliefs->error_rate > 0)
    printf("Theorem 3.2 of Bassily et al., error rate %g: T = %" PRIu32 "\n", beliefs->error_rate,
           plan_rules_error_rate(beliefs->error_rate, report->queries));
  if (margin->delta > 0)
    printf("Proposition 11 of Liu et al., nu %g, Delta %g: T = %" PRIu32 ", K = %.0f teachers\n", margin->nu,
           margin->delta, plan_rules_margin_silences(margin, report->queries),
           plan_rules_margin_teachers(margin, &report->target, report->queries));
  if (is_active)
    printf("Theorem 15 of Liu et al., L = %" PRIu32 " chosen queries: K = %.0f teachers\n", report->target.answers,
           plan_rules_active_teachers(&report->target, beliefs->records));
}

void plan_report_text(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  plan_report_text_claim(report->box);
  if (limit.silences) plan_report_text_kind(report, PLAN_KIND_METER);
  if (limit.answers) plan_report_text_kind(report, PLAN_KIND_TOLL);
  if (plan_votes(report->box)) {
    plan_report_text_kind(report, PLAN_KIND_POLL);
    plan_report_text_neighbours(report->box);
  }
  if (report->rival_count) plan_report_text_constants(report);
  plan_report_text_rules(report);
}

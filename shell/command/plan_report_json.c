#include <inttypes.h>
#include <stdio.h>

#include "base/rational.h"
#include "command/plan_report.h"

/* Numbers that do not exist are null. */
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

/* What the facts of a kind are called. */
struct plan_report_json_names {
  const char *level[PLAN_REPORT_LEVELS];
  const char *distance, *agreeing, *unanimous, *nine_tenths;
};

static const struct plan_report_json_names plan_report_json_kinds[] = {
    [PLAN_KIND_METER] = {{"50", "5", "1"}, "distance", "agreeing", "teachers_unanimous", "teachers_nine_tenths"},
    [PLAN_KIND_TOLL] = {{"75", "95", "99"},
                        "named_distance",
                        "named_agreeing",
                        "named_teachers_unanimous",
                        "named_teachers_nine_tenths"},
    [PLAN_KIND_POLL] = {.level = {"75", "90", "95"}, .distance = "right_lead"}};

static void plan_report_json_facts(const struct plan_box *box, enum plan_kind kind, uint32_t teachers) {
  const struct plan_report_json_names *names = &plan_report_json_kinds[kind];
  struct plan_report_facts facts = plan_report_look(box, kind);
  printf(", \"%s\": {", names->distance);
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++) {
    fputs(i ? ", " : "", stdout);
    plan_report_json_number(names->level[i], facts.distance[i]);
  }
  printf("}");
  if (!names->unanimous) return;
  printf(", ");
  if (teachers) {
    printf("\"%s\": {", names->agreeing);
    for (int i = 0; i < PLAN_REPORT_LEVELS; i++) {
      fputs(i ? ", " : "", stdout);
      plan_report_json_share(names->level[i], plan_report_share(teachers, facts.distance[i]));
    }
    printf("}, ");
  }
  plan_report_json_number(names->unanimous, facts.unanimous);
  printf(", ");
  plan_report_json_number(names->nine_tenths, facts.nine_tenths);
}

void plan_report_json_limit(const struct plan_box *box) {
  struct plan_quota limit = plan_limit(box);
  if (plan_votes(box))
    printf("\"votes_per_record\": %" PRIu32, plan_votes(box));
  else
    printf("\"silences\": %" PRIu32 ", \"answers\": %" PRIu32, limit.silences, limit.answers);
}

static void plan_report_json_claim(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("\"certified\": true, \"mechanism\": \"%s\", \"epsilon\": \"%s\", \"delta\": \"%s\", ",
         plan_mechanism_name(box->mechanism), epsilon, delta);
  plan_report_json_limit(box);
  printf(", \"alpha\": %" PRIu32, box->claim.alpha);
  if (box->meter.size) printf(", \"v\": %" PRIu64 ", \"size\": %" PRIu32, box->claim.v, box->meter.size);
  if (box->toll.size) printf(", \"u\": %" PRIu64 ", \"named_size\": %" PRIu32, box->claim.u, box->toll.size);
  if (box->mechanism == PLAN_MECHANISM_CLASSIC)
    printf(", \"width\": %" PRId64 ", \"sizes\": [%" PRIu32 ", %" PRIu32 "]", box->classic.width,
           box->classic.threshold.size, box->classic.query.size);
}

/* What a rival's tables are worth, if there are any. */
static void plan_report_json_tables(const struct plan_box *box, enum plan_kind kind, uint32_t teachers) {
  const char *name = kind == PLAN_KIND_METER ? "certified_epsilon" : "named_certified_epsilon";
  char epsilon[RATIONAL_TEXT];
  if (!plan_report_has(box)) return;
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  printf(", \"%s\": \"%s\"", name, epsilon);
  plan_report_json_facts(box, kind, teachers);
}

static void plan_report_json_rival(const struct plan_report *report, const struct plan_report_rival *rival) {
  printf(", \"%s\": {", rival->key);
  if (report->target.votes)
    printf("\"sigma\": %.6g", rival->sigma);
  else
    printf("\"queries\": %" PRIu64, report->queries);
  if (report->target.silences)
    printf(", \"lambda\": %.6g, \"width\": %.6g, \"teachers\": %.6g", rival->constants.lambda, rival->constants.width,
           rival->constants.teachers);
  plan_report_json_tables(&rival->boxes[PLAN_KIND_METER], PLAN_KIND_METER, report->teachers);
  if (report->target.answers && rival->sigma > 0) printf(", \"sigma\": %.6g", rival->sigma);
  plan_report_json_tables(&rival->boxes[PLAN_KIND_TOLL], PLAN_KIND_TOLL, report->teachers);
  plan_report_json_tables(&rival->boxes[PLAN_KIND_POLL], PLAN_KIND_POLL, report->teachers);
  printf("}");
}

/* What a poll's claim is about, and what it makes of a record that is changed. */
static void plan_report_json_neighbours(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT];
  plan_report_changed_epsilon(box, epsilon);
  printf(", \"neighbours\": \"one record added or removed\", \"changed\": {\"epsilon\": \"%s\", \"delta\": %.3g}",
         epsilon, plan_report_changed_delta(box));
}

/* What the papers' rules advise. */
static void plan_report_json_rules(const struct plan_report *report) {
  const struct plan_report_beliefs *beliefs = &report->beliefs;
  const struct plan_rules_margin *margin = &beliefs->margin;
  if (beliefs->error_rate > 0)
    printf(", \"theorem_3_2\": {\"silences\": %" PRIu32 "}",
           plan_rules_error_rate(beliefs->error_rate, report->queries));
  if (margin->delta > 0)
    printf(", \"proposition_11\": {\"silences\": %" PRIu32 ", \"teachers\": %.0f}",
           plan_rules_margin_silences(margin, report->queries),
           plan_rules_margin_teachers(margin, &report->target, report->queries));
  if (report->target.answers && beliefs->records)
    printf(", \"theorem_15\": {\"teachers\": %.0f}", plan_rules_active_teachers(&report->target, beliefs->records));
}

void plan_report_json(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  printf("{");
  plan_report_json_claim(report->box);
  if (report->teachers) printf(", \"teachers\": %" PRIu32, report->teachers);
  if (limit.silences) plan_report_json_facts(report->box, PLAN_KIND_METER, report->teachers);
  if (limit.answers) plan_report_json_facts(report->box, PLAN_KIND_TOLL, report->teachers);
  if (plan_votes(report->box)) {
    plan_report_json_facts(report->box, PLAN_KIND_POLL, 0);
    plan_report_json_neighbours(report->box);
  }
  for (int i = 0; i < report->rival_count; i++)
    plan_report_json_rival(report, &report->rivals[i]);
  plan_report_json_rules(report);
  printf("}\n");
}

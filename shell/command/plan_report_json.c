#include <inttypes.h>

#include "base/json.h"
#include "base/rational.h"
#include "command/plan_report.h"

/* Numbers that do not exist are null. */
static void plan_report_json_number(struct json *json, const char *name, uint32_t number) {
  if (number == UINT32_MAX)
    json_string(json, name, NULL);
  else
    json_print(json, name, "%" PRIu32, number);
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
                        "named_teachers_nine_tenths"}};

static void plan_report_json_facts(struct json *json, const struct plan_box *box, enum plan_kind kind,
                                   uint32_t teachers) {
  const struct plan_report_json_names *names = &plan_report_json_kinds[kind];
  struct plan_report_facts facts = plan_report_look(box, kind);
  json_open(json, names->distance, '{', 0);
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    plan_report_json_number(json, names->level[i], facts.distance[i]);
  json_close(json);
  if (teachers) {
    json_open(json, names->agreeing, '{', 0);
    for (int i = 0; i < PLAN_REPORT_LEVELS; i++) {
      double share = plan_report_share(teachers, facts.distance[i]);
      if (share > 1)
        json_string(json, names->level[i], NULL);
      else
        json_print(json, names->level[i], "%.6g", share);
    }
    json_close(json);
  }
  plan_report_json_number(json, names->unanimous, facts.unanimous);
  plan_report_json_number(json, names->nine_tenths, facts.nine_tenths);
}

static void plan_report_json_claim(struct json *json, const struct plan_box *box) {
  struct plan_quota limit = plan_limit(box);
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  json_print(json, "certified", "true");
  json_string(json, "mechanism", plan_mechanism_name(box->mechanism));
  json_string(json, "epsilon", epsilon);
  json_string(json, "delta", delta);
  json_print(json, "silences", "%" PRIu32, limit.silences);
  json_print(json, "answers", "%" PRIu32, limit.answers);
  json_print(json, "alpha", "%" PRIu32, box->claim.alpha);
  if (box->meter.size) {
    json_print(json, "v", "%" PRIu64, box->claim.v);
    json_print(json, "size", "%" PRIu32, box->meter.size);
  }
  if (box->toll.size) {
    json_print(json, "u", "%" PRIu64, box->claim.u);
    json_print(json, "named_size", "%" PRIu32, box->toll.size);
  }
  if (box->mechanism == PLAN_MECHANISM_CLASSIC) {
    json_print(json, "width", "%" PRId64, box->classic.width);
    json_open(json, "sizes", '[', 0);
    json_print(json, NULL, "%" PRIu32, box->classic.threshold.size);
    json_print(json, NULL, "%" PRIu32, box->classic.query.size);
    json_close(json);
  }
}

/* What a paper's tables are worth, if there are any. */
static void plan_report_json_tables(struct json *json, const struct plan_box *box, enum plan_kind kind,
                                    const char *name, uint32_t teachers) {
  char epsilon[RATIONAL_TEXT];
  if (!plan_report_has(box)) return;
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  json_string(json, name, epsilon);
  plan_report_json_facts(json, box, kind, teachers);
}

static void plan_report_json_paper(struct json *json, const struct plan_report *report,
                                   const struct plan_report_paper *paper) {
  struct plan_quota limit = plan_limit(report->box);
  json_open(json, paper->key, '{', 0);
  json_print(json, "queries", "%" PRIu64, report->queries);
  if (limit.silences) {
    json_print(json, "lambda", "%.6g", paper->constants.lambda);
    json_print(json, "width", "%.6g", paper->constants.width);
    json_print(json, "teachers", "%.6g", paper->constants.teachers);
    plan_report_json_tables(json, &paper->silences, PLAN_KIND_METER, "certified_epsilon", report->teachers);
  }
  if (paper->sigma > 0) json_print(json, "sigma", "%.6g", paper->sigma);
  if (limit.answers)
    plan_report_json_tables(json, &paper->answers, PLAN_KIND_TOLL, "named_certified_epsilon", report->teachers);
  json_close(json);
}

/* What the papers' rules advise. */
static void plan_report_json_rules(struct json *json, const struct plan_report *report) {
  const struct plan_report_beliefs *beliefs = &report->beliefs;
  const struct plan_rules_margin *margin = &beliefs->margin;
  if (beliefs->error_rate > 0) {
    json_open(json, "theorem_3_2", '{', 0);
    json_print(json, "silences", "%" PRIu32, plan_rules_error_rate(beliefs->error_rate, report->queries));
    json_close(json);
  }
  if (margin->delta > 0) {
    json_open(json, "proposition_11", '{', 0);
    json_print(json, "silences", "%" PRIu32, plan_rules_margin_silences(margin, report->queries));
    json_print(json, "teachers", "%.0f", plan_rules_margin_teachers(margin, &report->target, report->queries));
    json_close(json);
  }
  if (report->target.answers && beliefs->records) {
    json_open(json, "theorem_15", '{', 0);
    json_print(json, "teachers", "%.0f", plan_rules_active_teachers(&report->target, beliefs->records));
    json_close(json);
  }
}

void plan_report_json(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  struct json json = {.out = stdout};
  json_open(&json, NULL, '{', 0);
  plan_report_json_claim(&json, report->box);
  if (report->teachers) json_print(&json, "teachers", "%" PRIu32, report->teachers);
  if (limit.silences) plan_report_json_facts(&json, report->box, PLAN_KIND_METER, report->teachers);
  if (limit.answers) plan_report_json_facts(&json, report->box, PLAN_KIND_TOLL, report->teachers);
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++)
    plan_report_json_paper(&json, report, &report->papers[i]);
  plan_report_json_rules(&json, report);
  json_close(&json);
}

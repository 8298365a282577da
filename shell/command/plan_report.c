#include "command/plan_report.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "plan/plan_gauss.h"
#include "plan/plan_poll.h"

/* ---- the facts ---- */

#define PLAN_REPORT_LEVELS 3

/* How good a plan is, for one kind of query; UINT32_MAX stands for "never". */
struct plan_report_facts {
  uint32_t distance[PLAN_REPORT_LEVELS]; /* or lead, from which on a query fails no more often than each level */
  uint32_t unanimous, nine_tenths;       /* teachers for an answer, or for the winner, 95 times in 100 */
};

/* The levels: how often a query of the kind fails. */
static const double plan_report_levels[PLAN_KINDS][PLAN_REPORT_LEVELS] = {[PLAN_KIND_METER] = {0.5, 0.05, 0.01},
                                                                          [PLAN_KIND_TOLL] = {0.25, 0.05, 0.01},
                                                                          [PLAN_KIND_POLL] = {0.25, 0.10, 0.05}};

/* The two papers' constants beside a meter's or a toll's plan. */
static void plan_report_papers(struct plan_report *report) {
  struct plan_report_rival *bassily = &report->rivals[PLAN_REPORT_BASSILY], *liu = &report->rivals[PLAN_REPORT_LIU];
  const struct plan_target *target = &report->target;
  *bassily = (struct plan_report_rival){.name = "Bassily et al.", .key = "paper"};
  *liu = (struct plan_report_rival){.name = "Liu et al.", .key = "liu"};
  if (target->silences) {
    plan_classic_constants(target, report->queries, PLAN_PAPER_BETA, &bassily->constants);
    plan_classic_paper(target, &bassily->constants, &bassily->boxes[PLAN_KIND_METER]);
    plan_classic_liu(target, report->queries, PLAN_PAPER_BETA, &liu->constants);
    plan_classic_paper(target, &liu->constants, &liu->boxes[PLAN_KIND_METER]);
  }
  if (target->answers) {
    liu->sigma = plan_gauss_sigma(target);
    plan_gauss_paper(target, liu->sigma, &liu->boxes[PLAN_KIND_TOLL]);
  }
  report->rival_count = 2;
}

/* The rivals' columns for report->target; Gaussian noise beside a poll. */
static void plan_report_compare(struct plan_report *report) {
  struct plan_report_rival *gauss = &report->rivals[PLAN_REPORT_GAUSS];
  char unused[256];
  if (!report->target.votes) {
    plan_report_papers(report);
    return;
  }
  *gauss = (struct plan_report_rival){.name = "Gaussian noise", .key = "gauss"};
  error_capture(unused, sizeof unused); /* a column of dashes shows it */
  plan_poll_gauss(&report->target, &gauss->boxes[PLAN_KIND_POLL], &gauss->sigma);
  error_capture(NULL, 0);
  report->rival_count = 1;
}

/* Does it have tables? */
static int plan_report_has(const struct plan_box *box) {
  return box->memory[0] || box->memory[1];
}

static struct plan_report_facts plan_report_look(const struct plan_box *box, enum plan_kind kind) {
  struct plan_report_facts facts;
  memset(&facts, 0xff, sizeof facts);
  if (!plan_report_has(box)) return facts;
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    facts.distance[i] = plan_miss_distance(box, kind, plan_report_levels[kind][i]);
  if (kind == PLAN_KIND_POLL) return facts; /* it has no teachers */
  facts.unanimous = plan_miss_teachers(box, kind, 1, PLAN_SILENCE);
  facts.nine_tenths = plan_miss_teachers(box, kind, PLAN_AGREEMENT, PLAN_SILENCE);
  return facts;
}

/* A poll's claim is about one record added or removed. One that is changed is both: twice epsilon, exactly, and (1 +
 * e^epsilon) delta, rounded up to three digits. */
static double plan_report_changed(const struct plan_box *box, char epsilon_text[RATIONAL_TEXT]) {
  uint64_t num = box->claim.epsilon_num, den = box->claim.epsilon_den;
  double delta = (1 + exp(rational_value(num, den))) * rational_value(box->claim.delta_num, box->claim.delta_den);
  double digit = pow(10, floor(log10(delta)) - 2);
  if (den % 2 == 0)
    den /= 2;
  else
    num *= 2;
  rational_print(num, den, epsilon_text);
  return ceil(delta / digit * (1 - 1e-12)) * digit;
}

/* The share of `teachers` that must vote for one label, if all others vote for the same second one, to be at `distance`;
 * above 1 if not even all of them suffice. */
static double plan_report_share(uint32_t teachers, uint32_t distance) {
  if (distance == UINT32_MAX) return 2;
  return floor((teachers + 2.0 * distance + 2) / 2) / teachers;
}

void plan_report_claim(const struct plan_box *box, char epsilon[RATIONAL_TEXT], char delta[RATIONAL_TEXT]) {
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
}

/* ---- as text ---- */

#define PLAN_REPORT_TEACHERS 1000 /* for shares, if neither the operator nor the plan gives a number */

struct plan_report_cell {
  char text[32];
};

static struct plan_report_cell plan_report_number(const struct plan_report_facts *facts, size_t at) {
  struct plan_report_cell cell = {"-"};
  uint32_t number;
  memcpy(&number, (const char *)facts + at, sizeof number);
  if (number != UINT32_MAX) snprintf(cell.text, sizeof cell.text, "%" PRIu32, number);
  return cell;
}

static void plan_report_text_claim(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  const int is_poll = box->mechanism == PLAN_MECHANISM_POLL;
  plan_report_claim(box, epsilon, delta);
  printf("%s plan, certified by the core: epsilon %s, delta %s, %s\n", plan_mechanism_name(box->mechanism), epsilon,
         delta, plan_limit_print(box, limit));
  if (box->meter.size)
    printf("  alpha %" PRIu32 ", V %.9f, a table of %" PRIu32
           " distances; 1 - p at distance 1 is %.3g, p at the end %.3g\n",
           box->claim.alpha, ldexp((double)box->claim.v, -32), box->meter.size,
           ldexp((double)(0 - box->meter.silence[0]), -64),
           ldexp((double)box->meter.silence[box->meter.size - 1], -64));
  if (box->toll.size)
    printf("  alpha %" PRIu32 ", U %.9f, a table of %" PRIu32 " %s; the %s with %.3g\n", box->claim.alpha,
           ldexp((double)box->claim.u, -32), box->toll.size, is_poll ? "leads" : "distances",
           is_poll ? "answer at the last one is wrong" : "loser of the last one is named",
           ldexp((double)(0 - box->toll.named[box->toll.size - 1]), -64));
  if (box->mechanism == PLAN_MECHANISM_CLASSIC)
    printf("  alpha %" PRIu32 ", width %" PRId64 ", tables of %" PRIu32 " and %" PRIu32 " entries\n", box->claim.alpha,
           box->classic.width, box->classic.threshold.size, box->classic.query.size);
}

/* What is compared: this plan, and the rivals' for the same kind of query. A poll has no teachers. */
struct plan_report_table {
  enum plan_kind kind;
  uint32_t teachers;
  int rivals;
  struct plan_report_facts ours, theirs[PLAN_REPORT_RIVALS];
};

/* A row: a number of this plan, the share of the teachers that it means (or ""), and the rivals' numbers. `at` is the number's
 * offset in struct plan_report_facts. */
static void plan_report_text_row(const struct plan_report_table *table, const char *label, const char *share,
                                 size_t at) {
  printf("%-38s %10s", label, plan_report_number(&table->ours, at).text);
  if (share[0] || table->rivals) printf(" %20s", share);
  for (int i = 0; i < table->rivals; i++)
    printf("   %16s", plan_report_number(&table->theirs[i], at).text);
  putchar('\n');
}

static void plan_report_text_distance(const struct plan_report_table *table, int level) {
  static const char *const words[PLAN_KINDS] = {[PLAN_KIND_METER] = "silence falls to %g %% at distance",
                                                [PLAN_KIND_TOLL] = "the winner is named %g %% at distance",
                                                [PLAN_KIND_POLL] = "the answer is right %g %% at a lead of"};
  double miss = plan_report_levels[table->kind][level];
  double share = plan_report_share(table->teachers, table->ours.distance[level]);
  struct plan_report_cell percent = {"never"};
  char label[48];
  if (share <= 1) snprintf(percent.text, sizeof percent.text, "%.1f %%", 100 * share);
  snprintf(label, sizeof label, words[table->kind], 100 * (table->kind == PLAN_KIND_METER ? miss : 1 - miss));
  plan_report_text_row(table, label, table->kind == PLAN_KIND_POLL ? "" : percent.text,
                       offsetof(struct plan_report_facts, distance) + (size_t)level * sizeof(uint32_t));
}

static void plan_report_text_kind(const struct plan_report *report, enum plan_kind kind) {
  struct plan_report_table table = {.kind = kind,
                                    .teachers = report->teachers,
                                    .ours = plan_report_look(report->box, kind),
                                    .rivals = report->rival_count};
  const char *what = kind == PLAN_KIND_METER ? "answered" : "named";
  char label[48] = "";
  if (!table.teachers)
    table.teachers = table.ours.nine_tenths == UINT32_MAX ? PLAN_REPORT_TEACHERS : table.ours.nine_tenths;
  if (kind != PLAN_KIND_POLL) snprintf(label, sizeof label, "of %" PRIu32 " teachers", table.teachers);
  printf("\n%-38s %10s", "", "this plan");
  if (label[0] || table.rivals) printf(" %20s", label);
  for (int i = 0; i < report->rival_count; i++) {
    table.theirs[i] = plan_report_look(&report->rivals[i].boxes[kind], kind);
    printf("   %16s", report->rivals[i].name);
  }
  putchar('\n');
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    plan_report_text_distance(&table, i);
  if (kind == PLAN_KIND_POLL) return;
  snprintf(label, sizeof label, "teachers, unanimous, 95 %% %s", what);
  plan_report_text_row(&table, label, "", offsetof(struct plan_report_facts, unanimous));
  snprintf(label, sizeof label, "teachers, 90 %% agree, 95 %% %s", what);
  plan_report_text_row(&table, label, "", offsetof(struct plan_report_facts, nine_tenths));
}

static void plan_report_text_price(const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT];
  if (!plan_report_has(box)) {
    printf("; its noise does not fit a table\n");
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

static void plan_report_text(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  char epsilon[RATIONAL_TEXT];
  double delta;
  plan_report_text_claim(report->box);
  if (limit.silences) plan_report_text_kind(report, PLAN_KIND_METER);
  if (limit.answers) plan_report_text_kind(report, PLAN_KIND_TOLL);
  if (plan_votes(report->box)) {
    plan_report_text_kind(report, PLAN_KIND_POLL);
    delta = plan_report_changed(report->box, epsilon);
    printf("\nThe claim is about one record (or unit) added or removed, and any number of answers.\n"
           "For one record changed it is epsilon %s, delta %.3g.\n",
           epsilon, delta);
  }
  if (report->rival_count) plan_report_text_constants(report);
  plan_report_text_rules(report);
}

/* ---- as JSON ---- */

/* Null if the number does not exist. */
static void plan_report_json_number(struct json *json, const char *name, uint32_t number) {
  if (number == UINT32_MAX)
    json_string(json, name, NULL);
  else
    json_print(json, name, "%" PRIu32, number);
}

/* The keys of a kind's facts. */
struct plan_report_names {
  const char *level[PLAN_REPORT_LEVELS];
  const char *distance, *agreeing, *unanimous, *nine_tenths;
};

static const struct plan_report_names plan_report_keys[] = {
    [PLAN_KIND_METER] = {{"50", "5", "1"}, "distance", "agreeing", "teachers_unanimous", "teachers_nine_tenths"},
    [PLAN_KIND_TOLL] = {{"75", "95", "99"},
                        "named_distance",
                        "named_agreeing",
                        "named_teachers_unanimous",
                        "named_teachers_nine_tenths"},
    [PLAN_KIND_POLL] = {.level = {"75", "90", "95"}, .distance = "right_lead"}};

static void plan_report_json_facts(struct json *json, const struct plan_box *box, enum plan_kind kind,
                                   uint32_t teachers) {
  const struct plan_report_names *names = &plan_report_keys[kind];
  struct plan_report_facts facts = plan_report_look(box, kind);
  json_open(json, names->distance, '{', 0);
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    plan_report_json_number(json, names->level[i], facts.distance[i]);
  json_close(json);
  if (!names->unanimous) return;
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

void plan_report_json_limit(struct json *json, const struct plan_box *box) {
  struct plan_quota limit = plan_limit(box);
  if (plan_votes(box)) {
    json_print(json, "votes_per_record", "%" PRIu32, plan_votes(box));
    return;
  }
  json_print(json, "silences", "%" PRIu32, limit.silences);
  json_print(json, "answers", "%" PRIu32, limit.answers);
}

static void plan_report_json_claim(struct json *json, const struct plan_box *box) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  plan_report_claim(box, epsilon, delta);
  json_print(json, "certified", "true");
  json_string(json, "mechanism", plan_mechanism_name(box->mechanism));
  json_string(json, "epsilon", epsilon);
  json_string(json, "delta", delta);
  plan_report_json_limit(json, box);
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

/* How good a rival's tables are, if it has any. */
static void plan_report_json_tables(struct json *json, const struct plan_box *box, enum plan_kind kind,
                                    uint32_t teachers) {
  const char *name = kind == PLAN_KIND_METER ? "certified_epsilon" : "named_certified_epsilon";
  char epsilon[RATIONAL_TEXT];
  if (!plan_report_has(box)) return;
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  json_string(json, name, epsilon);
  plan_report_json_facts(json, box, kind, teachers);
}

static void plan_report_json_rival(struct json *json, const struct plan_report *report,
                                   const struct plan_report_rival *rival) {
  json_open(json, rival->key, '{', 0);
  if (report->target.votes)
    json_print(json, "sigma", "%.6g", rival->sigma);
  else
    json_print(json, "queries", "%" PRIu64, report->queries);
  if (report->target.silences) {
    json_print(json, "lambda", "%.6g", rival->constants.lambda);
    json_print(json, "width", "%.6g", rival->constants.width);
    json_print(json, "teachers", "%.6g", rival->constants.teachers);
  }
  plan_report_json_tables(json, &rival->boxes[PLAN_KIND_METER], PLAN_KIND_METER, report->teachers);
  if (report->target.answers && rival->sigma > 0) json_print(json, "sigma", "%.6g", rival->sigma);
  plan_report_json_tables(json, &rival->boxes[PLAN_KIND_TOLL], PLAN_KIND_TOLL, report->teachers);
  plan_report_json_tables(json, &rival->boxes[PLAN_KIND_POLL], PLAN_KIND_POLL, report->teachers);
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

static void plan_report_json(const struct plan_report *report) {
  struct plan_quota limit = plan_limit(report->box);
  struct json json = {.out = stdout};
  char epsilon[RATIONAL_TEXT];
  double delta;
  json_open(&json, NULL, '{', 0);
  plan_report_json_claim(&json, report->box);
  if (report->teachers) json_print(&json, "teachers", "%" PRIu32, report->teachers);
  if (limit.silences) plan_report_json_facts(&json, report->box, PLAN_KIND_METER, report->teachers);
  if (limit.answers) plan_report_json_facts(&json, report->box, PLAN_KIND_TOLL, report->teachers);
  if (plan_votes(report->box)) {
    plan_report_json_facts(&json, report->box, PLAN_KIND_POLL, 0);
    delta = plan_report_changed(report->box, epsilon);
    json_string(&json, "neighbours", "one record added or removed");
    json_open(&json, "changed", '{', 0);
    json_string(&json, "epsilon", epsilon);
    json_print(&json, "delta", "%.3g", delta);
    json_close(&json);
  }
  for (int i = 0; i < report->rival_count; i++)
    plan_report_json_rival(&json, report, &report->rivals[i]);
  plan_report_json_rules(&json, report);
  json_close(&json);
}

void plan_report_print(struct plan_report *report, int compare, int json) {
  if (compare) plan_report_compare(report);
  (json ? plan_report_json : plan_report_text)(report);
  for (int i = 0; i < report->rival_count; i++)
    for (int kind = 0; kind < PLAN_KINDS; kind++)
      plan_free(&report->rivals[i].boxes[kind]);
}

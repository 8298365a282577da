#include "command/plan_report.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "plan/plan_gauss.h"
#include "plan/plan_poll.h"
#include "plan/policy.h"

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

void plan_report_compare(struct plan_report *report) {
  struct plan_report_rival *gauss = &report->rivals[PLAN_REPORT_GAUSS];
  char unused[256];
  if (!report->target.votes) {
    plan_report_papers(report);
    return;
  }
  *gauss = (struct plan_report_rival){.name = "Gaussian noise", .key = "gauss"};
  error_capture(unused, sizeof unused); /* a column of dashes says it too */
  plan_poll_gauss(&report->target, &gauss->boxes[PLAN_KIND_POLL], &gauss->sigma);
  error_capture(NULL, 0);
  report->rival_count = 1;
}

void plan_report_free(struct plan_report *report) {
  for (int i = 0; i < report->rival_count; i++)
    for (int kind = 0; kind < PLAN_KINDS; kind++)
      plan_free(&report->rivals[i].boxes[kind]);
}

double plan_report_level(enum plan_kind kind, int which) {
  static const double levels[PLAN_KINDS][PLAN_REPORT_LEVELS] = {[PLAN_KIND_METER] = {0.5, 0.05, 0.01},
                                                                [PLAN_KIND_TOLL] = {0.25, 0.05, 0.01},
                                                                [PLAN_KIND_POLL] = {0.25, 0.10, 0.05}};
  return levels[kind][which];
}

struct plan_report_facts plan_report_look(const struct plan_box *box, enum plan_kind kind) {
  struct plan_report_facts facts;
  memset(&facts, 0xff, sizeof facts);
  if (!plan_report_has(box)) return facts;
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    facts.distance[i] = plan_miss_distance(box, kind, plan_report_level(kind, i));
  if (kind == PLAN_KIND_POLL) return facts; /* it has no teachers */
  facts.unanimous = plan_miss_teachers(box, kind, 1, PLAN_SILENCE);
  facts.nine_tenths = plan_miss_teachers(box, kind, PLAN_AGREEMENT, PLAN_SILENCE);
  return facts;
}

int plan_report_has(const struct plan_box *box) {
  return box->memory[0] || box->memory[1];
}

void plan_report_changed_epsilon(const struct plan_box *box, char text[RATIONAL_TEXT]) {
  uint64_t num = box->claim.epsilon_num, den = box->claim.epsilon_den;
  if (den % 2 == 0)
    den /= 2;
  else
    num *= 2;
  rational_print(num, den, text);
}

double plan_report_changed_delta(const struct plan_box *box) {
  double epsilon = rational_value(box->claim.epsilon_num, box->claim.epsilon_den);
  double delta = (1 + exp(epsilon)) * rational_value(box->claim.delta_num, box->claim.delta_den);
  double digit = pow(10, floor(log10(delta)) - 2);
  return ceil(delta / digit * (1 - 1e-12)) * digit;
}

double plan_report_share(uint32_t teachers, uint32_t distance) {
  if (distance == UINT32_MAX) return 2;
  return floor((teachers + 2.0 * distance + 2) / 2) / teachers;
}

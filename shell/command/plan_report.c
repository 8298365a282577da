#include "command/plan_report.h"

#include <math.h>
#include <string.h>

#include "plan/plan_gauss.h"
#include "plan/policy.h"

void plan_report_fill(struct plan_report *report, const struct plan_target *target) {
  struct plan_report_paper *bassily = &report->papers[PLAN_REPORT_BASSILY], *liu = &report->papers[PLAN_REPORT_LIU];
  report->target = *target;
  *bassily = (struct plan_report_paper){.name = "Bassily et al.", .key = "paper"};
  *liu = (struct plan_report_paper){.name = "Liu et al.", .key = "liu"};
  if (target->silences) {
    plan_classic_constants(target, report->queries, PLAN_PAPER_BETA, &bassily->constants);
    plan_classic_paper(target, &bassily->constants, &bassily->silences);
    plan_classic_liu(target, report->queries, PLAN_PAPER_BETA, &liu->constants);
    plan_classic_paper(target, &liu->constants, &liu->silences);
  }
  if (target->answers) {
    liu->sigma = plan_gauss_sigma(target);
    plan_gauss_paper(target, liu->sigma, &liu->answers);
  }
}

void plan_report_free(struct plan_report *report) {
  for (int i = 0; i < PLAN_REPORT_PAPERS; i++) {
    plan_free(&report->papers[i].silences);
    plan_free(&report->papers[i].answers);
  }
}

double plan_report_level(enum plan_kind kind, int which) {
  static const double silences[PLAN_REPORT_LEVELS] = {0.5, 0.05, 0.01}, losers[PLAN_REPORT_LEVELS] = {0.25, 0.05, 0.01};
  return kind == PLAN_KIND_METER ? silences[which] : losers[which];
}

struct plan_report_facts plan_report_look(const struct plan_box *box, enum plan_kind kind) {
  struct plan_report_facts facts;
  memset(&facts, 0xff, sizeof facts);
  if (!plan_report_has(box)) return facts;
  for (int i = 0; i < PLAN_REPORT_LEVELS; i++)
    facts.distance[i] = plan_miss_distance(box, kind, plan_report_level(kind, i));
  facts.unanimous = plan_miss_teachers(box, kind, 1, PLAN_SILENCE);
  facts.nine_tenths = plan_miss_teachers(box, kind, PLAN_AGREEMENT, PLAN_SILENCE);
  return facts;
}

int plan_report_has(const struct plan_box *box) {
  return box->memory[0] || box->memory[1];
}

double plan_report_share(uint32_t teachers, uint32_t distance) {
  if (distance == UINT32_MAX) return 2;
  return floor((teachers + 2.0 * distance + 2) / 2) / teachers;
}

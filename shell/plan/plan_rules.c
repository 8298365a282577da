#include "plan/plan_rules.h"

#include <math.h>

#include "plan/plan_classic.h"

static uint32_t plan_rules_count(double count) {
  if (!(count >= 1)) return 1;
  return count < FUMATA_SILENCES_MAX ? (uint32_t)ceil(count) : FUMATA_SILENCES_MAX;
}

uint32_t plan_rules_error_rate(double error, uint64_t queries) {
  double m = (double)queries, rm = error * m;
  if (queries == 0) return 1;
  return plan_rules_count(3 * (rm + sqrt(rm * log(m / PLAN_RULES_BETA) / 2)));
}

uint32_t plan_rules_margin_silences(const struct plan_rules_margin *margin, uint64_t queries) {
  double hard = margin->nu * (double)queries, chance = log(3 / PLAN_RULES_BETA);
  return plan_rules_count(hard + sqrt(2 * hard * chance) + 2.0 / 3 * chance);
}

double plan_rules_margin_teachers(const struct plan_rules_margin *margin, const struct plan_target *target,
                                  uint64_t queries) {
  struct plan_paper paper;
  double m = (double)queries, chance = log(3 * m / PLAN_RULES_BETA), vote, noise;
  plan_classic_liu(target, queries, PLAN_RULES_BETA, &paper);
  vote = 2 * chance / (margin->delta * margin->delta);
  noise = 3 * paper.lambda * (log(4 * m / plan_budget(target).delta) + chance) / margin->delta;
  return ceil(vote > noise ? vote : noise);
}

double plan_rules_active_teachers(const struct plan_target *target, uint64_t records) {
  struct plan_budget budget = plan_budget(target);
  double moment = budget.answers * log(1 / budget.delta);
  return ceil(6 * sqrt(log(2 * (double)records)) * (sqrt(moment) + sqrt(moment + budget.epsilon * budget.answers)) /
              budget.epsilon);
}

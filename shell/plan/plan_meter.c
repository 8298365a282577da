#include "plan/plan_meter.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/mechanism.h"
#include "plan/plan_curve.h"

#define PLAN_METER_RETRIES   60
#define PLAN_METER_LOG_V_MAX 20.0 /* V times 2^32 must fit 64 bits */

/* ln of left side over right side of Theorem M (a), with the term in V moved to the right. */
static double plan_meter_excess(const struct plan_curve *curve, double lp, double lq, double lr, double ls) {
  double rest = -expm1(curve->alpha * lq + (1 - curve->alpha) * ls);
  if (!(rest > 0)) return HUGE_VAL;
  return curve->alpha * lp + (1 - curve->alpha) * lr - curve->log_price - log(rest);
}

/* ln V when the first entry takes T (1 - p_1) = spent out of delta. */
static double plan_meter_log_v(const struct plan_budget *budget, double alpha, double spent) {
  double each = (1 - budget->share) * plan_budget_moment(budget, alpha, spent) / budget->silences;
  return each < PLAN_METER_LOG_V_MAX ? each : PLAN_METER_LOG_V_MAX;
}

/* What a candidate is worth: smaller is better. `part` is the share of delta that the first entry takes. */
static double plan_meter_cost(const struct plan_budget *budget, const struct plan_aim *aim, double alpha, double part) {
  double q = part * budget->delta / budget->silences;
  struct plan_curve curve = {.alpha = alpha,
                             .log_price = plan_meter_log_v(budget, alpha, part * budget->delta),
                             .first = log1p(-q) - log(q),
                             .excess = plan_meter_excess};
  if (!(curve.log_price > 0) || (1 - alpha) * log1p(-q) > curve.log_price) return HUGE_VAL;
  /* Entries near 1 are told apart in steps of 2^-64. */
  if (q * expm1(plan_curve_step(&curve, curve.first, 1)) < 0x1p-63) return HUGE_VAL;
  if (aim->share) return plan_curve_average(&curve, aim, 1);
  return plan_curve_descent(&curve, plan_curve_logit(aim->silence), 1);
}

/* What a search over the split of delta holds fast. */
struct plan_meter_setting {
  const struct plan_budget *budget;
  const struct plan_aim *aim;
  double alpha;
};

static double plan_meter_split_cost(void *context, double log_part) {
  const struct plan_meter_setting *setting = context;
  return plan_meter_cost(setting->budget, setting->aim, setting->alpha, exp(log_part));
}

double plan_meter_split(const struct plan_budget *budget, const struct plan_aim *aim, double alpha, int turns,
                        double *part) {
  struct plan_meter_setting setting = {budget, aim, alpha};
  double low = log(1e-5), high = log(0.9), least;
  if (*part > 0) {
    low = log(*part) - 1;
    high = log(*part) + 1 < high ? log(*part) + 1 : high;
  }
  *part = exp(plan_curve_least(plan_meter_split_cost, &setting, low, high, turns, &least));
  return least;
}

/* The best integer alpha and split; where nothing is feasible, a larger alpha may be. Returns the cost, HUGE_VAL if no
 * alpha will do. */
static double plan_meter_search(const struct plan_budget *budget, const struct plan_aim *aim, double *alpha,
                                double *part) {
  const double golden = 0.6180339887498949;
  double least = plan_budget_least_alpha(budget, 0.1 * budget->delta), high = plan_budget_most_alpha(budget);
  double low = log(least), a, b, at_a, at_b, part_a = 0, part_b = 0, best = HUGE_VAL;
  int turn;
  if (least >= FUMATA_ALPHA_MAX) return HUGE_VAL;
  high = log(high > least + 2 ? high : least + 2);
  a = high - golden * (high - low);
  b = low + golden * (high - low);
  at_a = plan_meter_split(budget, aim, exp(a), 6, &part_a);
  part_b = part_a;
  at_b = plan_meter_split(budget, aim, exp(b), 4, &part_b);
  for (turn = 0; turn < 14 && exp(high) - exp(low) > 0.5; turn++) {
    if (at_a <= at_b && isfinite(at_a)) {
      high = b, b = a, at_b = at_a, part_b = part_a;
      a = high - golden * (high - low);
      at_a = plan_meter_split(budget, aim, exp(a), 4, &part_a);
    } else {
      low = a, a = b, at_a = at_b, part_a = part_b;
      b = low + golden * (high - low);
      at_b = plan_meter_split(budget, aim, exp(b), 4, &part_b);
    }
  }
  for (turn = -1; turn <= 2; turn++) {
    double order = floor(exp((low + high) / 2)) + turn, share = part_a, cost;
    if (order < 2 || order > FUMATA_ALPHA_MAX) continue;
    cost = plan_meter_split(budget, aim, order, 10, &share);
    if (cost < best) best = cost, *alpha = order, *part = share;
  }
  return best;
}

int plan_meter_table(const struct plan_budget *budget, uint32_t alpha, double part, double slack, double total,
                     uint64_t *table, uint32_t *size, uint64_t *v) {
  const double floor_at = plan_curve_logit(PLAN_FLOOR);
  struct plan_curve curve = {.alpha = alpha, .slack = slack, .excess = plan_meter_excess};
  double q = floor(ldexp(part * budget->delta / budget->silences, 64)), step = 1, t, price;
  uint64_t entry;
  uint32_t n;
  if (q < 1) q = 1;
  q = ldexp(q, -64);
  if (budget->delta <= budget->silences * q) return -1;
  curve.log_price = plan_meter_log_v(budget, alpha, budget->silences * q) - total / budget->silences;
  if (!(curve.log_price > 0)) return -1;
  price = floor(ldexp(exp(curve.log_price), 32));
  *v = (uint64_t)price;
  curve.log_price = log(ldexp(price, -32));
  t = log1p(-q) - log(q);
  entry = 0 - (uint64_t)ldexp(q, 64);
  for (n = 0;; n++) {
    table[n] = entry;
    if (t <= floor_at || n + 1 == FUMATA_TABLE_MAX) break;
    step = plan_curve_step(&curve, t, step);
    if (step <= 0) return -1;
    t = t - step > floor_at ? t - step : floor_at;
    if (t > 0) {
      q = ldexp(floor(ldexp(1 / (1 + exp(t)), 64)), -64);
      entry = 0 - (uint64_t)ldexp(q, 64);
      t = log1p(-q) - log(q);
    } else {
      double p = ceil(ldexp(1 / (1 + exp(-t)), 64));
      entry = (uint64_t)p;
      p = ldexp(p, -64);
      if (t > floor_at) t = plan_curve_logit(p);
    }
    if (entry >= table[n]) return -1;
  }
  *size = n + 1;
  return 0;
}

/* What the core says about a sample of a large table: single steps, then the first entry and the total. */
static fumata_fault_kind plan_meter_probe(const struct plan_box *box) {
  const uint32_t every = box->meter.size / 100 + 1;
  fumata_meter_plan part = box->meter;
  fumata_fault fault;
  part.size = 2;
  for (uint32_t i = 0; i + 1 < box->meter.size; i += every) {
    part.silence = box->meter.silence + (box->meter.size - 2 - i);
    if (fumata_certify_meter(&part, &box->claim, &fault) != FUMATA_OK && fault.kind == FUMATA_FAULT_STEP)
      return FUMATA_FAULT_STEP;
  }
  part.silence = box->meter.silence;
  part.size = 1;
  fumata_certify_meter(&part, &box->claim, &fault);
  return fault.kind;
}

/* Builds and certifies in box->memory[0]; 0, or -1 when nothing could be certified. The slack grows until the core's
 * roundings fit into it. */
static int plan_meter_settle(const struct plan_budget *budget, double part, struct plan_box *box) {
  const uint32_t alpha = box->claim.alpha;
  double slack = 1e-7, total = 1e-7;
  fumata_fault fault;
  for (int turn = 0; turn < PLAN_METER_RETRIES; turn++) {
    if (plan_meter_table(budget, alpha, part, slack, total, box->memory[0], &box->meter.size, &box->claim.v)) return -1;
    fault.kind = (double)box->meter.size * alpha > 1e6 ? plan_meter_probe(box) : FUMATA_FAULT_NONE;
    if (fault.kind == FUMATA_FAULT_NONE && plan_certify(box, &box->claim, &fault) == FUMATA_OK) return 0;
    if (fault.kind == FUMATA_FAULT_STEP)
      slack *= 2;
    else if (fault.kind == FUMATA_FAULT_TOTAL)
      total *= 2;
    else if (fault.kind == FUMATA_FAULT_FIRST)
      part /= 2;
    else
      return -1;
  }
  return -1;
}

/* An exit code, its line printed, or -1 when nothing could be certified; then the box is empty. */
static int plan_meter_build(const struct plan_target *target, double alpha, double part, struct plan_box *box) {
  struct plan_budget budget = plan_budget(target);
  int code = memory_take(&box->memory[0], FUMATA_TABLE_MAX, sizeof *box->memory[0]);
  if (code) return code;
  box->mechanism = PLAN_MECHANISM_METER;
  box->claim = plan_claim(target, (uint32_t)alpha);
  box->meter.limit = target->silences;
  box->meter.silence = box->memory[0];
  if (plan_meter_settle(&budget, part, box)) {
    plan_free(box);
    return -1;
  }
  plan_shrink(box);
  return EXIT_OK;
}

int plan_meter_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  struct plan_budget budget = plan_budget(target);
  double alpha = 0, part = 0, cost;
  int code = plan_target_silences(target);
  memset(box, 0, sizeof *box);
  if (code) return code;
  if (!aim) aim = &plan_usual_aim;
  cost = plan_meter_search(&budget, aim, &alpha, &part);
  if (!aim->share && isfinite(cost) && cost > FUMATA_TABLE_MAX)
    return error_report(EXIT_REFUSED,
                        "epsilon %g, delta %g with %u silences asks for a table of more than %u distances",
                        budget.epsilon, budget.delta, target->silences, FUMATA_TABLE_MAX);
  if (isfinite(cost)) {
    code = plan_meter_build(target, alpha, part, box);
    if (code >= 0) return code;
  }
  return plan_refuse(target);
}

double plan_meter_reach(const struct plan_target *target, double silence) {
  struct plan_budget budget = plan_budget(target);
  struct plan_aim aim = {.silence = silence};
  double alpha, part;
  return plan_meter_search(&budget, &aim, &alpha, &part);
}

/* ---- what plans of this mechanism are like ---- */

static fumata_status plan_meter_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  return fumata_certify_meter(&box->meter, claim, fault);
}

double plan_meter_silence(const struct plan_box *box, uint32_t distance) {
  if (distance == 0) return 1;
  if (distance > box->meter.size) distance = box->meter.size;
  return ldexp((double)box->meter.silence[distance - 1], -64);
}

const struct mechanism plan_meter_mechanism = {.name = "meter",
                                               .number = 1,
                                               .theorem = 'M',
                                               .tables = MECHANISM_SILENCE,
                                               .gives_back = 1,
                                               .make = plan_meter_make,
                                               .certify = plan_meter_certify,
                                               .miss = {[PLAN_KIND_METER] = plan_meter_silence},
                                               .digest_tables = mechanism_digest_tables,
                                               .write_tables = mechanism_write_tables,
                                               .read_tables = mechanism_read_tables,
                                               .print_code = mechanism_print_code};

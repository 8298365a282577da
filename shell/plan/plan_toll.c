#include "plan/plan_toll.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/plan_curve.h"

#define PLAN_TOLL_RETRIES   60
#define PLAN_TOLL_LOG_U_MAX 20.0 /* U times 2^32 must fit 64 bits */

/* The line is the same for winner and loser, so the searches follow the loser's probability, which falls from one half. */

/* ln of left side over right side of Theorem T's line. */
static double plan_toll_excess(const struct plan_curve *curve, double lp, double lq, double lr, double ls) {
  double one = curve->alpha * lp + (1 - curve->alpha) * lr, two = curve->alpha * lq + (1 - curve->alpha) * ls;
  return (one > two ? one + log1p(exp(two - one)) : two + log1p(exp(one - two))) - curve->log_price;
}

static double plan_toll_log_price(const struct plan_budget *budget, double alpha) {
  double each = plan_budget_moment(budget, alpha, 0) / budget->answers;
  return each < PLAN_TOLL_LOG_U_MAX ? each : PLAN_TOLL_LOG_U_MAX;
}

double plan_toll_cost(const struct plan_aim *aim, double alpha, double log_u) {
  struct plan_curve curve = {.alpha = alpha, .log_price = log_u, .excess = plan_toll_excess};
  if (!(log_u > 0)) return HUGE_VAL;
  if (aim->share) {
    curve.first = -plan_curve_step(&curve, 0, 1);
    return plan_curve_average(&curve, aim, 0.5);
  }
  return plan_curve_descent(&curve, plan_curve_logit(aim->silence), 0);
}

/* What the search over alpha holds fast. */
struct plan_toll_setting {
  const struct plan_budget *budget;
  const struct plan_aim *aim;
};

static double plan_toll_order_cost(void *context, double log_alpha) {
  const struct plan_toll_setting *setting = context;
  double alpha = exp(log_alpha);
  return plan_toll_cost(setting->aim, alpha, plan_toll_log_price(setting->budget, alpha));
}

/* The best integer alpha. Returns the cost, HUGE_VAL if no alpha will do. */
static double plan_toll_search(const struct plan_budget *budget, const struct plan_aim *aim, double *alpha) {
  struct plan_toll_setting setting = {budget, aim};
  double least = plan_budget_least_alpha(budget, 0), most = plan_budget_most_alpha(budget), best = HUGE_VAL, found;
  if (least >= FUMATA_ALPHA_MAX) return HUGE_VAL;
  if (most < least + 2) most = least + 2;
  found = exp(plan_curve_least(plan_toll_order_cost, &setting, log(least), log(most), 20, &best));
  best = HUGE_VAL;
  for (double order = floor(found) - 1; order <= floor(found) + 2; order++) {
    double cost;
    if (order < 2 || order > FUMATA_ALPHA_MAX) continue;
    cost = plan_toll_order_cost(&setting, log(order));
    if (cost < best) best = cost, *alpha = order;
  }
  return best;
}

int plan_toll_table(uint32_t alpha, double log_u, double slack, uint64_t *table, uint32_t *size, uint64_t *u) {
  const double floor_at = plan_curve_logit(PLAN_FLOOR);
  struct plan_curve curve = {.alpha = alpha, .slack = slack, .excess = plan_toll_excess};
  double price = floor(ldexp(exp(log_u), 32)), step = 1, t = 0;
  uint32_t n;
  *u = (uint64_t)price;
  curve.log_price = log(ldexp(price, -32));
  for (n = 0; n < FUMATA_TABLE_MAX && t > floor_at; n++) {
    double loser;
    step = plan_curve_step(&curve, t, step);
    if (step <= 0) return -1;
    t = t - step > floor_at ? t - step : floor_at;
    loser = ceil(ldexp(plan_curve_probability(t), 64));
    table[n] = 0 - (uint64_t)loser;
    if (n ? table[n] <= table[n - 1] : table[n] <= UINT64_C(1) << 63) return -1;
    if (t > floor_at) t = plan_curve_logit(ldexp(loser, -64));
  }
  *size = n;
  return 0;
}

double plan_toll_log_u(const uint64_t *named, uint32_t size, double alpha) {
  struct plan_curve curve = {.alpha = alpha};
  double lp = log(0.5), lq = log(0.5), largest = 0;
  for (uint32_t i = 0; i < size; i++) {
    double loser = ldexp((double)(0 - named[i]), -64), lr = log(loser), ls = log1p(-loser);
    double one = plan_toll_excess(&curve, lp, lq, lr, ls), two = plan_toll_excess(&curve, lr, ls, lp, lq);
    if (one > largest) largest = one;
    if (two > largest) largest = two;
    lp = lr, lq = ls;
  }
  return largest;
}

/* Builds and certifies in box->memory[1]; 0, or -1 when nothing could be certified. The slack grows until the core's
 * roundings fit into it. */
static int plan_toll_settle(const struct plan_budget *budget, struct plan_box *box) {
  const uint32_t alpha = box->claim.alpha;
  double log_u = plan_toll_log_price(budget, alpha), slack = 1e-7 * log_u, total = 1e-7;
  fumata_fault fault;
  for (int turn = 0; turn < PLAN_TOLL_RETRIES; turn++) {
    if (plan_toll_table(alpha, log_u - total / budget->answers, slack, box->memory[1], &box->toll.size, &box->claim.u))
      return -1;
    if (plan_certify(box, &box->claim, &fault) == FUMATA_OK) return 0;
    if (fault.kind == FUMATA_FAULT_ANSWER)
      slack *= 2;
    else if (fault.kind == FUMATA_FAULT_TOTAL)
      total *= 2;
    else
      return -1;
  }
  return -1;
}

/* An exit code, its line printed, or -1 when nothing could be certified; then the box is empty. */
static int plan_toll_build(const struct plan_target *target, double alpha, struct plan_box *box) {
  struct plan_budget budget = plan_budget(target);
  int code = memory_take(&box->memory[1], FUMATA_TABLE_MAX, sizeof *box->memory[1]);
  if (code) return code;
  box->mechanism = PLAN_MECHANISM_TOLL;
  box->claim = plan_claim(target, (uint32_t)alpha);
  box->toll.limit = target->answers;
  box->toll.named = box->memory[1];
  if (plan_toll_settle(&budget, box)) {
    plan_free(box);
    return -1;
  }
  plan_shrink(box);
  return EXIT_OK;
}

int plan_toll_find(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  struct plan_budget budget = plan_budget(target);
  double alpha = 0;
  memset(box, 0, sizeof *box);
  return isfinite(plan_toll_search(&budget, aim, &alpha)) ? plan_toll_build(target, alpha, box) : -1;
}

int plan_toll_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  int code = plan_target_answers(target);
  memset(box, 0, sizeof *box);
  if (!code) code = plan_toll_find(target, aim ? aim : &plan_usual_aim, box);
  return code < 0 ? plan_refuse(target) : code;
}

double plan_toll_reach(const struct plan_target *target, double miss) {
  struct plan_budget budget = plan_budget(target);
  struct plan_aim aim = {.silence = miss};
  double alpha;
  return plan_toll_search(&budget, &aim, &alpha);
}

/* ---- what plans of this mechanism are like ---- */

static fumata_status plan_toll_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  return fumata_certify_toll(&box->toll, claim, fault);
}

double plan_toll_loser(const struct plan_box *box, uint32_t distance) {
  if (distance == 0) return 0.5;
  if (distance > box->toll.size) distance = box->toll.size;
  return ldexp((double)(0 - box->toll.named[distance - 1]), -64);
}

const struct mechanism plan_toll_mechanism = {.name = "toll",
                                              .number = 3,
                                              .theorem = 'T',
                                              .tables = MECHANISM_NAMED,
                                              .gives_back = 1,
                                              .make = plan_toll_make,
                                              .certify = plan_toll_certify,
                                              .miss = {[PLAN_KIND_TOLL] = plan_toll_loser},
                                              .digest_tables = mechanism_digest_tables,
                                              .write_tables = mechanism_write_tables,
                                              .read_tables = mechanism_read_tables,
                                              .print_code = mechanism_print_code};

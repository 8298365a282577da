#include "plan/plan_gauss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/plan_curve.h"
#include "plan/plan_toll.h"

#define PLAN_GAUSS_REACH 4.77 /* standard deviations at which the other side has PLAN_FLOOR left */
#define PLAN_GAUSS_TURNS 28

double plan_gauss_sigma(const struct plan_target *target) {
  struct plan_budget budget = plan_budget(target);
  double b = sqrt(2 * budget.answers * log(1 / budget.delta));
  return budget.answers / (sqrt(b * b + 2 * budget.answers * budget.epsilon) - b);
}

/* 0, or -1 when it does not fit. */
static int plan_gauss_table(const struct plan_target *target, double sigma, struct plan_box *box) {
  double size = ceil(PLAN_GAUSS_REACH * sigma);
  memset(box, 0, sizeof *box);
  if (!(size >= 1 && size <= FUMATA_TABLE_MAX)) return -1;
  box->memory[1] = malloc((size_t)size * sizeof *box->memory[1]);
  if (!box->memory[1]) return -1;
  for (uint32_t i = 0; i < (uint32_t)size; i++)
    box->memory[1][i] = 0 - (uint64_t)ceil(ldexp(erfc((i + 1) / (sigma * sqrt(2))) / 2, 64));
  box->mechanism = PLAN_MECHANISM_TOLL;
  box->toll = (fumata_toll_plan){box->memory[1], (uint32_t)size, target->answers};
  return 0;
}

/* What it costs, and at which order. */
struct plan_gauss_price {
  const struct plan_box *box;
  struct plan_budget budget;
  double alpha;
};

static double plan_gauss_epsilon(void *context, double log_alpha) {
  const struct plan_gauss_price *price = context;
  double alpha = exp(log_alpha), log_u = plan_toll_log_u(price->box->toll.named, price->box->toll.size, alpha);
  return (price->budget.answers * log_u + plan_log_conversion(alpha) - log(price->budget.delta)) / (alpha - 1);
}

/* The smallest epsilon that floating point finds for the table in the box, and the order. */
static double plan_gauss_least(struct plan_gauss_price *price) {
  double most = plan_budget_most_alpha(&price->budget), best = HUGE_VAL, around;
  around = floor(
      exp(plan_curve_least(plan_gauss_epsilon, price, log(2), log(most < 3 ? 3 : most), PLAN_GAUSS_TURNS / 2, &best)));
  best = HUGE_VAL;
  for (double order = around > 2 ? around - 1 : 2; order <= around + 2 && order <= FUMATA_ALPHA_MAX; order++) {
    /* cppcheck-suppress invalidFunctionArg ; the order is at least 1 */
    double epsilon = plan_gauss_epsilon(price, log(order));
    if (epsilon < best) best = epsilon, price->alpha = order;
  }
  return best;
}

/* The claim at an order, with the price that the table asks for and a hair more, into which the core's roundings fit. */
static fumata_status plan_gauss_claim(const struct plan_target *target, double alpha, struct plan_box *box) {
  double log_u = plan_toll_log_u(box->toll.named, box->toll.size, alpha), hair;
  fumata_status status = FUMATA_ERR_UNCERTIFIED;
  fumata_fault fault = {FUMATA_FAULT_ANSWER, 0};
  box->claim = plan_claim(target, (uint32_t)alpha);
  for (hair = 1e-9; hair < 1e-2 && fault.kind == FUMATA_FAULT_ANSWER; hair *= 2) {
    box->claim.u = (uint64_t)ceil(ldexp(exp(log_u * (1 + hair)), 32)) + 1;
    status = plan_certify(box, &box->claim, &fault);
  }
  return status;
}

int plan_gauss_paper(const struct plan_target *target, double sigma, struct plan_box *box) {
  struct plan_gauss_price price = {box, plan_budget(target), 0};
  struct plan_target found = *target;
  double epsilon;
  if (plan_gauss_table(target, sigma, box)) return -1;
  epsilon = plan_gauss_least(&price);
  for (double slack = 1; isfinite(epsilon) && slack < 1.1; slack += 0.001)
    if (!plan_target_round_up(&found, epsilon * slack) && plan_gauss_claim(&found, price.alpha, box) == FUMATA_OK)
      return 0;
  plan_free(box);
  return -1;
}

/* By floating point: does this sigma keep the target? */
static int plan_gauss_keeps(const struct plan_target *target, double sigma, double *alpha) {
  struct plan_box box;
  struct plan_gauss_price price = {&box, plan_budget(target), 0};
  int keeps;
  if (plan_gauss_table(target, sigma, &box)) return 0;
  keeps = plan_gauss_least(&price) <= price.budget.epsilon;
  *alpha = price.alpha;
  plan_free(&box);
  return keeps;
}

int plan_gauss_make(const struct plan_target *target, struct plan_box *box, double *sigma) {
  double high, low, alpha = 2;
  int code = plan_target_answers(target);
  memset(box, 0, sizeof *box);
  if (code) return code;
  high = plan_gauss_sigma(target); /* always enough */
  low = high / 100;
  for (int turn = 0; turn < PLAN_GAUSS_TURNS; turn++) {
    double middle = sqrt(low * high);
    if (plan_gauss_keeps(target, middle, &alpha))
      high = middle;
    else
      low = middle;
  }
  if (plan_gauss_keeps(target, high, &alpha))
    for (double slack = 1e-8; slack < 0.05; slack *= 2) {
      *sigma = high * (1 + slack);
      if (plan_gauss_table(target, *sigma, box)) break;
      if (plan_gauss_claim(target, alpha, box) == FUMATA_OK) return EXIT_OK;
      plan_free(box);
    }
  return error_report(EXIT_REFUSED, "no Gaussian noise that fits a table keeps this epsilon and delta");
}

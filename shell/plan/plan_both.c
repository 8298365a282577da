#include "plan/plan_both.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/mechanism.h"
#include "plan/plan_curve.h"
#include "plan/plan_meter.h"
#include "plan/plan_toll.h"

#define PLAN_BOTH_RETRIES    80
#define PLAN_BOTH_SHARE      0.02 /* neither kind gets less of the moment */
#define PLAN_BOTH_TURNS      8
#define PLAN_BOTH_PART_TURNS 3
#define PLAN_BOTH_LOG_U_MAX  20.0 /* U times 2^32 must fit 64 bits */

/* A candidate, and what the search for it holds fast. */
struct plan_both_search {
  struct plan_budget budget; /* with the share of the moment that pays for answers */
  const struct plan_aim *aim;
  double alpha, part; /* the order, and the share of delta that the first silence takes */
};

/* The meter's share is used as the meter can; the rest of the moment is the toll's. */
static double plan_both_log_u(const struct plan_budget *budget, double alpha, double spent) {
  double each = budget->share * plan_budget_moment(budget, alpha, spent) / budget->answers;
  return each < PLAN_BOTH_LOG_U_MAX ? each : PLAN_BOTH_LOG_U_MAX;
}

/* At search->alpha; improves search->part. */
static double plan_both_cost(struct plan_both_search *search, int turns) {
  double meter = plan_meter_split(&search->budget, search->aim, search->alpha, turns, &search->part);
  double log_u = plan_both_log_u(&search->budget, search->alpha, search->part * search->budget.delta);
  return isfinite(meter) ? meter + plan_toll_cost(search->aim, search->alpha, log_u) : HUGE_VAL;
}

static double plan_both_order_cost(void *context, double log_alpha) {
  struct plan_both_search *search = context;
  search->alpha = exp(log_alpha);
  return plan_both_cost(search, PLAN_BOTH_PART_TURNS);
}

/* The best order for search->budget.share. */
static double plan_both_order(struct plan_both_search *search, int turns) {
  const struct plan_budget *budget = &search->budget;
  double least = plan_budget_least_alpha(budget, 0.1 * budget->delta), most = plan_budget_most_alpha(budget), cost;
  if (least >= FUMATA_ALPHA_MAX) return HUGE_VAL;
  if (most < least + 2) most = least + 2;
  search->alpha = exp(plan_curve_least(plan_both_order_cost, search, log(least), log(most), turns, &cost));
  return cost;
}

static double plan_both_share_cost(void *context, double share) {
  struct plan_both_search *search = context;
  search->budget.share = share;
  return plan_both_order(search, PLAN_BOTH_TURNS);
}

/* The best share, integer order and split of delta; the cost, HUGE_VAL if nothing will do. */
static double plan_both_find(struct plan_both_search *search) {
  double share = search->aim->answers, best = HUGE_VAL, around;
  struct plan_both_search found = *search;
  if (!(share > 0))
    share =
        plan_curve_least(plan_both_share_cost, search, PLAN_BOTH_SHARE, 1 - PLAN_BOTH_SHARE, PLAN_BOTH_TURNS, &best);
  search->budget.share = share;
  best = HUGE_VAL;
  if (!isfinite(plan_both_order(search, 2 * PLAN_BOTH_TURNS))) return HUGE_VAL;
  around = floor(search->alpha);
  for (double order = around - 1; order <= around + 2; order++) {
    double cost;
    if (order < 2 || order > FUMATA_ALPHA_MAX) continue;
    search->alpha = order;
    cost = plan_both_cost(search, 3 * PLAN_BOTH_PART_TURNS);
    if (cost < best) best = cost, found = *search;
  }
  *search = found;
  return best;
}

/* What stays unused, so that the core's roundings fit into it. */
struct plan_both_slack {
  double step, answer, total;
};

/* Both tables; the toll gets what the meter's V, as rounded, leaves. 0, or -1 if there are no such tables. */
static int plan_both_tables(const struct plan_both_search *search, const struct plan_both_slack *slack,
                            struct plan_box *box) {
  const struct plan_budget *budget = &search->budget;
  double spent, log_u;
  if (plan_meter_table(budget, box->claim.alpha, search->part, slack->step, 0, box->memory[0], &box->meter.size,
                       &box->claim.v))
    return -1;
  spent = budget->silences * ldexp((double)(0 - box->memory[0][0]), -64);
  log_u = (plan_budget_moment(budget, box->claim.alpha, spent) - slack->total -
           budget->silences * log(ldexp((double)box->claim.v, -32))) /
          budget->answers;
  if (!(log_u > 0)) return -1;
  if (log_u > PLAN_BOTH_LOG_U_MAX) log_u = PLAN_BOTH_LOG_U_MAX;
  return plan_toll_table(box->claim.alpha, log_u, slack->answer, box->memory[1], &box->toll.size, &box->claim.u);
}

/* Builds and certifies; 0, or -1 when nothing could be certified. */
static int plan_both_settle(struct plan_both_search *search, struct plan_box *box) {
  struct plan_both_slack slack = {1e-7, 0, 1e-7};
  fumata_fault fault;
  slack.answer = 1e-7 * plan_both_log_u(&search->budget, search->alpha, 0);
  for (int turn = 0; turn < PLAN_BOTH_RETRIES; turn++) {
    if (plan_both_tables(search, &slack, box)) return -1;
    if (plan_certify(box, &box->claim, &fault) == FUMATA_OK) return 0;
    if (fault.kind == FUMATA_FAULT_STEP)
      slack.step *= 2;
    else if (fault.kind == FUMATA_FAULT_ANSWER)
      slack.answer *= 2;
    else if (fault.kind == FUMATA_FAULT_TOTAL)
      slack.total *= 2;
    else if (fault.kind == FUMATA_FAULT_FIRST)
      search->part /= 2;
    else
      return -1;
  }
  return -1;
}

/* An exit code, its line printed, or -1 when nothing could be certified; then the box is empty. */
static int plan_both_build(const struct plan_target *target, struct plan_both_search *search, struct plan_box *box) {
  int code = memory_take(&box->memory[0], FUMATA_TABLE_MAX, sizeof *box->memory[0]);
  if (!code) code = memory_take(&box->memory[1], FUMATA_TABLE_MAX, sizeof *box->memory[1]);
  box->mechanism = PLAN_MECHANISM_BOTH;
  box->claim = plan_claim(target, (uint32_t)search->alpha);
  box->meter = (fumata_meter_plan){.silence = box->memory[0], .limit = target->silences};
  box->toll = (fumata_toll_plan){.named = box->memory[1], .limit = target->answers};
  if (!code && plan_both_settle(search, box)) code = -1;
  if (code) {
    plan_free(box);
    return code;
  }
  plan_shrink(box);
  return EXIT_OK;
}

int plan_both_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  struct plan_both_search search = {.budget = plan_budget(target), .aim = aim ? aim : &plan_usual_aim};
  int code = plan_target_silences(target);
  if (!code) code = plan_target_answers(target);
  memset(box, 0, sizeof *box);
  if (code) return code;
  if (isfinite(plan_both_find(&search))) {
    code = plan_both_build(target, &search, box);
    if (code >= 0) return code;
  }
  return plan_refuse(target);
}

/* ---- what plans of this mechanism are like: a meter's and a toll's ---- */

static fumata_status plan_both_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  fumata_budget_plan plan = {box->meter, box->toll};
  return fumata_certify_budget(&plan, claim, fault);
}

const struct mechanism plan_both_mechanism = {
    .name = "both",
    .number = 4,
    .theorem = 'J',
    .tables = MECHANISM_SILENCE | MECHANISM_NAMED,
    .gives_back = 1,
    .make = plan_both_make,
    .certify = plan_both_certify,
    .miss = {[PLAN_KIND_METER] = plan_meter_silence, [PLAN_KIND_TOLL] = plan_toll_loser},
    .digest_tables = mechanism_digest_tables,
    .write_tables = mechanism_write_tables,
    .read_tables = mechanism_read_tables,
    .print_code = mechanism_print_code};

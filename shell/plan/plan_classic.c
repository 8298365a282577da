#include "plan/plan_classic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rational.h"

/* The core's lower bound of e^x is sharp while x = (alpha - 1) epsilon stays in the hundreds. */
#define CLASSIC_EXPONENT_MAX 300.0

/* Which half of the noise is there. The certificate asks for ratios in one direction only, so the other half
 * of Laplace noise buys nothing: the paper's tables have both sides, the tight ones only the lower. */
enum plan_classic_sides { PLAN_CLASSIC_SIDES_BOTH, PLAN_CLASSIC_SIDES_LOWER };

struct classic_budget {
  double epsilon, delta, silences;
};

void plan_classic_constants(const struct plan_target *target, uint64_t queries, double beta, struct plan_paper *paper) {
  double epsilon = rational_value(target->epsilon_num, target->epsilon_den);
  double delta = rational_value(target->delta_num, target->delta_den);
  double m = (double)queries, t = target->silences, least = delta < beta / 2 ? delta : beta / 2;
  paper->lambda = sqrt(32 * t * log(2 / delta)) / epsilon;
  paper->width = 2 * paper->lambda * log(2 * m / delta);
  paper->teachers = 34 * sqrt(2) * paper->lambda * log(4 * m * t / least);
}

/* Threshold noise of scale `lambda`: whole numbers of 2^-64 for each outcome, rounded down, so that the ratios are
 * those of the tables and not of a formula; the lowest outcome takes all that is left over. Outcomes with less
 * than `tail` of probability below them are cut off. */
static int plan_classic_threshold(double lambda, enum plan_classic_sides sides, double tail, fumata_noise *noise,
                                  uint64_t **memory) {
  double b = exp(-1 / lambda),
         peak = sides == PLAN_CLASSIC_SIDES_BOTH ? -expm1(-1 / lambda) / (1 + b) : -expm1(-1 / lambda);
  double coarse = ldexp(64 * (1 + lambda), -64); /* below this, rounding would show in the ratios */
  double mass_tail = tail * -expm1(-1 / lambda), least = mass_tail > coarse ? mass_tail : coarse;
  double reach = floor(lambda * log(peak / least)), up;
  uint64_t rest = 0;
  uint32_t size, i;
  if (!(reach >= 1)) return -1;
  up = sides == PLAN_CLASSIC_SIDES_BOTH ? floor(lambda * log(peak / coarse)) : 0;
  if (reach + up + 2 > FUMATA_NOISE_MAX) return -1;
  size = (uint32_t)(reach + up + 1);
  *memory = malloc(size * sizeof **memory);
  if (!*memory) return -1;
  /* cdf[i] = 2^64 minus everything above outcome first + i. */
  for (i = size; i-- > 0;) {
    double z = (double)i + 1 - (reach + 1);
    rest += (uint64_t)ldexp(peak * exp(-fabs(z) / lambda), 64);
    (*memory)[i] = 0 - rest;
  }
  noise->cdf = *memory;
  noise->size = size;
  noise->first = -(int64_t)reach - 1;
  return 0;
}

/* Query noise of scale `lambda`; what lies below the floor becomes the outcome that is always silent. */
static int plan_classic_query(double lambda, enum plan_classic_sides sides, fumata_noise *noise, uint64_t **memory) {
  double b = exp(-1 / lambda), half = sides == PLAN_CLASSIC_SIDES_BOTH ? 1 / (1 + b) : 1;
  double down = ceil(lambda * log(half / PLAN_METER_FLOOR)), up;
  uint32_t size, i;
  up = sides == PLAN_CLASSIC_SIDES_BOTH ? ceil(lambda * 55 * log(2)) : 0;
  if (down < 1) down = 1;
  if (down + up + 2 > FUMATA_NOISE_MAX) return -1;
  size = (uint32_t)(down + up);
  *memory = malloc(size * sizeof **memory);
  if (!*memory) return -1;
  for (i = 0; i < size; i++) {
    double t = (double)i - down;
    if (t < 0 || sides == PLAN_CLASSIC_SIDES_LOWER)
      (*memory)[i] = (uint64_t)ceil(ldexp(half * exp(t / lambda), 64));
    else
      (*memory)[i] = 0 - (uint64_t)ldexp(half * exp(-(t + 1) / lambda), 64);
  }
  noise->cdf = *memory;
  noise->size = size;
  noise->first = -(int64_t)down;
  return 0;
}

static double plan_classic_mass(const fumata_noise *noise, uint32_t i) {
  uint64_t low = i ? noise->cdf[i - 1] : 0, high = i < noise->size ? noise->cdf[i] : 0;
  return ldexp((double)(high - low), -64);
}

/* P(Z2 > value). */
static double plan_classic_above(const fumata_noise *noise, int64_t value) {
  if (value < noise->first) return 1;
  if (value - noise->first >= noise->size) return 0;
  return ldexp((double)(0 - noise->cdf[value - noise->first]), -64);
}

/* P(Z2 - Z1 > w): a tie gets a label. */
static double plan_classic_slip(const fumata_classic_plan *plan, int64_t width) {
  double sum = 0;
  uint32_t i;
  for (i = 0; i <= plan->threshold.size; i++) {
    int64_t bar = width + plan->threshold.first + (int64_t)i;
    if (bar < plan->query.first) bar = plan->query.first;
    sum += plan_classic_mass(&plan->threshold, i) * plan_classic_above(&plan->query, bar);
  }
  return sum;
}

/* ln x of Theorem C, as the tables have it. */
static double plan_classic_log_x(const fumata_classic_plan *plan) {
  const fumata_noise *one = &plan->threshold, *two = &plan->query;
  double x1 = 1, x2 = 1;
  uint32_t i;
  for (i = 1; i <= one->size; i++) {
    double ratio = plan_classic_mass(one, i) / plan_classic_mass(one, i - 1);
    if (ratio > x1) x1 = ratio;
  }
  for (i = 1; i <= two->size; i++) {
    double above = i < two->size ? (double)two->cdf[i] : 0x1p64, below = (double)two->cdf[i > 1 ? i - 2 : 0];
    if (above / below > x2) x2 = above / below;
  }
  return log(x1) + log(x2);
}

static double plan_classic_log_c(double alpha) {
  return (alpha - 1) * log1p(-1 / alpha) - log(alpha);
}

/* ln of (x^alpha + x^(1-alpha)) / (1 + x), for x = e^l. */
static double plan_classic_log_moment(double alpha, double l) {
  return alpha * l + log1p(exp((1 - 2 * alpha) * l)) - log1p(exp(l));
}

/* The epsilon that T steps of ln x = l cost at order alpha when `room` is left of delta. */
static double plan_classic_epsilon(double alpha, double l, double silences, double room) {
  return (silences * plan_classic_log_moment(alpha, l) + plan_classic_log_c(alpha) - log(room)) / (alpha - 1);
}

/* The cheapest order when epsilon is about `near`; epsilon(alpha) falls, then rises. */
static double plan_classic_best_alpha(double l, double silences, double room, double near, double *epsilon) {
  double low = 2, high = floor(2 + CLASSIC_EXPONENT_MAX / near);
  if (high > FUMATA_ALPHA_MAX) high = FUMATA_ALPHA_MAX;
  while (high - low > 0.5) {
    double middle = floor((low + high) / 2);
    if (plan_classic_epsilon(middle, l, silences, room) <= plan_classic_epsilon(middle + 1, l, silences, room))
      high = middle;
    else
      low = middle + 1;
  }
  *epsilon = plan_classic_epsilon(low, l, silences, room);
  return low;
}

/* The largest ln x that epsilon admits. */
static double plan_classic_largest_x(double epsilon, double silences, double room, double *alpha) {
  double low = 0, high = epsilon + 1, cost;
  int turn;
  for (turn = 0; turn < 60; turn++) {
    double middle = (low + high) / 2;
    plan_classic_best_alpha(middle, silences, room, epsilon, &cost);
    if (cost <= epsilon)
      low = middle;
    else
      high = middle;
  }
  *alpha = low > 0 ? plan_classic_best_alpha(low, silences, room, epsilon, &cost) : 0;
  return low;
}

/* The smallest width with P(Z2 - Z1 > w) at most `slip`. */
static int64_t plan_classic_width(const fumata_classic_plan *plan, double slip) {
  int64_t low = -1, high = (int64_t)plan->threshold.size + plan->query.size + 1;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (plan_classic_slip(plan, middle) <= slip)
      high = middle;
    else
      low = middle;
  }
  return high;
}

static void plan_classic_claim(const struct plan_target *target, double alpha, struct plan_box *box) {
  box->mechanism = PLAN_MECHANISM_CLASSIC;
  box->claim.epsilon_num = target->epsilon_num;
  box->claim.epsilon_den = target->epsilon_den;
  box->claim.delta_num = target->delta_num;
  box->claim.delta_den = target->delta_den;
  box->claim.alpha = (uint32_t)alpha;
  box->claim.v = 0;
  box->classic.limit = target->silences;
}

/* One candidate of the tight search: ln x, the share of it that the threshold takes, the share of delta for slips. */
static int plan_classic_build(const struct classic_budget *budget, double l, double first, double slip,
                              struct plan_box *box) {
  double each = slip * budget->delta / budget->silences;
  if (plan_classic_threshold(1 / (first * l), PLAN_CLASSIC_SIDES_LOWER, each / 4, &box->classic.threshold,
                             &box->memory[0]))
    return -1;
  if (plan_classic_query(2 / ((1 - first) * l), PLAN_CLASSIC_SIDES_LOWER, &box->classic.query, &box->memory[1]))
    return -1;
  box->classic.width = plan_classic_width(&box->classic, each - plan_classic_mass(&box->classic.threshold, 0));
  return 0;
}

static double plan_classic_cost(const struct plan_aim *aim, const struct plan_box *box) {
  if (aim->share) {
    double sum = 0, total = 0;
    uint32_t d;
    for (d = 0; d < aim->size; d++) {
      sum += aim->share[d] * plan_silence(box, d);
      total += aim->share[d];
    }
    return sum / total;
  }
  return plan_distance(box, aim->silence);
}

int plan_classic_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  static const double slips[] = {0.02, 0.05, 0.1, 0.2};
  static const struct plan_aim usual = {0.05, NULL, 0};
  struct classic_budget budget;
  double best = HUGE_VAL, best_l = 0, best_first = 0, best_slip = 0, best_alpha = 0, slack;
  size_t i;
  budget.epsilon = rational_value(target->epsilon_num, target->epsilon_den);
  budget.delta = rational_value(target->delta_num, target->delta_den);
  budget.silences = target->silences;
  memset(box, 0, sizeof *box);
  if (target->silences < 1 || target->silences > FUMATA_SILENCES_MAX)
    return error_report(EXIT_INPUT, "silences: must be 1 to %u", FUMATA_SILENCES_MAX);
  if (!aim) aim = &usual;
  for (i = 0; i < sizeof slips / sizeof *slips; i++) {
    double alpha, l = plan_classic_largest_x(budget.epsilon, budget.silences, (1 - slips[i]) * budget.delta, &alpha);
    double first;
    if (!(l > 0)) continue;
    for (first = 0.4; first < 0.85; first += 0.05) {
      double cost = HUGE_VAL;
      plan_classic_claim(target, alpha, box);
      if (!plan_classic_build(&budget, l, first, slips[i], box)) cost = plan_classic_cost(aim, box);
      plan_free(box);
      if (cost < best) best = cost, best_l = l, best_first = first, best_slip = slips[i], best_alpha = alpha;
    }
  }
  for (slack = 1e-6; isfinite(best) && slack < 0.05; slack *= 2) {
    fumata_fault fault;
    plan_classic_claim(target, best_alpha, box);
    if (!plan_classic_build(&budget, best_l * (1 - slack), best_first, best_slip, box) &&
        fumata_certify_classic(&box->classic, &box->claim, &fault) == FUMATA_OK)
      return EXIT_OK;
    plan_free(box);
  }
  return error_report(EXIT_REFUSED, "no classic plan keeps epsilon %g, delta %g with %u silences", budget.epsilon,
                      budget.delta, target->silences);
}

/* `value` up to three significant digits, as a fraction. */
static int plan_classic_round_up(double value, struct plan_target *target) {
  double ten = pow(10, floor(log10(value)) - 2), digits = ceil(value / ten);
  uint32_t num, den = 1;
  if (!(value > 1e-5 && value < 1000)) return -1;
  for (num = (uint32_t)digits; ten < 0.5; ten *= 10)
    den *= 10;
  for (; ten > 5; ten /= 10)
    num *= 10;
  while (den % 2 == 0 && num % 2 == 0)
    den /= 2, num /= 2;
  while (den % 5 == 0 && num % 5 == 0)
    den /= 5, num /= 5;
  target->epsilon_num = num;
  target->epsilon_den = den;
  return 0;
}

int plan_classic_paper(const struct plan_target *target, uint64_t queries, struct plan_box *box) {
  struct plan_target found = *target;
  struct plan_paper paper;
  double spent, alpha, epsilon, slack;
  memset(box, 0, sizeof *box);
  plan_classic_constants(target, queries, 0.1, &paper);
  if (paper.width > 1e9 ||
      plan_classic_threshold(paper.lambda, PLAN_CLASSIC_SIDES_BOTH, 0, &box->classic.threshold, &box->memory[0]) ||
      plan_classic_query(2 * paper.lambda, PLAN_CLASSIC_SIDES_BOTH, &box->classic.query, &box->memory[1])) {
    plan_free(box);
    return -1;
  }
  box->classic.width = (int64_t)ceil(paper.width);
  spent = target->silences *
          (plan_classic_mass(&box->classic.threshold, 0) + plan_classic_slip(&box->classic, box->classic.width));
  spent = rational_value(target->delta_num, target->delta_den) - spent;
  if (spent > 0) {
    alpha = plan_classic_best_alpha(plan_classic_log_x(&box->classic), target->silences, spent,
                                    rational_value(target->epsilon_num, target->epsilon_den), &epsilon);
    for (slack = 1; slack < 1.1; slack += 0.001) {
      fumata_fault fault;
      if (plan_classic_round_up(epsilon * slack, &found)) break;
      plan_classic_claim(&found, alpha, box);
      if (fumata_certify_classic(&box->classic, &box->claim, &fault) == FUMATA_OK) return 0;
    }
  }
  plan_free(box);
  return -1;
}

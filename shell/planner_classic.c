#include "planner_classic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rational.h"
#include "say.h"

/* The core's lower bound of e^x is sharp while x = (alpha - 1) epsilon stays in the hundreds. */
#define FUMATA_CLASSIC_EXPONENT_MAX 300.0

/* Which half of the noise is there. The certificate asks for ratios in one direction only, so the other half
 * of Laplace noise buys nothing: the paper's tables have both sides, the tight ones only the lower. */
typedef enum { FUMATA_SIDES_BOTH, FUMATA_SIDES_LOWER } fumata_sides;

typedef struct {
  double epsilon, delta, silences;
} fumata_classic_budget;

void fumata_paper_constants(const fumata_target *target, uint64_t queries, double beta, fumata_paper *paper) {
  double epsilon = fumata_rational_value(target->epsilon_num, target->epsilon_den);
  double delta = fumata_rational_value(target->delta_num, target->delta_den);
  double m = (double)queries, t = target->silences, least = delta < beta / 2 ? delta : beta / 2;
  paper->lambda = sqrt(32 * t * log(2 / delta)) / epsilon;
  paper->width = 2 * paper->lambda * log(2 * m / delta);
  paper->teachers = 34 * sqrt(2) * paper->lambda * log(4 * m * t / least);
}

/* Threshold noise of scale `lambda`: whole numbers of 2^-64 for each outcome, rounded down, so that the ratios are
 * those of the tables and not of a formula; the lowest outcome takes all that is left over. Outcomes with less
 * than `tail` of probability below them are cut off. */
static int fumata_classic_threshold(double lambda, fumata_sides sides, double tail, fumata_noise *noise,
                                    uint64_t **memory) {
  double b = exp(-1 / lambda), peak = sides == FUMATA_SIDES_BOTH ? -expm1(-1 / lambda) / (1 + b) : -expm1(-1 / lambda);
  double coarse = ldexp(64 * (1 + lambda), -64); /* below this, rounding would show in the ratios */
  double mass_tail = tail * -expm1(-1 / lambda), least = mass_tail > coarse ? mass_tail : coarse;
  double reach = floor(lambda * log(peak / least)), up;
  uint64_t rest = 0;
  uint32_t size, i;
  if (!(reach >= 1)) return -1;
  up = sides == FUMATA_SIDES_BOTH ? floor(lambda * log(peak / coarse)) : 0;
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
static int fumata_classic_query(double lambda, fumata_sides sides, fumata_noise *noise, uint64_t **memory) {
  double b = exp(-1 / lambda), half = sides == FUMATA_SIDES_BOTH ? 1 / (1 + b) : 1;
  double down = ceil(lambda * log(half / FUMATA_PLANNER_FLOOR)), up;
  uint32_t size, i;
  up = sides == FUMATA_SIDES_BOTH ? ceil(lambda * 55 * log(2)) : 0;
  if (down < 1) down = 1;
  if (down + up + 2 > FUMATA_NOISE_MAX) return -1;
  size = (uint32_t)(down + up);
  *memory = malloc(size * sizeof **memory);
  if (!*memory) return -1;
  for (i = 0; i < size; i++) {
    double t = (double)i - down;
    if (t < 0 || sides == FUMATA_SIDES_LOWER)
      (*memory)[i] = (uint64_t)ceil(ldexp(half * exp(t / lambda), 64));
    else
      (*memory)[i] = 0 - (uint64_t)ldexp(half * exp(-(t + 1) / lambda), 64);
  }
  noise->cdf = *memory;
  noise->size = size;
  noise->first = -(int64_t)down;
  return 0;
}

static double fumata_classic_mass(const fumata_noise *noise, uint32_t i) {
  uint64_t low = i ? noise->cdf[i - 1] : 0, high = i < noise->size ? noise->cdf[i] : 0;
  return ldexp((double)(high - low), -64);
}

/* P(Z2 > value). */
static double fumata_classic_above(const fumata_noise *noise, int64_t value) {
  if (value < noise->first) return 1;
  if (value - noise->first >= noise->size) return 0;
  return ldexp((double)(0 - noise->cdf[value - noise->first]), -64);
}

/* P(Z2 - Z1 > w): a tie gets a label. */
static double fumata_classic_slip(const fumata_classic_plan *plan, int64_t width) {
  double sum = 0;
  uint32_t i;
  for (i = 0; i <= plan->threshold.size; i++) {
    int64_t bar = width + plan->threshold.first + (int64_t)i;
    if (bar < plan->query.first) bar = plan->query.first;
    sum += fumata_classic_mass(&plan->threshold, i) * fumata_classic_above(&plan->query, bar);
  }
  return sum;
}

/* ln x of Theorem C, as the tables have it. */
static double fumata_classic_log_x(const fumata_classic_plan *plan) {
  const fumata_noise *one = &plan->threshold, *two = &plan->query;
  double x1 = 1, x2 = 1;
  uint32_t i;
  for (i = 1; i <= one->size; i++) {
    double ratio = fumata_classic_mass(one, i) / fumata_classic_mass(one, i - 1);
    if (ratio > x1) x1 = ratio;
  }
  for (i = 1; i <= two->size; i++) {
    double above = i < two->size ? (double)two->cdf[i] : 0x1p64, below = (double)two->cdf[i > 1 ? i - 2 : 0];
    if (above / below > x2) x2 = above / below;
  }
  return log(x1) + log(x2);
}

static double fumata_classic_log_c(double alpha) {
  return (alpha - 1) * log1p(-1 / alpha) - log(alpha);
}

/* ln of (x^alpha + x^(1-alpha)) / (1 + x), for x = e^l. */
static double fumata_classic_log_moment(double alpha, double l) {
  return alpha * l + log1p(exp((1 - 2 * alpha) * l)) - log1p(exp(l));
}

/* The epsilon that T steps of ln x = l cost at order alpha when `room` is left of delta. */
static double fumata_classic_epsilon(double alpha, double l, double silences, double room) {
  return (silences * fumata_classic_log_moment(alpha, l) + fumata_classic_log_c(alpha) - log(room)) / (alpha - 1);
}

/* The cheapest order when epsilon is about `near`; epsilon(alpha) falls, then rises. */
static double fumata_classic_best_alpha(double l, double silences, double room, double near, double *epsilon) {
  double low = 2, high = floor(2 + FUMATA_CLASSIC_EXPONENT_MAX / near);
  if (high > FUMATA_ALPHA_MAX) high = FUMATA_ALPHA_MAX;
  while (high - low > 0.5) {
    double middle = floor((low + high) / 2);
    if (fumata_classic_epsilon(middle, l, silences, room) <= fumata_classic_epsilon(middle + 1, l, silences, room))
      high = middle;
    else
      low = middle + 1;
  }
  *epsilon = fumata_classic_epsilon(low, l, silences, room);
  return low;
}

/* The largest ln x that epsilon admits. */
static double fumata_classic_largest_x(double epsilon, double silences, double room, double *alpha) {
  double low = 0, high = epsilon + 1, cost;
  int turn;
  for (turn = 0; turn < 60; turn++) {
    double middle = (low + high) / 2;
    fumata_classic_best_alpha(middle, silences, room, epsilon, &cost);
    if (cost <= epsilon)
      low = middle;
    else
      high = middle;
  }
  *alpha = low > 0 ? fumata_classic_best_alpha(low, silences, room, epsilon, &cost) : 0;
  return low;
}

/* The smallest width with P(Z2 - Z1 > w) at most `slip`. */
static int64_t fumata_classic_width(const fumata_classic_plan *plan, double slip) {
  int64_t low = -1, high = (int64_t)plan->threshold.size + plan->query.size + 1;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (fumata_classic_slip(plan, middle) <= slip)
      high = middle;
    else
      low = middle;
  }
  return high;
}

static void fumata_classic_claim(const fumata_target *target, double alpha, fumata_plan_box *box) {
  box->mechanism = FUMATA_MECHANISM_CLASSIC;
  box->claim.epsilon_num = target->epsilon_num;
  box->claim.epsilon_den = target->epsilon_den;
  box->claim.delta_num = target->delta_num;
  box->claim.delta_den = target->delta_den;
  box->claim.alpha = (uint32_t)alpha;
  box->claim.v = 0;
  box->classic.limit = target->silences;
}

/* One candidate of the tight search: ln x, the share of it that the threshold takes, the share of delta for slips. */
static int fumata_classic_make(const fumata_classic_budget *budget, double l, double first, double slip,
                               fumata_plan_box *box) {
  double each = slip * budget->delta / budget->silences;
  if (fumata_classic_threshold(1 / (first * l), FUMATA_SIDES_LOWER, each / 4, &box->classic.threshold, &box->memory[0]))
    return -1;
  if (fumata_classic_query(2 / ((1 - first) * l), FUMATA_SIDES_LOWER, &box->classic.query, &box->memory[1])) return -1;
  box->classic.width = fumata_classic_width(&box->classic, each - fumata_classic_mass(&box->classic.threshold, 0));
  return 0;
}

static double fumata_classic_cost(const fumata_aim *aim, const fumata_plan_box *box) {
  if (aim->share) {
    double sum = 0, total = 0;
    uint32_t d;
    for (d = 0; d < aim->size; d++) {
      sum += aim->share[d] * fumata_plan_silence(box, d);
      total += aim->share[d];
    }
    return sum / total;
  }
  return fumata_plan_distance(box, aim->silence);
}

int fumata_planner_classic(const fumata_target *target, const fumata_aim *aim, fumata_plan_box *box) {
  static const double slips[] = {0.02, 0.05, 0.1, 0.2};
  static const fumata_aim usual = {0.05, NULL, 0};
  fumata_classic_budget budget;
  double best = HUGE_VAL, best_l = 0, best_first = 0, best_slip = 0, best_alpha = 0, slack;
  size_t i;
  budget.epsilon = fumata_rational_value(target->epsilon_num, target->epsilon_den);
  budget.delta = fumata_rational_value(target->delta_num, target->delta_den);
  budget.silences = target->silences;
  memset(box, 0, sizeof *box);
  if (target->silences < 1 || target->silences > FUMATA_SILENCES_MAX)
    return fumata_say_error(FUMATA_EXIT_INPUT, "silences: must be 1 to %u", FUMATA_SILENCES_MAX);
  if (!aim) aim = &usual;
  for (i = 0; i < sizeof slips / sizeof *slips; i++) {
    double alpha, l = fumata_classic_largest_x(budget.epsilon, budget.silences, (1 - slips[i]) * budget.delta, &alpha);
    double first;
    if (!(l > 0)) continue;
    for (first = 0.4; first < 0.85; first += 0.05) {
      double cost = HUGE_VAL;
      fumata_classic_claim(target, alpha, box);
      if (!fumata_classic_make(&budget, l, first, slips[i], box)) cost = fumata_classic_cost(aim, box);
      fumata_plan_free(box);
      if (cost < best) best = cost, best_l = l, best_first = first, best_slip = slips[i], best_alpha = alpha;
    }
  }
  for (slack = 1e-6; isfinite(best) && slack < 0.05; slack *= 2) {
    fumata_fault fault;
    fumata_classic_claim(target, best_alpha, box);
    if (!fumata_classic_make(&budget, best_l * (1 - slack), best_first, best_slip, box) &&
        fumata_certify_classic(&box->classic, &box->claim, &fault) == FUMATA_OK)
      return FUMATA_EXIT_OK;
    fumata_plan_free(box);
  }
  return fumata_say_error(FUMATA_EXIT_REFUSED, "no classic plan keeps epsilon %g, delta %g with %u silences",
                          budget.epsilon, budget.delta, target->silences);
}

/* `value` up to three significant digits, as a fraction. */
static int fumata_classic_round_up(double value, fumata_target *target) {
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

int fumata_planner_paper(const fumata_target *target, uint64_t queries, fumata_plan_box *box) {
  fumata_target found = *target;
  fumata_paper paper;
  double spent, alpha, epsilon, slack;
  memset(box, 0, sizeof *box);
  fumata_paper_constants(target, queries, 0.1, &paper);
  if (paper.width > 1e9 ||
      fumata_classic_threshold(paper.lambda, FUMATA_SIDES_BOTH, 0, &box->classic.threshold, &box->memory[0]) ||
      fumata_classic_query(2 * paper.lambda, FUMATA_SIDES_BOTH, &box->classic.query, &box->memory[1])) {
    fumata_plan_free(box);
    return -1;
  }
  box->classic.width = (int64_t)ceil(paper.width);
  spent = target->silences *
          (fumata_classic_mass(&box->classic.threshold, 0) + fumata_classic_slip(&box->classic, box->classic.width));
  spent = fumata_rational_value(target->delta_num, target->delta_den) - spent;
  if (spent > 0) {
    alpha = fumata_classic_best_alpha(fumata_classic_log_x(&box->classic), target->silences, spent,
                                      fumata_rational_value(target->epsilon_num, target->epsilon_den), &epsilon);
    for (slack = 1; slack < 1.1; slack += 0.001) {
      fumata_fault fault;
      if (fumata_classic_round_up(epsilon * slack, &found)) break;
      fumata_classic_claim(&found, alpha, box);
      if (fumata_certify_classic(&box->classic, &box->claim, &fault) == FUMATA_OK) return 0;
    }
  }
  fumata_plan_free(box);
  return -1;
}

#include "plan/plan_meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rational.h"
#include "core/ballot.h"

/* Silence probabilities are kept as t = ln(p / (1 - p)): near p = 1 it is 1 - p that matters, near 0 it is p,
 * and t tells both apart to full precision. */

#define PLAN_METER_ALPHA_MAX ((double)FUMATA_ALPHA_MAX)
#define PLAN_METER_RETRIES   60
#define PLAN_METER_LOG_V_MAX 20.0 /* V times 2^32 must fit 64 bits */
/* The core's lower bound of e^x is sharp while x = (alpha - 1) epsilon stays in the hundreds. */
#define PLAN_METER_EXPONENT_MAX 300.0

/* One candidate: Theorem M's alpha and ln V, the first entry, and how much stays unused at every step. */
struct plan_meter_curve {
  double alpha, log_v, first, slack;
};

struct plan_meter_spending {
  double epsilon, delta, silences;
};

static double plan_meter_logit(double p) {
  return log(p) - log1p(-p);
}

static void plan_meter_logs(double t, double *log_p, double *log_q) {
  if (t > 0) {
    *log_p = -log1p(exp(-t));
    *log_q = *log_p - t;
  } else {
    *log_q = -log1p(exp(t));
    *log_p = *log_q + t;
  }
}

/* ln of left side over right side of Theorem M (a), with the term in V moved to the right. */
static double plan_meter_excess(const struct plan_meter_curve *curve, double lp, double lq, double lr, double ls) {
  double rest = -expm1(curve->alpha * lq + (1 - curve->alpha) * ls);
  if (!(rest > 0)) return HUGE_VAL;
  return curve->alpha * lp + (1 - curve->alpha) * lr - curve->log_v - log(rest);
}

/* How far t may fall in one step of the distance: the largest s for which (a) holds both ways between t and
 * t - s. The solver is regula falsi with the Illinois rule; `guess` is the step before. */
static double plan_meter_step(const struct plan_meter_curve *curve, double t, double guess) {
  const double aim = 5e-11;
  double lp, lq, lr, ls, low = 0, high = guess, at_low = -curve->log_v + curve->slack + aim, at_high, one, two;
  int turn, side = 0;
  if (at_low >= 0) return 0;
  plan_meter_logs(t, &lp, &lq);
  for (;;) {
    plan_meter_logs(t - high, &lr, &ls);
    one = plan_meter_excess(curve, lp, lq, lr, ls);
    two = plan_meter_excess(curve, lr, ls, lp, lq);
    at_high = (one > two ? one : two) + curve->slack + aim;
    if (at_high > 0) break;
    low = high;
    at_low = at_high;
    high *= 1.5;
    if (high > 1e4) return low;
  }
  for (turn = 0; turn < 100; turn++) {
    double middle = isfinite(at_high) ? low + (high - low) * (at_low / (at_low - at_high)) : (low + high) / 2, at;
    if (!(middle > low && middle < high)) return low;
    plan_meter_logs(t - middle, &lr, &ls);
    one = plan_meter_excess(curve, lp, lq, lr, ls);
    two = plan_meter_excess(curve, lr, ls, lp, lq);
    at = (one > two ? one : two) + curve->slack + aim;
    if (fabs(at) <= aim) return middle;
    if (at < 0) {
      low = middle;
      at_low = at;
      if (side == -1) at_high /= 2;
      side = -1;
    } else {
      high = middle;
      at_high = at;
      if (side == 1) at_low /= 2;
      side = 1;
    }
  }
  return low;
}

/* The (fractional) distance at which the extremal table from curve->first comes down to t. Past the first few
 * hundred entries the table is as good as a solution of t' = -step(t), which needs far fewer evaluations. */
static double plan_meter_descent(const struct plan_meter_curve *curve, double t) {
  const int exact = 300, nodes = 64;
  double now = curve->first, step = 1, distance = 1, width, sum = 0, begin = 0, end = 0;
  int i;
  for (i = 0; i < exact; i++) {
    step = plan_meter_step(curve, now, step);
    if (step <= 0) return HUGE_VAL;
    if (now - step <= t) return distance + (now - t) / step;
    now -= step;
    distance++;
  }
  width = (now - t) / nodes;
  for (i = 0; i <= nodes; i++) {
    step = plan_meter_step(curve, now - width * i, step);
    if (step <= 0) return HUGE_VAL;
    if (i == 0) begin = step;
    if (i == nodes) end = step;
    sum += (i == 0 || i == nodes ? 1 : i % 2 ? 4 : 2) / step;
  }
  return distance + sum * width / 3 - log(begin / end) / 2;
}

/* Average silence over a public profile of distances. */
static double plan_meter_average(const struct plan_meter_curve *curve, const struct plan_aim *aim) {
  const double floor_at = plan_meter_logit(PLAN_METER_FLOOR);
  double t = curve->first, step = 1, sum = aim->size ? aim->share[0] : 0, total = sum;
  uint32_t i;
  for (i = 1; i < aim->size; i++) {
    sum += aim->share[i] / (1 + exp(-t));
    total += aim->share[i];
    step = plan_meter_step(curve, t, step);
    if (step <= 0) return HUGE_VAL;
    t = t - step > floor_at ? t - step : floor_at;
  }
  return sum / total;
}

static double plan_meter_log_c(double alpha) {
  return (alpha - 1) * log1p(-1 / alpha) - log(alpha);
}

/* ln V when the first entry takes T (1 - p_1) = spent out of delta. */
static double plan_meter_log_v(const struct plan_meter_spending *budget, double alpha, double spent) {
  double total = log(budget->delta - spent) + (alpha - 1) * budget->epsilon - plan_meter_log_c(alpha);
  double each = total / budget->silences;
  return each < PLAN_METER_LOG_V_MAX ? each : PLAN_METER_LOG_V_MAX;
}

/* What a candidate is worth: smaller is better. `part` is the share of delta that the first entry takes. */
static double plan_meter_cost(const struct plan_meter_spending *budget, const struct plan_aim *aim, double alpha,
                              double part) {
  struct plan_meter_curve curve;
  double q = part * budget->delta / budget->silences;
  curve.alpha = alpha;
  curve.log_v = plan_meter_log_v(budget, alpha, part * budget->delta);
  curve.first = log1p(-q) - log(q);
  curve.slack = 0;
  if (!(curve.log_v > 0) || (1 - alpha) * log1p(-q) > curve.log_v) return HUGE_VAL;
  /* Entries near 1 are told apart in steps of 2^-64. */
  if (q * expm1(plan_meter_step(&curve, curve.first, 1)) < 0x1p-63) return HUGE_VAL;
  if (aim->share) return plan_meter_average(&curve, aim);
  return plan_meter_descent(&curve, plan_meter_logit(aim->silence));
}

/* Minimum over the split of delta at one alpha. Where nothing is feasible, more for the first entry may be. */
static double plan_meter_split(const struct plan_meter_spending *budget, const struct plan_aim *aim, double alpha,
                               int turns, double *part) {
  const double golden = 0.6180339887498949;
  double low = log(1e-5), high = log(0.9), a, b, at_a, at_b;
  if (*part > 0) {
    low = log(*part) - 1;
    high = log(*part) + 1 < high ? log(*part) + 1 : high;
  }
  a = high - golden * (high - low);
  b = low + golden * (high - low);
  at_a = plan_meter_cost(budget, aim, alpha, exp(a));
  at_b = plan_meter_cost(budget, aim, alpha, exp(b));
  while (turns-- > 0) {
    if (at_a <= at_b && isfinite(at_a)) {
      high = b, b = a, at_b = at_a;
      a = high - golden * (high - low);
      at_a = plan_meter_cost(budget, aim, alpha, exp(a));
    } else {
      low = a, a = b, at_a = at_b;
      b = low + golden * (high - low);
      at_b = plan_meter_cost(budget, aim, alpha, exp(b));
    }
  }
  *part = exp(at_a <= at_b ? a : b);
  return at_a <= at_b ? at_a : at_b;
}

/* The best integer alpha and split; where nothing is feasible, a larger alpha may be. Returns the cost, HUGE_VAL if no
 * alpha will do. */
static double plan_meter_search(const struct plan_meter_spending *budget, const struct plan_aim *aim, double *alpha,
                                double *part) {
  const double golden = 0.6180339887498949;
  double low = 1, high, a, b, at_a, at_b, part_a = 0, part_b = 0, best = HUGE_VAL, least;
  int turn;
  /* Below this order V would be less than 1. */
  for (least = 2; least < PLAN_METER_ALPHA_MAX; least = ceil(least * 1.01))
    if (plan_meter_log_v(budget, least, 0.1 * budget->delta) > 0) break;
  if (least >= PLAN_METER_ALPHA_MAX) return HUGE_VAL;
  high = 1 + PLAN_METER_EXPONENT_MAX / budget->epsilon;
  if (high > PLAN_METER_ALPHA_MAX) high = PLAN_METER_ALPHA_MAX;
  low = log(least);
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
    if (order < 2 || order > PLAN_METER_ALPHA_MAX) continue;
    cost = plan_meter_split(budget, aim, order, 10, &share);
    if (cost < best) best = cost, *alpha = order, *part = share;
  }
  return best;
}

/* Fills box->meter and the claim's v with the extremal table of a curve, rounded so that every entry is what the
 * next one starts from. Returns 0, or -1 if there is no such table. */
static int plan_meter_table(const struct plan_meter_spending *budget, uint32_t alpha, double part, double slack,
                            double total, uint64_t *table, uint32_t *size, uint64_t *v) {
  const double floor_at = plan_meter_logit(PLAN_METER_FLOOR);
  struct plan_meter_curve curve;
  double q = floor(ldexp(part * budget->delta / budget->silences, 64)), step = 1, t, price;
  uint64_t entry;
  uint32_t n;
  if (q < 1) q = 1;
  q = ldexp(q, -64);
  if (budget->delta <= budget->silences * q) return -1;
  curve.alpha = alpha;
  curve.slack = slack;
  curve.log_v = plan_meter_log_v(budget, alpha, budget->silences * q) - total / budget->silences;
  if (!(curve.log_v > 0)) return -1;
  price = floor(ldexp(exp(curve.log_v), 32));
  *v = (uint64_t)price;
  curve.log_v = log(ldexp(price, -32));
  t = log1p(-q) - log(q);
  entry = 0 - (uint64_t)ldexp(q, 64);
  for (n = 0;; n++) {
    table[n] = entry;
    if (t <= floor_at || n + 1 == FUMATA_TABLE_MAX) break;
    step = plan_meter_step(&curve, t, step);
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
      if (t > floor_at) t = plan_meter_logit(p);
    }
    if (entry >= table[n]) return -1;
  }
  *size = n + 1;
  return 0;
}

static void plan_meter_budget(const struct plan_target *target, struct plan_meter_spending *budget) {
  budget->epsilon = rational_value(target->epsilon_num, target->epsilon_den);
  budget->delta = rational_value(target->delta_num, target->delta_den);
  budget->silences = target->silences;
}

static const struct plan_aim plan_meter_usual = {0.05, NULL, 0};

/* What the core says about a sample of a large table: single steps, then the first entry and the total. */
static fumata_fault_kind plan_meter_probe(const struct plan_box *box) {
  const uint32_t every = box->meter.size / 100 + 1;
  fumata_meter_plan part = box->meter;
  fumata_fault fault;
  uint32_t i;
  part.size = 2;
  for (i = 0; i + 1 < box->meter.size; i += every) {
    part.silence = box->meter.silence + (box->meter.size - 2 - i);
    if (fumata_certify_meter(&part, &box->claim, &fault) != FUMATA_OK && fault.kind == FUMATA_FAULT_STEP)
      return FUMATA_FAULT_STEP;
  }
  part.silence = box->meter.silence;
  part.size = 1;
  fumata_certify_meter(&part, &box->claim, &fault);
  return fault.kind;
}

/* Builds and certifies; 0, or -1 when nothing could be certified, or an exit code. The slack grows until the
 * core's roundings fit into it. */
static int plan_meter_build(const struct plan_target *target, uint32_t alpha, double part, struct plan_box *box) {
  struct plan_meter_spending budget;
  double slack = 1e-7, total = 1e-7;
  fumata_fault fault;
  uint64_t *table = malloc(FUMATA_TABLE_MAX * sizeof *table), *shrunk;
  int turn;
  if (!table) return error_report(EXIT_SYSTEM, "out of memory");
  plan_meter_budget(target, &budget);
  memset(box, 0, sizeof *box);
  box->mechanism = PLAN_MECHANISM_METER;
  box->claim.epsilon_num = target->epsilon_num;
  box->claim.epsilon_den = target->epsilon_den;
  box->claim.delta_num = target->delta_num;
  box->claim.delta_den = target->delta_den;
  box->claim.alpha = alpha;
  box->meter.limit = target->silences;
  box->meter.silence = table;
  for (turn = 0; turn < PLAN_METER_RETRIES; turn++) {
    if (plan_meter_table(&budget, alpha, part, slack, total, table, &box->meter.size, &box->claim.v)) break;
    fault.kind = (double)box->meter.size * alpha > 1e6 ? plan_meter_probe(box) : FUMATA_FAULT_NONE;
    if (fault.kind == FUMATA_FAULT_NONE && fumata_certify_meter(&box->meter, &box->claim, &fault) == FUMATA_OK) {
      shrunk = realloc(table, box->meter.size * sizeof *table);
      box->memory[0] = shrunk ? shrunk : table;
      box->meter.silence = box->memory[0];
      return EXIT_OK;
    }
    if (fault.kind == FUMATA_FAULT_STEP)
      slack *= 2;
    else if (fault.kind == FUMATA_FAULT_TOTAL)
      total *= 2;
    else if (fault.kind == FUMATA_FAULT_FIRST)
      part /= 2;
    else
      break;
  }
  free(table);
  memset(box, 0, sizeof *box);
  return -1;
}

static int plan_meter_check(const struct plan_target *target) {
  if (target->silences < 1 || target->silences > FUMATA_SILENCES_MAX)
    return error_report(EXIT_INPUT, "silences: must be 1 to %u", FUMATA_SILENCES_MAX);
  return EXIT_OK;
}

int plan_meter_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  struct plan_meter_spending budget;
  double alpha = 0, part = 0, cost;
  int code = plan_meter_check(target);
  if (code) return code;
  if (!aim) aim = &plan_meter_usual;
  plan_meter_budget(target, &budget);
  cost = plan_meter_search(&budget, aim, &alpha, &part);
  if (!aim->share && isfinite(cost) && cost > FUMATA_TABLE_MAX)
    return error_report(EXIT_REFUSED,
                        "epsilon %g, delta %g with %u silences asks for a table of more than %u distances",
                        budget.epsilon, budget.delta, target->silences, FUMATA_TABLE_MAX);
  if (isfinite(cost)) {
    code = plan_meter_build(target, (uint32_t)alpha, part, box);
    if (code >= 0) return code;
  }
  return error_report(EXIT_REFUSED, "no plan keeps epsilon %g, delta %g with %u silences", budget.epsilon, budget.delta,
                      target->silences);
}

double plan_meter_reach(const struct plan_target *target, double silence) {
  struct plan_meter_spending budget;
  struct plan_aim aim = {silence, NULL, 0};
  double alpha, part;
  plan_meter_budget(target, &budget);
  return plan_meter_search(&budget, &aim, &alpha, &part);
}

int plan_meter_silences(const struct plan_target *target, uint32_t distance, double silence, uint32_t most,
                        struct plan_box *box, uint32_t *silences) {
  struct plan_target now = *target;
  struct plan_aim aim = {silence, NULL, 0};
  uint32_t low = 0, high;
  int code;
  *silences = 0;
  if (most > FUMATA_SILENCES_MAX) most = FUMATA_SILENCES_MAX;
  for (high = 1; high <= most; high = high * 2) {
    now.silences = high;
    if (!(plan_meter_reach(&now, silence) <= distance)) break;
    low = high;
  }
  if (high > most) high = most + 1;
  while (high - low > 1) {
    now.silences = low + (high - low) / 2;
    if (plan_meter_reach(&now, silence) <= distance)
      low = now.silences;
    else
      high = now.silences;
  }
  /* The certificate's slack may cost the last one. */
  for (; low > 0; low--) {
    now.silences = low;
    code = plan_meter_make(&now, &aim, box);
    if (code) return code;
    if (plan_silence(box, distance) <= silence) {
      *silences = low;
      return EXIT_OK;
    }
    plan_free(box);
  }
  return EXIT_OK;
}

/* Three significant digits: 100..999 times a power of ten from -5 to -1. */
static void plan_meter_digits(struct plan_target *target, uint32_t index) {
  static const uint32_t tens[] = {100000, 10000, 1000, 100, 10};
  struct rational number;
  char text[RATIONAL_TEXT];
  rational_print(100 + index % 900, tens[index / 900], text);
  number.num = 100 + index % 900;
  number.den = tens[index / 900];
  rational_parse(text, &number);
  target->epsilon_num = (uint32_t)number.num;
  target->epsilon_den = (uint32_t)number.den;
}

int plan_meter_epsilon(const struct plan_target *target, uint32_t distance, double silence, struct plan_box *box) {
  const uint32_t last = 900 * 5 - 1;
  struct plan_target now = *target;
  struct plan_aim aim = {silence, NULL, 0};
  uint32_t low = 0, high = last;
  int code = plan_meter_check(target);
  if (code) return code;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    plan_meter_digits(&now, middle);
    if (plan_meter_reach(&now, silence) <= distance)
      high = middle;
    else
      low = middle + 1;
  }
  for (; low <= last; low++) {
    plan_meter_digits(&now, low);
    if (!(plan_meter_reach(&now, silence) <= distance)) break;
    code = plan_meter_make(&now, &aim, box);
    if (code) return code;
    if (plan_silence(box, distance) <= silence) return EXIT_OK;
    plan_free(box);
  }
  return error_report(EXIT_REFUSED, "no epsilon below 100 answers a vote at distance %u with %u silences", distance,
                      target->silences);
}

int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  const double agreement = 0.9, silence = 0.05;
  uint64_t smallest = setting->smallest ? setting->smallest : 40, most = setting->records / smallest;
  double hard = setting->hard > 0 ? setting->hard : 0.1, wanted = ceil(1.2 * hard * (double)setting->queries) + 5;
  uint32_t low = 0, high, need = 0, least = 0;
  struct plan_target now = *target;
  if (most > FUMATA_TEACHERS_MAX) most = FUMATA_TEACHERS_MAX;
  high = wanted < FUMATA_SILENCES_MAX ? (uint32_t)wanted : FUMATA_SILENCES_MAX;
  /* Every candidate T asks for so many teachers that nine tenths of them agreeing are answered. */
  now.silences = high;
  for (;;) {
    double distance = plan_meter_reach(&now, silence);
    double count = isfinite(distance) ? ceil((2 * ceil(distance) + 1) / (2 * agreement - 1)) : HUGE_VAL;
    if (now.silences == 1) least = count < 1e9 ? (uint32_t)count : UINT32_MAX;
    if (count <= (double)most) {
      low = now.silences;
      need = (uint32_t)count;
    } else
      high = now.silences;
    if (high <= low || high - low <= 1 || (double)(high - low) < 0.02 * low) {
      if (low == 0 && now.silences != 1) {
        now.silences = 1;
        continue;
      }
      break;
    }
    if (low == high) break;
    now.silences = low ? low + (high - low) / 2 : high / 2;
  }
  if (low == 0)
    return error_report(EXIT_REFUSED,
                        "%llu records are too few for this epsilon: one silence asks for %u teachers of %llu",
                        (unsigned long long)setting->records, least, (unsigned long long)smallest);
  target->silences = low;
  *teachers = need;
  return EXIT_OK;
}

int plan_target_epsilon(struct plan_target *target, const char *what, const char *text) {
  struct rational number;
  if (rational_parse(text, &number) || number.num > UINT32_MAX || number.den > UINT32_MAX)
    return error_report(EXIT_INPUT, "%s: '%s' is not a positive number such as 0.5, 3.16 or 1/3", what, text);
  target->epsilon_num = (uint32_t)number.num;
  target->epsilon_den = (uint32_t)number.den;
  return EXIT_OK;
}

int plan_target_delta(struct plan_target *target, const char *what, const char *text) {
  struct rational number;
  if (rational_parse(text, &number))
    return error_report(EXIT_INPUT, "%s: '%s' is not a positive number such as 1e-5 or 1/100000", what, text);
  if (number.num >= number.den) return error_report(EXIT_INPUT, "%s: '%s' must be below 1", what, text);
  target->delta_num = number.num;
  target->delta_den = number.den;
  return EXIT_OK;
}

void plan_free(struct plan_box *box) {
  free(box->memory[0]);
  free(box->memory[1]);
  memset(box, 0, sizeof *box);
}

uint32_t plan_limit(const struct plan_box *box) {
  return box->mechanism == PLAN_MECHANISM_METER ? box->meter.limit : box->classic.limit;
}

fumata_status plan_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  if (box->mechanism == PLAN_MECHANISM_METER) return fumata_certify_meter(&box->meter, claim, fault);
  return fumata_certify_classic(&box->classic, claim, fault);
}

/* P(noise <= value). */
static double plan_meter_cdf(const fumata_noise *noise, int64_t value) {
  if (value < noise->first) return 0;
  if (value - noise->first >= noise->size) return 1;
  return ldexp((double)noise->cdf[value - noise->first], -64);
}

double plan_silence(const struct plan_box *box, uint32_t distance) {
  const fumata_noise *threshold = &box->classic.threshold;
  double sum = 0;
  uint32_t i;
  if (box->mechanism == PLAN_MECHANISM_METER) {
    if (distance == 0) return 1;
    if (distance > box->meter.size) distance = box->meter.size;
    return ldexp((double)box->meter.silence[distance - 1], -64);
  }
  /* Silent iff Z2 <= w + Z1 - d, or Z2 at its lowest. */
  for (i = 0; i <= threshold->size; i++) {
    double below = i ? ldexp((double)threshold->cdf[i - 1], -64) : 0;
    double mass = (i < threshold->size ? ldexp((double)threshold->cdf[i], -64) : 1) - below;
    int64_t bar = box->classic.width + threshold->first + (int64_t)i - (int64_t)distance;
    if (bar < box->classic.query.first) bar = box->classic.query.first;
    sum += mass * plan_meter_cdf(&box->classic.query, bar);
  }
  return sum;
}

uint32_t plan_distance(const struct plan_box *box, double silence) {
  uint32_t low = 0, high = FUMATA_TEACHERS_MAX;
  if (plan_silence(box, high) > silence) return UINT32_MAX;
  if (plan_silence(box, 0) <= silence) return 0;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (plan_silence(box, middle) <= silence)
      high = middle;
    else
      low = middle;
  }
  return high;
}

uint32_t plan_vote_distance(uint32_t teachers, uint32_t agreeing) {
  uint32_t others = teachers - agreeing;
  return agreeing > others + 2 ? (agreeing - others - 1) / 2 : 0;
}

uint32_t plan_teachers(const struct plan_box *box, double agreement, double silence) {
  uint32_t distance = plan_distance(box, silence), teachers, last = 0;
  double guess;
  if (distance == UINT32_MAX) return UINT32_MAX;
  guess = (2.0 * distance + 1) / (2 * agreement - 1);
  if (!(guess > 0 && guess < FUMATA_TEACHERS_MAX - 100)) return UINT32_MAX;
  /* The share rounds down to whole teachers, so the distance is not quite monotone in their number. */
  for (teachers = (uint32_t)guess + 50; teachers > 0; teachers--) {
    if (plan_vote_distance(teachers, (uint32_t)floor(agreement * teachers + 1e-9)) < distance) break;
    last = teachers;
  }
  return last ? last : UINT32_MAX;
}

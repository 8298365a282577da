#include "plan/plan_classic.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/mechanism.h"

/* Which half of the noise is there. The certificate asks for ratios in one direction only, so the other half
 * of Laplace noise buys nothing: the paper's tables have both sides, the tight ones only the lower. */
enum plan_classic_sides { PLAN_CLASSIC_SIDES_BOTH, PLAN_CLASSIC_SIDES_LOWER };

void plan_classic_constants(const struct plan_target *target, uint64_t queries, double beta, struct plan_paper *paper) {
  struct plan_budget budget = plan_budget(target);
  double m = (double)queries, t = budget.silences, least = budget.delta < beta / 2 ? budget.delta : beta / 2;
  paper->lambda = sqrt(32 * t * log(2 / budget.delta)) / budget.epsilon;
  paper->width = 2 * paper->lambda * log(2 * m / budget.delta);
  paper->teachers = 34 * sqrt(2) * paper->lambda * log(4 * m * t / least);
}

void plan_classic_liu(const struct plan_target *target, uint64_t queries, double beta, struct plan_paper *paper) {
  struct plan_budget budget = plan_budget(target);
  double m = (double)queries, t = budget.silences, log_delta = log(2 / budget.delta), margin = PLAN_AGREEMENT - 0.5;
  double vote = 2 * log(3 * m / beta) / (margin * margin), noise;
  paper->lambda = (sqrt(2 * t * (budget.epsilon + log_delta)) + sqrt(2 * t * log_delta)) / budget.epsilon;
  paper->width = 3 * paper->lambda * log(2 * (m + t) / budget.delta);
  noise = 3 * paper->lambda * (log(4 * m / budget.delta) + log(3 * m / beta)) / margin;
  paper->teachers = vote > noise ? vote : noise;
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
  double down = ceil(lambda * log(half / PLAN_FLOOR)), up;
  uint32_t size;
  up = sides == PLAN_CLASSIC_SIDES_BOTH ? ceil(lambda * 55 * log(2)) : 0;
  if (down < 1) down = 1;
  if (down + up + 2 > FUMATA_NOISE_MAX) return -1;
  size = (uint32_t)(down + up);
  *memory = malloc(size * sizeof **memory);
  if (!*memory) return -1;
  for (uint32_t i = 0; i < size; i++) {
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
  for (uint32_t i = 0; i <= plan->threshold.size; i++) {
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
  for (uint32_t i = 1; i <= one->size; i++) {
    double ratio = plan_classic_mass(one, i) / plan_classic_mass(one, i - 1);
    if (ratio > x1) x1 = ratio;
  }
  for (uint32_t i = 1; i <= two->size; i++) {
    double above = i < two->size ? (double)two->cdf[i] : 0x1p64, below = (double)two->cdf[i > 1 ? i - 2 : 0];
    if (above / below > x2) x2 = above / below;
  }
  return log(x1) + log(x2);
}

/* The epsilon that T steps of ln x = l cost at order alpha when `room` is left of delta. The moment of a step is
 * (x^alpha + x^(1-alpha)) / (1 + x). */
static double plan_classic_epsilon(double alpha, double l, double silences, double room) {
  double log_moment = alpha * l + log1p(exp((1 - 2 * alpha) * l)) - log1p(exp(l));
  return (silences * log_moment + plan_log_conversion(alpha) - log(room)) / (alpha - 1);
}

/* The cheapest order when epsilon is about `near`; epsilon(alpha) falls, then rises. */
static double plan_classic_best_alpha(double l, double silences, double room, double near, double *epsilon) {
  double low = 2, high = floor(2 + PLAN_EXPONENT_MAX / near);
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
  for (int turn = 0; turn < 60; turn++) {
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
  box->claim = plan_claim(target, (uint32_t)alpha);
  box->classic.limit = target->silences;
}

/* One candidate of the tight search: ln x, the share of it that the threshold takes, the share of delta for slips. */
static int plan_classic_build(const struct plan_budget *budget, double l, double first, double slip,
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

/* A point of the tight search's grid, and what it is worth. */
struct plan_classic_candidate {
  double l, first, slip, alpha, cost;
};

static struct plan_classic_candidate plan_classic_search(const struct plan_target *target, const struct plan_aim *aim,
                                                         struct plan_box *box) {
  static const double slips[] = {0.02, 0.05, 0.1, 0.2};
  struct plan_budget budget = plan_budget(target);
  struct plan_classic_candidate best = {.cost = HUGE_VAL};
  for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
    double room = (1 - slips[i]) * budget.delta, alpha, first;
    double l = plan_classic_largest_x(budget.epsilon, budget.silences, room, &alpha);
    if (!(l > 0)) continue;
    for (first = 0.4; first < 0.85; first += 0.05) {
      double cost = HUGE_VAL;
      plan_classic_claim(target, alpha, box);
      if (!plan_classic_build(&budget, l, first, slips[i], box)) cost = plan_classic_cost(aim, box);
      plan_free(box);
      if (cost < best.cost) best = (struct plan_classic_candidate){l, first, slips[i], alpha, cost};
    }
  }
  return best;
}

int plan_classic_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  struct plan_budget budget = plan_budget(target);
  struct plan_classic_candidate best;
  int code = plan_target_silences(target);
  memset(box, 0, sizeof *box);
  if (code) return code;
  best = plan_classic_search(target, aim ? aim : &plan_usual_aim, box);
  for (double slack = 1e-6; isfinite(best.cost) && slack < 0.05; slack *= 2) {
    fumata_fault fault;
    plan_classic_claim(target, best.alpha, box);
    if (!plan_classic_build(&budget, best.l * (1 - slack), best.first, best.slip, box) &&
        plan_certify(box, &box->claim, &fault) == FUMATA_OK)
      return EXIT_OK;
    plan_free(box);
  }
  return error_report(EXIT_REFUSED, "no classic plan keeps epsilon %g, delta %g with %u silences", budget.epsilon,
                      budget.delta, target->silences);
}

/* The smallest epsilon that the core certifies for the tables in the box; 0, or -1 when there is none. */
static int plan_classic_price(const struct plan_target *target, struct plan_box *box) {
  struct plan_budget budget = plan_budget(target);
  struct plan_target found = *target;
  double slips = plan_classic_mass(&box->classic.threshold, 0) + plan_classic_slip(&box->classic, box->classic.width);
  double room = budget.delta - target->silences * slips, alpha, epsilon;
  if (!(room > 0)) return -1;
  alpha = plan_classic_best_alpha(plan_classic_log_x(&box->classic), budget.silences, room, budget.epsilon, &epsilon);
  for (double slack = 1; slack < 1.1; slack += 0.001) {
    fumata_fault fault;
    if (plan_target_round_up(&found, epsilon * slack)) return -1;
    plan_classic_claim(&found, alpha, box);
    if (plan_certify(box, &box->claim, &fault) == FUMATA_OK) return 0;
  }
  return -1;
}

int plan_classic_paper(const struct plan_target *target, const struct plan_paper *paper, struct plan_box *box) {
  int failed;
  memset(box, 0, sizeof *box);
  box->classic.width = paper->width > 1e9 ? 0 : (int64_t)ceil(paper->width);
  failed =
      paper->width > 1e9 ||
      plan_classic_threshold(paper->lambda, PLAN_CLASSIC_SIDES_BOTH, 0, &box->classic.threshold, &box->memory[0]) ||
      plan_classic_query(2 * paper->lambda, PLAN_CLASSIC_SIDES_BOTH, &box->classic.query, &box->memory[1]) ||
      plan_classic_price(target, box);
  if (failed) plan_free(box);
  return failed ? -1 : 0;
}

/* ---- what plans of this mechanism are like ---- */

static fumata_status plan_classic_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  return fumata_certify_classic(&box->classic, claim, fault);
}

/* P(noise <= value). */
static double plan_classic_cdf(const fumata_noise *noise, int64_t value) {
  if (value < noise->first) return 0;
  if (value - noise->first >= noise->size) return 1;
  return ldexp((double)noise->cdf[value - noise->first], -64);
}

/* Silent iff Z2 <= w + Z1 - d, or Z2 at its lowest. */
static double plan_classic_silence(const struct plan_box *box, uint32_t distance) {
  const fumata_noise *threshold = &box->classic.threshold;
  double sum = 0;
  for (uint32_t i = 0; i <= threshold->size; i++) {
    double below = i ? ldexp((double)threshold->cdf[i - 1], -64) : 0;
    double mass = (i < threshold->size ? ldexp((double)threshold->cdf[i], -64) : 1) - below;
    int64_t bar = box->classic.width + threshold->first + (int64_t)i - (int64_t)distance;
    if (bar < box->classic.query.first) bar = box->classic.query.first;
    sum += mass * plan_classic_cdf(&box->classic.query, bar);
  }
  return sum;
}

static void plan_classic_digest(const struct plan_box *box, struct digest *digest) {
  const fumata_noise *threshold = &box->classic.threshold, *query = &box->classic.query;
  mechanism_digest_table(digest, threshold->cdf, threshold->size);
  digest_add_u64(digest, (uint64_t)threshold->first);
  mechanism_digest_table(digest, query->cdf, query->size);
  digest_add_u64(digest, (uint64_t)query->first);
  digest_add_u64(digest, (uint64_t)box->classic.width);
}

static void plan_classic_write(const struct plan_box *box, struct plan_text_writer *writer) {
  const fumata_noise *threshold = &box->classic.threshold, *query = &box->classic.query;
  plan_text_write(writer, "width %" PRId64, box->classic.width);
  plan_text_write_table(writer, "threshold", threshold->first, threshold->cdf, threshold->size);
  plan_text_write_table(writer, "query", query->first, query->cdf, query->size);
}

static int plan_classic_read(struct plan_text_reader *reader, struct plan_quota limit, struct plan_box *box) {
  fumata_noise *threshold = &box->classic.threshold, *query = &box->classic.query;
  int code = plan_text_signed_field(reader, "width", &box->classic.width);
  if (!code)
    code = plan_text_table(reader, "threshold", FUMATA_NOISE_MAX, &threshold->first, &box->memory[0], &threshold->size);
  if (!code) code = plan_text_table(reader, "query", FUMATA_NOISE_MAX, &query->first, &box->memory[1], &query->size);
  threshold->cdf = box->memory[0];
  query->cdf = box->memory[1];
  box->classic.limit = limit.silences;
  return code;
}

static void plan_classic_code(const struct plan_box *box, const char *prefix, FILE *stream) {
  const fumata_noise *threshold = &box->classic.threshold, *query = &box->classic.query;
  mechanism_print_table(stream, prefix, "threshold", threshold->cdf, threshold->size);
  mechanism_print_table(stream, prefix, "query", query->cdf, query->size);
  fprintf(stream,
          "static const fumata_classic_plan %splan = {{%splan_threshold, %" PRIu32 "u, %" PRId64
          "}, {%splan_query, %" PRIu32 "u, %" PRId64 "}, %" PRId64 ", %" PRIu32 "u};\n",
          prefix, prefix, threshold->size, threshold->first, prefix, query->size, query->first, box->classic.width,
          box->classic.limit);
}

const struct mechanism plan_classic_mechanism = {.name = "classic",
                                                 .number = 2,
                                                 .theorem = 'C',
                                                 .at_once = 1,
                                                 .gives_back = 0,
                                                 .make = plan_classic_make,
                                                 .certify = plan_classic_certify,
                                                 .miss = {[PLAN_KIND_METER] = plan_classic_silence},
                                                 .digest_tables = plan_classic_digest,
                                                 .write_tables = plan_classic_write,
                                                 .read_tables = plan_classic_read,
                                                 .print_code = plan_classic_code};

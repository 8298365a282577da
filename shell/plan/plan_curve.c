#include "plan/plan_curve.h"

#include <math.h>

double plan_curve_logit(double p) {
  return log(p) - log1p(-p);
}

double plan_curve_probability(double t) {
  return 1 / (1 + exp(-t));
}

static void plan_curve_logs(double t, double *log_p, double *log_q) {
  if (t > 0) {
    *log_p = -log1p(exp(-t));
    *log_q = *log_p - t;
  } else {
    *log_q = -log1p(exp(t));
    *log_p = *log_q + t;
  }
}

#define PLAN_CURVE_AIM 5e-11 /* how exactly a step is found, in the logarithm of the line */

/* The line, both ways, between t and what is known of t by its logarithms; above 0 it is broken. */
static double plan_curve_over(const struct plan_curve *curve, double lp, double lq, double t) {
  double lr, ls, one, two;
  plan_curve_logs(t, &lr, &ls);
  one = curve->excess(curve, lp, lq, lr, ls);
  two = curve->excess(curve, lr, ls, lp, lq);
  return (one > two ? one : two) + curve->slack + PLAN_CURVE_AIM;
}

/* Regula falsi with the Illinois rule. */
double plan_curve_step(const struct plan_curve *curve, double t, double guess) {
  double lp, lq, low = 0, high = guess, at_low = -curve->log_price + curve->slack + PLAN_CURVE_AIM, at_high;
  int side = 0;
  if (at_low >= 0) return 0;
  plan_curve_logs(t, &lp, &lq);
  while ((at_high = plan_curve_over(curve, lp, lq, t - high)) <= 0) {
    low = high;
    at_low = at_high;
    high *= 1.5;
    if (high > 1e4) return low;
  }
  for (int turn = 0; turn < 100; turn++) {
    double middle = isfinite(at_high) ? low + (high - low) * (at_low / (at_low - at_high)) : (low + high) / 2, at;
    if (!(middle > low && middle < high)) return low;
    at = plan_curve_over(curve, lp, lq, t - middle);
    if (fabs(at) <= PLAN_CURVE_AIM) return middle;
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

/* Past the first few hundred entries the table is as good as a solution of t' = -step(t), which needs far fewer
 * evaluations. */
double plan_curve_descent(const struct plan_curve *curve, double t, double distance) {
  const int exact = 300, nodes = 64;
  double now = curve->first, step = 1, width, sum = 0, begin = 0, end = 0;
  for (int i = 0; i < exact; i++) {
    step = plan_curve_step(curve, now, step);
    if (step <= 0) return HUGE_VAL;
    if (now - step <= t) return distance + (now - t) / step;
    now -= step;
    distance++;
  }
  width = (now - t) / nodes;
  for (int i = 0; i <= nodes; i++) {
    step = plan_curve_step(curve, now - width * i, step);
    if (step <= 0) return HUGE_VAL;
    if (i == 0) begin = step;
    if (i == nodes) end = step;
    sum += (i == 0 || i == nodes ? 1 : i % 2 ? 4 : 2) / step;
  }
  return distance + sum * width / 3 - log(begin / end) / 2;
}

double plan_curve_average(const struct plan_curve *curve, const struct plan_aim *aim, double at_zero) {
  const double floor_at = plan_curve_logit(PLAN_FLOOR);
  double t = curve->first, step = 1, sum = aim->size ? at_zero * aim->share[0] : 0,
         total = aim->size ? aim->share[0] : 0;
  for (uint32_t i = 1; i < aim->size; i++) {
    sum += aim->share[i] / (1 + exp(-t));
    total += aim->share[i];
    step = plan_curve_step(curve, t, step);
    if (step <= 0) return HUGE_VAL;
    t = t - step > floor_at ? t - step : floor_at;
  }
  return sum / total;
}

double plan_curve_least(plan_curve_cost *cost, void *context, double low, double high, int turns, double *least) {
  const double golden = 0.6180339887498949;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = cost(context, a), at_b = cost(context, b);
  while (turns-- > 0) {
    if (at_a <= at_b && isfinite(at_a)) {
      high = b, b = a, at_b = at_a;
      a = high - golden * (high - low);
      at_a = cost(context, a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + golden * (high - low);
      at_b = cost(context, b);
    }
  }
  *least = at_a <= at_b ? at_a : at_b;
  return at_a <= at_b ? a : b;
}

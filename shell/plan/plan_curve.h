/* How fast a table of probabilities may fall from one distance to the next: what the searches of the meter and of the
 * toll have in common. Untrusted floating point.
 *
 * A probability p is kept as t = ln(p / (1 - p)): near 1 it is 1 - p that matters, near 0 it is p, and t tells both apart
 * to full precision. */
#ifndef PLAN_PLAN_CURVE_H
#define PLAN_PLAN_CURVE_H

#include "plan/plan.h"

struct plan_curve;

/* ln of the left over the right side of a theorem's line for one step from p to r, with q = 1 - p and s = 1 - r: given
 * ln p, ln q, ln r, ln s. Without a step it is -log_price. */
typedef double plan_curve_excess(const struct plan_curve *curve, double lp, double lq, double lr, double ls);

/* One candidate: the order alpha, ln of the price (V or U), where the table begins, how much stays unused at every step,
 * and the line that every step keeps. */
struct plan_curve {
  double alpha, log_price, first, slack;
  plan_curve_excess *excess;
};

double plan_curve_logit(double p);
double plan_curve_probability(double t);

/* How far t may fall in one step: the largest s for which the line holds both ways between t and t - s. `guess` is the
 * step before. 0: not at all. */
double plan_curve_step(const struct plan_curve *curve, double t, double guess);

/* The (fractional) distance at which the extremal table comes down to t, when it has curve->first at `distance`. */
double plan_curve_descent(const struct plan_curve *curve, double t, double distance);

/* The average of the table over a public profile of distances, of which the first has probability `at_zero` and the second
 * is curve->first. */
double plan_curve_average(const struct plan_curve *curve, const struct plan_aim *aim, double at_zero);

/* Where `cost` is smallest between low and high, by golden section, and how small; where nothing is feasible (HUGE_VAL),
 * higher may be. */
typedef double plan_curve_cost(void *context, double at);
double plan_curve_least(plan_curve_cost *cost, void *context, double low, double high, int turns, double *least);

#endif

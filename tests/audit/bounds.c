#include "audit/bounds.h"

#include <math.h>

/* ln of the chance of n hits. */
static double bounds_term(uint64_t n, uint64_t trials, double p) {
  double k = (double)n, m = (double)trials;
  return lgamma(m + 1) - lgamma(k + 1) - lgamma(m - k + 1) + k * log(p) + (m - k) * log1p(-p);
}

/* The chance of `hits` or more, for p below hits / trials: terms fall from the first one on. */
static double bounds_upper_tail(uint64_t hits, uint64_t trials, double p) {
  double term = exp(bounds_term(hits, trials, p)), sum = 0;
  for (uint64_t n = hits; n <= trials && term > sum * 1e-15; n++) {
    sum += term;
    term *= (double)(trials - n) / (double)(n + 1) * (p / (1 - p));
  }
  return sum;
}

double bounds_least(uint64_t hits, uint64_t trials, double risk) {
  double low = 0, high = (double)hits / (double)trials;
  if (hits == 0) return 0;
  for (int turn = 0; turn < 60; turn++) {
    double middle = (low + high) / 2;
    if (bounds_upper_tail(hits, trials, middle) < risk)
      low = middle;
    else
      high = middle;
  }
  return low;
}

double bounds_most(uint64_t hits, uint64_t trials, double risk) {
  return 1 - bounds_least(trials - hits, trials, risk);
}

/* Outcomes from `from` on, or below it. */
static uint64_t bounds_hits(const uint64_t *counts, size_t size, size_t from, int below) {
  uint64_t hits = 0;
  for (size_t i = below ? 0 : from; i < (below ? from : size); i++)
    hits += counts[i];
  return hits;
}

static double bounds_shown(uint64_t first, uint64_t second, uint64_t trials, double delta, double risk) {
  double least = bounds_least(first, trials, risk / 2) - delta;
  return least > 0 ? log(least / bounds_most(second, trials, risk / 2)) : 0;
}

/* The best place to cut, by what the counts seem to say: two deviations stand for the confidence, which is quicker. */
static size_t bounds_cut(const struct bounds_counts *counts, size_t size, double delta, int below) {
  uint64_t first = 0, second = 0;
  double best = -INFINITY;
  size_t cut = 0;
  for (size_t step = 0; step < size; step++) {
    size_t i = below ? step : size - 1 - step;
    double least, most, shown;
    first += counts->first[i];
    second += counts->second[i];
    least = (double)first - 5 * sqrt((double)first + 1) - delta * (double)counts->trials;
    most = (double)second + 5 * sqrt((double)second + 1);
    shown = least > 0 ? log(least / most) : -INFINITY;
    if (shown > best) best = shown, cut = below ? i + 1 : i;
  }
  return cut;
}

double bounds_epsilon(const struct bounds_counts *choose, const struct bounds_counts *judge, size_t size, double delta,
                      double risk) {
  double best = 0;
  for (int below = 0; below < 2; below++) {
    size_t cut = bounds_cut(choose, size, delta, below);
    double shown = bounds_shown(bounds_hits(judge->first, size, cut, below),
                                bounds_hits(judge->second, size, cut, below), judge->trials, delta, risk / 2);
    if (shown > best) best = shown;
  }
  return best;
}

/* What counts of an event on two sides say about epsilon, with confidence. */
#ifndef AUDIT_BOUNDS_H
#define AUDIT_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* Clopper and Pearson: the probability is at least (at most) this, but for a chance of `risk`. */
double bounds_least(uint64_t hits, uint64_t trials, double risk);
double bounds_most(uint64_t hits, uint64_t trials, double risk);

/* A lower bound of epsilon at delta from outcomes counted on two sides. The event is chosen on the counts in `choose` and
 * judged on those in `judge`, so that choosing does not cheat. Each array holds `size` counts. 0 when nothing is shown. */
struct bounds_counts {
  const uint64_t *first, *second; /* outcomes on either side */
  uint64_t trials;                /* on each */
};
double bounds_epsilon(const struct bounds_counts *choose, const struct bounds_counts *judge, size_t size, double delta,
                      double risk);

#endif

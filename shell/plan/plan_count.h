/* Noise for a count: the narrowest discrete Laplace table that the core certifies. */
#ifndef PLAN_PLAN_COUNT_H
#define PLAN_PLAN_COUNT_H

#include "core/count.h"
#include "plan/plan.h"

/* A counter for one release, what it costs, and the memory of its table. */
struct plan_count {
  fumata_counter counter;
  uint32_t sensitivity;
  fumata_claim claim;
  uint64_t *memory;
};

/* For a count that one unit changes by at most `sensitivity`, at the target's epsilon and delta (its silences do not
 * matter). Exit code (error.h); empty on failure. */
int plan_count_make(const struct plan_target *target, uint32_t sensitivity, struct plan_count *count);
void plan_count_free(struct plan_count *count);

#endif

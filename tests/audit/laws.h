/* Exact laws of what a certified plan releases on streams that a theory of the worst case suggests, for a data set and its
 * neighbour: one teacher, always the same, is moved, so that every query lies at one distance on one side and at the next
 * on the other (of a poll: one record comes, and a lead). An outcome is a number: labels before the last silence (meter),
 * winners named (toll), right answers (poll), the summed score of the stretches (classic) or of the two kinds (both). The likelihood ratio rises or falls with it, so little or nothing is
 * lost by it. */
#ifndef AUDIT_LAWS_H
#define AUDIT_LAWS_H

#include <stddef.h>

#include "plan/plan.h"

struct laws {
  double *here, *there; /* probability of each outcome on either side */
  size_t size;
  double *score;  /* what n labels add to the outcome: of a stretch (classic), of all (both) */
  size_t longest; /* and the number of such n; a longer stretch counts as the longest */
  double *named;  /* both: what n winners named add */
};

/* The distances on both sides, which differ by one; in a plan for both kinds, those of the toll's queries too. */
struct laws_place {
  uint32_t here, there;
  uint32_t toll_here, toll_there;
};

/* 0, or -1 when memory is short. */
int laws_make(struct laws *laws, const struct plan_box *plan, const struct laws_place *place);
void laws_free(struct laws *laws);

/* The outcome of a stretch of n labels in classic, as a number to be added up. */
size_t laws_stretch(const struct laws *laws, size_t labels);

/* The outcome of a life of both kinds. */
size_t laws_both(const struct laws *laws, size_t labels, size_t winners);

/* The smallest epsilon at which the first side is within (epsilon, delta) of the second. */
double laws_epsilon(const double *first, const double *second, size_t size, double delta);

#endif

/* Algorithm 2's noise as tables: the paper's constants, or the tightest that the certificate admits. */
#ifndef FUMATA_PLANNER_CLASSIC_H
#define FUMATA_PLANNER_CLASSIC_H

#include "planner.h"

/* What the paper prescribes (Algorithm 2 and Theorem 3.2), as it stands there. */
typedef struct {
  double lambda;   /* sqrt(32 T ln(2/delta)) / epsilon */
  double width;    /* w = 2 lambda ln(2m/delta) */
  double teachers; /* k = 34 sqrt(2) lambda ln(4mT/min(delta, beta/2)) */
} fumata_paper;

void fumata_paper_constants(const fumata_target *target, uint64_t queries, double beta, fumata_paper *paper);

/* The best certified plan: the lower half of discrete Laplace noise, at scales of our own choice. Exit code (say.h). */
int fumata_planner_classic(const fumata_target *target, const fumata_aim *aim, fumata_plan_box *box);

/* The paper's constants for `target`, with the smallest epsilon (three significant digits) that the core
 * certifies for those very tables at the target's delta in box->claim. 0, or -1 without a word when the noise does
 * not fit a table or the core certifies no epsilon. */
int fumata_planner_paper(const fumata_target *target, uint64_t queries, fumata_plan_box *box);

#endif

/* What to ask for when the operator gave only a budget and the sizes of the files. */
#ifndef PLAN_PLAN_ADVISE_H
#define PLAN_PLAN_ADVISE_H

#include "plan/plan.h"

/* Nothing here is private: sizes and guesses. */
struct plan_setting {
  uint64_t records;  /* private records, or privacy units */
  uint64_t queries;  /* public ones */
  uint32_t smallest; /* fewest records a teacher can learn from; 0: PLAN_RECORDS */
  double hard;       /* guessed share of queries on which the teachers disagree; 0: PLAN_HARD */
};

/* Fills *teachers and target->silences. Exit code (error.h). */
int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers);

#endif

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

/* Do (epsilon, delta) still protect? `where` starts the message; NULL: nothing does. A rational of den 0 is not asked
 * about. Exit code (error.h); a refusal names numbers that would do. */
int plan_advise_budget(const char *where, struct rational epsilon, struct rational delta);

/* Is a unanimous vote of so many teachers answered, more often than not, and by the toll with its winner? Likewise. */
int plan_advise_enough(const struct plan_box *box, uint32_t teachers);

/* As many silences, from 1 to `most`, as let a unanimous vote of so many teachers be answered nearly always. */
int plan_advise_most(const struct plan_target *target, uint32_t teachers, uint32_t most, uint32_t *silences);

#endif

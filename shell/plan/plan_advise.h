/* What to ask for when the operator gave only a budget and the sizes of the files. Nothing here is private: budgets, sizes
 * that are public or were paid for, and guesses. */
#ifndef PLAN_PLAN_ADVISE_H
#define PLAN_PLAN_ADVISE_H

#include "plan/plan_constants.h"

/* ---- the defaults of `learn` ---- */

/* All that the advice reads beside the budget. */
struct plan_setting {
  enum plan_mechanism mechanism;
  enum plan_constants constants;
  uint64_t units;   /* that teach, about; 0: not known, and then the teachers must be */
  uint64_t queries; /* public records */
  uint32_t classes;
};

/* The mechanism that suits the number of classes: of two the toll, since both are candidates; of more both kinds, since a student
 * must have heard labels before it can name candidates. */
enum plan_mechanism plan_advise_mechanism(uint32_t classes);

/* Fills in what is 0 of *teachers, target->silences and target->answers. Exit code (error.h). The rule:
 *   toll, both: teachers k = min(PLAN_LEARN_SHARE units^PLAN_LEARN_POWER, PLAN_LEARN_TEACHERS) / sqrt(epsilon), none of
 *   fewer than PLAN_LEARN_UNITS units; answers, the most with which a unanimous vote names its winner with probability
 *   PLAN_LEARN_NAMED, at most PLAN_LEARN_ANSWERS; beside them silences, the most with which a unanimous vote is answered more
 *   often than not, at most PLAN_LEARN_SILENCES a class.
 *   meter: the most silences for which there are teachers of PLAN_RECORDS units, enough of them that a vote worth answering is
 *   answered, at most those of the hard queries.
 *   classic: the most silences, a power of two, for which there are teachers of PLAN_LEARN_UNITS units. */
int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers);

/* ---- what is refused ---- */

/* Do (epsilon, delta) still protect? `where` starts the message; NULL: nothing does. A rational of den 0 is not asked
 * about. Exit code (error.h); a refusal names numbers that would do. */
int plan_advise_budget(const char *where, struct rational epsilon, struct rational delta);

/* Is a unanimous vote of this many teachers answered, more often than not, and by the toll with its winner? Likewise. */
int plan_advise_enough(const struct plan_box *box, uint32_t teachers);

/* As many silences, from 1 to `most`, as let a unanimous vote of the teachers be answered nearly always. */
int plan_advise_most(const struct plan_target *target, uint32_t teachers, uint32_t most, uint32_t *silences);

#endif

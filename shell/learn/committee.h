/* A committee: members that learned from bootstrap samples of one lesson and answer by majority. Among students, this kind
 * competes with the teachers' own vote (Theorem 13 of the second paper).
 *
 * The samples come from a fixed generator: the model is a function of the lesson alone. Each row counts 0, 1, 2 or more
 * times in a member's sample (a Poisson draw of mean 1), all entries of one row alike. The model is the members' bytes one
 * after the other, each after its size in eight bytes, the lowest first. */
#ifndef LEARN_COMMITTEE_H
#define LEARN_COMMITTEE_H

#include "learn/learner.h"

/* Copies the members' models out; the members of a committee that learned nothing have learned nothing. Returns an exit
 * code; bytes that are not such a committee are EXIT_INPUT, without a line. */
int committee_open(const struct learned *learned, uint32_t members, struct learned *member);

#endif

/* Linear teachers vote together: one blocked matrix product on dense rows, sums of weight rows on sparse ones.
 *
 * The weights of all teachers stand in panels. A panel holds up to `panel` teachers as a matrix with a row a feature
 * and a column a (score, teacher), scores outermost: so a query's scores come out in an order in which the votes of
 * neighbouring teachers are found by the same vector instructions. A teacher's vote depends on its own weights and the
 * query, to the bit; not on its place, nor on the teachers beside it, who may be others on another machine. */
#ifndef LEARN_LINEAR_VOTE_H
#define LEARN_LINEAR_VOTE_H

#include "learn/learner.h"

struct linear_vote {
  uint32_t teachers, classes, scores, columns;
  uint32_t panel; /* teachers of a full panel */
  size_t panels;
  float *weight; /* panel after panel, each with room for a full one; a row of it is filled up with zeros */
  float *bias;   /* likewise */
};

int linear_vote_make(struct linear_vote *bank, const struct learned *learned, uint32_t teachers, uint32_t classes,
                     uint32_t columns);
void linear_vote_free(struct linear_vote *bank);

/* Queries of one block (enough for a matrix product at full speed), and the floats of working memory that it needs. */
#define LINEAR_VOTE_BLOCK 256u
size_t linear_vote_work(const struct linear_vote *bank);

/* Votes of all teachers on rows first .. first + count - 1 (count <= block): vote (q, t) goes to [q * teachers + t],
 * of the width that base/votes.h says. A teacher that learned nothing votes for label 0. */
void linear_vote_cast(const struct linear_vote *bank, const struct rows *rows, size_t first, size_t count, float *work,
                      void *votes);

#endif

/* Linear teachers vote together: one blocked matrix product on dense rows, sums of weight rows on sparse ones.
 *
 * The weights of all teachers stand in panels. A panel holds up to `panel` teachers as a matrix with a row a feature
 * and a column a (score, teacher), scores outermost: so a query's scores come out in an order in which the votes of
 * neighbouring teachers are found by the same vector instructions. A teacher's vote depends on its own weights, its
 * place and the query; never on the weights beside it. */
#ifndef FUMATA_VOTE_LINEAR_H
#define FUMATA_VOTE_LINEAR_H

#include "learner.h"

typedef struct {
  uint32_t teachers, classes, scores, columns;
  uint32_t panel; /* teachers of a full panel */
  size_t panels;
  float *weight; /* panel p starts at p * panel * scores * columns */
  float *bias;   /* panel p starts at p * panel * scores */
} fumata_vote_linear;

int fumata_vote_linear_make(fumata_vote_linear *bank, const fumata_learned *learned, uint32_t teachers,
                            uint32_t classes, uint32_t columns);
void fumata_vote_linear_free(fumata_vote_linear *bank);

/* Queries of one block, and the floats of working memory that one block needs. */
#define FUMATA_VOTE_LINEAR_BLOCK 256u
size_t fumata_vote_linear_work(const fumata_vote_linear *bank);

/* Votes of all teachers on rows first .. first + count - 1 (count <= block): vote (q, t) goes to [q * teachers + t],
 * a uint8_t for up to 256 classes, else a uint16_t. */
void fumata_vote_linear_cast(const fumata_vote_linear *bank, const fumata_rows *rows, size_t first, size_t count,
                             float *work, void *votes);

#endif

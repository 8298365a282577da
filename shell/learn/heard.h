/* What an answer of a poll tells of the share of a class at a point, and how unlikely a student finds it.
 *
 * A question asks some records near a point whether class 1 has more than a share of them. The answer is yes the more surely, the
 * further the true share is above the one asked about, but noise and the draw of the records blur it: by how much is public. A
 * student that knows this learns probabilities, whichever shares were asked about, and is not taken in by answers that are hardly
 * more than noise. */
#ifndef LEARN_HEARD_H
#define LEARN_HEARD_H

#include <stddef.h>

/* A question, as its answer is understood. */
struct heard {
  float share; /* of class 1, at which it was asked */
  float sharp; /* one over the difference of shares that is as large as the blur */
};

/* `voters` records were asked about a share; noise of that deviation was in their lead. */
struct heard heard_make(double share, double voters, double noise);

/* Minus the logarithm of the probability of the answer, for a student whose score is `score`: the logarithm of the odds of class 1.
 * *slope and *bend: its first derivative, and the second one as it is expected. */
double heard_loss(const struct heard *heard, int yes, double score, double *slope, double *bend);

#endif

/* What an answer of a poll tells about the share of a class at a point, and how unlikely a student finds the answer.
 *
 * A question asks some records near a point whether class 1 has more than a given share of them. The farther the true
 * share is above the given one, the likelier is a yes. Noise and the draw of the records blur the answer; the size of this
 * blur is public. A student that uses this learns probabilities, whichever shares were asked about, and gives little
 * weight to answers that are hardly more than noise. */
#ifndef LEARN_HEARD_H
#define LEARN_HEARD_H

#include <stddef.h>

/* A question, for the student that learns from its answer. */
struct heard {
  float share; /* of class 1, that the question gave */
  float sharp; /* one over the difference of shares that equals the blur */
};

/* `voters` records were asked about a share; `noise` is the deviation of the noise in their lead. */
struct heard heard_make(double share, double voters, double noise);

/* Minus the logarithm of the answer's probability, for a student whose score, the logarithm of the odds of class 1, is
 * `score`. *slope and *bend are the first derivative and the expected second derivative. */
double heard_loss(const struct heard *heard, int yes, double score, double *slope, double *bend);

#endif

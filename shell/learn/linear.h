/* Linear learners: liblinear's primal solvers, which draw no random numbers.
 *
 * A model is floats: for each score its columns + 1 weights, the last one the bias. With two classes there is one score
 * (positive: label 1), with more one for each class (the largest wins, the smallest label among equals). */
#ifndef LEARN_LINEAR_H
#define LEARN_LINEAR_H

#include "learn/learner.h"

/* How many scores a model for this many classes has. */
uint32_t linear_scores(uint32_t classes);

/* How far each row is on the side of each class, one score for each class in each row: the largest is the label. A model
 * of size 0 scores all classes 0. */
void linear_score(const struct learned *learned, uint32_t classes, const struct rows *rows, float *score);

/* The same for one row, by one loop over its columns in their order. */
void linear_score_row(const struct learned *learned, uint32_t classes, const struct rows *rows, size_t i, float *score);

/* Adds to the score of two classes: its bias is the last float of the model. */
void linear_shift(struct learned *learned, float by);

/* linear_heard.c: the weights that find the answers of a poll likeliest, as floats of a model. */
int linear_heard(const struct learner *learner, const struct lesson *lesson, float *out);

/* The label of one row. */
int32_t linear_label(const struct learned *learned, uint32_t classes, const struct rows *rows, size_t i);

/* linear_vote.c: the models of an ensemble vote together, as in learner.h. */
int linear_vote_open(struct ensemble *ensemble);
int linear_vote_cast(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count, void *votes);
void linear_vote_close(void *all);

#endif

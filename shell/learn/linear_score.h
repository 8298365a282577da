/* Scores of one linear model: how far a row is on the side of each class. */
#ifndef LEARN_LINEAR_SCORE_H
#define LEARN_LINEAR_SCORE_H

#include "learn/learner.h"

/* Scores of all rows, classes a row: the largest is the label. A model of size 0 scores nothing but 0. */
void linear_score(const struct learned *learned, uint32_t classes, const struct rows *rows, float *score);

/* The label of one row. */
int32_t linear_score_label(const struct learned *learned, uint32_t classes, const struct rows *rows, size_t i);

#endif

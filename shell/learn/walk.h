/* Trees that are walked down one row at a time, by our own loop: the score of a row depends on that row and the trees
 * alone, to the last bit (places.h). Made from xgboost's text of a model. */
#ifndef LEARN_WALK_H
#define LEARN_WALK_H

#include "data/rows.h"
#include "learn/learned.h"

/* Adds a tree, as xgboost prints it ("0:[f3<0.5] yes=1,no=2,missing=1", "1:leaf=0.25", one line each), to the trees of
 * `walk`. Returns an exit code (error.h). */
int walk_add(struct learned *walk, const char *text);

/* Adds up the leaves that row i ends in: tree t adds to score t modulo `classes`. With two classes all add to the second,
 * and the first is 0. */
void walk_row(const struct learned *walk, uint32_t classes, const struct rows *rows, size_t i, float *score);

#endif

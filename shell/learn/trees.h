/* Boosted trees: xgboost, one thread a model, fixed seed. A model is xgboost's own UBJSON text. */
#ifndef LEARN_TREES_H
#define LEARN_TREES_H

#include "learn/learner.h"

int trees_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned);

/* A model ready to answer; a model of size 0 gives a NULL handle, which answers label 0. */
int trees_open(const struct learned *learned, void **handle);
void trees_close(void *handle);

/* Labels of rows first .. first + count - 1. */
int trees_predict(void *handle, const struct rows *rows, size_t first, size_t count, uint32_t classes,
                  uint32_t *labels);

/* Margins of all rows, classes a row: the largest is the label; of two classes the first one's is 0. */
int trees_margin(void *handle, const struct rows *rows, uint32_t classes, float *margin);

#endif

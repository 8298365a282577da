/* Boosted trees: xgboost, one thread a model, fixed seed. A model is xgboost's own UBJSON text. */
#ifndef FUMATA_LEARNER_TREES_H
#define FUMATA_LEARNER_TREES_H

#include "learner.h"

int fumata_trees_train(const fumata_learner *learner, const fumata_lesson *lesson, fumata_learned *learned);

/* A model ready to answer; a model of size 0 gives a NULL handle, which answers label 0. */
int fumata_trees_open(const fumata_learned *learned, void **handle);
void fumata_trees_close(void *handle);

/* Labels of rows first .. first + count - 1. */
int fumata_trees_predict(void *handle, const fumata_rows *rows, size_t first, size_t count, uint32_t classes,
                         uint32_t *labels);

#endif

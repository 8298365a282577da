/* The student learns from the answered public rows (Algorithm 3); all after the answers is post-processing. */
#ifndef LEARN_STUDENT_H
#define LEARN_STUDENT_H

#include "gate/coins.h"
#include "learn/learner.h"

/* What a silence becomes. */
enum silent_as {
  SILENT_SOFT,  /* once per class with weight 1 / classes: the point lies near a boundary */
  SILENT_DROP,  /* left out */
  SILENT_RANDOM /* a uniformly random label, as in the paper */
};

int student_parse(enum silent_as *as, const char *text);
enum silent_as student_default(uint32_t classes);
const char *student_name(enum silent_as as);

/* Row row[i] of `rows` (NULL: row i) has answers[i], a label or FUMATA_SILENT. `coins` are for the random labels. */
int student_train(const struct learner *learner, const struct rows *rows, const size_t *row, const int32_t *answers,
                  size_t asked, enum silent_as as, struct coins *coins, struct learned *learned);

/* How many of the labelled rows the model labels rightly. */
int student_score(const struct learner *learner, const struct learned *learned, const struct rows *rows, size_t *right,
                  size_t *labelled);

#endif

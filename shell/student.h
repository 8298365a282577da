/* The student: learns from the answered public rows (Algorithm 3); all that follows is post-processing. */
#ifndef FUMATA_STUDENT_H
#define FUMATA_STUDENT_H

#include "coins.h"
#include "learner.h"

/* What a silence becomes. */
typedef enum {
  FUMATA_SILENT_SOFT,  /* once per class with weight 1 / classes: the point lies near a boundary */
  FUMATA_SILENT_DROP,  /* left out */
  FUMATA_SILENT_RANDOM /* a uniformly random label, as in the paper */
} fumata_silent_as;

int fumata_student_parse(fumata_silent_as *as, const char *text);
fumata_silent_as fumata_student_default(uint32_t classes);
const char *fumata_student_name(fumata_silent_as as);

/* Rows 0 .. asked - 1 of `rows` have the answers (a label or FUMATA_SILENT). `coins` serve the random labels. */
int fumata_student_train(const fumata_learner *learner, const fumata_rows *rows, const int32_t *answers, size_t asked,
                         fumata_silent_as as, fumata_coins *coins, fumata_learned *learned);

/* How many of the labelled rows the model labels rightly. */
int fumata_student_score(const fumata_learner *learner, const fumata_learned *learned, const fumata_rows *rows,
                         size_t *right, size_t *labelled);

#endif

/* Labelled rows to learn from, without copies. */
#ifndef LEARN_LESSON_H
#define LEARN_LESSON_H

#include <stddef.h>
#include <stdint.h>

#include "data/rows.h"
#include "learn/heard.h"

/* Entry e is row[e] with label[e] (NULL: the rows' own label) and weight times[e] / share (NULL: 1). With `heard` a label
 * is the answer to a question of a poll of two classes, 1 for yes, and heard[e] is the question: for learners with
 * LEARNER_HEARS. */
struct lesson {
  const struct rows *rows;
  const size_t *row;
  const int32_t *label;
  const uint32_t *times;
  uint32_t share;
  size_t count;
  const struct heard *heard; /* NULL: a label is a label */
};

int32_t lesson_label(const struct lesson *lesson, size_t e);

/* How often entry e counts, for learners that have no weights: its `times`. */
size_t lesson_times(const struct lesson *lesson, size_t e);

/* The sum of lesson_times over all entries. */
size_t lesson_size(const struct lesson *lesson);

/* A chunk's rows are spread over memory, and waiting for them is a good part of copying them. This fetches the first of
 * them without waiting: call it before training something else. */
void lesson_expect(const struct lesson *lesson);

/* The weight of an entry of each class, to be freed: (the class's share) ^ -balance, scaled to a mean of 1 over the
 * lesson. balance 0: all alike; 1: all classes that occur have the same sum. Returns an exit code (error.h). */
int lesson_balance(const struct lesson *lesson, uint32_t classes, double balance, double **weight);

#endif

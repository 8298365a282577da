/* Made-up rows for tests of learners: two or more clouds of points, dense or sparse. */
#ifndef SUPPORT_LESSONS_H
#define SUPPORT_LESSONS_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gate/partition.h"
#include "learn/learner.h"

/* A small generator of its own, so that a test's data never changes. */
static inline uint32_t lessons_next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static inline float lessons_unit(uint64_t *state) {
  return (float)lessons_next(state) / 2147483648.0f;
}

/* Adds a row of class `label`: near 1 in the columns that belong to it (j mod classes = label), near 0 elsewhere. */
static inline void lessons_push(struct rows *rows, int32_t label, uint32_t classes, uint64_t unit, uint64_t *state) {
  ck_assert_int_eq(rows_reserve(rows, 1, rows->columns), 0);
  if (rows->is_dense) {
    float *row = rows_push_dense(rows, label, unit, rows->count + 1);
    for (uint32_t j = 0; j < rows->columns; j++)
      row[j] = (j % classes == (uint32_t)label ? 0.6f : 0) + 0.4f * lessons_unit(state);
  } else {
    size_t end = rows->start[rows->count];
    for (uint32_t j = 0; j < rows->columns; j++)
      if (j % classes == (uint32_t)label || lessons_next(state) % 4 == 0) {
        rows->index[end] = j;
        rows->value[end++] = 0.5f + 0.5f * lessons_unit(state);
      }
    rows_push_sparse(rows, end, label, unit, rows->count + 1);
  }
}

static inline void lessons_make(struct rows *rows, size_t count, uint32_t columns, uint32_t classes, int is_dense,
                                uint64_t seed) {
  uint64_t state = seed;
  rows_init(rows, columns, is_dense);
  for (size_t i = 0; i < count; i++) {
    uint64_t unit = (uint64_t)lessons_next(&state) << 33 ^ (uint64_t)lessons_next(&state) << 2 ^ i;
    lessons_push(rows, (int32_t)(lessons_next(&state) % classes), classes, unit, &state);
  }
}

static inline void lessons_learner(struct learner *learner, const char *text, const struct rows *rows,
                                   uint32_t classes) {
  ck_assert_int_eq(learner_parse(learner, "--learner", text), 0);
  learner_fit(learner, rows, classes);
}

static inline size_t *lessons_order(size_t count) {
  size_t *order = malloc((count + 1) * sizeof *order);
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  return order;
}

/* An exec learner in the shell: remembers the bytes of its labels, answers the first label that it saw. */
static const char lessons_script[] =
    "#!/bin/sh\nexport LC_ALL=C\n"
    "if [ \"$1\" = train ]; then od -An -v -tu1 -j128 \"$3\" > \"$4\"; exit 0; fi\n"
    "label=$(awk '{ print $1; exit }' \"$3\")\n"
    "rows=$(head -c 128 \"$2\" | tr -d '\\000' | sed -n \"s/.*'shape': (\\([0-9]*\\),.*/\\1/p\")\n"
    "i=0; while [ $i -lt $rows ]; do echo $label; i=$((i + 1)); done > \"$4\"\n";

#endif

#include "learn/lesson.h"

#include <math.h>

#include "base/memory.h"

int32_t lesson_label(const struct lesson *lesson, size_t e) {
  return lesson->label ? lesson->label[e] : lesson->rows->label[lesson->row[e]];
}

size_t lesson_times(const struct lesson *lesson, size_t e) {
  return lesson->times ? lesson->times[e] : 1;
}

size_t lesson_size(const struct lesson *lesson) {
  size_t size = 0;
  for (size_t e = 0; e < lesson->count; e++)
    size += lesson_times(lesson, e);
  return size;
}

#define LESSON_AHEAD ((size_t)1 << 14) /* bytes of rows that are fetched ahead: a part of the nearest cache */

static void lesson_fetch(const void *first, size_t bytes) {
  const char *at = first;
  for (size_t e = 0; e < bytes; e += MEMORY_LINE)
    __builtin_prefetch(at + e);
  __builtin_prefetch(at + bytes - 1); /* a row may begin in the middle of a line */
}

/* Fetches row i ahead; returns its bytes. */
static size_t lesson_fetch_row(const struct rows *rows, size_t i) {
  size_t first = rows->is_dense ? i * rows->columns : rows->start[i];
  size_t bytes = (rows->is_dense ? rows->columns : rows->start[i + 1] - first) * sizeof(float);
  __builtin_prefetch(&rows->label[i]);
  if (!bytes) return 0;
  lesson_fetch(rows->is_dense ? &rows->dense[first] : &rows->value[first], bytes);
  if (!rows->is_dense) lesson_fetch(&rows->index[first], bytes); /* as wide as the values */
  return bytes;
}

void lesson_expect(const struct lesson *lesson) {
  for (size_t e = 0, bytes = 0; e < lesson->count && bytes < LESSON_AHEAD; e++)
    bytes += lesson_fetch_row(lesson->rows, lesson->row[e]);
}

int lesson_balance(const struct lesson *lesson, uint32_t classes, double balance, double **weight) {
  double total = 0, sum = 0;
  int code = memory_take(weight, classes, sizeof **weight);
  if (code) return code;
  for (size_t e = 0; e < lesson->count; e++)
    (*weight)[lesson_label(lesson, e)] += (double)lesson_times(lesson, e);
  for (uint32_t c = 0; c < classes; c++)
    total += (*weight)[c];
  for (uint32_t c = 0; c < classes; c++) {
    double share = (*weight)[c] / total;
    (*weight)[c] = share > 0 ? pow(share, -balance) : 1;
    if (share > 0) sum += share * (*weight)[c];
  }
  for (uint32_t c = 0; c < classes && sum > 0; c++)
    (*weight)[c] /= sum;
  return EXIT_OK;
}

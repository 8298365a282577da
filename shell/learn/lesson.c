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

#include "learn/lesson.h"

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

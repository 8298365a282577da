#include "learn/linear_score.h"

#include <string.h>

#include "learn/linear.h"

static float linear_score_dot(const struct rows *rows, size_t i, const float *weight) {
  float sum = weight[rows->columns];
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (uint32_t j = 0; j < rows->columns; j++)
      sum += row[j] * weight[j];
  } else {
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
      sum += rows->value[e] * weight[rows->index[e]];
  }
  return sum;
}

void linear_score(const struct learned *learned, uint32_t classes, const struct rows *rows, float *score) {
  const float *weight = (const float *)learned->bytes;
  uint32_t scores = linear_scores(classes);
  memset(score, 0, rows->count * classes * sizeof *score);
  if (!learned->size) return;
  for (size_t i = 0; i < rows->count; i++, score += classes)
    for (uint32_t s = 0; s < scores; s++)
      score[scores == 1 ? 1 : s] = linear_score_dot(rows, i, weight + (size_t)s * (rows->columns + 1));
}

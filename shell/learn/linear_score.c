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

static float linear_score_of(const struct learned *learned, const struct rows *rows, size_t i, uint32_t score) {
  return linear_score_dot(rows, i, (const float *)learned->bytes + (size_t)score * (rows->columns + 1));
}

void linear_score(const struct learned *learned, uint32_t classes, const struct rows *rows, float *score) {
  uint32_t scores = linear_scores(classes);
  memset(score, 0, rows->count * classes * sizeof *score);
  if (!learned->size) return;
  for (size_t i = 0; i < rows->count; i++, score += classes)
    for (uint32_t s = 0; s < scores; s++)
      score[scores == 1 ? 1 : s] = linear_score_of(learned, rows, i, s);
}

int32_t linear_score_label(const struct learned *learned, uint32_t classes, const struct rows *rows, size_t i) {
  uint32_t scores = linear_scores(classes), best = 0;
  float most = learned->size ? linear_score_of(learned, rows, i, 0) : 0;
  if (!learned->size || scores == 1) return most > 0;
  for (uint32_t s = 1; s < scores; s++) {
    float value = linear_score_of(learned, rows, i, s);
    if (value > most) {
      most = value;
      best = s;
    }
  }
  return (int32_t)best;
}

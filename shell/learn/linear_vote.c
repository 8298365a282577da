#include "learn/linear_vote.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "learn/linear.h"

/* Scores of one block and one panel: 256 x 1024 floats stay in the second-level cache. */
#define LINEAR_VOTE_SCORES 1024u

int linear_vote_make(struct linear_vote *bank, const struct learned *learned, uint32_t teachers, uint32_t classes,
                     uint32_t columns) {
  size_t weights;
  memset(bank, 0, sizeof *bank);
  bank->teachers = teachers;
  bank->classes = classes;
  bank->columns = columns;
  bank->scores = linear_scores(classes);
  bank->panel = bank->scores >= LINEAR_VOTE_SCORES ? 1 : LINEAR_VOTE_SCORES / bank->scores;
  if (bank->panel > teachers) bank->panel = teachers;
  bank->panels = ((size_t)teachers + bank->panel - 1) / bank->panel;
  weights = (size_t)teachers * bank->scores * columns;
  bank->weight = calloc(weights ? weights : 1, sizeof(float));
  bank->bias = calloc((size_t)teachers * bank->scores, sizeof(float));
  if (!bank->weight || !bank->bias) {
    linear_vote_free(bank);
    return error_report(EXIT_SYSTEM, "out of memory");
  }
  for (uint32_t t = 0; t < teachers; t++) {
    size_t first = (size_t)(t / bank->panel) * bank->panel;
    uint32_t width = (uint32_t)(teachers - first < bank->panel ? teachers - first : bank->panel),
             at = (uint32_t)(t - first);
    float *weight = bank->weight + first * bank->scores * columns, *bias = bank->bias + first * bank->scores;
    const float *model = (const float *)learned[t].bytes;
    for (uint32_t s = 0; learned[t].size && s < bank->scores; s++, model += columns + 1) {
      size_t column = (size_t)s * width + at;
      for (uint32_t j = 0; j < columns; j++)
        weight[j * (size_t)width * bank->scores + column] = model[j];
      bias[column] = model[columns];
    }
  }
  return EXIT_OK;
}

void linear_vote_free(struct linear_vote *bank) {
  free(bank->weight);
  free(bank->bias);
  memset(bank, 0, sizeof *bank);
}

size_t linear_vote_work(const struct linear_vote *bank) {
  return (size_t)LINEAR_VOTE_BLOCK * bank->panel * bank->scores + bank->panel;
}

/* Wide registers where the machine has them; chosen when the program starts. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LINEAR_VOTE_FAST __attribute__((optimize("O3"), target_clones("arch=x86-64-v3", "default")))
#else
#define LINEAR_VOTE_FAST
#endif

/* The highest score's label, teacher by teacher; equal scores leave the smaller label. */
#define LINEAR_VOTE_DECIDE(name, type)                                                                                 \
  LINEAR_VOTE_FAST static void name(const float *restrict score, const float *restrict bias, uint32_t width,           \
                                    uint32_t scores, float *restrict best, type *restrict votes) {                     \
    if (scores == 1) {                                                                                                 \
      for (uint32_t t = 0; t < width; t++)                                                                             \
        votes[t] = score[t] + bias[t] > 0;                                                                             \
      return;                                                                                                          \
    }                                                                                                                  \
    for (uint32_t t = 0; t < width; t++) {                                                                             \
      best[t] = score[t] + bias[t];                                                                                    \
      votes[t] = 0;                                                                                                    \
    }                                                                                                                  \
    for (uint32_t s = 1; s < scores; s++) {                                                                            \
      score += width;                                                                                                  \
      bias += width;                                                                                                   \
      for (uint32_t t = 0; t < width; t++) {                                                                           \
        float value = score[t] + bias[t];                                                                              \
        int more = value > best[t];                                                                                    \
        best[t] = more ? value : best[t];                                                                              \
        votes[t] = (type)(more ? s : votes[t]);                                                                        \
      }                                                                                                                \
    }                                                                                                                  \
  }

LINEAR_VOTE_DECIDE(linear_vote_decide8, uint8_t)
LINEAR_VOTE_DECIDE(linear_vote_decide16, uint16_t)

LINEAR_VOTE_FAST
static void linear_vote_sparse(const struct rows *rows, size_t first, size_t count, const float *weight, size_t width,
                               float *restrict score) {
  memset(score, 0, count * width * sizeof *score);
  for (size_t q = 0; q < count; q++, score += width)
    for (size_t e = rows->start[first + q]; e < rows->start[first + q + 1]; e++) {
      const float *restrict row = weight + rows->index[e] * width;
      float value = rows->value[e];
      for (size_t t = 0; t < width; t++)
        score[t] += value * row[t];
    }
}

void linear_vote_cast(const struct linear_vote *bank, const struct rows *rows, size_t first, size_t count, float *work,
                      void *votes) {
  float *best = work, *scores = work + bank->panel;
  for (size_t p = 0; p < bank->panels; p++) {
    size_t begin = p * bank->panel;
    uint32_t teachers = (uint32_t)(bank->teachers - begin < bank->panel ? bank->teachers - begin : bank->panel);
    size_t width = (size_t)teachers * bank->scores;
    const float *weight = bank->weight + begin * bank->scores * bank->columns,
                *bias = bank->bias + begin * bank->scores;
    if (rows->is_dense)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)count, (int)width, (int)bank->columns, 1,
                  rows->dense + first * rows->columns, (int)rows->columns, weight, (int)width, 0, scores, (int)width);
    else
      linear_vote_sparse(rows, first, count, weight, width, scores);
    for (size_t q = 0; q < count; q++) {
      size_t at = q * bank->teachers + begin;
      if (bank->classes <= 256)
        linear_vote_decide8(scores + q * width, bias, teachers, bank->scores, best, (uint8_t *)votes + at);
      else
        linear_vote_decide16(scores + q * width, bias, teachers, bank->scores, best, (uint16_t *)votes + at);
    }
  }
}

/* Linear teachers vote together: one blocked matrix product on dense rows, sums of weight rows on sparse ones.
 *
 * The weights of all teachers are in panels. A panel holds up to `panel` teachers as a matrix with a row for each feature
 * and a column for each (score, teacher), scores outermost: so the same vector instructions find the votes of neighbouring
 * teachers from a query's scores. A teacher's vote depends on its own weights and the query, to the bit. It does not
 * depend on its place, nor on the teachers beside it, which may be others on another machine. */
#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/votes.h"
#include "learn/ensemble.h"
#include "learn/linear.h"
#include "learn/pool.h"

#define LINEAR_VOTE_BLOCK 256u /* queries of a matrix product: enough for its full speed */
#define LINEAR_VOTE_LINE                                                                                               \
  (MEMORY_LINE / sizeof(float)) /* floats of a cache line: two workers never write to the same line */

/* Scores of one query and one panel: with a block of 256 queries, 1 MB of floats, which stays in the second-level
 * cache. */
#define LINEAR_VOTE_SCORES 1024u

/* The scores of one query are filled up to a multiple of this. Then the matrix product sums each of them in the same
 * order, at any place and beside any others, and a part of the teachers votes as it does among all. */
#define LINEAR_VOTE_ROUND 32u

struct linear_vote {
  uint32_t teachers, classes, scores, columns;
  uint32_t panel; /* teachers of a full panel */
  size_t panels;
  float *weight; /* panel after panel, each with room for a full one; its rows are filled up with zeros */
  float *bias;   /* likewise */
};

static size_t linear_vote_stride(const struct linear_vote *bank, uint32_t teachers) {
  size_t scores = (size_t)teachers * bank->scores;
  return (scores + LINEAR_VOTE_ROUND - 1) / LINEAR_VOTE_ROUND * LINEAR_VOTE_ROUND;
}

/* How many teachers the panel that begins with teacher `first` has. */
static uint32_t linear_vote_width(const struct linear_vote *bank, size_t first) {
  return (uint32_t)(bank->teachers - first < bank->panel ? bank->teachers - first : bank->panel);
}

/* Puts the model of teacher t into its columns of its panel. */
static void linear_vote_place(struct linear_vote *bank, uint32_t t, const float *model) {
  size_t p = t / bank->panel, first = p * bank->panel, full = linear_vote_stride(bank, bank->panel);
  uint32_t width = linear_vote_width(bank, first);
  size_t stride = linear_vote_stride(bank, width);
  float *weight = bank->weight + p * full * bank->columns, *bias = bank->bias + p * full;
  for (uint32_t s = 0; s < bank->scores; s++, model += bank->columns + 1) {
    size_t column = (size_t)s * width + (t - first);
    for (uint32_t j = 0; j < bank->columns; j++)
      weight[j * stride + column] = model[j];
    bias[column] = model[bank->columns];
  }
}

int linear_vote_open(struct ensemble *ensemble) {
  const struct learner *learner = ensemble->learner;
  uint32_t teachers = ensemble->teachers;
  struct linear_vote *bank;
  size_t scores;
  int code = memory_take(&ensemble->all, 1, sizeof *bank);
  if (code) return code;
  bank = ensemble->all;
  bank->teachers = teachers;
  bank->classes = learner->classes;
  bank->columns = learner->columns;
  bank->scores = linear_scores(learner->classes);
  bank->panel = bank->scores >= LINEAR_VOTE_SCORES ? 1 : LINEAR_VOTE_SCORES / bank->scores;
  if (bank->panel > teachers) bank->panel = teachers;
  /* There is at least one teacher. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
  bank->panels = ((size_t)teachers + bank->panel - 1) / bank->panel;
  scores = bank->panels * linear_vote_stride(bank, bank->panel);
  code = memory_take(&bank->weight, scores * bank->columns, sizeof *bank->weight);
  if (!code) code = memory_take(&bank->bias, scores, sizeof *bank->bias);
  for (uint32_t t = 0; !code && t < teachers; t++) {
    if (ensemble->learned[t].size) linear_vote_place(bank, t, (const float *)ensemble->learned[t].bytes);
    if (teachers > 1) learned_free(&ensemble->learned[t]);
  }
  return code;
}

void linear_vote_close(void *all) {
  struct linear_vote *bank = all;
  free(bank->weight);
  free(bank->bias);
  free(bank);
}

/* Wide registers if the machine has them; chosen when the program starts, which is too early for ThreadSanitizer. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define LINEAR_VOTE_FAST __attribute__((optimize("O3"), target_clones("arch=x86-64-v3", "default")))
#else
#define LINEAR_VOTE_FAST
#endif
#if defined(__GNUC__)
#define LINEAR_VOTE_INLINE __attribute__((always_inline))
#else
#define LINEAR_VOTE_INLINE
#endif

/* The label of the highest score, for each teacher; of equal scores the smaller label. One of votes8 and votes16 is NULL;
 * the callers know which at compile time, so that each gets a loop of its own width. */
static inline LINEAR_VOTE_INLINE void linear_vote_decide(const float *restrict score, const float *restrict bias,
                                                         uint32_t width, uint32_t scores, float *restrict best,
                                                         uint8_t *restrict votes8, uint16_t *restrict votes16) {
  for (uint32_t t = 0; t < width; t++) {
    int is_one = scores == 1 && score[t] + bias[t] > 0;
    best[t] = score[t] + bias[t];
    if (votes8)
      votes8[t] = (uint8_t)is_one;
    else
      votes16[t] = (uint16_t)is_one; /* NOLINT(clang-analyzer-core.NullDereference): see above */
  }
  for (uint32_t s = 1; s < scores; s++) {
    score += width;
    bias += width;
    for (uint32_t t = 0; t < width; t++) {
      float value = score[t] + bias[t];
      int more = value > best[t];
      best[t] = more ? value : best[t];
      if (votes8)
        votes8[t] = (uint8_t)(more ? s : votes8[t]);
      else
        votes16[t] = (uint16_t)(more ? s : votes16[t]);
    }
  }
}

LINEAR_VOTE_FAST
static void linear_vote_decide8(const float *restrict score, const float *restrict bias, uint32_t width,
                                uint32_t scores, float *restrict best, uint8_t *restrict votes) {
  linear_vote_decide(score, bias, width, scores, best, votes, NULL);
}

LINEAR_VOTE_FAST
static void linear_vote_decide16(const float *restrict score, const float *restrict bias, uint32_t width,
                                 uint32_t scores, float *restrict best, uint16_t *restrict votes) {
  linear_vote_decide(score, bias, width, scores, best, NULL, votes);
}

/* Eight neighbouring scores, at any address. */
typedef float linear_vote_eight __attribute__((vector_size(32), aligned(4), may_alias));

#define LINEAR_VOTE_STRIP 32u /* scores that stay in registers while a query's entries are summed */

/* One strip of a query's scores. */
static inline LINEAR_VOTE_INLINE void linear_vote_strip(const struct rows *rows, size_t begin, size_t end,
                                                        const float *weight, size_t width, float *score) {
  linear_vote_eight a = {0}, b = {0}, c = {0}, d = {0};
  for (size_t e = begin; e < end; e++) {
    const linear_vote_eight *row = (const linear_vote_eight *)(weight + rows->index[e] * width);
    float value = rows->value[e];
    a += value * row[0];
    b += value * row[1];
    c += value * row[2];
    d += value * row[3];
  }
  ((linear_vote_eight *)score)[0] = a;
  ((linear_vote_eight *)score)[1] = b;
  ((linear_vote_eight *)score)[2] = c;
  ((linear_vote_eight *)score)[3] = d;
}

LINEAR_VOTE_FAST
static void linear_vote_sparse(const struct rows *rows, size_t first, size_t count, const float *weight, size_t width,
                               float *restrict score) {
  size_t whole = width - width % LINEAR_VOTE_STRIP;
  for (size_t q = first; q < first + count; q++, score += width) {
    size_t begin = rows->start[q], end = rows->start[q + 1];
    for (size_t t = 0; t < whole; t += LINEAR_VOTE_STRIP)
      linear_vote_strip(rows, begin, end, weight + t, width, score + t);
    memset(score + whole, 0, (width - whole) * sizeof *score);
    for (size_t e = begin; e < end; e++)
      for (size_t t = whole; t < width; t++)
        score[t] += rows->value[e] * weight[rows->index[e] * width + t];
  }
}

struct linear_vote_queries {
  const struct linear_vote *bank;
  const struct rows *rows;
  size_t first, count;
  void *votes;
  float *work; /* one part for each worker */
  size_t piece;
};

/* One block of queries, all teachers: vote (q, t) goes to [q * teachers + t]. A teacher that learned nothing votes for
 * label 0. */
static int linear_vote_block(void *context, size_t block, unsigned worker) {
  const struct linear_vote_queries *queries = context;
  const struct linear_vote *bank = queries->bank;
  const struct rows *rows = queries->rows;
  size_t done = block * LINEAR_VOTE_BLOCK, left = queries->count - done, first = queries->first + done;
  size_t count = left < LINEAR_VOTE_BLOCK ? left : LINEAR_VOTE_BLOCK, full = linear_vote_stride(bank, bank->panel);
  float *best = queries->work + worker * queries->piece, *scores = best + bank->panel;
  for (size_t p = 0; p < bank->panels; p++) {
    size_t begin = p * bank->panel;
    uint32_t teachers = linear_vote_width(bank, begin);
    size_t width = linear_vote_stride(bank, teachers);
    const float *weight = bank->weight + p * full * bank->columns, *bias = bank->bias + p * full;
    if (rows->is_dense)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)count, (int)width, (int)bank->columns, 1,
                  rows->dense + first * rows->columns, (int)rows->columns, weight, (int)width, 0, scores, (int)width);
    else
      linear_vote_sparse(rows, first, count, weight, width, scores);
    for (size_t q = 0; q < count; q++) {
      size_t at = (done + q) * bank->teachers + begin;
      if (votes_width(bank->classes) == 1)
        linear_vote_decide8(scores + q * width, bias, teachers, bank->scores, best, (uint8_t *)queries->votes + at);
      else
        linear_vote_decide16(scores + q * width, bias, teachers, bank->scores, best, (uint16_t *)queries->votes + at);
    }
  }
  return EXIT_OK;
}

int linear_vote_cast(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count,
                     void *votes) {
  struct linear_vote_queries queries = {ensemble->all, rows, first, count, votes, NULL, 0};
  const struct linear_vote *bank = ensemble->all;
  size_t floats = (size_t)LINEAR_VOTE_BLOCK * linear_vote_stride(bank, bank->panel) + bank->panel;
  int code;
  queries.piece = (floats + LINEAR_VOTE_LINE - 1) / LINEAR_VOTE_LINE * LINEAR_VOTE_LINE;
  code = memory_align(&queries.work, pool_width() * queries.piece, sizeof *queries.work);
  if (!code) code = pool_run((count + LINEAR_VOTE_BLOCK - 1) / LINEAR_VOTE_BLOCK, linear_vote_block, &queries, NULL);
  free(queries.work);
  return code;
}

#include "estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ensemble.h"
#include "plan.h"
#include "pool.h"
#include "say.h"

uint32_t fumata_estimate_silences(double error, uint64_t queries) {
  double m = (double)queries, rm = error > 0 ? error * m : 0, t;
  if (m < 1) return 1;
  t = ceil(3 * (rm + sqrt(rm * log(m / FUMATA_ESTIMATE_BETA) / 2)));
  return t < 1 ? 1 : t > FUMATA_SILENCES_MAX ? FUMATA_SILENCES_MAX : (uint32_t)t;
}

/* P(outcome j) as a share of 1, for the outcomes 0 .. size. */
static long double fumata_estimate_mass(const fumata_noise *noise, int64_t j) {
  if (j < 0 || j > (int64_t)noise->size) return 0;
  if (j == (int64_t)noise->size)
    return (18446744073709551616.0L - (long double)noise->cdf[j - 1]) / 18446744073709551616.0L;
  return (long double)(noise->cdf[j] - (j ? noise->cdf[j - 1] : 0)) / 18446744073709551616.0L;
}

/* The larger of the two one-sided costs of a shift by `shift`. */
static long double fumata_estimate_cost(const fumata_noise *noise, int64_t shift, long double factor) {
  long double up = 0, down = 0;
  for (int64_t j = 0; j <= (int64_t)noise->size; j++) {
    long double here = fumata_estimate_mass(noise, j);
    long double a = here - factor * fumata_estimate_mass(noise, j - shift);
    long double b = here - factor * fumata_estimate_mass(noise, j + shift);
    if (a > 0) up += a;
    if (b > 0) down += b;
  }
  return up > down ? up : down;
}

int fumata_estimate_noise_make(fumata_estimate_noise *table, fumata_rational epsilon) {
  double value = fumata_rational_value(epsilon.num, epsilon.den);
  long double rate = (long double)value / FUMATA_ESTIMATE_PARTS, ratio = expl(-rate), worst = 0, factor;
  int64_t reach;
  memset(table, 0, sizeof *table);
  if (value < 0.01 || value > 20)
    return fumata_say_error(FUMATA_EXIT_INPUT, "--estimate-error: an epsilon from 0.01 to 20 is expected");
  /* Beyond this the probability of an outcome is below 2^-64. */
  reach = (int64_t)ceill(46 / rate);
  table->memory = malloc((size_t)(2 * reach) * sizeof *table->memory);
  if (!table->memory) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  for (int64_t j = 0; j < 2 * reach; j++) {
    int64_t z = j - reach;
    long double tail = expl(-rate * (long double)(z < 0 ? -z : z + 1)) / (1 + ratio) * 18446744073709551616.0L;
    uint64_t whole = tail < 1 ? 1 : (uint64_t)tail;
    table->memory[j] = z < 0 ? whole : (uint64_t)0 - whole;
  }
  table->noise = (fumata_noise){table->memory, (uint32_t)(2 * reach), -reach};
  table->epsilon = epsilon;
  if (fumata_noise_check(&table->noise) != FUMATA_OK) {
    fumata_estimate_noise_free(table);
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "the estimate's noise table is out of order");
  }
  /* The rounding of this sum is far below the 1e-17 that is added. */
  factor = expl((long double)value) * (1 - 1e-15L);
  for (int64_t shift = 1; shift <= FUMATA_ESTIMATE_PARTS; shift++) {
    long double cost = fumata_estimate_cost(&table->noise, shift, factor);
    if (cost > worst) worst = cost;
  }
  table->delta = (fumata_rational){(uint64_t)ceill(worst * 1e17L) + 1, UINT64_C(100000000000000000)};
  return FUMATA_EXIT_OK;
}

void fumata_estimate_noise_free(fumata_estimate_noise *table) {
  free(table->memory);
  memset(table, 0, sizeof *table);
}

typedef struct {
  const fumata_learner *learner;
  const fumata_rows *rows;
  const fumata_chunks *chunks;
  uint32_t *parts; /* error of each chunk */
} fumata_estimate_exam;

/* A new set of rows that holds a copy of row[0 .. count - 1]. */
static int fumata_estimate_copy(fumata_rows *copy, const fumata_rows *rows, const size_t *row, size_t count) {
  float *expanded;
  int code;
  fumata_rows_init(copy, rows->columns, 1);
  code = fumata_rows_reserve(copy, count, 0);
  for (size_t e = 0; !code && e < count; e++) {
    expanded = fumata_rows_push_dense(copy, rows->label[row[e]], 0, 0);
    fumata_rows_expand(rows, row[e], expanded);
  }
  return code;
}

static int fumata_estimate_examine(void *context, size_t chunk, unsigned worker) {
  fumata_estimate_exam *exam = context;
  const size_t *row = exam->chunks->row + exam->chunks->start[chunk];
  size_t count = exam->chunks->start[chunk + 1] - exam->chunks->start[chunk], middle = count / 2, wrong = 0;
  fumata_lesson lesson = {.rows = exam->rows, .row = row};
  fumata_learned learned = {0};
  fumata_ensemble single = {0};
  fumata_rows test;
  unsigned char *votes = NULL;
  int code;
  (void)worker;
  /* All rows of a unit stand together and stay together. */
  while (middle && middle < count && exam->rows->unit[row[middle]] == exam->rows->unit[row[middle - 1]])
    middle++;
  exam->parts[chunk] = FUMATA_ESTIMATE_PARTS / 2;
  if (middle == 0 || middle >= count) return FUMATA_EXIT_OK;
  lesson.count = middle;
  code = fumata_estimate_copy(&test, exam->rows, row + middle, count - middle);
  if (!code) code = fumata_learner_train(exam->learner, &lesson, &learned);
  if (!code) code = fumata_ensemble_single(&single, exam->learner, &learned);
  single.is_lenient = 1;
  if (!code && !(votes = malloc(2 * test.count))) code = fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  if (!code) code = fumata_ensemble_vote(&single, &test, 0, test.count, votes);
  for (size_t i = 0; !code && i < test.count; i++)
    wrong += test.label[i] != (fumata_ensemble_width(&single) == 1 ? votes[i] : ((const uint16_t *)votes)[i]);
  if (!code) exam->parts[chunk] = (uint32_t)((2 * wrong * FUMATA_ESTIMATE_PARTS + test.count) / (2 * test.count));
  free(votes);
  fumata_ensemble_free(&single);
  fumata_learned_free(&learned);
  fumata_rows_free(&test);
  return code;
}

int fumata_estimate_error(const fumata_learner *learner, const fumata_rows *rows, const unsigned char *keep,
                          uint32_t chunks, const fumata_estimate_noise *table, fumata_coins *coins, double *error) {
  fumata_chunks held = {0};
  fumata_estimate_exam exam = {.learner = learner, .rows = rows, .chunks = &held};
  fumata_progress progress;
  int64_t sum = 0;
  uint64_t coin;
  int code = fumata_chunks_make(&held, rows, keep, chunks);
  if (code) return code;
  exam.parts = calloc(chunks, sizeof *exam.parts);
  if (!exam.parts) code = fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  if (!code) {
    fumata_progress_start(&progress, "estimating the error", chunks);
    code = fumata_pool_run(chunks, fumata_estimate_examine, &exam, &progress);
    fumata_progress_end(&progress);
  }
  if (!code) code = fumata_coins_draw(coins, &coin);
  if (!code) {
    for (uint32_t i = 0; i < chunks; i++)
      sum += exam.parts[i];
    sum += fumata_noise_draw(&table->noise, coin);
    *error = (double)sum / ((double)FUMATA_ESTIMATE_PARTS * chunks);
    if (*error < 0) *error = 0;
    if (*error > 1) *error = 1;
  }
  free(exam.parts);
  fumata_chunks_free(&held);
  return code;
}

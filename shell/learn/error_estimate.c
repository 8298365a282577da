#include "learn/error_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/plan.h"
#include "learn/ensemble.h"
#include "learn/pool.h"

uint32_t error_estimate_silences(double error, uint64_t queries) {
  double m = (double)queries, rm = error > 0 ? error * m : 0, t;
  if (m < 1) return 1;
  t = ceil(3 * (rm + sqrt(rm * log(m / ERROR_ESTIMATE_BETA) / 2)));
  return t < 1 ? 1 : t > FUMATA_SILENCES_MAX ? FUMATA_SILENCES_MAX : (uint32_t)t;
}

/* P(outcome j) as a share of 1, for the outcomes 0 .. size. */
static long double error_estimate_mass(const fumata_noise *noise, int64_t j) {
  if (j < 0 || j > (int64_t)noise->size) return 0;
  if (j == (int64_t)noise->size)
    return (18446744073709551616.0L - (long double)noise->cdf[j - 1]) / 18446744073709551616.0L;
  return (long double)(noise->cdf[j] - (j ? noise->cdf[j - 1] : 0)) / 18446744073709551616.0L;
}

/* The larger of the two one-sided costs of a shift by `shift`. */
static long double error_estimate_cost(const fumata_noise *noise, int64_t shift, long double factor) {
  long double up = 0, down = 0;
  for (int64_t j = 0; j <= (int64_t)noise->size; j++) {
    long double here = error_estimate_mass(noise, j);
    long double a = here - factor * error_estimate_mass(noise, j - shift);
    long double b = here - factor * error_estimate_mass(noise, j + shift);
    if (a > 0) up += a;
    if (b > 0) down += b;
  }
  return up > down ? up : down;
}

int error_estimate_noise_make(struct error_estimate_noise *table, struct rational epsilon) {
  double value = rational_value(epsilon.num, epsilon.den);
  long double rate = (long double)value / ERROR_ESTIMATE_PARTS, ratio = expl(-rate), worst = 0, factor;
  int64_t reach;
  memset(table, 0, sizeof *table);
  if (value < 0.01 || value > 20)
    return error_report(EXIT_INPUT, "--estimate-error: an epsilon from 0.01 to 20 is expected");
  /* Beyond this the probability of an outcome is below 2^-64. */
  reach = (int64_t)ceill(46 / rate);
  table->memory = malloc((size_t)(2 * reach) * sizeof *table->memory);
  if (!table->memory) return error_report(EXIT_SYSTEM, "out of memory");
  for (int64_t j = 0; j < 2 * reach; j++) {
    int64_t z = j - reach;
    long double tail = expl(-rate * (long double)(z < 0 ? -z : z + 1)) / (1 + ratio) * 18446744073709551616.0L;
    uint64_t whole = tail < 1 ? 1 : (uint64_t)tail;
    table->memory[j] = z < 0 ? whole : (uint64_t)0 - whole;
  }
  table->noise = (fumata_noise){table->memory, (uint32_t)(2 * reach), -reach};
  table->epsilon = epsilon;
  if (fumata_noise_check(&table->noise) != FUMATA_OK) {
    error_estimate_noise_free(table);
    return error_report(EXIT_SYSTEM, "the estimate's noise table is out of order");
  }
  /* The rounding of this sum is far below the 1e-17 that is added. */
  factor = expl((long double)value) * (1 - 1e-15L);
  for (int64_t shift = 1; shift <= ERROR_ESTIMATE_PARTS; shift++) {
    long double cost = error_estimate_cost(&table->noise, shift, factor);
    if (cost > worst) worst = cost;
  }
  table->delta = (struct rational){(uint64_t)ceill(worst * 1e17L) + 1, UINT64_C(100000000000000000)};
  return EXIT_OK;
}

void error_estimate_noise_free(struct error_estimate_noise *table) {
  free(table->memory);
  memset(table, 0, sizeof *table);
}

struct error_estimate_exam {
  const struct learner *learner;
  const struct rows *rows;
  const struct chunks *chunks;
  uint32_t *parts; /* error of each chunk */
};

/* A new set of rows that holds a copy of row[0 .. count - 1]. */
static int error_estimate_copy(struct rows *copy, const struct rows *rows, const size_t *row, size_t count) {
  float *expanded;
  int code;
  rows_init(copy, rows->columns, 1);
  code = rows_reserve(copy, count, 0);
  for (size_t e = 0; !code && e < count; e++) {
    expanded = rows_push_dense(copy, rows->label[row[e]], 0, 0);
    rows_expand(rows, row[e], expanded);
  }
  return code;
}

static int error_estimate_examine(void *context, size_t chunk, unsigned worker) {
  struct error_estimate_exam *exam = context;
  const size_t *row = exam->chunks->row + exam->chunks->start[chunk];
  size_t count = exam->chunks->start[chunk + 1] - exam->chunks->start[chunk], middle = count / 2, wrong = 0;
  struct lesson lesson = {.rows = exam->rows, .row = row};
  struct learned learned = {0};
  struct ensemble single = {0};
  struct rows test;
  unsigned char *votes = NULL;
  int code;
  (void)worker;
  /* All rows of a unit stand together and stay together. */
  while (middle && middle < count && exam->rows->unit[row[middle]] == exam->rows->unit[row[middle - 1]])
    middle++;
  exam->parts[chunk] = ERROR_ESTIMATE_PARTS / 2;
  if (middle == 0 || middle >= count) return EXIT_OK;
  lesson.count = middle;
  code = error_estimate_copy(&test, exam->rows, row + middle, count - middle);
  if (!code) code = learner_train(exam->learner, &lesson, &learned);
  if (!code) code = ensemble_single(&single, exam->learner, &learned);
  single.is_lenient = 1;
  if (!code && !(votes = malloc(2 * test.count))) code = error_report(EXIT_SYSTEM, "out of memory");
  if (!code) code = ensemble_vote(&single, &test, 0, test.count, votes);
  for (size_t i = 0; !code && i < test.count; i++)
    wrong += test.label[i] != (ensemble_width(&single) == 1 ? votes[i] : ((const uint16_t *)votes)[i]);
  if (!code) exam->parts[chunk] = (uint32_t)((2 * wrong * ERROR_ESTIMATE_PARTS + test.count) / (2 * test.count));
  free(votes);
  ensemble_free(&single);
  learned_free(&learned);
  rows_free(&test);
  return code;
}

int error_estimate_run(const struct learner *learner, const struct rows *rows, const unsigned char *keep,
                       uint32_t chunks, const struct error_estimate_noise *table, struct coins *coins, double *error) {
  struct chunks held = {0};
  struct error_estimate_exam exam = {.learner = learner, .rows = rows, .chunks = &held};
  struct progress progress;
  int64_t sum = 0;
  uint64_t coin;
  int code = chunks_make(&held, rows, keep, chunks);
  if (code) return code;
  exam.parts = calloc(chunks, sizeof *exam.parts);
  if (!exam.parts) code = error_report(EXIT_SYSTEM, "out of memory");
  if (!code) {
    progress_start(&progress, "estimating the error", chunks);
    code = pool_run(chunks, error_estimate_examine, &exam, &progress);
    progress_end(&progress);
  }
  if (!code) code = coins_draw(coins, &coin);
  if (!code) {
    for (uint32_t i = 0; i < chunks; i++)
      sum += exam.parts[i];
    sum += fumata_noise_draw(&table->noise, coin);
    *error = (double)sum / ((double)ERROR_ESTIMATE_PARTS * chunks);
    if (*error < 0) *error = 0;
    if (*error > 1) *error = 1;
  }
  free(exam.parts);
  chunks_free(&held);
  return code;
}

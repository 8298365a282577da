#include "learn/error_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/plan.h"
#include "learn/ensemble.h"
#include "learn/pool.h"

#define ERROR_ESTIMATE_EPSILON_MIN 0.01 /* below, the noise drowns the estimate; above, it protects nothing */
#define ERROR_ESTIMATE_EPSILON_MAX 20.0
#define ERROR_ESTIMATE_COINS       18446744073709551616.0L /* 2^64 coins are equally likely (core/noise.h) */
#define ERROR_ESTIMATE_REACH       46 /* more than ln 2^64: further out an outcome has less than one coin */
#define ERROR_ESTIMATE_DELTAS      UINT64_C(100000000000000000) /* the delta is rounded up to a multiple of 1e-17 */

uint32_t error_estimate_silences(double error, uint64_t queries) {
  double m = (double)queries, rm = error > 0 ? error * m : 0, t;
  if (m < 1) return 1;
  t = ceil(3 * (rm + sqrt(rm * log(m / ERROR_ESTIMATE_BETA) / 2)));
  return t < 1 ? 1 : t > FUMATA_SILENCES_MAX ? FUMATA_SILENCES_MAX : (uint32_t)t;
}

/* P(outcome j) as a share of 1, for the outcomes 0 .. size. */
static long double error_estimate_mass(const fumata_noise *noise, int64_t j) {
  if (j < 0 || j > (int64_t)noise->size) return 0;
  if (j == (int64_t)noise->size) return (ERROR_ESTIMATE_COINS - (long double)noise->cdf[j - 1]) / ERROR_ESTIMATE_COINS;
  return (long double)(noise->cdf[j] - (j ? noise->cdf[j - 1] : 0)) / ERROR_ESTIMATE_COINS;
}

/* The probability that a shift by `shift`, up or down, moves beyond `factor` times what it was. */
static long double error_estimate_excess(const fumata_noise *noise, int64_t shift, long double factor) {
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

/* The delta of the table at this epsilon; the rounding of the sums is far below the 1e-17 that is added. */
static struct rational error_estimate_delta(const fumata_noise *noise, double epsilon) {
  long double factor = expl((long double)epsilon) * (1 - 1e-15L), worst = 0;
  for (int64_t shift = 1; shift <= ERROR_ESTIMATE_PARTS; shift++) {
    long double excess = error_estimate_excess(noise, shift, factor);
    if (excess > worst) worst = excess;
  }
  return (struct rational){(uint64_t)ceill(worst * (long double)ERROR_ESTIMATE_DELTAS) + 1, ERROR_ESTIMATE_DELTAS};
}

/* cdf[j], j = 0 .. 2 reach - 1, of the outcome j - reach. */
static void error_estimate_laplace(uint64_t *cdf, int64_t reach, long double rate) {
  for (int64_t j = 0; j < 2 * reach; j++) {
    int64_t z = j - reach;
    long double tail = expl(-rate * (long double)(z < 0 ? -z : z + 1)) / (1 + expl(-rate)) * ERROR_ESTIMATE_COINS;
    uint64_t whole = tail < 1 ? 1 : (uint64_t)tail;
    cdf[j] = z < 0 ? whole : (uint64_t)0 - whole;
  }
}

int error_estimate_noise_make(struct error_estimate_noise *table, struct rational epsilon) {
  double value = rational_value(epsilon.num, epsilon.den);
  long double rate = (long double)value / ERROR_ESTIMATE_PARTS;
  int64_t reach;
  int code;
  memset(table, 0, sizeof *table);
  if (value < ERROR_ESTIMATE_EPSILON_MIN || value > ERROR_ESTIMATE_EPSILON_MAX)
    return error_report(EXIT_INPUT, "--estimate-error: an epsilon from %g to %g is expected",
                        ERROR_ESTIMATE_EPSILON_MIN, ERROR_ESTIMATE_EPSILON_MAX);
  reach = (int64_t)ceill(ERROR_ESTIMATE_REACH / rate);
  code = memory_take(&table->cdf, (size_t)(2 * reach), sizeof *table->cdf);
  if (code) return code;
  error_estimate_laplace(table->cdf, reach, rate);
  table->noise = (fumata_noise){table->cdf, (uint32_t)(2 * reach), -reach};
  table->epsilon = epsilon;
  if (fumata_noise_check(&table->noise) != FUMATA_OK) {
    error_estimate_noise_free(table);
    return error_report(EXIT_SYSTEM, "the estimate's noise table is out of order");
  }
  table->delta = error_estimate_delta(&table->noise, value);
  return EXIT_OK;
}

void error_estimate_noise_free(struct error_estimate_noise *table) {
  free(table->cdf);
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

/* wrong / count in parts, rounded. */
static uint32_t error_estimate_share(size_t wrong, size_t count) {
  return (uint32_t)((2 * wrong * ERROR_ESTIMATE_PARTS + count) / (2 * count));
}

/* Where the second half of a chunk begins: all rows of a unit stand together and stay together. */
static size_t error_estimate_middle(const struct rows *rows, const size_t *row, size_t count) {
  size_t middle = count / 2;
  while (middle && middle < count && rows->unit[row[middle]] == rows->unit[row[middle - 1]])
    middle++;
  return middle;
}

/* Learns from the first half and answers the second. */
static int error_estimate_examine(void *context, size_t chunk, unsigned worker) {
  struct error_estimate_exam *exam = context;
  const size_t *row = exam->chunks->row + exam->chunks->start[chunk];
  size_t count = exam->chunks->start[chunk + 1] - exam->chunks->start[chunk];
  size_t middle = error_estimate_middle(exam->rows, row, count), right, labelled;
  struct lesson lesson = {.rows = exam->rows, .row = row, .count = middle};
  struct learned learned = {0};
  struct ensemble single = {0};
  struct rows test;
  int code;
  (void)worker;
  exam->parts[chunk] = ERROR_ESTIMATE_PARTS / 2;
  if (middle == 0 || middle >= count) return EXIT_OK;
  code = error_estimate_copy(&test, exam->rows, row + middle, count - middle);
  if (!code) code = learner_train(exam->learner, &lesson, &learned);
  if (!code) code = ensemble_single(&single, exam->learner, &learned);
  single.is_lenient = 1;
  if (!code) code = ensemble_score(&single, &test, &right, &labelled);
  if (!code) exam->parts[chunk] = error_estimate_share(test.count - right, test.count);
  ensemble_free(&single);
  learned_free(&learned);
  rows_free(&test);
  return code;
}

/* The mean of the parts with noise, as an error rate. */
static int error_estimate_release(const struct error_estimate_exam *exam, const struct error_estimate_noise *table,
                                  struct coins *coins, double *error) {
  uint32_t chunks = exam->chunks->teachers;
  int64_t sum = 0;
  uint64_t coin;
  int code = coins_draw(coins, &coin);
  if (code) return code;
  for (uint32_t i = 0; i < chunks; i++)
    sum += exam->parts[i];
  sum += fumata_noise_draw(&table->noise, coin);
  *error = (double)sum / ((double)ERROR_ESTIMATE_PARTS * chunks);
  if (*error < 0) *error = 0;
  if (*error > 1) *error = 1;
  return EXIT_OK;
}

int error_estimate_run(const struct learner *learner, const struct rows *rows, const unsigned char *keep,
                       uint32_t chunks, const struct error_estimate_noise *table, struct coins *coins, double *error) {
  struct chunks held = {0};
  struct error_estimate_exam exam = {.learner = learner, .rows = rows, .chunks = &held};
  struct progress progress;
  int code = chunks_make(&held, rows, keep, chunks);
  if (!code) code = memory_take(&exam.parts, chunks, sizeof *exam.parts);
  if (!code) {
    progress_start(&progress, "estimating the error", chunks);
    code = pool_run(chunks, error_estimate_examine, &exam, &progress);
    progress_end(&progress);
  }
  if (!code) code = error_estimate_release(&exam, table, coins, error);
  free(exam.parts);
  chunks_free(&held);
  return code;
}

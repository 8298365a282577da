/* CPU seconds of voting, and of the bare matrix product beside it: bench_votes QUERIES TEACHERS FEATURES CLASSES ENTRIES. ENTRIES 0:
 * dense rows; else that number of ones in each row, and no product. The best of several, taken in turn. */
#include <cblas.h>
#include <stdio.h>

#include "learn/ensemble.h"
#include "learn/linear.h"
#include "learn/pool.h"
#include "machine.h"

#define TRIES 5
#define BLOCK 4096u

static float *noise(size_t count) {
  float *values = aligned_alloc(64, (count * sizeof *values + 63) / 64 * 64);
  uint64_t state = 1;
  for (size_t i = 0; values && i < count; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    values[i] = (float)(int32_t)(state >> 33) / 2147483648.0f - 0.5f;
  }
  return values;
}

struct work {
  struct ensemble ensemble;
  struct rows rows;
  uint8_t *votes;
  float *weights, *scores; /* of the bare product */
};

/* A stream of blocks through one buffer, as `fumata answer` does it. */
static void vote(struct work *work) {
  for (size_t first = 0; first < work->rows.count; first += BLOCK) {
    size_t left = work->rows.count - first;
    if (ensemble_vote(&work->ensemble, &work->rows, first, left < BLOCK ? left : BLOCK, work->votes)) exit(1);
  }
}

static void product(struct work *work) {
  int width = (int)(work->ensemble.teachers * linear_scores(work->ensemble.learner->classes));
  int features = (int)work->rows.columns;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)work->rows.count, width, features, 1, work->rows.dense,
              features, work->weights, width, 0, work->scores, width);
}

/* CPU seconds: of all cores together for the votes, of one for the product. */
static void best_of(void (*run)(struct work *), struct work *work, double *best) {
  double started = machine_clock(CLOCK_PROCESS_CPUTIME_ID), took;
  run(work);
  took = machine_clock(CLOCK_PROCESS_CPUTIME_ID) - started;
  if (took < *best) *best = took;
}

static void make_teachers(struct work *work, struct learner *learner, uint32_t teachers) {
  size_t scores = (learner->classes == 2 ? 1 : learner->classes) * (learner->columns + 1);
  work->ensemble = (struct ensemble){.learner = learner, .teachers = teachers};
  work->ensemble.learned = calloc(teachers, sizeof *work->ensemble.learned);
  work->votes = malloc((size_t)BLOCK * teachers);
  for (uint32_t t = 0; t < teachers; t++)
    work->ensemble.learned[t] = (struct learned){(unsigned char *)noise(scores), scores * sizeof(float)};
  if (ensemble_ready(&work->ensemble)) exit(1);
}

/* `entries` ones in each row, their columns ascending: rows as one-hot codes make them. */
static void make_sparse(struct rows *rows, size_t entries) {
  uint64_t state = 1;
  rows->start = calloc(rows->count + 1, sizeof *rows->start);
  rows->index = calloc(rows->count * entries, sizeof *rows->index);
  rows->value = calloc(rows->count * entries, sizeof *rows->value);
  for (size_t e = 0, band = rows->columns / entries; e < rows->count * entries; e++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    rows->index[e] = (uint32_t)(e % entries * band + (state >> 33) % band);
    rows->value[e] = 1;
    rows->start[e / entries + 1] = e + 1;
  }
}

int main(int argc, char **argv) {
  size_t queries = argc == 6 ? (size_t)atol(argv[1]) : 0;
  uint32_t teachers = argc == 6 ? (uint32_t)atol(argv[2]) : 0, features = argc == 6 ? (uint32_t)atol(argv[3]) : 0;
  struct learner learner = {.kind = &learner_logistic, .columns = features, .scale = 1};
  struct work work = {.rows = {.count = queries, .columns = features}};
  size_t entries = argc == 6 ? (size_t)atol(argv[5]) : 0, width;
  double ours = 1e9, bare = 1e9;
  if (argc != 6) return 2;
  learner.classes = (uint32_t)atol(argv[4]);
  width = (size_t)teachers * (learner.classes == 2 ? 1 : learner.classes);
  make_teachers(&work, &learner, teachers);
  work.rows.is_dense = !entries;
  if (entries) {
    make_sparse(&work.rows, entries);
  } else {
    work.rows.dense = noise(queries * features);
    work.weights = noise(width * features);
    work.scores = noise(queries * width);
  }
  pool_width(); /* from now on OpenBLAS takes one core a call */
  for (int i = 0; i < TRIES; i++) {
    best_of(vote, &work, &ours);
    if (!entries) best_of(product, &work, &bare);
  }
  printf("%.6f %.6f\n", ours, bare);
  return 0;
}

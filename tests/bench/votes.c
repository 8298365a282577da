/* Voting against the bare matrix product: bench_votes [QUERIES TEACHERS FEATURES]. */
#include <cblas.h>
#include <stdio.h>

#include "learn/ensemble.h"
#include "learn/pool.h"
#include "machine.h"

extern void openblas_set_num_threads(int threads);

#define TRIES 3
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

static double product(const float *rows, size_t queries, uint32_t width, uint32_t features) {
  float *weights = noise((size_t)width * features), *scores = noise(queries * width);
  double best = 1e9;
  openblas_set_num_threads((int)pool_width());
  for (int i = 0; i < TRIES; i++) {
    double started = machine_seconds(), took;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)queries, (int)width, (int)features, 1, rows,
                (int)features, weights, (int)width, 0, scores, (int)width);
    took = machine_seconds() - started;
    if (took < best) best = took;
  }
  openblas_set_num_threads(1);
  free(weights);
  free(scores);
  return best;
}

/* A stream of blocks through one buffer, as `fumata answer` does it. */
static double vote(float *dense, size_t queries, uint32_t teachers, uint32_t features, uint32_t classes) {
  struct learner learner = {.kind = LEARNER_LOGISTIC, .classes = classes, .columns = features, .scale = 1};
  struct rows rows = {.count = queries, .columns = features, .is_dense = 1, .dense = dense};
  struct ensemble ensemble = {.learner = &learner, .teachers = teachers};
  uint8_t *votes = malloc((size_t)BLOCK * teachers);
  size_t scores = (classes == 2 ? 1 : classes) * (features + 1);
  double best = 1e9;
  ensemble.learned = calloc(teachers, sizeof *ensemble.learned);
  for (uint32_t t = 0; t < teachers; t++) {
    ensemble.learned[t].bytes = (unsigned char *)noise(scores);
    ensemble.learned[t].size = scores * sizeof(float);
  }
  if (ensemble_ready(&ensemble)) exit(1);
  for (int i = 0; i < TRIES; i++) {
    double started = machine_seconds(), took;
    for (size_t first = 0; first < queries; first += BLOCK)
      if (ensemble_vote(&ensemble, &rows, first, queries - first < BLOCK ? queries - first : BLOCK, votes)) exit(1);
    took = machine_seconds() - started;
    if (took < best) best = took;
  }
  free(votes);
  ensemble_free(&ensemble);
  return best;
}

int main(int argc, char **argv) {
  size_t queries = argc > 1 ? (size_t)atol(argv[1]) : 100000;
  uint32_t teachers = argc > 2 ? (uint32_t)atol(argv[2]) : 1000, features = argc > 3 ? (uint32_t)atol(argv[3]) : 60;
  float *rows = noise(queries * features);
  double bare, ours, ratio;
  int missed = 0;
  for (uint32_t classes = 2; classes <= 10; classes += 8) {
    size_t asked = classes == 2 ? queries : queries / 10;
    bare = product(rows, asked, teachers * (classes == 2 ? 1 : classes), features);
    ours = vote(rows, asked, teachers, features, classes);
    ratio = bare / ours;
    printf("votes: %zu queries x %u teachers x %u features, %u classes: %.3f s, bare sgemm %.3f s: %.2f of it (wanted: "
           "0.5)\n",
           asked, teachers, features, classes, ours, bare, ratio);
    missed |= ratio < 0.5;
  }
  free(rows);
  return missed;
}

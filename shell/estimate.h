/* How many silences to pay for: the paper's rule, and a private estimate of the error rate that it asks for. */
#ifndef FUMATA_ESTIMATE_H
#define FUMATA_ESTIMATE_H

#include "coins.h"
#include "learner.h"
#include "noise.h"
#include "partition.h"
#include "rational.h"

/* Theorem 3.2: T = 3 (r m + sqrt(r m ln(m / beta) / 2)) for learners of error rate r and m queries, rounded up and kept
 * within 1 .. FUMATA_SILENCES_MAX. */
#define FUMATA_ESTIMATE_BETA 0.05
uint32_t fumata_estimate_silences(double error, uint64_t queries);

/* One chunk's error is counted in these parts, so the sum over chunks moves by at most this much when a unit does. */
#define FUMATA_ESTIMATE_PARTS 100

/* Discrete Laplace noise of scale FUMATA_ESTIMATE_PARTS / epsilon as a table of the core. The delta is measured on the
 * table as it is: the most that any shift up to FUMATA_ESTIMATE_PARTS costs beyond e^epsilon, rounded up. */
typedef struct {
  fumata_noise noise;
  uint64_t *memory;
  fumata_rational epsilon, delta;
} fumata_estimate_noise;
int fumata_estimate_noise_make(fumata_estimate_noise *table, fumata_rational epsilon);
void fumata_estimate_noise_free(fumata_estimate_noise *table);

/* Remark 1: the error rate of the learner on chunks of the held-out rows (`keep`). Each chunk learns from one half of
 * its units and is examined on the other; a unit touches one chunk, so a sum of chunk errors has sensitivity
 * FUMATA_ESTIMATE_PARTS. Returns an exit code (say.h); the caller has charged table->epsilon and delta before. */
int fumata_estimate_error(const fumata_learner *learner, const fumata_rows *rows, const unsigned char *keep,
                          uint32_t chunks, const fumata_estimate_noise *table, fumata_coins *coins, double *error);

#endif

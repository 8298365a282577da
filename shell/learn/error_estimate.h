/* How many silences to pay for: the paper's rule, and a private estimate of the error rate that it asks for. */
#ifndef LEARN_ERROR_ESTIMATE_H
#define LEARN_ERROR_ESTIMATE_H

#include "base/coins.h"
#include "base/rational.h"
#include "core/count.h"
#include "learn/learner.h"

/* Theorem 3.2: T = 3 (r m + sqrt(r m ln(m / beta) / 2)) for learners of error rate r and m queries, rounded up and kept
 * within 1 .. FUMATA_SILENCES_MAX. */
#define ERROR_ESTIMATE_BETA 0.05 /* the theorem's chance that so many are not enough */
uint32_t error_estimate_silences(double error, uint64_t queries);

/* One chunk's error is counted in these parts, so the sum over chunks moves by at most this much when a unit does. */
#define ERROR_ESTIMATE_PARTS 100

/* Remark 1: the error rate of the learner on chunks of the held-out rows (`keep`). Each chunk learns from one half of
 * its units and is examined on the other; a unit touches one chunk, so a sum of chunk errors has sensitivity
 * ERROR_ESTIMATE_PARTS. Returns an exit code (error.h); the counter is for that sensitivity, and the caller has charged
 * what it costs before. */
int error_estimate_run(const struct learner *learner, const struct rows *rows, const unsigned char *keep,
                       uint32_t chunks, fumata_counter *counter, struct coins *coins, double *error);

#endif

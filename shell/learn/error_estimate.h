/* A private estimate of the error rate that the paper's rule for T asks for (plan/plan_rules.h). */
#ifndef LEARN_ERROR_ESTIMATE_H
#define LEARN_ERROR_ESTIMATE_H

#include "base/coins.h"
#include "base/rational.h"
#include "core/count.h"
#include "learn/learner.h"

/* One chunk's error is counted in these parts, so the sum over chunks moves by at most this much when a unit does. */
#define ERROR_ESTIMATE_PARTS 100

/* Remark 1: the error rate of the learner on chunks of the held-out rows (`keep`). Each chunk learns from one half of
 * its units and is examined on the other; a unit touches one chunk, so a sum of chunk errors has sensitivity
 * ERROR_ESTIMATE_PARTS. Returns an exit code (error.h); the counter is for that sensitivity, and the caller has charged
 * what it costs before. */
int error_estimate_run(const struct learner *learner, const struct rows *rows, const unsigned char *keep,
                       uint32_t chunks, fumata_counter *counter, struct coins *coins, double *error);

#endif

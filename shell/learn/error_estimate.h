/* A private estimate of the error rate that the paper's rule for T asks for (plan/plan_rules.h). */
#ifndef LEARN_ERROR_ESTIMATE_H
#define LEARN_ERROR_ESTIMATE_H

#include "gate/chunks.h"
#include "learn/learner.h"

/* One chunk's error is counted in this many parts, so one unit moves the sum over chunks by at most this much. */
#define ERROR_ESTIMATE_PARTS 100

/* Each returns an exit code (error.h). */

/* Remark 1: adds up the errors of the learner on these chunks of held-out rows. Each chunk learns from one half of its
 * units and is examined on the other; a unit is in one chunk only, so the sum has sensitivity ERROR_ESTIMATE_PARTS. It is
 * private. */
int error_estimate_sum(const struct learner *learner, const struct rows *rows, const struct chunks *chunks,
                       uint32_t *sum);

/* The error rate from such a sum over `chunks` chunks, after noise (gate/count.h) of that sensitivity was added. */
double error_estimate_rate(int64_t noisy, uint32_t chunks);

#endif

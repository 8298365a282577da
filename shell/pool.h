/* Independent jobs on all cores. */
#ifndef FUMATA_POOL_H
#define FUMATA_POOL_H

#include <stddef.h>

#include "progress.h"

/* Does job `job` on worker `worker` (0 .. width - 1); returns an exit code (say.h). */
typedef int (*fumata_pool_job)(void *context, size_t job, unsigned worker);

/* How many workers there are; also tells the matrix library that a worker is one thread. */
unsigned fumata_pool_width(void);

/* Runs jobs 0 .. jobs - 1 in any order and returns the first exit code that is not 0, after which no further job
 * starts. `progress` (or NULL) is stepped as jobs end. */
int fumata_pool_run(size_t jobs, fumata_pool_job job, void *context, fumata_progress *progress);

#endif

/* Independent jobs on all cores. */
#ifndef LEARN_POOL_H
#define LEARN_POOL_H

#include <stddef.h>

#include "base/progress.h"

/* Does job `job` on worker `worker` (0 .. width - 1); returns an exit code (error.h). */
typedef int (*pool_job)(void *context, size_t job, unsigned worker);

/* How many workers there are; also tells the matrix library to use one thread for each worker. */
unsigned pool_width(void);

/* Runs jobs 0 .. jobs - 1 in any order. Returns the first exit code that is not 0; after it no further job starts.
 * `progress` (or NULL) is stepped as jobs end. */
int pool_run(size_t jobs, pool_job job, void *context, struct progress *progress);

#endif

/* Threads beside the one that runs, started together and ended together: none outlives the call that started it, so that none
 * is there when a caller of ours forks. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <pthread.h>

#define THREADS_MAX 256u

/* What thread `number` does, from 1 on; 0 is the one that started them. */
typedef void threads_work(void *context, unsigned number);

struct threads_one {
  const struct threads *all;
  unsigned number;
  pthread_t handle;
};

/* Stays where it is while they run. */
struct threads {
  threads_work *work;
  void *context;
  unsigned count; /* that run */
  struct threads_one one[THREADS_MAX];
};

/* Cores that this process may run on, 1 to THREADS_MAX: a task of a job array, or a rank, is given some of a machine's. */
unsigned threads_cores(void);

/* Starts `wanted`, or fewer where the system gives no more: their work must be such that others do it. */
void threads_start(struct threads *threads, unsigned wanted, threads_work *work, void *context);

/* Waits for the end of all. */
void threads_join(struct threads *threads);

#endif

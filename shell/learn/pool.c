#include "learn/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/interrupt.h"

#define POOL_MAX 256u /* workers: their handles stand on the stack */

/* OpenBLAS' own; the one call that is not a matrix product, so its header stays with linear_vote.c. */
extern void openblas_set_num_threads(int threads);

struct pool {
  size_t jobs;
  pool_job job;
  void *context;
  struct progress *progress;
  atomic_size_t next, done;
  atomic_int code;
};

struct pool_worker {
  struct pool *pool;
  unsigned number;
};

/* Cores that this process may run on: a task of a job array, or a rank, is given some of a machine's. */
static long pool_cores(void) {
  cpu_set_t mine;
  return sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : sysconf(_SC_NPROCESSORS_ONLN);
}

unsigned pool_width(void) {
  static unsigned width;
  if (!width) {
    long cores = pool_cores();
    openblas_set_num_threads(1);
    width = cores < 1 ? 1 : cores > (long)POOL_MAX ? POOL_MAX : (unsigned)cores;
  }
  return width;
}

static void *pool_work(void *argument) {
  struct pool_worker *worker = argument;
  struct pool *pool = worker->pool;
  for (;;) {
    size_t job = atomic_fetch_add(&pool->next, 1), done;
    int code, none = 0;
    if (job >= pool->jobs || atomic_load(&pool->code)) return NULL;
    code = pool->job(pool->context, job, worker->number);
    if (!code) code = interrupt_check();
    if (code) atomic_compare_exchange_strong(&pool->code, &none, code);
    done = atomic_fetch_add(&pool->done, 1) + 1;
    if (worker->number == 0 && pool->progress) progress_step(pool->progress, done);
  }
}

int pool_run(size_t jobs, pool_job job, void *context, struct progress *progress) {
  struct pool pool = {.jobs = jobs, .job = job, .context = context, .progress = progress};
  struct pool_worker workers[POOL_MAX];
  pthread_t threads[POOL_MAX];
  unsigned width = pool_width(), started = 1;
  if (width > jobs) width = jobs ? (unsigned)jobs : 1;
  for (unsigned i = 0; i < width; i++)
    workers[i] = (struct pool_worker){&pool, i};
  /* A thread that cannot be had is work for the others. */
  while (started < width && pthread_create(&threads[started], NULL, pool_work, &workers[started]) == 0)
    started++;
  pool_work(&workers[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join(threads[i], NULL);
  return atomic_load(&pool.code);
}

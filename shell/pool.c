#include "pool.h"

#include <cblas.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "say.h"

#define FUMATA_POOL_MAX 256u

extern void openblas_set_num_threads(int threads);

typedef struct {
  size_t jobs;
  fumata_pool_job job;
  void *context;
  fumata_progress *progress;
  atomic_size_t next, done;
  atomic_int code;
} fumata_pool;

typedef struct {
  fumata_pool *pool;
  unsigned number;
} fumata_pool_worker;

unsigned fumata_pool_width(void) {
  static unsigned width;
  if (!width) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    openblas_set_num_threads(1);
    width = cores < 1 ? 1 : cores > (long)FUMATA_POOL_MAX ? FUMATA_POOL_MAX : (unsigned)cores;
  }
  return width;
}

static void *fumata_pool_work(void *argument) {
  fumata_pool_worker *worker = argument;
  fumata_pool *pool = worker->pool;
  for (;;) {
    size_t job = atomic_fetch_add(&pool->next, 1), done;
    int code, none = 0;
    if (job >= pool->jobs || atomic_load(&pool->code)) return NULL;
    code = pool->job(pool->context, job, worker->number);
    if (code) atomic_compare_exchange_strong(&pool->code, &none, code);
    done = atomic_fetch_add(&pool->done, 1) + 1;
    if (worker->number == 0 && pool->progress) fumata_progress_step(pool->progress, done);
  }
}

int fumata_pool_run(size_t jobs, fumata_pool_job job, void *context, fumata_progress *progress) {
  fumata_pool pool = {.jobs = jobs, .job = job, .context = context, .progress = progress};
  fumata_pool_worker workers[FUMATA_POOL_MAX];
  pthread_t threads[FUMATA_POOL_MAX];
  unsigned width = fumata_pool_width(), started = 1;
  if (width > jobs) width = jobs ? (unsigned)jobs : 1;
  for (unsigned i = 0; i < width; i++)
    workers[i] = (fumata_pool_worker){&pool, i};
  /* A thread that cannot be had is work for the others. */
  while (started < width && pthread_create(&threads[started], NULL, fumata_pool_work, &workers[started]) == 0)
    started++;
  fumata_pool_work(&workers[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join(threads[i], NULL);
  return atomic_load(&pool.code);
}

#include "learn/pool.h"

#include <stdatomic.h>

#include "base/hush.h"
#include "base/interrupt.h"
#include "base/threads.h"

/* OpenBLAS' own function. It is the only call that is not a matrix product, so the header stays with linear_vote.c. */
extern void openblas_set_num_threads(int threads);

struct pool {
  size_t jobs;
  pool_job job;
  void *context;
  struct progress *progress;
  atomic_size_t next, done;
  atomic_int code;
};

unsigned pool_width(void) {
  static unsigned width;
  if (!width) {
    openblas_set_num_threads(1);
    width = threads_cores();
  }
  return width;
}

static void pool_work(void *context, unsigned worker) {
  struct pool *pool = context;
  for (;;) {
    size_t job = atomic_fetch_add(&pool->next, 1), done;
    int code, none = 0;
    if (job >= pool->jobs || atomic_load(&pool->code)) return;
    code = pool->job(pool->context, job, worker);
    if (!code) code = interrupt_check();
    if (code) atomic_compare_exchange_strong(&pool->code, &none, code);
    done = atomic_fetch_add(&pool->done, 1) + 1;
    if (worker == 0 && pool->progress) progress_step(pool->progress, done);
  }
}

int pool_run(size_t jobs, pool_job job, void *context, struct progress *progress) {
  struct pool pool = {.jobs = jobs, .job = job, .context = context, .progress = progress};
  struct threads threads;
  unsigned width = pool_width();
  if (width > jobs) width = jobs ? (unsigned)jobs : 1;
  hush_begin(); /* once for all jobs: so none of our lines is printed while another thread has redirected stderr */
  threads_start(&threads, width - 1, pool_work, &pool);
  pool_work(&pool, 0);
  threads_join(&threads);
  hush_end();
  return atomic_load(&pool.code);
}

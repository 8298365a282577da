#include "base/threads.h"

#include <sched.h>
#include <unistd.h>

unsigned threads_cores(void) {
  cpu_set_t mine;
  long cores = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > (long)THREADS_MAX ? THREADS_MAX : (unsigned)cores;
}

static void *threads_begin(void *argument) {
  const struct threads_one *one = argument;
  one->all->work(one->all->context, one->number);
  return NULL;
}

void threads_start(struct threads *threads, unsigned wanted, threads_work *work, void *context) {
  threads->work = work;
  threads->context = context;
  threads->count = 0;
  for (unsigned i = 0; i < wanted && i < THREADS_MAX; i++) {
    struct threads_one *one = &threads->one[i];
    one->all = threads;
    one->number = i + 1;
    if (pthread_create(&one->handle, NULL, threads_begin, one) != 0) return;
    threads->count++;
  }
}

void threads_join(struct threads *threads) {
  for (unsigned i = 0; i < threads->count; i++)
    pthread_join(threads->one[i].handle, NULL);
  threads->count = 0;
}

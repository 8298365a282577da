/* What the machine can do, for comparison: seconds, and how fast one core reads memory. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double machine_clock(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double machine_seconds(void) {
  return machine_clock(CLOCK_MONOTONIC);
}

/* Bytes a second at which one core sums memory that is in no cache; the best of `tries`. */
static inline double machine_read_limit(size_t bytes, int tries) {
  uint64_t *words = malloc(bytes), sink = 0;
  double best = 0;
  size_t count = bytes / sizeof *words;
  if (!words) return 0;
  memset(words, 1, bytes);
  for (int t = 0; t < tries; t++) {
    double started = machine_clock(CLOCK_THREAD_CPUTIME_ID), took;
    uint64_t a = 0, b = 0, c = 0, d = 0;
    for (size_t i = 0; i + 4 <= count; i += 4) {
      a += words[i];
      b += words[i + 1];
      c += words[i + 2];
      d += words[i + 3];
    }
    sink += a ^ b ^ c ^ d;
    took = machine_clock(CLOCK_THREAD_CPUTIME_ID) - started;
    if (took > 0 && (double)bytes / took > best) best = (double)bytes / took;
  }
  *(volatile uint64_t *)words = sink;
  free(words);
  return best;
}

#endif

#define _POSIX_C_SOURCE 200809L
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_WAIT  2.0 /* seconds before the first line */
#define PROGRESS_EVERY 0.2

static double progress_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *progress, const char *what, uint64_t total) {
  memset(progress, 0, sizeof *progress);
  progress->what = what;
  progress->total = total;
  progress->started = progress->shown = progress_now();
}

void progress_step(struct progress *progress, uint64_t done) {
  double now = progress_now();
  progress->done = done;
  if (now - progress->started < PROGRESS_WAIT || now - progress->shown < PROGRESS_EVERY) return;
  if (!isatty(STDERR_FILENO)) return;
  progress->shown = now;
  progress->visible = 1;
  if (progress->total) {
    double share = (double)done / (double)progress->total;
    fprintf(stderr, "\r%s: %3.0f %% (%.0f s left) ", progress->what, 100.0 * share,
            share > 0 ? (now - progress->started) * (1 - share) / share : 0.0);
  } else {
    fprintf(stderr, "\r%s: %llu ", progress->what, (unsigned long long)done);
  }
  fflush(stderr);
}

void progress_end(struct progress *progress) {
  if (progress->visible) fputs("\r\033[K", stderr);
  progress->visible = 0;
}

#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define PROGRESS_WAIT  2.0 /* seconds before the first line */
#define PROGRESS_EVERY 0.2 /* seconds between lines: quick enough to look alive */

void progress_start(struct progress *progress, const char *what, uint64_t total) {
  memset(progress, 0, sizeof *progress);
  progress->what = what;
  progress->total = total;
  progress->started = progress->shown = clock_now();
}

void progress_step(struct progress *progress, uint64_t done) {
  double now = clock_now();
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

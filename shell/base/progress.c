#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hush.h"
#include "base/say.h"

#define PROGRESS_WAIT  2.0 /* seconds before the first line */
#define PROGRESS_EVERY 0.2 /* seconds between lines: quick enough to look alive */
#define PROGRESS_LOG   5.0 /* the same in a log, where each line stays */

void progress_start(struct progress *progress, const char *what, uint64_t total) {
  memset(progress, 0, sizeof *progress);
  progress->what = what;
  progress->total = total;
  progress->started = progress->shown = clock_now();
}

void progress_step(struct progress *progress, uint64_t done) {
  int is_terminal = isatty(hush_descriptor());
  double now = clock_now(), every = is_terminal ? PROGRESS_EVERY : PROGRESS_LOG;
  double share = progress->total ? (double)done / (double)progress->total : 0;
  progress->done = done;
  if (now - progress->started < PROGRESS_WAIT || now - progress->shown < every) return;
  if (say_level() == SAY_QUIET || (!is_terminal && say_level() != SAY_VERBOSE)) return;
  progress->shown = now;
  progress->visible = is_terminal;
  if (is_terminal) fputc('\r', hush_stream());
  if (progress->total)
    fprintf(hush_stream(), "%s: %3.0f %% (%.0f s left) ", progress->what, 100.0 * share,
            share > 0 ? (now - progress->started) * (1 - share) / share : 0.0);
  else
    fprintf(hush_stream(), "%s: %llu ", progress->what, (unsigned long long)done);
  if (!is_terminal) fputc('\n', hush_stream());
  fflush(hush_stream());
}

void progress_end(struct progress *progress) {
  if (progress->visible) fputs("\r\033[K", hush_stream());
  progress->visible = 0;
}

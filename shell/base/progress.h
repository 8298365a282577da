/* A progress line on stderr for work that takes more than two seconds. Where stderr is not a terminal: nothing, or with
 * --verbose a line of its own now and then. With --quiet: nothing. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>

struct progress {
  const char *what; /* "training teachers" */
  uint64_t total;   /* 0: not known */
  uint64_t done;
  double started, shown;
  int visible;
};

void progress_start(struct progress *progress, const char *what, uint64_t total);
void progress_step(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress);

#endif

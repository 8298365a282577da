/* A progress line on stderr for work that takes more than two seconds; nothing when stderr is no terminal. */
#ifndef FUMATA_PROGRESS_H
#define FUMATA_PROGRESS_H

#include <stdint.h>

typedef struct {
  const char *what; /* "training teachers" */
  uint64_t total;   /* 0: not known */
  uint64_t done;
  double started, shown;
  int visible;
} fumata_progress;

void fumata_progress_start(fumata_progress *progress, const char *what, uint64_t total);
void fumata_progress_step(fumata_progress *progress, uint64_t done);
void fumata_progress_end(fumata_progress *progress);

#endif

/* A run of `fumata learn`: learn.c, or learn_dry_run.c instead of it. */
#ifndef COMMAND_LEARN_H
#define COMMAND_LEARN_H

#include "command/training.h"
#include "run/results.h"

struct learn {
  struct training training;
  struct learning learning;
  struct session session;
  struct results results;
  int compare, json, dry_run;
};

/* Is the private file none of the public ones? Exit code (error.h). */
int learn_apart(const struct learn *learn);

/* What there is to ask about, and how its columns were read. */
void learn_tell_data(const struct learn *learn);

/* Columns, plan, expectations and time, from public data alone; instead of a run. Exit code (error.h). */
int learn_dry_run(struct learn *learn);

#endif

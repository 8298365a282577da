/* fumata learn: what the command and its --dry-run have in common. */
#ifndef COMMAND_LEARN_H
#define COMMAND_LEARN_H

#include "command/training.h"
#include "run/neighbours.h"
#include "run/results.h"

enum learn_voters { LEARN_NEIGHBOURS, LEARN_TEACHERS };
#define LEARN_OPEN (-1)

struct learn {
  struct training training;
  struct learning learning;
  struct session session;
  struct neighbours neighbours;
  struct results results;
  int voters; /* an enum learn_voters; LEARN_OPEN: not said */
  int compare, json, dry_run;
};

/* Each int is an exit code (error.h). */

/* Refuses a private file that is also the public or the test file. */
int learn_apart(const struct learn *learn);

/* Prints how many public records there are to ask about, and how their columns were read. */
void learn_tell_data(const struct learn *learn);

/* learn_dry.c: columns, plan, what to expect of it and how long it takes. */
int learn_dry_run(struct learn *learn);

#endif

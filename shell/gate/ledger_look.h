/* A ledger to be looked at, not written to; where a process is at work on it, as it is at this moment: a copy in a folder of
 * its own. */
#ifndef GATE_LEDGER_LOOK_H
#define GATE_LEDGER_LOOK_H

#include "gate/ledger.h"

struct ledger_look {
  struct ledger ledger;
  char *folder; /* of the copy; NULL: there is none */
  char *file;
};

/* `milestone` is the digest of a row to look for (ledger.reached), or NULL. Exit code (error.h); shut it even after an error. */
int ledger_look_open(struct ledger_look *look, const char *path, const uint8_t *milestone);
void ledger_look_shut(struct ledger_look *look);

#endif

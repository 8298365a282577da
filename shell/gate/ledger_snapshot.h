/* A ledger that a process is at work on, as it is at this moment: a copy in a folder of its own, to be looked at. */
#ifndef GATE_LEDGER_SNAPSHOT_H
#define GATE_LEDGER_SNAPSHOT_H

struct ledger_snapshot {
  char *folder;
  char *file; /* the copy */
};

/* Is another process at work on it? */
int ledger_snapshot_is_needed(const char *path);

/* Copies the ledger, the rows that are not in it yet, and its mark. Returns an exit code (error.h). */
int ledger_snapshot_take(struct ledger_snapshot *snapshot, const char *path);
void ledger_snapshot_free(struct ledger_snapshot *snapshot);

#endif

/* The files beside a ledger, and the lock that is ours.
 *
 * FILE-key stays beside FILE for its life; only its owner may read it. It is two things:
 *   - the lock. SQLite's locks are the process's: they are gone when anything in it opens FILE and closes it again, be it to copy
 *     it. The lock on FILE-key belongs to the open file alone, so that it holds as long as the ledger is held.
 *   - a secret key of the data set's digest. Whoever has FILE alone cannot try out what is in the private file.
 * FILE-mark is journal.h's and ledger_file.h's; FILE-wal and FILE-journal are SQLite's. */
#ifndef GATE_LEDGER_LOCK_H
#define GATE_LEDGER_LOCK_H

#include "gate/ledger.h"

/* Exit codes (error.h); a failure has printed its line. */

/* Takes the lock, within a second, and reads or makes the key. */
int ledger_lock_take(struct ledger *ledger);

/* Lets go; `remove` takes FILE-key away first. */
void ledger_lock_drop(struct ledger *ledger, int remove);

/* 1: a process holds the lock of the ledger at this path. */
int ledger_lock_is_held(const char *path);

/* Are the files beside it, as far as they are there, plain ones that this program or SQLite wrote? Nothing else is opened,
 * overwritten or removed, wherever its name comes from. */
int ledger_lock_check_beside(const struct ledger *ledger);

/* A ledger that is named by a link is the one that the link leads to. In *real its path, to be freed. */
int ledger_lock_resolve(const char *path, char **real);

/* What ends the names of the files beside a ledger, until NULL. */
extern const char *const ledger_lock_endings[];

#endif

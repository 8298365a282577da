/* The ledger's file: SQLite, its lock, the log and the mark beside it. Knows nothing of what rows mean. */
#ifndef GATE_LEDGER_FILE_H
#define GATE_LEDGER_FILE_H

#include <sys/stat.h>

#include "gate/ledger.h"

/* Exit codes (error.h) unless it says otherwise; a failure has printed its line. */

/* Both print what is wrong: with the file, or what SQLite met (which depends on the disk alone, never on a query). */
int ledger_file_damaged(const struct ledger *ledger, const char *why);
int ledger_file_trouble(const struct ledger *ledger, const char *doing);

/* What can be seen before SQLite touches the file, and, when there is none, whether its companions are there: then it
 * was moved or removed after a crash; a new one in its place would have a full budget, and SQLite would mix it with the
 * old one's rows. */
int ledger_file_look_at(const struct ledger *ledger, const struct stat *seen);
int ledger_file_look_beside(const struct ledger *ledger);

/* Open ledger->file: to fill or look at it, or (seize) with its lock for this process alone. */
int ledger_file_connect(struct ledger *ledger, const char *path);
int ledger_file_seize(struct ledger *ledger, const char *path);

/* What is read from here on is one state of the file. */
int ledger_file_hold(struct ledger *ledger);

/* The tables of a new, empty file. */
int ledger_file_fill(struct ledger *ledger);

/* Version, tables and pages. */
int ledger_file_check(struct ledger *ledger);

/* From arm to close a row costs one sync. Close leaves everything in the file and nothing beside it; what does not succeed
 * there is found and mended by the next open. */
int ledger_file_arm(struct ledger *ledger);
void ledger_file_close(struct ledger *ledger);

/* The mark: number and digest of the last row, in one of two places written in turn: one is whole if the other is torn.
 * Read gives the further of those that are whole. Write and read return 0 or -1, without a word. */
#define LEDGER_MARK 128 /* bytes of a place */
void ledger_file_print_mark(const struct ledger *ledger, char text[LEDGER_MARK + 1]);
int ledger_file_write_mark(const struct ledger *ledger, uint64_t place);
int ledger_file_read_mark(const struct ledger *ledger, char mark[LEDGER_MARK + 1]);

/* To read it; below 0: there is none. */
int ledger_file_open_mark(const struct ledger *ledger);

int ledger_file_has_moved(const struct ledger *ledger); /* 1: the path leads elsewhere by now */

/* 1: the mark on the disk is the last row that this process wrote. Another process that got at the file, whatever became of the
 * locks, has written another. */
int ledger_file_is_ours(const struct ledger *ledger);

/* 0, or -1 with errno. */
int ledger_file_sync(const char *path);
int ledger_file_sync_directory(const char *path); /* the one that `path` is in */

#endif

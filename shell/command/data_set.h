/* The private file as a data set: the ledger beside it, what ties the two, and that no other file is the same one.
 *
 * A path is as the readers take it: FILE, FILE@FIRST:LAST or "-". Parts of one file are one data set. */
#ifndef COMMAND_DATA_SET_H
#define COMMAND_DATA_SET_H

#include "base/digest.h"
#include "ledger/ledger.h"

/* Each returns an exit code (error.h). */

/* FILE.ledger beside the file that the path leads to (through symbolic links, without the range), to be freed. A place
 * where none can be made, and a path that is no plain file, are refused with a line that asks for --ledger. */
int data_set_ledger(const char *path, char **ledger);

/* Is the ledger this file's (ledger_tie)? What is no plain file cannot be read twice: it needs `same` where the ledger
 * belongs to a file. */
int data_set_tie(struct ledger *ledger, const char *path, int same);

/* Adds the records that a path names to a digest: the bytes of its file and of its file of labels, and the range. What is no
 * plain file is refused in the name of `option`: other processes could not read the same. */
int data_set_add(const char *path, const char *option, struct digest *digest);

/* Refuses `other`, given by `option`, if it is the private file: the same file by this or another name or the same bytes,
 * packed or not, with a record in both ranges. Files of labels count too. NULL: there is no such
 * file. */
int data_set_apart(const char *path, const char *other, const char *option);

#endif

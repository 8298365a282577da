/* The private file as a data set: the ledger beside it, and what ties the two. A file is a name, or "-"; parts of one file are
 * one data set. */
#ifndef GATE_DATA_SET_H
#define GATE_DATA_SET_H

#include "gate/ledger.h"

/* Each returns an exit code (error.h). */

/* FILE.ledger beside the file (through symbolic links), to be freed. A place where none can be made, and what is not a plain
 * file, are refused with a line that asks for --ledger. */
int data_set_ledger(const char *file, char **ledger);

/* Is the ledger this file's (ledger_tie)? What is not a plain file cannot be read twice: it needs `same` where the ledger
 * belongs to a file. */
int data_set_tie(struct ledger *ledger, const char *file, int same);

#endif

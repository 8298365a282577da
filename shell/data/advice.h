/* What looks wrong with columns, so that it can be said before anything is spent: from public cells and the headers alone. */
#ifndef DATA_ADVICE_H
#define DATA_ADVICE_H

#include "data/encoding.h"

/* A warning for each kind of trouble, with the columns that have it: decimal commas, ids, free text, dates that could be read two
 * ways, values that differ by case only. `path` is the public file. */
void advice_columns(const char *path, const struct encoding *encoding);

/* A warning for a label, a unit or a class that the public file has under a name that is nearly the same. */
void advice_names(const char *path, const struct encoding *encoding);

/* A warning for columns of the private file's header that the public file lacks. Nothing is read but the header, and that only of a
 * file that can be read again; one that is not what it should be is for others to complain about. */
void advice_unused(const char *path, const char *private_path, const struct encoding *encoding);

#endif

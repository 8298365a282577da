/* How a cell says that its value is not known: by being empty, or by one of the usual spellings, or by one that the
 * operator names. A column with such cells stays what it is. */
#ifndef DATA_MISSING_H
#define DATA_MISSING_H

#include "base/nameset.h"

/* NA, N/A, NaN, NULL, None, ? and their like, as --help lists them. */
#define MISSING_USUAL "NA, N/A, NaN, NULL, None, <NA>, ?, - and ."

/* Adds the usual spellings (`usual`) and those of `list` ("-99,unknown"; NULL: none). Returns an exit code (error.h). */
int missing_state(struct nameset *missing, const char *list, int usual);

#endif

/* How the columns were read, for people: from the public file, a schema or a model, never from private cells. */
#ifndef DATA_COLUMN_REPORT_H
#define DATA_COLUMN_REPORT_H

#include <stdio.h>

#include "data/column.h"

/* Columns listed at most, unless all are asked for. */
#define COLUMN_REPORT_MOST 20

/* One line a column, the first `most` of them, and a last line on the others. */
void column_report_print(FILE *stream, const struct column *column, size_t count, size_t most);

/* A warning for each column that is nearly all numbers and was read as categories because of a few texts. */
void column_report_warn(const char *path, const struct column *column, size_t count);

#endif

/* CSV records (RFC 4180) cut into cells, in place.
 *
 * Commas separate, or another delimiter; a cell in double quotes may hold delimiters, line breaks and doubled quotes;
 * blanks around a cell that is not quoted are dropped; lines end in LF or CRLF; an empty line is passed over, unless there is but one column. */
#ifndef DATA_CSV_H
#define DATA_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "data/lines.h"

#define CSV_COLUMNS_MAX 65536u

/* How a file is written; zeros are the usual way. */
struct csv_style {
  char delimiter; /* 0: a comma */
  int no_header;  /* the first line is a record; columns are called 1, 2, ... */
  char decimal;   /* ',': numbers have a decimal comma; 0: a point */
};

/* A delimiter as an option or a schema gives it: one character, or "tab"; 0 if it is not one. */
char csv_delimiter(const char *text);

struct cell {
  const char *text;
  size_t length;
};

struct csv {
  struct lines *lines;
  char delimiter;
  struct cell *cell; /* the current record */
  size_t cells, capacity;
  size_t expected;    /* cells a record must have; 0: any */
  const char *record; /* the record's own bytes, as they are in the file; only when `keep_record` */
  size_t record_length;
  int keep_record;
  char *copy;
  size_t copy_capacity;
};

void csv_init(struct csv *csv, struct lines *lines, char delimiter);
void csv_free(struct csv *csv);

/* The next record; *more = 0 at the end. Returns an exit code (error.h); a line with another number of cells than expected is
 * an error with *more = 1, since the one after it can still be read. */
int csv_next(struct csv *csv, int *more);

#endif

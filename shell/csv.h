/* CSV records (RFC 4180) cut into cells, in place.
 *
 * Commas separate; a cell in double quotes may hold commas, line breaks and doubled quotes; blanks around a cell that
 * is not quoted are dropped; lines end in LF or CRLF; an empty line is passed over, unless there is but one column. */
#ifndef FUMATA_CSV_H
#define FUMATA_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "lines.h"

#define FUMATA_CSV_COLUMNS_MAX 65536u

typedef struct {
  const char *text;
  size_t length;
} fumata_cell;

typedef struct {
  fumata_lines *lines;
  fumata_cell *cell; /* the current record */
  size_t cells, capacity;
  size_t expected;    /* cells a record must have; 0: any */
  const char *record; /* the record's own bytes, as they are in the file; only when `keep_record` */
  size_t record_length;
  int keep_record;
  char *copy;
  size_t copy_capacity;
} fumata_csv;

void fumata_csv_init(fumata_csv *csv, fumata_lines *lines);
void fumata_csv_free(fumata_csv *csv);

/* The next record; *more = 0 at the end. Returns an exit code (say.h). */
int fumata_csv_next(fumata_csv *csv, int *more);

#endif

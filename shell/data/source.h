/* A data file before any encoding: path, range of records, format, and one record after the other. */
#ifndef DATA_SOURCE_H
#define DATA_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/nameset.h"
#include "data/csv.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/stream.h"

#define SOURCE_ABSENT SIZE_MAX /* instead of a cell's number */

struct source {
  const struct format *format;
  char *file;           /* the path without range and labels */
  char *labels;         /* the file of labels that the path names, or NULL */
  uint64_t first, last; /* records first .. last - 1 count; last = UINT64_MAX: to the end */
  uint64_t at;          /* records passed over or read so far */
  int is_placed;        /* the records before the range were passed over */
  struct stream stream;
  struct lines lines;
  void *state; /* the format's own */

  /* The current record: its own bytes, and the texts of its label and unit, of length 0 where there are none. */
  struct cell record, label, unit;

  /* Of a file with named columns. */
  struct csv csv;
  struct nameset header;
  int has_record;               /* there is no header: the first record is read for its length and still to come */
  size_t label_cell, unit_cell; /* or SOURCE_ABSENT */

  /* Of a file whose header counts its records, all of one size. */
  uint64_t items, numbers; /* how many records, and numbers of each; 0: the header does not say */
  size_t size;             /* bytes of each */
  unsigned char *item;     /* the current one, and room for an int32_t behind it */
  uint32_t rows, columns;  /* pixels of an image, where the header says */
};

/* Opens, finds out the format (unless it is given) and reads the header; `style` is that of a CSV file, NULL the usual
 * one. Returns an exit code (error.h), as all of these; the source must be closed only if that is 0. */
int source_open(struct source *source, const char *path, const struct format *format, const struct csv_style *style);
void source_close(struct source *source);

/* The next record in the range; *more = 0 at its end. An error with *more = 1 is of this record alone: the next can be read. */
int source_next(struct source *source, int *more);

/* The next of the items that a header counts, as a format's `next`. */
int source_next_item(struct source *source, int *more);

/* The cell of the column of that name; there must be one. */
int source_column(const struct source *source, const char *name, size_t *cell);

/* Says that there is no column of that name, who wants it (" in the header", ", which the schema states") and which may be meant.
 * Returns EXIT_INPUT. */
int source_lacks(const struct source *source, const char *name, const char *wanted);

/* What is wrong with a cell of the current record: FILE:LINE:COLUMN (NAME): cause. Returns EXIT_INPUT. */
int source_refuse(const struct source *source, uint64_t line, size_t cell, const char *cause);

/* Where the current record's label stands, for a message. */
#define SOURCE_PLACE (4096 + 128)
const char *source_place(const struct source *source, char text[SOURCE_PLACE]);

/* Cuts FILE,LABELS@FIRST:LAST into its parts: `labels` is NULL where there are none. A file that exists under the whole
 * name, or under the name before the range, is taken by that name. */
int source_range(const char *path, char **file, char **labels, uint64_t *first, uint64_t *last);

#endif

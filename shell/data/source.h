/* A data file before any encoding: path, range of records, format. */
#ifndef DATA_SOURCE_H
#define DATA_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/nameset.h"
#include "data/csv.h"
#include "data/format.h"
#include "data/idx.h"
#include "data/lines.h"
#include "data/npy.h"
#include "data/stream.h"

struct source {
  enum format format;
  char *file;           /* the path without range and labels */
  char *labels;         /* the file of labels that the path names, or NULL */
  uint64_t first, last; /* records first .. last - 1 count; last = UINT64_MAX: to the end */
  uint64_t at;          /* records passed over or read so far */
  int is_placed;        /* the records before the range were passed over */
  struct stream stream;
  struct lines lines;
  struct csv csv;
  struct nameset header; /* CSV: the column names */
  int has_record; /* CSV without a header: the first record was read for its length and is still to be handed out */
  struct idx idx;
  struct npy npy;
};

/* Opens, finds out the format (unless it is given) and reads the header; `style` is that of a CSV file, NULL the usual
 * one. Returns an exit code (error.h) with its line
 * printed; the source must be closed only if that is 0. */
int source_open(struct source *source, const char *path, enum format format, const struct csv_style *style);
void source_close(struct source *source);

/* The next record in its range: CSV into source->csv, LIBSVM as a line (text, length); *more = 0 at the end of the
 * range. Empty LIBSVM lines and remarks are no records. */
int source_next_csv(struct source *source, int *more);
int source_next_line(struct source *source, char **text, size_t *length);

/* CSV: the cell of the column of that name; there must be one. */
int source_column(const struct source *source, const char *name, size_t *cell);

/* idx and .npy: how many items (images, rows) the header counts, bytes of one, and the next one's. */
uint64_t source_items(const struct source *source);
size_t source_item(const struct source *source);
int source_next_item(struct source *source, unsigned char *item, int *more);

/* Cuts FILE,LABELS@FIRST:LAST into its parts: `labels` is NULL where there are none. A file that exists under the whole
 * name, or under the name before the range, is taken by that name. */
int source_range(const char *path, char **file, char **labels, uint64_t *first, uint64_t *last);

#endif

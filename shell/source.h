/* A data file before any encoding: path, range of records, format. */
#ifndef FUMATA_SOURCE_H
#define FUMATA_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "csv.h"
#include "idx.h"
#include "lines.h"
#include "stream.h"
#include "words.h"

typedef enum { FUMATA_FORMAT_AUTO, FUMATA_FORMAT_CSV, FUMATA_FORMAT_LIBSVM, FUMATA_FORMAT_IDX } fumata_format;

typedef struct {
  fumata_format format;
  char *file;           /* the path without the range */
  uint64_t first, last; /* records first .. last - 1 count; last = UINT64_MAX: to the end */
  uint64_t at;          /* records passed over or read so far */
  int is_placed;        /* the records before the range were passed over */
  fumata_stream stream;
  fumata_lines lines;
  fumata_csv csv;
  fumata_words header; /* CSV: the column names */
  fumata_idx idx;
} fumata_source;

const char *fumata_format_name(fumata_format format); /* "CSV", "LIBSVM", "idx" */

/* Opens, finds out the format (unless it is given) and reads the header. Returns an exit code (say.h) with its line
 * printed; the source must be closed only if that is 0. */
int fumata_source_open(fumata_source *source, const char *path, fumata_format format);
void fumata_source_close(fumata_source *source);

/* The next record in its range: CSV into source->csv, LIBSVM as a line (text, length); *more = 0 at the end of the
 * range. Empty LIBSVM lines and remarks are no records. */
int fumata_source_next_csv(fumata_source *source, int *more);
int fumata_source_next_line(fumata_source *source, char **text, size_t *length);

/* idx: the bytes of one image. */
int fumata_source_next_image(fumata_source *source, unsigned char *image, int *more);

/* Cuts FILE@FIRST:LAST into its parts. A file that exists under the whole name is taken by that name. */
int fumata_source_range(const char *path, char **file, uint64_t *first, uint64_t *last);

#endif

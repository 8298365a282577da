/* Records of a file or of standard input, encoded, a batch at a time.
 *
 *   fumata_reader_open(&reader, path, &encoding, &options);
 *   fumata_rows_init(&rows, encoding.columns, encoding.is_dense);
 *   do {
 *     fumata_rows_clear(&rows);                  (leave this out to collect the whole file)
 *     fumata_reader_next(&reader, &rows, 4096);
 *     ... use rows ...
 *   } while (!reader.is_finished);
 *   fumata_reader_close(&reader);
 *
 * A path may end in @FIRST:LAST (records counted from 0, LAST not included, either may be left out), so that one file
 * can serve as private, public and test data: train-images-idx3-ubyte.gz@0:50000. "-" is standard input; gzip is
 * recognised by its first bytes.
 *
 * Errors are one line "FILE:LINE: cause" or "FILE:LINE:COLUMN (NAME): cause". They never repeat a cell's content:
 * the file may be private and terminals are logged. An error in a private file (a wrong cell, a label that was never
 * declared) does depend on the private data; it is seen by the operator, who has the file, and nothing is released
 * before every private file was read to its end. */
#ifndef FUMATA_READER_H
#define FUMATA_READER_H

#include <stddef.h>
#include <stdint.h>

#include "encode.h"
#include "partition.h"
#include "rows.h"
#include "source.h"
#include "stream.h"

typedef enum {
  FUMATA_LABELS_IGNORE,   /* every label is FUMATA_ROWS_UNLABELLED, whatever the file holds */
  FUMATA_LABELS_OPTIONAL, /* read where there is one */
  FUMATA_LABELS_REQUIRE   /* private and test files */
} fumata_labels;

typedef struct {
  fumata_labels labels;
  const char *labels_path;     /* idx only; NULL: "images-idx3" in the path becomes "labels-idx1" */
  fumata_partition *partition; /* fills rows.unit; NULL: zeros */
} fumata_reader_options;

typedef struct {
  int is_finished; /* nothing more will come */
  const fumata_encoding *encoding;
  fumata_reader_options options;
  fumata_source source;
  size_t *place;      /* CSV: for each column of the encoding its cell */
  size_t label, unit; /* CSV: their cells, or SIZE_MAX */
  int has_labels;     /* idx: there is a labels file */
  fumata_stream labels_stream;
  unsigned char *image;
  fumata_rows raw;  /* a block before its transform */
  fumata_rows line; /* one sparse LIBSVM line on its way into dense rows */
} fumata_reader;

/* Each returns an exit code (say.h) with its line printed. `options` NULL: labels ignored, no partition. */
int fumata_reader_open(fumata_reader *reader, const char *path, const fumata_encoding *encoding,
                       const fumata_reader_options *options);

/* Appends up to `max` records to `rows` (columns and layout of the encoding). */
int fumata_reader_next(fumata_reader *reader, fumata_rows *rows, size_t max);
void fumata_reader_close(fumata_reader *reader);

/* The whole file into `rows`, which this initialises. */
int fumata_reader_load(fumata_rows *rows, const char *path, const fumata_encoding *encoding,
                       const fumata_reader_options *options);

#endif

/* Records of a file or of standard input, encoded, a batch at a time.
 *
 *   reader_open(&reader, path, &encoding, &options);
 *   rows_init(&rows, encoding.columns, encoding.is_dense);
 *   do {
 *     rows_clear(&rows);                  (leave this out to collect the whole file)
 *     reader_next(&reader, &rows, 4096);
 *     ... use rows ...
 *   } while (!reader.is_finished);
 *   reader_close(&reader);
 *
 * A path may end in @FIRST:LAST (records counted from 0, LAST not included, either may be left out), so that one file
 * can serve as private, public and test data: train-images-idx3-ubyte.gz@0:50000. Before the range a comma and a second
 * file name the labels of .npy rows and idx images, record by record: x.npy,y.npy@0:50000. "-" is standard input.
 *
 *   idx    one byte each
 *   .npy   one whole number each: shape (n,) or (n, 1)
 *   CSV    the column of --label, or the only one; here --unit may name a column too
 *
 * Errors are one line "FILE:LINE: cause" or "FILE:LINE:COLUMN (NAME): cause". They never repeat a cell's content:
 * the file may be private and terminals are logged. An error in a private file (a wrong cell, a label that was never
 * declared) does depend on the private data; it is seen by the operator, who has the file, and nothing is released
 * before every private file was read to its end. */
#ifndef DATA_READER_H
#define DATA_READER_H

#include <stddef.h>
#include <stdint.h>

#include "data/encoding.h"
#include "data/overlap.h"
#include "data/rows.h"
#include "data/source.h"
#include "data/stream.h"
#include "gate/partition.h"

enum labels {
  LABELS_IGNORE,   /* every label is ROWS_UNLABELLED, whatever the file holds */
  LABELS_OPTIONAL, /* read where there is one */
  LABELS_REQUIRE   /* private and test files */
};

/* Records that could not be read: a cell that is not a number, or not as many cells as columns. */
struct reader_unread {
  uint64_t count;
  int needs_cells;            /* one with another number of cells than columns is an error all the same */
  char first[512], last[512]; /* their error lines */
};

struct reader_options {
  enum labels labels;
  struct partition *partition; /* fills rows.unit; NULL: zeros */
  /* Of a partition among `teachers`, only the records of teachers first .. last - 1 are kept; 0: all. Each record is
   * read and checked all the same. */
  uint32_t teachers, first, last;
  /* Takes such a record in as ROWS_UNREAD, and the reading goes on; NULL: it is an error. A wrong label always is one. */
  struct reader_unread *unread;
  struct overlap *overlap; /* gets the word of each record, kept or not; NULL: none is made */
};

struct reader {
  int is_finished;  /* nothing more will come */
  uint64_t records; /* read so far, kept or not */
  const struct encoding *encoding;
  struct reader_options options;
  struct source source;
  size_t *place;  /* named columns: for each column of the encoding its cell */
  int has_labels; /* there is a file of labels beside the records: its current label and unit are the record's */
  struct source labels;
  struct rows stage[FEATURES_STEPS]; /* a block before each of its steps */
  struct rows line;                  /* one sparse record on its way into dense rows */
};

/* Each returns an exit code (error.h) with its line printed. `options` NULL: labels ignored, no partition. */
int reader_open(struct reader *reader, const char *path, const struct encoding *encoding,
                const struct reader_options *options);

/* Appends up to `max` records to `rows` (columns and layout of the encoding). */
int reader_next(struct reader *reader, struct rows *rows, size_t max);
void reader_close(struct reader *reader);

/* The file of labels that belongs to a file of records by its name, as idx images have one, to be freed; NULL if there is
 * none. */
char *reader_guess(const char *path);

/* The whole file into `rows`, which this initialises. */
int reader_load(struct rows *rows, const char *path, const struct encoding *encoding,
                const struct reader_options *options);

#endif

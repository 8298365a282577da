/* From a record's text to numbers, by public information only: fitted on the public file or read from a schema file.
 *
 * A CSV column becomes
 *   number    2 features: the value scaled so that the public range is 0 .. 1 (beyond it: cut at -1 and 2), and
 *             1 where the cell is empty (the value is then the public mean);
 *   log       the same after sign(x) log(1 + |x|): chosen for columns whose public tail is long;
 *   category  one feature for each category, one for every category that was never seen, one for the empty cell;
 *   skip      nothing.
 * The label and the unit column are no features. LIBSVM values are taken as they are (an index beyond the public
 * file's largest is left out), idx pixels are divided by 255. */
#ifndef DATA_ENCODING_H
#define DATA_ENCODING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/nameset.h"
#include "data/classes.h"
#include "data/csv.h"
#include "data/rows.h"
#include "data/source.h"
#include "data/transform.h"

enum column_kind {
  COLUMN_AUTO, /* not decided yet: the fit decides */
  COLUMN_NUMBER,
  COLUMN_LOG,
  COLUMN_CATEGORY,
  COLUMN_SKIP
};

struct column {
  char *name;
  enum column_kind kind;
  int is_fitted;             /* range or categories are known */
  double low, high, empty;   /* number, log: public range, and the scaled value that stands for an empty cell */
  double offset, scale;      /* derived: the scaled value is (x or its logarithm - offset) * scale */
  struct nameset categories; /* category: in order of their features */
  uint32_t first;            /* its first raw feature */
};

struct encoding {
  enum format format;
  char *label; /* name of the label column (CSV) or NULL */
  char *unit;  /* name of the unit column (CSV) or NULL: every record is its own unit */
  struct classes classes;
  struct nameset missing; /* further spellings of the empty cell */
  size_t column_count;    /* CSV */
  struct column *column;
  uint32_t raw_columns; /* features before the transform */
  int raw_is_dense;
  struct transform transform; /* raw, standard or pca, fitted */
  uint32_t columns;           /* features of an encoded row */
  int is_dense;
};

/* What the command line says. NULL or 0: not said. */
struct encoding_request {
  const char *public_path; /* scaling, categories and projections are learned here */
  const char *schema_path; /* what it states is taken as it is; the rest is learned from the public file */
  enum format format;
  const char *label;    /* label column */
  const char *unit;     /* unit column */
  const char *classes;  /* "no,yes|true" */
  const char *features; /* "raw", "standard", "pca:N"; NULL: raw */
};

/* Learns or reads all that the request asks for (encoding_fit.c). These return an exit code (error.h) with their line printed; the
 * encoding is then empty. Whether there are enough classes is for the command to ask: classes.count. */
int encoding_make(struct encoding *encoding, const struct encoding_request *request);

/* As part of a model file: exact, so that load gives back what was saved. Load reads up to the line "end". */
int encoding_save(const struct encoding *encoding, FILE *stream);
int encoding_load(struct encoding *encoding, FILE *stream, const char *path);

void encoding_init(struct encoding *encoding);
void encoding_free(struct encoding *encoding);

/* Numbers the features once kinds, ranges and categories are known. `where` starts the error line. */
int encoding_layout(struct encoding *encoding, const char *where);

/* Encodes the cells of one CSV record (column c of the encoding is cell[place[c]]) and adds the row, before the
 * transform; the rows must have room for it and for encoding_room() entries. Returns NULL, or what is wrong
 * with column *fault. */
const char *encoding_cells(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                           struct rows *rows, int32_t label, uint64_t unit, uint64_t line, size_t *fault);
size_t encoding_room(const struct encoding *encoding);
int encoding_is_missing(const struct encoding *encoding, const char *text, size_t length);

#endif

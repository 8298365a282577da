/* From a record's text to numbers, by public information only: fitted on the public file or read from a schema file.
 *
 * What a CSV column becomes stands in column.h; the label and the unit column are not features. LIBSVM values are taken
 * as they are (an index beyond the public file's largest is left out), those of .npy too; idx pixels are divided by
 * 255. */
#ifndef DATA_ENCODING_H
#define DATA_ENCODING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/nameset.h"
#include "data/classes.h"
#include "data/column.h"
#include "data/csv.h"
#include "data/features.h"
#include "data/format.h"
#include "data/rows.h"

/* Share of non-zeros from which rows are stored dense: an entry then takes half the bytes and is read in vectors. A CSV
 * column counts as one non-zero; the entries of LIBSVM files are counted one by one. */
#define ENCODING_DENSE_CSV    0.25
#define ENCODING_DENSE_LIBSVM 0.3

struct encoding {
  const struct format *format; /* NULL: not known yet */
  char *label;                 /* name of the label column (CSV) or NULL */
  char *unit;                  /* name of the unit column (CSV) or NULL: every record is its own unit */
  struct classes classes;
  struct nameset missing; /* further spellings of the empty cell */
  int misses_number; /* derived: one of them is a number, or a comma stands for the point: no quick look is enough */
  struct csv_style style;
  size_t column_count; /* CSV */
  struct column *column;
  uint32_t raw_columns; /* numbers of a record before the steps */
  int raw_is_dense;
  struct features features;
  uint32_t columns; /* features of an encoded row */
  int is_dense;
};

/* The usual spellings of a missing cell, as --help lists them. */
#define ENCODING_MISSING "NA, N/A, NaN, NULL, None, <NA>, ?, - and ."

/* What the command line says. NULL or 0: not said. */
struct encoding_request {
  const char *public_path; /* scaling, categories and projections are learned here */
  const char *schema_path; /* what it states is taken as it is; the rest is learned from the public file */
  const char *label;       /* label column */
  const char *unit;        /* unit column */
  const char *classes;     /* "no,yes|true" */
  const char *
      features; /* as features.h says; NULL: standard where most columns are numbers, else raw; with a schema as that says */
  const char *skip;    /* columns that are left out, "id,note" */
  const char *missing; /* further spellings of the empty cell, "-99,unknown" */
  int missing_only;    /* without the usual ones */
  struct csv_style style;
};

/* Learns or reads all that the request asks for. These return an exit code (error.h); the encoding is
 * empty after an error. Whether there are enough classes is for the command to ask: classes.count. */
int encoding_make(struct encoding *encoding, const struct encoding_request *request);

/* As part of a model file: exactly what schema_write has written there, up to the line "end". */
int encoding_load(struct encoding *encoding, FILE *stream, const char *path);

/* From now on numbers have a comma, or a point, before their fraction. */
void encoding_decimal(struct encoding *encoding, char decimal);

void encoding_init(struct encoding *encoding);
void encoding_free(struct encoding *encoding);

/* What feature j of an encoded row is called, as a text to be freed: "age", "age is missing", "ward = north", "ward is
 * another", or, where a step mixes the columns, "component 3" (pca) or "feature 3"; counted from 1. */
int encoding_feature_name(const struct encoding *encoding, uint32_t j, char **name);

/* Is this the label's or the unit's column, and so not a feature? */
int encoding_is_apart(const struct encoding *encoding, const char *name);

/* Asked for every cell. */
static inline int encoding_is_missing(const struct encoding *encoding, const char *text, size_t length) {
  return length == 0 || nameset_find(&encoding->missing, text, length) != NAMESET_NONE;
}

#endif

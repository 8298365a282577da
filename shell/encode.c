#include "encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "say.h"
#include "schema.h"

#define FUMATA_ENCODE_LOWEST  (-1.0) /* a value far outside the public range counts as this far outside */
#define FUMATA_ENCODE_HIGHEST 2.0
#define FUMATA_ENCODE_DENSE   0.25 /* share of non-zeros from which rows are stored dense */

void fumata_encoding_init(fumata_encoding *encoding) {
  memset(encoding, 0, sizeof *encoding);
}

void fumata_encoding_free(fumata_encoding *encoding) {
  size_t i;
  for (i = 0; i < encoding->column_count; i++) {
    free(encoding->column[i].name);
    fumata_words_free(&encoding->column[i].categories);
  }
  free(encoding->column);
  free(encoding->label);
  free(encoding->unit);
  fumata_classes_free(&encoding->classes);
  fumata_words_free(&encoding->missing);
  fumata_transform_free(&encoding->transform);
  fumata_encoding_init(encoding);
}

static double fumata_encoding_log(double x) {
  return x < 0 ? -log1p(-x) : log1p(x);
}

/* Features that a column becomes. */
static uint64_t fumata_encoding_width(const fumata_column *column) {
  switch (column->kind) {
  case FUMATA_COLUMN_NUMBER:
  case FUMATA_COLUMN_LOG:
    return 2;
  case FUMATA_COLUMN_CATEGORY:
    return (uint64_t)column->categories.count + 2;
  case FUMATA_COLUMN_AUTO:
  case FUMATA_COLUMN_SKIP:
    break;
  }
  return 0;
}

int fumata_encoding_layout(fumata_encoding *encoding, const char *where) {
  uint64_t total = 0;
  size_t i, used = 0;
  if (encoding->format == FUMATA_FORMAT_CSV) {
    for (i = 0; i < encoding->column_count; i++) {
      fumata_column *column = &encoding->column[i];
      column->first = (uint32_t)total;
      total += fumata_encoding_width(column);
      used += fumata_encoding_width(column) > 0;
      if (total > FUMATA_ROWS_COLUMNS_MAX) break;
      if (column->kind == FUMATA_COLUMN_NUMBER || column->kind == FUMATA_COLUMN_LOG) {
        double low = column->kind == FUMATA_COLUMN_LOG ? fumata_encoding_log(column->low) : column->low;
        double high = column->kind == FUMATA_COLUMN_LOG ? fumata_encoding_log(column->high) : column->high;
        column->offset = low;
        column->scale = high > low ? 1 / (high - low) : 0; /* constant in public: tells nothing */
        if (!isfinite(column->scale)) column->scale = 0;
      }
    }
    encoding->raw_columns = (uint32_t)total;
    encoding->raw_is_dense = (double)used >= FUMATA_ENCODE_DENSE * (double)total;
  } else {
    total = encoding->raw_columns;
  }
  if (total == 0) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: no feature columns", where);
  if (total > FUMATA_ROWS_COLUMNS_MAX)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: more than %u features", where, FUMATA_ROWS_COLUMNS_MAX);
  encoding->columns = encoding->raw_columns;
  encoding->is_dense = encoding->raw_is_dense;
  if (encoding->transform.kind != FUMATA_TRANSFORM_RAW) {
    encoding->columns = encoding->transform.outputs;
    encoding->is_dense = 1;
  }
  return FUMATA_EXIT_OK;
}

int fumata_encoding_is_missing(const fumata_encoding *encoding, const char *text, size_t length) {
  return length == 0 ||
         (encoding->missing.count && fumata_words_find(&encoding->missing, text, length) != FUMATA_WORDS_NONE);
}

size_t fumata_encoding_room(const fumata_encoding *encoding) {
  return 2 * encoding->column_count + 1;
}

/* The entries of one cell: at most two. Returns their number, or -1 with *cause. */
static int fumata_encoding_cell(const fumata_encoding *encoding, const fumata_column *column, const fumata_cell *cell,
                                uint32_t *index, float *value, const char **cause) {
  int is_missing = fumata_encoding_is_missing(encoding, cell->text, cell->length);
  double x;
  if (column->kind == FUMATA_COLUMN_CATEGORY) {
    uint32_t n = column->categories.count, found = n + 1;
    if (!is_missing) found = fumata_words_find(&column->categories, cell->text, cell->length);
    index[0] = column->first + (found == FUMATA_WORDS_NONE ? n : found);
    value[0] = 1;
    return 1;
  }
  index[0] = column->first;
  index[1] = column->first + 1;
  value[1] = 1;
  if (is_missing) {
    value[0] = (float)column->empty;
    return 2;
  }
  switch (fumata_number_parse(cell->text, cell->length, &x)) {
  case FUMATA_NUMBER_OK:
    break;
  case FUMATA_NUMBER_NONE:
    *cause = "the cell is not a number";
    return -1;
  case FUMATA_NUMBER_NOT_FINITE:
    *cause = "the cell is not a finite number";
    return -1;
  }
  if (column->kind == FUMATA_COLUMN_LOG) x = fumata_encoding_log(x);
  x = (x - column->offset) * column->scale;
  if (!(x > FUMATA_ENCODE_LOWEST)) x = FUMATA_ENCODE_LOWEST;
  if (x > FUMATA_ENCODE_HIGHEST) x = FUMATA_ENCODE_HIGHEST;
  value[0] = (float)x;
  return 1;
}

const char *fumata_encoding_cells(const fumata_encoding *encoding, const fumata_cell *cell, const size_t *place,
                                  fumata_rows *rows, int32_t label, uint64_t unit, uint64_t line, size_t *fault) {
  float *dense = rows->is_dense ? fumata_rows_push_dense(rows, label, unit, line) : NULL;
  size_t end = rows->is_dense ? 0 : rows->start[rows->count], c;
  for (c = 0; c < encoding->column_count; c++) {
    const fumata_column *column = &encoding->column[c];
    const char *cause;
    uint32_t index[2];
    float value[2];
    int n, e;
    if (column->kind == FUMATA_COLUMN_SKIP) continue;
    n = fumata_encoding_cell(encoding, column, &cell[place[c]], index, value, &cause);
    if (n < 0) {
      *fault = c;
      if (dense) rows->count--;
      return cause;
    }
    for (e = 0; e < n; e++) {
      if (dense) {
        dense[index[e]] = value[e];
      } else if (value[e] != 0) {
        rows->index[end] = index[e];
        rows->value[end++] = value[e];
      }
    }
  }
  if (!dense) fumata_rows_push_sparse(rows, end, label, unit, line);
  return NULL;
}

int fumata_encoding_save(const fumata_encoding *encoding, FILE *stream) {
  return fumata_schema_write(encoding, stream);
}

int fumata_encoding_load(fumata_encoding *encoding, FILE *stream, const char *path) {
  size_t i;
  int code = fumata_schema_read(encoding, stream, path, 1);
  if (code != FUMATA_EXIT_OK) return code;
  for (i = 0; i < encoding->column_count && code == FUMATA_EXIT_OK; i++)
    if (encoding->column[i].kind != FUMATA_COLUMN_SKIP && !encoding->column[i].is_fitted)
      code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: a column without range or categories", path);
  if (code == FUMATA_EXIT_OK && encoding->format == FUMATA_FORMAT_AUTO)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: no format", path);
  if (code == FUMATA_EXIT_OK) code = fumata_encoding_layout(encoding, path);
  if (code == FUMATA_EXIT_OK && encoding->transform.kind != FUMATA_TRANSFORM_RAW &&
      (!encoding->transform.mean || encoding->transform.inputs != encoding->raw_columns))
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: %u map lines for %u features", path, encoding->transform.inputs,
                            encoding->raw_columns);
  if (code != FUMATA_EXIT_OK) fumata_encoding_free(encoding);
  return code;
}

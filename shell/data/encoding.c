#include "data/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "data/schema.h"

#define ENCODING_LOWEST  (-1.0) /* a value far outside the public range counts as this far outside */
#define ENCODING_HIGHEST 2.0
#define ENCODING_DENSE   0.25 /* share of non-zeros from which rows are stored dense */

void encoding_init(struct encoding *encoding) {
  memset(encoding, 0, sizeof *encoding);
}

void encoding_free(struct encoding *encoding) {
  size_t i;
  for (i = 0; i < encoding->column_count; i++) {
    free(encoding->column[i].name);
    nameset_free(&encoding->column[i].categories);
  }
  free(encoding->column);
  free(encoding->label);
  free(encoding->unit);
  classes_free(&encoding->classes);
  nameset_free(&encoding->missing);
  transform_free(&encoding->transform);
  encoding_init(encoding);
}

static double encoding_log(double x) {
  return x < 0 ? -log1p(-x) : log1p(x);
}

/* Features that a column becomes. */
static uint64_t encoding_width(const struct column *column) {
  switch (column->kind) {
  case COLUMN_NUMBER:
  case COLUMN_LOG:
    return 2;
  case COLUMN_CATEGORY:
    return (uint64_t)column->categories.count + 2;
  case COLUMN_AUTO:
  case COLUMN_SKIP:
    break;
  }
  return 0;
}

int encoding_layout(struct encoding *encoding, const char *where) {
  uint64_t total = 0;
  size_t i, used = 0;
  if (encoding->format == FORMAT_CSV) {
    for (i = 0; i < encoding->column_count; i++) {
      struct column *column = &encoding->column[i];
      column->first = (uint32_t)total;
      total += encoding_width(column);
      used += encoding_width(column) > 0;
      if (total > ROWS_COLUMNS_MAX) break;
      if (column->kind == COLUMN_NUMBER || column->kind == COLUMN_LOG) {
        double low = column->kind == COLUMN_LOG ? encoding_log(column->low) : column->low;
        double high = column->kind == COLUMN_LOG ? encoding_log(column->high) : column->high;
        column->offset = low;
        column->scale = high > low ? 1 / (high - low) : 0; /* constant in public: tells nothing */
        if (!isfinite(column->scale)) column->scale = 0;
      }
    }
    encoding->raw_columns = (uint32_t)total;
    encoding->raw_is_dense = (double)used >= ENCODING_DENSE * (double)total;
  } else {
    total = encoding->raw_columns;
  }
  if (total == 0) return error_report(EXIT_INPUT, "%s: no feature columns", where);
  if (total > ROWS_COLUMNS_MAX) return error_report(EXIT_INPUT, "%s: more than %u features", where, ROWS_COLUMNS_MAX);
  encoding->columns = encoding->raw_columns;
  encoding->is_dense = encoding->raw_is_dense;
  if (encoding->transform.kind != TRANSFORM_RAW) {
    encoding->columns = encoding->transform.outputs;
    encoding->is_dense = 1;
  }
  return EXIT_OK;
}

int encoding_is_missing(const struct encoding *encoding, const char *text, size_t length) {
  return length == 0 || (encoding->missing.count && nameset_find(&encoding->missing, text, length) != NAMESET_NONE);
}

size_t encoding_room(const struct encoding *encoding) {
  return 2 * encoding->column_count + 1;
}

/* The entries of one cell: at most two. Returns their number, or -1 with *cause. */
static int encoding_cell(const struct encoding *encoding, const struct column *column, const struct cell *cell,
                         uint32_t *index, float *value, const char **cause) {
  int is_missing = encoding_is_missing(encoding, cell->text, cell->length);
  double x;
  if (column->kind == COLUMN_CATEGORY) {
    uint32_t n = column->categories.count, found = n + 1;
    if (!is_missing) found = nameset_find(&column->categories, cell->text, cell->length);
    index[0] = column->first + (found == NAMESET_NONE ? n : found);
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
  switch (number_parse(cell->text, cell->length, &x)) {
  case NUMBER_OK:
    break;
  case NUMBER_NONE:
    *cause = "the cell is not a number";
    return -1;
  case NUMBER_NOT_FINITE:
    *cause = "the cell is not a finite number";
    return -1;
  }
  if (column->kind == COLUMN_LOG) x = encoding_log(x);
  x = (x - column->offset) * column->scale;
  if (!(x > ENCODING_LOWEST)) x = ENCODING_LOWEST;
  if (x > ENCODING_HIGHEST) x = ENCODING_HIGHEST;
  value[0] = (float)x;
  return 1;
}

const char *encoding_cells(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                           struct rows *rows, int32_t label, uint64_t unit, uint64_t line, size_t *fault) {
  float *dense = rows->is_dense ? rows_push_dense(rows, label, unit, line) : NULL;
  size_t end = rows->is_dense ? 0 : rows->start[rows->count], c;
  for (c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    const char *cause;
    uint32_t index[2];
    float value[2];
    int n, e;
    if (column->kind == COLUMN_SKIP) continue;
    n = encoding_cell(encoding, column, &cell[place[c]], index, value, &cause);
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
  if (!dense) rows_push_sparse(rows, end, label, unit, line);
  return NULL;
}

int encoding_save(const struct encoding *encoding, FILE *stream) {
  return schema_write(encoding, stream);
}

int encoding_load(struct encoding *encoding, FILE *stream, const char *path) {
  size_t i;
  int code = schema_read(encoding, stream, path, 1);
  if (code != EXIT_OK) return code;
  for (i = 0; i < encoding->column_count && code == EXIT_OK; i++)
    if (encoding->column[i].kind != COLUMN_SKIP && !encoding->column[i].is_fitted)
      code = error_report(EXIT_INPUT, "%s: a column without range or categories", path);
  if (code == EXIT_OK && encoding->format == FORMAT_AUTO) code = error_report(EXIT_INPUT, "%s: no format", path);
  if (code == EXIT_OK) code = encoding_layout(encoding, path);
  if (code == EXIT_OK && encoding->transform.kind != TRANSFORM_RAW &&
      (!encoding->transform.mean || encoding->transform.inputs != encoding->raw_columns))
    code = error_report(EXIT_INPUT, "%s: %u map lines for %u features", path, encoding->transform.inputs,
                        encoding->raw_columns);
  if (code != EXIT_OK) encoding_free(encoding);
  return code;
}

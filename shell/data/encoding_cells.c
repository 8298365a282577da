#include "data/encoding_cells.h"

#include "base/nameset.h"
#include "base/number.h"

/* What an unusual cell of a number column becomes. */
struct encoding_cells_number {
  float value;
  int is_missing; /* the next feature is 1 */
};

size_t encoding_cells_room(const struct encoding *encoding) {
  return 2 * encoding->column_count + 1;
}

/* The feature that a cell of a category column sets. */
static inline uint32_t encoding_cells_category(const struct encoding *encoding, const struct column *column,
                                               const struct cell *cell) {
  uint32_t found = nameset_amid(&column->categories, cell->text, cell->length), unseen = column->categories.count;
  if (found != NAMESET_NONE && !column->misses_category) return column->first + found;
  if (encoding_is_missing(encoding, cell->text, cell->length)) return column->first + unseen + 1;
  return column->first + (found == NAMESET_NONE ? unseen : found);
}

/* The value of a usual number: not long, without an exponent and not missing. Returns 0 if the cell is something else. */
static inline int encoding_cells_usual(const struct encoding *encoding, const struct column *column,
                                       const struct cell *cell, float *value) {
  double x;
  if (encoding->misses_number || !number_amid(cell->text, cell->length, &x)) return 0;
  *value = column_scaled(column, x);
  return 1;
}

/* Any other cell of a number column. Returns NULL, or what is wrong with it. */
static const char *encoding_cells_unusual(const struct encoding *encoding, const struct column *column,
                                          const struct cell *cell, struct encoding_cells_number *number) {
  double x;
  number->is_missing = encoding_is_missing(encoding, cell->text, cell->length);
  number->value = (float)column->empty;
  if (number->is_missing) return NULL;
  switch (number_parse(cell->text, cell->length, &x)) {
  case NUMBER_OK:
    number->value = column_scaled(column, x);
    return NULL;
  case NUMBER_NOT_FINITE:
    return "the cell is not a finite number";
  default:
    return "the cell is not a number";
  }
}

static const char *encoding_cells_dense(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                                        float *row, size_t *fault) {
  const struct column *column = encoding->column, *end = column + encoding->column_count;
  for (; column < end; column++, place++) {
    const struct cell *from = &cell[*place];
    struct encoding_cells_number number;
    if (column->kind == COLUMN_SKIP) continue;
    if (column->kind == COLUMN_CATEGORY) {
      row[encoding_cells_category(encoding, column, from)] = 1;
    } else if (!encoding_cells_usual(encoding, column, from, &row[column->first])) {
      const char *cause = encoding_cells_unusual(encoding, column, from, &number);
      if (cause) return *fault = (size_t)(column - encoding->column), cause;
      row[column->first] = number.value;
      row[column->first + 1] = (float)number.is_missing;
    }
  }
  return NULL;
}

/* Into index[] and value[], without zeros; *count of them. */
static const char *encoding_cells_sparse(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                                         uint32_t *index, float *value, size_t *count, size_t *fault) {
  size_t used = 0;
  const struct column *column = encoding->column, *end = column + encoding->column_count;
  for (; column < end; column++, place++) {
    const struct cell *from = &cell[*place];
    struct encoding_cells_number number = {0, 0};
    if (column->kind == COLUMN_SKIP) continue;
    if (column->kind == COLUMN_CATEGORY) {
      index[used] = encoding_cells_category(encoding, column, from);
      value[used++] = 1;
      continue;
    }
    if (!encoding_cells_usual(encoding, column, from, &number.value)) {
      const char *cause = encoding_cells_unusual(encoding, column, from, &number);
      if (cause) return *fault = (size_t)(column - encoding->column), cause;
    }
    index[used] = column->first;
    value[used] = number.value;
    used += number.value != 0;
    if (!number.is_missing) continue;
    index[used] = column->first + 1;
    value[used++] = 1;
  }
  *count = used;
  return NULL;
}

const char *encoding_cells(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                           struct rows *rows, int32_t label, uint64_t unit, uint64_t line, size_t *fault) {
  const char *cause;
  size_t end, count;
  if (rows->is_dense) {
    cause = encoding_cells_dense(encoding, cell, place, rows_push_dense(rows, label, unit, line), fault);
    if (cause) rows->count--;
    return cause;
  }
  end = rows->start[rows->count];
  cause = encoding_cells_sparse(encoding, cell, place, rows->index + end, rows->value + end, &count, fault);
  if (!cause) rows_push_sparse(rows, end + count, label, unit, line);
  return cause;
}

#include "data/column.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"

#define COLUMN_LOWEST  (-1.0) /* a value far outside the public range counts as this far outside */
#define COLUMN_HIGHEST 2.0

_Static_assert(LINES_SLACK >= NUMBER_AHEAD, "a cell may end where its line does");

void column_free(struct column *column) {
  free(column->name);
  free(column->seen.text);
  nameset_free(&column->categories);
}

int column_is_numeric(const struct column *column) {
  return column->kind == COLUMN_NUMBER || column->kind == COLUMN_LOG;
}

int column_is_open(const struct column *column) {
  return column->kind != COLUMN_SKIP && !column->is_fitted;
}

double column_log(double x) {
  return x < 0 ? -log1p(-x) : log1p(x);
}

uint32_t column_width(const struct column *column) {
  if (column_is_numeric(column)) return 2;
  return column->kind == COLUMN_CATEGORY ? column->categories.count + 2 : 0;
}

void column_prepare(struct column *column) {
  double low = column->kind == COLUMN_LOG ? column_log(column->low) : column->low;
  double high = column->kind == COLUMN_LOG ? column_log(column->high) : column->high;
  column->offset = low;
  column->scale = high > low ? 1 / (high - low) : 0; /* constant in public: tells nothing */
  if (!isfinite(column->scale)) column->scale = 0;
}

static float column_scaled(const struct column *column, double x) {
  if (column->kind == COLUMN_LOG) x = column_log(x);
  x = (x - column->offset) * column->scale;
  if (!(x > COLUMN_LOWEST)) x = COLUMN_LOWEST;
  if (x > COLUMN_HIGHEST) x = COLUMN_HIGHEST;
  return (float)x;
}

int column_encode(const struct column *column, const struct cell *cell, int is_missing, uint32_t *index, float *value,
                  const char **cause) {
  enum number_status status;
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
  status = number_parse_ahead(cell->text, cell->length, &x);
  if (status == NUMBER_OK) {
    value[0] = column_scaled(column, x);
    return 1;
  }
  *cause = status == NUMBER_NONE ? "the cell is not a number" : "the cell is not a finite number";
  return -1;
}

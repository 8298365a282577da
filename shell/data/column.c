#include "data/column.h"

#include <math.h>
#include <stdlib.h>

#define COLUMN_SLACK 0x1p-45 /* far more than log and log1p are wrong by, far less than a float shows */

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
  if (x == 0) return x; /* what log1p says, and what such columns are full of */
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

/* log is quicker than log1p. A value that is the same for a little more and a little less is right, since each step from the
 * logarithm on is monotone; zero is left out, because it has two signs. */
float column_scaled_log(const struct column *column, double x) {
  if (x >= 1) {
    double logarithm = log(1 + x), slack = logarithm * COLUMN_SLACK;
    float low = column_place(column, logarithm - slack), high = column_place(column, logarithm + slack);
    if (low == high && low != 0) return low;
  }
  return column_place(column, column_log(x));
}

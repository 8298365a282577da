/* A CSV column and the features that it becomes:
 *   number    2 features: the value scaled so that the public range is 0 .. 1 (beyond it: cut at -1 and 2), and
 *             1 where the cell is missing (the value is then the public mean);
 *   log       the same after sign(x) log(1 + |x|): chosen for columns whose public tail is long;
 *   category  one feature for each category, one for every category that was never seen, one for the missing cell;
 *   skip      nothing. */
#ifndef DATA_COLUMN_H
#define DATA_COLUMN_H

#include <stdint.h>

#include "base/nameset.h"
#include "data/csv.h"

#define COLUMN_LOWEST  (-1.0) /* a value far outside the public range counts as this far outside */
#define COLUMN_HIGHEST 2.0

enum column_kind {
  COLUMN_AUTO, /* not decided yet: the fit decides */
  COLUMN_NUMBER,
  COLUMN_LOG,
  COLUMN_CATEGORY,
  COLUMN_SKIP
};

/* What the public file showed; zeros where the column was stated or comes from a model. */
struct column_seen {
  uint64_t numbers, texts, missing;
  uint32_t distinct;
  char *text; /* the first cell that is neither number nor missing, and its line */
  uint64_t text_line;
};

struct column {
  char *name;
  enum column_kind kind;
  int is_fitted;             /* range or categories are known */
  double low, high, empty;   /* number, log: public range, and the scaled value that stands for an empty cell */
  double offset, scale;      /* derived: the scaled value is (x or its logarithm - offset) * scale */
  struct nameset categories; /* category: in order of their features */
  int misses_category;       /* derived: one of them is a spelling of the missing cell */
  uint32_t first;            /* its first raw feature */
  struct column_seen seen;
};

void column_free(struct column *column);

/* Is it a number or a logarithm? */
int column_is_numeric(const struct column *column);

/* Does the public file have to tell its range or categories? */
int column_is_open(const struct column *column);

/* sign(x) log(1 + |x|) */
double column_log(double x);

/* How many features the column becomes. */
uint32_t column_width(const struct column *column);

/* Derives offset and scale from the range. */
void column_prepare(struct column *column);

/* The value of a number in a feature, once its logarithm was taken where the column wants it. Inline, because it is asked for
 * every cell of a file. */
static inline float column_place(const struct column *column, double x) {
  x = (x - column->offset) * column->scale;
  x = x > COLUMN_LOWEST ? x : COLUMN_LOWEST; /* so is what is not a number at all */
  return (float)(x < COLUMN_HIGHEST ? x : COLUMN_HIGHEST);
}

/* The value of a number in a feature: for a logarithm column_place(column, column_log(x)), to the last bit. */
float column_scaled_log(const struct column *column, double x);
static inline float column_scaled(const struct column *column, double x) {
  return column->kind == COLUMN_LOG ? column_scaled_log(column, x) : column_place(column, x);
}

#endif

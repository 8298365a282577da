/* A CSV column and the features that it becomes:
 *   number    2 features: the value scaled so that the public range is 0 .. 1 (beyond it: cut at -1 and 2), and
 *             1 where the cell is missing (the value is then the public mean);
 *   log       the same after sign(x) log(1 + |x|): chosen for columns whose public tail is long;
 *   date      5 features: when it was, scaled as a number is, month (0 .. 1), weekday (Monday 0 .. Sunday 1), time of day
 *             (0 .. 1), and 1 where the cell is missing (then the public mean, 0.5, 0.5 and 0);
 *   category  one feature for each category, one for every category that was never seen, one for the missing cell;
 *   skip      nothing. */
#ifndef DATA_COLUMN_H
#define DATA_COLUMN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/nameset.h"
#include "data/date.h"

#define COLUMN_LOWEST     (-1.0) /* a value far outside the public range counts as this far outside */
#define COLUMN_HIGHEST    2.0
#define COLUMN_DATE_WIDTH 5u

enum column_kind {
  COLUMN_AUTO, /* not decided yet: the fit decides */
  COLUMN_NUMBER,
  COLUMN_LOG,
  COLUMN_CATEGORY,
  COLUMN_SKIP,
  COLUMN_DATE
};

/* What the public file showed; zeros where the column was stated or comes from a model. */
struct column_seen {
  uint64_t numbers, texts, missing;
  uint64_t commas, dates; /* of the texts: numbers with a decimal comma, and dates in the order that fits best */
  uint64_t rare;          /* cells that count as one value because theirs is rare */
  uint32_t distinct;
  int is_crowded, is_whole, is_rising; /* more different texts than were counted; whole numbers; each above the last */
  int is_either_order;                 /* a date that could have the day first or the month */
  char *text;                          /* the first cell that is neither number nor missing, and its line */
  uint64_t text_line;
};

struct column {
  char *name;
  enum column_kind kind;
  int is_asked;              /* the command line names it: it must be there */
  int is_fitted;             /* range or categories are known */
  enum date_order order;     /* date */
  double low, high, empty;   /* number, log, date: public range, and the scaled value that stands for an empty cell */
  double offset, scale;      /* derived: the scaled value is (x or its logarithm - offset) * scale */
  struct nameset categories; /* category: in order of their features */
  int misses_category;       /* derived: one of them is a spelling of the missing cell */
  uint32_t first;            /* its first raw feature */
  struct column_seen seen;
};

void column_free(struct column *column);

/* Is it a number or a logarithm? And has it a range, as these and dates have? */
int column_is_numeric(const struct column *column);
int column_has_range(const struct column *column);

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

/* The first four features of a date. */
void column_place_date(const struct column *column, const struct date *date, float feature[4]);

/* ---- how a public column looks, cell by cell, and what it is therefore encoded as ---- */

/* A survey of nothing yet is all zeros; `distinct` is for the caller to free. */
struct column_survey {
  char decimal; /* as csv_style has it */
  uint64_t numbers, texts, missing;
  uint64_t first_text; /* line of the first cell that is neither number nor missing, and which text it is */
  uint32_t first_text_number;
  uint64_t not_finite; /* line of the first nan or inf, 0: none */
  uint64_t commas;     /* texts that are numbers with a decimal comma */
  struct column_survey_dates {
    uint64_t count;
    double low, high, sum; /* days */
  } dates[DATE_ORDERS];    /* texts that are dates in that order */
  uint64_t first_odd;      /* as first_text, of a text that is not a date */
  uint32_t first_odd_number;
  int has_points; /* some of these are written with points, as the day comes first then */
  int has_fractions;
  int has_fallen; /* a number was not above the last one */
  double last;
  int is_crowded;                       /* there are more different texts than are remembered */
  double low, high, sum, squares, logs; /* of the numbers */
  struct nameset distinct;              /* the different texts, with how often each came */
};

/* Looks at one cell that is not empty. Returns an exit code (error.h). */
int column_survey_add(struct column_survey *survey, const char *text, size_t length, uint64_t line);

/* Decides the column's kind (unless it was stated) and its range or categories. */
int column_survey_decide(struct column_survey *survey, struct column *column);

/* ---- how columns were read, for people: from the public file, a schema or a model, never from private cells ---- */

/* Columns listed at most, unless all are asked for. */
#define COLUMN_LISTED 20

/* One line a column, the first `most` of them, and a last line on the others. */
void column_print(FILE *stream, const struct column *column, size_t count, size_t most);

/* A warning for each column that is nearly all numbers and was read as categories because of a few texts. */
void column_warn(const char *path, const struct column *column, size_t count);

#endif

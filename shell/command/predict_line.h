/* How `fumata predict` writes a label: `id,label`, or with probabilities, with the record's own columns, or as JSON. */
#ifndef COMMAND_PREDICT_LINE_H
#define COMMAND_PREDICT_LINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/nameset.h"
#include "data/classes.h"

struct predict_line {
  const struct classes *classes;
  int with_columns, json;
  char delimiter; /* of the record's own columns; a comma otherwise */
};

/* What is said of one record. */
struct predict_said {
  uint64_t id;
  uint32_t label;
  const float *share; /* one a class; NULL: not asked for */
  const char *record; /* with_columns: its bytes */
  size_t length;
};

/* The header; `columns` are those of the file (with_columns). Nothing for JSON. */
void predict_line_header(const struct predict_line *line, const struct nameset *columns, int has_shares, FILE *out);
void predict_line_print(const struct predict_line *line, const struct predict_said *said, FILE *out);

#endif

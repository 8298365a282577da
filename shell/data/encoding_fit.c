/* Learns an encoding from the public file, as far as a schema does not state it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quote.h"
#include "data/encoding.h"
#include "data/reader.h"
#include "data/schema.h"
#include "data/survey.h"
#include "data/svmlight.h"

#define ENCODING_FIT_BATCH 4096 /* rows at a time for means and covariances */
#define ENCODING_FIT_DENSE 0.3  /* share of non-zeros from which LIBSVM rows are stored dense */

static int encoding_fit_schema(struct encoding *encoding, const char *path) {
  FILE *stream = fopen(path, "r");
  int code;
  if (!stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  code = schema_read(encoding, stream, path, 0);
  fclose(stream);
  return code;
}

static int encoding_fit_replace(char **into, const char *text) {
  char *copy;
  if (!text) return EXIT_OK;
  copy = memory_copy(text, strlen(text));
  if (!copy) return EXIT_SYSTEM;
  free(*into);
  *into = copy;
  return EXIT_OK;
}

/* The command line goes before the schema. */
static int encoding_fit_request(struct encoding *encoding, const struct encoding_request *request) {
  int code;
  if ((code = encoding_fit_replace(&encoding->label, request->label)) ||
      (code = encoding_fit_replace(&encoding->unit, request->unit)))
    return code;
  if (encoding->label && encoding->unit && strcmp(encoding->label, encoding->unit) == 0)
    return error_report(EXIT_INPUT, "the label and the unit cannot be the same column");
  if (request->classes) {
    classes_free(&encoding->classes);
    if ((code = classes_parse(&encoding->classes, request->classes))) return code;
  }
  if (request->features) {
    enum transform_kind kind;
    uint32_t outputs;
    if ((code = transform_parse(request->features, &kind, &outputs))) return code;
    transform_free(&encoding->transform);
    encoding->transform.kind = kind;
    encoding->transform.outputs = outputs;
  }
  if (request->format != FORMAT_AUTO) encoding->format = request->format;
  return EXIT_OK;
}

static int encoding_fit_is(const char *name, const char *text, size_t length) {
  return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Adds the file's columns to those that a schema stated; place[c] is the cell of column c. */
static int encoding_fit_columns(struct encoding *encoding, const struct source *source, size_t **place) {
  size_t stated = encoding->column_count, capacity = stated, c;
  struct quote quote;
  uint32_t cell;
  int code;
  *place = malloc((stated + source->header.count) * sizeof **place);
  if (!*place) return error_report(EXIT_SYSTEM, "out of memory");
  for (c = 0; c < stated; c++) {
    struct column *column = &encoding->column[c];
    cell = nameset_find(&source->header, column->name, strlen(column->name));
    if (encoding_fit_is(encoding->label, column->name, strlen(column->name)) ||
        encoding_fit_is(encoding->unit, column->name, strlen(column->name)))
      column->kind = COLUMN_SKIP;
    if (cell == NAMESET_NONE && column->kind != COLUMN_SKIP)
      return error_report(EXIT_INPUT, "%s:1: no column %s, which the schema states", source->stream.path,
                          quote_name(&quote, column->name, strlen(column->name)));
    (*place)[c] = cell == NAMESET_NONE ? 0 : cell;
  }
  for (cell = 0; cell < source->header.count; cell++) {
    const char *name = nameset_text(&source->header, cell);
    size_t length = nameset_length(&source->header, cell);
    struct column *column;
    for (c = 0; c < stated && (*place)[c] != cell; c++)
      continue;
    if (c < stated && strcmp(encoding->column[c].name, name) == 0) continue;
    if (encoding_fit_is(encoding->label, name, length) || encoding_fit_is(encoding->unit, name, length)) continue;
    if ((code = memory_grow(&encoding->column, &capacity, encoding->column_count + 1, sizeof *encoding->column)))
      return code;
    column = &encoding->column[encoding->column_count];
    memset(column, 0, sizeof *column);
    if (!(column->name = memory_copy(name, length))) return EXIT_SYSTEM;
    (*place)[encoding->column_count++] = cell;
  }
  return EXIT_OK;
}

static int encoding_fit_fault(const struct source *source, uint64_t line, size_t cell, const struct column *column,
                              const char *cause) {
  struct quote quote;
  return error_report(EXIT_INPUT, "%s:%llu:%zu (%s): %s", source->stream.path, (unsigned long long)line, cell + 1,
                      quote_name(&quote, column->name, strlen(column->name)), cause);
}

static int encoding_fit_csv_record(const struct encoding *encoding, const struct source *source, const size_t *place,
                                   struct survey *survey) {
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    const struct cell *cell = &source->csv.cell[place[c]];
    int code;
    if (column->kind == COLUMN_SKIP || column->is_fitted) continue;
    if (encoding_is_missing(encoding, cell->text, cell->length)) continue;
    if ((code = survey_add(&survey[c], cell->text, cell->length, source->lines.line))) return code;
    if ((column->kind == COLUMN_NUMBER || column->kind == COLUMN_LOG) && survey[c].texts)
      return encoding_fit_fault(source, source->lines.line, place[c], column, "the cell is not a number");
  }
  return EXIT_OK;
}

static int encoding_fit_csv(struct encoding *encoding, struct source *source) {
  size_t *place = NULL, c;
  struct survey *survey = NULL;
  int more = 1, code = encoding_fit_columns(encoding, source, &place);
  if (code == EXIT_OK && !(survey = calloc(encoding->column_count + 1, sizeof *survey)))
    code = error_report(EXIT_SYSTEM, "out of memory");
  while (code == EXIT_OK) {
    code = source_next_csv(source, &more);
    if (code != EXIT_OK || !more) break;
    code = encoding_fit_csv_record(encoding, source, place, survey);
  }
  for (c = 0; c < encoding->column_count && code == EXIT_OK; c++) {
    struct column *column = &encoding->column[c];
    if (column->kind == COLUMN_SKIP || column->is_fitted) continue;
    if (survey[c].not_finite && !survey[c].texts && column->kind != COLUMN_CATEGORY)
      code = encoding_fit_fault(source, survey[c].not_finite, place[c], column, "the cell is not a finite number");
    else
      code = survey_decide(&survey[c], column);
  }
  for (c = 0; survey && c < encoding->column_count; c++)
    survey_free(&survey[c]);
  free(survey);
  free(place);
  return code;
}

static int encoding_fit_libsvm(struct encoding *encoding, struct source *source) {
  uint32_t *index = NULL, largest = 0;
  float *value = NULL;
  size_t index_capacity = 0, value_capacity = 0, length;
  uint64_t entries = 0;
  char *text;
  int code;
  while ((code = source_next_line(source, &text, &length)) == EXIT_OK && text) {
    size_t room = svmlight_room(length);
    struct svmlight line;
    if ((code = memory_grow(&index, &index_capacity, room, sizeof *index)) ||
        (code = memory_grow(&value, &value_capacity, room, sizeof *value)))
      break;
    if (svmlight_parse(text, length, ROWS_COLUMNS_MAX, index, value, &line) != 0) {
      code = error_report(EXIT_INPUT, "%s:%llu:%zu: %s", source->stream.path, (unsigned long long)source->lines.line,
                          line.column, line.cause);
      break;
    }
    if (line.largest > largest) largest = line.largest;
    entries += line.entries;
  }
  free(index);
  free(value);
  if (code != EXIT_OK || encoding->raw_columns) return code; /* the schema states the number of inputs */
  encoding->raw_columns = largest;
  encoding->raw_is_dense =
      (double)entries >= ENCODING_FIT_DENSE * (double)(source->at - source->first) * (double)largest;
  return EXIT_OK;
}

static int encoding_fit_idx(struct encoding *encoding, const struct source *source) {
  if (encoding->raw_columns && encoding->raw_columns != source->idx.size)
    return error_report(EXIT_INPUT, "%s: images of %u bytes, but the schema states %u inputs", source->stream.path,
                        source->idx.size, encoding->raw_columns);
  encoding->raw_columns = source->idx.size;
  encoding->raw_is_dense = 1;
  return EXIT_OK;
}

static int encoding_fit_public(struct encoding *encoding, const char *path) {
  struct source source;
  int code;
  if (strcmp(path, "-") == 0)
    return error_report(EXIT_INPUT, "the public file is read twice: it cannot be standard input");
  if ((code = source_open(&source, path, encoding->format)) != EXIT_OK) return code;
  encoding->format = source.format;
  if (source.format == FORMAT_CSV)
    code = encoding_fit_csv(encoding, &source);
  else if (source.format == FORMAT_LIBSVM)
    code = encoding_fit_libsvm(encoding, &source);
  else
    code = encoding_fit_idx(encoding, &source);
  if (code == EXIT_OK && source.format != FORMAT_IDX && source.at == source.first)
    code = error_report(EXIT_INPUT, "%s: no records", path);
  source_close(&source);
  return code;
}

static int encoding_fit_unstated(const struct encoding *encoding, const char *path) {
  struct quote quote;
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    if (column->kind != COLUMN_SKIP && !column->is_fitted)
      return error_report(EXIT_INPUT, "%s: column %s has no range or categories, and there is no public file", path,
                          quote_name(&quote, column->name, strlen(column->name)));
  }
  return EXIT_OK;
}

/* Means and covariances of the public rows as they are before the transform. */
static int encoding_fit_transform(struct encoding *encoding, const char *path) {
  enum transform_kind kind = encoding->transform.kind;
  uint32_t outputs = encoding->transform.outputs;
  struct moments moments;
  struct reader reader;
  struct rows rows;
  int code;
  encoding->transform.kind = TRANSFORM_RAW;
  encoding->columns = encoding->raw_columns;
  encoding->is_dense = encoding->raw_is_dense;
  if ((code = moments_init(&moments, encoding->raw_columns, kind == TRANSFORM_PCA))) return code;
  rows_init(&rows, encoding->raw_columns, encoding->raw_is_dense);
  if ((code = reader_open(&reader, path, encoding, NULL)) == EXIT_OK) {
    while (code == EXIT_OK && !reader.is_finished) {
      rows_clear(&rows);
      code = reader_next(&reader, &rows, ENCODING_FIT_BATCH);
      if (code == EXIT_OK) code = moments_add(&moments, &rows);
    }
    reader_close(&reader);
  }
  if (code == EXIT_OK) code = transform_fit(&encoding->transform, kind, outputs, &moments);
  rows_free(&rows);
  moments_free(&moments);
  return code;
}

int encoding_make(struct encoding *encoding, const struct encoding_request *request) {
  const char *where = request->public_path ? request->public_path : request->schema_path;
  int code = EXIT_OK;
  encoding_init(encoding);
  if (!where) return error_report(EXIT_INPUT, "a public file or a schema is needed to encode the data");
  if (request->schema_path && (code = encoding_fit_schema(encoding, request->schema_path)) != EXIT_OK) return code;
  code = encoding_fit_request(encoding, request);
  if (code == EXIT_OK) {
    if (request->public_path)
      code = encoding_fit_public(encoding, request->public_path);
    else
      code = encoding_fit_unstated(encoding, where);
  }
  if (code == EXIT_OK && encoding->format == FORMAT_AUTO)
    code = error_report(EXIT_INPUT, "%s: no format is stated", where);
  if (code == EXIT_OK && encoding->unit && encoding->format != FORMAT_CSV)
    code =
        error_report(EXIT_INPUT, "%s: --unit names a CSV column, but this is %s", where, format_name(encoding->format));
  if (code == EXIT_OK) code = encoding_layout(encoding, where);
  if (code == EXIT_OK && encoding->transform.kind != TRANSFORM_RAW && !encoding->transform.mean) {
    if (!request->public_path)
      code = error_report(EXIT_INPUT, "--features standard and pca are learned from a public file");
    else
      code = encoding_fit_transform(encoding, request->public_path);
    if (code == EXIT_OK) code = encoding_layout(encoding, where);
  }
  if (code == EXIT_OK && encoding->transform.kind != TRANSFORM_RAW &&
      encoding->transform.inputs != encoding->raw_columns)
    code = error_report(EXIT_INPUT, "%s: %u map lines for %u features", where, encoding->transform.inputs,
                        encoding->raw_columns);
  if (code != EXIT_OK) encoding_free(encoding);
  return code;
}

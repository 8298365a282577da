/* Learns an encoding from the public file, as far as a schema does not state it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "grow.h"
#include "number.h"
#include "quote.h"
#include "reader.h"
#include "say.h"
#include "schema.h"
#include "survey.h"
#include "svmlight.h"

#define FUMATA_FIT_BATCH 4096 /* rows at a time for means and covariances */
#define FUMATA_FIT_DENSE 0.3  /* share of non-zeros from which LIBSVM rows are stored dense */

static int fumata_fit_schema(fumata_encoding *encoding, const char *path) {
  FILE *stream = fopen(path, "r");
  int code;
  if (!stream) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  code = fumata_schema_read(encoding, stream, path, 0);
  fclose(stream);
  return code;
}

static int fumata_fit_replace(char **into, const char *text) {
  char *copy;
  if (!text) return FUMATA_EXIT_OK;
  copy = fumata_grow_copy(text, strlen(text));
  if (!copy) return FUMATA_EXIT_SYSTEM;
  free(*into);
  *into = copy;
  return FUMATA_EXIT_OK;
}

/* The command line goes before the schema. */
static int fumata_fit_request(fumata_encoding *encoding, const fumata_encoding_request *request) {
  int code;
  if ((code = fumata_fit_replace(&encoding->label, request->label)) ||
      (code = fumata_fit_replace(&encoding->unit, request->unit)))
    return code;
  if (encoding->label && encoding->unit && strcmp(encoding->label, encoding->unit) == 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "the label and the unit cannot be the same column");
  if (request->classes) {
    fumata_classes_free(&encoding->classes);
    if ((code = fumata_classes_parse(&encoding->classes, request->classes))) return code;
  }
  if (request->features) {
    fumata_transform_kind kind;
    uint32_t outputs;
    if ((code = fumata_transform_parse(request->features, &kind, &outputs))) return code;
    fumata_transform_free(&encoding->transform);
    encoding->transform.kind = kind;
    encoding->transform.outputs = outputs;
  }
  if (request->format != FUMATA_FORMAT_AUTO) encoding->format = request->format;
  return FUMATA_EXIT_OK;
}

static int fumata_fit_is(const char *name, const char *text, size_t length) {
  return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Adds the file's columns to those that a schema stated; place[c] is the cell of column c. */
static int fumata_fit_columns(fumata_encoding *encoding, const fumata_source *source, size_t **place) {
  size_t stated = encoding->column_count, capacity = stated, c;
  fumata_quote quote;
  uint32_t cell;
  int code;
  *place = malloc((stated + source->header.count) * sizeof **place);
  if (!*place) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  for (c = 0; c < stated; c++) {
    fumata_column *column = &encoding->column[c];
    cell = fumata_words_find(&source->header, column->name, strlen(column->name));
    if (fumata_fit_is(encoding->label, column->name, strlen(column->name)) ||
        fumata_fit_is(encoding->unit, column->name, strlen(column->name)))
      column->kind = FUMATA_COLUMN_SKIP;
    if (cell == FUMATA_WORDS_NONE && column->kind != FUMATA_COLUMN_SKIP)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s:1: no column %s, which the schema states", source->stream.path,
                              fumata_quote_name(&quote, column->name, strlen(column->name)));
    (*place)[c] = cell == FUMATA_WORDS_NONE ? 0 : cell;
  }
  for (cell = 0; cell < source->header.count; cell++) {
    const char *name = fumata_words_text(&source->header, cell);
    size_t length = fumata_words_length(&source->header, cell);
    fumata_column *column;
    for (c = 0; c < stated && (*place)[c] != cell; c++)
      continue;
    if (c < stated && strcmp(encoding->column[c].name, name) == 0) continue;
    if (fumata_fit_is(encoding->label, name, length) || fumata_fit_is(encoding->unit, name, length)) continue;
    if ((code = fumata_grow(&encoding->column, &capacity, encoding->column_count + 1, sizeof *encoding->column)))
      return code;
    column = &encoding->column[encoding->column_count];
    memset(column, 0, sizeof *column);
    if (!(column->name = fumata_grow_copy(name, length))) return FUMATA_EXIT_SYSTEM;
    (*place)[encoding->column_count++] = cell;
  }
  return FUMATA_EXIT_OK;
}

static int fumata_fit_fault(const fumata_source *source, uint64_t line, size_t cell, const fumata_column *column,
                            const char *cause) {
  fumata_quote quote;
  return fumata_say_error(FUMATA_EXIT_INPUT, "%s:%llu:%zu (%s): %s", source->stream.path, (unsigned long long)line,
                          cell + 1, fumata_quote_name(&quote, column->name, strlen(column->name)), cause);
}

static int fumata_fit_csv_record(const fumata_encoding *encoding, const fumata_source *source, const size_t *place,
                                 fumata_survey *survey) {
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    const fumata_column *column = &encoding->column[c];
    const fumata_cell *cell = &source->csv.cell[place[c]];
    int code;
    if (column->kind == FUMATA_COLUMN_SKIP || column->is_fitted) continue;
    if (fumata_encoding_is_missing(encoding, cell->text, cell->length)) continue;
    if ((code = fumata_survey_add(&survey[c], cell->text, cell->length, source->lines.line))) return code;
    if ((column->kind == FUMATA_COLUMN_NUMBER || column->kind == FUMATA_COLUMN_LOG) && survey[c].texts)
      return fumata_fit_fault(source, source->lines.line, place[c], column, "the cell is not a number");
  }
  return FUMATA_EXIT_OK;
}

static int fumata_fit_csv(fumata_encoding *encoding, fumata_source *source) {
  size_t *place = NULL, c;
  fumata_survey *survey = NULL;
  int more = 1, code = fumata_fit_columns(encoding, source, &place);
  if (code == FUMATA_EXIT_OK && !(survey = calloc(encoding->column_count + 1, sizeof *survey)))
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  while (code == FUMATA_EXIT_OK) {
    code = fumata_source_next_csv(source, &more);
    if (code != FUMATA_EXIT_OK || !more) break;
    code = fumata_fit_csv_record(encoding, source, place, survey);
  }
  for (c = 0; c < encoding->column_count && code == FUMATA_EXIT_OK; c++) {
    fumata_column *column = &encoding->column[c];
    if (column->kind == FUMATA_COLUMN_SKIP || column->is_fitted) continue;
    if (survey[c].not_finite && !survey[c].texts && column->kind != FUMATA_COLUMN_CATEGORY)
      code = fumata_fit_fault(source, survey[c].not_finite, place[c], column, "the cell is not a finite number");
    else
      code = fumata_survey_decide(&survey[c], column);
  }
  for (c = 0; survey && c < encoding->column_count; c++)
    fumata_survey_free(&survey[c]);
  free(survey);
  free(place);
  return code;
}

static int fumata_fit_libsvm(fumata_encoding *encoding, fumata_source *source) {
  uint32_t *index = NULL, largest = 0;
  float *value = NULL;
  size_t index_capacity = 0, value_capacity = 0, length;
  uint64_t entries = 0;
  char *text;
  int code;
  while ((code = fumata_source_next_line(source, &text, &length)) == FUMATA_EXIT_OK && text) {
    size_t room = fumata_svmlight_room(length);
    fumata_svmlight line;
    if ((code = fumata_grow(&index, &index_capacity, room, sizeof *index)) ||
        (code = fumata_grow(&value, &value_capacity, room, sizeof *value)))
      break;
    if (fumata_svmlight_parse(text, length, FUMATA_ROWS_COLUMNS_MAX, index, value, &line) != 0) {
      code = fumata_say_error(FUMATA_EXIT_INPUT, "%s:%llu:%zu: %s", source->stream.path,
                              (unsigned long long)source->lines.line, line.column, line.cause);
      break;
    }
    if (line.largest > largest) largest = line.largest;
    entries += line.entries;
  }
  free(index);
  free(value);
  if (code != FUMATA_EXIT_OK || encoding->raw_columns) return code; /* the schema states the number of inputs */
  encoding->raw_columns = largest;
  encoding->raw_is_dense = (double)entries >= FUMATA_FIT_DENSE * (double)(source->at - source->first) * (double)largest;
  return FUMATA_EXIT_OK;
}

static int fumata_fit_idx(fumata_encoding *encoding, const fumata_source *source) {
  if (encoding->raw_columns && encoding->raw_columns != source->idx.size)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: images of %u bytes, but the schema states %u inputs",
                            source->stream.path, source->idx.size, encoding->raw_columns);
  encoding->raw_columns = source->idx.size;
  encoding->raw_is_dense = 1;
  return FUMATA_EXIT_OK;
}

static int fumata_fit_public(fumata_encoding *encoding, const char *path) {
  fumata_source source;
  int code;
  if (strcmp(path, "-") == 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "the public file is read twice: it cannot be standard input");
  if ((code = fumata_source_open(&source, path, encoding->format)) != FUMATA_EXIT_OK) return code;
  encoding->format = source.format;
  if (source.format == FUMATA_FORMAT_CSV)
    code = fumata_fit_csv(encoding, &source);
  else if (source.format == FUMATA_FORMAT_LIBSVM)
    code = fumata_fit_libsvm(encoding, &source);
  else
    code = fumata_fit_idx(encoding, &source);
  if (code == FUMATA_EXIT_OK && source.format != FUMATA_FORMAT_IDX && source.at == source.first)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: no records", path);
  fumata_source_close(&source);
  return code;
}

static int fumata_fit_unstated(const fumata_encoding *encoding, const char *path) {
  fumata_quote quote;
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    const fumata_column *column = &encoding->column[c];
    if (column->kind != FUMATA_COLUMN_SKIP && !column->is_fitted)
      return fumata_say_error(FUMATA_EXIT_INPUT,
                              "%s: column %s has no range or categories, and there is no public file", path,
                              fumata_quote_name(&quote, column->name, strlen(column->name)));
  }
  return FUMATA_EXIT_OK;
}

/* Means and covariances of the public rows as they are before the transform. */
static int fumata_fit_transform(fumata_encoding *encoding, const char *path) {
  fumata_transform_kind kind = encoding->transform.kind;
  uint32_t outputs = encoding->transform.outputs;
  fumata_moments moments;
  fumata_reader reader;
  fumata_rows rows;
  int code;
  encoding->transform.kind = FUMATA_TRANSFORM_RAW;
  encoding->columns = encoding->raw_columns;
  encoding->is_dense = encoding->raw_is_dense;
  if ((code = fumata_moments_init(&moments, encoding->raw_columns, kind == FUMATA_TRANSFORM_PCA))) return code;
  fumata_rows_init(&rows, encoding->raw_columns, encoding->raw_is_dense);
  if ((code = fumata_reader_open(&reader, path, encoding, NULL)) == FUMATA_EXIT_OK) {
    while (code == FUMATA_EXIT_OK && !reader.is_finished) {
      fumata_rows_clear(&rows);
      code = fumata_reader_next(&reader, &rows, FUMATA_FIT_BATCH);
      if (code == FUMATA_EXIT_OK) code = fumata_moments_add(&moments, &rows);
    }
    fumata_reader_close(&reader);
  }
  if (code == FUMATA_EXIT_OK) code = fumata_transform_fit(&encoding->transform, kind, outputs, &moments);
  fumata_rows_free(&rows);
  fumata_moments_free(&moments);
  return code;
}

int fumata_encoding_make(fumata_encoding *encoding, const fumata_encoding_request *request) {
  const char *where = request->public_path ? request->public_path : request->schema_path;
  int code = FUMATA_EXIT_OK;
  fumata_encoding_init(encoding);
  if (!where) return fumata_say_error(FUMATA_EXIT_INPUT, "a public file or a schema is needed to encode the data");
  if (request->schema_path && (code = fumata_fit_schema(encoding, request->schema_path)) != FUMATA_EXIT_OK) return code;
  code = fumata_fit_request(encoding, request);
  if (code == FUMATA_EXIT_OK) {
    if (request->public_path)
      code = fumata_fit_public(encoding, request->public_path);
    else
      code = fumata_fit_unstated(encoding, where);
  }
  if (code == FUMATA_EXIT_OK && encoding->format == FUMATA_FORMAT_AUTO)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: no format is stated", where);
  if (code == FUMATA_EXIT_OK && encoding->unit && encoding->format != FUMATA_FORMAT_CSV)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: --unit names a CSV column, but this is %s", where,
                            fumata_format_name(encoding->format));
  if (code == FUMATA_EXIT_OK) code = fumata_encoding_layout(encoding, where);
  if (code == FUMATA_EXIT_OK && encoding->transform.kind != FUMATA_TRANSFORM_RAW && !encoding->transform.mean) {
    if (!request->public_path)
      code = fumata_say_error(FUMATA_EXIT_INPUT, "--features standard and pca are learned from a public file");
    else
      code = fumata_fit_transform(encoding, request->public_path);
    if (code == FUMATA_EXIT_OK) code = fumata_encoding_layout(encoding, where);
  }
  if (code == FUMATA_EXIT_OK && encoding->transform.kind != FUMATA_TRANSFORM_RAW &&
      encoding->transform.inputs != encoding->raw_columns)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: %u map lines for %u features", where, encoding->transform.inputs,
                            encoding->raw_columns);
  if (code != FUMATA_EXIT_OK) fumata_encoding_free(encoding);
  return code;
}

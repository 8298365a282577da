#include "data/encoding_fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quote.h"
#include "data/column_survey.h"
#include "data/missing.h"
#include "data/reader.h"
#include "data/schema.h"
#include "data/svmlight.h"

#define ENCODING_FIT_BATCH 4096 /* rows at a time for means and covariances: several blocks of moments.c */

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
  int code = text ? memory_print(&copy, "%s", text) : EXIT_OK;
  if (code || !text) return code;
  free(*into);
  *into = copy;
  return EXIT_OK;
}

/* The command line goes before the schema. */
static int encoding_fit_request(struct encoding *encoding, const struct encoding_request *request) {
  int code = encoding_fit_replace(&encoding->label, request->label);
  if (!code) code = encoding_fit_replace(&encoding->unit, request->unit);
  if (code) return code;
  if (encoding->label && encoding->unit && strcmp(encoding->label, encoding->unit) == 0)
    return error_report(EXIT_INPUT, "the label and the unit cannot be the same column");
  if (request->classes) {
    classes_free(&encoding->classes);
    code = classes_parse(&encoding->classes, request->classes);
    if (code) return code;
  }
  if (request->features) {
    features_free(&encoding->features);
    code = features_parse(&encoding->features, request->features);
    if (code) return code;
  }
  if (request->format != FORMAT_AUTO) encoding->format = request->format;
  if (request->style.delimiter) encoding->style.delimiter = request->style.delimiter;
  if (request->style.no_header) encoding->style.no_header = 1;
  return missing_state(&encoding->missing, request->missing, !request->missing_only);
}

int encoding_fit_stated(struct encoding *encoding, const struct encoding_request *request) {
  int code = request->schema_path ? encoding_fit_schema(encoding, request->schema_path) : EXIT_OK;
  return code ? code : encoding_fit_request(encoding, request);
}

/* Label and unit are no features. */
static int encoding_fit_is_apart(const struct encoding *encoding, const char *name) {
  return (encoding->label && strcmp(encoding->label, name) == 0) ||
         (encoding->unit && strcmp(encoding->unit, name) == 0);
}

/* The cells of the columns that a schema stated. */
static int encoding_fit_place(struct encoding *encoding, const struct source *source, size_t *place) {
  struct quote quote;
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    struct column *column = &encoding->column[c];
    uint32_t cell = nameset_find(&source->header, column->name, strlen(column->name));
    if (encoding_fit_is_apart(encoding, column->name)) column->kind = COLUMN_SKIP;
    if (cell == NAMESET_NONE && column->kind != COLUMN_SKIP)
      return error_report(EXIT_INPUT, "%s:1: no column %s, which the schema states", source->stream.path,
                          quote_name(&quote, column->name, strlen(column->name)));
    place[c] = cell == NAMESET_NONE ? 0 : cell;
  }
  return EXIT_OK;
}

/* Adds the file's columns to those that a schema stated; place[c] is the cell of column c. */
static int encoding_fit_columns(struct encoding *encoding, const struct source *source, size_t **place) {
  size_t stated = encoding->column_count, capacity = stated, c;
  uint32_t cell;
  int code = memory_take(place, stated + source->header.count, sizeof **place);
  if (!code) code = encoding_fit_place(encoding, source, *place);
  for (cell = 0; !code && cell < source->header.count; cell++) {
    const char *name = nameset_text(&source->header, cell);
    struct column *column;
    for (c = 0; c < stated && (*place)[c] != cell; c++)
      continue;
    if (c < stated && strcmp(encoding->column[c].name, name) == 0) continue;
    if (encoding_fit_is_apart(encoding, name)) continue;
    code = memory_grow(&encoding->column, &capacity, encoding->column_count + 1, sizeof *encoding->column);
    if (code) return code;
    column = &encoding->column[encoding->column_count];
    memset(column, 0, sizeof *column);
    code = memory_print(&column->name, "%s", name);
    if (!code) (*place)[encoding->column_count++] = cell;
  }
  return code;
}

static int encoding_fit_fault(const struct source *source, uint64_t line, size_t cell, const struct column *column,
                              const char *cause) {
  struct quote quote;
  return error_report(EXIT_INPUT, "%s:%llu:%zu (%s): %s", source->stream.path, (unsigned long long)line, cell + 1,
                      quote_name(&quote, column->name, strlen(column->name)), cause);
}

static int encoding_fit_csv_record(const struct encoding *encoding, const struct source *source, const size_t *place,
                                   struct column_survey *survey) {
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    const struct cell *cell = &source->csv.cell[place[c]];
    int code;
    if (!column_is_open(column)) continue;
    if (encoding_is_missing(encoding, cell->text, cell->length)) {
      survey[c].missing++;
      continue;
    }
    code = column_survey_add(&survey[c], cell->text, cell->length, source->lines.line);
    if (code) return code;
    if (column_is_numeric(column) && survey[c].texts)
      return encoding_fit_fault(source, source->lines.line, place[c], column, "the cell is not a number");
  }
  return EXIT_OK;
}

static int encoding_fit_csv(struct encoding *encoding, struct source *source) {
  size_t *place = NULL, c;
  struct column_survey *survey = NULL;
  int more = 1, code = encoding_fit_columns(encoding, source, &place);
  if (!code) code = memory_take(&survey, encoding->column_count, sizeof *survey);
  while (!code) {
    code = source_next_csv(source, &more);
    if (code || !more) break;
    code = encoding_fit_csv_record(encoding, source, place, survey);
  }
  for (c = 0; c < encoding->column_count && !code; c++) {
    struct column *column = &encoding->column[c];
    if (!column_is_open(column)) continue;
    if (survey[c].not_finite && !survey[c].texts && column->kind != COLUMN_CATEGORY)
      code = encoding_fit_fault(source, survey[c].not_finite, place[c], column, "the cell is not a finite number");
    else
      code = column_survey_decide(&survey[c], column);
  }
  for (c = 0; survey && c < encoding->column_count; c++)
    column_survey_free(&survey[c]);
  free(survey);
  free(place);
  return code;
}

/* What the lines of a LIBSVM file have in all. */
struct encoding_fit_lines {
  uint32_t *index; /* of one line */
  float *value;
  size_t index_capacity, value_capacity;
  uint32_t largest;
  uint64_t entries;
};

static int encoding_fit_line(struct encoding_fit_lines *lines, const struct source *source, const char *text,
                             size_t length) {
  size_t room = svmlight_room(length);
  struct svmlight line;
  int code = memory_grow(&lines->index, &lines->index_capacity, room, sizeof *lines->index);
  if (!code) code = memory_grow(&lines->value, &lines->value_capacity, room, sizeof *lines->value);
  if (code) return code;
  if (svmlight_parse(text, length, ROWS_COLUMNS_MAX, lines->index, lines->value, &line) != 0)
    return error_report(EXIT_INPUT, "%s:%llu:%zu: %s", source->stream.path, (unsigned long long)source->lines.line,
                        line.column, line.cause);
  if (line.largest > lines->largest) lines->largest = line.largest;
  lines->entries += line.entries;
  return EXIT_OK;
}

static int encoding_fit_libsvm(struct encoding *encoding, struct source *source) {
  struct encoding_fit_lines lines = {0};
  size_t length;
  char *text;
  int code;
  do {
    code = source_next_line(source, &text, &length);
    if (!code && text) code = encoding_fit_line(&lines, source, text, length);
  } while (!code && text);
  free(lines.index);
  free(lines.value);
  if (code || encoding->raw_columns) return code; /* the schema states the number of inputs */
  encoding->raw_columns = lines.largest;
  encoding->raw_is_dense =
      (double)lines.entries >= ENCODING_DENSE_LIBSVM * (double)(source->at - source->first) * (double)lines.largest;
  return EXIT_OK;
}

static int encoding_fit_idx(struct encoding *encoding, const struct source *source) {
  struct transform *image = features_image(&encoding->features);
  if (encoding->raw_columns && encoding->raw_columns != source->idx.size)
    return error_report(EXIT_INPUT, "%s: images of %u bytes, but the schema states %u inputs", source->stream.path,
                        source->idx.size, encoding->raw_columns);
  encoding->raw_columns = source->idx.size;
  encoding->raw_is_dense = 1;
  if (image && !image->hog.rows) {
    image->hog.rows = source->idx.rows;
    image->hog.columns = source->idx.columns;
  }
  return EXIT_OK;
}

static int encoding_fit_keep(const char *path) {
  uint64_t first, last;
  char *file, *labels;
  int code = source_range(path, &file, &labels, &first, &last);
  if (code) return code;
  code = stream_keep(file);
  free(file);
  free(labels);
  return code;
}

static int encoding_fit_npy(struct encoding *encoding, const struct source *source) {
  uint64_t columns = source->npy.columns;
  int code = npy_matrix(&source->npy, source->stream.path);
  if (code) return code;
  if (columns > ROWS_COLUMNS_MAX)
    return error_report(EXIT_INPUT, "%s: more than %u features", source->stream.path, ROWS_COLUMNS_MAX);
  if (encoding->raw_columns && encoding->raw_columns != columns)
    return error_report(EXIT_INPUT, "%s: rows of %u numbers, but the schema states %u inputs", source->stream.path,
                        (uint32_t)columns, encoding->raw_columns);
  encoding->raw_columns = (uint32_t)columns;
  encoding->raw_is_dense = 1;
  return EXIT_OK;
}

int encoding_fit_public(struct encoding *encoding, const char *path) {
  struct source source;
  int code = encoding_fit_keep(path); /* the public file is read more than once */
  if (code) return code;
  code = source_open(&source, path, encoding->format, &encoding->style);
  if (code) return code;
  encoding->format = source.format;
  if (source.format == FORMAT_CSV)
    code = encoding_fit_csv(encoding, &source);
  else if (source.format == FORMAT_LIBSVM)
    code = encoding_fit_libsvm(encoding, &source);
  else if (source.format == FORMAT_IDX)
    code = encoding_fit_idx(encoding, &source);
  else
    code = encoding_fit_npy(encoding, &source);
  if (!code && !source_item(&source) && source.at == source.first)
    code = error_report(EXIT_INPUT, "%s: no records", path);
  source_close(&source);
  return code;
}

int encoding_fit_image(struct encoding *encoding) {
  struct transform *image = features_image(&encoding->features);
  uint32_t rows, columns;
  int code;
  if (!image) return EXIT_OK;
  rows = image->hog.rows;
  columns = image->hog.columns;
  if (encoding->format == FORMAT_CSV)
    return error_report(EXIT_INPUT, "--features hog needs pixels as they are, in idx, LIBSVM or .npy: the columns of a "
                                    "CSV file are scaled one by one");
  if (!rows) return error_report(EXIT_INPUT, "--features hog: say the images' rows and columns, such as hog:28x28");
  code = transform_shape(image, rows, columns);
  if (code) return code;
  /* The last pixels are dark in every image, and LIBSVM does not write zeros. */
  if (encoding->format == FORMAT_LIBSVM && encoding->raw_columns < image->inputs) encoding->raw_columns = image->inputs;
  if (image->inputs != encoding->raw_columns)
    return error_report(EXIT_INPUT, "--features hog:%ux%u, but a record has %u numbers", rows, columns,
                        encoding->raw_columns);
  return EXIT_OK;
}

/* The moments of what the encoding, as it is so far, makes of the public file. */
static int encoding_fit_moments(const struct encoding *encoding, const char *path, struct moments *moments) {
  struct reader reader;
  struct rows rows;
  int code = reader_open(&reader, path, encoding, NULL);
  if (code) return code;
  rows_init(&rows, encoding->columns, encoding->is_dense);
  while (!code && !reader.is_finished) {
    rows_clear(&rows);
    code = reader_next(&reader, &rows, ENCODING_FIT_BATCH);
    if (!code) code = moments_add(moments, &rows);
  }
  reader_close(&reader);
  rows_free(&rows);
  return code;
}

int encoding_fit_step(struct encoding *encoding, size_t s, const char *path) {
  struct transform *step = &encoding->features.step[s], fitted = {0};
  size_t steps = encoding->features.count;
  struct moments moments;
  int code;
  encoding->features.count = s;
  code = encoding_layout(encoding, path);
  if (!code) code = moments_init(&moments, encoding->columns, step->kind == TRANSFORM_PCA);
  if (!code) {
    code = encoding_fit_moments(encoding, path, &moments);
    if (!code) code = transform_fit(&fitted, step->kind, step->outputs, &moments);
    if (!code) *step = fitted;
    moments_free(&moments);
  }
  encoding->features.count = steps;
  return code;
}

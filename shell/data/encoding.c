#include "data/encoding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quote.h"
#include "data/reader.h"
#include "data/schema.h"

#define ENCODING_BATCH        4096 /* rows at a time for means and covariances: several blocks of moments.c */
#define ENCODING_STANDARD_MAX 4096 /* columns that are standardised without --features */

void encoding_init(struct encoding *encoding) {
  memset(encoding, 0, sizeof *encoding);
}

void encoding_free(struct encoding *encoding) {
  for (size_t i = 0; i < encoding->column_count; i++)
    column_free(&encoding->column[i]);
  free(encoding->column);
  free(encoding->label);
  free(encoding->unit);
  classes_free(&encoding->classes);
  nameset_free(&encoding->missing);
  features_free(&encoding->features);
  encoding_init(encoding);
}

int encoding_is_apart(const struct encoding *encoding, const char *name) {
  return (encoding->label && strcmp(encoding->label, name) == 0) ||
         (encoding->unit && strcmp(encoding->unit, name) == 0);
}

/* ---- the layout of features ---- */

/* The features of named columns, in the order of the columns. (Files of numbers are held to the same number of features
 * where they are read.) */
static int encoding_number(struct encoding *encoding, const char *where) {
  uint64_t total = 0;
  size_t used = 0;
  for (size_t i = 0; i < encoding->column_count; i++) {
    struct column *column = &encoding->column[i];
    uint32_t width = column_width(column);
    column->first = (uint32_t)total;
    total += width;
    used += width > 0;
    if (total > ROWS_COLUMNS_MAX) return error_report(EXIT_INPUT, "%s: more than %u features", where, ROWS_COLUMNS_MAX);
    if (column_has_range(column)) column_prepare(column);
  }
  encoding->raw_columns = (uint32_t)total;
  encoding->raw_is_dense = (double)used >= ENCODING_DENSE_CSV * (double)total;
  return EXIT_OK;
}

void encoding_decimal(struct encoding *encoding, char decimal) {
  const struct nameset *missing = &encoding->missing;
  double number;
  encoding->style.decimal = decimal == ',' ? ',' : 0;
  encoding->misses_number = decimal == ',';
  for (uint32_t i = 0; i < missing->count; i++)
    encoding->misses_number |= number_parse(nameset_text(missing, i), nameset_length(missing, i), &number) == NUMBER_OK;
}

/* Numbers the features once kinds, ranges and categories are known, and finds where spellings of the missing cell meet
 * numbers, such as -99, or categories: the usual cell is asked for neither. `where` starts the error line. */
static int encoding_layout(struct encoding *encoding, const char *where) {
  int traits = encoding->format->traits, code = traits & FORMAT_NUMBERS ? EXIT_OK : encoding_number(encoding, where);
  if (code) return code;
  encoding_decimal(encoding, encoding->style.decimal);
  for (size_t c = 0; c < encoding->column_count; c++) {
    struct column *column = &encoding->column[c];
    column->misses_category = 0;
    for (uint32_t i = 0; i < column->categories.count; i++)
      column->misses_category |=
          encoding_is_missing(encoding, nameset_text(&column->categories, i), nameset_length(&column->categories, i));
  }
  if (encoding->raw_columns == 0) return error_report(EXIT_INPUT, "%s: no feature columns", where);
  if (traits & FORMAT_DENSE) encoding->raw_is_dense = 1; /* whatever a schema or a model says of the layout */
  encoding->columns = features_outputs(&encoding->features, encoding->raw_columns);
  encoding->is_dense = encoding->features.count ? 1 : encoding->raw_is_dense;
  return EXIT_OK;
}

static const char *const encoding_date_names[COLUMN_DATE_WIDTH] = {"%s", "%s: month", "%s: weekday", "%s: time of day",
                                                                   "%s is missing"};

int encoding_feature_name(const struct encoding *encoding, uint32_t j, char **name) {
  const char *kind = "feature";
  int is_mixed = 0;
  for (size_t s = 0; s < encoding->features.count; s++) {
    enum features_kind step = encoding->features.step[s].kind;
    is_mixed |= step == FEATURES_PCA || step == FEATURES_HOG;
    kind = step == FEATURES_PCA ? "component" : kind;
  }
  for (size_t c = 0; !is_mixed && c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    uint32_t place = j - column->first, seen = column->categories.count;
    if (j < column->first || place >= column_width(column)) continue;
    if (column_is_numeric(column)) return memory_print(name, place ? "%s is missing" : "%s", column->name);
    if (column->kind == COLUMN_DATE) return memory_print(name, encoding_date_names[place], column->name);
    if (place < seen) return memory_print(name, "%s = %s", column->name, nameset_text(&column->categories, place));
    return memory_print(name, place == seen ? "%s is another" : "%s is missing", column->name);
  }
  return memory_print(name, "%s %u", kind, j + 1);
}

/* ---- in files ---- */

int encoding_load(struct encoding *encoding, FILE *stream, const char *path) {
  int code = schema_read(encoding, stream, path, 1);
  if (code) return code;
  for (size_t i = 0; i < encoding->column_count && !code; i++)
    if (column_is_open(&encoding->column[i]))
      code = error_report(EXIT_INPUT, "%s: a column without range or categories", path);
  if (!code && !encoding->format) code = error_report(EXIT_INPUT, "%s: no format", path);
  if (!code) code = encoding_layout(encoding, path);
  if (!code) code = features_check(&encoding->features, encoding->raw_columns, path);
  if (code) encoding_free(encoding);
  return code;
}

/* ---- what is stated ---- */

static int encoding_replace(char **into, const char *text) {
  char *copy;
  int code = text ? memory_print(&copy, "%s", text) : EXIT_OK;
  if (code || !text) return code;
  free(*into);
  *into = copy;
  return EXIT_OK;
}

/* The usual spellings of a missing cell (`usual`) and those of a list: "-99,unknown". */
static int encoding_add_missing(struct nameset *missing, const char *list, int usual) {
  static const char *const names[] = {"NA",   "N/A",  "n/a",  "#N/A", "na",   "NaN",  "nan", "NAN", "-nan",
                                      "-NaN", "NULL", "null", "Null", "None", "<NA>", "?",   "-",   "."};
  uint32_t number;
  int code = EXIT_OK;
  for (size_t i = 0; !code && usual && i < sizeof names / sizeof *names; i++)
    code = nameset_add(missing, names[i], strlen(names[i]), &number);
  while (!code && list && *list) {
    size_t length = strcspn(list, ",");
    if (length) code = nameset_add(missing, list, length, &number); /* the empty cell is missing anyway */
    list += length + (list[length] == ',');
  }
  return code;
}

/* Columns of a list, "id,note", are not used, whatever a schema says. */
static int encoding_skip(struct encoding *encoding, const char *list) {
  size_t capacity = encoding->column_count;
  int code = EXIT_OK;
  while (!code && *list) {
    size_t length = strcspn(list, ","), c = 0;
    while (c < encoding->column_count &&
           (strlen(encoding->column[c].name) != length || memcmp(encoding->column[c].name, list, length) != 0))
      c++;
    if (length && c == encoding->column_count) {
      code = memory_grow(&encoding->column, &capacity, c + 1, sizeof *encoding->column);
      if (code) return code;
      memset(&encoding->column[c], 0, sizeof *encoding->column);
      encoding->column[c].name = memory_copy(list, length);
      if (!encoding->column[c].name) return EXIT_SYSTEM;
      encoding->column_count++;
    }
    if (length) encoding->column[c].kind = COLUMN_SKIP, encoding->column[c].is_asked = 1;
    list += length + (list[length] == ',');
  }
  return code;
}

/* What the schema file says, and before it the command line. */
static int encoding_state(struct encoding *encoding, const struct encoding_request *request) {
  int code = EXIT_OK;
  if (request->schema_path) {
    FILE *stream = fopen(request->schema_path, "r");
    if (!stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", request->schema_path, strerror(errno));
    code = schema_read(encoding, stream, request->schema_path, 0);
    fclose(stream);
  }
  if (!code) code = encoding_replace(&encoding->label, request->label);
  if (!code) code = encoding_replace(&encoding->unit, request->unit);
  if (!code && encoding->label && encoding->unit && strcmp(encoding->label, encoding->unit) == 0)
    code = error_report(EXIT_INPUT, "the label and the unit cannot be the same column");
  if (!code && request->classes) {
    classes_free(&encoding->classes);
    code = classes_parse(&encoding->classes, request->classes);
  }
  if (!code && request->features) {
    features_free(&encoding->features);
    code = features_parse(&encoding->features, request->features);
  }
  if (request->style.delimiter) encoding->style.delimiter = request->style.delimiter;
  if (request->style.no_header) encoding->style.no_header = 1;
  if (request->style.decimal) encoding_decimal(encoding, request->style.decimal);
  if (!code && request->skip) code = encoding_skip(encoding, request->skip);
  return code ? code : encoding_add_missing(&encoding->missing, request->missing, !request->missing_only);
}

/* ---- what is learned from the public file ---- */

/* How many numbers a record has, where the header says it, and the shape of an image. */
static int encoding_fit_numbers(struct encoding *encoding, const struct source *source) {
  struct features_step *image = features_image(&encoding->features);
  if (source->numbers > ROWS_COLUMNS_MAX)
    return error_report(EXIT_INPUT, "%s: more than %u features", source->stream.path, ROWS_COLUMNS_MAX);
  if (encoding->raw_columns && encoding->raw_columns != source->numbers)
    return error_report(EXIT_INPUT, "%s: records of %u numbers, but the schema states %u inputs", source->stream.path,
                        (uint32_t)source->numbers, encoding->raw_columns);
  encoding->raw_columns = (uint32_t)source->numbers;
  encoding->raw_is_dense = 1;
  if (image && !image->hog.rows) {
    image->hog.rows = source->rows;
    image->hog.columns = source->columns;
  }
  return EXIT_OK;
}

/* Format, columns, ranges and categories that are not stated. */
static int encoding_fit(struct encoding *encoding, const char *path) {
  struct source source;
  uint64_t first, last;
  char *file, *labels;
  int code = source_range(path, &file, &labels, &first, &last);
  if (!code) code = stream_keep(file); /* the public file is read more than once */
  free(file);
  free(labels);
  if (!code) code = source_open(&source, path, encoding->format, &encoding->style);
  if (code) return code;
  encoding->format = source.format;
  code = source.format->check ? source.format->check(&source) : EXIT_OK;
  if (!code)
    code = source.format->fit ? source.format->fit(encoding, &source) : encoding_fit_numbers(encoding, &source);
  if (!code && source.format->fit && source.at == source.first) code = error_report(EXIT_INPUT, "%s: no records", path);
  source_close(&source);
  return code;
}

/* hog: the shape of an image, as it was said or as the file's header has it, and whether the records have as many pixels. */
static int encoding_fit_image(struct encoding *encoding) {
  struct features_step *image = features_image(&encoding->features);
  char names[FORMAT_NAMES];
  int traits = encoding->format->traits, code;
  uint32_t rows, columns;
  if (!image) return EXIT_OK;
  rows = image->hog.rows;
  columns = image->hog.columns;
  if (!(traits & FORMAT_NUMBERS))
    return error_report(EXIT_INPUT,
                        "--features hog needs pixels as they are, in %s: the columns of a %s file are scaled "
                        "one by one",
                        format_names(FORMAT_NUMBERS, names), encoding->format->name);
  if (!rows) return error_report(EXIT_INPUT, "--features hog: say the images' rows and columns, such as hog:28x28");
  code = features_shape(image, rows, columns);
  if (code) return code;
  /* The last pixels are dark in every image, and zeros are not written. */
  if (traits & FORMAT_OMITS_ZEROS && encoding->raw_columns < image->inputs) encoding->raw_columns = image->inputs;
  if (image->inputs != encoding->raw_columns)
    return error_report(EXIT_INPUT, "--features hog:%ux%u, but a record has %u numbers", rows, columns,
                        encoding->raw_columns);
  return EXIT_OK;
}

/* The moments of what the encoding, as it is so far, makes of the public file. */
static int encoding_moments(const struct encoding *encoding, const char *path, struct moments *moments) {
  struct reader reader;
  struct rows rows;
  int code = reader_open(&reader, path, encoding, NULL);
  if (code) return code;
  rows_init(&rows, encoding->columns, encoding->is_dense);
  while (!code && !reader.is_finished) {
    rows_clear(&rows);
    code = reader_next(&reader, &rows, ENCODING_BATCH);
    if (!code) code = moments_add(moments, &rows);
  }
  reader_close(&reader);
  rows_free(&rows);
  return code;
}

/* Fits step s, from what the steps before it make of the public rows. */
static int encoding_fit_step(struct encoding *encoding, size_t s, const char *path) {
  struct features_step *step = &encoding->features.step[s], fitted = {0};
  size_t steps = encoding->features.count;
  struct moments moments;
  int code;
  if (!path) return error_report(EXIT_INPUT, "--features standard, range and pca are learned from a public file");
  encoding->features.count = s;
  code = encoding_layout(encoding, path);
  if (!code) code = moments_init(&moments, encoding->columns, step->kind == FEATURES_PCA);
  if (!code) {
    code = encoding_moments(encoding, path, &moments);
    if (!code) code = features_fit(&fitted, step->kind, step->outputs, &moments);
    if (!code) *step = fitted;
    moments_free(&moments);
  }
  encoding->features.count = steps;
  return code;
}

/* ---- features, without --features ---- */

/* Values of a column that were seen: none, one, two, or more. */
struct encoding_values {
  float value[2];
  int count;
};

static void encoding_see(struct encoding_values *seen, float x) {
  for (int v = 0; v < seen->count; v++)
    if (v == 2 || seen->value[v] == x) return;
  if (seen->count < 2) seen->value[seen->count] = x;
  seen->count++;
}

/* Of the columns of numbers: how many have more than two values in the first public rows, and how many have two. */
static int encoding_survey(const struct encoding *encoding, const char *path, size_t *numbers, size_t *others) {
  struct encoding_values *seen = NULL;
  float *row = NULL;
  struct reader reader;
  struct rows rows;
  int code = reader_open(&reader, path, encoding, NULL);
  if (code) return code;
  rows_init(&rows, encoding->columns, encoding->is_dense);
  code = memory_take(&seen, encoding->columns, sizeof *seen);
  if (!code) code = memory_take(&row, encoding->columns, sizeof *row);
  if (!code) code = reader_next(&reader, &rows, ENCODING_BATCH);
  for (size_t i = 0; !code && i < rows.count; i++) {
    rows_expand(&rows, i, row);
    for (uint32_t j = 0; j < encoding->columns; j++)
      encoding_see(&seen[j], row[j]);
  }
  for (uint32_t j = 0; !code && j < encoding->columns; j++) {
    *numbers += seen[j].count > 2;
    *others += seen[j].count == 2;
  }
  reader_close(&reader);
  rows_free(&rows);
  free(seen);
  free(row);
  return code;
}

/* Where most columns are numbers they are standardised: a range follows the most distant record, and of a column with one far value
 * a learner hardly sees the others. Columns of two values are categories, or might as well be. Rows of numbers that are sparse stay
 * so, and pixels have one scale already. */
static int encoding_default(struct encoding *encoding, const char *path) {
  size_t numbers = 0, others = 0;
  int traits = encoding->format->traits, code = EXIT_OK;
  if (encoding->columns > ENCODING_STANDARD_MAX || traits & FORMAT_PIXELS) return EXIT_OK;
  for (size_t c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    numbers += column_has_range(column) && column->low < column->high;
    others += column->kind == COLUMN_CATEGORY;
  }
  if (traits & FORMAT_NUMBERS && encoding->is_dense) code = encoding_survey(encoding, path, &numbers, &others);
  if (!code && numbers > others) features_add(&encoding->features, FEATURES_STANDARD);
  return code;
}

/* Without a public file the schema must say everything; and a unit must have a place. */
static int encoding_check(const struct encoding *encoding, const char *where, int is_public) {
  struct quote quote;
  for (size_t c = 0; !is_public && c < encoding->column_count; c++)
    if (column_is_open(&encoding->column[c]))
      return error_report(EXIT_INPUT, "%s: column %s has no range or categories, and there is no public file", where,
                          quote_name(&quote, encoding->column[c].name, strlen(encoding->column[c].name)));
  if (!encoding->format) return error_report(EXIT_INPUT, "%s: no format is stated", where);
  if (encoding->column_count && encoding->format->traits & FORMAT_NUMBERS)
    return error_report(EXIT_INPUT, "%s: columns that are stated or skipped are those of CSV, but this is %s", where,
                        encoding->format->name);
  if (encoding->unit && encoding->format->traits & FORMAT_NUMBERS && !(encoding->format->traits & FORMAT_LABELS_BESIDE))
    return error_report(EXIT_INPUT, "%s: --unit names a CSV column, but this is %s", where, encoding->format->name);
  return EXIT_OK;
}

int encoding_make(struct encoding *encoding, const struct encoding_request *request) {
  const char *where = request->public_path ? request->public_path : request->schema_path;
  int code;
  encoding_init(encoding);
  if (!where) return error_report(EXIT_INPUT, "a public file or a schema is needed to encode the data");
  code = encoding_state(encoding, request);
  if (!code && request->public_path) code = encoding_fit(encoding, where);
  if (!code) code = encoding_check(encoding, where, request->public_path != NULL);
  if (!code) code = encoding_fit_image(encoding);
  if (!code) code = encoding_layout(encoding, where);
  if (!code && !request->features && !request->schema_path) code = encoding_default(encoding, where);
  for (size_t s = 0; !code && s < encoding->features.count; s++)
    if (!features_is_fitted(&encoding->features.step[s])) code = encoding_fit_step(encoding, s, request->public_path);
  if (!code) code = encoding_layout(encoding, where);
  if (!code) code = features_check(&encoding->features, encoding->raw_columns, where);
  if (code) encoding_free(encoding);
  return code;
}

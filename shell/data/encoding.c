#include "data/encoding.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/quote.h"
#include "data/encoding_fit.h"
#include "data/schema.h"

void encoding_init(struct encoding *encoding) {
  memset(encoding, 0, sizeof *encoding);
}

void encoding_free(struct encoding *encoding) {
  size_t i;
  for (i = 0; i < encoding->column_count; i++)
    column_free(&encoding->column[i]);
  free(encoding->column);
  free(encoding->label);
  free(encoding->unit);
  classes_free(&encoding->classes);
  nameset_free(&encoding->missing);
  features_free(&encoding->features);
  encoding_init(encoding);
}

/* The features of CSV columns, in the order of the columns. (Files of other formats are held to the same number of
 * features where they are read.) */
static int encoding_number(struct encoding *encoding, const char *where) {
  uint64_t total = 0;
  size_t i, used = 0;
  for (i = 0; i < encoding->column_count; i++) {
    struct column *column = &encoding->column[i];
    uint32_t width = column_width(column);
    column->first = (uint32_t)total;
    total += width;
    used += width > 0;
    if (total > ROWS_COLUMNS_MAX) return error_report(EXIT_INPUT, "%s: more than %u features", where, ROWS_COLUMNS_MAX);
    if (column_is_numeric(column)) column_prepare(column);
  }
  encoding->raw_columns = (uint32_t)total;
  encoding->raw_is_dense = (double)used >= ENCODING_DENSE_CSV * (double)total;
  return EXIT_OK;
}

/* Where do spellings of the missing cell meet numbers, such as -99, or categories? The usual cell is asked for neither. */
static void encoding_meet(struct encoding *encoding) {
  const struct nameset *missing = &encoding->missing;
  double number;
  encoding->misses_number = 0;
  for (uint32_t i = 0; i < missing->count; i++)
    encoding->misses_number |= number_parse(nameset_text(missing, i), nameset_length(missing, i), &number) == NUMBER_OK;
  for (size_t c = 0; c < encoding->column_count; c++) {
    struct column *column = &encoding->column[c];
    column->misses_category = 0;
    for (uint32_t i = 0; i < column->categories.count; i++)
      column->misses_category |=
          encoding_is_missing(encoding, nameset_text(&column->categories, i), nameset_length(&column->categories, i));
  }
}

int encoding_layout(struct encoding *encoding, const char *where) {
  int code = encoding->format == FORMAT_CSV ? encoding_number(encoding, where) : EXIT_OK;
  if (code) return code;
  encoding_meet(encoding);
  if (encoding->raw_columns == 0) return error_report(EXIT_INPUT, "%s: no feature columns", where);
  /* Their records are read whole, whatever a schema or a model says of the layout. */
  if (encoding->format == FORMAT_IDX || encoding->format == FORMAT_NPY) encoding->raw_is_dense = 1;
  encoding->columns = features_outputs(&encoding->features, encoding->raw_columns);
  encoding->is_dense = encoding->features.count ? 1 : encoding->raw_is_dense;
  return EXIT_OK;
}

int encoding_save(const struct encoding *encoding, FILE *stream) {
  return schema_write(encoding, stream);
}

int encoding_load(struct encoding *encoding, FILE *stream, const char *path) {
  size_t i;
  int code = schema_read(encoding, stream, path, 1);
  if (code) return code;
  for (i = 0; i < encoding->column_count && !code; i++)
    if (column_is_open(&encoding->column[i]))
      code = error_report(EXIT_INPUT, "%s: a column without range or categories", path);
  if (!code && encoding->format == FORMAT_AUTO) code = error_report(EXIT_INPUT, "%s: no format", path);
  if (!code) code = encoding_layout(encoding, path);
  if (!code) code = features_check(&encoding->features, encoding->raw_columns, path);
  if (code) encoding_free(encoding);
  return code;
}

/* Without a public file the schema must say everything. */
static int encoding_check_columns(const struct encoding *encoding, const char *path) {
  struct quote quote;
  size_t c;
  for (c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    if (column_is_open(column))
      return error_report(EXIT_INPUT, "%s: column %s has no range or categories, and there is no public file", path,
                          quote_name(&quote, column->name, strlen(column->name)));
  }
  return EXIT_OK;
}

static int encoding_check_format(const struct encoding *encoding, const char *where) {
  if (encoding->format == FORMAT_AUTO) return error_report(EXIT_INPUT, "%s: no format is stated", where);
  if (encoding->unit && encoding->format == FORMAT_LIBSVM)
    return error_report(EXIT_INPUT, "%s: --unit names a CSV column, but this is LIBSVM", where);
  return EXIT_OK;
}

/* Fits the steps that are asked for but not stated. */
static int encoding_learn_features(struct encoding *encoding, const char *public_path) {
  for (size_t s = 0; s < encoding->features.count; s++) {
    int code;
    if (transform_is_fitted(&encoding->features.step[s])) continue;
    if (!public_path)
      return error_report(EXIT_INPUT, "--features standard, range and pca are learned from a public file");
    code = encoding_fit_step(encoding, s, public_path);
    if (code) return code;
  }
  return EXIT_OK;
}

int encoding_make(struct encoding *encoding, const struct encoding_request *request) {
  const char *where = request->public_path ? request->public_path : request->schema_path;
  int code;
  encoding_init(encoding);
  if (!where) return error_report(EXIT_INPUT, "a public file or a schema is needed to encode the data");
  code = encoding_fit_stated(encoding, request);
  if (!code)
    code = request->public_path ? encoding_fit_public(encoding, where) : encoding_check_columns(encoding, where);
  if (!code) code = encoding_check_format(encoding, where);
  if (!code) code = encoding_fit_image(encoding);
  if (!code) code = encoding_layout(encoding, where);
  if (!code) code = encoding_learn_features(encoding, request->public_path);
  if (!code) code = encoding_layout(encoding, where);
  if (!code) code = features_check(&encoding->features, encoding->raw_columns, where);
  if (code) encoding_free(encoding);
  return code;
}

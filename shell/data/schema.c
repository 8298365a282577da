#include "data/schema.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

#define SCHEMA_TITLE "fumata encoding 1"
#define SCHEMA_EMPTY 0.5 /* scaled value of an empty cell where the schema gives a range alone: its middle */

/* What stands behind a backslash, and what it means. */
static const char schema_letters[] = "\\nrt", schema_bytes[] = "\\\n\r\t";

static const char *const schema_kinds[] = {
    [COLUMN_NUMBER] = "number", [COLUMN_LOG] = "log", [COLUMN_CATEGORY] = "category", [COLUMN_SKIP] = "skip"};

struct schema_state {
  struct encoding *encoding;
  const char *path;
  unsigned long line;
  size_t columns_capacity;
  size_t map_capacity; /* inputs for which the last step has room */
};

static int schema_fail(const struct schema_state *state, const char *cause) {
  return error_report(EXIT_INPUT, "%s:%lu: %s", state->path, state->line, cause);
}

/* Replaces the escapes in place. Returns the length, or -1 for an escape that is not known. */
static long schema_unescape(char *text) {
  char *in = text, *out = text;
  for (; *in; in++) {
    if (*in == '\\') {
      const char *letter = *++in ? strchr(schema_letters, *in) : NULL;
      if (!letter) return -1;
      *out++ = schema_bytes[letter - schema_letters];
    } else {
      *out++ = *in;
    }
  }
  *out = '\0';
  return out - text;
}

static void schema_escape(FILE *stream, const char *keyword, const char *text) {
  fprintf(stream, "%s ", keyword);
  for (; *text; text++) {
    const char *byte = strchr(schema_bytes, *text);
    if (byte)
      fprintf(stream, "\\%c", schema_letters[byte - schema_bytes]);
    else
      fputc(*text, stream);
  }
  fputc('\n', stream);
}

/* Up to `most` numbers separated by blanks. Returns how many, or -1 if something else stands there. */
static long schema_numbers(const char *text, double *number, size_t most) {
  size_t n = 0;
  for (;;) {
    size_t length;
    while (*text == ' ')
      text++;
    if (*text == '\0') return (long)n;
    length = strcspn(text, " ");
    if (n == most || number_parse(text, length, &number[n++]) != NUMBER_OK) return -1;
    text += length;
  }
}

static int schema_text(struct schema_state *state, char *text, char **into) {
  long length = schema_unescape(text);
  if (length <= 0) return schema_fail(state, length < 0 ? "an escape that is not known" : "a name is missing");
  if (*into) return schema_fail(state, "stated twice");
  *into = memory_copy(text, (size_t)length);
  return *into ? EXIT_OK : EXIT_SYSTEM;
}

static int schema_add(struct schema_state *state, char *text, struct nameset *set) {
  long length = schema_unescape(text);
  uint32_t before = set->count, number;
  int code;
  if (length <= 0) return schema_fail(state, length < 0 ? "an escape that is not known" : "a text is missing");
  code = nameset_add(set, text, (size_t)length, &number);
  if (code) return code;
  return set->count == before ? schema_fail(state, "stated twice") : EXIT_OK;
}

static int schema_class(struct schema_state *state, char *text, int is_alias) {
  char where[PATH_MAX + 32];
  long length = schema_unescape(text);
  if (length < 0) return schema_fail(state, "an escape that is not known");
  snprintf(where, sizeof where, "%.*s:%lu", PATH_MAX, state->path, state->line);
  return is_alias ? classes_alias(&state->encoding->classes, where, text, (size_t)length)
                  : classes_add(&state->encoding->classes, where, text, (size_t)length);
}

static int schema_column(struct schema_state *state, char *text) {
  struct encoding *encoding = state->encoding;
  struct column *column;
  size_t i;
  int code;
  if (encoding->column_count >= CSV_COLUMNS_MAX) return schema_fail(state, "too many columns");
  code = memory_grow(&encoding->column, &state->columns_capacity, encoding->column_count + 1, sizeof *encoding->column);
  if (code) return code;
  column = &encoding->column[encoding->column_count];
  memset(column, 0, sizeof *column);
  code = schema_text(state, text, &column->name);
  if (code) return code;
  encoding->column_count++;
  for (i = 0; i + 1 < encoding->column_count; i++)
    if (strcmp(encoding->column[i].name, column->name) == 0) return schema_fail(state, "a column stated twice");
  return EXIT_OK;
}

/* The column that the statement belongs to, or NULL. */
static struct column *schema_last_column(const struct schema_state *state) {
  const struct encoding *encoding = state->encoding;
  if (encoding->column_count) return &encoding->column[encoding->column_count - 1];
  schema_fail(state, "this belongs below a column");
  return NULL;
}

/* The kind of that keyword, or COLUMN_AUTO if it is none. */
static enum column_kind schema_kind(const char *keyword) {
  size_t i;
  for (i = COLUMN_NUMBER; i < sizeof schema_kinds / sizeof *schema_kinds; i++)
    if (strcmp(keyword, schema_kinds[i]) == 0) return (enum column_kind)i;
  return COLUMN_AUTO;
}

static int schema_range(struct schema_state *state, enum column_kind kind, const char *text) {
  struct column *column = schema_last_column(state);
  double number[3];
  long n;
  if (!column) return EXIT_INPUT;
  if (column->kind != COLUMN_AUTO) return schema_fail(state, "the column has a kind already");
  column->kind = kind;
  n = schema_numbers(text, number, 3);
  if (!column_is_numeric(column)) return n == 0 ? EXIT_OK : schema_fail(state, "nothing may follow here");
  if (n != 0 && n < 2) return schema_fail(state, "write the public range as LOW HIGH");
  if (n == 0) return EXIT_OK;
  if (number[0] > number[1]) return schema_fail(state, "the range ends before it starts");
  column->low = number[0];
  column->high = number[1];
  column->empty = n == 3 ? number[2] : SCHEMA_EMPTY;
  column->is_fitted = 1;
  return EXIT_OK;
}

static int schema_value(struct schema_state *state, char *text) {
  struct column *column = schema_last_column(state);
  if (!column) return EXIT_INPUT;
  if (column->kind != COLUMN_CATEGORY) return schema_fail(state, "a value, but the column is no category");
  column->is_fitted = 1;
  return schema_add(state, text, &column->categories);
}

static int schema_format(struct schema_state *state, const char *text) {
  enum format format = format_parse(text);
  if (format == FORMAT_AUTO) return schema_fail(state, "the format is csv, libsvm, idx or npy");
  state->encoding->format = format;
  return EXIT_OK;
}

static int schema_delimiter(struct schema_state *state, char *text) {
  long length = schema_unescape(text);
  state->encoding->style.delimiter = length > 0 ? csv_delimiter(text) : 0;
  if (state->encoding->style.delimiter) return EXIT_OK;
  return schema_fail(state, "a delimiter is one character, such as ; or |, or the word tab");
}

static int schema_header(struct schema_state *state, const char *text) {
  if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) return schema_fail(state, "header yes or header no");
  state->encoding->style.no_header = text[0] == 'n';
  return EXIT_OK;
}

/* A whole number from 1 to `most`, which is no more than 32 bits hold. */
static int schema_is_whole(double number, double most) {
  return number >= 1 && number <= most && number == (double)(uint32_t)number;
}

static int schema_inputs(struct schema_state *state, const char *text) {
  double n;
  if (number_parse(text, strlen(text), &n) != NUMBER_OK || !schema_is_whole(n, ROWS_COLUMNS_MAX))
    return schema_fail(state, "inputs is a number from 1 to 16777216");
  state->encoding->raw_columns = (uint32_t)n;
  return EXIT_OK;
}

/* "hog 28 28", "raw+hog 28 28": a step for images of that shape. */
static int schema_hog(struct schema_state *state, const char *text, int keeps) {
  struct features *features = &state->encoding->features;
  struct transform *step;
  double shape[2];
  if (features->count || schema_numbers(text, shape, 2) != 2 || !schema_is_whole(shape[0], UINT16_MAX) ||
      !schema_is_whole(shape[1], UINT16_MAX))
    return schema_fail(state, "hog is the first step and has rows and columns behind it");
  step = features_add(features, TRANSFORM_HOG);
  step->keeps = keeps;
  return transform_shape(step, (uint32_t)shape[0], (uint32_t)shape[1]);
}

static int schema_features(struct schema_state *state, const char *text) {
  struct features *features = &state->encoding->features;
  struct transform *step;
  double n = 1;
  int is_pca = strncmp(text, "pca ", 4) == 0, is_range = strcmp(text, "range") == 0;
  if (strcmp(text, "raw") == 0) return features->count ? schema_fail(state, "stated twice") : EXIT_OK;
  if (strncmp(text, "hog ", 4) == 0) return schema_hog(state, text + 4, 0);
  if (strncmp(text, "raw+hog ", 8) == 0) return schema_hog(state, text + 8, 1);
  if (is_pca && number_parse(text + 4, strlen(text + 4), &n) != NUMBER_OK) n = 0;
  if ((!is_pca && !is_range && strcmp(text, "standard") != 0) || !schema_is_whole(n, TRANSFORM_PCA_MAX))
    return schema_fail(state, "features is raw, [raw+]hog ROWS COLUMNS, standard, range or pca N");
  step = features_add(features, is_pca ? TRANSFORM_PCA : is_range ? TRANSFORM_RANGE : TRANSFORM_STANDARD);
  if (!step) return schema_fail(state, "too many steps");
  if (is_pca) step->outputs = (uint32_t)n;
  state->map_capacity = 0;
  return EXIT_OK;
}

/* One input of the last step: its mean, then its scale (standard, range) or its entry in each axis (pca). */
static int schema_map(struct schema_state *state, const char *text) {
  struct features *features = &state->encoding->features;
  struct transform *transform = &features->step[features->count ? features->count - 1 : 0];
  size_t width = transform->kind == TRANSFORM_PCA ? transform->outputs : 1, at = transform->inputs;
  size_t same = state->map_capacity, i;
  float **many = transform->kind == TRANSFORM_PCA ? &transform->axes : &transform->scale;
  double *number;
  int code;
  if (!features->count || transform->kind == TRANSFORM_HOG)
    return schema_fail(state, "a map, but the features are raw or hog");
  if (at >= TRANSFORM_STANDARD_MAX) return schema_fail(state, "too many map lines");
  code = memory_grow(many, &same, at + 1, width * sizeof **many);
  if (!code) code = memory_grow(&transform->mean, &state->map_capacity, at + 1, sizeof *transform->mean);
  if (!code) code = memory_take(&number, width + 1, sizeof *number);
  if (code) return code;
  if (schema_numbers(text, number, width + 1) != (long)width + 1) {
    free(number);
    return schema_fail(state, "a map line has a mean and one number for each output");
  }
  transform->mean[at] = (float)number[0];
  for (i = 0; i < width; i++)
    (*many)[at * width + i] = (float)number[i + 1];
  transform->inputs++;
  if (transform->kind != TRANSFORM_PCA) transform->outputs = transform->inputs;
  free(number);
  return EXIT_OK;
}

static int schema_layout(struct schema_state *state, const char *text) {
  if (strcmp(text, "dense") != 0 && strcmp(text, "sparse") != 0)
    return schema_fail(state, "the layout is dense or sparse");
  state->encoding->raw_is_dense = text[0] == 'd';
  return EXIT_OK;
}

static int schema_statement(struct schema_state *state, const char *keyword, char *text) {
  struct encoding *encoding = state->encoding;
  if (strcmp(keyword, "format") == 0) return schema_format(state, text);
  if (strcmp(keyword, "delimiter") == 0) return schema_delimiter(state, text);
  if (strcmp(keyword, "header") == 0) return schema_header(state, text);
  if (strcmp(keyword, "label") == 0) return schema_text(state, text, &encoding->label);
  if (strcmp(keyword, "unit") == 0) return schema_text(state, text, &encoding->unit);
  if (strcmp(keyword, "class") == 0) return schema_class(state, text, 0);
  if (strcmp(keyword, "alias") == 0) return schema_class(state, text, 1);
  if (strcmp(keyword, "missing") == 0) return schema_add(state, text, &encoding->missing);
  if (strcmp(keyword, "column") == 0) return schema_column(state, text);
  if (schema_kind(keyword) != COLUMN_AUTO) return schema_range(state, schema_kind(keyword), text);
  if (strcmp(keyword, "value") == 0) return schema_value(state, text);
  if (strcmp(keyword, "inputs") == 0) return schema_inputs(state, text);
  if (strcmp(keyword, "layout") == 0) return schema_layout(state, text);
  if (strcmp(keyword, "features") == 0) return schema_features(state, text);
  if (strcmp(keyword, "map") == 0) return schema_map(state, text);
  return schema_fail(state, "a statement that is not known");
}

/* One line: blanks, keyword, one space, text. *is_end for the line "end". */
static int schema_line(struct schema_state *state, char *text, size_t length, int *is_end) {
  char *keyword, *space;
  if (memchr(text, '\0', length)) return schema_fail(state, "a NUL byte: this is not a text file");
  if (length && text[length - 1] == '\n') text[--length] = '\0';
  if (length && text[length - 1] == '\r') text[--length] = '\0';
  if (state->line == 1) text += lines_mark(text, length);
  keyword = text + strspn(text, " \t");
  if (*keyword == '\0' || *keyword == '#') return EXIT_OK;
  if (strcmp(keyword, SCHEMA_TITLE) == 0) return EXIT_OK;
  if (strcmp(keyword, "end") == 0) {
    *is_end = 1;
    return EXIT_OK;
  }
  space = strchr(keyword, ' ');
  if (space)
    *space++ = '\0';
  else
    space = keyword + strlen(keyword);
  return schema_statement(state, keyword, space);
}

int schema_read(struct encoding *encoding, FILE *stream, const char *path, int must_end) {
  struct schema_state state = {encoding, path, 0, 0, 0};
  char *text = NULL;
  size_t capacity = 0;
  int is_end = 0, code = EXIT_OK;
  encoding_init(encoding);
  while (!code && !is_end) {
    ssize_t length = getline(&text, &capacity, stream);
    if (length < 0) break;
    state.line++;
    code = schema_line(&state, text, (size_t)length, &is_end);
  }
  free(text);
  if (!code && (ferror(stream) || (must_end && !is_end)))
    code = error_report(EXIT_INPUT, "%s: the encoding is cut off", path);
  if (!code) {
    if (encoding->format == FORMAT_AUTO && encoding->column_count) encoding->format = FORMAT_CSV;
    for (size_t s = 0; !code && s < encoding->features.count; s++)
      code = transform_prepare(&encoding->features.step[s]);
  }
  if (code) encoding_free(encoding);
  return code;
}

static void schema_write_column(const struct column *column, FILE *stream) {
  uint32_t i;
  schema_escape(stream, "column", column->name);
  if (column->kind == COLUMN_AUTO) return;
  fprintf(stream, "  %s", schema_kinds[column->kind]);
  if (column_is_numeric(column) && column->is_fitted)
    fprintf(stream, " %.17g %.17g %.17g", column->low, column->high, column->empty);
  fputc('\n', stream);
  if (column->kind == COLUMN_CATEGORY)
    for (i = 0; i < column->categories.count; i++)
      schema_escape(stream, "  value", nameset_text(&column->categories, i));
}

static void schema_write_transform(const struct transform *transform, FILE *stream) {
  size_t width = transform->kind == TRANSFORM_PCA ? transform->outputs : 1, i, j;
  const float *many = transform->kind == TRANSFORM_PCA ? transform->axes : transform->scale;
  if (transform->kind == TRANSFORM_HOG)
    fprintf(stream, "features %s %u %u\n", transform->keeps ? "raw+hog" : "hog", transform->hog.rows,
            transform->hog.columns);
  if (transform->kind == TRANSFORM_STANDARD) fputs("features standard\n", stream);
  if (transform->kind == TRANSFORM_RANGE) fputs("features range\n", stream);
  if (transform->kind == TRANSFORM_PCA) fprintf(stream, "features pca %u\n", transform->outputs);
  if (!many) return;
  for (i = 0; i < transform->inputs; i++) { /* nine digits give a float back exactly */
    fprintf(stream, "map %.9g", (double)transform->mean[i]);
    for (j = 0; j < width; j++)
      fprintf(stream, " %.9g", (double)many[i * width + j]);
    fputc('\n', stream);
  }
}

int schema_write(const struct encoding *encoding, FILE *stream) {
  const char *format = format_keyword(encoding->format);
  size_t i;
  fputs(SCHEMA_TITLE "\n", stream);
  if (format) fprintf(stream, "format %s\n", format);
  if (encoding->style.delimiter) schema_escape(stream, "delimiter", (char[]){encoding->style.delimiter, '\0'});
  if (encoding->style.no_header) fputs("header no\n", stream);
  if (encoding->label) schema_escape(stream, "label", encoding->label);
  if (encoding->unit) schema_escape(stream, "unit", encoding->unit);
  for (i = 0; i < encoding->classes.count; i++) {
    size_t s;
    schema_escape(stream, "class", encoding->classes.name[i]);
    for (s = 0; s < encoding->classes.spellings; s++)
      if (encoding->classes.spelling[s].label == i && encoding->classes.spelling[s].text != encoding->classes.name[i])
        schema_escape(stream, "alias", encoding->classes.spelling[s].text);
  }
  for (i = 0; encoding->format == FORMAT_CSV && i < encoding->missing.count; i++)
    schema_escape(stream, "missing", nameset_text(&encoding->missing, (uint32_t)i));
  for (i = 0; i < encoding->column_count; i++)
    schema_write_column(&encoding->column[i], stream);
  if (encoding->format != FORMAT_CSV && encoding->raw_columns)
    fprintf(stream, "inputs %u\nlayout %s\n", encoding->raw_columns, encoding->raw_is_dense ? "dense" : "sparse");
  if (!encoding->features.count) fputs("features raw\n", stream);
  for (i = 0; i < encoding->features.count; i++)
    schema_write_transform(&encoding->features.step[i], stream);
  fputs("end\n", stream);
  if (ferror(stream)) return error_report(EXIT_SYSTEM, "cannot write the encoding");
  return EXIT_OK;
}

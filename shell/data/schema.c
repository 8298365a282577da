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

static const char *const schema_kinds[] = {[COLUMN_NUMBER] = "number",
                                           [COLUMN_LOG] = "log",
                                           [COLUMN_CATEGORY] = "category",
                                           [COLUMN_SKIP] = "skip",
                                           [COLUMN_DATE] = "date"};

struct schema_state {
  struct encoding *encoding;
  const char *path;
  unsigned long line;
  int which; /* of the statements that one function takes */
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

/* A name that is stated once. */
static int schema_text(struct schema_state *state, char *text, char **into) {
  long length = schema_unescape(text);
  if (length <= 0) return schema_fail(state, length < 0 ? "an escape that is not known" : "a name is missing");
  if (*into) return schema_fail(state, "stated twice");
  *into = memory_copy(text, (size_t)length);
  return *into ? EXIT_OK : EXIT_SYSTEM;
}

/* One of several texts. */
static int schema_add(struct schema_state *state, char *text, struct nameset *set) {
  long length = schema_unescape(text);
  uint32_t before = set->count, number;
  int code;
  if (length <= 0) return schema_fail(state, length < 0 ? "an escape that is not known" : "a text is missing");
  code = nameset_add(set, text, (size_t)length, &number);
  if (code) return code;
  return set->count == before ? schema_fail(state, "stated twice") : EXIT_OK;
}

/* A whole number from 1 to `most`, which fits into 32 bits. */
static int schema_is_whole(double number, double most) {
  return number >= 1 && number <= most && number == (double)(uint32_t)number;
}

/* ---- statements on the whole file ---- */

static int schema_format(struct schema_state *state, char *text) {
  const struct format *format = format_find(text);
  char keywords[FORMAT_NAMES] = "";
  size_t used = 0;
  state->encoding->format = format;
  for (size_t i = 0; !format && format_at(i) && used < sizeof keywords; i++)
    used += (size_t)snprintf(keywords + used, sizeof keywords - used, "%s%s", i ? ", " : "", format_at(i)->keyword);
  return format ? EXIT_OK
                : error_report(EXIT_INPUT, "%s:%lu: the format is one of %s", state->path, state->line, keywords);
}

static int schema_delimiter(struct schema_state *state, char *text) {
  state->encoding->style.delimiter = schema_unescape(text) > 0 ? csv_delimiter(text) : 0;
  if (state->encoding->style.delimiter) return EXIT_OK;
  return schema_fail(state, "a delimiter is one character, such as ; or |, or the word tab");
}

static int schema_decimal(struct schema_state *state, char *text) {
  if (strcmp(text, ",") != 0 && strcmp(text, ".") != 0) return schema_fail(state, "decimal , or decimal .");
  state->encoding->style.decimal = text[0] == ',' ? ',' : 0;
  return EXIT_OK;
}

static int schema_header(struct schema_state *state, char *text) {
  if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) return schema_fail(state, "header yes or header no");
  state->encoding->style.no_header = text[0] == 'n';
  return EXIT_OK;
}

/* The label's column, or the unit's. */
static int schema_name(struct schema_state *state, char *text) {
  return schema_text(state, text, state->which ? &state->encoding->unit : &state->encoding->label);
}

/* One more class, or another spelling of the last one. */
static int schema_class(struct schema_state *state, char *text) {
  char where[PATH_MAX + 32];
  long length = schema_unescape(text);
  if (length < 0) return schema_fail(state, "an escape that is not known");
  snprintf(where, sizeof where, "%.*s:%lu", PATH_MAX, state->path, state->line);
  return state->which ? classes_alias(&state->encoding->classes, where, text, (size_t)length)
                      : classes_add(&state->encoding->classes, where, text, (size_t)length);
}

static int schema_missing(struct schema_state *state, char *text) {
  return schema_add(state, text, &state->encoding->missing);
}

static int schema_inputs(struct schema_state *state, char *text) {
  double n;
  if (number_parse(text, strlen(text), &n) != NUMBER_OK || !schema_is_whole(n, ROWS_COLUMNS_MAX))
    return schema_fail(state, "inputs is a number from 1 to 16777216");
  state->encoding->raw_columns = (uint32_t)n;
  return EXIT_OK;
}

static int schema_layout(struct schema_state *state, char *text) {
  if (strcmp(text, "dense") != 0 && strcmp(text, "sparse") != 0)
    return schema_fail(state, "the layout is dense or sparse");
  state->encoding->raw_is_dense = text[0] == 'd';
  return EXIT_OK;
}

/* ---- statements on a column ---- */

static int schema_column(struct schema_state *state, char *text) {
  struct encoding *encoding = state->encoding;
  struct column *column;
  int code;
  if (encoding->column_count >= CSV_COLUMNS_MAX) return schema_fail(state, "too many columns");
  code = memory_grow(&encoding->column, &state->columns_capacity, encoding->column_count + 1, sizeof *encoding->column);
  if (code) return code;
  column = &encoding->column[encoding->column_count];
  memset(column, 0, sizeof *column);
  code = schema_text(state, text, &column->name);
  if (code) return code;
  encoding->column_count++;
  for (size_t i = 0; i + 1 < encoding->column_count; i++)
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

/* The order of a date, with which its statement begins. */
static int schema_order(struct column *column, char **text) {
  char *end = *text + strcspn(*text, " "), behind = *end;
  *end = '\0';
  column->order = date_order_find(*text);
  *text = behind ? end + 1 : end;
  return column->order != DATE_ORDERS;
}

static int schema_kind(struct schema_state *state, char *text) {
  struct column *column = schema_last_column(state);
  double number[3];
  long n;
  if (!column) return EXIT_INPUT;
  if (column->kind != COLUMN_AUTO) return schema_fail(state, "the column has a kind already");
  column->kind = (enum column_kind)state->which;
  if (column->kind == COLUMN_DATE && !schema_order(column, &text))
    return schema_fail(state, "a date has its order: date ymd, date dmy or date mdy");
  n = schema_numbers(text, number, 3);
  if (!column_has_range(column)) return n == 0 ? EXIT_OK : schema_fail(state, "nothing may follow here");
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
  if (column->kind != COLUMN_CATEGORY) return schema_fail(state, "a value, but the column is not a category");
  column->is_fitted = 1;
  return schema_add(state, text, &column->categories);
}

/* ---- statements on features ---- */

/* "hog 28 28", "raw+hog 28 28": a step for images of that shape. */
static int schema_hog(struct schema_state *state, const char *text, int keeps) {
  struct features *features = &state->encoding->features;
  struct features_step *step;
  double shape[2];
  if (features->count || schema_numbers(text, shape, 2) != 2 || !schema_is_whole(shape[0], UINT16_MAX) ||
      !schema_is_whole(shape[1], UINT16_MAX))
    return schema_fail(state, "hog is the first step and has rows and columns behind it");
  step = features_add(features, FEATURES_HOG);
  step->keeps = keeps;
  return features_shape(step, (uint32_t)shape[0], (uint32_t)shape[1]);
}

static int schema_features(struct schema_state *state, char *text) {
  struct features *features = &state->encoding->features;
  struct features_step *step;
  double n = 1;
  int is_pca = strncmp(text, "pca ", 4) == 0, is_range = strcmp(text, "range") == 0;
  if (strcmp(text, "raw") == 0) return features->count ? schema_fail(state, "stated twice") : EXIT_OK;
  if (strncmp(text, "hog ", 4) == 0) return schema_hog(state, text + 4, 0);
  if (strncmp(text, "raw+hog ", 8) == 0) return schema_hog(state, text + 8, 1);
  if (is_pca && number_parse(text + 4, strlen(text + 4), &n) != NUMBER_OK) n = 0;
  if ((!is_pca && !is_range && strcmp(text, "standard") != 0) || !schema_is_whole(n, FEATURES_PCA_MAX))
    return schema_fail(state, "features is raw, [raw+]hog ROWS COLUMNS, standard, range or pca N");
  step = features_add(features, is_pca ? FEATURES_PCA : is_range ? FEATURES_RANGE : FEATURES_STANDARD);
  if (!step) return schema_fail(state, "too many steps");
  if (is_pca) step->outputs = (uint32_t)n;
  state->map_capacity = 0;
  return EXIT_OK;
}

/* One input of the last step: its mean, then its scale (standard, range) or its entry in each axis (pca). */
static int schema_map(struct schema_state *state, char *text) {
  struct features *features = &state->encoding->features;
  struct features_step *step = &features->step[features->count ? features->count - 1 : 0];
  size_t width = step->kind == FEATURES_PCA ? step->outputs : 1, at = step->inputs, same = state->map_capacity;
  float **many = step->kind == FEATURES_PCA ? &step->axes : &step->scale;
  double *number = NULL;
  int code;
  if (!features->count || step->kind == FEATURES_HOG)
    return schema_fail(state, "a map, but the features are raw or hog");
  if (at >= FEATURES_STANDARD_MAX) return schema_fail(state, "too many map lines");
  code = memory_grow(many, &same, at + 1, width * sizeof **many);
  if (!code) code = memory_grow(&step->mean, &state->map_capacity, at + 1, sizeof *step->mean);
  if (!code) code = memory_take(&number, width + 1, sizeof *number);
  if (!code && schema_numbers(text, number, width + 1) != (long)width + 1)
    code = schema_fail(state, "a map line has a mean and one number for each output");
  if (!code) {
    step->mean[at] = (float)number[0];
    for (size_t i = 0; i < width; i++)
      (*many)[at * width + i] = (float)number[i + 1];
    step->inputs++;
    if (step->kind != FEATURES_PCA) step->outputs = step->inputs;
  }
  free(number);
  return code;
}

/* ---- reading ---- */

static const struct {
  const char *keyword;
  int (*take)(struct schema_state *state, char *text);
  int which; /* of several that it takes */
} schema_statements[] = {{"format", schema_format, 0},       {"delimiter", schema_delimiter, 0},
                         {"decimal", schema_decimal, 0},     {"date", schema_kind, COLUMN_DATE},
                         {"header", schema_header, 0},       {"label", schema_name, 0},
                         {"unit", schema_name, 1},           {"class", schema_class, 0},
                         {"alias", schema_class, 1},         {"missing", schema_missing, 0},
                         {"column", schema_column, 0},       {"number", schema_kind, COLUMN_NUMBER},
                         {"log", schema_kind, COLUMN_LOG},   {"category", schema_kind, COLUMN_CATEGORY},
                         {"skip", schema_kind, COLUMN_SKIP}, {"value", schema_value, 0},
                         {"inputs", schema_inputs, 0},       {"layout", schema_layout, 0},
                         {"features", schema_features, 0},   {"map", schema_map, 0}};

static int schema_line(struct schema_state *state, char *text, size_t length, int *is_end) {
  char *keyword, *rest;
  if (memchr(text, '\0', length)) return schema_fail(state, "a NUL byte: this is not a text file");
  if (length && text[length - 1] == '\n') text[--length] = '\0';
  if (length && text[length - 1] == '\r') text[--length] = '\0';
  if (state->line == 1) text += lines_mark(text, length);
  keyword = text + strspn(text, " \t");
  if (*keyword == '\0' || *keyword == '#' || strcmp(keyword, SCHEMA_TITLE) == 0) return EXIT_OK;
  *is_end = strcmp(keyword, "end") == 0;
  if (*is_end) return EXIT_OK;
  rest = keyword + strcspn(keyword, " ");
  if (*rest) *rest++ = '\0';
  for (size_t i = 0; i < sizeof schema_statements / sizeof *schema_statements; i++)
    if (strcmp(keyword, schema_statements[i].keyword) == 0) {
      state->which = schema_statements[i].which;
      return schema_statements[i].take(state, rest);
    }
  return schema_fail(state, "a statement that is not known");
}

int schema_read(struct encoding *encoding, FILE *stream, const char *path, int must_end) {
  struct schema_state state = {.encoding = encoding, .path = path};
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
  if (!code && !encoding->format && encoding->column_count) encoding->format = &format_csv;
  for (size_t s = 0; !code && s < encoding->features.count; s++)
    code = features_prepare(&encoding->features.step[s]);
  if (code) encoding_free(encoding);
  return code;
}

static void schema_write_column(const struct column *column, FILE *stream) {
  schema_escape(stream, "column", column->name);
  if (column->kind == COLUMN_AUTO) return;
  fprintf(stream, "  %s", schema_kinds[column->kind]);
  if (column->kind == COLUMN_DATE) fprintf(stream, " %s", date_order_name(column->order));
  if (column_has_range(column) && column->is_fitted)
    fprintf(stream, " %.17g %.17g %.17g", column->low, column->high, column->empty);
  fputc('\n', stream);
  if (column->kind == COLUMN_CATEGORY)
    for (uint32_t i = 0; i < column->categories.count; i++)
      schema_escape(stream, "  value", nameset_text(&column->categories, i));
}

static void schema_write_step(const struct features_step *step, FILE *stream) {
  size_t width = step->kind == FEATURES_PCA ? step->outputs : 1;
  const float *many = step->kind == FEATURES_PCA ? step->axes : step->scale;
  fprintf(stream, "features %s%s", step->keeps ? "raw+" : "", features_name(step->kind));
  if (step->kind == FEATURES_HOG) fprintf(stream, " %u %u", step->hog.rows, step->hog.columns);
  if (step->kind == FEATURES_PCA) fprintf(stream, " %u", step->outputs);
  fputc('\n', stream);
  for (size_t i = 0; many && i < step->inputs; i++) { /* nine digits give a float back exactly */
    fprintf(stream, "map %.9g", (double)step->mean[i]);
    for (size_t j = 0; j < width; j++)
      fprintf(stream, " %.9g", (double)many[i * width + j]);
    fputc('\n', stream);
  }
}

int schema_write(const struct encoding *encoding, FILE *stream) {
  const struct classes *classes = &encoding->classes;
  int has_columns = encoding->format && !(encoding->format->traits & FORMAT_NUMBERS);
  fputs(SCHEMA_TITLE "\n", stream);
  if (encoding->format) fprintf(stream, "format %s\n", encoding->format->keyword);
  if (encoding->style.delimiter) schema_escape(stream, "delimiter", (char[]){encoding->style.delimiter, '\0'});
  if (encoding->style.decimal) fputs("decimal ,\n", stream);
  if (encoding->style.no_header) fputs("header no\n", stream);
  if (encoding->label) schema_escape(stream, "label", encoding->label);
  if (encoding->unit) schema_escape(stream, "unit", encoding->unit);
  for (uint32_t i = 0; i < classes->count; i++) {
    schema_escape(stream, "class", classes->name[i]);
    for (size_t s = 0; s < classes->spellings; s++)
      if (classes->spelling[s].label == i && classes->spelling[s].text != classes->name[i])
        schema_escape(stream, "alias", classes->spelling[s].text);
  }
  for (uint32_t i = 0; has_columns && i < encoding->missing.count; i++)
    schema_escape(stream, "missing", nameset_text(&encoding->missing, i));
  for (size_t i = 0; i < encoding->column_count; i++)
    schema_write_column(&encoding->column[i], stream);
  if (!has_columns && encoding->raw_columns)
    fprintf(stream, "inputs %u\nlayout %s\n", encoding->raw_columns, encoding->raw_is_dense ? "dense" : "sparse");
  if (!encoding->features.count) fputs("features raw\n", stream);
  for (size_t i = 0; i < encoding->features.count; i++)
    schema_write_step(&encoding->features.step[i], stream);
  fputs("end\n", stream);
  if (ferror(stream)) return error_report(EXIT_SYSTEM, "cannot write the encoding");
  return EXIT_OK;
}

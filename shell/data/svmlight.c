#include "data/svmlight.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/reader.h"

/* The shortest entry and what separates it from the next are four bytes, as in "1:1 ". */
size_t svmlight_room(size_t length) {
  return length / 4 + 1;
}

static int svmlight_fail(struct svmlight *line, size_t at, const char *cause) {
  line->cause = cause;
  line->column = at + 1;
  return -1;
}

static size_t svmlight_blanks(const char *text, size_t length, size_t at) {
  while (at < length && (text[at] == ' ' || text[at] == '\t'))
    at++;
  return at;
}

int svmlight_recognise(const unsigned char *bytes, size_t length) {
  const char *text = (const char *)bytes;
  size_t at = 0, used, end;
  double number;
  while (at < length && (text[at] == '#' || text[at] == '\n')) { /* remarks first */
    const char *next = memchr(text + at, '\n', length - at);
    if (!next) return 0;
    at = (size_t)(next - text) + 1;
  }
  at = svmlight_blanks(text, length, at);
  if (number_scan(text + at, length - at, &number, &used) == NUMBER_NONE) return 0;
  at += used;
  if (at < length && text[at] == ':') return 1;
  end = at;
  at = svmlight_blanks(text, length, at);
  if (at == length || text[at] == '\n' || text[at] == '\r' || text[at] == '#') return 1; /* a label without entries */
  if (at == end) return 0;
  while (at < length && text[at] >= '0' && text[at] <= '9')
    at++;
  return at < length && text[at] == ':';
}

/* The word at text[*at] is the label, and passed over, unless it is the first index:value. */
static struct cell svmlight_label(const char *text, size_t length, size_t *at) {
  size_t begin = *at, end = begin;
  for (; end < length && text[end] != ' ' && text[end] != '\t'; end++)
    if (text[end] == ':') return (struct cell){NULL, 0};
  *at = end;
  return (struct cell){text + begin, end - begin};
}

int svmlight_parse(const char *text, size_t length, uint32_t columns, uint32_t *index, float *value,
                   struct svmlight *line) {
  size_t at = svmlight_blanks(text, length, 0), used;
  memset(line, 0, sizeof *line);
  if (at < length && text[at] != '#') line->label = svmlight_label(text, length, &at);
  for (;;) {
    size_t token = at = svmlight_blanks(text, length, at);
    uint32_t number = 0;
    double parsed;
    enum number_status status;
    if (at >= length || text[at] == '#') return 0;
    for (; at < length && (unsigned char)(text[at] - '0') < 10; at++) {
      number = number * 10 + (uint32_t)(text[at] - '0');
      if (number > ROWS_COLUMNS_MAX) return svmlight_fail(line, token, "an index above 16777216");
    }
    if (at == token || at >= length || text[at] != ':')
      return svmlight_fail(line, token, "not of the form index:value");
    if (number == 0) return svmlight_fail(line, token, "index 0: indices count from 1");
    if (number <= line->largest) return svmlight_fail(line, token, "indices must ascend");
    line->largest = number;
    at++;
    status = number_scan(text + at, length - at, &parsed, &used);
    if (status == NUMBER_NONE || (at + used < length && text[at + used] != ' ' && text[at + used] != '\t'))
      return svmlight_fail(line, at, "the value is not a number");
    if (status == NUMBER_NOT_FINITE || parsed > FLT_MAX || parsed < -FLT_MAX)
      return svmlight_fail(line, at, "the value is not finite");
    at += used;
    if (number <= columns && (float)parsed != 0) {
      index[line->entries] = number - 1;
      value[line->entries++] = (float)parsed;
    }
  }
}

/* ---- as a format of records ---- */

/* The next line that is neither empty nor a remark. Its label is the first word, unless that is index:value. */
static int svmlight_next(struct source *source, int *more) {
  size_t length, at;
  char *text;
  *more = 0;
  do {
    int code = lines_next(&source->lines, &text, &length);
    if (code || !text) return code;
    at = svmlight_blanks(text, length, 0);
  } while (at == length || text[at] == '#');
  source->record = (struct cell){text, length};
  source->label = svmlight_label(text, length, &at);
  *more = 1;
  return EXIT_OK;
}

/* The current record's entries into arrays that have room for them. */
static int svmlight_entries(const struct source *source, uint32_t columns, uint32_t *index, float *value,
                            struct svmlight *line) {
  if (svmlight_parse(source->record.text, source->record.length, columns, index, value, line) == 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s:%llu:%zu: %s", source->stream.path, (unsigned long long)source->lines.line,
                      line->column, line->cause);
}

/* How many columns there are, unless the schema says so, and whether most of them are zero. */
static int svmlight_fit(struct encoding *encoding, struct source *source) {
  uint32_t *index = NULL, largest = 0;
  float *value = NULL;
  size_t indices = 0, values = 0;
  uint64_t entries = 0;
  struct svmlight line;
  int more = 1, code = EXIT_OK;
  while (!code && more) {
    code = source_next(source, &more);
    if (code || !more) break;
    code = memory_grow(&index, &indices, svmlight_room(source->record.length), sizeof *index);
    if (!code) code = memory_grow(&value, &values, svmlight_room(source->record.length), sizeof *value);
    if (!code) code = svmlight_entries(source, ROWS_COLUMNS_MAX, index, value, &line);
    if (code) break;
    if (line.largest > largest) largest = line.largest;
    entries += line.entries;
  }
  free(index);
  free(value);
  if (code || encoding->raw_columns) return code;
  encoding->raw_columns = largest;
  encoding->raw_is_dense =
      (double)entries >= ENCODING_DENSE_LIBSVM * (double)(source->at - source->first) * (double)largest;
  return EXIT_OK;
}

/* On its way into dense rows the line is a sparse row of its own. */
static int svmlight_add(struct reader *reader, struct rows *rows, int32_t label, uint64_t unit) {
  struct rows *target = rows->is_dense ? &reader->line : rows;
  const struct source *source = &reader->source;
  struct svmlight line;
  size_t begin;
  int code = rows->is_dense ? rows_reserve_one(rows, 0) : EXIT_OK;
  if (rows->is_dense) rows_clear(target);
  if (!code) code = rows_reserve_one(target, svmlight_room(source->record.length));
  if (code) return code;
  begin = target->start[target->count];
  code = svmlight_entries(source, reader->encoding->raw_columns, target->index + begin, target->value + begin, &line);
  if (code) return code;
  if (rows->is_dense) {
    float *row = rows_push_dense(rows, label, unit, source->lines.line);
    for (size_t e = begin; e < begin + line.entries; e++)
      row[target->index[e]] = target->value[e];
  } else {
    rows_push_sparse(rows, begin + line.entries, label, unit, source->lines.line);
  }
  return EXIT_OK;
}

const struct format format_libsvm = {.name = "LIBSVM",
                                     .keyword = "libsvm",
                                     .traits = FORMAT_NUMBERS | FORMAT_OMITS_ZEROS,
                                     .recognise = svmlight_recognise,
                                     .next = svmlight_next,
                                     .fit = svmlight_fit,
                                     .add = svmlight_add};

#include "data/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/amid.h"
#include "base/error.h"
#include "base/memory.h"

#define CSV_BLOCK AMID_MARGIN /* bytes that are looked at together */

char csv_delimiter(const char *text) {
  if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) return '\t';
  if (!text[0] || text[1]) return 0;
  return strchr(",;|:!#$%&*/<=>?@^_~\t\x1f", text[0]) ? text[0] : 0;
}

void csv_init(struct csv *csv, struct lines *lines, char delimiter) {
  memset(csv, 0, sizeof *csv);
  csv->lines = lines;
  csv->delimiter = delimiter ? delimiter : ',';
}

void csv_free(struct csv *csv) {
  free(csv->cell);
  free(csv->copy);
  memset(csv, 0, sizeof *csv);
}

static int csv_error(const struct csv *csv, size_t column, const char *cause) {
  return error_report(EXIT_INPUT, "%s:%llu:%zu: %s", csv->lines->stream->path, (unsigned long long)csv->lines->line,
                      column, cause);
}

/* A tab that separates is not a blank. */
static inline int csv_is_blank(const struct csv *csv, char c) {
  return c == ' ' || (c == '\t' && csv->delimiter != '\t');
}

/* Is the record still inside quotes at its end? *at and *is_inside carry the scan over to the extended record, so that
 * a cell of many lines is looked at once. */
static int csv_is_open(const struct csv *csv, const char *text, size_t length, size_t *at, int *is_inside) {
  size_t i = *at;
  int is_start = i == 0; /* only blanks since the last delimiter */
  for (; i < length; i++) {
    if (*is_inside) {
      const char *quote = memchr(text + i, '"', length - i);
      if (!quote) break;
      i = (size_t)(quote - text);
      if (i + 1 < length && text[i + 1] == '"')
        i++;
      else
        *is_inside = 0;
      is_start = 0;
    } else if (text[i] == csv->delimiter) {
      is_start = 1;
    } else if (text[i] == '"' && is_start) {
      *is_inside = 1;
    } else if (!csv_is_blank(csv, text[i])) {
      is_start = 0;
    }
  }
  *at = length;
  return *is_inside;
}

/* Room for `more` further cells, one of which is sure to come. */
static int csv_reserve(struct csv *csv, size_t more) {
  if (csv->cells >= CSV_COLUMNS_MAX) return csv_error(csv, CSV_COLUMNS_MAX + 1, "too many columns");
  if (csv->cells + more <= csv->capacity) return EXIT_OK;
  return memory_grow(&csv->cell, &csv->capacity, csv->cells + more, sizeof *csv->cell);
}

/* A quoted cell that starts at text[i] (the quote), for which there is room: the content is moved together in place. Sets
 * *next behind it. */
static int csv_quoted(struct csv *csv, char *text, size_t length, size_t i, size_t *next) {
  size_t out = ++i, begin = i;
  for (;; i++) {
    if (i >= length) return csv_error(csv, csv->cells + 1, "a quote that is never closed");
    if (text[i] == '"') {
      if (i + 1 >= length || text[i + 1] != '"') break;
      i++;
    }
    text[out++] = text[i];
  }
  for (i++; i < length && csv_is_blank(csv, text[i]); i++)
    continue;
  if (i < length && text[i] != csv->delimiter) return csv_error(csv, csv->cells + 1, "text after a closing quote");
  *next = i;
  csv->cell[csv->cells++] = (struct cell){text + begin, out - begin};
  return EXIT_OK;
}

static int csv_split(struct csv *csv, char *text, size_t length) {
  csv->cells = 0;
  for (size_t i = 0;; i++) {
    int code = csv_reserve(csv, 1);
    while (i < length && csv_is_blank(csv, text[i]))
      i++;
    if (!code && i < length && text[i] == '"') {
      code = csv_quoted(csv, text, length, i, &i);
    } else if (!code) {
      size_t begin = i, end;
      while (i < length && text[i] != csv->delimiter)
        i++;
      for (end = i; end > begin && csv_is_blank(csv, text[end - 1]); end--)
        continue;
      csv->cell[csv->cells++] = (struct cell){text + begin, end - begin};
    }
    if (code || i >= length) return code;
  }
}

/* The cell from `at` to `stop`, of a record without quotes. */
static inline struct cell csv_trim(const struct csv *csv, const char *at, const char *stop) {
  /* A blank has at most the code of a space; beside an empty cell there may be a delimiter with such a code too. */
  if ((unsigned char)*at <= ' ' || (unsigned char)stop[-1] <= ' ') {
    while (at < stop && csv_is_blank(csv, *at))
      at++;
    while (at < stop && csv_is_blank(csv, stop[-1]))
      stop--;
  }
  return (struct cell){at, (size_t)(stop - at)};
}

/* Cuts off the cells that end in a block, at the bits of `stops`; there is room for them. The next one begins at *at. */
static inline void csv_cut(struct csv *csv, const char *block, uint64_t stops, const char **at) {
  struct cell *cell = csv->cell + csv->cells;
  const char *from = *at;
  for (; stops; stops &= stops - 1) {
    const char *stop = block + __builtin_ctzll(stops);
    *cell++ = csv_trim(csv, from, stop);
    from = stop + 1;
  }
  *at = from;
  csv->cells = (size_t)(cell - csv->cell);
}

/* Cuts a record without quotes; where there is one, *is_quoted, and all is left to csv_split. */
static int csv_split_plain(struct csv *csv, const char *text, size_t length, int *is_quoted) {
  const char *at = text, *block = text, *end = text + length;
  int code = csv_reserve(csv, CSV_BLOCK + 1);
  *is_quoted = 0;
  for (; !code && block < end; block += CSV_BLOCK) {
    uint64_t inside = end - block < CSV_BLOCK ? (UINT64_C(1) << (end - block)) - 1 : UINT64_MAX;
    *is_quoted = (amid_marks(block, '"') & inside) != 0;
    if (*is_quoted) return EXIT_OK;
    csv_cut(csv, block, amid_marks(block, csv->delimiter) & inside, &at);
    code = csv_reserve(csv, CSV_BLOCK + 1);
  }
  if (!code) csv->cell[csv->cells++] = csv_trim(csv, at, end);
  return code;
}

/* A record with quotes, of which `text` is the first line. Kept as it was before its quoted cells are moved together. */
static int csv_next_quoted(struct csv *csv, char *text, size_t length) {
  size_t at = 0;
  int is_inside = 0, code = EXIT_OK;
  while (csv_is_open(csv, text, length, &at, &is_inside)) {
    code = lines_extend(csv->lines, &text, &length);
    if (code) return code;
    if (!text) return csv_error(csv, 1, "a quote that is never closed");
  }
  if (csv->keep_record) {
    code = memory_grow(&csv->copy, &csv->copy_capacity, length, 1);
    if (code) return code;
    memcpy(csv->copy, text, length);
    csv->record = csv->copy;
    csv->record_length = length;
  }
  return csv_split(csv, text, length);
}

int csv_next(struct csv *csv, int *more) {
  char *text;
  size_t length;
  int is_quoted, code;
  *more = 0;
  do {
    code = lines_next(csv->lines, &text, &length);
    if (code || !text) return code;
  } while (length == 0 && csv->expected != 1);
  csv->record = text;
  csv->record_length = length;
  csv->cells = 0;
  code = csv_split_plain(csv, text, length, &is_quoted);
  if (!code && is_quoted) code = csv_next_quoted(csv, text, length);
  if (code) return code;
  *more = 1;
  if (csv->expected && csv->cells != csv->expected) {
    *more = csv->lines->line == csv->lines->last_line; /* of several lines: a quote may have swallowed records */
    return error_report(EXIT_INPUT, "%s:%llu: %zu cells, but the header has %zu", csv->lines->stream->path,
                        (unsigned long long)csv->lines->line, csv->cells, csv->expected);
  }
  return EXIT_OK;
}

#include "data/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#define CSV_ONES UINT64_C(0x0101010101010101) /* a byte, times this: that byte eight times */

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

/* A tab that separates is no blank. */
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

static int csv_grow(struct csv *csv) {
  if (csv->cells >= CSV_COLUMNS_MAX) return csv_error(csv, csv->cells + 1, "too many columns");
  return memory_grow(&csv->cell, &csv->capacity, csv->cells + 1, sizeof *csv->cell);
}

static inline int csv_push(struct csv *csv, const char *text, size_t length) {
  int code = csv->cells == csv->capacity ? csv_grow(csv) : EXIT_OK;
  if (code) return code;
  csv->cell[csv->cells++] = (struct cell){text, length};
  return EXIT_OK;
}

/* A quoted cell that starts at text[i] (the quote): the content is moved together in place. Sets *next behind it. */
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
  return csv_push(csv, text + begin, out - begin);
}

static int csv_split(struct csv *csv, char *text, size_t length) {
  size_t i = 0;
  int code;
  csv->cells = 0;
  for (;;) {
    while (i < length && csv_is_blank(csv, text[i]))
      i++;
    if (i < length && text[i] == '"') {
      code = csv_quoted(csv, text, length, i, &i);
      if (code) return code;
    } else {
      size_t begin = i, end;
      while (i < length && text[i] != csv->delimiter)
        i++;
      for (end = i; end > begin && csv_is_blank(csv, text[end - 1]); end--)
        continue;
      code = csv_push(csv, text + begin, end - begin);
      if (code) return code;
    }
    if (i >= length) return EXIT_OK;
    i++;
  }
}

/* The next delimiter, which must be there; eight bytes at a time. */
static inline const char *csv_find(const char *at, uint64_t delimiters) {
  for (;; at += 8) {
    uint64_t differ = bytes_little((const unsigned char *)at, 8) ^ delimiters;
    /* The lowest zero byte becomes the lowest bit; what a borrow makes of bytes above it does not matter. */
    uint64_t zero = (differ - CSV_ONES) & ~differ & 0x80 * CSV_ONES;
    if (zero) return at + __builtin_ctzll(zero) / 8;
  }
}

/* A record without quotes. A delimiter stands in for the line's break meanwhile, so that only one thing is looked for. */
static int csv_split_plain(struct csv *csv, char *text, size_t length) {
  uint64_t delimiters = (unsigned char)csv->delimiter * CSV_ONES;
  const char *at = text, *end = text + length;
  char kept = *end;
  int code = EXIT_OK;
  csv->cells = 0;
  text[length] = csv->delimiter;
  while (!code && at <= end) {
    const char *stop = csv_find(at, delimiters), *last = stop;
    while (at < last && csv_is_blank(csv, *at))
      at++;
    while (at < last && csv_is_blank(csv, last[-1]))
      last--;
    code = csv_push(csv, at, (size_t)(last - at));
    at = stop + 1;
  }
  text[length] = kept;
  return code;
}

/* The record as it was before its quoted cells are moved together. */
static int csv_keep(struct csv *csv, const char *text, size_t length, int is_quoted) {
  int code;
  csv->record = text;
  csv->record_length = length;
  if (!is_quoted) return EXIT_OK;
  code = memory_grow(&csv->copy, &csv->copy_capacity, length, 1);
  if (code) return code;
  memcpy(csv->copy, text, length);
  csv->record = csv->copy;
  return EXIT_OK;
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
  is_quoted = length > 0 && memchr(text, '"', length) != NULL;
  if (is_quoted) {
    size_t at = 0;
    int is_inside = 0;
    while (csv_is_open(csv, text, length, &at, &is_inside)) {
      code = lines_extend(csv->lines, &text, &length);
      if (code) return code;
      if (!text) return csv_error(csv, 1, "a quote that is never closed");
    }
  }
  code = csv->keep_record ? csv_keep(csv, text, length, is_quoted) : EXIT_OK;
  if (!code) code = is_quoted ? csv_split(csv, text, length) : csv_split_plain(csv, text, length);
  if (code) return code;
  if (csv->expected && csv->cells != csv->expected)
    return error_report(EXIT_INPUT, "%s:%llu: %zu cells, but the header has %zu", csv->lines->stream->path,
                        (unsigned long long)csv->lines->line, csv->cells, csv->expected);
  *more = 1;
  return EXIT_OK;
}

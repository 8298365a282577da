#include "csv.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "say.h"

void fumata_csv_init(fumata_csv *csv, fumata_lines *lines) {
  memset(csv, 0, sizeof *csv);
  csv->lines = lines;
}

void fumata_csv_free(fumata_csv *csv) {
  free(csv->cell);
  free(csv->copy);
  memset(csv, 0, sizeof *csv);
}

static int fumata_csv_error(const fumata_csv *csv, size_t column, const char *cause) {
  return fumata_say_error(FUMATA_EXIT_INPUT, "%s:%llu:%zu: %s", csv->lines->stream->path,
                          (unsigned long long)csv->lines->line, column, cause);
}

static int fumata_csv_is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Is the record still inside quotes at its end? *at and *is_inside carry the scan over to the extended record, so that
 * a cell of many lines is looked at once. */
static int fumata_csv_is_open(const char *text, size_t length, size_t *at, int *is_inside) {
  size_t i = *at;
  int is_start = i == 0; /* only blanks since the last comma */
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
    } else if (text[i] == ',') {
      is_start = 1;
    } else if (text[i] == '"' && is_start) {
      *is_inside = 1;
    } else if (!fumata_csv_is_blank(text[i])) {
      is_start = 0;
    }
  }
  *at = length;
  return *is_inside;
}

static int fumata_csv_push(fumata_csv *csv, const char *text, size_t length) {
  if (csv->cells == csv->capacity) {
    int code;
    if (csv->cells >= FUMATA_CSV_COLUMNS_MAX) return fumata_csv_error(csv, csv->cells + 1, "too many columns");
    if ((code = fumata_grow(&csv->cell, &csv->capacity, csv->cells + 1, sizeof *csv->cell)) != FUMATA_EXIT_OK)
      return code;
  }
  csv->cell[csv->cells].text = text;
  csv->cell[csv->cells++].length = length;
  return FUMATA_EXIT_OK;
}

/* A quoted cell that starts at text[i] (the quote): the content is moved together in place. Sets *next behind it. */
static int fumata_csv_quoted(fumata_csv *csv, char *text, size_t length, size_t i, size_t *next) {
  size_t out = ++i, begin = i;
  for (;; i++) {
    if (i >= length) return fumata_csv_error(csv, csv->cells + 1, "a quote that is never closed");
    if (text[i] == '"') {
      if (i + 1 >= length || text[i + 1] != '"') break;
      i++;
    }
    text[out++] = text[i];
  }
  for (i++; i < length && fumata_csv_is_blank(text[i]); i++)
    continue;
  if (i < length && text[i] != ',') return fumata_csv_error(csv, csv->cells + 1, "text after a closing quote");
  *next = i;
  return fumata_csv_push(csv, text + begin, out - begin);
}

static int fumata_csv_split(fumata_csv *csv, char *text, size_t length) {
  size_t i = 0;
  int code;
  csv->cells = 0;
  for (;;) {
    while (i < length && fumata_csv_is_blank(text[i]))
      i++;
    if (i < length && text[i] == '"') {
      if ((code = fumata_csv_quoted(csv, text, length, i, &i)) != FUMATA_EXIT_OK) return code;
    } else {
      size_t begin = i, end;
      while (i < length && text[i] != ',')
        i++;
      for (end = i; end > begin && fumata_csv_is_blank(text[end - 1]); end--)
        continue;
      if ((code = fumata_csv_push(csv, text + begin, end - begin)) != FUMATA_EXIT_OK) return code;
    }
    if (i >= length) return FUMATA_EXIT_OK;
    i++;
  }
}

/* The record as it was before its quoted cells are moved together. */
static int fumata_csv_keep(fumata_csv *csv, const char *text, size_t length, int is_quoted) {
  int code;
  csv->record = text;
  csv->record_length = length;
  if (!is_quoted) return FUMATA_EXIT_OK;
  if ((code = fumata_grow(&csv->copy, &csv->copy_capacity, length, 1)) != FUMATA_EXIT_OK) return code;
  memcpy(csv->copy, text, length);
  csv->record = csv->copy;
  return FUMATA_EXIT_OK;
}

int fumata_csv_next(fumata_csv *csv, int *more) {
  char *text;
  size_t length;
  int is_quoted, code;
  *more = 0;
  do {
    if ((code = fumata_lines_next(csv->lines, &text, &length)) != FUMATA_EXIT_OK || !text) return code;
  } while (length == 0 && csv->expected != 1);
  is_quoted = length > 0 && memchr(text, '"', length) != NULL;
  if (is_quoted) {
    size_t at = 0;
    int is_inside = 0;
    while (fumata_csv_is_open(text, length, &at, &is_inside)) {
      if ((code = fumata_lines_extend(csv->lines, &text, &length)) != FUMATA_EXIT_OK) return code;
      if (!text) return fumata_csv_error(csv, 1, "a quote that is never closed");
    }
  }
  if (csv->keep_record && (code = fumata_csv_keep(csv, text, length, is_quoted)) != FUMATA_EXIT_OK) return code;
  if ((code = fumata_csv_split(csv, text, length)) != FUMATA_EXIT_OK) return code;
  if (csv->expected && csv->cells != csv->expected)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s:%llu: %zu cells, but the header has %zu", csv->lines->stream->path,
                            (unsigned long long)csv->lines->line, csv->cells, csv->expected);
  *more = 1;
  return FUMATA_EXIT_OK;
}

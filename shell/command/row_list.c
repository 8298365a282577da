#include "command/row_list.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/lines.h"
#include "data/stream.h"

static int row_list_number(const struct lines *lines, const char *text, size_t length, size_t records, size_t *row) {
  double number;
  if (number_parse(text, length, &number) != NUMBER_OK || !(number >= 0 && number < (double)records) ||
      number != (double)(size_t)number)
    return error_report(EXIT_INPUT, "%s:%" PRIu64 ": not the number of a record, 0 to %zu", lines->stream->path,
                        lines->line, records - 1);
  *row = (size_t)number;
  return EXIT_OK;
}

static int row_list_take(struct lines *lines, size_t records, size_t **row, size_t *count) {
  size_t capacity = 0, length;
  char *text;
  for (;;) {
    int code = lines_next(lines, &text, &length);
    if (code || !text) return code;
    code = memory_grow(row, &capacity, *count + 1, sizeof **row);
    if (!code) code = row_list_number(lines, text, length, records, &(*row)[*count]);
    if (code) return code;
    ++*count;
  }
}

int row_list_read(const char *path, size_t records, size_t **row, size_t *count) {
  struct stream stream;
  struct lines lines;
  int code = stream_open(&stream, path);
  *row = NULL;
  *count = 0;
  if (code) return code;
  lines_init(&lines, &stream);
  code = row_list_take(&lines, records, row, count);
  if (!code && *count == 0) code = error_report(EXIT_INPUT, "%s: no rows", path);
  lines_free(&lines);
  stream_close(&stream);
  return code;
}

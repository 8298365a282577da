#include "command/candidates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quote.h"
#include "data/csv.h"
#include "data/lines.h"
#include "data/stream.h"

/* A file that is being read. */
struct candidates_reading {
  struct stream stream;
  struct lines lines;
  struct csv csv;
  const struct classes *classes;
};

static int candidates_wrong(const struct candidates_reading *reading, const char *cause) {
  return error_report(EXIT_INPUT, "%s:%" PRIu64 ": %s", reading->stream.path, reading->lines.line, cause);
}

static int candidates_label(const struct candidates_reading *reading, const struct cell *cell, uint32_t *label) {
  int32_t found = classes_find(reading->classes, cell->text, cell->length);
  struct quote quote;
  if (found < 0)
    return error_report(EXIT_INPUT, "%s:%" PRIu64 ": %s is no declared class", reading->stream.path,
                        reading->lines.line, quote_name(&quote, cell->text, cell->length));
  *label = (uint32_t)found;
  return EXIT_OK;
}

/* The smaller label first, as the core wants them; two empty cells are 0, 0. */
static int candidates_row(const struct candidates_reading *reading, struct session_pair *pair) {
  const struct cell *cell = reading->csv.cell;
  uint32_t a = 0, b = 0;
  int code;
  *pair = (struct session_pair){0, 0};
  if (!cell[0].length && !cell[1].length) return EXIT_OK;
  code = candidates_label(reading, &cell[0], &a);
  if (!code) code = candidates_label(reading, &cell[1], &b);
  if (code) return code;
  if (a == b) return candidates_wrong(reading, "the two candidates are the same class");
  *pair = a < b ? (struct session_pair){a, b} : (struct session_pair){b, a};
  return EXIT_OK;
}

static int candidates_add(struct candidates *candidates, struct session_pair pair) {
  enum plan_kind kind = pair.second ? PLAN_KIND_TOLL : PLAN_KIND_METER;
  int code = memory_grow(&candidates->pairs, &candidates->room, candidates->count + 1, sizeof *candidates->pairs);
  if (code) return code;
  candidates->pairs[candidates->count++] = pair;
  if (*plan_quota_of(&candidates->asked, kind) < UINT32_MAX) ++*plan_quota_of(&candidates->asked, kind);
  return EXIT_OK;
}

static int candidates_header(struct candidates_reading *reading) {
  const struct cell *cell;
  int more, code = csv_next(&reading->csv, &more);
  if (code) return code;
  cell = reading->csv.cell;
  if (!more || reading->csv.cells != 2 || cell[0].length != 5 || memcmp(cell[0].text, "first", 5) != 0 ||
      cell[1].length != 6 || memcmp(cell[1].text, "second", 6) != 0)
    return error_report(EXIT_INPUT, "%s:1: the header 'first,second' is expected", reading->stream.path);
  reading->csv.expected = 2;
  return EXIT_OK;
}

static int candidates_read(struct candidates *candidates, struct candidates_reading *reading) {
  int more = 1, code = candidates_header(reading);
  while (!code && more) {
    struct session_pair pair = {0, 0};
    code = csv_next(&reading->csv, &more);
    if (!code && more) code = candidates_row(reading, &pair);
    if (!code && more) code = candidates_add(candidates, pair);
  }
  return code;
}

int candidates_load(struct candidates *candidates, const char *path, const struct classes *classes) {
  struct candidates_reading reading = {.classes = classes};
  int code;
  memset(candidates, 0, sizeof *candidates);
  code = stream_open(&reading.stream, path);
  if (code) return code;
  lines_init(&reading.lines, &reading.stream);
  csv_init(&reading.csv, &reading.lines, 0);
  code = candidates_read(candidates, &reading);
  csv_free(&reading.csv);
  lines_free(&reading.lines);
  stream_close(&reading.stream);
  return code;
}

void candidates_free(struct candidates *candidates) {
  free(candidates->pairs);
  memset(candidates, 0, sizeof *candidates);
}

enum plan_kind candidates_kind(const struct candidates *candidates, size_t at) {
  return candidates->pairs[at].second ? PLAN_KIND_TOLL : PLAN_KIND_METER;
}

size_t candidates_alike(const struct candidates *candidates, size_t at, size_t most) {
  enum plan_kind kind = candidates_kind(candidates, at);
  size_t count = 0;
  while (count < most && at + count < candidates->count && candidates_kind(candidates, at + count) == kind)
    count++;
  return count;
}

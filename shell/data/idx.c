/* idx files (MNIST's format): big-endian sizes, then unsigned bytes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/reader.h"

#define IDX_UBYTE 0x08

/* 00 00, a type, dimensions */
static int idx_recognise(const unsigned char *bytes, size_t length) {
  return length >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] >= IDX_UBYTE && bytes[2] <= 0x0e && bytes[3] >= 1 &&
         bytes[3] <= 8;
}

static int idx_fail(const struct source *source, const char *cause) {
  return error_report(EXIT_INPUT, "%s: %s", source->stream.path, cause);
}

/* Checks the file's length against the header where it is known. */
static int idx_open(struct source *source) {
  const struct stream *stream = &source->stream;
  unsigned char bytes[4];
  size_t got;
  unsigned dimensions;
  uint64_t size = 1, whole;
  int code = stream_read(&source->stream, bytes, 4, &got);
  if (code) return code;
  if (!idx_recognise(bytes, got)) return idx_fail(source, "not an idx file");
  if (bytes[2] != IDX_UBYTE) return idx_fail(source, "an idx file, but not of unsigned bytes");
  dimensions = bytes[3];
  for (unsigned d = 0; d < dimensions; d++) {
    uint64_t extent;
    code = stream_read(&source->stream, bytes, 4, &got);
    if (code) return code;
    if (got < 4) return idx_fail(source, "the idx header is cut off");
    extent = bytes_big(bytes, 4);
    if (d == 0)
      source->items = extent;
    else
      size *= extent;
    if (d == 1 && dimensions == 3) source->rows = (uint32_t)extent;
    if (d == 2 && dimensions == 3) source->columns = (uint32_t)extent;
    if (size == 0 || size > ROWS_COLUMNS_MAX)
      return idx_fail(source, "an idx file with an impossible size in its header");
  }
  source->numbers = source->size = (size_t)size;
  whole = 4 + 4 * (uint64_t)dimensions + source->items * size;
  if (stream->is_plain && stream->size != whole)
    return error_report(EXIT_INPUT, "%s: %llu bytes, but the idx header asks for %llu", stream->path,
                        (unsigned long long)stream->size, (unsigned long long)whole);
  return EXIT_OK;
}

static int idx_add(struct reader *reader, struct rows *rows, int32_t label, uint64_t unit) {
  const unsigned char *item = reader->source.item;
  int code = rows_reserve_one(rows, 0);
  float *row;
  if (code) return code;
  row = rows_push_dense(rows, label, unit, reader->source.at);
  for (uint32_t j = 0; j < rows->columns; j++)
    row[j] = (float)item[j] / 255;
  return EXIT_OK;
}

static double idx_label_number(const struct source *source) {
  return source->item[0];
}

static char *idx_guess_labels(const char *images) {
  static const char from[] = "images-idx3", to[] = "labels-idx1"; /* of the same length */
  char *path = memory_copy(images, strlen(images)), *at, *found = NULL;
  if (!path) return NULL;
  for (at = path; (at = strstr(at, from)) != NULL; at++)
    found = at;
  if (found) memcpy(found, to, sizeof to - 1);
  if (found && access(path, F_OK) == 0) return path;
  free(path);
  return NULL;
}

const struct format format_idx = {
    .name = "idx",
    .keyword = "idx",
    .traits = FORMAT_NUMBERS | FORMAT_DENSE | FORMAT_LABELS_BESIDE | FORMAT_HOLDS_LABELS | FORMAT_PIXELS,
    .recognise = idx_recognise,
    .open = idx_open,
    .next = source_next_item,
    .add = idx_add,
    .label_number = idx_label_number,
    .guess_labels = idx_guess_labels,
    .guess_hint = ", or name the images ...images-idx3... and the labels ...labels-idx1... in the same directory"};

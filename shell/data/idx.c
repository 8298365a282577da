#include "data/idx.h"

#include "base/bytes.h"
#include "base/error.h"
#include "data/rows.h"

#define IDX_UBYTE 0x08

int idx_recognise(const unsigned char *bytes, size_t length) {
  return length >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] >= IDX_UBYTE && bytes[2] <= 0x0e && bytes[3] >= 1 &&
         bytes[3] <= 8;
}

static int idx_fail(const struct stream *stream, const char *cause) {
  return error_report(EXIT_INPUT, "%s: %s", stream->path, cause);
}

int idx_open(struct idx *idx, struct stream *stream) {
  unsigned char bytes[4];
  size_t got;
  unsigned dimensions, d;
  uint64_t size = 1, header;
  int code = stream_read(stream, bytes, 4, &got);
  if (code) return code;
  if (got < 4 || !idx_recognise(bytes, got)) return idx_fail(stream, "not an idx file");
  if (bytes[2] != IDX_UBYTE) return idx_fail(stream, "an idx file, but not of unsigned bytes");
  dimensions = bytes[3];
  header = 4 + 4 * (uint64_t)dimensions;
  idx->rows = idx->columns = 0;
  for (d = 0; d < dimensions; d++) {
    uint64_t extent;
    code = stream_read(stream, bytes, 4, &got);
    if (code) return code;
    if (got < 4) return idx_fail(stream, "the idx header is cut off");
    extent = bytes_big(bytes, 4);
    if (d == 0)
      idx->count = extent;
    else
      size *= extent;
    if (d == 1) idx->rows = dimensions == 3 ? (uint32_t)extent : 0;
    if (d == 2) idx->columns = dimensions == 3 ? (uint32_t)extent : 0;
    if (size == 0 || size > ROWS_COLUMNS_MAX) return idx_fail(stream, "an idx file with an absurd size in its header");
  }
  idx->size = (uint32_t)size;
  if (stream->is_plain && stream->size != header + idx->count * size)
    return error_report(EXIT_INPUT, "%s: %llu bytes, but the idx header asks for %llu", stream->path,
                        (unsigned long long)stream->size, (unsigned long long)(header + idx->count * size));
  return EXIT_OK;
}

int idx_end(struct stream *stream) {
  unsigned char byte;
  size_t got;
  int code = stream_read(stream, &byte, 1, &got);
  if (!code && got) return idx_fail(stream, "bytes after the last item that the header counts");
  return code;
}

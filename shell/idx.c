#include "idx.h"

#include "rows.h"
#include "say.h"

#define FUMATA_IDX_UBYTE 0x08

int fumata_idx_recognise(const unsigned char *bytes, size_t length) {
  return length >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] >= FUMATA_IDX_UBYTE && bytes[2] <= 0x0e &&
         bytes[3] >= 1 && bytes[3] <= 8;
}

static int fumata_idx_fail(const fumata_stream *stream, const char *cause) {
  return fumata_say_error(FUMATA_EXIT_INPUT, "%s: %s", stream->path, cause);
}

int fumata_idx_open(fumata_idx *idx, fumata_stream *stream) {
  unsigned char bytes[4];
  size_t got;
  unsigned dimensions, d;
  uint64_t size = 1, header;
  int code;
  if ((code = fumata_stream_read(stream, bytes, 4, &got)) != FUMATA_EXIT_OK) return code;
  if (got < 4 || !fumata_idx_recognise(bytes, got)) return fumata_idx_fail(stream, "not an idx file");
  if (bytes[2] != FUMATA_IDX_UBYTE) return fumata_idx_fail(stream, "an idx file, but not of unsigned bytes");
  dimensions = bytes[3];
  header = 4 + 4 * (uint64_t)dimensions;
  for (d = 0; d < dimensions; d++) {
    uint64_t extent;
    if ((code = fumata_stream_read(stream, bytes, 4, &got)) != FUMATA_EXIT_OK) return code;
    if (got < 4) return fumata_idx_fail(stream, "the idx header is cut off");
    extent = (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3];
    if (d == 0)
      idx->count = extent;
    else
      size *= extent;
    if (size == 0 || size > FUMATA_ROWS_COLUMNS_MAX)
      return fumata_idx_fail(stream, "an idx file with an absurd size in its header");
  }
  idx->size = (uint32_t)size;
  if (stream->is_plain && stream->size != header + idx->count * size)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: %llu bytes, but the idx header asks for %llu", stream->path,
                            (unsigned long long)stream->size, (unsigned long long)(header + idx->count * size));
  return FUMATA_EXIT_OK;
}

int fumata_idx_end(fumata_stream *stream) {
  unsigned char byte;
  size_t got;
  int code = fumata_stream_read(stream, &byte, 1, &got);
  if (code == FUMATA_EXIT_OK && got) return fumata_idx_fail(stream, "bytes after the last item that the header counts");
  return code;
}

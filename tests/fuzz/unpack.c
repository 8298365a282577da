/* Packed files: read at once or byte by byte, the same bytes come out, or the same refusal. */
#include "data/stream.h"
#include "fuzz/harness.h"

#define MOST ((size_t)1 << 16) /* bytes that are looked at: a few packed ones can become many */

/* Up to MOST bytes of the file, in pieces. */
static int read_all(const char *path, size_t piece, int peek, unsigned char *out, size_t *size) {
  struct stream stream;
  const unsigned char *ahead;
  size_t got = 1;
  int code = stream_open(&stream, path);
  *size = 0;
  if (code) return code;
  if (peek) code = stream_peek(&stream, &ahead, &got);
  got = 1;
  while (!code && got && *size < MOST) {
    size_t room = MOST - *size;
    code = stream_some(&stream, out + *size, piece < room ? piece : room, &got);
    FUZZ_MUST(got <= room);
    *size += got;
  }
  stream_close(&stream);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static unsigned char whole[MOST], parts[MOST];
  struct fuzz fuzz = {bytes, size};
  size_t piece = 1 + fuzz_byte(&fuzz), whole_size, parts_size;
  const char *path = fuzz_file(0, fuzz.at, fuzz.left);
  int code, again;
  fuzz_listen();
  code = fuzz_judge(read_all(path, MOST, 0, whole, &whole_size));
  fuzz_listen();
  again = fuzz_judge(read_all(path, piece, 1, parts, &parts_size));
  if (whole_size == MOST || parts_size == MOST) return 0; /* what is wrong further on was not reached by both */
  FUZZ_MUST(code == again);
  if (!code) FUZZ_MUST(whole_size == parts_size && !memcmp(whole, parts, whole_size));
  return 0;
}

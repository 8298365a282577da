/* idx headers: what is accepted has the length that it says. */
#include "data/idx.h"
#include "data/rows.h"
#include "fuzz/harness.h"

static int read_items(struct stream *stream, const struct idx *idx) {
  unsigned char *item = malloc(idx->size);
  size_t got;
  int code = EXIT_OK;
  FUZZ_MUST(item != NULL);
  for (uint64_t i = 0; !code && i < idx->count; i++) {
    code = stream_read(stream, item, idx->size, &got);
    FUZZ_MUST(code || got == idx->size || !stream->is_plain);
    if (!code && got < idx->size) break;
  }
  free(item);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct stream stream;
  struct idx idx;
  int code;
  fuzz_listen();
  code = stream_open(&stream, fuzz_file(0, bytes, size));
  if (fuzz_judge_input(code)) return 0;
  code = idx_open(&idx, &stream);
  if (!code) {
    FUZZ_MUST(idx.size >= 1 && idx.size <= ROWS_COLUMNS_MAX);
    FUZZ_MUST(idx.rows == 0 || (uint64_t)idx.rows * idx.columns == idx.size);
    code = read_items(&stream, &idx);
    if (!code) code = idx_end(&stream);
    FUZZ_MUST(!code || !stream.is_plain);
  }
  fuzz_judge_input(code);
  stream_close(&stream);
  return 0;
}

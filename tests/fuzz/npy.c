/* .npy headers and cells: what is accepted has the length that it says, and a whole number is the cell's number. */
#include "data/npy.h"
#include "fuzz/harness.h"

static void check_cell(const struct npy *npy, const unsigned char *cell) {
  double number = npy_number(npy->type, cell);
  uint32_t whole;
  if (npy_whole(npy->type, cell, &whole) == 0)
    FUZZ_MUST(number == (double)whole);
  else
    FUZZ_MUST(!(number >= 0 && number <= (double)UINT32_MAX && number == (double)(uint32_t)number));
}

static int read_cells(struct stream *stream, const struct npy *npy) {
  unsigned char *cell = malloc(npy->item);
  uint64_t cells = npy->rows * npy->columns;
  size_t got = 0;
  int code = EXIT_OK;
  FUZZ_MUST(cell != NULL);
  for (uint64_t i = 0; !code && i < cells; i++) {
    code = stream_read(stream, cell, npy->item, &got);
    if (code || got < npy->item) break;
    check_cell(npy, cell);
  }
  FUZZ_MUST(code || !stream->is_plain || !cells || got == npy->item);
  free(cell);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct stream stream;
  struct npy npy;
  int code;
  fuzz_listen();
  code = stream_open(&stream, fuzz_file(0, bytes, size));
  if (fuzz_judge_input(code)) return 0;
  code = npy_open(&npy, &stream);
  if (!code) {
    FUZZ_MUST(npy.dimensions == 1 ? npy.columns == 1 : npy.dimensions == 2 && npy.columns >= 1);
    FUZZ_MUST(npy.item == 1 || npy.item == 2 || npy.item == 4 || npy.item == 8);
    code = read_cells(&stream, &npy);
  }
  fuzz_judge_input(code);
  stream_close(&stream);
  return 0;
}

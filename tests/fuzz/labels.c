/* Files of labels beside idx images and .npy rows. */
#include "data/label_file.h"
#include "fuzz/harness.h"

static int read_labels(struct label_file *file, uint64_t records) {
  const char *text;
  size_t length;
  int code = EXIT_OK;
  for (uint64_t i = 0; !code && i < records; i++) {
    code = label_file_next(file, &text, &length);
    if (code) break;
    FUZZ_MUST(length == 0 || memchr(text, '\0', length) == NULL);
    label_file_unit(file, &text, &length);
    FUZZ_MUST(text != NULL);
  }
  return code ? code : label_file_end(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {NULL, "y", "unit", "a"};
  struct fuzz fuzz = {bytes, size};
  uint8_t style = fuzz_byte(&fuzz);
  struct source records = {.format = FORMAT_IDX, .idx = {.count = style >> 4, .size = 1}, .last = UINT64_MAX};
  struct label_file file;
  int code;
  fuzz_listen();
  records.first = fuzz_byte(&fuzz) % 4;
  code = label_file_open(&file, fuzz_file(0, fuzz.at, fuzz.left), &records, names[style % 4], names[style / 4 % 4]);
  if (!code) {
    code = read_labels(&file, records.idx.count > records.first ? records.idx.count - records.first : 0);
    label_file_close(&file);
  }
  fuzz_judge_input(code);
  return 0;
}

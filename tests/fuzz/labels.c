/* Files of labels beside idx images and .npy rows. */
#include "data/label_file.h"
#include "fuzz/harness.h"

static int read_labels(struct label_file *file, uint64_t records) {
  struct cell label;
  int code = EXIT_OK;
  for (uint64_t i = 0; !code && i < records; i++) {
    code = label_file_next(file, &label);
    if (code) break;
    FUZZ_MUST(label.length == 0 || memchr(label.text, '\0', label.length) == NULL);
    FUZZ_MUST(file->source.unit.length == 0 || file->source.unit.text != NULL);
  }
  return code ? code : label_file_end(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {NULL, "y", "unit", "a"};
  struct fuzz fuzz = {bytes, size};
  uint8_t style = fuzz_byte(&fuzz);
  struct source records = {.format = &format_idx, .items = style >> 4, .numbers = 1, .last = UINT64_MAX};
  struct label_file file;
  int code;
  fuzz_listen();
  records.first = fuzz_byte(&fuzz) % 4;
  code = label_file_open(&file, fuzz_file(0, fuzz.at, fuzz.left), &records, names[style % 4], names[style / 4 % 4]);
  if (!code) {
    code = read_labels(&file, records.items > records.first ? records.items - records.first : 0);
    label_file_close(&file);
  }
  fuzz_judge_input(code);
  return 0;
}

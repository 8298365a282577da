/* Files of labels beside .npy rows: whatever stands in them, the records get labels that are classes. */
#include "data/reader.h"
#include "fuzz/harness.h"
#include "gate/partition.h"

/* `rows` rows of one byte each. */
static const char *write_rows(unsigned rows) {
  char text[128 + 16] = "\x93NUMPY\x01";
  int length = snprintf(text + 10, 118, "{'descr': '|u1', 'fortran_order': False, 'shape': (%u, 1), }", rows);
  memset(text + 10 + length, ' ', (size_t)(117 - length));
  text[8] = 118;
  text[127] = '\n';
  return fuzz_file(0, text, 128 + rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {NULL, "y", "unit", "a"};
  struct fuzz fuzz = {bytes, size};
  uint8_t style = fuzz_byte(&fuzz);
  struct encoding_request request = {.label = names[style % 4],
                                     .unit = names[style / 4 % 4],
                                     .classes = "0,1,7,a",
                                     .public_path = write_rows(style >> 4)};
  struct partition partition;
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &partition};
  struct encoding encoding;
  struct rows rows;
  char path[256];
  unsigned first = fuzz_byte(&fuzz) % 4;
  fuzz_listen();
  snprintf(path, sizeof path, "%s,%s@%u:", request.public_path, fuzz_file(1, fuzz.at, fuzz.left), first);
  partition_open(&partition, (const uint64_t[2]){1, 2});
  if (fuzz_judge_input(encoding_make(&encoding, &request)) == EXIT_OK) {
    if (fuzz_judge_input(reader_load(&rows, path, &encoding, &options)) == EXIT_OK) {
      FUZZ_MUST(rows.count == (unsigned)(style >> 4) - first);
      for (size_t i = 0; i < rows.count; i++)
        FUZZ_MUST(rows.label[i] >= 0 && rows.label[i] < 4);
      rows_free(&rows);
    }
    encoding_free(&encoding);
  }
  partition_free(&partition);
  return 0;
}

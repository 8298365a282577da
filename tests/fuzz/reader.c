/* Data files from end to end: a public file teaches an encoding, a private file is read by it. */
#include <math.h>

#include "data/reader.h"
#include "fuzz/harness.h"
#include "gate/partition.h"

static const char *const features[] = {NULL, "raw", "standard", "range", "pca:2", "hog:4x4+pca:2", "raw+hog:4x4"};

static void check_rows(const struct rows *rows, const struct encoding *encoding) {
  FUZZ_MUST(rows->count >= 1 && rows->columns == encoding->columns);
  for (size_t i = 0; i < rows->count; i++) {
    FUZZ_MUST(rows->label[i] == ROWS_UNLABELLED || (uint32_t)rows->label[i] < encoding->classes.count);
    for (size_t e = rows->is_dense ? 0 : rows->start[i]; !rows->is_dense && e < rows->start[i + 1]; e++)
      FUZZ_MUST(rows->index[e] < rows->columns && (e == rows->start[i] || rows->index[e - 1] < rows->index[e]));
  }
}

static void read_private(const struct encoding *encoding, const char *path, int labels) {
  struct coins coins;
  struct partition partition;
  struct reader_options options = {.labels = (enum labels)labels, .partition = &partition};
  struct rows rows;
  coins_seed(&coins, 1);
  FUZZ_MUST(partition_init(&partition, &coins) == EXIT_OK);
  if (fuzz_judge_input(reader_load(&rows, path, encoding, &options)) == EXIT_OK) {
    check_rows(&rows, encoding);
    rows_free(&rows);
  }
  partition_free(&partition);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size}, public_bytes;
  uint8_t style = fuzz_byte(&fuzz), what = fuzz_byte(&fuzz);
  struct encoding_request request = {.label = what & 1 ? "y" : NULL,
                                     .unit = what & 2 ? "u" : NULL,
                                     .classes = what & 4 ? "a,b|c" : "0,1,2",
                                     .features = features[style % 7],
                                     .style = {.delimiter = what & 8 ? ';' : 0, .no_header = what >> 4 & 1}};
  struct encoding encoding;
  const char *private_path;
  public_bytes = fuzz_cut(&fuzz, fuzz_number(&fuzz, 2));
  request.public_path = fuzz_file(0, public_bytes.at, public_bytes.left);
  private_path = fuzz_file(1, fuzz.at, fuzz.left);
  fuzz_listen();
  if (fuzz_judge_input(encoding_make(&encoding, &request)) != EXIT_OK) return 0;
  FUZZ_MUST(encoding.columns >= 1);
  read_private(&encoding, private_path, what >> 5 & 1 ? LABELS_REQUIRE : LABELS_OPTIONAL);
  encoding_free(&encoding);
  return 0;
}

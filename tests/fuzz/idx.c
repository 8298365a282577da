/* idx files: what is accepted has the length that its header says. */
#include "data/rows.h"
#include "data/source.h"
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct source source;
  int code, more = 1;
  fuzz_listen();
  code = source_open(&source, fuzz_file(0, bytes, size), &format_idx, NULL);
  if (fuzz_judge_input(code)) return 0;
  FUZZ_MUST(source.size >= 1 && source.size <= ROWS_COLUMNS_MAX && source.numbers == source.size);
  FUZZ_MUST(source.rows == 0 || (uint64_t)source.rows * source.columns == source.size);
  while (!code && more)
    code = source_next(&source, &more);
  FUZZ_MUST(code || source.at == source.items);
  FUZZ_MUST(!code || !source.stream.is_plain);
  fuzz_judge_input(code);
  source_close(&source);
  return 0;
}

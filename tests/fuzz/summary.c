/* summary.json, as `fumata report` reads it. */
#include "report/summary.h"
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct summary summary = {0};
  fuzz_listen();
  if (fuzz_judge_input(summary_read(&summary, fuzz_file(0, bytes, size))) == EXIT_OK)
    for (size_t i = 0; i < summary.count; i++) {
      FUZZ_MUST(summary_text(&summary, summary.field[i].key) != NULL);
      summary_number(&summary, summary.field[i].key, 0);
    }
  summary_free(&summary);
  return 0;
}

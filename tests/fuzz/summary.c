/* summary.json, as `fumata report` reads it. */
#include "command/report_summary.h"
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct report_summary summary = {0};
  fuzz_listen();
  if (fuzz_judge_input(report_summary_read(&summary, fuzz_file(0, bytes, size))) == EXIT_OK)
    for (size_t i = 0; i < summary.count; i++) {
      FUZZ_MUST(report_summary_text(&summary, summary.field[i].key) != NULL);
      report_summary_number(&summary, summary.field[i].key, 0);
    }
  report_summary_free(&summary);
  return 0;
}

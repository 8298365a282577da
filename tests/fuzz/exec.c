/* What a learner's program answers: a label a line, as many as there are rows, or nothing of it counts.
 *
 * The source itself is included, so that no process has to be started for every input. */
#include "learn/exec.c" /* NOLINT */

#include "fuzz/harness.h"

#define ROWS_MOST 16

/* The same, said once more: digits that are a class, at most a CR, a line feed (which the last line may lack). */
static int is_answer(const uint8_t *at, size_t left, size_t count, uint32_t classes, uint32_t *labels) {
  for (size_t i = 0; i < count; i++) {
    size_t digits = 0;
    uint64_t label = 0;
    for (; digits < left && at[digits] >= '0' && at[digits] <= '9'; digits++)
      label = label > classes ? label : label * 10 + (uint64_t)(at[digits] - '0');
    if (digits == 0 || label >= classes) return 0;
    at += digits, left -= digits;
    if (left && *at == '\r') at++, left--;
    if (left && *at == '\n')
      at++, left--;
    else if (left || i + 1 < count)
      return 0;
    labels[i] = (uint32_t)label;
  }
  return left == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  size_t count = 1 + fuzz_byte(&fuzz) % ROWS_MOST, length = 0;
  uint32_t classes = 2 + (uint32_t)fuzz_number(&fuzz, 2) % 1023, got[ROWS_MOST], wanted[ROWS_MOST];
  unsigned char *text = NULL;
  int failed, code;
  fuzz_listen();
  code = exec_read(fuzz_file(0, fuzz.at, fuzz.left), &text, &length, &failed);
  FUZZ_MUST(fuzz_judge(code) == EXIT_OK && failed == (fuzz.left == 0));
  if (!failed) {
    FUZZ_MUST(length == fuzz.left);
    failed = exec_parse_labels((char *)text, length, count, classes, got) != 0;
    FUZZ_MUST(failed == !is_answer(fuzz.at, fuzz.left, count, classes, wanted));
    FUZZ_MUST(failed || !memcmp(got, wanted, count * sizeof *got));
  }
  free(text);
  return 0;
}

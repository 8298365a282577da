/* A line of LIBSVM text: entries fit the room that is made for them, ascend, and are columns. */
#include "data/svmlight.h"
#include "fuzz/harness.h"

#include <math.h>

static void check(const struct svmlight *line, const uint32_t *index, const float *value, size_t room,
                  uint32_t columns) {
  FUZZ_MUST(line->entries <= room);
  for (size_t i = 0; i < line->entries; i++) {
    FUZZ_MUST(index[i] < columns && index[i] < line->largest);
    FUZZ_MUST(i == 0 || index[i - 1] < index[i]);
    FUZZ_MUST(isfinite(value[i]) && value[i] != 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint32_t columns = 1 + (uint32_t)fuzz_number(&fuzz, 2);
  size_t room = svmlight_room(fuzz.left);
  char *text = malloc(fuzz.left + 1); /* the byte behind a line is its end */
  uint32_t *index = malloc(room * sizeof *index);
  float *value = malloc(room * sizeof *value);
  struct svmlight line;
  FUZZ_MUST(text && index && value);
  if (fuzz.left) memcpy(text, fuzz.at, fuzz.left);
  text[fuzz.left] = '\n';
  svmlight_recognise(fuzz.at, fuzz.left);
  if (svmlight_parse(text, fuzz.left, columns, index, value, &line) == 0)
    check(&line, index, value, room, columns);
  else
    FUZZ_MUST(line.cause && line.column >= 1 && line.column <= fuzz.left + 1);
  free(text);
  free(index);
  free(value);
  return 0;
}

/* Files of keys: one that is taken is what the key is written as, and one that others may read is never taken. */
#include "gate/key.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  mode_t mode = 0600 | (fuzz_byte(&fuzz) & 077);
  const char *path = fuzz_file(0, fuzz.at, fuzz.left);
  uint64_t key[2];
  char text[64];
  FUZZ_MUST(chmod(path, mode) == 0);
  fuzz_listen();
  if (fuzz_judge_input(key_read(path, key)) != EXIT_OK) return 0;
  FUZZ_MUST(mode == 0600);
  snprintf(text, sizeof text, "fumata key 1\n%016" PRIx64 "%016" PRIx64 "\n", key[0], key[1]);
  FUZZ_MUST(strlen(text) == fuzz.left && !memcmp(text, fuzz.at, fuzz.left));
  return 0;
}

/* The text beside a share of votes: one that is taken says a share that can be, and is written again byte by byte. */
#include "data/share.h"
#include "core/ballot.h"
#include "fuzz/harness.h"

static char folder[64], given[80], given_text[96], again[80], again_text[96];

static void remove_folder(void) {
  unlink(given_text);
  unlink(again_text);
  rmdir(folder);
}

/* A folder in memory: the text's name is the votes' name with an ending, so a path of fuzz_file does not do. */
static void prepare(void) {
  if (folder[0]) return;
  strcpy(folder, "/dev/shm/fumata-fuzz-XXXXXX");
  FUZZ_MUST(mkdtemp(folder) != NULL);
  atexit(remove_folder);
  snprintf(given, sizeof given, "%s/given", folder);
  snprintf(given_text, sizeof given_text, "%s" SHARE_ENDING, given);
  snprintf(again, sizeof again, "%s/again", folder);
  snprintf(again_text, sizeof again_text, "%s" SHARE_ENDING, again);
}

static void put(const void *bytes, size_t size) {
  FILE *file = fopen(given_text, "wb");
  FUZZ_MUST(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void check_same(const uint8_t *bytes, size_t size) {
  char text[4096];
  FILE *file = fopen(again_text, "rb");
  FUZZ_MUST(file != NULL);
  FUZZ_MUST(fread(text, 1, sizeof text, file) == size && !memcmp(text, bytes, size));
  fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct share share;
  uint32_t first, last;
  prepare();
  put(bytes, size);
  fuzz_listen();
  if (fuzz_judge_input(share_read(&share, given)) != EXIT_OK) return 0;
  FUZZ_MUST(share.number >= 1 && share.number <= share.of && share.of <= SHARE_MAX);
  FUZZ_MUST(share.teachers >= 1 && share.teachers <= FUMATA_TEACHERS_MAX);
  share_range(&share, &first, &last);
  FUZZ_MUST(first <= last && last <= share.teachers);
  FUZZ_MUST(share_write(&share, again) == EXIT_OK);
  check_same(bytes, size);
  return 0;
}

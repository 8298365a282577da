/* The registry of ledgers, with any bytes in it: a run is noted once, what stood there stays, at most one line is said, and only where
 * another ledger of these bytes is still there. */
#include "gate/registry.h"

#include <sys/stat.h>

#include "base/digest.h"
#include "fuzz/harness.h"

static const char *const parts[] = {"file", "ours", "theirs", "fumata/key", "fumata/registry"};
static char folder[64], paths[5][96];

static void empty(void) {
  for (size_t i = 0; i < 5; i++)
    unlink(paths[i]);
}

static void remove_folder(void) {
  char path[96];
  empty();
  snprintf(path, sizeof path, "%s/fumata", folder);
  rmdir(path);
  rmdir(folder);
}

static void put(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  FUZZ_MUST(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static struct fuzz get(const char *path) {
  static uint8_t room[1 << 14];
  FILE *file = fopen(path, "rb");
  struct fuzz found = {room, 0};
  if (file) found.left = fread(room, 1, sizeof room, file), fclose(file);
  return found;
}

static void prepare(void) {
  char path[96];
  if (*folder) return;
  strcpy(folder, "/dev/shm/fumata-fuzz-XXXXXX");
  FUZZ_MUST(mkdtemp(folder) != NULL && setenv("XDG_STATE_HOME", folder, 1) == 0 && unsetenv("FUMATA_REGISTRY") == 0);
  snprintf(path, sizeof path, "%s/fumata", folder);
  FUZZ_MUST(mkdir(path, 0700) == 0);
  for (size_t i = 0; i < 5; i++)
    snprintf(paths[i], sizeof paths[i], "%s/%s", folder, parts[i]);
  atexit(remove_folder);
}

/* The line of a ledger, as the registry writes it. */
static size_t line(char text[256], const uint8_t key[DIGEST_SIZE], const char *ledger) {
  uint8_t value[DIGEST_SIZE];
  struct digest digest;
  char digits[DIGEST_TEXT];
  digest_init(&digest);
  digest_add(&digest, key, DIGEST_SIZE);
  digest_add(&digest, "private", 7);
  digest_read(&digest, value);
  digest_print(value, digits);
  return (size_t)snprintf(text, 256, "%s %s\n", digits, ledger);
}

static size_t times(struct fuzz text, const char *part, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i + length <= text.left; i++)
    count += !memcmp(text.at + i, part, length) && (i == 0 || text.at[i - 1] == '\n');
  return count;
}

/* How many lines a note took: it goes to standard error, which is put aside for it. */
static size_t note(void) {
  static int said, aside;
  char text[4096];
  ssize_t size;
  size_t lines = 0;
  if (!said) said = memfd_create("said", MFD_CLOEXEC), aside = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  FUZZ_MUST(said > 0 && aside > 0 && ftruncate(said, 0) == 0 && lseek(said, 0, SEEK_SET) == 0);
  fflush(stderr);
  dup2(said, STDERR_FILENO);
  registry_note(paths[0], paths[1]);
  fflush(stderr);
  dup2(aside, STDERR_FILENO);
  size = pread(said, text, sizeof text, 0);
  for (ssize_t i = 0; i < size; i++)
    lines += text[i] == '\n';
  return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size}, after;
  uint8_t how = fuzz_byte(&fuzz), key[DIGEST_SIZE] = {9};
  size_t key_size = how & 1 ? fuzz_byte(&fuzz) % 48 : DIGEST_SIZE, own_size, their_size, begun;
  char before[8192], own[256], theirs[256];
  int has_other = how & 2 && !(how & 1), is_there = how & 4;
  prepare();
  empty();
  own_size = line(own, key, paths[1]);
  their_size = line(theirs, key, paths[2]);
  if (fuzz.left > 6000) fuzz.left = 6000;
  memcpy(before, fuzz.at, fuzz.left);
  begun = fuzz.left;
  if (begun && before[begun - 1] != '\n') before[begun++] = '\n';
  if (has_other) memcpy(before + begun, theirs, their_size), begun += their_size;
  put(paths[0], "private", 7);
  put(paths[1], "", 0);
  if (is_there) put(paths[2], "", 0);
  if (key_size > DIGEST_SIZE) key_size = DIGEST_SIZE;
  put(paths[3], key, key_size);
  put(paths[4], before, begun);
  for (int time = 0; time < 2; time++) {
    size_t said = note();
    FUZZ_MUST(said <= 1);
    FUZZ_MUST(key_size < DIGEST_SIZE || !has_other || memchr(before, '\0', begun) || said == (is_there != 0));
    after = get(paths[4]);
    FUZZ_MUST(after.left >= begun && !memcmp(after.at, before, begun));
    FUZZ_MUST(key_size < DIGEST_SIZE || memchr(before, '\0', begun) || times(after, own, own_size) >= 1);
    FUZZ_MUST(after.left - begun <= own_size);
  }
  return 0;
}

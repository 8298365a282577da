/* The sealed place of a run that died, with a seal and files of any bytes: a file counts as a result of that run only if the seal has
 * its digest, and a folder that is not known as such a place keeps all that is in it. */
#include "run/staging.h"

#include <sys/stat.h>

#include "fuzz/harness.h"

static char folder[64], place[96];
static const char *const names[STAGING_FILES] = {"student.model", "labels.csv", "plan", "summary.json"};

static void path_of(char *path, size_t room, const char *where, const char *name) {
  FUZZ_MUST(snprintf(path, room, "%s/%s", where, name) < (int)room);
}

static void empty(void) {
  static const char *const others[] = {"seal", "begun", "space", "note"};
  char path[160];
  for (size_t i = 0; i < 4; i++) {
    path_of(path, sizeof path, place, names[i]);
    unlink(path);
    path_of(path, sizeof path, place, others[i]);
    unlink(path);
    path_of(path, sizeof path, folder, names[i]);
    unlink(path);
  }
  rmdir(place);
}

static void remove_folder(void) {
  empty();
  rmdir(folder);
}

static void put(const char *where, const char *name, const void *bytes, size_t size) {
  char path[160];
  FILE *file;
  path_of(path, sizeof path, where, name);
  file = fopen(path, "wb");
  FUZZ_MUST(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static int is_there(const char *where, const char *name) {
  char path[160];
  path_of(path, sizeof path, where, name);
  return access(path, F_OK) == 0;
}

static void digest_of(const void *bytes, size_t size, uint8_t value[DIGEST_SIZE]) {
  struct digest digest;
  digest_init(&digest);
  digest_add(&digest, bytes, size);
  digest_read(&digest, value);
}

/* A seal as the program writes it, of these results. */
static size_t seal(const uint8_t owner[DIGEST_SIZE], uint8_t value[STAGING_FILES][DIGEST_SIZE], char *text) {
  size_t size = 0;
  for (size_t i = 0; i <= STAGING_FILES; i++) {
    digest_print(i ? value[i - 1] : owner, text + size);
    size += DIGEST_TEXT;
    text[size - 1] = '\n';
  }
  return size;
}

static void prepare(void) {
  if (*folder) return;
  strcpy(folder, "/dev/shm/fumata-fuzz-XXXXXX");
  FUZZ_MUST(mkdtemp(folder) != NULL);
  path_of(place, sizeof place, folder, ".new.abcdef");
  atexit(remove_folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const uint8_t owner[DIGEST_SIZE] = {7}, stranger[DIGEST_SIZE] = {8};
  struct fuzz fuzz = {bytes, size};
  uint8_t how = fuzz_byte(&fuzz), value[STAGING_FILES][DIGEST_SIZE];
  char text[DIGEST_TEXT * (STAGING_FILES + 1) + 1];
  struct staging staging = {.folder = folder, .name = names};
  struct fuzz result = fuzz_cut(&fuzz, 16), change = fuzz_cut(&fuzz, how & 4 ? 3 : 0);
  size_t length, at;
  int is_whole = !(how & 1);
  prepare();
  empty();
  FUZZ_MUST(mkdir(place, 0700) == 0);
  for (size_t i = 0; i < STAGING_FILES; i++)
    digest_of(result.at, result.left, value[i]);
  length = seal(owner, value, text);
  if (change.left == 3 && (at = (size_t)(change.at[0] + 256 * change.at[1]) % length) < length) {
    is_whole = is_whole && text[at] == (char)change.at[2];
    text[at] = (char)change.at[2];
  }
  put(folder, names[how >> 6], result.at, result.left);
  put(place, "note", "mine", 4);
  if (how & 2) put(place, "begun", fuzz.at, fuzz.left);
  put(place, "seal", how & 1 ? fuzz.at : (const void *)text, how & 1 ? fuzz.left : length);
  fuzz_listen();
  FUZZ_MUST(fuzz_judge_input(staging_find(&staging)) == EXIT_OK && staging.count <= 1);
  for (size_t i = 0; i < STAGING_FILES; i++) {
    int has = staging_has(&staging, i, owner);
    FUZZ_MUST(!is_whole || has == (i == how >> 6));
    FUZZ_MUST(!has || i == how >> 6);
    FUZZ_MUST(!staging_has(&staging, i, stranger) || how & 5);
    FUZZ_MUST(!has || (how & 1) || staging_has(&staging, i, NULL));
  }
  FUZZ_MUST(is_there(place, "note")); /* nobody's but the user's */
  staging_remove(&staging, how & 8);
  FUZZ_MUST(is_there(place, "note") && is_there(folder, names[how >> 6]));
  staging_free(&staging);
  return 0;
}

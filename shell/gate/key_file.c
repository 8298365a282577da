#include "gate/key_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/output.h"

#define KEY_FILE_HEAD "fumata key 1\n"
#define KEY_FILE_SIZE (sizeof KEY_FILE_HEAD - 1 + 33)

int key_file_make(const char *path, struct coins *coins) {
  struct output output;
  uint64_t key[2];
  mode_t mask;
  int code = coins_draw(coins, &key[0]);
  if (!code) code = coins_draw(coins, &key[1]);
  if (code) return code;
  mask = umask(077);
  code = output_open(&output, path);
  umask(mask);
  if (!code) fprintf(output.stream, KEY_FILE_HEAD "%016" PRIx64 "%016" PRIx64 "\n", key[0], key[1]);
  explicit_bzero(key, sizeof key);
  return code ? code : output_commit(&output);
}

/* 32 digits, the first 16 of them the first word. */
static int key_file_parse(const char *text, uint64_t key[2]) {
  static const char digits[] = "0123456789abcdef";
  key[0] = key[1] = 0;
  for (int i = 0; i < 32; i++) {
    const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
    if (!digit) return -1;
    key[i / 16] = key[i / 16] << 4 | (uint64_t)(digit - digits);
  }
  return text[32] == '\n' ? 0 : -1;
}

static int key_file_take(const char *path, FILE *stream, uint64_t key[2]) {
  char text[KEY_FILE_SIZE + 2];
  struct stat about;
  size_t got;
  int failed;
  if (fstat(fileno(stream), &about) != 0)
    return error_report(EXIT_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
  if (S_ISREG(about.st_mode) && about.st_mode & 077)
    return error_report(EXIT_INPUT, "%s: others may read this key (mode %03o); chmod 600 if nobody has", path,
                        (unsigned)about.st_mode & 0777);
  got = fread(text, 1, sizeof text - 1, stream);
  text[got] = '\0';
  failed = got != KEY_FILE_SIZE || strncmp(text, KEY_FILE_HEAD, sizeof KEY_FILE_HEAD - 1) != 0 ||
           key_file_parse(text + sizeof KEY_FILE_HEAD - 1, key) != 0;
  explicit_bzero(text, sizeof text);
  return failed ? error_report(EXIT_INPUT, "%s: no key; fumata vote --new-key FILE makes one", path) : EXIT_OK;
}

int key_file_read(const char *path, uint64_t key[2]) {
  FILE *stream = fopen(path, "rbe");
  int code;
  if (!stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  setvbuf(stream, NULL, _IONBF, 0); /* no copy of the key stays in a buffer */
  code = key_file_take(path, stream, key);
  fclose(stream);
  return code;
}

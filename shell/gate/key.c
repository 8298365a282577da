#include "gate/key.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/output.h"

#define KEY_HEAD "fumata key 1\n"
#define KEY_SIZE (sizeof KEY_HEAD - 1 + 33)

int key_make(const char *path, struct coins *coins) {
  struct output output;
  uint64_t key[2];
  mode_t mask;
  int code = coins_draw(coins, &key[0]);
  if (!code) code = coins_draw(coins, &key[1]);
  if (code) return code;
  mask = umask(077);
  code = output_open(&output, path);
  umask(mask);
  if (!code) fprintf(output.stream, KEY_HEAD "%016" PRIx64 "%016" PRIx64 "\n", key[0], key[1]);
  explicit_bzero(key, sizeof key);
  return code ? code : output_commit(&output);
}

/* 32 digits, the first 16 of them the first word. */
static int key_parse(const char *text, uint64_t key[2]) {
  static const char digits[] = "0123456789abcdef";
  key[0] = key[1] = 0;
  for (int i = 0; i < 32; i++) {
    const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
    if (!digit) return -1;
    key[i / 16] = key[i / 16] << 4 | (uint64_t)(digit - digits);
  }
  return text[32] == '\n' ? 0 : -1;
}

static int key_take(const char *path, FILE *stream, uint64_t key[2]) {
  char text[KEY_SIZE + 2];
  struct stat about;
  size_t got;
  int failed;
  if (fstat(fileno(stream), &about) != 0)
    return error_report(EXIT_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
  if (S_ISREG(about.st_mode) && about.st_mode & 077)
    return error_report(EXIT_INPUT, "%s: others may read this key (mode %03o); chmod 600 if none has read it", path,
                        (unsigned)about.st_mode & 0777);
  got = fread(text, 1, sizeof text - 1, stream);
  text[got] = '\0';
  failed = got != KEY_SIZE || strncmp(text, KEY_HEAD, sizeof KEY_HEAD - 1) != 0 ||
           key_parse(text + sizeof KEY_HEAD - 1, key) != 0;
  explicit_bzero(text, sizeof text);
  return failed ? error_report(EXIT_INPUT, "%s: no key; fumata vote --new-key FILE makes one", path) : EXIT_OK;
}

int key_read(const char *path, uint64_t key[2]) {
  FILE *stream = fopen(path, "rbe");
  int code;
  if (!stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  setvbuf(stream, NULL, _IONBF, 0); /* no copy of the key stays in a buffer */
  code = key_take(path, stream, key);
  fclose(stream);
  return code;
}

/* ---- SipHash-2-4 ---- */

#define KEY_ROTATE(x, b) (((x) << (b)) | ((x) >> (64 - (b))))

static void key_round(uint64_t v[4]) {
  v[0] += v[1];
  v[1] = KEY_ROTATE(v[1], 13) ^ v[0];
  v[0] = KEY_ROTATE(v[0], 32);
  v[2] += v[3];
  v[3] = KEY_ROTATE(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = KEY_ROTATE(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = KEY_ROTATE(v[1], 17) ^ v[2];
  v[2] = KEY_ROTATE(v[2], 32);
}

static void key_absorb(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  key_round(v);
  key_round(v);
  v[0] ^= word;
}

uint64_t key_hash(const uint64_t key[2], const void *bytes, size_t length) {
  uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                   key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  const unsigned char *at = bytes;
  size_t left = length;
  int i;
  for (; left >= 8; at += 8, left -= 8)
    key_absorb(v, bytes_little(at, 8));
  key_absorb(v, bytes_little(at, left) | (uint64_t)length << 56);
  v[2] ^= 0xff;
  for (i = 0; i < 4; i++)
    key_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

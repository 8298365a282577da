/* libcrypto calls these functions old; the newer ones keep their state in memory of their own, which copies of a digest
 * could not share. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define DIGEST_BLOCK 65536 /* bytes of a file read at a time */

void digest_init(struct digest *digest) {
  SHA256_Init(&digest->state);
}

void digest_add(struct digest *digest, const void *bytes, size_t size) {
  if (size) SHA256_Update(&digest->state, bytes, size);
}

void digest_add_u64(struct digest *digest, uint64_t value) {
  uint8_t bytes[8];
  for (unsigned i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(value >> (8 * i));
  digest_add(digest, bytes, sizeof bytes);
}

void digest_read(const struct digest *digest, uint8_t result[DIGEST_SIZE]) {
  struct digest copy = *digest;
  SHA256_Final(result, &copy.state);
}

void digest_print(const uint8_t value[DIGEST_SIZE], char text[DIGEST_TEXT]) {
  static const char hex[] = "0123456789abcdef";
  unsigned i;
  for (i = 0; i < DIGEST_SIZE; i++) {
    text[2 * i] = hex[value[i] >> 4];
    text[2 * i + 1] = hex[value[i] & 15];
  }
  text[2 * i] = 0;
}

int digest_add_file(struct digest *digest, const char *file) {
  FILE *stream = fopen(file, "rbe");
  char *block;
  size_t got;
  int code = memory_take(&block, DIGEST_BLOCK, 1);
  if (!code && !stream) code = error_report(EXIT_INPUT, "%s: cannot read: %s", file, strerror(errno));
  while (!code && (got = fread(block, 1, DIGEST_BLOCK, stream)) > 0)
    digest_add(digest, block, got);
  if (!code && ferror(stream))
    code = error_report(errno == EISDIR ? EXIT_INPUT : EXIT_SYSTEM, "%s: cannot read: %s", file, strerror(errno));
  if (stream) fclose(stream);
  free(block);
  return code;
}

int digest_parse(const char *text, uint8_t value[DIGEST_SIZE]) {
  static const char hex[] = "0123456789abcdef";
  if (strlen(text) != 2 * DIGEST_SIZE || strspn(text, hex) != 2 * DIGEST_SIZE) return -1;
  for (unsigned i = 0; i < DIGEST_SIZE; i++)
    value[i] = (uint8_t)((strchr(hex, text[2 * i]) - hex) << 4 | (strchr(hex, text[2 * i + 1]) - hex));
  return 0;
}

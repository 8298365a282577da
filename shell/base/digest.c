#include "base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#define DIGEST_BLOCK 65536 /* bytes of a file read at a time */

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t digest_round[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t digest_rotate(uint32_t x, unsigned by) {
  return (x >> by) | (x << (32 - by));
}

/* 6.2.2: one block of 64 bytes. */
static void digest_mix(uint32_t state[8], const uint8_t block[64]) {
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  uint32_t w[64];
  unsigned t;
  for (t = 0; t < 16; t++)
    w[t] = (uint32_t)bytes_big(block + 4 * t, 4);
  for (t = 16; t < 64; t++) {
    uint32_t x = w[t - 15], y = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] + (digest_rotate(x, 7) ^ digest_rotate(x, 18) ^ (x >> 3)) +
           (digest_rotate(y, 17) ^ digest_rotate(y, 19) ^ (y >> 10));
  }
  for (t = 0; t < 64; t++) {
    uint32_t t1 = h + (digest_rotate(e, 6) ^ digest_rotate(e, 11) ^ digest_rotate(e, 25)) + ((e & f) ^ (~e & g)) +
                  digest_round[t] + w[t];
    uint32_t t2 = (digest_rotate(a, 2) ^ digest_rotate(a, 13) ^ digest_rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void digest_init(struct digest *digest) {
  /* 5.3.3: the same of the square roots of the first eight primes. */
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memset(digest, 0, sizeof *digest);
  memcpy(digest->state, start, sizeof start);
}

void digest_add(struct digest *digest, const void *bytes, size_t size) {
  const uint8_t *from = bytes;
  size_t used = (size_t)(digest->length % 64);
  digest->length += size;
  while (size >= 64 - used) {
    size_t n = 64 - used;
    memcpy(digest->block + used, from, n);
    digest_mix(digest->state, digest->block);
    from += n;
    size -= n;
    used = 0;
  }
  if (size) memcpy(digest->block + used, from, size);
}

void digest_add_u64(struct digest *digest, uint64_t value) {
  uint8_t bytes[8];
  unsigned i;
  for (i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(value >> (8 * i));
  digest_add(digest, bytes, sizeof bytes);
}

void digest_read(const struct digest *digest, uint8_t result[DIGEST_SIZE]) {
  /* 5.1.1: a one bit, zeros up to eight bytes before a block's end, the length in bits. */
  static const uint8_t padding[64] = {0x80};
  struct digest d = *digest;
  uint64_t bits = digest->length * 8;
  uint8_t end[8];
  unsigned i;
  for (i = 0; i < 8; i++)
    end[i] = (uint8_t)(bits >> (56 - 8 * i));
  digest_add(&d, padding, 1 + (size_t)((119 - digest->length % 64) % 64));
  digest_add(&d, end, sizeof end);
  for (i = 0; i < 32; i++)
    result[i] = (uint8_t)(d.state[i / 4] >> (24 - 8 * (i % 4)));
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

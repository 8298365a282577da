#include "gate/siphash.h"

#include "base/bytes.h"

#define SIPHASH_ROTATE(x, b) (((x) << (b)) | ((x) >> (64 - (b))))

static void siphash_round(uint64_t v[4]) {
  v[0] += v[1];
  v[1] = SIPHASH_ROTATE(v[1], 13) ^ v[0];
  v[0] = SIPHASH_ROTATE(v[0], 32);
  v[2] += v[3];
  v[3] = SIPHASH_ROTATE(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = SIPHASH_ROTATE(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = SIPHASH_ROTATE(v[1], 17) ^ v[2];
  v[2] = SIPHASH_ROTATE(v[2], 32);
}

static void siphash_absorb(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  siphash_round(v);
  siphash_round(v);
  v[0] ^= word;
}

uint64_t siphash(const uint64_t key[2], const void *bytes, size_t length) {
  uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                   key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  const unsigned char *at = bytes;
  size_t left = length;
  int i;
  for (; left >= 8; at += 8, left -= 8)
    siphash_absorb(v, bytes_little(at, 8));
  siphash_absorb(v, bytes_little(at, left) | (uint64_t)length << 56);
  v[2] ^= 0xff;
  for (i = 0; i < 4; i++)
    siphash_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

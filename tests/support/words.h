/* Seeded random words for what must be the same in every run: set `seed`, then draw. */
#ifndef TESTS_SUPPORT_WORDS_H
#define TESTS_SUPPORT_WORDS_H

#include <stdint.h>

static uint64_t seed;

static inline uint64_t word(void) { /* splitmix64 */
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline uint32_t below(uint32_t n) {
  return (uint32_t)(word() % n);
}

#endif

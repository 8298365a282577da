/* Coins of an attack: any uniform words do, so quick ones. xoshiro256**, begun with words of the operating system. */
#ifndef AUDIT_TOSS_H
#define AUDIT_TOSS_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

static inline void toss_begin(uint64_t coins[4]) {
  if (getrandom(coins, 4 * sizeof *coins, 0) != 4 * (ssize_t)sizeof *coins) exit(3);
}

static inline uint64_t toss_turn(uint64_t word, int by) {
  return word << by | word >> (64 - by);
}

static inline uint64_t toss_word(uint64_t c[4]) {
  uint64_t word = toss_turn(c[1] * 5, 7) * 9, kept = c[1] << 17;
  c[2] ^= c[0], c[3] ^= c[1], c[1] ^= c[2], c[0] ^= c[3];
  c[2] ^= kept;
  c[3] = toss_turn(c[3], 45);
  return word;
}

#endif

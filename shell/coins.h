/* Uniform 64-bit words: from the operating system, or, for tests only, from a seed. */
#ifndef FUMATA_COINS_H
#define FUMATA_COINS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t words[32];
  size_t next;    /* first unused word */
  int seeded;     /* 1: reproducible, and therefore not private */
  uint64_t state; /* of the seeded generator */
} fumata_coins;

void fumata_coins_init(fumata_coins *coins);
void fumata_coins_seed(fumata_coins *coins, uint64_t seed);

/* Returns an exit code (say.h): without randomness there is no answer. */
int fumata_coins_draw(fumata_coins *coins, uint64_t *word);

#endif

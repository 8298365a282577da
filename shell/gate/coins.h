/* Uniform 64-bit words: from the operating system, or, for tests only, from a seed. */
#ifndef GATE_COINS_H
#define GATE_COINS_H

#include <stddef.h>
#include <stdint.h>

struct coins {
  uint64_t words[128];
  size_t next;    /* first unused word */
  uint64_t token; /* of the process that fetched the words: a forked one uses none of them */
  int seeded;     /* 1: reproducible, and therefore not private */
  uint64_t state; /* of the seeded generator */
};

void coins_init(struct coins *coins);
void coins_seed(struct coins *coins, uint64_t seed);

/* Returns an exit code (error.h): without randomness there is no answer. */
int coins_draw(struct coins *coins, uint64_t *word);

#endif

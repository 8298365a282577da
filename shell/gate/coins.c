#include "gate/coins.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/error.h"
#include "gate/process.h"

#define COINS_WORDS (sizeof((struct coins *)0)->words / sizeof(uint64_t))

void coins_init(struct coins *coins) {
  memset(coins, 0, sizeof *coins);
  coins->next = COINS_WORDS;
}

void coins_seed(struct coins *coins, uint64_t seed) {
  coins_init(coins);
  coins->seeded = 1;
  coins->state = seed;
}

/* SplitMix64: one word from a counter; good enough to replay a test, never for a release. */
static uint64_t coins_mix(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static int coins_refill(struct coins *coins) {
  size_t got = 0;
  while (got < sizeof coins->words) {
    ssize_t n = getrandom((unsigned char *)coins->words + got, sizeof coins->words - got, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return error_report(EXIT_SYSTEM, "no randomness from the operating system");
    got += (size_t)n;
  }
  coins->next = 0;
  coins->token = process_token();
  return EXIT_OK;
}

int coins_draw(struct coins *coins, uint64_t *word) {
  if (coins->seeded) {
    *word = coins_mix(&coins->state);
    return EXIT_OK;
  }
  if (coins->next == COINS_WORDS || coins->token != process_token()) {
    int code = coins_refill(coins);
    if (code) return code;
  }
  *word = coins->words[coins->next];
  coins->words[coins->next++] = 0; /* a used coin is a secret */
  return EXIT_OK;
}

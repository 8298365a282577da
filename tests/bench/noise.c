/* Draws of discrete Laplace noise: bench_noise NUMERATOR DENOMINATOR, epsilon being their quotient. Prints nanoseconds a draw
 * of the core's table, of an exact sampler, and the table's entries. Both take their coins from the operating system; the best of
 * several rounds, taken in turn.
 *
 * The sampler is Algorithm 2 of Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020): whole
 * numbers only, and trials of exp(-x) for rational x by von Neumann's series. It asks for no more coins than it needs, bit by bit. */
#include <math.h>
#include <stdio.h>

#include "core/noise.h"
#include "gate/coins.h"
#include "machine.h"

#define ROUNDS 7
#define DRAWS  200000
#define TAIL   45.0 /* exp(-45) is below 2^-64: no coin reaches further */

static struct coins coins;
static uint64_t bits;
static unsigned bits_left;

static uint64_t coin(void) {
  uint64_t word;
  if (coins_draw(&coins, &word)) exit(1);
  return word;
}

static unsigned bit(void) {
  unsigned low;
  if (!bits_left) {
    bits = coin();
    bits_left = 64;
  }
  low = bits & 1;
  bits >>= 1;
  bits_left--;
  return low;
}

/* Uniform below n, exactly: bits until they are below it. */
static uint64_t below(uint64_t n) {
  unsigned width = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
  for (;;) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
      value = value << 1 | bit();
    if (value < n) return value;
  }
}

/* True with probability exp(-a / b), for a <= b: the number of successes of probability a / (b k), k = 1, 2, ... is even. */
static int trial(uint64_t a, uint64_t b) {
  uint64_t k = 1;
  while (below(b * k) < a)
    k++;
  return k & 1;
}

/* x with probability proportional to exp(-|x| s / t). */
static int64_t exact(uint64_t s, uint64_t t) {
  for (;;) {
    uint64_t u = below(t), whole = 0, size;
    unsigned is_negative;
    if (!trial(u, t)) continue;
    while (trial(1, 1))
      whole++;
    size = (u + t * whole) / s;
    is_negative = bit();
    if (is_negative && size == 0) continue;
    return is_negative ? -(int64_t)size : (int64_t)size;
  }
}

/* The same law as a table of the core; false beyond `most` entries. */
static int table(fumata_noise *noise, double epsilon, uint64_t *cdf, uint32_t most) {
  int64_t reach = (int64_t)ceil(TAIL / epsilon);
  long double q = expl(-(long double)epsilon), mass = (1 - q) / (1 + q), sum = 0;
  if (2 * reach > most) return 0;
  for (int64_t x = -reach; x < reach; x++) {
    sum += mass * powl(q, (long double)(x < 0 ? -x : x));
    cdf[x + reach] = sum < 1 ? (uint64_t)ldexpl(sum, 64) : UINT64_MAX;
  }
  *noise = (fumata_noise){cdf, (uint32_t)(2 * reach), -reach};
  return fumata_noise_check(noise) == FUMATA_OK;
}

int main(int argc, char **argv) {
  static uint64_t cdf[65536];
  uint64_t s = argc == 3 ? (uint64_t)atol(argv[1]) : 0, t = argc == 3 ? (uint64_t)atol(argv[2]) : 0;
  double best[2] = {1e9, 1e9}, size[2] = {0, 0};
  fumata_noise noise;
  coins_init(&coins);
  if (!s || !t || !table(&noise, (double)s / (double)t, cdf, 65536)) return 2;
  for (int i = 0; i < 2 * ROUNDS; i++) {
    double started = machine_clock(CLOCK_THREAD_CPUTIME_ID), took;
    for (int d = 0; d < DRAWS; d++)
      size[i % 2] += fabs((double)(i % 2 ? exact(s, t) : fumata_noise_draw(&noise, coin())));
    took = machine_clock(CLOCK_THREAD_CPUTIME_ID) - started;
    if (took < best[i % 2]) best[i % 2] = took;
  }
  /* Two samplers of one law: their mean sizes agree, within eight deviations of the mean. */
  if (fabs(size[0] - size[1]) / (ROUNDS * DRAWS) > 8 * 1.5 * (double)t / (double)s / sqrt(ROUNDS * DRAWS)) return 1;
  printf("%.2f %.2f %u\n", 1e9 * best[0] / DRAWS, 1e9 * best[1] / DRAWS, noise.size);
  return 0;
}

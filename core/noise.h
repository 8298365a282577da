/* Noise as a table of 64-bit integers: outcome first + j has probability (cdf[j] - cdf[j-1]) / 2^64. */
#ifndef FUMATA_NOISE_H
#define FUMATA_NOISE_H

#include <stdint.h>

#include "status.h"

#define FUMATA_NOISE_MAX   1048576u               /* entries of a table */
#define FUMATA_NOISE_RANGE INT64_C(1099511627776) /* 2^40, bounds |first| */

/* `size` entries give size + 1 outcomes: first .. first + size. */
typedef struct {
  const uint64_t *cdf;
  uint32_t size;
  int64_t first;
} fumata_noise;

#ifdef __FRAMAC__
#include "noise.acsl"
#endif

/* Is this table fit to draw from? Reads no entry unless the size is in range.
 *
 * Claim:    T-NOISE-1, whose draw asks for it.
 * Not here: that the table is good noise (T-CERT-2). */
/*@ requires readable:   FumataNoiseReadable(noise);
    terminates \true; exits \false;
    assigns              \nothing;
    behavior fit:
      assumes            FumataNoiseOk(noise);
      ensures accepted:  \result == FUMATA_OK;
    behavior unfit:
      assumes            !FumataNoiseOk(noise);
      ensures refused:   \result == FUMATA_ERR_TABLE;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_noise_check(const fumata_noise *noise);

/* The outcome that owns this coin. Every entry is read whatever the coin, and neither a branch nor an address
 * depends on it.
 *
 * Claim:    T-NOISE-1, each outcome is drawn by exactly the coins of its interval.
 * Not here: that the coin is uniform (A-COINS), what a compiler makes of a comparison. */
/*@ requires fit:        FumataNoiseOk(noise);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       noise->first <= \result <= noise->first + noise->size;
    ensures owned:       FumataNoiseOwns(noise, \result - noise->first, coin);
    ensures only:        \forall integer j; FumataNoiseOwns(noise, j, coin) ==> \result == noise->first + j; */
int64_t fumata_noise_draw(const fumata_noise *noise, uint64_t coin);

#endif

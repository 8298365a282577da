/* The noisy count: one number about the private data, once, with noise that was certified for it. */
#ifndef FUMATA_COUNT_H
#define FUMATA_COUNT_H

#include <stdint.h>

#include "certify_noise.h"

#define FUMATA_COUNT_MAX INT64_C(1099511627776) /* 2^40, so that no sum comes near 2^63 */

/* Caller-allocated; change nothing. The noise's table stays the caller's and must outlive the counter unchanged. Never copy
 * it: the copy would spend the budget once more. */
typedef struct {
  fumata_noise noise;
  uint32_t reserved; /* 1 until the count is released */
} fumata_counter;

#ifdef __FRAMAC__
#include "count.acsl"
#endif

/* A counter for one release of a count that one unit changes by at most `sensitivity`. What it costs, the claim's
 * epsilon and delta, has to be stored, durably, before the release.
 *
 * Claim:    T-COUNT-2, the counter of refused noise does not come into being; T-ERR-1.
 * Not here: that the certificate means privacy (T-CERT-4), that the sensitivity is the count's, that it was stored. */
/*@ requires memory:     FumataCounterCanStart(counter, noise, claim);
    terminates \true; exits \false;
    assigns              *counter;
    ensures cause:       FumataNoiseStatus{Pre}(noise, sensitivity, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> FumataNoiseIsCertified{Pre}(noise, sensitivity, claim);
    ensures running:     \result == FUMATA_OK ==> FumataCounterStarts(counter, noise, sensitivity, claim);
    ensures unchanged:   \result != FUMATA_OK ==> *counter == \old(*counter); */
fumata_status fumata_count_init(fumata_counter *counter, const fumata_noise *noise, uint32_t sensitivity,
                                const fumata_claim *claim);

/* The count with noise. A count above FUMATA_COUNT_MAX is taken for that, so that nothing but the counter's own state
 * decides whether there is an answer. The work does not depend on the count or the coin.
 *
 * Claim:    T-COUNT-1, the count and the drawn noise, added up; T-COUNT-2, once for each counter; T-ERR-1.
 * Not here: that the coin is uniform and used once (A-COINS), that the compiler keeps the work the same. */
/*@ requires state:      \valid(counter) && FumataCounterInvariant(counter);
    requires writable:   \valid(noisy);
    requires apart:      \separated(noisy, counter);
    requires table:      \separated(noisy, counter->noise.cdf + (0 .. counter->noise.size - 1));
    terminates \true; exits \false;
    assigns              counter->reserved, *noisy;
    ensures state:       FumataCounterInvariant(counter);
    behavior closed:
      assumes            counter->reserved == 0;
      assigns            \nothing;
      ensures unchanged: *noisy == \old(*noisy) && counter->reserved == \old(counter->reserved);
      ensures refused:   \result == FUMATA_ERR_CLOSED;
    behavior released:
      assumes            counter->reserved == 1;
      ensures used:      counter->reserved == 0;
      ensures noisy:     FumataIsNoisyCount(&counter->noise, count, coin, *noisy);
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_count_release(fumata_counter *counter, uint64_t count, uint64_t coin, int64_t *noisy);

#endif

/* What releases cost, added up under a total: exact fractions, never rounded (MECHANISM section 8). */
#ifndef FUMATA_CEILING_H
#define FUMATA_CEILING_H

#include <stdint.h>

#include "status.h"

#define FUMATA_CEILING_STEPS 128u /* Euclid: two divisions at least halve a word of 64 bits */

/* num / den, an epsilon or a delta; den 0: absent, a cost of nothing or a total without a limit. */
typedef struct {
  uint64_t num;
  uint64_t den;
} fumata_cost;

#ifdef __FRAMAC__
#include "ceiling.acsl"
#endif

/* Two costs as one, in lowest terms. Refused when the sum over the least common denominator does not fit 64 bits.
 *
 * Claim:    T-CEILING-1, the sum is exact or there is none; T-ERR-1.
 * Not here: that costs of releases add up (T-PRIVACY-6). */
/*@ requires writable:   \valid(sum);
    terminates \true; exits \false;
    assigns              *sum;
    behavior added:
      assumes            FumataHasSum(x, y);
      ensures done:      \result == FUMATA_OK;
      ensures sum:       FumataIsLowest(FumataSumNum(x, y), FumataSumDen(x, y), *sum);
    behavior wide:
      assumes            !FumataHasSum(x, y);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_CLAIM;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_ceiling_add(fumata_cost x, fumata_cost y, fumata_cost *sum);

/* Is x at most the total?
 *
 * Claim:    T-CEILING-2, yes if and only if it is, to the last digit. */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures within:      FumataIsWithin(x, total) ? \result == 1 : \result == 0; */
int fumata_ceiling_within(fumata_cost x, fumata_cost total);

/* One of `parts` equal parts of x, and the others together, both in lowest terms.
 *
 * Claim:    T-CEILING-3, the two are x, no more and no less; T-ERR-1. */
/*@ requires writable:   \valid(part) && \valid(rest) && \separated(part, rest);
    terminates \true; exits \false;
    assigns              *part, *rest;
    behavior split:
      assumes            FumataHasParts(x, parts);
      ensures done:      \result == FUMATA_OK;
      ensures part:      FumataIsLowest(x.num, x.den * parts, *part);
      ensures rest:      FumataIsLowest(x.num * (parts - 1), x.den * parts, *rest);
    behavior wide:
      assumes            !FumataHasParts(x, parts);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_CLAIM;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_ceiling_split(fumata_cost x, uint32_t parts, fumata_cost *part, fumata_cost *rest);

#endif

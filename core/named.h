/* What a coin says of a distance under a toll table: the scan that tolls and polls share. */
#ifndef FUMATA_NAMED_H
#define FUMATA_NAMED_H

#include <stdint.h>

#include "plan.h"

#ifdef __FRAMAC__
#include "named.acsl"
#endif

/* 1 if the coin names the winner at this distance, else 0. The work does not depend on the distance or the coin.
 *
 * Claim:    T-TOLL-2, T-POLL-3.
 * Not here: that the coin is uniform and used once (A-COINS), that the compiler keeps the work the same. */
/*@ requires plan:       FumataTollPlanOk(plan);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures named:       coin < FumataPlanCoins(plan, distance) ? \result == 1 : \result == 0; */
uint32_t fumata_named_wins(const fumata_toll_plan *plan, uint32_t distance, uint64_t coin);

#endif

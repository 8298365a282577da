/* The accountant of a count: noise keeps a claim, or the distance at which two counts show. */
#ifndef FUMATA_CERTIFY_NOISE_H
#define FUMATA_CERTIFY_NOISE_H

#include "certify.h"

#define FUMATA_COUNT_SENSITIVITY_MAX 1000u /* what one unit may change a count by */

#ifdef __FRAMAC__
#include "certify_noise.acsl"
#endif

/* Does a draw from this table, added to a count that one unit changes by at most `sensitivity`, keep this claim? The
 * claim's alpha and V are not looked at. The work grows with size times sensitivity.
 *
 * `fault` is written by every call. Of a claim its index is 0, or 1 for the sensitivity; of a total it is the smallest
 * change of the count that shows.
 * Claim:    T-CERT-4, accepted iff the inequalities hold as certify_noise.acsl computes them.
 * Not here: that those imply (epsilon, delta) over the reals (proofs/coq). */
/*@ requires noise:      FumataNoiseReadable(noise);
    requires claim:      \valid_read(claim);
    requires writable:   \valid(fault);
    terminates \true; exits \false;
    assigns              *fault;
    ensures certified:   \result == FUMATA_OK <==> FumataNoiseIsCertified{Pre}(noise, sensitivity, claim);
    ensures fault:       FumataNoiseFault{Pre}(noise, sensitivity, claim, fault->kind, fault->index);
    ensures status:      FumataStatusSays(\result, fault->kind);
    ensures told:        FumataNoiseStatus{Pre}(noise, sensitivity, claim, \result); */
fumata_status fumata_certify_noise(const fumata_noise *noise, uint32_t sensitivity, const fumata_claim *claim,
                                   fumata_fault *fault);

#endif

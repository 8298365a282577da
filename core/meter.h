/* The meter: labels are free, silences are counted (MECHANISM section 2). */
#ifndef FUMATA_METER_H
#define FUMATA_METER_H

#include <stdint.h>

#include "ballot.h"
#include "certify.h"

#define FUMATA_SILENT (-1)

/* Caller-allocated; read `left` to store it, change nothing. The table of the plan stays the caller's and must outlive the
 * meter unchanged. Never copy it: the copy would spend the budget once more. */
typedef struct {
  fumata_meter_plan plan;
  uint32_t left;     /* silences that may still be reserved */
  uint32_t reserved; /* silences that are paid for and not used */
} fumata_meter;

#ifdef __FRAMAC__
#include "meter.acsl"
#endif

/* A new session with all T silences left. Once in the life of a plan: a session that was stored is
 * resumed, never begun again.
 *
 * Claim:    T-METER-1, the meter of a refused plan does not come into being; T-ERR-1.
 * Not here: that the certificate means privacy (T-CERT-1), that no run begins twice. */
/*@ requires memory:     FumataMeterCanStart(meter, plan, claim);
    terminates \true; exits \false;
    assigns              *meter;
    ensures cause:       FumataMeterStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(FumataMeterIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataMeterStarts(meter, plan, plan->limit);
    ensures unchanged:   \result != FUMATA_OK ==> *meter == \old(*meter); */
fumata_status fumata_meter_init(fumata_meter *meter, const fumata_meter_plan *plan, const fumata_claim *claim);

/* Take up a stored session. Whatever was reserved when it was stored counts as used.
 *
 * Claim:    T-METER-1, a life goes on from what was paid, never from more; T-ERR-1.
 * Not here: that `left` is what was stored last, under this same plan (A-STORE). */
/*@ requires memory:     FumataMeterCanStart(meter, plan, claim);
    terminates \true; exits \false;
    assigns              *meter;
    ensures cause:       left > \old(plan->limit) ? \result == FUMATA_ERR_LEFT :
                         FumataMeterStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(left <= plan->limit && FumataMeterIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataMeterStarts(meter, plan, left);
    ensures unchanged:   \result != FUMATA_OK ==> *meter == \old(*meter); */
fumata_status fumata_meter_resume(fumata_meter *meter, const fumata_meter_plan *plan, const fumata_claim *claim,
                                  uint32_t left);

/* Pay for `n` silences. The new `left` has to be stored, durably, before the next answer; a crash loses what is
 * reserved and not used.
 *
 * Claim:    T-METER-1, paid before anything is looked at; T-ERR-1.
 * Not here: that it was stored (A-STORE). */
/*@ requires state:      \valid(meter) && FumataMeterInvariant(meter);
    terminates \true; exits \false;
    assigns              meter->left, meter->reserved;
    ensures state:       FumataMeterInvariant(meter);
    behavior refused:
      assumes            meter->reserved > 0 || !(1 <= n <= meter->left);
      assigns            \nothing;
      ensures unchanged: meter->left == \old(meter->left) && meter->reserved == \old(meter->reserved);
      ensures refused:   \result == (meter->reserved > 0 ? FUMATA_ERR_RESERVED : FUMATA_ERR_SPENT);
    behavior paid:
      assumes            meter->reserved == 0 && 1 <= n <= meter->left;
      ensures charged:   meter->left == \old(meter->left) - n && meter->reserved == n;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_meter_reserve(fumata_meter *meter, uint32_t n);

/* Answer one ballot with one coin: *answer is the winner, or FUMATA_SILENT and one reservation is used.
 * The work does not depend on the distance, the winner or the coin.
 *
 * Claim:    T-METER-1 to T-METER-4, T-ERR-1.
 * Not here: that the coin is uniform and used once (A-COINS), that the compiler keeps the work the same. */
/*@ requires state:      \valid(meter) && FumataMeterInvariant(meter);
    requires verdict:    \valid_read(verdict);
    requires writable:   \valid(answer);
    requires apart:      \separated(answer, meter, verdict);
    requires table:      \separated(answer, meter->plan.silence + (0 .. meter->plan.size - 1));
    terminates \true; exits \false;
    assigns              meter->reserved, *answer;
    ensures state:       FumataMeterInvariant(meter);
    behavior refused:
      assumes            verdict->winner >= FUMATA_CLASSES_MAX || meter->reserved == 0;
      assigns            \nothing;
      ensures unchanged: *answer == \old(*answer) && meter->reserved == \old(meter->reserved);
      ensures refused:   \result == (verdict->winner >= FUMATA_CLASSES_MAX ? FUMATA_ERR_VOTE : FUMATA_ERR_CLOSED);
    behavior silent:
      assumes            verdict->winner < FUMATA_CLASSES_MAX && meter->reserved > 0;
      assumes            FumataMeterIsSilent(meter, verdict->distance, coin);
      ensures used:      meter->reserved == \old(meter->reserved) - 1;
      ensures silence:   *answer == FUMATA_SILENT;
      ensures accepted:  \result == FUMATA_OK;
    behavior label:
      assumes            verdict->winner < FUMATA_CLASSES_MAX && meter->reserved > 0;
      assumes            !FumataMeterIsSilent(meter, verdict->distance, coin);
      ensures kept:      meter->reserved == \old(meter->reserved);
      ensures stable:    verdict->distance >= 1;
      ensures winner:    *answer == verdict->winner;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_meter_answer(fumata_meter *meter, const fumata_verdict *verdict, uint64_t coin, int32_t *answer);

/* End a session cleanly: what was reserved and not used is given back. Store `left` after it.
 *
 * Claim:    T-METER-1, nothing is given back that was used.
 * Not here: that the session is resumed only from what was stored (A-STORE). */
/*@ requires state:      \valid(meter) && FumataMeterInvariant(meter);
    terminates \true; exits \false;
    assigns              meter->left, meter->reserved;
    ensures state:       FumataMeterInvariant(meter);
    ensures accepted:    \result == FUMATA_OK;
    ensures returned:    meter->left == \old(meter->left + meter->reserved) && meter->reserved == 0; */
fumata_status fumata_meter_close(fumata_meter *meter);

#endif

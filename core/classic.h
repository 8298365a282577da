/* Algorithm 2 of the paper: noisy distance against a noisy threshold (MECHANISM section 4). */
#ifndef FUMATA_CLASSIC_H
#define FUMATA_CLASSIC_H

#include <stdint.h>

#include "ballot.h"
#include "certify.h"
#include "meter.h" /* FUMATA_SILENT */

/* Caller-allocated; read `left` to store it, change nothing. The tables of the plan stay the caller's and must outlive the
 * machine unchanged. Never copy it: the copy would spend the budget once more. */
typedef struct {
  fumata_classic_plan plan;
  int64_t threshold; /* w + Z1 while a silence is reserved, else 0; secret */
  uint32_t left;     /* silences that may still be reserved */
  uint32_t reserved; /* 1 while a silence is paid for and not used */
} fumata_classic;

#ifdef __FRAMAC__
#include "classic.acsl"
#endif

/* A new session with all T silences left. Once in the life of a plan: a session that was stored is
 * resumed, never begun again.
 *
 * Claim:    T-CLASSIC-1, the machine of a refused plan does not come into being; T-ERR-1.
 * Not here: that the certificate means privacy (T-CERT-2), that no run begins twice. */
/*@ requires memory:     FumataClassicCanStart(classic, plan, claim);
    terminates \true; exits \false;
    assigns              *classic;
    ensures cause:       FumataClassicStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(FumataClassicIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataClassicStarts(classic, plan, plan->limit);
    ensures unchanged:   \result != FUMATA_OK ==> *classic == \old(*classic); */
fumata_status fumata_classic_init(fumata_classic *classic, const fumata_classic_plan *plan, const fumata_claim *claim);

/* Take up a stored session. Whatever was reserved when it was stored counts as used: its threshold died with the
 * process, so the next answer needs a new reservation.
 *
 * Claim:    T-CLASSIC-1, a life goes on from what was paid, never from more; T-ERR-1.
 * Not here: that `left` is what was stored last, under this same plan (A-STORE). */
/*@ requires memory:     FumataClassicCanStart(classic, plan, claim);
    terminates \true; exits \false;
    assigns              *classic;
    ensures cause:       left > \old(plan->limit) ? \result == FUMATA_ERR_LEFT :
                         FumataClassicStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(left <= plan->limit && FumataClassicIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataClassicStarts(classic, plan, left);
    ensures unchanged:   \result != FUMATA_OK ==> *classic == \old(*classic); */
fumata_status fumata_classic_resume(fumata_classic *classic, const fumata_classic_plan *plan, const fumata_claim *claim,
                                    uint32_t left);

/* Pay for one silence and draw the threshold of the stretch that ends with it (Algorithm 2, lines 3 and 11). The new
 * `left` has to be stored, durably, before the next answer.
 *
 * Claim:    T-CLASSIC-1, paid before anything is looked at; T-CLASSIC-2, Z1 is new in every stretch; T-ERR-1.
 * Not here: that it was stored (A-STORE), that the coin is uniform and used once (A-COINS). */
/*@ requires state:      \valid(classic) && FumataClassicInvariant(classic);
    terminates \true; exits \false;
    assigns              classic->threshold, classic->left, classic->reserved;
    ensures state:       FumataClassicInvariant(classic);
    behavior refused:
      assumes            classic->reserved == 1 || classic->left == 0;
      assigns            \nothing;
      ensures unchanged: classic->left == \old(classic->left) && classic->reserved == \old(classic->reserved);
      ensures secret:    classic->threshold == \old(classic->threshold);
      ensures refused:   \result == (classic->reserved == 1 ? FUMATA_ERR_RESERVED : FUMATA_ERR_SPENT);
    behavior paid:
      assumes            classic->reserved == 0 && classic->left > 0;
      ensures threshold: FumataDraws(&classic->plan.threshold, coin, classic->threshold - classic->plan.width);
      ensures charged:   classic->left == \old(classic->left) - 1 && classic->reserved == 1;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_classic_reserve(fumata_classic *classic, uint64_t coin);

/* Answer one ballot with one coin: *answer is the winner, or FUMATA_SILENT and the reservation is used.
 * The work does not depend on the distance, the winner or the coin.
 *
 * Claim:    T-CLASSIC-1, T-CLASSIC-2, T-ERR-1.
 * Not here: that the coin is uniform and used once (A-COINS), that the compiler keeps the work the same. */
/*@ requires state:      \valid(classic) && FumataClassicInvariant(classic);
    requires verdict:    \valid_read(verdict);
    requires writable:   \valid(answer);
    requires apart:      \separated(answer, classic, verdict);
    requires threshold:  \separated(answer, classic->plan.threshold.cdf + (0 .. classic->plan.threshold.size - 1));
    requires query:      \separated(answer, classic->plan.query.cdf + (0 .. classic->plan.query.size - 1));
    terminates \true; exits \false;
    assigns              classic->threshold, classic->reserved, *answer;
    ensures state:       FumataClassicInvariant(classic);
    behavior refused:
      assumes            verdict->winner >= FUMATA_CLASSES_MAX || classic->reserved == 0;
      assigns            \nothing;
      ensures unchanged: *answer == \old(*answer) && classic->reserved == \old(classic->reserved);
      ensures secret:    classic->threshold == \old(classic->threshold);
      ensures refused:   \result == (verdict->winner >= FUMATA_CLASSES_MAX ? FUMATA_ERR_VOTE : FUMATA_ERR_CLOSED);
    behavior silent:
      assumes            verdict->winner < FUMATA_CLASSES_MAX && classic->reserved == 1;
      assumes            !FumataClassicIsLabel(classic, verdict->distance, coin);
      ensures used:      classic->reserved == 0 && classic->threshold == 0;
      ensures silence:   *answer == FUMATA_SILENT;
      ensures accepted:  \result == FUMATA_OK;
    behavior label:
      assumes            verdict->winner < FUMATA_CLASSES_MAX && classic->reserved == 1;
      assumes            FumataClassicIsLabel(classic, verdict->distance, coin);
      ensures kept:      classic->reserved == 1 && classic->threshold == \old(classic->threshold);
      ensures winner:    *answer == verdict->winner;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_classic_answer(fumata_classic *classic, const fumata_verdict *verdict, uint64_t coin,
                                    int32_t *answer);

/* End a session: the threshold is forgotten, and with it a reservation is spent, used or not.
 *
 * Claim:    T-CLASSIC-1, nothing is given back.
 * Not here: that the session is resumed only from what was stored (A-STORE). */
/*@ requires state:      \valid(classic) && FumataClassicInvariant(classic);
    terminates \true; exits \false;
    assigns              classic->threshold, classic->reserved;
    ensures state:       FumataClassicInvariant(classic);
    ensures ended:       classic->reserved == 0 && classic->threshold == 0;
    ensures accepted:    \result == FUMATA_OK; */
fumata_status fumata_classic_close(fumata_classic *classic);

#endif

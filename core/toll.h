/* The toll: every answer is one of two candidates and is paid for. */
#ifndef FUMATA_TOLL_H
#define FUMATA_TOLL_H

#include <stdint.h>

#include "ballot.h"
#include "certify.h"
#include "named.h"

/* Caller-allocated; read `left` to store it, change nothing. The table of the plan stays the caller's and must outlive the
 * toll unchanged. Never copy it: the copy would spend the budget once more. */
typedef struct {
  fumata_toll_plan plan;
  uint32_t left;     /* answers that may still be reserved */
  uint32_t reserved; /* answers that are paid for and not given */
} fumata_toll;

#ifdef __FRAMAC__
#include "toll.acsl"
#endif

/* A new session with all L answers left. Once in the life of a plan: a session that was stored is
 * resumed, never begun again.
 *
 * Claim:    T-TOLL-1, the toll of a refused plan does not come into being; T-ERR-1.
 * Not here: that the certificate means privacy (T-CERT-5), that no run begins twice. */
/*@ requires memory:     FumataTollCanStart(toll, plan, claim);
    terminates \true; exits \false;
    assigns              *toll;
    ensures cause:       FumataTollStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(FumataTollIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataTollStarts(toll, plan, plan->limit);
    ensures unchanged:   \result != FUMATA_OK ==> *toll == \old(*toll); */
fumata_status fumata_toll_init(fumata_toll *toll, const fumata_toll_plan *plan, const fumata_claim *claim);

/* Take up a stored session. Whatever was reserved when it was stored counts as given.
 *
 * Claim:    T-TOLL-1, a life goes on from what was paid, never from more; T-ERR-1.
 * Not here: that `left` is what was stored last, under this same plan (A-STORE). */
/*@ requires memory:     FumataTollCanStart(toll, plan, claim);
    terminates \true; exits \false;
    assigns              *toll;
    ensures cause:       left > \old(plan->limit) ? \result == FUMATA_ERR_LEFT :
                         FumataTollStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(left <= plan->limit && FumataTollIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataTollStarts(toll, plan, left);
    ensures unchanged:   \result != FUMATA_OK ==> *toll == \old(*toll); */
fumata_status fumata_toll_resume(fumata_toll *toll, const fumata_toll_plan *plan, const fumata_claim *claim,
                                 uint32_t left);

/* Pay for `n` answers. The new `left` has to be stored, durably, before the next answer; a crash loses what is reserved
 * and not given.
 *
 * Claim:    T-TOLL-1, paid before anything is looked at; T-ERR-1.
 * Not here: that it was stored (A-STORE). */
/*@ requires state:      \valid(toll) && FumataTollInvariant(toll);
    terminates \true; exits \false;
    assigns              toll->left, toll->reserved;
    ensures state:       FumataTollInvariant(toll);
    behavior refused:
      assumes            toll->reserved > 0 || !(1 <= n <= toll->left);
      assigns            \nothing;
      ensures unchanged: toll->left == \old(toll->left) && toll->reserved == \old(toll->reserved);
      ensures refused:   \result == (toll->reserved > 0 ? FUMATA_ERR_RESERVED : FUMATA_ERR_SPENT);
    behavior paid:
      assumes            toll->reserved == 0 && 1 <= n <= toll->left;
      ensures charged:   toll->left == \old(toll->left) - n && toll->reserved == n;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_toll_reserve(fumata_toll *toll, uint32_t n);

/* Answer one duel with one coin: *answer is the winner or the loser, and one reservation is used.
 * The work does not depend on the distance, the winner or the coin.
 *
 * Claim:    T-TOLL-1 to T-TOLL-3, T-ERR-1.
 * Not here: that the coin is uniform and used once (A-COINS), that the compiler keeps the work the same. */
/*@ requires state:      \valid(toll) && FumataTollInvariant(toll);
    requires duel:       \valid_read(duel);
    requires writable:   \valid(answer);
    requires apart:      \separated(answer, toll, duel);
    requires table:      \separated(answer, toll->plan.named + (0 .. toll->plan.size - 1));
    terminates \true; exits \false;
    assigns              toll->reserved, *answer;
    ensures state:       FumataTollInvariant(toll);
    behavior refused:
      assumes            !FumataPairOk(duel->winner, duel->loser) || toll->reserved == 0;
      assigns            \nothing;
      ensures unchanged: *answer == \old(*answer) && toll->reserved == \old(toll->reserved);
      ensures nobody:    !FumataPairOk(duel->winner, duel->loser) ==> \result == FUMATA_ERR_VOTE;
      ensures closed:    FumataPairOk(duel->winner, duel->loser) ==> \result == FUMATA_ERR_CLOSED;
    behavior winner:
      assumes            FumataPairOk(duel->winner, duel->loser) && toll->reserved > 0;
      assumes            FumataTollNamesWinner(toll, duel->distance, coin);
      ensures used:      toll->reserved == \old(toll->reserved) - 1;
      ensures named:     *answer == duel->winner;
      ensures accepted:  \result == FUMATA_OK;
    behavior loser:
      assumes            FumataPairOk(duel->winner, duel->loser) && toll->reserved > 0;
      assumes            !FumataTollNamesWinner(toll, duel->distance, coin);
      ensures used:      toll->reserved == \old(toll->reserved) - 1;
      ensures named:     *answer == duel->loser;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_toll_answer(fumata_toll *toll, const fumata_duel *duel, uint64_t coin, int32_t *answer);

/* End a session cleanly: what was reserved and not given is given back. Store `left` after it.
 *
 * Claim:    T-TOLL-1, nothing is given back that was used.
 * Not here: that the session is resumed only from what was stored (A-STORE). */
/*@ requires state:      \valid(toll) && FumataTollInvariant(toll);
    terminates \true; exits \false;
    assigns              toll->left, toll->reserved;
    ensures state:       FumataTollInvariant(toll);
    ensures accepted:    \result == FUMATA_OK;
    ensures returned:    toll->left == \old(toll->left + toll->reserved) && toll->reserved == 0; */
fumata_status fumata_toll_close(fumata_toll *toll);

#endif

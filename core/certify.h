/* The accountant: a plan keeps a claim, or which inequality fails and where (MECHANISM section 3). */
#ifndef FUMATA_CERTIFY_H
#define FUMATA_CERTIFY_H

#include "plan.h"
#include "round.h"
#include "status.h"

/* Which inequality a refusal is about. */
typedef enum {
  FUMATA_FAULT_NONE = 0,
  FUMATA_FAULT_CLAIM,   /* a number of the claim is out of range */
  FUMATA_FAULT_LIMIT,   /* T is out of range */
  FUMATA_FAULT_TABLE,   /* a table is out of order at `index` */
  FUMATA_FAULT_STEP,    /* Theorem M (a) fails between distances `index` and index + 1 */
  FUMATA_FAULT_FIRST,   /* Theorem M (b) */
  FUMATA_FAULT_RATIO,   /* classic: a ratio of the noise is unbounded at `index` */
  FUMATA_FAULT_TOTAL,   /* the sum exceeds delta */
  FUMATA_FAULT_ANSWERS, /* L is out of range */
  FUMATA_FAULT_NAMED,   /* a toll table is out of order at `index` */
  FUMATA_FAULT_ANSWER   /* Theorem T's line fails between distances `index`, from 0, and index + 1 */
} fumata_fault_kind;

typedef struct {
  fumata_fault_kind kind;
  uint32_t index;
} fumata_fault;

#ifdef __FRAMAC__
#include "certify_total.acsl"

#include "certify_classic.acsl"
#include "certify_meter.acsl"
#include "certify_toll.acsl"

#include "certify_budget.acsl"
#endif

/* Does this meter keep this claim?
 *
 * The claim's U is not looked at. `fault` is written by every call: what failed and where, or FUMATA_FAULT_NONE.
 * Claim:    T-CERT-1, accepted iff the inequalities of Theorem M hold as certify_meter.acsl computes them.
 * Not here: that those imply Theorem M's over the reals, and it privacy (proofs/coq). */
/*@ requires plan:       FumataMeterPlanReadable(plan);
    requires claim:      \valid_read(claim);
    requires writable:   \valid(fault);
    terminates \true; exits \false;
    assigns              *fault;
    ensures certified:   \result == FUMATA_OK <==> FumataMeterIsCertified{Pre}(plan, claim);
    ensures fault:       FumataMeterFault{Pre}(plan, claim, fault->kind, fault->index);
    ensures status:      FumataStatusSays(\result, fault->kind);
    ensures told:        FumataMeterStatus{Pre}(plan, claim, \result); */
fumata_status fumata_certify_meter(const fumata_meter_plan *plan, const fumata_claim *claim, fumata_fault *fault);

/* Does this toll keep this claim? The claim's V is not looked at.
 *
 * `fault` is written by every call.
 * Claim:    T-CERT-5, accepted iff the inequalities of Theorem T hold as certify_toll.acsl computes them.
 * Not here: that those imply Theorem T's over the reals, and it privacy (proofs/coq). */
/*@ requires plan:       FumataTollPlanReadable(plan);
    requires claim:      \valid_read(claim);
    requires writable:   \valid(fault);
    terminates \true; exits \false;
    assigns              *fault;
    ensures certified:   \result == FUMATA_OK <==> FumataTollIsCertified{Pre}(plan, claim);
    ensures fault:       FumataTollFault{Pre}(plan, claim, fault->kind, fault->index);
    ensures status:      FumataStatusSays(\result, fault->kind);
    ensures told:        FumataTollStatus{Pre}(plan, claim, \result); */
fumata_status fumata_certify_toll(const fumata_toll_plan *plan, const fumata_claim *claim, fumata_fault *fault);

/* Do a meter and a toll keep this claim together, in any order of silences and answers?
 *
 * `fault` is written by every call: the meter's, else the toll's, else FUMATA_FAULT_TOTAL of both together.
 * Claim:    T-CERT-6, accepted iff the inequalities of Theorem J hold as certify_budget.acsl computes them.
 * Not here: that those imply Theorem J's over the reals, and it privacy (proofs/coq). */
/*@ requires plan:       FumataBudgetPlanReadable(plan);
    requires claim:      \valid_read(claim);
    requires writable:   \valid(fault);
    terminates \true; exits \false;
    assigns              *fault;
    ensures certified:   \result == FUMATA_OK <==> FumataBudgetIsCertified{Pre}(plan, claim);
    ensures fault:       FumataBudgetFault{Pre}(plan, claim, fault->kind, fault->index);
    ensures status:      FumataStatusSays(\result, fault->kind);
    ensures told:        FumataBudgetStatus{Pre}(plan, claim, \result); */
fumata_status fumata_certify_budget(const fumata_budget_plan *plan, const fumata_claim *claim, fumata_fault *fault);

/* Does this classic plan keep this claim? The claim's V and U are not looked at. A width out of range is a table's fault.
 *
 * `fault` is written by every call. Of a table its index is 0 for the threshold's, 1 for the query's, 2 for the width;
 * of a ratio it is the threshold's place without a coin, below its size, or the size for the query's lowest place.
 * Claim:    T-CERT-2, accepted iff the inequalities of Theorem C hold as certify_classic.acsl computes them.
 * Not here: that those imply Theorem C's over the reals, and it privacy (proofs/coq). */
/*@ requires plan:       FumataClassicPlanReadable(plan);
    requires claim:      \valid_read(claim);
    requires writable:   \valid(fault);
    terminates \true; exits \false;
    assigns              *fault;
    ensures certified:   \result == FUMATA_OK <==> FumataClassicIsCertified{Pre}(plan, claim);
    ensures fault:       FumataClassicFault{Pre}(plan, claim, fault->kind, fault->index);
    ensures status:      FumataStatusSays(\result, fault->kind);
    ensures told:        FumataClassicStatus{Pre}(plan, claim, \result); */
fumata_status fumata_certify_classic(const fumata_classic_plan *plan, const fumata_claim *claim, fumata_fault *fault);

#endif

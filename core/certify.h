/* The accountant: a plan keeps a claim, or which inequality fails and where (MECHANISM section 3). */
#ifndef FUMATA_CERTIFY_H
#define FUMATA_CERTIFY_H

#include "plan.h"
#include "round.h"
#include "status.h"

/* Which inequality a refusal is about. */
typedef enum {
  FUMATA_FAULT_NONE = 0,
  FUMATA_FAULT_CLAIM, /* a number of the claim is out of range */
  FUMATA_FAULT_LIMIT, /* T is out of range */
  FUMATA_FAULT_TABLE, /* a table is out of order at `index` */
  FUMATA_FAULT_STEP,  /* Theorem M (a) fails between distances `index` and index + 1 */
  FUMATA_FAULT_FIRST, /* Theorem M (b) */
  FUMATA_FAULT_RATIO, /* classic: a ratio of the noise is unbounded at `index` */
  FUMATA_FAULT_TOTAL  /* the sum exceeds delta */
} fumata_fault_kind;

typedef struct {
  fumata_fault_kind kind;
  uint32_t index;
} fumata_fault;

#ifdef __FRAMAC__
#include "certify.acsl"
#endif

/* Does this meter keep this claim?
 *
 * `fault` is written by every call: what failed and where, or FUMATA_FAULT_NONE.
 * Claim:    T-CERT-1, what is accepted satisfies Theorem M with its own table.
 * Not here: that Theorem M gives privacy (proofs/coq); that every private plan is accepted. */
/*@
  requires plan:       FumataMeterPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires writable:   \valid(fault);
  requires apart:      \separated(fault, plan) && \separated(fault, claim);
  requires table:      1 <= plan->size <= FUMATA_TABLE_MAX ==>
                       \separated(fault, plan->silence + (0 .. plan->size - 1));

  terminates           \true;
  exits                \false;
  assigns              *fault;

  ensures causes:      \result == FUMATA_OK || \result == FUMATA_ERR_CLAIM || \result == FUMATA_ERR_LIMIT ||
                       \result == FUMATA_ERR_TABLE || \result == FUMATA_ERR_UNCERTIFIED;
  ensures clean:       \result == FUMATA_OK <==> fault->kind == FUMATA_FAULT_NONE;
  ensures plan:        \result == FUMATA_OK ==> FumataMeterPlanOk(plan);
  ensures claim:       \result == FUMATA_OK ==> FumataMeterClaimOk(claim);
  ensures private:     \result == FUMATA_OK ==> FumataMeterIsPrivate(plan, claim);
  ensures bad_claim:   \result == FUMATA_ERR_CLAIM ==>
                       fault->kind == FUMATA_FAULT_CLAIM && !FumataMeterClaimOk(claim);
  ensures bad_limit:   \result == FUMATA_ERR_LIMIT ==>
                       fault->kind == FUMATA_FAULT_LIMIT && !(1 <= plan->limit <= FUMATA_SILENCES_MAX);
  ensures bad_table:   \result == FUMATA_ERR_TABLE ==>
                       fault->kind == FUMATA_FAULT_TABLE &&
                       (!(1 <= plan->size <= FUMATA_TABLE_MAX) || !FumataSilenceTable(plan->silence, plan->size));
  ensures refused:     \result == FUMATA_ERR_UNCERTIFIED ==>
                       fault->kind == FUMATA_FAULT_STEP || fault->kind == FUMATA_FAULT_FIRST ||
                       fault->kind == FUMATA_FAULT_TOTAL;
  ensures well_formed: \result == FUMATA_ERR_UNCERTIFIED ==> FumataMeterPlanOk(plan) && FumataMeterClaimOk(claim);
  ensures place:       fault->kind != FUMATA_FAULT_TABLE && fault->kind != FUMATA_FAULT_STEP ==> fault->index == 0;
  ensures step_place:  fault->kind == FUMATA_FAULT_STEP ==> 1 <= fault->index < plan->size;
  ensures size_place:  fault->kind == FUMATA_FAULT_TABLE && !(1 <= plan->size <= FUMATA_TABLE_MAX) ==>
                       fault->index == 0;
  ensures table_place: fault->kind == FUMATA_FAULT_TABLE && 1 <= plan->size <= FUMATA_TABLE_MAX ==>
                       FumataDisorder(plan->silence, plan->size, fault->index);
*/
fumata_status fumata_certify_meter(const fumata_meter_plan *plan, const fumata_claim *claim, fumata_fault *fault);

/* Does this classic plan keep this claim? The claim's V is not looked at. A width out of range is a table's fault.
 *
 * `fault` is written by every call. Its index is 0 for the threshold's table, 1 for the query's, 2 for the width, or
 * the threshold's place without a coin; the query's lowest place is counted as one past the threshold's table.
 * Claim:    T-CERT-2, what is accepted satisfies Theorem C with its own tables.
 * Not here: that Theorem C gives privacy (proofs/coq); that every private plan is accepted. */
/*@
  requires plan:       FumataClassicPlanReadable(plan);
  requires claim:      \valid_read(claim);
  requires writable:   \valid(fault);
  requires apart:      \separated(fault, plan) && \separated(fault, claim);
  requires threshold:  1 <= plan->threshold.size <= FUMATA_NOISE_MAX ==>
                       \separated(fault, plan->threshold.cdf + (0 .. plan->threshold.size - 1));
  requires query:      1 <= plan->query.size <= FUMATA_NOISE_MAX ==>
                       \separated(fault, plan->query.cdf + (0 .. plan->query.size - 1));

  terminates           \true;
  exits                \false;
  assigns              *fault;

  ensures causes:      \result == FUMATA_OK || \result == FUMATA_ERR_CLAIM || \result == FUMATA_ERR_LIMIT ||
                       \result == FUMATA_ERR_TABLE || \result == FUMATA_ERR_UNCERTIFIED;
  ensures clean:       \result == FUMATA_OK <==> fault->kind == FUMATA_FAULT_NONE;
  ensures plan:        \result == FUMATA_OK ==> FumataClassicPlanOk(plan);
  ensures claim:       \result == FUMATA_OK ==> FumataClaimOk(claim);
  ensures private:     \result == FUMATA_OK ==> FumataClassicIsPrivate(plan, claim);
  ensures bad_claim:   \result == FUMATA_ERR_CLAIM ==> fault->kind == FUMATA_FAULT_CLAIM && !FumataClaimOk(claim);
  ensures bad_limit:   \result == FUMATA_ERR_LIMIT ==>
                       fault->kind == FUMATA_FAULT_LIMIT && !(1 <= plan->limit <= FUMATA_SILENCES_MAX);
  ensures bad_table:   \result == FUMATA_ERR_TABLE ==> fault->kind == FUMATA_FAULT_TABLE && !FumataClassicPlanOk(plan);
  ensures refused:     \result == FUMATA_ERR_UNCERTIFIED ==>
                       fault->kind == FUMATA_FAULT_RATIO || fault->kind == FUMATA_FAULT_TOTAL;
  ensures well_formed: \result == FUMATA_ERR_UNCERTIFIED ==> FumataClassicPlanOk(plan) && FumataClaimOk(claim);
  ensures place:       fault->kind != FUMATA_FAULT_TABLE && fault->kind != FUMATA_FAULT_RATIO ==> fault->index == 0;
  ensures table_place: fault->kind == FUMATA_FAULT_TABLE ==> FumataWrongTable(plan, fault->index);
  ensures ratio_place: fault->kind == FUMATA_FAULT_RATIO ==> FumataWrongRatio(plan, fault->index);
*/
fumata_status fumata_certify_classic(const fumata_classic_plan *plan, const fumata_claim *claim, fumata_fault *fault);

#endif

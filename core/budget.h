/* One budget for both kinds: a meter and a toll in one life, under one claim. */
#ifndef FUMATA_BUDGET_H
#define FUMATA_BUDGET_H

#include <stdint.h>

#include "meter.h"
#include "toll.h"

/* Caller-allocated. Once it is begun or resumed, use its two machines by their own functions, in any order; store both `left`
 * together. Never copy it: the copy would spend the budget once more. */
typedef struct {
  fumata_meter meter;
  fumata_toll toll;
} fumata_budget;

#ifdef __FRAMAC__
#include "budget.acsl"
#endif

/* A new session with all T silences and all L answers left. Once in the life of a plan.
 *
 * Claim:    T-BUDGET-1, the budget of a refused plan does not come into being; T-ERR-1.
 * Not here: that the certificate means privacy (T-CERT-6), that no run begins twice. */
/*@ requires state:      \valid(budget);
    requires plan:       FumataBudgetPlanReadable(plan);
    requires claim:      \valid_read(claim);
    requires apart:      FumataBudgetApart(budget, plan) && \separated(budget, claim);
    terminates \true; exits \false;
    assigns              *budget;
    ensures cause:       FumataBudgetStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(FumataBudgetIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==>
                         FumataBudgetStarts(budget, plan, plan->meter.limit, plan->toll.limit);
    ensures unchanged:   \result != FUMATA_OK ==> *budget == \old(*budget); */
fumata_status fumata_budget_init(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim);

/* Take up a stored session. Whatever was reserved of either kind when it was stored counts as used.
 *
 * Claim:    T-BUDGET-1, a life goes on from what was paid, never from more; T-ERR-1.
 * Not here: that `silences` and `answers` are what was stored last, under this same plan (A-STORE). */
/*@ requires state:      \valid(budget);
    requires plan:       FumataBudgetPlanReadable(plan);
    requires claim:      \valid_read(claim);
    requires apart:      FumataBudgetApart(budget, plan) && \separated(budget, claim);
    terminates \true; exits \false;
    assigns              *budget;
    ensures cause:       silences > \old(plan->meter.limit) || answers > \old(plan->toll.limit) ?
                         \result == FUMATA_ERR_LEFT :
                         FumataBudgetStatus{Pre}(plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(silences <= plan->meter.limit && answers <= plan->toll.limit &&
                                                      FumataBudgetIsCertified(plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataBudgetStarts(budget, plan, silences, answers);
    ensures unchanged:   \result != FUMATA_OK ==> *budget == \old(*budget); */
fumata_status fumata_budget_resume(fumata_budget *budget, const fumata_budget_plan *plan, const fumata_claim *claim,
                                   uint32_t silences, uint32_t answers);

#endif

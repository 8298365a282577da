/* What the certificates share: ratios of coins, the last inequality of Theorems M, C, T and J, how a refusal is said.
 * Not for callers of the core. */
#ifndef FUMATA_CERTIFY_TOTAL_H
#define FUMATA_CERTIFY_TOTAL_H

#include "certify.h"

/* 2^64 - coins. */
/*@ requires some:       1 <= coins;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures others:      \result == FumataOtherCoins(coins);
    ensures some:        1 <= \result; */
uint64_t fumata_certify_others(uint64_t coins);

/* An upper bound of a / b, both in coins. */
/*@ requires some:       1 <= a && 1 <= b;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataRatioUp(a, b);
    ensures range:       FumataIsNumber(\result, 512); */
fumata_number fumata_certify_ratio_up(uint64_t a, uint64_t b);

/* An upper bound of 1 / b. */
/*@ requires some:       1 <= b;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataInverseUp(b);
    ensures range:       FumataIsNumber(\result, 512); */
fumata_number fumata_certify_inverse_up(uint64_t b);

/* An upper bound of p (p / r)^(alpha - 1), in coins. */
/*@ requires some:       1 <= p && 1 <= r;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataTermUp(p, r, alpha);
    ensures range:       FumataIsNumber(\result, 16777216); */
fumata_number fumata_certify_term_up(uint64_t p, uint64_t r, uint32_t alpha);

/* A lower bound of exp((alpha - 1) num / den). */
/*@ requires some:       1 <= num && 1 <= den;
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataExpDown(num, den, alpha);
    ensures range:       FumataIsNumber(\result, 8796093022208); */
fumata_number fumata_certify_exp_down(uint32_t num, uint32_t den, uint32_t alpha);

/* An upper bound of the moment after `limit` silences or answers, with c(alpha). */
/*@ requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    requires limit:      1 <= limit <= 1000000;
    requires growth:     FumataIsNumber(growth, 16777216);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataMomentUp(alpha, limit, growth);
    ensures range:       FumataIsNumber(\result, 70368744177664); */
fumata_number fumata_certify_moment_up(uint32_t alpha, uint32_t limit, fumata_number growth);

/* A lower bound of delta. */
/*@ requires delta:      1 <= num && 1 <= den;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataDeltaDown(num, den);
    ensures range:       FumataIsNumber(\result, 256); */
fumata_number fumata_certify_delta_down(uint64_t num, uint64_t den);

/* A lower bound of what is left of delta after `limit` silences, or a mantissa of zero. */
/*@ requires delta:      1 <= num && 1 <= den;
    requires limit:      FumataLimitOk(limit);
    requires loss:       FumataIsNumber(loss, 134217728);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataLeftDown(num, den, limit, loss);
    ensures range:       \result.mantissa != 0 ==> FumataIsNumber(\result, 1024); */
fumata_number fumata_certify_left_down(uint64_t num, uint64_t den, uint32_t limit, fumata_number loss);

/* Does the moment fit into what is left of delta? */
/*@ requires claim:      \valid_read(claim) && FumataClaimOk(claim);
    requires left:       left.mantissa != 0 ==> FumataIsNumber(left, 1024);
    requires moment:     2147483648 <= moment.mantissa;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fits:        FumataFits(claim->alpha, claim->epsilon_num, claim->epsilon_den, left, moment) ?
                         \result == 1 : \result == 0; */
int fumata_certify_fits(const fumata_claim *claim, fumata_number left, fumata_number moment);

/* It does after `limit` silences. `growth` bounds what one silence may multiply the moment by, `loss` what it gives away. */
/*@ requires claim:      \valid_read(claim) && FumataClaimOk(claim);
    requires limit:      FumataLimitOk(limit);
    requires growth:     FumataIsNumber(growth, 16777216);
    requires loss:       FumataIsNumber(loss, 134217728);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures total:       FumataTotal(claim->alpha, claim->epsilon_num, claim->epsilon_den,
                                     claim->delta_num, claim->delta_den, limit, growth, loss) ?
                         \result == 1 : \result == 0; */
int fumata_certify_total(const fumata_claim *claim, uint32_t limit, fumata_number growth, fumata_number loss);

/*@ requires claim:      \valid_read(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures claim:       FumataClaimOk(claim) ? \result == 1 : \result == 0; */
int fumata_certify_claim(const fumata_claim *claim);

/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures said:        \result.kind == kind && \result.index == index; */
fumata_fault fumata_certify_fault(fumata_fault_kind kind, uint32_t index);

/* What fails in a meter, which may come from anywhere, or FUMATA_FAULT_NONE. */
/*@ requires plan:       FumataMeterPlanReadable(plan);
    requires claim:      \valid_read(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataMeterFault(plan, claim, \result.kind, \result.index);
    ensures told:        \forall integer status; FumataStatusSays(status, \result.kind) ==>
                           FumataMeterStatus(plan, claim, status);
    ensures certified:   \result.kind == FUMATA_FAULT_NONE <==> FumataMeterIsCertified(plan, claim); */
fumata_fault fumata_certify_meter_fault(const fumata_meter_plan *plan, const fumata_claim *claim);

/* What fails in a toll, which may come from anywhere, or FUMATA_FAULT_NONE. */
/*@ requires plan:       FumataTollPlanReadable(plan);
    requires claim:      \valid_read(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataTollFault(plan, claim, \result.kind, \result.index);
    ensures told:        \forall integer status; FumataStatusSays(status, \result.kind) ==>
                           FumataTollStatus(plan, claim, status);
    ensures certified:   \result.kind == FUMATA_FAULT_NONE <==> FumataTollIsCertified(plan, claim); */
fumata_fault fumata_certify_toll_fault(const fumata_toll_plan *plan, const fumata_claim *claim);

/* The status that goes with a fault. */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures status:      FumataStatusSays(\result, kind); */
fumata_status fumata_certify_status(fumata_fault_kind kind);

#endif

/* What the two certificates share: ratios of coins, the last inequality of Theorems M and C, and how a refusal is said.
 * Not for callers of the core. */
#ifndef FUMATA_CERTIFY_TOTAL_H
#define FUMATA_CERTIFY_TOTAL_H

#include "certify.h"

/* 2^64 - coins. */
/*@
  requires some:       1 <= coins;
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures others:      \result == FumataOtherCoins(coins);
  ensures some:        1 <= \result;
*/
uint64_t fumata_certify_others(uint64_t coins);

/* An upper bound of a / b, both in coins. */
/*@
  requires some:       1 <= a && 1 <= b;
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataRatioUp(a, b);
  ensures range:       FumataIsNumber(\result, 512);
*/
fumata_number fumata_certify_ratio_up(uint64_t a, uint64_t b);

/* An upper bound of 1 / b. */
/*@
  requires some:       1 <= b;
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataInverseUp(b);
  ensures range:       FumataIsNumber(\result, 512);
*/
fumata_number fumata_certify_inverse_up(uint64_t b);

/* A lower bound of exp((alpha - 1) num / den). */
/*@
  requires some:       1 <= num && 1 <= den;
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures value:       \result == FumataExpDown(num, den, alpha);
  ensures range:       FumataIsNumber(\result, 8796093022208);
*/
fumata_number fumata_certify_exp_down(uint32_t num, uint32_t den, uint32_t alpha);

/* The last inequality. `growth` bounds what one silence may multiply the moment by, `loss` what it gives away. */
/*@
  requires claim:      \valid_read(claim) && FumataClaimOk(claim);
  requires limit:      FumataLimitOk(limit);
  requires growth:     FumataIsNumber(growth, 16777216);
  requires loss:       FumataIsNumber(loss, 134217728);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures total:       \result == 1 <==> FumataTotal(claim->alpha, claim->epsilon_num, claim->epsilon_den,
                                                     claim->delta_num, claim->delta_den, limit, growth, loss);
*/
int fumata_certify_total(const fumata_claim *claim, uint32_t limit, fumata_number growth, fumata_number loss);

/*@
  requires claim:      \valid_read(claim);
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures claim:       \result == 1 <==> FumataClaimOk(claim);
*/
int fumata_certify_claim(const fumata_claim *claim);

/*@
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures said:        \result.kind == kind && \result.index == index;
*/
fumata_fault fumata_certify_fault(fumata_fault_kind kind, uint32_t index);

/* The status that goes with a fault. */
/*@
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures status:      FumataStatusSays(\result, kind);
*/
fumata_status fumata_certify_status(fumata_fault_kind kind);

#endif

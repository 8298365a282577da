#include "certify_noise.h"

#include "certify_total.h"

/* The coins of place j, none outside the table. */
/*@ requires table:      FumataCountCdfOk(cdf, size);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures coins:       \result == FumataPlaceCoins(cdf, size, j); */
static uint64_t fumata_certify_place(const uint64_t *cdf, uint32_t size, int64_t j) {
  if (j < 0 || j > (int64_t)size) {
    return 0;
  }
  if (j == 0) {
    return cdf[0];
  }
  if (j == (int64_t)size) {
    return fumata_certify_others(cdf[size - 1]);
  }
  return cdf[j] - cdf[j - 1];
}

/* Those of `coins` that `other` does not cover. */
/*@ requires number:     FumataIsNumber(exp, 8796093022208);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures exposed:     \result == FumataExposed(exp, coins, other); */
static uint64_t fumata_certify_exposed(fumata_number exp, uint64_t coins, uint64_t other) {
  fumata_number share, cover;

  if (coins == 0) {
    return 0;
  }
  if (other == 0) {
    return coins;
  }
  share = fumata_round_pack_up(coins, FUMATA_ROUND_SHARE);
  cover = fumata_round_mul_down(exp, fumata_round_pack_down(other, FUMATA_ROUND_SHARE));
  if (fumata_round_le(share, cover)) {
    return 0;
  }
  return coins;
}

/* Is the share of these coins at most delta? */
/*@ requires number:     FumataIsNumber(delta, 1024);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fit:         FumataCoinsFit(delta, coins) ? \result == 1 : \result == 0; */
static int fumata_certify_fit(fumata_number delta, uint64_t coins) {
  return coins == 0 || fumata_round_le(fumata_round_pack_up(coins, FUMATA_ROUND_SHARE), delta);
}

/* Are few coins exposed when the other count is larger by `shift`? */
/*@ requires table:      FumataCountCdfOk(cdf, size);
    requires numbers:    FumataIsNumber(exp, 8796093022208) && FumataIsNumber(delta, 1024);
    requires shift:      -1048576 <= shift <= 1048576;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fit:         FumataCoinsFit(delta, FumataExposedCoins(exp, cdf, size, shift, size + 1)) ?
                         \result == 1 : \result == 0; */
static int fumata_certify_one_way(const uint64_t *cdf, uint32_t size, int64_t shift, fumata_number exp,
                                  fumata_number delta) {
  uint64_t exposed = 0, coins;
  int whole = 0; /* all 2^64 are exposed, one more than the sum can hold */
  int64_t j;

  /*@ loop invariant range:    0 <= j <= size + 1;
      loop invariant boolean:  whole == 0 || whole == 1;
      loop invariant sum:      whole == 0 ==> exposed == FumataExposedCoins(exp, cdf, size, shift, j);
      loop invariant whole:    whole == 1 ==> 18446744073709551616 <= FumataExposedCoins(exp, cdf, size, shift, j);
      loop assigns             j, coins, exposed, whole;
      loop variant             size + 1 - j; */
  for (j = 0; j <= (int64_t)size; j++) {
    coins = fumata_certify_exposed(exp, fumata_certify_place(cdf, size, j), fumata_certify_place(cdf, size, j - shift));
    if (coins > UINT64_MAX - exposed) {
      whole = 1;
    } else {
      exposed += coins;
    }
  }
  return !whole && fumata_certify_fit(delta, exposed);
}

/* The smallest distance at which two counts are told apart, or sensitivity + 1. */
/*@ requires table:      FumataCountCdfOk(cdf, size);
    requires numbers:    FumataIsNumber(exp, 8796093022208) && FumataIsNumber(delta, 1024);
    requires range:      FumataSensitivityOk(sensitivity);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       1 <= \result <= sensitivity + 1;
    ensures before:      FumataShifts(exp, delta, cdf, size, \result);
    ensures first:       \result <= sensitivity ==> !FumataShift(exp, delta, cdf, size, \result); */
static uint32_t fumata_certify_apart(const uint64_t *cdf, uint32_t size, uint32_t sensitivity, fumata_number exp,
                                     fumata_number delta) {
  uint32_t h;

  /*@ loop invariant range:    1 <= h <= sensitivity + 1;
      loop invariant before:   FumataShifts(exp, delta, cdf, size, h);
      loop assigns             h;
      loop variant             sensitivity + 1 - h; */
  for (h = 1; h <= sensitivity; h++) {
    if (!fumata_certify_one_way(cdf, size, (int64_t)h, exp, delta) ||
        !fumata_certify_one_way(cdf, size, -(int64_t)h, exp, delta)) {
      return h;
    }
  }
  return h;
}

/* What fails in noise and a claim that are well formed. */
/*@ requires noise:      FumataCountNoiseOk(noise);
    requires claim:      \valid_read(claim) && FumataCountClaimOk(claim);
    requires range:      FumataSensitivityOk(sensitivity);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       1 <= \result <= sensitivity + 1;
    ensures before:      FumataNoiseKeeps(noise, \result, claim);
    ensures first:       \result <= sensitivity ==> !FumataNoiseKeeps(noise, \result + 1, claim); */
static uint32_t fumata_certify_noise_apart(const fumata_noise *noise, uint32_t sensitivity, const fumata_claim *claim) {
  fumata_number exp = fumata_certify_exp_down(claim->epsilon_num, claim->epsilon_den, 2);
  fumata_number delta = fumata_certify_delta_down(claim->delta_num, claim->delta_den);

  return fumata_certify_apart(noise->cdf, noise->size, sensitivity, exp, delta);
}

/*@ requires noise:      FumataNoiseReadable(noise);
    requires claim:      \valid_read(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataNoiseFault(noise, sensitivity, claim, \result.kind, \result.index);
    ensures certified:   \result.kind == FUMATA_FAULT_NONE <==> FumataNoiseIsCertified(noise, sensitivity, claim); */
static fumata_fault fumata_certify_noise_fault(const fumata_noise *noise, uint32_t sensitivity,
                                               const fumata_claim *claim) {
  uint32_t apart;

  if (claim->epsilon_num < 1 || claim->epsilon_den < 1 || claim->delta_num < 1 ||
      claim->delta_num >= claim->delta_den) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 0);
  }
  if (sensitivity < 1 || sensitivity > FUMATA_COUNT_SENSITIVITY_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 1);
  }
  if (fumata_noise_check(noise) != FUMATA_OK || noise->cdf[noise->size - 1] == 0) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 0);
  }
  apart = fumata_certify_noise_apart(noise, sensitivity, claim);
  if (apart <= sensitivity) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, apart);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

fumata_status fumata_certify_noise(const fumata_noise *noise, uint32_t sensitivity, const fumata_claim *claim,
                                   fumata_fault *fault) {
  fumata_fault found = fumata_certify_noise_fault(noise, sensitivity, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  return fumata_certify_status(found.kind);
}

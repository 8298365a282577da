#include "certify_total.h"

/* The first place without a coin, or the size: the last place has one in any table that starts with one. */
/*@ requires table:      FumataCdfOk(cdf, size);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures range:       \result <= size;
    ensures owned:       FumataEachOwned(cdf, size, \result);
    ensures empty:       \result < size ==> FumataCoins(cdf, size, \result) < 1; */
static uint32_t fumata_certify_gap(const uint64_t *cdf, uint32_t size) {
  uint32_t i;

  if (cdf[0] == 0) {
    return 0;
  }
  /*@ loop invariant range:    1 <= i <= size;
      loop invariant owned:    FumataEachOwned(cdf, size, i);
      loop assigns             i;
      loop variant             size - i; */
  for (i = 1; i < size; i++) {
    if (cdf[i] <= cdf[i - 1]) {
      return i;
    }
  }
  return size;
}

/* The coins of place j. */
/*@ requires table:      FumataCdfOk(cdf, size);
    requires some:       1 <= cdf[0] && j <= size;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures coins:       \result == FumataCoins(cdf, size, j); */
static uint64_t fumata_certify_coins(const uint64_t *cdf, uint32_t size, uint32_t j) {
  if (j == 0) {
    return cdf[0];
  }
  if (j == size) {
    return fumata_certify_others(cdf[size - 1]);
  }
  return cdf[j] - cdf[j - 1];
}

/*@ requires numbers:    FumataIsNumber(x, 512) && FumataIsNumber(y, 512);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataLarger(x, y);
    ensures range:       FumataIsNumber(\result, 512); */
static fumata_number fumata_certify_larger(fumata_number x, fumata_number y) {
  if (fumata_round_le(x, y)) {
    return y;
  }
  return x;
}

/* A bound of p(z) / p(z - 1) over the table, at least 1. */
/*@ requires table:      FumataCdfOk(cdf, size);
    requires owned:      FumataEachOwned(cdf, size, size);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataThresholdUp(cdf, size, size);
    ensures range:       FumataIsNumber(\result, 512); */
static fumata_number fumata_certify_threshold_up(const uint64_t *cdf, uint32_t size) {
  fumata_number largest = fumata_round_pack_up(1, FUMATA_ROUND_WHOLE);
  fumata_number ratio;
  uint64_t before, coins;
  uint32_t j;

  /*@ assert start: 1 <= FumataCoins(cdf, size, 0); */
  /*@ loop invariant range:    1 <= j <= size + 1;
      loop invariant number:   FumataIsNumber(largest, 512);
      loop invariant value:    largest == FumataThresholdUp(cdf, size, j - 1);
      loop assigns             j, before, coins, ratio, largest;
      loop variant             size + 1 - j; */
  for (j = 1; j <= size; j++) {
    before = fumata_certify_coins(cdf, size, j - 1);
    coins = fumata_certify_coins(cdf, size, j);
    ratio = fumata_certify_ratio_up(coins, before);
    largest = fumata_certify_larger(largest, ratio);
  }
  return largest;
}

/* A bound of F(j) / F(j - 2). */
/*@ requires table:      FumataCdfOk(cdf, size);
    requires some:       1 <= cdf[0] && 1 <= j <= size + 1;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataReachUp(cdf, size, j);
    ensures range:       FumataIsNumber(\result, 512); */
static fumata_number fumata_certify_reach_up(const uint64_t *cdf, uint32_t size, uint32_t j) {
  uint64_t before = cdf[j < 2 ? 0 : j - 2];

  if (j < size) {
    return fumata_certify_ratio_up(cdf[j], before);
  }
  return fumata_certify_inverse_up(before);
}

/* The largest of these over the table, at least 1. */
/*@ requires table:      FumataCdfOk(cdf, size);
    requires some:       1 <= cdf[0];
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataQueryUp(cdf, size, size + 1);
    ensures range:       FumataIsNumber(\result, 512); */
static fumata_number fumata_certify_query_up(const uint64_t *cdf, uint32_t size) {
  fumata_number largest = fumata_round_pack_up(1, FUMATA_ROUND_WHOLE);
  uint32_t j;

  /*@ loop invariant range:    1 <= j <= size + 2;
      loop invariant number:   FumataIsNumber(largest, 512);
      loop invariant value:    largest == FumataQueryUp(cdf, size, j - 1);
      loop assigns             j, largest;
      loop variant             size + 2 - j; */
  for (j = 1; j <= size + 1; j++) {
    largest = fumata_certify_larger(largest, fumata_certify_reach_up(cdf, size, j));
  }
  return largest;
}

/* The coins that beat place t. */
/*@ requires table:      FumataCdfOk(cdf, size);
    requires some:       1 <= cdf[0];
    terminates \true; exits \false;
    assigns              \nothing;
    ensures beaten:      \result == FumataOtherCoins(FumataReach(cdf, size, t)); */
static uint64_t fumata_certify_beats(const uint64_t *cdf, uint32_t size, int64_t t) {
  uint32_t place;

  if (t >= (int64_t)size) {
    return 0;
  }
  place = t < 0 ? 0 : (uint32_t)t;
  return fumata_certify_others(cdf[place]);
}

/* The loss with one more place of the threshold. */
/*@ requires number:     FumataIsNumber(loss, 134217728);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataMissUp(loss, coins, beats);
    ensures range:       FumataSpans(\result, loss.exponent - 64, \max(loss.exponent, 0) + 64); */
static fumata_number fumata_certify_miss_up(fumata_number loss, uint64_t coins, uint64_t beats) {
  if (coins == 0 || beats == 0) {
    return loss;
  }
  return fumata_round_add_up(loss, fumata_round_mul_up(fumata_round_pack_up(coins, FUMATA_ROUND_SHARE),
                                                       fumata_round_pack_up(beats, FUMATA_ROUND_SHARE)));
}

/* What one stretch gives away. */
/*@ requires plan:       FumataClassicPlanOk(plan);
    requires some:       1 <= plan->threshold.cdf[0] && 1 <= plan->query.cdf[0];
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataClassicLossUp(plan);
    ensures range:       FumataIsNumber(\result, 134217728); */
static fumata_number fumata_certify_loss_up(const fumata_classic_plan *plan) {
  int64_t shift = plan->width + plan->threshold.first - plan->query.first;
  fumata_number loss = fumata_round_pack_up(plan->threshold.cdf[0], FUMATA_ROUND_SHARE);
  uint64_t coins, beats;
  uint32_t j;

  /*@ loop invariant range:    1 <= j <= plan->threshold.size + 2;
      loop invariant number:   FumataIsNumber(loss, 256 + 64 * (j - 1));
      loop invariant value:    loss == FumataLossUp(plan->threshold.cdf, plan->threshold.size, plan->query.cdf,
                                                    plan->query.size, shift, j - 1);
      loop assigns             j, coins, beats, loss;
      loop variant             plan->threshold.size + 2 - j; */
  for (j = 1; j <= plan->threshold.size + 1; j++) {
    coins = fumata_certify_coins(plan->threshold.cdf, plan->threshold.size, j - 1);
    beats = fumata_certify_beats(plan->query.cdf, plan->query.size, shift + (int64_t)(j - 1));
    loss = fumata_certify_miss_up(loss, coins, beats);
  }
  return loss;
}

/* An upper bound of the moment of randomized response at ratio x. */
/*@ requires number:     FumataIsNumber(x, 1500);
    requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures value:       \result == FumataResponseUp(x, alpha);
    ensures range:       FumataIsNumber(\result, 16777216); */
static fumata_number fumata_certify_response_up(fumata_number x, uint32_t alpha) {
  fumata_number inverse = fumata_round_div_up(fumata_round_pack_up(1, FUMATA_ROUND_WHOLE), x);
  fumata_number high = fumata_round_pow_up(x, alpha);
  fumata_number low = fumata_round_pow_up(inverse, alpha - 1);
  fumata_number bottom = fumata_round_add_down(fumata_round_pack_down(1, FUMATA_ROUND_WHOLE), x);

  return fumata_round_div_up(fumata_round_add_up(high, low), bottom);
}

/*@ requires plan:       FumataClassicPlanOk(plan);
    requires claim:      \valid_read(claim) && FumataClaimOk(claim);
    requires threshold:  FumataEachOwned(plan->threshold.cdf, plan->threshold.size, plan->threshold.size);
    requires query:      1 <= plan->query.cdf[0];
    terminates \true; exits \false;
    assigns              \nothing;
    ensures total:       FumataClassicTotal(plan, claim) ? \result == 1 : \result == 0; */
static int fumata_certify_classic_total(const fumata_classic_plan *plan, const fumata_claim *claim) {
  fumata_number x = fumata_certify_threshold_up(plan->threshold.cdf, plan->threshold.size);
  fumata_number y = fumata_certify_query_up(plan->query.cdf, plan->query.size);
  fumata_number growth = fumata_certify_response_up(fumata_round_mul_up(x, y), claim->alpha);

  /*@ assert start: 1 <= FumataCoins(plan->threshold.cdf, plan->threshold.size, 0); */
  return fumata_certify_total(claim, plan->limit, growth, fumata_certify_loss_up(plan));
}

/* What fails in a plan and a claim that are well formed. */
/*@ requires plan:       FumataClassicPlanOk(plan);
    requires claim:      \valid_read(claim) && FumataClaimOk(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataClassicExcess(plan, claim, \result.kind, \result.index); */
static fumata_fault fumata_certify_classic_excess(const fumata_classic_plan *plan, const fumata_claim *claim) {
  uint32_t gap = fumata_certify_gap(plan->threshold.cdf, plan->threshold.size);

  if (gap < plan->threshold.size) {
    return fumata_certify_fault(FUMATA_FAULT_RATIO, gap);
  }
  if (plan->query.cdf[0] == 0) {
    return fumata_certify_fault(FUMATA_FAULT_RATIO, plan->threshold.size);
  }
  if (!fumata_certify_classic_total(plan, claim)) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, 0);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

/*@ requires plan:       FumataClassicPlanReadable(plan);
    requires claim:      \valid_read(claim);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures fault:       FumataClassicFault(plan, claim, \result.kind, \result.index);
    ensures certified:   \result.kind == FUMATA_FAULT_NONE <==> FumataClassicIsCertified(plan, claim); */
static fumata_fault fumata_certify_classic_fault(const fumata_classic_plan *plan, const fumata_claim *claim) {
  if (!fumata_certify_claim(claim)) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 0);
  }
  if (plan->limit < 1 || plan->limit > FUMATA_SILENCES_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_LIMIT, 0);
  }
  if (fumata_noise_check(&plan->threshold) != FUMATA_OK) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 0);
  }
  if (fumata_noise_check(&plan->query) != FUMATA_OK) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 1);
  }
  if (plan->width < -FUMATA_NOISE_RANGE || plan->width > FUMATA_NOISE_RANGE) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 2);
  }
  return fumata_certify_classic_excess(plan, claim);
}

fumata_status fumata_certify_classic(const fumata_classic_plan *plan, const fumata_claim *claim, fumata_fault *fault) {
  fumata_fault found = fumata_certify_classic_fault(plan, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  return fumata_certify_status(found.kind);
}

#include "noise.h"

fumata_status fumata_noise_check(const fumata_noise *noise) {
  uint32_t i;

  if (noise->size < 1 || noise->size > FUMATA_NOISE_MAX) {
    return FUMATA_ERR_TABLE;
  }
  if (noise->first < -FUMATA_NOISE_RANGE || noise->first > FUMATA_NOISE_RANGE) {
    return FUMATA_ERR_TABLE;
  }
  /*@ loop invariant range:   1 <= i <= noise->size;
      loop invariant ordered: FumataNeverFalls(noise->cdf, i);
      loop assigns            i;
      loop variant            noise->size - i; */
  for (i = 1; i < noise->size; i++) {
    if (noise->cdf[i] < noise->cdf[i - 1]) {
      return FUMATA_ERR_TABLE;
    }
  }
  return FUMATA_OK;
}

int64_t fumata_noise_draw(const fumata_noise *noise, uint64_t coin) {
  uint32_t passed = 0;
  uint32_t i;

  /* Entries the coin has passed form a prefix, so their number is the outcome's place. */
  /*@ loop invariant range:   0 <= passed <= i <= noise->size;
      loop invariant below:   \forall integer j; 0 <= j < passed ==> noise->cdf[j] <= coin;
      loop invariant above:   \forall integer j; passed <= j < i ==> coin < noise->cdf[j];
      loop assigns            i, passed;
      loop variant            noise->size - i; */
  for (i = 0; i < noise->size; i++) {
    /*@ assert ordered: passed < i ==> noise->cdf[passed] <= noise->cdf[i]; */
    passed += (uint32_t)(noise->cdf[i] <= coin);
  }
  /*@ assert low:   passed > 0 ==> noise->cdf[passed - 1] <= coin; */
  /*@ assert high:  passed < noise->size ==> coin < noise->cdf[passed]; */
  /*@ assert owned: FumataNoiseOwns(noise, passed, coin); */
  return noise->first + (int64_t)passed;
}

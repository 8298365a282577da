#include "count.h"

fumata_status fumata_count_init(fumata_counter *counter, const fumata_noise *noise, uint32_t sensitivity,
                                const fumata_claim *claim) {
  fumata_fault fault;
  fumata_status status = fumata_certify_noise(noise, sensitivity, claim, &fault);

  if (status != FUMATA_OK) {
    return status;
  }
  counter->noise.cdf = noise->cdf;
  counter->noise.size = noise->size;
  counter->noise.first = noise->first;
  counter->reserved = 1u;
  return FUMATA_OK;
}

fumata_status fumata_count_release(fumata_counter *counter, uint64_t count, uint64_t coin, int64_t *noisy) {
  int64_t capped = count < (uint64_t)FUMATA_COUNT_MAX ? (int64_t)count : FUMATA_COUNT_MAX;

  if (counter->reserved == 0u) {
    return FUMATA_ERR_CLOSED;
  }
  counter->reserved = 0u;
  *noisy = capped + fumata_noise_draw(&counter->noise, coin);
  return FUMATA_OK;
}

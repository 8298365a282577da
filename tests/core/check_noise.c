#include "core/noise.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* The draw at both edges of every outcome's interval, and one coin outside each. */
static void draw_edges(const uint64_t *cdf, uint32_t size, int64_t first) {
  fumata_noise noise = {cdf, size, first};
  uint32_t j;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_OK);
  for (j = 0; j <= size; j++) {
    uint64_t low = j == 0 ? 0 : cdf[j - 1];
    uint64_t last = j == size ? UINT64_MAX : cdf[j] - 1; /* wraps only for an empty interval, skipped below */
    if (j < size && cdf[j] <= low) continue;
    ck_assert_int_eq(fumata_noise_draw(&noise, low), first + j);
    ck_assert_int_eq(fumata_noise_draw(&noise, last), first + j);
    ck_assert_int_eq(fumata_noise_draw(&noise, low + (last - low) / 2), first + j);
    if (low > 0) ck_assert_int_lt(fumata_noise_draw(&noise, low - 1), first + j);
    if (last < UINT64_MAX) ck_assert_int_gt(fumata_noise_draw(&noise, last + 1), first + j);
  }
}

START_TEST(test_edges) {
  static const uint64_t plain[] = {1, 5, UINT64_C(1) << 63, UINT64_MAX};
  static const uint64_t empty_outcomes[] = {0, 0, 7, 7, 7, UINT64_MAX, UINT64_MAX};
  static const uint64_t halves[] = {UINT64_C(1) << 63};
  draw_edges(plain, 4, -2);
  draw_edges(empty_outcomes, 7, 0);
  draw_edges(halves, 1, -1);
  draw_edges(plain, 1, FUMATA_NOISE_RANGE);
  draw_edges(plain, 3, -FUMATA_NOISE_RANGE);
}
END_TEST

/* An outcome of width zero is drawn by no coin. */
START_TEST(test_empty_outcomes_never_come) {
  static const uint64_t cdf[] = {0, 3, 3};
  fumata_noise noise = {cdf, 3, 10};
  uint64_t coin;
  for (coin = 0; coin < 3; coin++)
    ck_assert_int_eq(fumata_noise_draw(&noise, coin), 11);
  ck_assert_int_eq(fumata_noise_draw(&noise, 3), 13);
  ck_assert_int_eq(fumata_noise_draw(&noise, UINT64_MAX), 13);
}
END_TEST

START_TEST(test_longest_table) {
  uint64_t *cdf = malloc((FUMATA_NOISE_MAX + 1) * sizeof *cdf);
  fumata_noise noise = {cdf, FUMATA_NOISE_MAX, FUMATA_NOISE_RANGE};
  uint32_t i;
  for (i = 0; i <= FUMATA_NOISE_MAX; i++)
    cdf[i] = (uint64_t)(i + 1) << 40;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_OK);
  ck_assert_int_eq(fumata_noise_draw(&noise, UINT64_MAX), FUMATA_NOISE_RANGE + FUMATA_NOISE_MAX);
  ck_assert_int_eq(fumata_noise_draw(&noise, 0), FUMATA_NOISE_RANGE);
  ck_assert_int_eq(fumata_noise_draw(&noise, (UINT64_C(777) << 40) - 1), FUMATA_NOISE_RANGE + 776);
  ck_assert_int_eq(fumata_noise_draw(&noise, UINT64_C(777) << 40), FUMATA_NOISE_RANGE + 777);
  noise.size = FUMATA_NOISE_MAX + 1;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
  free(cdf);
}
END_TEST

START_TEST(test_unfit_tables) {
  uint64_t cdf[] = {2, 4, 6, 8};
  fumata_noise noise = {cdf, 4, 0}, kept;
  uint32_t i;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_OK);
  for (i = 0; i < 4; i++) {
    uint64_t was = cdf[i];
    if (i > 0) {
      cdf[i] = cdf[i - 1];
      ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_OK);
      cdf[i] = cdf[i - 1] - 1;
    } else {
      cdf[i] = cdf[1] + 1;
    }
    kept = noise;
    ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
    ck_assert_mem_eq(&kept, &noise, sizeof kept);
    cdf[i] = was;
  }
  noise.size = 0;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
  noise.size = UINT32_MAX; /* out of range: no entry may be read */
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
  noise.size = 4;
  noise.first = FUMATA_NOISE_RANGE;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_OK);
  noise.first = FUMATA_NOISE_RANGE + 1;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
  noise.first = -FUMATA_NOISE_RANGE;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_OK);
  noise.first = -FUMATA_NOISE_RANGE - 1;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
  noise.first = INT64_MIN;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
  noise.first = INT64_MAX;
  ck_assert_int_eq(fumata_noise_check(&noise), FUMATA_ERR_TABLE);
}
END_TEST

SUITE_MAIN("noise", test_edges, test_empty_outcomes_never_come, test_longest_table, test_unfit_tables)

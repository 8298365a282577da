#include "core/classic.h"

#include <string.h>

#include "support/suite.h"

#define TENTH (UINT64_MAX / 10 + 1)

/* Z1 is -1, 0, 1 with 0.5, 4.5 and 5 in ten; Z2 is its floor, 0, 1, 2 with 1, 2, 3 and 4 in ten. */
static const uint64_t threshold_cdf[] = {TENTH / 2, 5 * TENTH};
static const uint64_t query_cdf[] = {TENTH, 3 * TENTH, 6 * TENTH};
static const fumata_classic_plan plan = {{threshold_cdf, 2, -1}, {query_cdf, 3, -1}, 2, 5};
static const fumata_claim claim = {60, 1, 99, 100, 2, 0, 0};

/* A coin for each outcome, the first and the last of its interval. */
static uint64_t coin_of(const fumata_noise *noise, int64_t z, int last) {
  uint64_t j = (uint64_t)(z - noise->first);
  if (last) {
    return j == noise->size ? UINT64_MAX : noise->cdf[j] - 1;
  }
  return j == 0 ? 0 : noise->cdf[j - 1];
}

static int reserve(fumata_classic *classic, uint64_t coin) {
  return fumata_classic_reserve(classic, coin);
}

#define MACHINE(end) fumata_classic##end
#include "support/budget.h"

static void same_plan(const fumata_classic_plan *a, const fumata_classic_plan *b) {
  ck_assert_ptr_eq(a->threshold.cdf, b->threshold.cdf);
  ck_assert_uint_eq(a->threshold.size, b->threshold.size);
  ck_assert_int_eq(a->threshold.first, b->threshold.first);
  ck_assert_ptr_eq(a->query.cdf, b->query.cdf);
  ck_assert_uint_eq(a->query.size, b->query.size);
  ck_assert_int_eq(a->query.first, b->query.first);
  ck_assert_int_eq(a->width, b->width);
  ck_assert_uint_eq(a->limit, b->limit);
}

START_TEST(test_init) {
  fumata_classic classic = begin();
  same_plan(&classic.plan, &plan);
  ck_assert_uint_eq(classic.left, 5);
  ck_assert_uint_eq(classic.reserved, 0);
  ck_assert_int_eq(classic.threshold, 0);
}
END_TEST

START_TEST(test_refused_tables) {
  static const uint64_t falling[] = {2, 1};
  fumata_classic_plan bad = plan;
  bad.threshold.cdf = falling;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad = plan;
  bad.query.size = 0;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad = plan;
  bad.width = FUMATA_NOISE_RANGE + 1;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
}
END_TEST

START_TEST(test_resume) {
  uint32_t left;
  for (left = 0; left <= 5; left++) {
    fumata_classic classic;
    memset(&classic, 0xff, sizeof classic);
    ck_assert_int_eq(fumata_classic_resume(&classic, &plan, &claim, left), FUMATA_OK);
    same_plan(&classic.plan, &plan);
    ck_assert_uint_eq(classic.left, left);
    ck_assert_uint_eq(classic.reserved, 0);
    ck_assert_int_eq(classic.threshold, 0);
  }
}
END_TEST

/* Every pair of outcomes, both edges of both coins, distances around the threshold. */
START_TEST(test_every_pair_of_coins) {
  int64_t z1;
  int64_t z2;
  int edge;
  uint32_t d;
  for (z1 = -1; z1 <= 1; z1++) {
    for (z2 = -1; z2 <= 2; z2++) {
      for (d = 0; d <= 6; d++) {
        for (edge = 0; edge < 4; edge++) {
          int label = z2 != -1 && (int64_t)d + z2 > 2 + z1;
          fumata_classic classic = begin();
          fumata_verdict verdict = {9, d};
          int32_t answer = 12345;
          ck_assert_int_eq(fumata_classic_reserve(&classic, coin_of(&plan.threshold, z1, edge & 1)), FUMATA_OK);
          ck_assert_int_eq(classic.threshold, 2 + z1);
          ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, coin_of(&plan.query, z2, edge >> 1), &answer),
                           FUMATA_OK);
          ck_assert_int_eq(answer, label ? 9 : FUMATA_SILENT);
          ck_assert_uint_eq(classic.reserved, label ? 1 : 0);
          ck_assert_int_eq(classic.threshold, label ? 2 + z1 : 0);
          ck_assert_uint_eq(classic.left, 4);
        }
      }
    }
  }
}
END_TEST

/* The lowest query outcome is silence even for the largest distance there is. */
START_TEST(test_floor) {
  fumata_classic classic = begin();
  fumata_verdict verdict = {3, UINT32_MAX};
  int32_t answer;
  ck_assert_int_eq(fumata_classic_reserve(&classic, 0), FUMATA_OK);
  ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, query_cdf[0], &answer), FUMATA_OK);
  ck_assert_int_eq(answer, 3);
  ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, query_cdf[0] - 1, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
}
END_TEST

/* The ends of the documented ranges, where arithmetic would go wrong first. */
START_TEST(test_extremes) {
  fumata_classic_plan wide = {
      {threshold_cdf, 2, FUMATA_NOISE_RANGE}, {query_cdf, 3, -FUMATA_NOISE_RANGE}, FUMATA_NOISE_RANGE, 1};
  fumata_verdict verdict = {1, UINT32_MAX};
  fumata_classic classic;
  int32_t answer;
  ck_assert_int_eq(fumata_classic_init(&classic, &wide, &claim), FUMATA_OK);
  ck_assert_int_eq(fumata_classic_reserve(&classic, UINT64_MAX), FUMATA_OK);
  ck_assert_int_eq(classic.threshold, 2 * FUMATA_NOISE_RANGE + 2);
  ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, UINT64_MAX, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
}
END_TEST

/* T silences and not one more, each ending a stretch with a threshold of its own. */
START_TEST(test_life) {
  fumata_classic classic = begin();
  fumata_verdict verdict = {2, 3};
  int32_t answer;
  uint32_t silences;
  for (silences = 0; silences < 5; silences++) {
    int64_t z1 = (int64_t)(silences % 3) - 1;
    ck_assert_int_eq(fumata_classic_reserve(&classic, coin_of(&plan.threshold, z1, 0)), FUMATA_OK);
    ck_assert_int_eq(classic.threshold, 2 + z1);
    ck_assert_uint_eq(classic.left, 4 - silences);
    ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, UINT64_MAX, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, 2);
    ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, 0, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, FUMATA_SILENT);
    ck_assert_int_eq(fumata_classic_answer(&classic, &verdict, UINT64_MAX, &answer), FUMATA_ERR_CLOSED);
  }
  ck_assert_int_eq(fumata_classic_reserve(&classic, 0), FUMATA_ERR_SPENT);
}
END_TEST

/* A reservation is spent by closing, for its threshold cannot be taken up again. */
START_TEST(test_close) {
  fumata_classic classic = begin();
  ck_assert_int_eq(fumata_classic_close(&classic), FUMATA_OK);
  ck_assert_uint_eq(classic.left, 5);
  ck_assert_int_eq(fumata_classic_reserve(&classic, UINT64_MAX), FUMATA_OK);
  ck_assert_int_eq(classic.threshold, 3);
  ck_assert_int_eq(fumata_classic_close(&classic), FUMATA_OK);
  ck_assert_uint_eq(classic.left, 4);
  ck_assert_uint_eq(classic.reserved, 0);
  ck_assert_int_eq(classic.threshold, 0);
}
END_TEST

SUITE_MAIN("classic", test_init, test_refused_tables, test_refused_claims, test_resume, test_every_pair_of_coins,
           test_floor, test_extremes, test_every_label, test_errors_change_nothing, test_life, test_close)

#include "core/certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

#define TWO64 18446744073709551616.0L
#define SLACK 1e-7L /* times V is what the table leaves unused of V; the certificate has to live with this little */

static uint64_t silence[8192];

/* Theorem M (a) in floating point, without cancellation. */
static int step(long double p, long double r, int alpha, long double v) {
  long double y = (p - r) / (1 - r);
  return p * powl(p / r, alpha - 1) <= (r - (1 - r) * expm1l(alpha * log1pl(-y))) * v;
}

/* The extremal table for a claim: every entry the smallest that keeps (a) both ways. Returns its size. */
static uint32_t extremal(fumata_claim *claim, uint32_t limit) {
  long double alpha = claim->alpha;
  long double epsilon = (long double)claim->epsilon_num / claim->epsilon_den;
  long double delta = (long double)claim->delta_num / (long double)claim->delta_den;
  long double share = 0.01L * delta; /* of delta, given away outright */
  long double peak = expl((alpha - 1) * log1pl(-1 / alpha)) / alpha;
  long double v = expl((logl((delta - share) / peak) + (alpha - 1) * epsilon - 1e-4L) / limit);
  uint32_t size = 1;
  claim->v = (uint64_t)(v * 4294967296.0L);
  v = (long double)claim->v / 4294967296.0L * (1 - SLACK * v);
  silence[0] = (uint64_t)((1 - share / limit) * TWO64);
  while (size < 8192 && silence[size - 1] > UINT64_C(1) << 44) {
    uint64_t low = 1, high = silence[size - 1];
    while (low < high) {
      uint64_t middle = low + (high - low) / 2;
      long double p = silence[size - 1] / TWO64, r = middle / TWO64;
      if (step(p, r, (int)claim->alpha, v) && step(r, p, (int)claim->alpha, v)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    ck_assert(low < silence[size - 1]);
    silence[size++] = low;
  }
  return size;
}

static const struct {
  uint32_t epsilon, alpha, limit; /* epsilon in tenths */
} GOOD[] = {{5, 21, 5}, {5, 28, 400}, {10, 13, 20}, {20, 9, 100}, {40, 4, 5}, {80, 3, 400}, {10, 11, 1}};

static fumata_claim good_claim(size_t i) {
  fumata_claim claim = {GOOD[i].epsilon, 10, 1, 100000, GOOD[i].alpha, 0, 0};
  return claim;
}

#define REFUSED(plan, claim, want)                                                                                     \
  do {                                                                                                                 \
    fumata_fault refused_;                                                                                             \
    ck_assert_int_eq(fumata_certify_meter((plan), (claim), &refused_), FUMATA_ERR_UNCERTIFIED);                        \
    ck_assert_int_eq(refused_.kind, (want));                                                                           \
  } while (0)

/* Tables with next to no slack are accepted, and every small step beyond them is refused. */
START_TEST(test_meter_is_tight) {
  size_t i = (size_t)_i;
  fumata_claim claim = good_claim(i), worse;
  fumata_meter_plan plan = {silence, extremal(&claim, GOOD[i].limit), GOOD[i].limit};
  fumata_fault fault;
  uint32_t j;
  ck_assert_int_eq(fumata_certify_meter(&plan, &claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_NONE);
  for (j = 0; j < plan.size && silence[j] / TWO64 > 1e-4L; j++) {
    uint64_t kept = silence[j];
    silence[j] -= kept / 200;
    ck_assert_int_lt(fumata_certify_meter(&plan, &claim, &fault), 0);
    silence[j] = kept;
  }
  plan.limit += 1 + plan.limit / 50;
  REFUSED(&plan, &claim, FUMATA_FAULT_TOTAL);
  plan.limit = GOOD[i].limit;
  worse = claim;
  worse.delta_num = 95;
  worse.delta_den = 10000000;
  REFUSED(&plan, &worse, FUMATA_FAULT_TOTAL);
  worse = claim;
  worse.epsilon_num *= 99;
  worse.epsilon_den *= 100;
  REFUSED(&plan, &worse, FUMATA_FAULT_TOTAL);
  worse = claim;
  worse.v -= worse.v / 100000;
  ck_assert_int_eq(fumata_certify_meter(&plan, &worse, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert(fault.kind == FUMATA_FAULT_STEP && fault.index >= 1 && fault.index < plan.size);
  worse.v = claim.v + claim.v / 100 + 1;
  REFUSED(&plan, &worse, FUMATA_FAULT_TOTAL);
}
END_TEST

/* p = 1/2 at one distance: (b) is 2^(alpha-1) <= V, and delta > T/2 is asked for. */
START_TEST(test_meter_by_hand) {
  static const uint64_t half[] = {UINT64_C(1) << 63};
  fumata_meter_plan plan = {half, 1, 1};
  fumata_claim claim = {4, 1, 6, 10, 2, UINT64_C(2) << 32, 0};
  fumata_fault fault;
  /* c(2) V = 1/2 <= (0.6 - 0.5) e^4 */
  ck_assert_int_eq(fumata_certify_meter(&plan, &claim, &fault), FUMATA_OK);
  claim.v -= 16; /* 2 - 2^-28 */
  REFUSED(&plan, &claim, FUMATA_FAULT_FIRST);
  claim.v += 16;
  claim.epsilon_num = 3; /* e^3 / 10 > 2 > 1/2 */
  ck_assert_int_eq(fumata_certify_meter(&plan, &claim, &fault), FUMATA_OK);
  claim.epsilon_num = 1; /* e / 10 < 1/2 */
  REFUSED(&plan, &claim, FUMATA_FAULT_TOTAL);
  claim.epsilon_num = 1000;
  claim.delta_num = 5; /* nothing left of delta */
  REFUSED(&plan, &claim, FUMATA_FAULT_TOTAL);
}
END_TEST

/* Equal neighbours are free at any V >= 1, even where rounding would say no. */
START_TEST(test_meter_level_table) {
  static uint64_t level[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  fumata_meter_plan plan = {level, 3, 1};
  fumata_claim claim = {1, 1, 1, 2, 2, (UINT64_C(1) << 32) + 4, 0};
  fumata_fault fault;
  ck_assert_int_eq(fumata_certify_meter(&plan, &claim, &fault), FUMATA_OK);
  level[2] -= UINT64_MAX / 4;
  ck_assert_int_eq(fumata_certify_meter(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert(fault.kind == FUMATA_FAULT_STEP && fault.index == 2);
  level[2] = UINT64_MAX;
}
END_TEST

START_TEST(test_meter_malformed) {
  uint64_t table[] = {3, 2, 2, 1};
  fumata_meter_plan plan = {table, 4, 1};
  fumata_claim fine = {1, 1, 1, 2, 2, UINT64_C(1) << 32, 0}, claim = fine;
  fumata_fault fault;
#define CLAIM(field, bad)                                                                                              \
  claim = fine;                                                                                                        \
  claim.field = (bad);                                                                                                 \
  memset(&fault, 0, sizeof fault);                                                                                     \
  ck_assert_int_eq(fumata_certify_meter(&plan, &claim, &fault), FUMATA_ERR_CLAIM);                                     \
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_CLAIM)
  CLAIM(epsilon_num, 0);
  CLAIM(epsilon_den, 0);
  CLAIM(delta_num, 0);
  CLAIM(delta_num, 2);
  CLAIM(delta_den, 0);
  CLAIM(delta_den, 1);
  CLAIM(alpha, 0);
  CLAIM(alpha, 1);
  CLAIM(alpha, FUMATA_ALPHA_MAX + 1);
  CLAIM(v, (UINT64_C(1) << 32) - 1);
#undef CLAIM
#define PLAN(field, bad, good, status, want, place)                                                                    \
  plan.field = (bad);                                                                                                  \
  ck_assert_int_eq(fumata_certify_meter(&plan, &fine, &fault), (status));                                              \
  ck_assert(fault.kind == (want) && fault.index == (place));                                                           \
  plan.field = (good)
  PLAN(limit, 0, 1, FUMATA_ERR_LIMIT, FUMATA_FAULT_LIMIT, 0);
  PLAN(limit, FUMATA_SILENCES_MAX + 1, 1, FUMATA_ERR_LIMIT, FUMATA_FAULT_LIMIT, 0);
  PLAN(size, 0, 4, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 0);
  PLAN(size, FUMATA_TABLE_MAX + 1, 4, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 0);
#undef PLAN
  table[3] = 0;
  ck_assert_int_eq(fumata_certify_meter(&plan, &fine, &fault), FUMATA_ERR_TABLE);
  ck_assert(fault.kind == FUMATA_FAULT_TABLE && fault.index == 3);
  table[3] = 1;
  table[2] = 3;
  ck_assert_int_eq(fumata_certify_meter(&plan, &fine, &fault), FUMATA_ERR_TABLE);
  ck_assert(fault.kind == FUMATA_FAULT_TABLE && fault.index == 2);
  table[2] = 2;
  ck_assert_int_eq(fumata_certify_meter(&plan, &fine, &fault), FUMATA_ERR_UNCERTIFIED);
}
END_TEST

/* The largest of everything at once ends in a verdict. */
START_TEST(test_meter_extremes) {
  static const uint64_t table[] = {UINT64_MAX, 1};
  fumata_meter_plan plan = {table, 2, FUMATA_SILENCES_MAX};
  fumata_claim claim = {UINT32_MAX, 1, UINT64_MAX - 1, UINT64_MAX, FUMATA_ALPHA_MAX, UINT64_MAX, 0};
  fumata_fault fault;
  ck_assert_int_lt(fumata_certify_meter(&plan, &claim, &fault), 0);
  plan.size = 1;
  ck_assert_int_lt(fumata_certify_meter(&plan, &claim, &fault), 1);
  claim.epsilon_num = 1;
  claim.epsilon_den = UINT32_MAX;
  claim.delta_num = 1;
  REFUSED(&plan, &claim, FUMATA_FAULT_TOTAL);
}
END_TEST

static void toll(const fumata_toll_plan *plan, const fumata_claim *claim, int status, fumata_fault_kind kind,
                 uint32_t index) {
  fumata_fault fault = {FUMATA_FAULT_RATIO, 77};
  ck_assert_int_eq(fumata_certify_toll(plan, claim, &fault), status);
  ck_assert_int_eq(fault.kind, kind);
  ck_assert_uint_eq(fault.index, index);
}

/* 3/4 at one distance: at alpha 2 the line is (1/4)/(3/4) + (1/4)/(1/4) = 4/3 one way, 9/8 + 1/8 the other. Four answers
 * cost c(2) (4/3)^4 = 0.79. */
START_TEST(test_toll_by_hand) {
  static uint64_t rows[] = {UINT64_C(3) << 62, UINT64_C(3) << 62};
  const uint64_t four_thirds = 5726623061; /* times 2^32 */
  fumata_toll_plan plan = {rows, 2, 4};
  fumata_claim claim = {1, 1, 30, 100, 2, 0, four_thirds + 16};
  toll(&plan, &claim, FUMATA_OK, FUMATA_FAULT_NONE, 0); /* 0.79 / e = 0.2907 */
  claim.delta_num = 29;
  toll(&plan, &claim, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 0);
  claim.delta_num = 30;
  plan.limit = 5;
  toll(&plan, &claim, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 0);
  claim.u = four_thirds - 16;
  toll(&plan, &claim, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_ANSWER, 0);
  /* Equal neighbours are free, a second step as large is not. */
  claim.u = four_thirds + 16;
  rows[1] = UINT64_C(15) << 60;
  toll(&plan, &claim, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_ANSWER, 1);
  rows[1] = rows[0];
}
END_TEST

/* A table of one half for ever is private at U = 1: the answers say nothing. */
START_TEST(test_toll_level_table) {
  static const uint64_t rows[] = {UINT64_C(1) << 63, UINT64_C(1) << 63};
  fumata_toll_plan plan = {rows, 2, FUMATA_ANSWERS_MAX};
  fumata_claim claim = {1, 1, 1, 10, 2, 0, UINT64_C(1) << 32};
  toll(&plan, &claim, FUMATA_OK, FUMATA_FAULT_NONE, 0); /* c(2) / e < 0.1 */
}
END_TEST

START_TEST(test_toll_malformed) {
  const uint64_t half = UINT64_C(1) << 63;
  uint64_t rows[] = {half, half + 1, half + 1, half + 2};
  fumata_toll_plan plan = {rows, 4, 1};
  fumata_claim fine = {1, 1, 1, 2, 2, 0, UINT64_C(1) << 33}, claim;
#define CLAIM(field, bad)                                                                                              \
  claim = fine;                                                                                                        \
  claim.field = (bad);                                                                                                 \
  toll(&plan, &claim, FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0)
  CLAIM(epsilon_num, 0);
  CLAIM(epsilon_den, 0);
  CLAIM(delta_num, 0);
  CLAIM(delta_num, 2);
  CLAIM(alpha, 1);
  CLAIM(alpha, FUMATA_ALPHA_MAX + 1);
  CLAIM(u, 0);
  CLAIM(u, (UINT64_C(1) << 32) - 1);
#undef CLAIM
#define PLAN(field, bad, good, status, kind)                                                                           \
  plan.field = (bad);                                                                                                  \
  toll(&plan, &fine, status, kind, 0);                                                                                 \
  plan.field = (good)
  PLAN(limit, 0, 1, FUMATA_ERR_LIMIT, FUMATA_FAULT_ANSWERS);
  PLAN(limit, FUMATA_ANSWERS_MAX + 1, 1, FUMATA_ERR_LIMIT, FUMATA_FAULT_ANSWERS);
  PLAN(size, 0, 4, FUMATA_ERR_TABLE, FUMATA_FAULT_NAMED);
  PLAN(size, FUMATA_TABLE_MAX + 1, 4, FUMATA_ERR_TABLE, FUMATA_FAULT_NAMED);
#undef PLAN
  toll(&plan, &fine, FUMATA_OK, FUMATA_FAULT_NONE, 0);
  rows[3] = half;
  toll(&plan, &fine, FUMATA_ERR_TABLE, FUMATA_FAULT_NAMED, 3);
  rows[0] = half - 1;
  toll(&plan, &fine, FUMATA_ERR_TABLE, FUMATA_FAULT_NAMED, 0);
}
END_TEST

/* The largest of everything at once: the bound of e^(4095 * 2^32) is 2^3.6e6, which 2^1e6 2^1e6 keeps and 2^2e6 2^2e6
 * does not. */
START_TEST(test_toll_extremes) {
  static const uint64_t silence[] = {UINT64_MAX}, rows[] = {UINT64_C(1) << 63, UINT64_MAX};
  fumata_budget_plan plan = {{silence, 1, FUMATA_SILENCES_MAX}, {rows, 1, FUMATA_ANSWERS_MAX}};
  fumata_claim claim = {UINT32_MAX,       1, UINT64_MAX - 1, UINT64_MAX, FUMATA_ALPHA_MAX, UINT64_C(2) << 32,
                        UINT64_C(2) << 32};
  fumata_fault fault;
  ck_assert_int_eq(fumata_certify_budget(&plan, &claim, &fault), FUMATA_OK);
  claim.v = claim.u = UINT64_C(4) << 32;
  ck_assert_int_eq(fumata_certify_meter(&plan.meter, &claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fumata_certify_toll(&plan.toll, &claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fumata_certify_budget(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  claim.v = claim.u = UINT64_MAX;
  ck_assert_int_eq(fumata_certify_budget(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  plan.toll.size = 2;
  toll(&plan.toll, &claim, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_ANSWER, 1);
}
END_TEST

static uint64_t threshold[65536], query[65536];

/* Discrete Laplace noise, cut off where it falls to 2^-36 of its peak. What lies below is gathered into the lowest
 * outcome, as the ratio of F asks; what lies above is dropped, or the last outcome would be far likelier than the one
 * before. */
static fumata_noise laplace(uint64_t *cdf, long double scale) {
  int64_t reach = (int64_t)(scale * 36 * logl(2)), z;
  fumata_noise noise = {cdf, 0, -reach};
  long double tail = expl(-reach / scale) / expm1l(1 / scale), total = tail, below = tail;
  for (z = -reach; z <= reach; z++)
    total += expl(-fabsl((long double)z) / scale);
  for (z = -reach; z < reach; z++) {
    below += expl(-fabsl((long double)z) / scale);
    cdf[noise.size++] = (uint64_t)(below / total * TWO64);
  }
  return noise;
}

static fumata_classic_plan paper_plan(long double *lambda) {
  fumata_classic_plan plan;
  *lambda = sqrtl(32 * 20 * logl(2 / 1e-5L)); /* epsilon = 1, T = 20 */
  plan.threshold = laplace(threshold, *lambda);
  plan.query = laplace(query, 2 * *lambda);
  plan.width = (int64_t)ceill(2 * *lambda * logl(2 * 1000 / 1e-5L)); /* m = 1000 */
  plan.limit = 20;
  return plan;
}

START_TEST(test_classic_paper) {
  long double lambda;
  fumata_classic_plan plan = paper_plan(&lambda), kept = plan;
  fumata_claim claim = {1, 1, 1, 100000, 20, 0, 0};
  fumata_fault fault;
  uint32_t epsilon;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_NONE);
  /* x = e^(2/lambda): find the smallest epsilon, in hundredths, at the best alpha. */
  for (epsilon = 99; epsilon > 0; epsilon--) {
    int kept_claim = 0;
    for (claim.alpha = 2; claim.alpha <= 100 && !kept_claim; claim.alpha++) {
      claim.epsilon_num = epsilon;
      claim.epsilon_den = 100;
      kept_claim = fumata_certify_classic(&plan, &claim, &fault) == FUMATA_OK;
      if (!kept_claim) ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
    }
    if (!kept_claim) break;
  }
  ck_assert_uint_lt(epsilon, 90);
  ck_assert_uint_gt(epsilon, 20);
  claim.epsilon_num = claim.epsilon_den = 1;
  claim.alpha = 20;
  plan.width = 0;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  plan = kept;
  plan.limit = 2000;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
}
END_TEST

/* Loss by hand: a fair threshold over two places against a query noise over three. */
START_TEST(test_classic_by_hand) {
  static uint64_t one[] = {UINT64_C(1) << 63};
  static uint64_t two[] = {UINT64_C(1) << 62, UINT64_C(3) << 62};
  fumata_classic_plan plan = {{one, 1, 0}, {two, 2, -1}, 1, 1};
  fumata_claim claim = {100, 1, 99, 100, 2, 0, 0};
  fumata_fault fault;
  /* Z2 beats w + Z1 only from 2 up, which it never reaches: the loss is P(Z1 lowest) = 1/2, x = 1, y = 4. */
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_OK);
  claim.delta_num = 50;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  claim.delta_num = 51;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_OK);
  /* w = 0: Z2 = 1 beats Z1 = 0 once in eight, so the loss is 5/8. */
  plan.width = 0;
  claim.delta_num = 62;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
  claim.delta_num = 63;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_OK);
  /* w = -5: any query noise but the lowest wins, three times in four: 1/2 + 3/4. */
  plan.width = -5;
  claim.delta_num = 99;
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), FUMATA_ERR_UNCERTIFIED);
}
END_TEST

START_TEST(test_classic_malformed) {
  uint64_t a[] = {5, 9, 20}, b[] = {5, 5, 20};
  fumata_classic_plan fine = {{a, 3, 0}, {b, 3, 0}, 0, 1}, plan = fine;
  fumata_claim claim = {1, 1, 1, 2, 2, 0, 0};
  fumata_fault fault;
#define BAD(change, status, want, place)                                                                               \
  plan = fine;                                                                                                         \
  change;                                                                                                              \
  ck_assert_int_eq(fumata_certify_classic(&plan, &claim, &fault), (status));                                           \
  ck_assert(fault.kind == (want) && fault.index == (place))
  BAD(plan.limit = 0, FUMATA_ERR_LIMIT, FUMATA_FAULT_LIMIT, 0);
  BAD(plan.limit = FUMATA_SILENCES_MAX + 1, FUMATA_ERR_LIMIT, FUMATA_FAULT_LIMIT, 0);
  BAD(plan.threshold.size = 0, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 0);
  BAD(plan.query.size = FUMATA_NOISE_MAX + 1, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 1);
  BAD(plan.width = FUMATA_NOISE_RANGE + 1, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 2);
  BAD(plan.width = -FUMATA_NOISE_RANGE - 1, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 2);
  BAD(a[0] = 0, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_RATIO, 0);
  a[0] = 5;
  BAD(a[1] = 5, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_RATIO, 1);
  a[1] = 9;
  BAD(a[2] = 9, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_RATIO, 2);
  a[2] = 20;
  BAD(b[0] = 0, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_RATIO, 3);
  b[0] = 5;
  BAD(a[1] = 4, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 0);
  a[1] = 9;
  BAD((void)0, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 0);
  claim.alpha = 1;
  BAD((void)0, FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0);
#undef BAD
}
END_TEST

SUITE_LOOPS("certify", {test_meter_is_tight, (int)(sizeof GOOD / sizeof GOOD[0])}, {test_meter_by_hand, 1},
            {test_meter_level_table, 1}, {test_meter_malformed, 1}, {test_meter_extremes, 1}, {test_classic_paper, 1},
            {test_classic_by_hand, 1}, {test_classic_malformed, 1}, {test_toll_by_hand, 1}, {test_toll_level_table, 1},
            {test_toll_malformed, 1}, {test_toll_extremes, 1})

#include "core/meter.h"

#include <string.h>

#include "support/suite.h"

#define TENTH (UINT64_MAX / 10 + 1)

/* Silence at 9, 7.5, 5.5 and 4 in ten: private only in the loosest sense, which is enough for a certificate. */
static const uint64_t table[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const fumata_meter_plan plan = {table, 4, 5};
static const fumata_claim claim = {20, 1, 99, 100, 2, UINT64_C(4) << 32, 0};

static int reserve(fumata_meter *meter, uint64_t coin) {
  (void)coin;
  return fumata_meter_reserve(meter, 1);
}

#define MACHINE(end) fumata_meter##end
#include "support/budget.h"

START_TEST(test_init) {
  fumata_meter meter = begin();
  ck_assert_ptr_eq(meter.plan.silence, table);
  ck_assert_uint_eq(meter.plan.size, 4);
  ck_assert_uint_eq(meter.plan.limit, 5);
  ck_assert_uint_eq(meter.left, 5);
  ck_assert_uint_eq(meter.reserved, 0);
}
END_TEST

START_TEST(test_refused_tables) {
  static const uint64_t rising[] = {1, 2};
  fumata_meter_plan bad = plan;
  bad.silence = rising;
  bad.size = 2;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad = plan;
  bad.size = 0;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
}
END_TEST

START_TEST(test_resume) {
  uint32_t left;
  for (left = 0; left <= 5; left++) {
    fumata_meter meter;
    memset(&meter, 0xff, sizeof meter);
    ck_assert_int_eq(fumata_meter_resume(&meter, &plan, &claim, left), FUMATA_OK);
    ck_assert_ptr_eq(meter.plan.silence, table);
    ck_assert_uint_eq(meter.plan.size, 4);
    ck_assert_uint_eq(meter.plan.limit, 5);
    ck_assert_uint_eq(meter.left, left);
    ck_assert_uint_eq(meter.reserved, 0);
  }
}
END_TEST

static void expect(uint32_t distance, uint64_t coin, int silent) {
  fumata_meter meter = begin();
  fumata_verdict verdict = {7, distance};
  int32_t answer = 12345;
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, coin, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, silent ? FUMATA_SILENT : 7);
  ck_assert_uint_eq(meter.reserved, silent ? 0 : 1);
  ck_assert_uint_eq(meter.left, 4);
}

/* Both sides of every row's edge, for every distance that uses the row. */
START_TEST(test_coins_at_the_edges) {
  static const uint32_t far[] = {4, 5, 6, 1000, UINT32_MAX};
  uint32_t d;
  size_t i;
  expect(0, 0, 1);
  expect(0, table[0], 1);
  expect(0, UINT64_MAX, 1);
  for (d = 1; d <= 4; d++) {
    expect(d, 0, 1);
    expect(d, table[d - 1] - 1, 1);
    expect(d, table[d - 1], 0);
    expect(d, UINT64_MAX, 0);
  }
  for (i = 0; i < sizeof far / sizeof *far; i++) {
    expect(far[i], table[3] - 1, 1);
    expect(far[i], table[3], 0);
  }
}
END_TEST

START_TEST(test_one_row) {
  static const uint64_t row[] = {9 * (TENTH - 1)};
  fumata_meter_plan one = {row, 1, 1};
  fumata_verdict verdict = {0, 1};
  fumata_meter meter;
  int32_t answer;
  ck_assert_int_eq(fumata_meter_init(&meter, &one, &claim), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, row[0], &answer), FUMATA_OK);
  ck_assert_int_eq(answer, 0);
  verdict.distance = 2;
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, row[0] - 1, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
}
END_TEST

/* T silences and not one more; labels cost nothing. */
START_TEST(test_life) {
  fumata_meter meter = begin();
  fumata_verdict verdict = {2, 3};
  int32_t answer;
  uint32_t silences;
  for (silences = 0; silences < 5; silences++) {
    int labels;
    ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_OK);
    ck_assert_uint_eq(meter.left, 4 - silences);
    for (labels = 0; labels < 10; labels++) {
      ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
      ck_assert_int_eq(answer, 2);
    }
    ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, 0, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, FUMATA_SILENT);
    ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_ERR_CLOSED);
  }
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_ERR_SPENT);
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 0);
}
END_TEST

START_TEST(test_close) {
  fumata_meter meter = begin();
  fumata_verdict verdict = {2, 0};
  int32_t answer;
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 5);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 5);
  ck_assert_uint_eq(meter.reserved, 0);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 4);
  ck_assert_uint_eq(meter.reserved, 0);
}
END_TEST

/* Several silences are paid at once, used one by one, and given back if they were not. */
START_TEST(test_batches) {
  fumata_meter meter = begin();
  fumata_verdict verdict = {2, 0};
  int32_t answer;
  ck_assert_int_eq(fumata_meter_reserve(&meter, 0), FUMATA_ERR_SPENT);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 6), FUMATA_ERR_SPENT);
  ck_assert_int_eq(fumata_meter_reserve(&meter, UINT32_MAX), FUMATA_ERR_SPENT);
  ck_assert_uint_eq(meter.left, 5);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 3), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 2);
  ck_assert_uint_eq(meter.reserved, 3);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_ERR_RESERVED);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
  ck_assert_uint_eq(meter.reserved, 2);
  ck_assert_int_eq(fumata_meter_reserve(&meter, 1), FUMATA_ERR_RESERVED);
  verdict.distance = 4;
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, 2);
  ck_assert_uint_eq(meter.reserved, 2);
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 4);
  ck_assert_uint_eq(meter.reserved, 0);
}
END_TEST

SUITE_MAIN("meter", test_init, test_refused_tables, test_refused_claims, test_resume, test_coins_at_the_edges,
           test_one_row, test_every_label, test_errors_change_nothing, test_life, test_close, test_batches)

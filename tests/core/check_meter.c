#include "core/meter.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TENTH (UINT64_MAX / 10 + 1)

/* Silence at 9, 7.5, 5.5 and 4 in ten: private only in the loosest sense, which is enough for a certificate. */
static const uint64_t table[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const fumata_meter_plan plan = {table, 4, 5};
static const fumata_claim claim = {20, 1, 99, 100, 2, UINT64_C(4) << 32};

static fumata_meter begin(void) {
  fumata_meter meter;
  ck_assert_int_eq(fumata_meter_init(&meter, &plan, &claim), FUMATA_OK);
  return meter;
}

START_TEST(test_init) {
  fumata_meter meter = begin();
  ck_assert_ptr_eq(meter.plan.silence, table);
  ck_assert_uint_eq(meter.plan.size, 4);
  ck_assert_uint_eq(meter.plan.limit, 5);
  ck_assert_uint_eq(meter.left, 5);
  ck_assert_uint_eq(meter.reserved, 0);
}
END_TEST

/* Whatever the refusal, not a byte of the meter is touched. */
static void refuse(const fumata_meter_plan *bad, const fumata_claim *said, uint32_t left, int status) {
  fumata_meter meter;
  fumata_meter before;
  memset(&meter, 0xa5, sizeof meter);
  memset(&before, 0xa5, sizeof before);
  ck_assert_int_eq(fumata_meter_resume(&meter, bad, said, left), status);
  ck_assert_mem_eq(&meter, &before, sizeof meter);
  if (status != FUMATA_ERR_LEFT) {
    ck_assert_int_eq(fumata_meter_init(&meter, bad, said), status);
    ck_assert_mem_eq(&meter, &before, sizeof meter);
  }
}

START_TEST(test_refusals) {
  static const uint64_t rising[] = {1, 2};
  fumata_meter_plan bad = plan;
  fumata_claim said = claim;
  bad.silence = rising;
  bad.size = 2;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad = plan;
  bad.size = 0;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad = plan;
  bad.limit = 0;
  refuse(&bad, &claim, 0, FUMATA_ERR_LIMIT);
  bad.limit = FUMATA_SILENCES_MAX + 1;
  refuse(&bad, &claim, 1, FUMATA_ERR_LIMIT);
  said.alpha = 1;
  refuse(&plan, &said, 1, FUMATA_ERR_CLAIM);
  said = claim;
  said.epsilon_num = 1;
  refuse(&plan, &said, 1, FUMATA_ERR_UNCERTIFIED);
  refuse(&plan, &claim, 6, FUMATA_ERR_LEFT);
  refuse(&plan, &claim, UINT32_MAX, FUMATA_ERR_LEFT);
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
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
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
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, row[0], &answer), FUMATA_OK);
  ck_assert_int_eq(answer, 0);
  verdict.distance = 2;
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, row[0] - 1, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
}
END_TEST

START_TEST(test_every_label) {
  fumata_meter meter = begin();
  fumata_verdict verdict = {0, 9};
  int32_t answer;
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
  for (verdict.winner = 0; verdict.winner < FUMATA_CLASSES_MAX; verdict.winner++) {
    ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, (int32_t)verdict.winner);
  }
}
END_TEST

START_TEST(test_errors_change_nothing) {
  fumata_meter meter = begin();
  fumata_meter before;
  fumata_verdict verdict = {1, 4};
  int32_t answer = 4711;

  memcpy(&before, &meter, sizeof before);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, 0, &answer), FUMATA_ERR_CLOSED);
  ck_assert_mem_eq(&meter, &before, sizeof before);
  ck_assert_int_eq(answer, 4711);

  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
  memcpy(&before, &meter, sizeof before);
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_ERR_RESERVED);
  ck_assert_mem_eq(&meter, &before, sizeof before);
  verdict.winner = FUMATA_CLASSES_MAX;
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, 0, &answer), FUMATA_ERR_VOTE);
  verdict.winner = UINT32_MAX;
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, 0, &answer), FUMATA_ERR_VOTE);
  ck_assert_mem_eq(&meter, &before, sizeof before);
  ck_assert_int_eq(answer, 4711);

  ck_assert_int_eq(fumata_meter_resume(&meter, &plan, &claim, 0), FUMATA_OK);
  memcpy(&before, &meter, sizeof before);
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_ERR_SPENT);
  ck_assert_mem_eq(&meter, &before, sizeof before);
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
    ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
    ck_assert_uint_eq(meter.left, 4 - silences);
    for (labels = 0; labels < 10; labels++) {
      ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
      ck_assert_int_eq(answer, 2);
    }
    ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, 0, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, FUMATA_SILENT);
    ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_ERR_CLOSED);
  }
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_ERR_SPENT);
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
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 5);
  ck_assert_uint_eq(meter.reserved, 0);
  ck_assert_int_eq(fumata_meter_reserve(&meter), FUMATA_OK);
  ck_assert_int_eq(fumata_meter_answer(&meter, &verdict, UINT64_MAX, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, FUMATA_SILENT);
  ck_assert_int_eq(fumata_meter_close(&meter), FUMATA_OK);
  ck_assert_uint_eq(meter.left, 4);
  ck_assert_uint_eq(meter.reserved, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("meter");
  TCase *tests = tcase_create("meter");
  SRunner *runner = srunner_create(suite);
  int failed;
  tcase_add_test(tests, test_init);
  tcase_add_test(tests, test_refusals);
  tcase_add_test(tests, test_resume);
  tcase_add_test(tests, test_coins_at_the_edges);
  tcase_add_test(tests, test_one_row);
  tcase_add_test(tests, test_every_label);
  tcase_add_test(tests, test_errors_change_nothing);
  tcase_add_test(tests, test_life);
  tcase_add_test(tests, test_close);
  suite_add_tcase(suite, tests);
  srunner_run_all(runner, CK_ENV);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

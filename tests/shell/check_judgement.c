/* learn/judgement: a student that is worth nothing is called so, one that is worth something is left alone. */
#include "learn/judgement.h"

#include "base/error.h"
#include "core/meter.h"
#include "support/scratch.h"

static char *names[] = {"no", "yes"};

static void expect(struct judgement_facts facts, enum judgement wanted) {
  ck_assert_int_eq(judgement_of(&facts), wanted);
}

START_TEST(test_verdicts) {
  expect((struct judgement_facts){.labels = 0}, JUDGEMENT_NO_LABELS);
  expect((struct judgement_facts){.labels = 9, .times = 9, .agreed = 9}, JUDGEMENT_ONE_CLASS);
  expect((struct judgement_facts){.labels = 9, .times = 6, .agreed = 5}, JUDGEMENT_BELOW_LABELS);
  expect((struct judgement_facts){.labels = 9, .times = 6, .agreed = 6}, JUDGEMENT_FINE);
  expect((struct judgement_facts){9, 9, 0, 6, .tested = 100, .right = 69, .tested_commonest = 70},
         JUDGEMENT_BELOW_RECORDS);
  expect((struct judgement_facts){9, 9, 0, 6, .tested = 100, .right = 70, .tested_commonest = 70}, JUDGEMENT_FINE);
}
END_TEST

/* Rows of one feature and a model that says yes from 0 on. */
START_TEST(test_gather) {
  float cells[] = {-2, -1, 1, 2, 3}, weights[] = {1, 0};
  int32_t unknown[5] = {0}, answer[] = {1, 0, FUMATA_SILENT, 1};
  size_t row[] = {4, 0, 2, 1};
  struct rows rows = {.count = 5, .columns = 1, .is_dense = 1, .dense = cells, .label = unknown};
  struct learner learner = {.kind = &learner_logistic, .classes = 2, .columns = 1, .scale = 1};
  struct learned learned = {(unsigned char *)weights, sizeof weights};
  struct judgement_facts facts;
  ck_assert_int_eq(judgement_gather(&facts, &learner, &learned, &rows, row, answer, 4), EXIT_OK);
  ck_assert_uint_eq(facts.labels, 3);
  ck_assert_uint_eq(facts.commonest, 1);
  ck_assert_uint_eq(facts.times, 2);
  ck_assert_uint_eq(facts.agreed, 2); /* not row 1 */
  rows.label = (int32_t[]){1, 1, 0, -1, 1};
  judgement_test(&facts, &rows, 3);
  ck_assert_uint_eq(facts.tested, 4);
  ck_assert_uint_eq(facts.tested_commonest, 3);
  ck_assert_int_eq(judgement_gather(&facts, &learner, &learned, &rows, row, answer, 0), EXIT_OK);
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_NO_LABELS);
}
END_TEST

START_TEST(test_says_nothing_where_all_is_well) {
  struct judgement_facts facts = {.labels = 9, .times = 6, .agreed = 9};
  judgement_tell(&facts, names);
  error_report(0, "the only line");
  scratch_expect(0, 0, "the only line");
}
END_TEST

SCRATCH_MAIN("judgement", test_verdicts, test_gather, test_says_nothing_where_all_is_well)

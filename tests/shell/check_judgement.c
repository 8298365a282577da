/* learn/judgement: a student that is worth nothing is never called fine, one that is worth something is left alone. */
#include "learn/judgement.h"

#include "base/error.h"
#include "core/meter.h"
#include "support/scratch.h"

static char *names[] = {"no", "yes", "maybe"};

/* Metrics of a table: counts of truths (rows) and answers (columns). */
static struct metrics table(uint32_t classes, uint64_t *confusion) {
  struct metrics metrics = {.classes = classes, .confusion = confusion};
  for (uint32_t i = 0; i < classes * classes; i++) {
    metrics.records += confusion[i];
    if (i / classes == i % classes) metrics.right += confusion[i];
  }
  return metrics;
}

/* Judged by released labels alone, then by the same as a test. */
static void expect(uint64_t *confusion, int is_balanced, enum judgement by_labels, enum judgement by_test) {
  struct metrics some = table(2, confusion), good = table(2, (uint64_t[]){50, 1, 1, 48});
  struct judgement_facts facts = {.labels = 100, .times = 60, .named = 2, .is_balanced = is_balanced};
  facts.released = &some;
  ck_assert_str_eq(judgement_name(judgement_of(&facts)), judgement_name(by_labels));
  facts.released = &good; /* the test decides */
  facts.test = &some;
  ck_assert_str_eq(judgement_name(judgement_of(&facts)), judgement_name(by_test));
}

START_TEST(test_verdicts) {
  expect((uint64_t[]){450, 50, 50, 450}, 0, JUDGEMENT_FINE, JUDGEMENT_FINE);
  expect((uint64_t[]){900, 0, 100, 0}, 0, JUDGEMENT_CONSTANT, JUDGEMENT_CONSTANT);
  expect((uint64_t[]){900, 0, 100, 0}, 1, JUDGEMENT_CONSTANT, JUDGEMENT_CONSTANT); /* balance is no excuse */
  expect((uint64_t[]){890, 10, 99, 1}, 0, JUDGEMENT_CHANCE, JUDGEMENT_CHANCE);
  expect((uint64_t[]){50, 450, 450, 50}, 0, JUDGEMENT_CHANCE, JUDGEMENT_CHANCE); /* the contrary of the truth */
  expect((uint64_t[]){12, 8, 9, 11}, 0, JUDGEMENT_UNCLEAR, JUDGEMENT_UNCLEAR);
  /* A tie with the majority, and a lead that chance explains. */
  expect((uint64_t[]){870, 30, 70, 30}, 0, JUDGEMENT_MAJORITY, JUDGEMENT_MAJORITY);
  expect((uint64_t[]){870, 30, 66, 34}, 0, JUDGEMENT_FINE, JUDGEMENT_MAJORITY);
  /* Far below the majority, and found most of both: only for those who asked for balance. */
  expect((uint64_t[]){760, 190, 10, 40}, 1, JUDGEMENT_FINE, JUDGEMENT_FINE);
  expect((uint64_t[]){760, 190, 10, 40}, 0, JUDGEMENT_MAJORITY, JUDGEMENT_MAJORITY);
  /* Right more often than the majority, and yet four of five of a class are missed. Of noisy labels that is not held against it. */
  expect((uint64_t[]){790, 10, 160, 40}, 0, JUDGEMENT_FINE, JUDGEMENT_MISSES);
}
END_TEST

START_TEST(test_released) {
  struct metrics some = table(2, (uint64_t[]){45, 5, 5, 45}), none = table(2, (uint64_t[4]){0});
  struct metrics single = table(2, (uint64_t[]){50, 10, 0, 0});
  struct judgement_facts facts = {.labels = 0, .named = 2, .released = &some};
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_NO_LABELS);
  facts.labels = facts.times = 9;
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_ONE_CLASS);
  facts.times = 6;
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_FINE);
  facts.test = &single; /* a test of one class decides nothing */
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_FINE);
  facts.named = 1; /* of all public records one class is said */
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_CONSTANT);
  facts = (struct judgement_facts){.labels = 9, .times = 6, .named = 2, .released = &none};
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_UNCLEAR); /* a command that could not be taught again */
}
END_TEST

START_TEST(test_never_said) {
  struct metrics some = table(3, (uint64_t[]){45, 5, 0, 5, 45, 0, 0, 0, 0});
  struct judgement_facts facts = {.labels = 9, .times = 6, .named = 2, .unnamed = 2, .released = &some};
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_MISSES);
  facts.named = 3;
  ck_assert_int_eq(judgement_of(&facts), JUDGEMENT_FINE);
}
END_TEST

/* Rows of one feature and a model that says yes from 0 on. */
START_TEST(test_gather) {
  float cells[] = {-2, -1, 1, 2, 3}, weights[] = {1, 0};
  int32_t unknown[5] = {0}, answer[] = {1, 0, FUMATA_SILENT, 1};
  struct rows rows = {.count = 5, .columns = 1, .is_dense = 1, .dense = cells, .label = unknown};
  struct learner learner = {.kind = &learner_logistic, .classes = 2, .columns = 1, .scale = 1};
  struct learned learned = {(unsigned char *)weights, sizeof weights};
  struct judgement_facts facts;
  ck_assert_int_eq(judgement_gather(&facts, &learner, &learned, &rows, answer, 4), EXIT_OK);
  ck_assert_uint_eq(facts.labels, 3);
  ck_assert_uint_eq(facts.commonest, 1);
  ck_assert_uint_eq(facts.times, 2);
  ck_assert_uint_eq(facts.named, 2);
  rows.count = 2; /* below 0 alone */
  ck_assert_int_eq(judgement_gather(&facts, &learner, &learned, &rows, answer, 0), EXIT_OK);
  ck_assert_uint_eq(facts.labels, 0);
  ck_assert_uint_eq(facts.named, 1);
  ck_assert_uint_eq(facts.unnamed, 1);
}
END_TEST

/* Which fold was left out; and a model that says yes from 0 on, or, of the last fold, the contrary. */
static int teach(void *context, size_t fold, struct learned *learned) {
  float weights[] = {fold == JUDGEMENT_FOLDS - 1 ? -1 : 1, 0};
  ((int *)context)[fold]++;
  return learned_set(learned, weights, sizeof weights);
}

/* Each label is foreseen once, by the student whose fold its row is in; silences are not. */
START_TEST(test_foresee) {
  float cells[10];
  int32_t unknown[10] = {0}, answer[] = {1, 1, 0, 1, 0, 1, 1, FUMATA_SILENT, 1, 1};
  size_t row[10], own_row[10];
  uint64_t line[10] = {0};
  int32_t own_answer[10];
  int taught[JUDGEMENT_FOLDS] = {0};
  struct rows rows = {.count = 10, .columns = 1, .is_dense = 1, .dense = cells, .label = unknown, .line = line};
  struct learner learner = {.kind = &learner_logistic, .classes = 2, .columns = 1, .scale = 1};
  struct metrics released;
  for (size_t i = 0; i < 10; i++) {
    row[i] = 9 - i;
    cells[9 - i] = answer[i] == 0 ? -1 : 1;
  }
  ck_assert_int_eq(judgement_foresee(&released, &learner, &rows, row, answer, 10, teach, taught), EXIT_OK);
  for (int f = 0; f < JUDGEMENT_FOLDS; f++)
    ck_assert_int_eq(taught[f], 1);
  ck_assert_uint_eq(released.records, 9);
  ck_assert_uint_eq(released.right, 7); /* rows 4 and 9 are of the last fold */
  metrics_free(&released);
  ck_assert_uint_eq(judgement_part(3, 1, row, answer, 10, own_row, own_answer), 2);
  ck_assert_uint_eq(own_row[0], 8);
  ck_assert_int_eq(own_answer[1], 1);
  ck_assert_uint_eq(judgement_part(3, 0, row, answer, 10, own_row, own_answer), 8);
}
END_TEST

START_TEST(test_says_nothing_where_all_is_well) {
  struct metrics good = table(2, (uint64_t[]){45, 5, 5, 45});
  struct judgement_facts facts = {.labels = 9, .times = 6, .named = 2, .released = &good};
  judgement_tell(&facts, names);
  error_report(0, "the only line");
  scratch_expect(0, 0, "the only line");
}
END_TEST

SCRATCH_MAIN("judgement", test_verdicts, test_released, test_never_said, test_gather, test_foresee,
             test_says_nothing_where_all_is_well)

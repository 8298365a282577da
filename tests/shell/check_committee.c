/* Committees: members of bootstrap samples, and what most of them say. */
#include "learn/committee.h"

#include "base/error.h"
#include "learn/ensemble.h"
#include "learn/student.h"
#include "support/lessons.h"
#include "support/scratch.h"

static struct learned taught(const char *text, const struct rows *rows, size_t count, uint32_t classes,
                             struct learner *learner) {
  size_t *order = lessons_order(rows->count);
  struct lesson lesson = {.rows = rows, .row = order, .count = count};
  struct learned learned;
  lessons_learner(learner, text, rows, classes);
  ck_assert_int_eq(learner_train(learner, &lesson, &learned), 0);
  free(order);
  return learned;
}

/* The committee says what most of its members say, whatever they are; the smaller label of two. */
static void compare(const char *text, uint32_t classes) {
  enum { ROWS = 40, TESTS = 60, MEMBERS = 6 };
  struct learner learner, single;
  struct rows rows, test;
  struct learned learned, member[MEMBERS];
  struct ensemble committee, one;
  uint16_t votes[TESTS], own[MEMBERS][TESTS];
  size_t disputed = 0;
  lessons_make(&rows, ROWS, 4, classes, 1, 3);
  lessons_make(&test, TESTS, 4, classes, 1, 4);
  for (size_t i = 0; i < rows.count; i += 3)
    rows.label[i] = (int32_t)(i % classes); /* members are to differ */
  learned = taught(text, &rows, ROWS, classes, &learner);
  ck_assert_int_eq(committee_open(&learned, MEMBERS, member), 0);
  single = learner_member(&learner);
  ck_assert_int_eq(ensemble_single(&committee, &learner, &learned), 0);
  ck_assert_int_eq(ensemble_vote(&committee, &test, 0, TESTS, votes), 0);
  for (int m = 0; m < MEMBERS; m++) {
    ck_assert_int_eq(ensemble_single(&one, &single, &member[m]), 0);
    ck_assert_int_eq(ensemble_vote(&one, &test, 0, TESTS, own[m]), 0);
    for (int q = TESTS - 1; q >= 0; q--)
      own[m][q] = (uint16_t)ensemble_label(&one, own[m], (size_t)q);
    ensemble_free(&one);
    learned_free(&member[m]);
  }
  for (int q = 0; q < TESTS; q++) {
    uint32_t counts[300] = {0}, best = 0;
    for (int m = 0; m < MEMBERS; m++)
      counts[own[m][q]]++;
    for (uint32_t c = 1; c < classes; c++)
      if (counts[c] > counts[best]) best = c;
    disputed += counts[best] < MEMBERS;
    ck_assert_msg(ensemble_label(&committee, votes, (size_t)q) == best, "%s: query %d", text, q);
  }
  ck_assert_uint_gt(disputed, 5);
  ensemble_free(&committee);
  learned_free(&learned);
  learner_free(&learner);
  rows_free(&rows);
  rows_free(&test);
}

START_TEST(majority) {
  compare("committee:6", 2);
  compare("committee:6,logistic:C=10", 3);
  compare("committee:6,svm", 3);
  compare("committee:6,trees:rounds=3", 2);
  compare("committee:6,logistic", 300);
}
END_TEST

/* The same lesson, the same bytes; members differ from each other and from the learner without a committee. */
START_TEST(samples) {
  struct learner learner;
  struct rows rows;
  struct learned first, again, alone, member[20];
  lessons_make(&rows, 50, 5, 2, 1, 9);
  first = taught("committee:20,logistic", &rows, 50, 2, &learner);
  again = taught("committee:20,logistic", &rows, 50, 2, &learner);
  alone = taught("logistic", &rows, 50, 2, &learner);
  ck_assert_uint_eq(first.size, again.size);
  ck_assert_mem_eq(first.bytes, again.bytes, first.size);
  ck_assert_int_eq(committee_open(&first, 20, member), 0);
  for (int m = 0; m < 20; m++) {
    ck_assert_uint_eq(member[m].size, alone.size);
    ck_assert(memcmp(member[m].bytes, alone.bytes, alone.size) != 0);
    for (int other = 0; other < m; other++)
      ck_assert(memcmp(member[m].bytes, member[other].bytes, alone.size) != 0);
  }
  for (int m = 0; m < 20; m++)
    learned_free(&member[m]);
  learned_free(&first);
  learned_free(&again);
  learned_free(&alone);
  rows_free(&rows);
}
END_TEST

/* A row written n times with weight 1 / n is one draw: its entries stay together. So a soft row, which is both classes,
 * pulls neither way in any member. */
START_TEST(entries_of_a_row_stay_together) {
  struct rows rows;
  struct learner learner;
  struct learned learned, member[15];
  size_t row[40];
  int32_t label[40];
  uint32_t times[40];
  struct lesson lesson = {.rows = &rows, .row = row, .label = label, .times = times, .share = 2, .count = 40};
  lessons_make(&rows, 20, 1, 2, 1, 5);
  for (uint32_t e = 0; e < 40; e++) {
    row[e] = e / 2;
    label[e] = (int32_t)(e % 2);
    times[e] = 1;
  }
  lessons_learner(&learner, "committee:15,logistic:tolerance=1e-6", &rows, 2);
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  ck_assert_int_eq(committee_open(&learned, 15, member), 0);
  for (int m = 0; m < 15; m++) {
    for (int j = 0; j < 2; j++)
      ck_assert_float_eq_tol(((float *)member[m].bytes)[j], 0, 1e-3);
    learned_free(&member[m]);
  }
  learned_free(&learned);
  rows_free(&rows);
}
END_TEST

START_TEST(learns) {
  static const char *const texts[] = {"committee:9,logistic", "committee:9,svm", "committee:5,trees:rounds=5"};
  for (size_t i = 0; i < 3; i++)
    for (uint32_t classes = 2; classes < 6; classes += 3) {
      struct learner learner;
      struct rows rows, test;
      struct learned learned;
      size_t right, tested;
      lessons_make(&rows, 300, 12, classes, 1, 1);
      lessons_make(&test, 500, 12, classes, 1, 2);
      learned = taught(texts[i], &rows, 300, classes, &learner);
      ck_assert_int_eq(student_score(&learner, &learned, &test, &right, &tested), 0);
      ck_assert_msg(right > 450, "%s, %u classes: %zu", texts[i], classes, right);
      learned_free(&learned);
      rows_free(&rows);
      rows_free(&test);
    }
}
END_TEST

/* Bytes that are not a committee of this size are refused. */
START_TEST(foreign_bytes) {
  struct learner learner;
  struct rows rows;
  struct learned member[4], learned, part;
  lessons_make(&rows, 30, 3, 2, 1, 7);
  learned = taught("committee:3,logistic", &rows, 30, 2, &learner);
  ck_assert_int_eq(learner_fits(&learner, &learned), 1);
  for (size_t size = 1; size < learned.size; size++) {
    part = (struct learned){learned.bytes, size};
    ck_assert_int_eq(learner_fits(&learner, &part), 0);
  }
  ck_assert_int_eq(committee_open(&learned, 2, member), EXIT_INPUT);
  learned_free(&member[0]);
  learned_free(&member[1]);
  learned.bytes[7] = 0xff; /* a size beyond all memory */
  ck_assert_int_eq(learner_fits(&learner, &learned), 0);
  learned.bytes[7] = 0;
  learner.columns = 4;
  ck_assert_int_eq(learner_fits(&learner, &learned), 0);
  learned_free(&learned);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("committee", majority, samples, entries_of_a_row_stay_together, learns, foreign_bytes)

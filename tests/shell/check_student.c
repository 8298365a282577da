/* The student: what a silence becomes. */
#include "base/error.h"
#include "core/fumata.h"
#include "learn/student.h"
#include "support/lessons.h"
#include "support/scratch.h"

START_TEST(names) {
  enum silent_as as;
  ck_assert_int_eq(student_parse(&as, "random"), 0);
  ck_assert_int_eq(as, SILENT_RANDOM);
  ck_assert_str_eq(student_name(SILENT_SOFT), "soft");
  scratch_expect(EXIT_INPUT, student_parse(&as, "loud"), "'loud' is not soft, drop or random");
  ck_assert_int_eq(student_default(2), SILENT_SOFT);
  ck_assert_int_eq(student_default(3), SILENT_DROP);
}
END_TEST

static void student(const char *text, const struct rows *rows, const int32_t *answers, size_t asked, uint32_t classes,
                    enum silent_as as, uint64_t seed, struct learned *learned) {
  struct learner learner;
  struct coins coins;
  coins_seed(&coins, seed);
  lessons_learner(&learner, text, rows, classes);
  ck_assert_int_eq(student_train(&learner, rows, NULL, answers, asked, as, &coins, learned), 0);
  learner_free(&learner);
}

/* drop: as if the silent rows were not there. soft: on a silent row the two labels pull alike, so the decision there
 * moves towards the middle. random: other coins, another student. */
START_TEST(silences) {
  struct rows rows, fewer;
  struct learned dropped, without, soft, lucky, luckier, again;
  int32_t answers[60], short_answers[60];
  size_t kept = 0;
  uint64_t state = 51;
  float plain, middle;
  rows_init(&rows, 1, 1);
  rows_init(&fewer, 1, 1);
  for (int i = 0; i < 60; i++) {
    int silent = i % 3 == 0;
    float x = silent ? 4 : i % 2 ? 1 + lessons_unit(&state) : -1 - lessons_unit(&state);
    ck_assert_int_eq(rows_reserve(&rows, 1, 0), 0);
    *rows_push_dense(&rows, ROWS_UNLABELLED, 0, 0) = x;
    answers[i] = silent ? FUMATA_SILENT : i % 2;
    if (!silent) {
      ck_assert_int_eq(rows_reserve(&fewer, 1, 0), 0);
      *rows_push_dense(&fewer, ROWS_UNLABELLED, 0, 0) = x;
      short_answers[kept++] = i % 2;
    }
  }
  student("logistic", &rows, answers, 60, 2, SILENT_DROP, 1, &dropped);
  student("logistic", &rows, answers, 60, 2, SILENT_SOFT, 1, &soft);
  student("logistic", &rows, answers, 60, 2, SILENT_RANDOM, 1, &lucky);
  student("logistic", &rows, answers, 60, 2, SILENT_RANDOM, 2, &luckier);
  student("logistic", &rows, answers, 60, 2, SILENT_RANDOM, 1, &again);
  {
    struct learner learner;
    lessons_learner(&learner, "logistic", &rows, 2); /* the same scale */
    ck_assert_int_eq(student_train(&learner, &fewer, NULL, short_answers, kept, SILENT_DROP, NULL, &without), 0);
  }
  ck_assert_mem_eq(dropped.bytes, without.bytes, without.size);
  ck_assert_mem_eq(lucky.bytes, again.bytes, again.size);
  ck_assert(memcmp(lucky.bytes, luckier.bytes, lucky.size) != 0);
  plain = 4 * ((float *)dropped.bytes)[0] + ((float *)dropped.bytes)[1];
  middle = 4 * ((float *)soft.bytes)[0] + ((float *)soft.bytes)[1];
  ck_assert_float_gt(plain, 2);
  ck_assert_float_lt(middle, plain / 2);
  learned_free(&dropped);
  learned_free(&without);
  learned_free(&soft);
  learned_free(&lucky);
  learned_free(&luckier);
  learned_free(&again);
  rows_free(&rows);
  rows_free(&fewer);
}
END_TEST

/* soft, to the letter: an answered row counts fully, a silent one once per class with weight 1 / classes. */
START_TEST(soft_weights) {
  struct rows rows;
  struct learner learner;
  struct learned student_learned, direct;
  int32_t answers[] = {0, FUMATA_SILENT, 2, 1, FUMATA_SILENT, 0};
  size_t row[] = {0, 1, 1, 1, 2, 3, 4, 4, 4, 5};
  int32_t label[] = {0, 0, 1, 2, 2, 1, 0, 1, 2, 0};
  uint32_t times[] = {3, 1, 1, 1, 3, 3, 1, 1, 1, 3};
  struct lesson lesson = {.rows = &rows, .row = row, .label = label, .times = times, .share = 3, .count = 10};
  lessons_make(&rows, 6, 4, 3, 1, 81);
  lessons_learner(&learner, "logistic", &rows, 3);
  ck_assert_int_eq(learner_train(&learner, &lesson, &direct), 0);
  student("logistic", &rows, answers, 6, 3, SILENT_SOFT, 1, &student_learned);
  ck_assert_uint_eq(direct.size, student_learned.size);
  ck_assert_mem_eq(direct.bytes, student_learned.bytes, direct.size);
  learned_free(&direct);
  learned_free(&student_learned);
  rows_free(&rows);
}
END_TEST

/* Answers to some rows, in any order: the student of the same answers in the same order. */
START_TEST(some_rows) {
  struct rows rows, picked;
  struct learner learner;
  struct learned some, same;
  size_t row[] = {7, 2, 9, 4, 0};
  int32_t answers[] = {1, 0, FUMATA_SILENT, 1, 0};
  lessons_make(&rows, 10, 4, 2, 1, 83);
  rows_init(&picked, 4, 1);
  ck_assert_int_eq(rows_reserve(&picked, 5, 0), 0);
  for (int i = 0; i < 5; i++)
    rows_expand(&rows, row[i], rows_push_dense(&picked, ROWS_UNLABELLED, 0, 0));
  lessons_learner(&learner, "logistic", &rows, 2);
  ck_assert_int_eq(student_train(&learner, &rows, row, answers, 5, SILENT_SOFT, NULL, &some), 0);
  ck_assert_int_eq(student_train(&learner, &picked, NULL, answers, 5, SILENT_SOFT, NULL, &same), 0);
  ck_assert_mem_eq(some.bytes, same.bytes, same.size);
  learned_free(&some);
  learned_free(&same);
  rows_free(&rows);
  rows_free(&picked);
}
END_TEST

/* Nothing asked, or nothing but silences that are dropped: a student that answers label 0. */
START_TEST(nothing_learned) {
  struct rows rows;
  struct learned learned;
  int32_t answers[5] = {FUMATA_SILENT, FUMATA_SILENT, FUMATA_SILENT, FUMATA_SILENT, FUMATA_SILENT};
  lessons_make(&rows, 5, 3, 2, 1, 1);
  student("logistic", &rows, answers, 5, 2, SILENT_DROP, 1, &learned);
  ck_assert_uint_eq(learned.size, 0);
  student("logistic", &rows, answers, 0, 2, SILENT_SOFT, 1, &learned);
  ck_assert_uint_eq(learned.size, 0);
  student("trees:rounds=2", &rows, answers, 5, 2, SILENT_SOFT, 1, &learned);
  ck_assert_uint_gt(learned.size, 0);
  learned_free(&learned);
  rows_free(&rows);
}
END_TEST

START_TEST(failing_command) {
  struct rows rows;
  struct learner learner;
  struct learned learned;
  int32_t answers[5] = {0, 1, 0, 1, 0};
  lessons_make(&rows, 5, 3, 2, 1, 1);
  lessons_learner(&learner, "exec:false", &rows, 2);
  scratch_expect(EXIT_SYSTEM, student_train(&learner, &rows, NULL, answers, 5, SILENT_DROP, NULL, &learned),
                 "the student could not be trained");
  learner_free(&learner);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("student", names, silences, soft_weights, some_rows, nothing_learned, failing_command)

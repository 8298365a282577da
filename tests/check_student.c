/* The student: what a silence becomes. */
#include "fumata.h"
#include "lessons.h"
#include "say.h"
#include "scratch.h"
#include "student.h"

START_TEST(names) {
  fumata_silent_as as;
  ck_assert_int_eq(fumata_student_parse(&as, "random"), 0);
  ck_assert_int_eq(as, FUMATA_SILENT_RANDOM);
  ck_assert_str_eq(fumata_student_name(FUMATA_SILENT_SOFT), "soft");
  scratch_expect(FUMATA_EXIT_INPUT, fumata_student_parse(&as, "loud"), "'loud' is not soft, drop or random");
  ck_assert_int_eq(fumata_student_default(2), FUMATA_SILENT_SOFT);
  ck_assert_int_eq(fumata_student_default(3), FUMATA_SILENT_DROP);
}
END_TEST

static void student(const char *text, const fumata_rows *rows, const int32_t *answers, size_t asked, uint32_t classes,
                    fumata_silent_as as, uint64_t seed, fumata_learned *learned) {
  fumata_learner learner;
  fumata_coins coins;
  fumata_coins_seed(&coins, seed);
  lessons_learner(&learner, text, rows, classes);
  ck_assert_int_eq(fumata_student_train(&learner, rows, answers, asked, as, &coins, learned), 0);
  fumata_learner_free(&learner);
}

/* drop: as if the silent rows were not there. soft: on a silent row the two labels pull alike, so the decision there
 * moves towards the middle. random: other coins, another student. */
START_TEST(silences) {
  fumata_rows rows, fewer;
  fumata_learned dropped, without, soft, lucky, luckier, again;
  int32_t answers[60], short_answers[60];
  size_t kept = 0;
  uint64_t state = 51;
  float plain, middle;
  fumata_rows_init(&rows, 1, 1);
  fumata_rows_init(&fewer, 1, 1);
  for (int i = 0; i < 60; i++) {
    int silent = i % 3 == 0;
    float x = silent ? 4 : i % 2 ? 1 + lessons_unit(&state) : -1 - lessons_unit(&state);
    ck_assert_int_eq(fumata_rows_reserve(&rows, 1, 0), 0);
    *fumata_rows_push_dense(&rows, FUMATA_ROWS_UNLABELLED, 0, 0) = x;
    answers[i] = silent ? FUMATA_SILENT : i % 2;
    if (!silent) {
      ck_assert_int_eq(fumata_rows_reserve(&fewer, 1, 0), 0);
      *fumata_rows_push_dense(&fewer, FUMATA_ROWS_UNLABELLED, 0, 0) = x;
      short_answers[kept++] = i % 2;
    }
  }
  student("logistic", &rows, answers, 60, 2, FUMATA_SILENT_DROP, 1, &dropped);
  student("logistic", &rows, answers, 60, 2, FUMATA_SILENT_SOFT, 1, &soft);
  student("logistic", &rows, answers, 60, 2, FUMATA_SILENT_RANDOM, 1, &lucky);
  student("logistic", &rows, answers, 60, 2, FUMATA_SILENT_RANDOM, 2, &luckier);
  student("logistic", &rows, answers, 60, 2, FUMATA_SILENT_RANDOM, 1, &again);
  {
    fumata_learner learner;
    lessons_learner(&learner, "logistic", &rows, 2); /* the same scale */
    ck_assert_int_eq(fumata_student_train(&learner, &fewer, short_answers, kept, FUMATA_SILENT_DROP, NULL, &without),
                     0);
  }
  ck_assert_mem_eq(dropped.bytes, without.bytes, without.size);
  ck_assert_mem_eq(lucky.bytes, again.bytes, again.size);
  ck_assert(memcmp(lucky.bytes, luckier.bytes, lucky.size) != 0);
  plain = 4 * ((float *)dropped.bytes)[0] + ((float *)dropped.bytes)[1];
  middle = 4 * ((float *)soft.bytes)[0] + ((float *)soft.bytes)[1];
  ck_assert_float_gt(plain, 2);
  ck_assert_float_lt(middle, plain / 2);
  fumata_learned_free(&dropped);
  fumata_learned_free(&without);
  fumata_learned_free(&soft);
  fumata_learned_free(&lucky);
  fumata_learned_free(&luckier);
  fumata_learned_free(&again);
  fumata_rows_free(&rows);
  fumata_rows_free(&fewer);
}
END_TEST

/* soft, to the letter: an answered row counts fully, a silent one once per class with weight 1 / classes. */
START_TEST(soft_weights) {
  fumata_rows rows;
  fumata_learner learner;
  fumata_learned student_learned, direct;
  int32_t answers[] = {0, FUMATA_SILENT, 2, 1, FUMATA_SILENT, 0};
  size_t row[] = {0, 1, 1, 1, 2, 3, 4, 4, 4, 5};
  int32_t label[] = {0, 0, 1, 2, 2, 1, 0, 1, 2, 0};
  uint32_t times[] = {3, 1, 1, 1, 3, 3, 1, 1, 1, 3};
  fumata_lesson lesson = {.rows = &rows, .row = row, .label = label, .times = times, .share = 3, .count = 10};
  lessons_make(&rows, 6, 4, 3, 1, 81);
  lessons_learner(&learner, "logistic", &rows, 3);
  ck_assert_int_eq(fumata_learner_train(&learner, &lesson, &direct), 0);
  student("logistic", &rows, answers, 6, 3, FUMATA_SILENT_SOFT, 1, &student_learned);
  ck_assert_uint_eq(direct.size, student_learned.size);
  ck_assert_mem_eq(direct.bytes, student_learned.bytes, direct.size);
  fumata_learned_free(&direct);
  fumata_learned_free(&student_learned);
  fumata_rows_free(&rows);
}
END_TEST

/* Nothing asked, or nothing but silences that are dropped: a student that answers label 0. */
START_TEST(nothing_learned) {
  fumata_rows rows;
  fumata_learned learned;
  int32_t answers[5] = {FUMATA_SILENT, FUMATA_SILENT, FUMATA_SILENT, FUMATA_SILENT, FUMATA_SILENT};
  lessons_make(&rows, 5, 3, 2, 1, 1);
  student("logistic", &rows, answers, 5, 2, FUMATA_SILENT_DROP, 1, &learned);
  ck_assert_uint_eq(learned.size, 0);
  student("logistic", &rows, answers, 0, 2, FUMATA_SILENT_SOFT, 1, &learned);
  ck_assert_uint_eq(learned.size, 0);
  student("trees:rounds=2", &rows, answers, 5, 2, FUMATA_SILENT_SOFT, 1, &learned);
  ck_assert_uint_gt(learned.size, 0);
  fumata_learned_free(&learned);
  fumata_rows_free(&rows);
}
END_TEST

START_TEST(failing_command) {
  fumata_rows rows;
  fumata_learner learner;
  fumata_learned learned;
  int32_t answers[5] = {0, 1, 0, 1, 0};
  lessons_make(&rows, 5, 3, 2, 1, 1);
  lessons_learner(&learner, "exec:false", &rows, 2);
  scratch_expect(FUMATA_EXIT_SYSTEM,
                 fumata_student_train(&learner, &rows, answers, 5, FUMATA_SILENT_DROP, NULL, &learned),
                 "the student could not be trained");
  fumata_learner_free(&learner);
  fumata_rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("student", names, silences, soft_weights, nothing_learned, failing_command)

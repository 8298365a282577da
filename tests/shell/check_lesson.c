#include "learn/lesson.h"

#include <math.h>

#include "learn/learned.h"
#include "support/scratch.h"

START_TEST(test_entries) {
  int32_t own[] = {4, 5, 6}, other[] = {1, 2};
  uint32_t times[] = {3, 9};
  size_t row[] = {2, 0};
  struct rows rows = {.count = 3, .label = own};
  struct lesson lesson = {.rows = &rows, .row = row, .count = 2};
  ck_assert_int_eq(lesson_label(&lesson, 0), 6);
  ck_assert_int_eq(lesson_label(&lesson, 1), 4);
  ck_assert_uint_eq(lesson_size(&lesson), 2);
  lesson.label = other;
  lesson.times = times;
  ck_assert_int_eq(lesson_label(&lesson, 1), 2);
  ck_assert_uint_eq(lesson_times(&lesson, 1), 9);
  ck_assert_uint_eq(lesson_size(&lesson), 12);
}
END_TEST

/* Shares 1/4, 3/4 and 0: weights to the power, with mean 1; a class that does not occur plays no part. */
START_TEST(test_balance) {
  size_t row[] = {0, 1};
  int32_t label[] = {2, 0};
  uint32_t times[] = {1, 3};
  struct rows rows = {0};
  struct lesson lesson = {.rows = &rows, .row = row, .label = label, .times = times, .share = 4, .count = 2};
  double *weight;
  ck_assert_int_eq(lesson_balance(&lesson, 3, 0, &weight), 0);
  ck_assert_double_eq(weight[0], 1);
  ck_assert_double_eq(weight[2], 1);
  free(weight);
  ck_assert_int_eq(lesson_balance(&lesson, 3, 1, &weight), 0);
  ck_assert_double_eq_tol(weight[0], 2 / 3.0, 1e-12);
  ck_assert_double_eq_tol(weight[2], 2, 1e-12);
  free(weight);
  ck_assert_int_eq(lesson_balance(&lesson, 3, 0.5, &weight), 0);
  ck_assert_double_eq_tol(weight[2] / weight[0], sqrt(3), 1e-12);
  ck_assert_double_eq_tol(weight[0] * 3 / 4 + weight[2] / 4, 1, 1e-12);
  free(weight);
}
END_TEST

START_TEST(test_learned) {
  struct learned learned;
  ck_assert_int_eq(learned_set(&learned, "a\0b", 3), 0);
  ck_assert_uint_eq(learned.size, 3);
  ck_assert_mem_eq(learned.bytes, "a\0b", 3);
  learned_free(&learned);
  ck_assert_int_eq(learned_set(&learned, NULL, 0), 0);
  ck_assert_uint_eq(learned.size, 0);
  ck_assert_ptr_null(learned.bytes);
}
END_TEST

SCRATCH_MAIN("lesson", test_entries, test_balance, test_learned)

#include "learn/lesson.h"

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

SCRATCH_MAIN("lesson", test_entries, test_learned)

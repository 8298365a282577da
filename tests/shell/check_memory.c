#include "base/memory.h"

#include "support/scratch.h"

START_TEST(test_take) {
  unsigned char *array;
  ck_assert_int_eq(memory_take(&array, 1000, 3), EXIT_OK);
  for (size_t i = 0; i < 3000; i++)
    ck_assert_int_eq(array[i], 0);
  free(array);
  ck_assert_int_eq(memory_take(&array, 0, 8), EXIT_OK);
  ck_assert_ptr_nonnull(array);
  free(array);
}
END_TEST

START_TEST(test_align) {
  for (size_t count = 0; count < 100; count++) {
    float *array;
    ck_assert_int_eq(memory_align(&array, count, sizeof *array), EXIT_OK);
    ck_assert_ptr_nonnull(array);
    ck_assert_uint_eq((uintptr_t)array % MEMORY_LINE, 0);
    free(array);
  }
}
END_TEST

START_TEST(test_grow_keeps_what_is_there) {
  size_t capacity = 0;
  int *array = NULL;
  for (int i = 0; i < 1000; i++) {
    ck_assert_int_eq(memory_grow(&array, &capacity, (size_t)i + 1, sizeof *array), EXIT_OK);
    array[i] = i;
  }
  for (int i = 0; i < 1000; i++)
    ck_assert_int_eq(array[i], i);
  free(array);
}
END_TEST

/* So do large ones, which are moved by the system. */
START_TEST(test_grow_large) {
  size_t capacity = 0, filled = 0;
  uint64_t *array = NULL;
  for (size_t needed = 1000; needed < (size_t)6 << 20; needed *= 2) {
    ck_assert_int_eq(memory_grow(&array, &capacity, needed, sizeof *array), EXIT_OK);
    for (; filled < capacity; filled++)
      array[filled] = filled;
  }
  for (size_t i = 0; i < filled; i++)
    if (array[i] != i) ck_abort_msg("%zu is lost", i);
  free(array);
}
END_TEST

/* Too much is said in one line, and the pointer is NULL or as it was. */
START_TEST(test_short) {
  volatile size_t most = SIZE_MAX; /* the compiler must not know */
  size_t capacity = 0;
  char *array = (char *)&capacity;
  scratch_expect(EXIT_SYSTEM, memory_align(&array, most, 8), "fumata: out of memory");
  ck_assert_ptr_null(array);
  scratch_expect(EXIT_SYSTEM, memory_grow(&array, &capacity, most, 8), "fumata: out of memory");
  ck_assert_ptr_null(array);
  ck_assert_uint_eq(capacity, 0);
}
END_TEST

START_TEST(test_texts) {
  char *text = memory_copy("abc", 2);
  ck_assert_str_eq(text, "ab");
  free(text);
  ck_assert_int_eq(memory_print(&text, "%s-%d", "abc", 7), EXIT_OK);
  ck_assert_str_eq(text, "abc-7");
  free(text);
}
END_TEST

SCRATCH_MAIN("memory", test_take, test_align, test_grow_keeps_what_is_there, test_grow_large, test_short, test_texts)

#include "base/nameset.h"

#include "base/error.h"
#include "support/scratch.h"

/* Names that are each other's beginnings, more than the table's first size, some with bytes of every kind. */
START_TEST(test_many_names) {
  enum { N = 3000 };
  static char text[N + 1];
  struct nameset set;
  uint32_t number;
  size_t i;
  nameset_init(&set);
  ck_assert_uint_eq(nameset_find(&set, "", 0), NAMESET_NONE);
  for (i = 0; i < N; i++)
    text[i] = (char)(i % 251);
  for (i = 0; i < N; i++) { /* the longest first */
    ck_assert_uint_eq(nameset_find(&set, text, N - i), NAMESET_NONE);
    ck_assert_int_eq(nameset_add(&set, text, N - i, &number), EXIT_OK);
    ck_assert_uint_eq(number, i);
  }
  for (i = 0; i < N; i++) {
    ck_assert_uint_eq(nameset_find(&set, text, N - i), i);
    ck_assert_int_eq(nameset_add(&set, text, N - i, &number), EXIT_OK);
    ck_assert_uint_eq(number, i);
    ck_assert_uint_eq(nameset_length(&set, number), N - i);
    ck_assert_mem_eq(nameset_text(&set, number), text, N - i);
    ck_assert_int_eq(nameset_text(&set, number)[N - i], 0);
  }
  ck_assert_uint_eq(set.count, N);
  nameset_free(&set);
}
END_TEST

SCRATCH_MAIN("nameset", test_many_names)

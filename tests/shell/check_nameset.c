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

/* Every first byte, and texts that differ from one another in one byte at each place: none is taken for another. */
START_TEST(test_near_names) {
  struct nameset set;
  uint32_t number;
  nameset_init(&set);
  for (unsigned first = 0; first < 256; first += 2)
    for (size_t length = 1; length < 40; length++) {
      char text[40];
      memset(text, 'a', length);
      text[0] = (char)first;
      ck_assert_int_eq(nameset_add(&set, text, length, &number), EXIT_OK);
    }
  for (unsigned first = 0; first < 256; first++)
    for (size_t length = 1; length < 40; length++) {
      char text[40];
      memset(text, 'a', length);
      text[0] = (char)first;
      ck_assert_int_eq(nameset_find(&set, text, length) != NAMESET_NONE, first % 2 == 0);
      for (size_t at = 1; at < length; at++) {
        text[at] ^= 1;
        ck_assert_uint_eq(nameset_find(&set, text, length), NAMESET_NONE);
        text[at] ^= 1;
      }
    }
  ck_assert_uint_eq(nameset_find(&set, "", 0), NAMESET_NONE);
  nameset_free(&set);
}
END_TEST

SCRATCH_MAIN("nameset", test_many_names, test_near_names)

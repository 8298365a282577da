#include "base/nameset.h"

#include "base/error.h"
#include "support/scratch.h"

/* Words that are each other's beginnings, more than the table's first size, some with bytes of every kind. */
START_TEST(test_many_words) {
  enum { N = 3000 };
  static char text[N + 1];
  struct nameset words;
  uint32_t number;
  size_t i;
  nameset_init(&words);
  ck_assert_uint_eq(nameset_find(&words, "", 0), NAMESET_NONE);
  for (i = 0; i < N; i++)
    text[i] = (char)(i % 251);
  for (i = 0; i < N; i++) { /* the longest first */
    ck_assert_uint_eq(nameset_find(&words, text, N - i), NAMESET_NONE);
    ck_assert_int_eq(nameset_add(&words, text, N - i, &number), EXIT_OK);
    ck_assert_uint_eq(number, i);
  }
  for (i = 0; i < N; i++) {
    ck_assert_uint_eq(nameset_find(&words, text, N - i), i);
    ck_assert_int_eq(nameset_add(&words, text, N - i, &number), EXIT_OK);
    ck_assert_uint_eq(number, i);
    ck_assert_uint_eq(nameset_length(&words, number), N - i);
    ck_assert_mem_eq(nameset_text(&words, number), text, N - i);
    ck_assert_int_eq(nameset_text(&words, number)[N - i], 0);
  }
  ck_assert_uint_eq(words.count, N);
  nameset_free(&words);
}
END_TEST

SCRATCH_MAIN("nameset", test_many_words)

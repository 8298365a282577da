#include "words.h"

#include "say.h"
#include "scratch.h"

/* Words that are each other's beginnings, more than the table's first size, some with bytes of every kind. */
START_TEST(test_many_words) {
  enum { N = 3000 };
  static char text[N + 1];
  fumata_words words;
  uint32_t number;
  size_t i;
  fumata_words_init(&words);
  ck_assert_uint_eq(fumata_words_find(&words, "", 0), FUMATA_WORDS_NONE);
  for (i = 0; i < N; i++)
    text[i] = (char)(i % 251);
  for (i = 0; i < N; i++) { /* the longest first */
    ck_assert_uint_eq(fumata_words_find(&words, text, N - i), FUMATA_WORDS_NONE);
    ck_assert_int_eq(fumata_words_add(&words, text, N - i, &number), FUMATA_EXIT_OK);
    ck_assert_uint_eq(number, i);
  }
  for (i = 0; i < N; i++) {
    ck_assert_uint_eq(fumata_words_find(&words, text, N - i), i);
    ck_assert_int_eq(fumata_words_add(&words, text, N - i, &number), FUMATA_EXIT_OK);
    ck_assert_uint_eq(number, i);
    ck_assert_uint_eq(fumata_words_length(&words, number), N - i);
    ck_assert_mem_eq(fumata_words_text(&words, number), text, N - i);
    ck_assert_int_eq(fumata_words_text(&words, number)[N - i], 0);
  }
  ck_assert_uint_eq(words.count, N);
  fumata_words_free(&words);
}
END_TEST

SCRATCH_MAIN("words", test_many_words)

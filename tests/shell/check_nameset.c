#include "base/nameset.h"

#include "base/error.h"
#include "support/scratch.h"

/* What nameset_find says; amid a buffer the same, whatever stands around the text. The buffer ends where reading must, so that
 * the sanitizers see a byte too many. */
static uint32_t find(const struct nameset *set, const char *text, size_t length) {
  uint32_t number = nameset_find(set, text, length);
  char *buffer = malloc(AMID_MARGIN + length + AMID_MARGIN);
  ck_assert_ptr_nonnull(buffer);
  for (int around = 0; around < 3; around++) {
    memset(buffer, "\0a,"[around], AMID_MARGIN + length + AMID_MARGIN);
    memcpy(buffer + AMID_MARGIN, text, length);
    ck_assert_uint_eq(nameset_amid(set, buffer + AMID_MARGIN, length), number);
  }
  free(buffer);
  return number;
}

/* Names that are each other's beginnings, more than the table's first size, some with bytes of every kind. */
START_TEST(test_many_names) {
  enum { N = 3000 };
  static char text[N + 1];
  struct nameset set;
  uint32_t number;
  size_t i;
  nameset_init(&set);
  ck_assert_uint_eq(find(&set, "", 0), NAMESET_NONE);
  for (i = 0; i < N; i++)
    text[i] = (char)(i % 251);
  for (i = 0; i < N; i++) { /* the longest first */
    ck_assert_uint_eq(find(&set, text, N - i), NAMESET_NONE);
    ck_assert_int_eq(nameset_add(&set, text, N - i, &number), EXIT_OK);
    ck_assert_uint_eq(number, i);
  }
  for (i = 0; i < N; i++) {
    ck_assert_uint_eq(find(&set, text, N - i), i);
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
      ck_assert_int_eq(find(&set, text, length) != NAMESET_NONE, first % 2 == 0);
      for (size_t at = 1; at < length; at++) {
        text[at] ^= 1;
        ck_assert_uint_eq(find(&set, text, length), NAMESET_NONE);
        text[at] ^= 1;
      }
    }
  ck_assert_uint_eq(find(&set, "", 0), NAMESET_NONE);
  nameset_free(&set);
}
END_TEST

/* Names that only their last bytes tell apart, so many that others often begin their search at one of them. */
START_TEST(test_far_ends) {
  struct nameset set;
  uint32_t number;
  char text[32];
  nameset_init(&set);
  for (int i = 0; i < 5000; i++) {
    size_t length = (size_t)snprintf(text, sizeof text, "sixteen bytes...%d", i);
    if (i < 250) ck_assert_int_eq(nameset_add(&set, text, length, &number), EXIT_OK);
    ck_assert_uint_eq(find(&set, text, length), i < 250 ? (uint32_t)i : NAMESET_NONE);
  }
  nameset_free(&set);
}
END_TEST

SCRATCH_MAIN("nameset", test_many_names, test_near_names, test_far_ends)

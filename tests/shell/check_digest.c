#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "support/suite.h"

static void expect(const void *bytes, size_t size, const char *wanted) {
  struct digest digest;
  uint8_t value[DIGEST_SIZE];
  char text[DIGEST_TEXT];
  digest_init(&digest);
  digest_add(&digest, bytes, size);
  digest_read(&digest, value);
  digest_print(value, text);
  ck_assert_str_eq(text, wanted);
}

/* The examples that go with FIPS 180-4: no block, part of one, padding that needs a second one. */
START_TEST(test_published_vectors) {
  expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  expect(
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrst"
      "u",
      112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}
END_TEST

START_TEST(test_million_letters) {
  char *letters = malloc(1000000);
  memset(letters, 'a', 1000000);
  expect(letters, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(letters);
}
END_TEST

/* However the bytes are cut up, and however often it is read on the way, the digest is the same. */
START_TEST(test_pieces) {
  uint8_t bytes[300], whole[DIGEST_SIZE], parts[DIGEST_SIZE];
  size_t size, step, i;
  for (i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)(i * 7 + 1);
  for (size = 0; size <= sizeof bytes; size++) {
    struct digest one;
    digest_init(&one);
    digest_add(&one, bytes, size);
    digest_read(&one, whole);
    for (step = 1; step <= 70; step += 23) {
      struct digest many;
      digest_init(&many);
      for (i = 0; i < size; i += step) {
        digest_add(&many, bytes + i, size - i < step ? size - i : step);
        digest_read(&many, parts);
      }
      digest_read(&many, parts);
      ck_assert_mem_eq(whole, parts, sizeof whole);
    }
  }
}
END_TEST

START_TEST(test_integers_are_little_endian) {
  static const uint8_t bytes[8] = {8, 7, 6, 5, 4, 3, 2, 1};
  uint8_t number[DIGEST_SIZE], text[DIGEST_SIZE];
  struct digest one, two;
  digest_init(&one);
  digest_init(&two);
  digest_add_u64(&one, UINT64_C(0x0102030405060708));
  digest_add(&two, bytes, sizeof bytes);
  digest_read(&one, number);
  digest_read(&two, text);
  ck_assert_mem_eq(number, text, DIGEST_SIZE);
}
END_TEST

START_TEST(test_text_and_back) {
  static const char text[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  uint8_t value[DIGEST_SIZE];
  char again[DIGEST_TEXT];
  ck_assert_int_eq(digest_parse(text, value), 0);
  digest_print(value, again);
  ck_assert_str_eq(again, text);
  ck_assert_int_eq(digest_parse(text + 1, value), -1);
  ck_assert_int_eq(digest_parse("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", value), -1);
}
END_TEST

SUITE_MAIN("digest", test_published_vectors, test_million_letters, test_pieces, test_integers_are_little_endian,
           test_text_and_back)

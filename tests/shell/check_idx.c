#include "base/error.h"
#include "data/source.h"
#include "support/scratch.h"

static struct source source;

static int try_open(const void *bytes, size_t length) {
  int code;
  scratch_write("a.idx", bytes, length);
  code = source_open(&source, "a.idx", &format_idx, NULL);
  if (!code) source_close(&source);
  return code;
}

/* What the header says: how many, of how many bytes, of what shape. */
static void expect_shape(const void *bytes, size_t length, uint64_t items, size_t size, uint32_t rows,
                         uint32_t columns) {
  scratch_write("a.idx", bytes, length);
  ck_assert_int_eq(source_open(&source, "a.idx", NULL, NULL), EXIT_OK);
  ck_assert_ptr_eq(source.format, &format_idx);
  ck_assert_uint_eq(source.items, items);
  ck_assert_uint_eq(source.size, size);
  ck_assert_uint_eq(source.numbers, size);
  ck_assert_uint_eq(source.rows, rows);
  ck_assert_uint_eq(source.columns, columns);
  source_close(&source);
}

#define TRY(bytes)               try_open(bytes, sizeof(bytes) - 1)
#define EXPECT_SHAPE(bytes, ...) expect_shape(bytes, sizeof(bytes) - 1, __VA_ARGS__)

START_TEST(test_headers) {
  EXPECT_SHAPE("\0\0\x08\x01\0\0\0\x02"
               "ab",
               2, 1, 0, 0);
  EXPECT_SHAPE("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03"
               "abcdef",
               1, 6, 2, 3);
  EXPECT_SHAPE("\0\0\x08\x04\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0\x03"
               "abcdef",
               1, 6, 0, 0); /* colours are not rows */
}
END_TEST

START_TEST(test_refuses) {
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08"), "not an idx file");
  scratch_expect(EXIT_INPUT, TRY("\0\x01\x08\x03"), "not an idx file");
  scratch_expect(EXIT_INPUT,
                 TRY("\0\0\x0d\x01\0\0\0\x01"
                     "abcd"),
                 "not of unsigned bytes");
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x03\0\0\0\x01\0\0"), "header is cut off");
  scratch_expect(EXIT_INPUT,
                 TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03"
                     "abcde"),
                 "21 bytes, but the idx header asks for 22");
  scratch_expect(EXIT_INPUT,
                 TRY("\0\0\x08\x01\0\0\0\x02"
                     "abc"),
                 "11 bytes, but the idx header asks for 10");
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "impossible size");
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\0\0\0\0\x03"), "impossible size");
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x02\xff\xff\xff\xff\0\0\x10\0"), "but the idx header asks for");
}
END_TEST

/* Where the length is not known beforehand, the end shows it. */
START_TEST(test_end) {
  static const char more[] = "\0\0\x08\x01\0\0\0\x01"
                             "ab",
                    less[] = "\0\0\x08\x01\0\0\0\x03"
                             "ab";
  int there;
  scratch_gzip("a", more, sizeof more - 1);
  ck_assert_int_eq(source_open(&source, "a", NULL, NULL), EXIT_OK);
  ck_assert_int_eq(source_next(&source, &there), EXIT_OK);
  ck_assert_int_eq(there, 1);
  ck_assert_int_eq(source.item[0], 'a');
  scratch_expect(EXIT_INPUT, source_next(&source, &there), "bytes after the last item");
  source_close(&source);
  scratch_gzip("a", less, sizeof less - 1);
  ck_assert_int_eq(source_open(&source, "a", NULL, NULL), EXIT_OK);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(source_next(&source, &there), EXIT_OK);
  scratch_expect(EXIT_INPUT, source_next(&source, &there), "cut off in item 3 of 3");
  source_close(&source);
}
END_TEST

SCRATCH_MAIN("idx", test_headers, test_refuses, test_end)

#include "data/idx.h"

#include "base/error.h"
#include "support/scratch.h"

static int try_open(const void *bytes, size_t length, struct idx *idx) {
  struct stream stream;
  int code;
  scratch_write("a.idx", bytes, length);
  ck_assert_int_eq(stream_open(&stream, "a.idx"), EXIT_OK);
  code = idx_open(idx, &stream);
  stream_close(&stream);
  return code;
}

#define TRY(bytes) try_open(bytes, sizeof(bytes) - 1, &idx)

START_TEST(test_headers) {
  struct idx idx;
  ck_assert_int_eq(TRY("\0\0\x08\x01\0\0\0\x02"
                       "ab"),
                   EXIT_OK);
  ck_assert_uint_eq(idx.count, 2);
  ck_assert_uint_eq(idx.size, 1);
  ck_assert_uint_eq(idx.rows, 0);
  ck_assert_int_eq(TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03"
                       "abcdef"),
                   EXIT_OK);
  ck_assert_uint_eq(idx.count, 1);
  ck_assert_uint_eq(idx.size, 6);
  ck_assert_uint_eq(idx.rows, 2);
  ck_assert_uint_eq(idx.columns, 3);
  ck_assert_int_eq(TRY("\0\0\x08\x04\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0\x03"
                       "abcdef"),
                   EXIT_OK);
  ck_assert_uint_eq(idx.size, 6);
  ck_assert_uint_eq(idx.rows, 0); /* colours are no rows */
}
END_TEST

START_TEST(test_refuses) {
  struct idx idx;
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
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "absurd size");
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\0\0\0\0\x03"), "absurd size");
  scratch_expect(EXIT_INPUT, TRY("\0\0\x08\x02\xff\xff\xff\xff\0\0\x10\0"), "but the idx header asks for");
}
END_TEST

START_TEST(test_end) {
  struct stream stream;
  scratch_text("a", "x");
  ck_assert_int_eq(stream_open(&stream, "a"), EXIT_OK);
  scratch_expect(EXIT_INPUT, idx_end(&stream), "bytes after the last item");
  ck_assert_int_eq(idx_end(&stream), EXIT_OK);
  stream_close(&stream);
}
END_TEST

SCRATCH_MAIN("idx", test_headers, test_refuses, test_end)

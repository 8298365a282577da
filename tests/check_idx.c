#include "idx.h"

#include "say.h"
#include "scratch.h"

static int try_open(const void *bytes, size_t length, fumata_idx *idx) {
  fumata_stream stream;
  int code;
  scratch_write("a.idx", bytes, length);
  ck_assert_int_eq(fumata_stream_open(&stream, "a.idx"), FUMATA_EXIT_OK);
  code = fumata_idx_open(idx, &stream);
  fumata_stream_close(&stream);
  return code;
}

#define TRY(bytes) try_open(bytes, sizeof(bytes) - 1, &idx)

START_TEST(test_headers) {
  fumata_idx idx;
  ck_assert_int_eq(TRY("\0\0\x08\x01\0\0\0\x02"
                       "ab"),
                   FUMATA_EXIT_OK);
  ck_assert_uint_eq(idx.count, 2);
  ck_assert_uint_eq(idx.size, 1);
  ck_assert_int_eq(TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03"
                       "abcdef"),
                   FUMATA_EXIT_OK);
  ck_assert_uint_eq(idx.count, 1);
  ck_assert_uint_eq(idx.size, 6);
}
END_TEST

START_TEST(test_refuses) {
  fumata_idx idx;
  scratch_expect(FUMATA_EXIT_INPUT, TRY("\0\0\x08"), "not an idx file");
  scratch_expect(FUMATA_EXIT_INPUT, TRY("\0\x01\x08\x03"), "not an idx file");
  scratch_expect(FUMATA_EXIT_INPUT,
                 TRY("\0\0\x0d\x01\0\0\0\x01"
                     "abcd"),
                 "not of unsigned bytes");
  scratch_expect(FUMATA_EXIT_INPUT, TRY("\0\0\x08\x03\0\0\0\x01\0\0"), "header is cut off");
  scratch_expect(FUMATA_EXIT_INPUT,
                 TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03"
                     "abcde"),
                 "21 bytes, but the idx header asks for 22");
  scratch_expect(FUMATA_EXIT_INPUT,
                 TRY("\0\0\x08\x01\0\0\0\x02"
                     "abc"),
                 "11 bytes, but the idx header asks for 10");
  scratch_expect(FUMATA_EXIT_INPUT, TRY("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "absurd size");
  scratch_expect(FUMATA_EXIT_INPUT, TRY("\0\0\x08\x03\0\0\0\x01\0\0\0\0\0\0\0\x03"), "absurd size");
  scratch_expect(FUMATA_EXIT_INPUT, TRY("\0\0\x08\x02\xff\xff\xff\xff\0\0\x10\0"), "but the idx header asks for");
}
END_TEST

START_TEST(test_end) {
  fumata_stream stream;
  scratch_text("a", "x");
  ck_assert_int_eq(fumata_stream_open(&stream, "a"), FUMATA_EXIT_OK);
  scratch_expect(FUMATA_EXIT_INPUT, fumata_idx_end(&stream), "bytes after the last item");
  ck_assert_int_eq(fumata_idx_end(&stream), FUMATA_EXIT_OK);
  fumata_stream_close(&stream);
}
END_TEST

SCRATCH_MAIN("idx", test_headers, test_refuses, test_end)

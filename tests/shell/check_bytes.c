#include "base/bytes.h"

#include "support/scratch.h"

START_TEST(test_both_orders) {
  static const unsigned char bytes[8] = {0x01, 0x80, 0x03, 0x04, 0x05, 0x06, 0x07, 0xf8};
  ck_assert_uint_eq(bytes_little(bytes, 0), 0);
  ck_assert_uint_eq(bytes_little(bytes, 2), 0x8001);
  ck_assert_uint_eq(bytes_little(bytes, 8), UINT64_C(0xf807060504038001));
  ck_assert_uint_eq(bytes_big(bytes, 0), 0);
  ck_assert_uint_eq(bytes_big(bytes, 4), 0x01800304);
  ck_assert_uint_eq(bytes_big(bytes, 8), UINT64_C(0x01800304050607f8));
}
END_TEST

SCRATCH_MAIN("bytes", test_both_orders)

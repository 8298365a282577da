#include "gate/key.h"

#include "support/scratch.h"

/* The vectors of the SipHash paper's reference code: key 00 01 .. 0f, input 00 01 .. */
START_TEST(test_siphash_vectors) {
  static const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
  static const uint64_t wanted[16] = {
      UINT64_C(0x726fdb47dd0e0e31), UINT64_C(0x74f839c593dc67fd), UINT64_C(0x0d6c8009d9a94f5a),
      UINT64_C(0x85676696d7fb7e2d), UINT64_C(0xcf2794e0277187b7), UINT64_C(0x18765564cd99a68d),
      UINT64_C(0xcbc9466e58fee3ce), UINT64_C(0xab0200f58b01d137), UINT64_C(0x93f5f5799a932462),
      UINT64_C(0x9e0082df0ba9e4b0), UINT64_C(0x7a5dbbc594ddb9f3), UINT64_C(0xf4b32f46226bada7),
      UINT64_C(0x751e8fbc860ee5fb), UINT64_C(0x14ea5627c0843d90), UINT64_C(0xf723ca908e7af2ee),
      UINT64_C(0xa129ca6149be45e5)};
  unsigned char input[16];
  size_t i;
  for (i = 0; i < 16; i++) {
    input[i] = (unsigned char)i;
    ck_assert_uint_eq(key_hash(key, input, i), wanted[i]);
  }
}
END_TEST

SCRATCH_MAIN("key", test_siphash_vectors)

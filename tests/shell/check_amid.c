#include "base/amid.h"

#include "support/scratch.h"
#include "support/words.h"

/* Bytes of which many are the wanted one, or the wanted one but for a bit. */
START_TEST(test_marks) {
  seed = 1;
  for (int round = 0; round < 10000; round++) {
    char bytes[64], wanted = (char)below(256);
    uint64_t marks = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
      bytes[i] = below(3) ? (char)(wanted ^ (below(2) ? 1 << below(8) : 0)) : (char)below(256);
      marks |= (uint64_t)(bytes[i] == wanted) << i;
    }
    ck_assert_uint_eq(amid_marks(bytes, wanted), marks);
  }
}
END_TEST

SCRATCH_MAIN("amid", test_marks)

#include "core/partition.h"

#include <string.h>

#include "support/suite.h"
#include "support/words.h"

START_TEST(test_teacher_scales_the_word) {
  ck_assert_uint_eq(fumata_partition_teacher(0, 250), 0);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_MAX, 250), 249);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_MAX, 1), 0);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_MAX, 0), 0);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_C(1) << 63, 2), 1);
  ck_assert_uint_eq(fumata_partition_teacher((UINT64_C(1) << 63) - 1, 2), 0);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_MAX, 1000000), 999999);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_MAX, UINT32_MAX), UINT32_MAX - 1);
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_C(0x5555555555555555), 3), 0); /* the low half decides */
  ck_assert_uint_eq(fumata_partition_teacher(UINT64_C(0x5555555555555556), 3), 1);
#ifdef __SIZEOF_INT128__
  seed = 1;
  for (int i = 0; i < 10000; i++) {
    uint64_t x = word();
    uint32_t teachers = i % 2 ? below(1000) : (uint32_t)word();
    ck_assert_uint_eq(fumata_partition_teacher(x, teachers),
                      (uint32_t)((__extension__(unsigned __int128) x * teachers) >> 64));
  }
#endif
}
END_TEST

START_TEST(test_owners) {
  static const uint64_t words[4] = {0, UINT64_MAX, UINT64_C(1) << 62, UINT64_C(1) << 63};
  static const uint8_t keep[4] = {1, 255, 0, 2};
  uint32_t owner[5] = {7, 7, 7, 7, 7};
  fumata_partition_owners(words, keep, 4, 4, owner);
  ck_assert_uint_eq(owner[0], 0);
  ck_assert_uint_eq(owner[1], 3);
  ck_assert_uint_eq(owner[2], FUMATA_PARTITION_NOBODY);
  ck_assert_uint_eq(owner[3], 2);
  ck_assert_uint_eq(owner[4], 7);
}
END_TEST

/* The chunks as one would find them: for each teacher, all records once more. */
static void expect_chunks(const uint32_t *owner, uint64_t count, uint32_t teachers) {
  uint64_t start[40], record[200], at = 0;
  memset(record, 77, sizeof record);
  ck_assert_int_eq(fumata_partition_cut(owner, count, teachers, start, record), FUMATA_OK);
  for (uint32_t t = 0; t < teachers; t++) {
    ck_assert_uint_eq(start[t], at);
    for (uint64_t i = 0; i < count; i++)
      if (owner[i] == t) ck_assert_uint_eq(record[at++], i);
  }
  ck_assert_uint_eq(start[teachers], at);
  for (; at < count; at++)
    ck_assert_uint_eq(record[at], UINT64_C(0x4d4d4d4d4d4d4d4d));
}

START_TEST(test_chunks) {
  uint32_t owner[200];
  seed = 2;
  for (int i = 0; i < 2000; i++) {
    uint32_t teachers = 1 + below(39), range = teachers + below(3), count = below(200);
    for (uint32_t j = 0; j < count; j++)
      owner[j] = below(50) ? below(range) : FUMATA_PARTITION_NOBODY;
    expect_chunks(owner, count, teachers);
  }
}
END_TEST

START_TEST(test_few_records) {
  static const uint32_t last = 3, nobody = FUMATA_PARTITION_NOBODY;
  expect_chunks(&last, 0, 5);
  expect_chunks(&last, 1, 4);
  expect_chunks(&last, 1, 3);
  expect_chunks(&nobody, 1, 1);
}
END_TEST

START_TEST(test_refused) {
  static const uint32_t owner = 0;
  uint64_t start = 5, record = 5;
  ck_assert_int_eq(fumata_partition_cut(&owner, 1, 0, &start, &record), FUMATA_ERR_TEACHERS);
  ck_assert_int_eq(fumata_partition_cut(&owner, 1, FUMATA_TEACHERS_MAX + 1, &start, &record), FUMATA_ERR_TEACHERS);
  ck_assert_uint_eq(start, 5);
  ck_assert_uint_eq(record, 5);
}
END_TEST

SUITE_MAIN("partition", test_teacher_scales_the_word, test_owners, test_chunks, test_few_records, test_refused)

/* Every build of the core's functions that this processor can run gives the plain one's results, bit by bit. */
#include "gate/target.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

#define MOST 20000u
#define ROWS 301u

static uint64_t state = 7;

static uint64_t word(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return state >> 20 ^ state << 30;
}

static void tally_both(const struct target *target, const uint8_t *votes, uint32_t teachers, uint32_t classes) {
  uint32_t plain[FUMATA_CLASSES_MAX + 1], wide[FUMATA_CLASSES_MAX + 1];
  memset(plain, 0x5a, sizeof plain);
  memset(wide, 0x5a, sizeof wide);
  ck_assert_int_eq(fumata_ballot_tally_u8(votes, teachers, classes, plain),
                   target->tally_u8(votes, teachers, classes, wide));
  ck_assert_msg(!memcmp(plain, wide, sizeof plain), "%s: %u votes, %u classes", target->name, teachers, classes);
}

static void tally_all(const struct target *target) {
  static const uint32_t classes[] = {0, 1, 2, 3, 10, 31, 32, 33, 255, 256, 1024, 1025};
  static const uint32_t sizes[] = {1, 63, 64, 65, 127, 1000, 8063, 8064, 8065, 8128, MOST - 1};
  static uint8_t votes[MOST];
  for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      uint32_t shift = (uint32_t)(word() % 2); /* vectors need not begin at a round address */
      for (uint32_t i = 0; i < MOST; i++)
        votes[i] = (uint8_t)(word() % 5 == 0 ? word() : word() % (classes[c] + 1));
      tally_both(target, votes + shift, sizes[s], classes[c]);
    }
  memset(votes, 1, MOST);
  tally_both(target, votes, MOST - 1, 2);
  tally_both(target, votes, 0, 2);
}

static void answer_all(const struct target *target) {
  static uint64_t table[ROWS];
  for (uint32_t i = 0; i < ROWS; i++)
    table[i] = UINT64_MAX / (i + 1) - i;
  for (uint32_t i = 0; i < 40000; i++) {
    fumata_meter plain = {{table, 1 + i % ROWS, 2}, 1, i % 7 > 0}, wide = plain;
    fumata_verdict verdict = {(uint32_t)(word() % (i % 9 ? 10 : 1030)), (uint32_t)(word() % (ROWS + 9))};
    uint64_t coin = i % 3 ? word() : table[word() % ROWS] - word() % 2;
    int32_t said = 77, heard = 77;
    ck_assert_int_eq(fumata_meter_answer(&plain, &verdict, coin, &said),
                     target->meter_answer(&wide, &verdict, coin, &heard));
    ck_assert_msg(said == heard && plain.reserved == wide.reserved && plain.left == wide.left, "%s: ballot %u",
                  target->name, i);
  }
}

static void find_both(const struct target *target, uint32_t size, uint32_t count, uint32_t dimensions) {
  static int16_t places[2][300 * 128];
  static uint32_t norms[2][300], plain[300 * 9], wide[300 * 9];
  fumata_points records = {places[0], norms[0], size, dimensions}, questions = {places[1], norms[1], count, dimensions};
  for (size_t i = 0; i < sizeof places[0] / sizeof **places; i++) {
    places[0][i] = (int16_t)word();
    places[1][i] = (int16_t)(word() % 3000);
  }
  memset(plain, 0x5a, sizeof plain);
  memset(wide, 0x5a, sizeof wide);
  ck_assert_int_eq(fumata_crowd_settle(&records), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_settle(&questions), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_find(&records, &questions, plain), target->crowd_find(&records, &questions, wide));
  ck_assert_msg(!memcmp(plain, wide, sizeof plain), "%s: %u records, %u questions, %u dimensions", target->name, size,
                count, dimensions);
}

static void find_all(const struct target *target) {
  static const uint32_t sizes[] = {0, 1, 2, 255, 256, 257, 300};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (uint32_t count = 0; count <= 9; count++)
      for (uint32_t dimensions = 16; dimensions <= 128; dimensions += 16)
        find_both(target, sizes[s], count, dimensions);
}

START_TEST(test_every_target_says_the_same) {
  size_t count;
  const struct target *targets = target_list(&count);
  ck_assert_uint_ge(count, 1);
  ck_assert_ptr_eq(target_best(), targets + count - 1);
  for (size_t i = 0; i < count; i++) {
    tally_all(targets + i);
    answer_all(targets + i);
    find_all(targets + i);
  }
}
END_TEST

SUITE_MAIN("target", test_every_target_says_the_same)

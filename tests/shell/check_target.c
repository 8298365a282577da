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

#define POINTS  700u
#define CENTRES 6u
#define WIDEST  48u

static void find_all(const struct target *target) {
  static int16_t places[(POINTS + CENTRES) * WIDEST];
  static uint32_t norms[POINTS + CENTRES], plain[POINTS * CENTRES], wide[POINTS * CENTRES];
  for (uint32_t dimensions = FUMATA_CROWD_LANES; dimensions <= WIDEST; dimensions += FUMATA_CROWD_LANES)
    for (uint32_t size = POINTS - 7; size <= POINTS; size++)
      for (uint32_t count = 1; count <= CENTRES; count++) {
        fumata_points records = {places, norms, size, dimensions};
        fumata_points centres = {places + size * dimensions, norms + size, count, dimensions};
        for (uint32_t i = 0; i < (size + count) * dimensions; i++)
          places[i] = (int16_t)(i % 5 ? word() % 2200 - 1100 : word());
        ck_assert_int_eq(fumata_crowd_settle(&records), FUMATA_OK);
        ck_assert_int_eq(fumata_crowd_settle(&centres), FUMATA_OK);
        ck_assert_int_eq(fumata_crowd_find(&records, &centres, plain), FUMATA_OK);
        ck_assert_int_eq(target->crowd_find(&records, &centres, wide), FUMATA_OK);
        ck_assert_msg(!memcmp(plain, wide, size * count * sizeof *plain), "%s: %u points", target->name, size);
      }
}

/* No certificate is asked for here: a poll at work is a struct of numbers. */
static void vote_all(const struct target *target) {
  static uint64_t named[1] = {UINT64_C(1) << 63};
  static uint32_t distances[POINTS];
  static uint16_t labels[POINTS], plain_used[POINTS], wide_used[POINTS];
  for (uint32_t i = 0; i < 2000; i++) {
    int16_t weights[7];
    int32_t plain_lead[1] = {0}, wide_lead[1] = {0};
    uint32_t size = POINTS - i % 9, most = 1 + (uint32_t)(word() % 30000);
    fumata_question question = {weights, 1 + i % 7, most, (uint32_t)(word() % 1000)};
    fumata_voices voices = {distances, labels};
    fumata_poll plain = {{named, 1, 3}, {plain_used, size}, {plain_lead, 1}, 0, 0, 0}, wide = plain;
    wide.uses.used = wide_used;
    wide.leads.lead = wide_lead;
    for (uint32_t c = 0; c < 7; c++)
      weights[c] = (int16_t)(word() % (2 * most + 1) - most);
    for (uint32_t r = 0; r < POINTS; r++) {
      distances[r] = (uint32_t)(word() % 1500);
      labels[r] = (uint16_t)(word() % 8);
      plain_used[r] = wide_used[r] = (uint16_t)(word() % 5);
    }
    ck_assert_int_eq(fumata_poll_vote(&plain, &question, &voices), target->poll_vote(&wide, &question, &voices));
    ck_assert_msg(plain_lead[0] == wide_lead[0] && !memcmp(plain_used, wide_used, sizeof plain_used), "%s: question %u",
                  target->name, i);
  }
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
    vote_all(targets + i);
  }
}
END_TEST

SUITE_MAIN("target", test_every_target_says_the_same)

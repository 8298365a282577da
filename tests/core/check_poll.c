#include "core/poll.h"

#include <string.h>

#include "support/suite.h"
#include "support/words.h"

#define TENTH (UINT64_MAX / 10 + 1)
#define HALF  (UINT64_C(1) << 63)
#define UNITS 1300u /* two blocks and a part */
#define ROOM  3u

/* Yes is said 6, 7.5 and 8 times in ten at leads of 1, 2 and 3; a unit votes twice. */
static const uint64_t table[] = {6 * TENTH, 7 * TENTH + TENTH / 2, 8 * TENTH};
static const fumata_toll_plan plan = {table, 3, 2};
static const fumata_claim claim = {20, 1, 99, 100, 2, 0, UINT64_C(2) << 32};

static uint16_t used[UNITS];
static int32_t lead[ROOM];
static uint32_t distances[UNITS];
static uint16_t labels[UNITS];

static fumata_poll begin(void) {
  fumata_poll poll;
  memset(&poll, 0xff, sizeof poll);
  memset(used, 0xff, sizeof used);
  poll.uses = (fumata_uses){used, UNITS};
  poll.leads = (fumata_leads){lead, ROOM};
  ck_assert_int_eq(fumata_poll_init(&poll, &plan, &claim), FUMATA_OK);
  return poll;
}

START_TEST(test_init) {
  fumata_poll poll = begin();
  ck_assert_ptr_eq(poll.plan.named, table);
  ck_assert_uint_eq(poll.plan.size, 3);
  ck_assert_uint_eq(poll.plan.limit, 2);
  ck_assert_uint_eq(poll.asked, 0);
  ck_assert_uint_eq(poll.stored, 0);
  ck_assert_uint_eq(poll.answered, 0);
  for (uint32_t r = 0; r < UNITS; r++)
    ck_assert_uint_eq(used[r], 0);
}
END_TEST

/* Unit r is r away and has label r % 4; labels 0 and 1 weigh 3 and -2 of 3, label 2 nothing, label 3 is not one. */
START_TEST(test_vote) {
  static const int16_t weights[] = {3, -2, 0};
  fumata_question question = {weights, 3, 3, 801};
  fumata_voices voices = {distances, labels};
  fumata_poll poll = begin();
  for (uint32_t r = 0; r < UNITS; r++) {
    distances[r] = r;
    labels[r] = (uint16_t)(r % 4);
  }
  used[0] = 1;
  used[4] = 2;
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  for (uint32_t r = 0; r < UNITS; r++) {
    uint32_t before = r == 0 ? 1 : r == 4 ? 2 : 0;
    ck_assert_uint_eq(used[r], before + (r <= 801 && r % 4 < 2 && before < 2));
  }
  ck_assert_int_eq(lead[0], (200 * 3 - 201 * 2) / 3);
  ck_assert_uint_eq(poll.asked, 1);
}
END_TEST

SUITE_MAIN("poll", test_init, test_vote)

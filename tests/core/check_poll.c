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

static uint16_t used[UNITS], labels[UNITS];
static int32_t lead[ROOM];
static uint32_t distances[UNITS], listed[UNITS];

static fumata_poll begin(uint32_t units) {
  fumata_poll poll;
  memset(&poll, 0xff, sizeof poll);
  memset(used, 0xff, sizeof used);
  poll.uses = (fumata_uses){used, units};
  poll.leads = (fumata_leads){lead, ROOM};
  ck_assert_int_eq(fumata_poll_init(&poll, &plan, &claim), FUMATA_OK);
  return poll;
}

static void expect_idle(const fumata_poll *poll) {
  ck_assert_uint_eq(poll->asked, 0);
  ck_assert_uint_eq(poll->stored, 0);
  ck_assert_uint_eq(poll->answered, 0);
}

START_TEST(test_init) {
  fumata_poll poll = begin(UNITS - 1);
  ck_assert_ptr_eq(poll.plan.named, table);
  ck_assert_uint_eq(poll.plan.size, 3);
  ck_assert_uint_eq(poll.plan.limit, 2);
  expect_idle(&poll);
  for (uint32_t r = 0; r < UNITS - 1; r++)
    ck_assert_uint_eq(used[r], 0);
  ck_assert_uint_eq(used[UNITS - 1], 0xffff);
}
END_TEST

START_TEST(test_resume) {
  fumata_poll poll = {.uses = {used, UNITS}, .leads = {lead, ROOM}, .asked = 3, .stored = 2, .answered = 1};
  memset(used, 0x5a, sizeof used);
  ck_assert_int_eq(fumata_poll_resume(&poll, &plan, &claim), FUMATA_OK);
  ck_assert_ptr_eq(poll.plan.named, table);
  ck_assert_uint_eq(poll.plan.size, 3);
  ck_assert_uint_eq(poll.plan.limit, 2);
  expect_idle(&poll);
  for (uint32_t r = 0; r < UNITS; r++)
    ck_assert_uint_eq(used[r], 0x5a5a);
}
END_TEST

/* Whatever is refused, not a byte of the poll or of the uses is touched. */
static void refuse_start(fumata_poll poll, const fumata_toll_plan *bad, const fumata_claim *said, int status) {
  fumata_poll before = poll;
  memset(used, 0x5a, sizeof used);
  ck_assert_int_eq(fumata_poll_resume(&poll, bad, said), status);
  ck_assert_mem_eq(&poll, &before, sizeof poll);
  ck_assert_int_eq(fumata_poll_init(&poll, bad, said), status);
  ck_assert_mem_eq(&poll, &before, sizeof poll);
  for (uint32_t r = 0; r < UNITS; r++)
    ck_assert_uint_eq(used[r], 0x5a5a);
}

START_TEST(test_starts_refused) {
  static const uint64_t falling[] = {HALF + 1, HALF};
  fumata_poll poll;
  fumata_toll_plan bad = plan;
  fumata_claim said = claim;
  memset(&poll, 0xa5, sizeof poll);
  poll.uses = (fumata_uses){used, UNITS};
  poll.leads = (fumata_leads){lead, ROOM};
  poll.uses.size = FUMATA_UNITS_MAX + 1;
  refuse_start(poll, &plan, &claim, FUMATA_ERR_UNITS);
  poll.uses.size = UNITS;
  poll.leads.size = FUMATA_LEADS_MAX + 1;
  refuse_start(poll, &plan, &claim, FUMATA_ERR_UNITS);
  poll.leads.size = ROOM;
  bad.limit = FUMATA_POLL_VOTES_MAX + 1;
  refuse_start(poll, &bad, &claim, FUMATA_ERR_LIMIT);
  bad.limit = 0;
  refuse_start(poll, &bad, &claim, FUMATA_ERR_LIMIT);
  bad = (fumata_toll_plan){falling, 2, 2};
  refuse_start(poll, &bad, &claim, FUMATA_ERR_TABLE);
  said.u = 0;
  refuse_start(poll, &plan, &said, FUMATA_ERR_CLAIM);
  said = claim;
  said.epsilon_num = said.delta_num = 1;
  refuse_start(poll, &plan, &said, FUMATA_ERR_UNCERTIFIED);
}
END_TEST

/* B is 65535 at most: then a use still fits its two bytes. */
START_TEST(test_most_votes) {
  static const uint64_t even[] = {HALF};
  static const int16_t weights[] = {1};
  fumata_toll_plan most = {even, 1, FUMATA_POLL_VOTES_MAX};
  fumata_claim said = {1, 1, 1, 10, 2, 0, UINT64_C(1) << 32};
  fumata_question question = {weights, 1, 1, 0};
  fumata_voices voices = {distances, labels};
  fumata_poll poll = {.uses = {used, 3}, .leads = {lead, ROOM}};
  memset(distances, 0, sizeof distances);
  memset(labels, 0, sizeof labels);
  ck_assert_int_eq(fumata_poll_init(&poll, &most, &said), FUMATA_OK);
  used[0] = 65533;
  used[1] = 65534;
  used[2] = 65535;
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  ck_assert_int_eq(lead[0], 2);
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  ck_assert_int_eq(lead[1], 1);
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  ck_assert_int_eq(lead[2], 0);
  ck_assert_uint_eq(used[0] & used[1] & used[2], 65535);
}
END_TEST

/* A unit at every edge: as far as the radius and one more, a label that weighs nothing and one that is none, uses below B, B
 * and above it. */
START_TEST(test_who_votes) {
  static const int16_t weights[] = {3, -2, 0};
  static const struct {
    uint32_t distance;
    uint16_t label, used;
    int16_t vote;
  } cases[] = {{0, 0, 0, 3},  {99, 1, 1, -2}, {100, 0, 1, 3}, {101, 0, 0, 0},   {UINT32_MAX, 0, 0, 0}, {5, 2, 0, 0},
               {5, 3, 0, 0},  {5, 1, 2, 0},   {5, 0, 3, 0},   {5, 0, 65535, 0}, {5, 65535, 0, 0},      {100, 1, 0, -2},
               {7, 1, 1, -2}, {8, 1, 0, -2},  {9, 1, 0, -2},  {10, 1023, 0, 0}, {11, 1, 65535, 0}};
  uint32_t units = sizeof cases / sizeof *cases;
  fumata_question question = {weights, 3, 3, 100};
  fumata_voices voices = {distances, labels};
  fumata_poll poll = begin(units);
  int64_t sum = 0;
  for (uint32_t r = 0; r < units; r++) {
    distances[r] = cases[r].distance;
    labels[r] = cases[r].label;
    used[r] = cases[r].used;
    sum += cases[r].vote;
  }
  ck_assert_int_eq(sum, -4); /* -4 / 3, toward zero */
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  for (uint32_t r = 0; r < units; r++)
    ck_assert_uint_eq(used[r], cases[r].used + (cases[r].vote != 0));
  ck_assert_int_eq(lead[0], -1);
  ck_assert_uint_eq(poll.asked, 1);
  ck_assert_uint_eq(poll.stored, 0);
}
END_TEST

static int16_t weights[FUMATA_CLASSES_MAX];

static fumata_question random_question(void) {
  fumata_question question = {weights, 1 + below(below(2) ? 4 : FUMATA_CLASSES_MAX), 1 + below(FUMATA_WEIGHT_MAX),
                              below(100)};
  for (uint32_t y = 0; y < question.size; y++)
    weights[y] = (int16_t)(below(3) ? (int32_t)below(2 * question.most + 1) - (int32_t)question.most : 0);
  return question;
}

static void random_crowd(uint32_t units, uint32_t classes) {
  for (uint32_t r = 0; r < units; r++) {
    distances[r] = below(101);
    labels[r] = (uint16_t)below(classes + 2);
    used[r] = (uint16_t)below(4);
  }
}

/* One unit after the other, with every branch that the core avoids. */
static int32_t voted(const fumata_question *question, uint16_t *uses, uint32_t units, const uint32_t *asked,
                     uint32_t count) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < (asked ? count : units); i++) {
    uint32_t r = asked ? asked[i] : i;
    if (!asked && distances[r] > question->radius) continue;
    if (labels[i] >= question->size || question->weights[labels[i]] == 0 || uses[r] >= plan.limit) continue;
    uses[r]++;
    sum += question->weights[labels[i]];
  }
  return (int32_t)(sum / (int64_t)question->most);
}

START_TEST(test_random_votes) {
  static const uint32_t sizes[] = {0, 1, 2, 15, 511, 512, 513, 1024, UNITS};
  static uint16_t wanted[UNITS];
  for (uint32_t i = 0; i < 400; i++) {
    uint32_t units = sizes[i % 9];
    fumata_poll poll = begin(units);
    fumata_question question = random_question();
    fumata_voices voices = {distances, labels};
    random_crowd(units, question.size);
    memcpy(wanted, used, sizeof used);
    ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
    ck_assert_int_eq(lead[0], voted(&question, wanted, units, NULL, 0));
    ck_assert_mem_eq(used, wanted, sizeof used);
  }
}
END_TEST

/* As many as can be, all of one mind: the lead is their number, on either side. */
START_TEST(test_all_of_one_mind) {
  for (int32_t sign = -1; sign <= 1; sign += 2) {
    for (uint32_t most = 1; most <= FUMATA_WEIGHT_MAX; most = most * 3 + 1) {
      int16_t weight = (int16_t)(sign * (int32_t)most);
      fumata_question question = {&weight, 1, most, 0};
      fumata_voices voices = {distances, labels};
      fumata_poll poll = begin(UNITS);
      memset(distances, 0, sizeof distances);
      memset(labels, 0, sizeof labels);
      ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
      ck_assert_int_eq(lead[0], sign * (int32_t)UNITS);
    }
  }
}
END_TEST

START_TEST(test_random_lists) {
  static uint16_t wanted[UNITS];
  for (uint32_t i = 0; i < 300; i++) {
    uint32_t units = i % 5 ? UNITS : i % 3, share = 1 + below(20);
    fumata_poll poll = begin(units);
    fumata_question question = random_question();
    fumata_list asked = {listed, labels, 0};
    random_crowd(units, question.size);
    for (uint32_t r = 0; r < units; r++) {
      if (below(share) == 0) listed[asked.size++] = r;
    }
    question.radius = 0;
    memcpy(wanted, used, sizeof used);
    ck_assert_int_eq(fumata_poll_vote_listed(&poll, &question, &asked), FUMATA_OK);
    ck_assert_int_eq(lead[0], voted(&question, wanted, units, listed, asked.size));
    ck_assert_mem_eq(used, wanted, sizeof used);
    ck_assert_uint_eq(poll.asked, 1);
  }
}
END_TEST

/* Whatever is refused, no byte of the poll, its uses and its leads is touched. */
static void refuse_vote(fumata_poll *poll, const fumata_question *question, const fumata_list *asked, int status) {
  static uint16_t uses[UNITS];
  static int32_t leads[ROOM];
  fumata_voices voices = {distances, labels};
  fumata_poll before = *poll;
  memcpy(uses, used, sizeof used);
  memcpy(leads, lead, sizeof lead);
  if (asked)
    ck_assert_int_eq(fumata_poll_vote_listed(poll, question, asked), status);
  else
    ck_assert_int_eq(fumata_poll_vote(poll, question, &voices), status);
  ck_assert_mem_eq(poll, &before, sizeof before);
  ck_assert_mem_eq(used, uses, sizeof used);
  ck_assert_mem_eq(lead, leads, sizeof lead);
}

START_TEST(test_questions_refused) {
  static const int16_t some[] = {5, -5, 6, -6};
  static const struct {
    uint32_t skip, size, most;
  } cases[] = {{0, 0, 5}, {0, FUMATA_CLASSES_MAX + 1, 5},
               {0, 2, 0}, {0, 2, FUMATA_WEIGHT_MAX + 1},
               {0, 3, 5}, {3, 1, 5},
               {0, 1, 4}, {1, 1, 4}};
  static const uint32_t units[] = {0};
  fumata_poll poll = begin(UNITS);
  fumata_list asked = {units, labels, 1};
  memset(distances, 0, sizeof distances);
  memset(labels, 0, sizeof labels);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fumata_question question = {some + cases[i].skip, cases[i].size, cases[i].most, 10};
    refuse_vote(&poll, &question, NULL, FUMATA_ERR_QUESTION);
    refuse_vote(&poll, &question, &asked, FUMATA_ERR_QUESTION);
  }
}
END_TEST

START_TEST(test_lists_refused) {
  static const int16_t one[] = {1};
  static const uint32_t twice[] = {3, 3}, back[] = {3, 7, 6}, beyond[] = {1, 10}, more[11] = {0};
  fumata_question question = {one, 1, 1, 10};
  fumata_poll poll = begin(10);
  memset(labels, 0, sizeof labels);
  refuse_vote(&poll, &question, &(fumata_list){twice, labels, 2}, FUMATA_ERR_LIST);
  refuse_vote(&poll, &question, &(fumata_list){back, labels, 3}, FUMATA_ERR_LIST);
  refuse_vote(&poll, &question, &(fumata_list){beyond, labels, 2}, FUMATA_ERR_LIST);
  refuse_vote(&poll, &question, &(fumata_list){more, labels, 11}, FUMATA_ERR_LIST);
  refuse_vote(&poll, &question, &(fumata_list){NULL, NULL, UINT32_MAX}, FUMATA_ERR_LIST);
}
END_TEST

static void expect(int32_t said, uint64_t coin, uint32_t wanted) {
  fumata_poll poll = begin(1);
  uint32_t yes = 12345;
  lead[0] = said;
  lead[1] = 1000 - said;
  poll.asked = 2;
  ck_assert_int_eq(fumata_poll_stored(&poll), FUMATA_OK);
  ck_assert_uint_eq(poll.stored, 2);
  ck_assert_int_eq(fumata_poll_answer(&poll, coin, &yes), FUMATA_OK);
  ck_assert_uint_eq(yes, wanted);
  ck_assert_uint_eq(poll.answered, 1);
}

/* Both sides of every row's edge, for yes and for no; at a lead of 0 the edge is one half exactly. */
START_TEST(test_coins_at_the_edges) {
  expect(0, 0, 1);
  expect(0, HALF - 1, 1);
  expect(0, HALF, 0);
  expect(0, UINT64_MAX, 0);
  for (int32_t i = 1; i <= 1000; i = i < 5 ? i + 1 : i * 3) {
    uint64_t edge = table[i < 3 ? i - 1 : 2];
    expect(i, 0, 1);
    expect(i, edge - 1, 1);
    expect(i, edge, 0);
    expect(i, UINT64_MAX, 0);
    expect(-i, 0, 0);
    expect(-i, edge - 1, 0);
    expect(-i, edge, 1);
    expect(-i, UINT64_MAX, 1);
  }
  expect((int32_t)FUMATA_UNITS_MAX, table[2] - 1, 1);
  expect(-(int32_t)FUMATA_UNITS_MAX, table[2], 1);
}
END_TEST

static void refuse_answer(fumata_poll *poll) {
  fumata_poll before = *poll;
  uint32_t yes = 4711;
  ck_assert_int_eq(fumata_poll_answer(poll, 0, &yes), FUMATA_ERR_UNSTORED);
  ck_assert_mem_eq(poll, &before, sizeof before);
  ck_assert_uint_eq(yes, 4711);
}

/* No answer before its uses are stored, each lead once and in its turn, and no more leads than there is room for. */
START_TEST(test_life) {
  static const int16_t one[] = {1, -1};
  fumata_question question = {one, 2, 1, 10};
  fumata_voices voices = {distances, labels};
  fumata_poll poll = begin(8);
  uint32_t yes;
  memset(distances, 0, sizeof distances);
  memset(labels, 0, sizeof labels);
  refuse_answer(&poll);
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  refuse_answer(&poll);
  ck_assert_int_eq(fumata_poll_stored(&poll), FUMATA_OK);
  for (uint32_t r = 0; r < 8; r++)
    labels[r] = 1;
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  ck_assert_int_eq(fumata_poll_answer(&poll, table[2] - 1, &yes), FUMATA_OK);
  ck_assert_uint_eq(yes, 1);
  refuse_answer(&poll);
  ck_assert_int_eq(fumata_poll_vote(&poll, &question, &voices), FUMATA_OK);
  refuse_vote(&poll, &question, NULL, FUMATA_ERR_FULL);
  refuse_vote(&poll, &question, &(fumata_list){listed, labels, 0}, FUMATA_ERR_FULL);
  ck_assert_int_eq(fumata_poll_stored(&poll), FUMATA_OK);
  ck_assert_int_eq(fumata_poll_answer(&poll, table[2] - 1, &yes), FUMATA_OK);
  ck_assert_uint_eq(yes, 0);
  ck_assert_int_eq(lead[2], 0); /* all have voted twice */
  ck_assert_int_eq(fumata_poll_answer(&poll, HALF, &yes), FUMATA_OK);
  ck_assert_uint_eq(yes, 0);
  refuse_answer(&poll);
}
END_TEST

START_TEST(test_clear) {
  fumata_poll poll = begin(5);
  lead[0] = lead[1] = lead[2] = 99;
  memset(used, 0x5a, sizeof used);
  poll.asked = 3;
  poll.stored = 2;
  poll.answered = 1;
  ck_assert_int_eq(fumata_poll_clear(&poll), FUMATA_OK);
  expect_idle(&poll);
  ck_assert_uint_eq(poll.leads.size, ROOM);
  for (uint32_t i = 0; i < ROOM; i++)
    ck_assert_int_eq(lead[i], 0);
  for (uint32_t r = 0; r < 5; r++)
    ck_assert_uint_eq(used[r], 0x5a5a);
  refuse_answer(&poll);
}
END_TEST

/* Nothing private is left, and nothing can be asked any more: uses of 0 would be votes for free. */
START_TEST(test_close) {
  static const int16_t one[] = {1};
  fumata_question question = {one, 1, 1, UINT32_MAX};
  fumata_poll poll = begin(UNITS - 1);
  memset(used, 0x5a, sizeof used);
  memset(lead, 0x5a, sizeof lead);
  poll.asked = poll.stored = 3;
  ck_assert_int_eq(fumata_poll_close(&poll), FUMATA_OK);
  expect_idle(&poll);
  for (uint32_t i = 0; i < ROOM; i++)
    ck_assert_int_eq(lead[i], 0);
  for (uint32_t r = 0; r < UNITS - 1; r++)
    ck_assert_uint_eq(used[r], 0);
  ck_assert_uint_eq(used[UNITS - 1], 0x5a5a);
  refuse_vote(&poll, &question, NULL, FUMATA_ERR_FULL);
  refuse_vote(&poll, &question, &(fumata_list){listed, labels, 0}, FUMATA_ERR_FULL);
  refuse_answer(&poll);
}
END_TEST

SUITE_MAIN("poll", test_init, test_resume, test_starts_refused, test_most_votes, test_who_votes, test_random_votes,
           test_all_of_one_mind, test_random_lists, test_questions_refused, test_lists_refused, test_coins_at_the_edges,
           test_life, test_clear, test_close)

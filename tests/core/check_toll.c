#include "core/toll.h"

#include <string.h>

#include "support/suite.h"

#define TENTH (UINT64_MAX / 10 + 1)
#define HALF  (UINT64_C(1) << 63)

/* The winner is named 6, 7.5 and 8 times in ten. */
static const uint64_t table[] = {6 * TENTH, 7 * TENTH + TENTH / 2, 8 * TENTH};
static const fumata_toll_plan plan = {table, 3, 5};
static const fumata_claim claim = {20, 1, 99, 100, 2, 0, UINT64_C(2) << 32};

#define MACHINE(end) fumata_toll##end
#define MACHINE_DUELS
#include "support/budget.h"

START_TEST(test_init) {
  fumata_toll toll = begin();
  ck_assert_ptr_eq(toll.plan.named, table);
  ck_assert_uint_eq(toll.plan.size, 3);
  ck_assert_uint_eq(toll.plan.limit, 5);
  ck_assert_uint_eq(toll.left, 5);
  ck_assert_uint_eq(toll.reserved, 0);
}
END_TEST

START_TEST(test_refused_tables) {
  static const uint64_t falling[] = {HALF + 1, HALF}, low[] = {HALF - 1};
  fumata_toll_plan bad = plan;
  fumata_claim said = claim;
  bad.named = falling;
  bad.size = 2;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad.named = low;
  bad.size = 1;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  bad = plan;
  bad.size = 0;
  refuse(&bad, &claim, 1, FUMATA_ERR_TABLE);
  said.u = (UINT64_C(1) << 32) - 1;
  refuse(&plan, &said, 1, FUMATA_ERR_CLAIM);
}
END_TEST

START_TEST(test_resume) {
  uint32_t left;
  for (left = 0; left <= 5; left++) {
    fumata_toll toll;
    memset(&toll, 0xff, sizeof toll);
    ck_assert_int_eq(fumata_toll_resume(&toll, &plan, &claim, left), FUMATA_OK);
    ck_assert_ptr_eq(toll.plan.named, table);
    ck_assert_uint_eq(toll.plan.size, 3);
    ck_assert_uint_eq(toll.plan.limit, 5);
    ck_assert_uint_eq(toll.left, left);
    ck_assert_uint_eq(toll.reserved, 0);
  }
}
END_TEST

static void expect(uint32_t distance, uint64_t coin, int wins) {
  fumata_toll toll = begin();
  fumata_duel duel = {7, 3, distance};
  int32_t answer = 12345;
  ck_assert_int_eq(fumata_toll_reserve(&toll, 2), FUMATA_OK);
  ck_assert_int_eq(fumata_toll_answer(&toll, &duel, coin, &answer), FUMATA_OK);
  ck_assert_int_eq(answer, wins ? 7 : 3);
  ck_assert_uint_eq(toll.reserved, 1);
  ck_assert_uint_eq(toll.left, 3);
}

/* Both sides of every row's edge; at distance 0 the edge is one half exactly, whoever wins. */
START_TEST(test_coins_at_the_edges) {
  static const uint32_t far[] = {3, 4, 1000, UINT32_MAX};
  uint32_t d;
  size_t i;
  expect(0, 0, 1);
  expect(0, HALF - 1, 1);
  expect(0, HALF, 0);
  expect(0, table[0], 0);
  expect(0, UINT64_MAX, 0);
  for (d = 1; d <= 3; d++) {
    expect(d, 0, 1);
    expect(d, HALF - 1, 1);
    expect(d, HALF, 1);
    expect(d, table[d - 1] - 1, 1);
    expect(d, table[d - 1], 0);
    expect(d, UINT64_MAX, 0);
  }
  for (i = 0; i < sizeof far / sizeof *far; i++) {
    expect(far[i], table[2] - 1, 1);
    expect(far[i], table[2], 0);
  }
}
END_TEST

/* A table that starts at one half, and one that ends at the largest entry there is. */
START_TEST(test_extreme_rows) {
  static const uint64_t rows[] = {HALF, UINT64_MAX - (UINT64_C(1) << 34) + 1, UINT64_MAX};
  fumata_toll_plan wide = {rows, 3, 1};
  fumata_claim loose = {UINT32_MAX, 1, 99, 100, 2, 0, UINT64_C(0xffffffff) << 32};
  fumata_toll toll;
  fumata_duel duel = {1, 0, 1};
  int32_t answer;
  uint32_t turn;
  static const struct {
    uint32_t distance;
    uint64_t coin;
    int32_t answer;
  } cases[] = {{1, HALF - 1, 1}, {1, HALF, 0}, {2, HALF, 1}, {3, UINT64_MAX - 1, 1}, {3, UINT64_MAX, 0}};
  for (turn = 0; turn < sizeof cases / sizeof *cases; turn++) {
    ck_assert_int_eq(fumata_toll_init(&toll, &wide, &loose), FUMATA_OK);
    ck_assert_int_eq(fumata_toll_reserve(&toll, 1), FUMATA_OK);
    duel.distance = cases[turn].distance;
    ck_assert_int_eq(fumata_toll_answer(&toll, &duel, cases[turn].coin, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, cases[turn].answer);
  }
}
END_TEST

START_TEST(test_every_label) {
  fumata_duel duel = {0, 0, 9};
  int32_t answer;
  for (duel.winner = 1; duel.winner < FUMATA_CLASSES_MAX; duel.winner++) {
    fumata_toll toll = begin();
    duel.loser = duel.winner - 1;
    ck_assert_int_eq(fumata_toll_reserve(&toll, 2), FUMATA_OK);
    ck_assert_int_eq(fumata_toll_answer(&toll, &duel, 0, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, (int32_t)duel.winner);
    ck_assert_int_eq(fumata_toll_answer(&toll, &duel, UINT64_MAX, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, (int32_t)duel.loser);
  }
}
END_TEST

/* Whatever is refused, not a byte of the toll or the answer is touched. */
static void refuse_answer(fumata_toll *toll, fumata_duel duel, int status) {
  fumata_toll before;
  int32_t answer = 4711;
  memcpy(&before, toll, sizeof before);
  ck_assert_int_eq(fumata_toll_answer(toll, &duel, 0, &answer), status);
  ck_assert_mem_eq(toll, &before, sizeof before);
  ck_assert_int_eq(answer, 4711);
}

static void refuse_reserve(fumata_toll *toll, uint32_t n, int status) {
  fumata_toll before;
  memcpy(&before, toll, sizeof before);
  ck_assert_int_eq(fumata_toll_reserve(toll, n), status);
  ck_assert_mem_eq(toll, &before, sizeof before);
}

START_TEST(test_errors_change_nothing) {
  fumata_toll toll = begin();
  refuse_answer(&toll, (fumata_duel){1, 0, 4}, FUMATA_ERR_CLOSED);
  refuse_reserve(&toll, 0, FUMATA_ERR_SPENT);
  refuse_reserve(&toll, 6, FUMATA_ERR_SPENT);
  refuse_reserve(&toll, UINT32_MAX, FUMATA_ERR_SPENT);
  ck_assert_int_eq(fumata_toll_reserve(&toll, 5), FUMATA_OK);
  refuse_reserve(&toll, 1, FUMATA_ERR_RESERVED);
  refuse_answer(&toll, (fumata_duel){1, 1, 4}, FUMATA_ERR_VOTE);
  refuse_answer(&toll, (fumata_duel){FUMATA_CLASSES_MAX, 1, 4}, FUMATA_ERR_VOTE);
  refuse_answer(&toll, (fumata_duel){1, FUMATA_CLASSES_MAX, 4}, FUMATA_ERR_VOTE);
  refuse_answer(&toll, (fumata_duel){UINT32_MAX, 0, 4}, FUMATA_ERR_VOTE);
  refuse_answer(&toll, (fumata_duel){0, UINT32_MAX, 4}, FUMATA_ERR_VOTE);
}
END_TEST

/* L answers and not one more, in batches of two; what was not given comes back, once. */
START_TEST(test_life) {
  fumata_toll toll = begin();
  fumata_duel duel = {2, 1, 3};
  int32_t answer;
  uint32_t given = 0;
  while (given < 4) {
    ck_assert_int_eq(fumata_toll_reserve(&toll, 2), FUMATA_OK);
    ck_assert_int_eq(fumata_toll_answer(&toll, &duel, 0, &answer), FUMATA_OK);
    refuse_reserve(&toll, 1, FUMATA_ERR_RESERVED);
    ck_assert_int_eq(fumata_toll_answer(&toll, &duel, UINT64_MAX, &answer), FUMATA_OK);
    given += 2;
    ck_assert_uint_eq(toll.left, 5 - given);
    refuse_answer(&toll, duel, FUMATA_ERR_CLOSED);
  }
  refuse_reserve(&toll, 2, FUMATA_ERR_SPENT);
  ck_assert_int_eq(fumata_toll_reserve(&toll, 1), FUMATA_OK);
  ck_assert_int_eq(fumata_toll_close(&toll), FUMATA_OK);
  ck_assert_uint_eq(toll.left, 1);
  ck_assert_uint_eq(toll.reserved, 0);
  ck_assert_int_eq(fumata_toll_close(&toll), FUMATA_OK);
  ck_assert_uint_eq(toll.left, 1);
  ck_assert_int_eq(fumata_toll_reserve(&toll, 1), FUMATA_OK);
  ck_assert_int_eq(fumata_toll_answer(&toll, &duel, 0, &answer), FUMATA_OK);
  ck_assert_int_eq(fumata_toll_close(&toll), FUMATA_OK);
  ck_assert_uint_eq(toll.left, 0);
  refuse_reserve(&toll, 1, FUMATA_ERR_SPENT);
}
END_TEST

SUITE_MAIN("toll", test_init, test_refused_claims, test_refused_tables, test_resume, test_coins_at_the_edges,
           test_extreme_rows, test_every_label, test_errors_change_nothing, test_life)

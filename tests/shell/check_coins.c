#include "gate/coins.h"

#include <sys/resource.h>

#include "base/error.h"
#include "gate/process.h"
#include "support/children.h"
#include "support/scratch.h"

#define DRAWS    140u /* more than are fetched at a time */
#define CHILDREN 5u

static struct coins coins;

static void draw(uint64_t *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    ck_assert_int_eq(coins_draw(&coins, words + i), EXIT_OK);
}

static void expect_distinct(const uint64_t *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      ck_assert_msg(words[i] != words[k], "draws %zu and %zu are the same coin", k, i);
}

START_TEST(test_no_coin_comes_twice) {
  uint64_t words[3 * DRAWS];
  coins_init(&coins);
  draw(words, 3 * DRAWS);
  expect_distinct(words, 3 * DRAWS);
}
END_TEST

static int draw_all(void *words) {
  draw(words, DRAWS);
  return EXIT_OK;
}

/* Coins that were fetched before the fork belong to the parent. */
START_TEST(test_forked_processes_share_no_coins) {
  uint64_t *words = children_share((CHILDREN + 1) * DRAWS * sizeof *words);
  coins_init(&coins);
  draw(words, 3);
  for (size_t child = 1; child <= CHILDREN; child++)
    ck_assert_int_eq(children_run(draw_all, words + child * DRAWS), EXIT_OK);
  draw(words + 3, DRAWS - 3);
  expect_distinct(words, (CHILDREN + 1) * DRAWS);
}
END_TEST

/* Where no page can be had that the kernel wipes, the pid tells processes apart. */
START_TEST(test_nor_where_nothing_is_wiped) {
  uint64_t *words = children_share((CHILDREN + 1) * DRAWS * sizeof *words);
  struct rlimit usual, none;
  ck_assert_int_eq(getrlimit(RLIMIT_AS, &usual), 0);
  none = (struct rlimit){0, usual.rlim_max};
  ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
  words[0] = process_token();
  ck_assert_int_eq(setrlimit(RLIMIT_AS, &usual), 0);
  ck_assert_uint_eq(words[0], (uint64_t)getpid());
  ck_assert_uint_eq(process_token(), (uint64_t)getpid());
  coins_init(&coins);
  draw(words, 3);
  for (size_t child = 1; child <= CHILDREN; child++)
    ck_assert_int_eq(children_run(draw_all, words + child * DRAWS), EXIT_OK);
  draw(words + 3, DRAWS - 3);
  expect_distinct(words, (CHILDREN + 1) * DRAWS);
}
END_TEST

static int tell_token(void *context) {
  *(uint64_t *)context = process_token();
  return *(uint64_t *)context == process_token() ? EXIT_OK : 1;
}

START_TEST(test_a_process_keeps_its_token) {
  uint64_t *tokens = children_share(CHILDREN * sizeof *tokens);
  struct process here, nobody = {0, 0};
  process_note(&here);
  ck_assert_int_eq(process_is_this(&here), 1);
  ck_assert_int_eq(process_is_this(&nobody), 0);
  tokens[0] = process_token();
  for (size_t child = 1; child < CHILDREN; child++)
    ck_assert_int_eq(children_run(tell_token, tokens + child), EXIT_OK);
  expect_distinct(tokens, CHILDREN);
  ck_assert_uint_eq(process_token(), tokens[0]);
}
END_TEST

static int draw_in_grandchild(void *words) {
  draw(words, DRAWS / 2);
  return children_run(draw_all, (uint64_t *)words + DRAWS);
}

START_TEST(test_nor_do_their_own_forked_processes) {
  uint64_t *words = children_share(3 * DRAWS * sizeof *words);
  coins_init(&coins);
  draw(words, 1);
  ck_assert_int_eq(children_run(draw_in_grandchild, words + DRAWS), EXIT_OK);
  draw(words + 1, DRAWS - 1);
  expect_distinct(words, DRAWS);
  expect_distinct(words + DRAWS, DRAWS / 2);
  expect_distinct(words + 2 * DRAWS, DRAWS);
  memmove(words + DRAWS + DRAWS / 2, words + 2 * DRAWS, DRAWS * sizeof *words);
  expect_distinct(words, 2 * DRAWS + DRAWS / 2);
}
END_TEST

START_TEST(test_a_seed_is_replayed) {
  uint64_t first[DRAWS], again[DRAWS];
  coins_seed(&coins, 7);
  draw(first, DRAWS);
  coins_seed(&coins, 7);
  draw(again, DRAWS);
  ck_assert_mem_eq(first, again, sizeof first);
}
END_TEST

SCRATCH_MAIN("coins", test_no_coin_comes_twice, test_forked_processes_share_no_coins,
             test_nor_do_their_own_forked_processes, test_nor_where_nothing_is_wiped, test_a_process_keeps_its_token,
             test_a_seed_is_replayed)

#include "core/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* Every word of every text; numbers never change their meaning. */
START_TEST(test_texts) {
  static const struct {
    fumata_status status;
    int number;
    const char *text;
  } all[] = {
      {FUMATA_OK, 0, "done"},
      {FUMATA_ERR_CLASSES, -1, "classes must number 2 to 1024"},
      {FUMATA_ERR_TEACHERS, -2, "votes must number 1 to 1000000"},
      {FUMATA_ERR_VOTE, -3, "a vote names no class, or a duel not two"},
      {FUMATA_ERR_TABLE, -4, "table is empty, too long or out of order"},
      {FUMATA_ERR_LIMIT, -5, "silences (T), answers (L): 1 to 1000000; votes (B): to 65535"},
      {FUMATA_ERR_CLAIM, -6, "epsilon, delta, alpha, V or U is out of range"},
      {FUMATA_ERR_UNCERTIFIED, -7, "the plan does not keep the claim"},
      {FUMATA_ERR_LEFT, -8, "stored number left does not fit the plan"},
      {FUMATA_ERR_CLOSED, -9, "no reservation to answer from"},
      {FUMATA_ERR_SPENT, -10, "no such number is left to reserve"},
      {FUMATA_ERR_RESERVED, -11, "a reservation is held already"},
      {FUMATA_ERR_UNITS, -12, "units must number at most 67108864, leads at most 1048576"},
      {FUMATA_ERR_QUESTION, -13, "question has no labels, or a weight beyond its m"},
      {FUMATA_ERR_LIST, -14, "list of asked units does not ascend, or names none of them"},
      {FUMATA_ERR_FULL, -15, "leads fill the queue"},
      {FUMATA_ERR_DIMENSIONS, -17, "coordinates of a point must number 16, 32, ... or 1024, alike"},
      {FUMATA_ERR_UNSTORED, -16, "no lead whose uses are stored waits for an answer"},
  };
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    ck_assert_int_eq(all[i].status, all[i].number);
    ck_assert_str_eq(fumata_strerror(all[i].status), all[i].text);
  }
}
END_TEST

START_TEST(test_unknown) {
  ck_assert_str_eq(fumata_strerror(1), "unknown status");
  ck_assert_str_eq(fumata_strerror(-18), "unknown status");
  ck_assert_str_eq(fumata_strerror(INT_MAX), "unknown status");
  ck_assert_str_eq(fumata_strerror(INT_MIN), "unknown status");
}
END_TEST

START_TEST(test_texts_differ) {
  int a, b;
  for (a = -18; a <= 0; a++) {
    for (b = -18; b < a; b++)
      ck_assert_int_ne(memcmp(fumata_strerror(a), fumata_strerror(b), 4), 0);
  }
}
END_TEST

SUITE_MAIN("status", test_texts, test_unknown, test_texts_differ)

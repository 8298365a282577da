#include "core/ballot.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static uint32_t largest(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Every way to share `left` votes among the labels from `y` on; `visit` sees each whole table of counts. */
typedef void visitor(const uint32_t *counts, uint32_t classes, void *with);

static void share(uint32_t *counts, uint32_t classes, uint32_t y, uint32_t left, visitor *visit, void *with) {
  uint32_t take;
  if (y + 1 == classes) {
    counts[y] = left;
    visit(counts, classes, with);
    return;
  }
  for (take = 0; take <= left; take++) {
    counts[y] = take;
    share(counts, classes, y + 1, left - take, visit, with);
  }
}

/* The distance from its meaning: one less than the fewest votes that must move before the winner is caught up with,
 * found by trying every other table of as many votes. */
typedef struct {
  const uint32_t *counts;
  uint32_t winner, total, fewest;
} search;

static void try_table(const uint32_t *other, uint32_t classes, void *with) {
  search *s = with;
  uint32_t y, moved = 0, caught = 0;
  for (y = 0; y < classes; y++) {
    moved += other[y] > s->counts[y] ? other[y] - s->counts[y] : 0;
    caught |= y != s->winner && other[y] >= other[s->winner];
  }
  if (caught && moved < s->fewest) s->fewest = moved;
}

static void judge(const uint32_t *counts, uint32_t classes, void *with) {
  search s = {counts, 0, *(uint32_t *)with, UINT32_MAX};
  uint32_t y, top = 0, other[8];
  fumata_verdict verdict = {77, 77};
  for (y = 0; y < classes; y++)
    top = largest(top, counts[y]);
  while (counts[s.winner] != top)
    s.winner++;
  share(other, classes, 0, s.total, try_table, &s);
  ck_assert_int_eq(fumata_ballot_decide(counts, classes, &verdict), FUMATA_OK);
  ck_assert_uint_eq(verdict.winner, s.winner);
  ck_assert_uint_eq(verdict.distance, s.fewest == 0 ? 0 : s.fewest - 1);
}

START_TEST(test_verdict_means_what_it_says) {
  uint32_t classes, total, counts[8];
  for (classes = 2; classes <= 4; classes++) {
    for (total = 0; total <= (classes == 2 ? 40 : 9); total++)
      share(counts, classes, 0, total, judge, &total);
  }
}
END_TEST

static void move_each(const uint32_t *counts, uint32_t classes, void *with) {
  fumata_verdict before, after;
  uint32_t a, b, moved[8];
  unsigned long *seen = with;
  ck_assert_int_eq(fumata_ballot_decide(counts, classes, &before), FUMATA_OK);
  /* `classes` stands for an abstention: a vote that comes or goes. */
  for (a = 0; a <= classes; a++) {
    for (b = 0; b <= classes; b++) {
      if (a == b || (a < classes && counts[a] == 0)) continue;
      memcpy(moved, counts, sizeof moved);
      if (a < classes) moved[a]--;
      if (b < classes) moved[b]++;
      /* Plain comparisons: each ck_assert writes to a pipe, and there are millions of moves. */
      if (fumata_ballot_decide(moved, classes, &after) != FUMATA_OK) ck_abort_msg("refused");
      if (labs((long)before.distance - (long)after.distance) > 1) ck_abort_msg("two steps at once");
      if (before.winner != after.winner && before.distance + after.distance > 0) ck_abort_msg("a win at a distance");
      seen[before.winner != after.winner]++;
      seen[2] += before.distance != after.distance;
    }
  }
}

/* Lemma 1, every table and every move, abstentions included; and both things it speaks about do happen. */
START_TEST(test_one_teacher_moves) {
  uint32_t classes, total, counts[8] = {0};
  unsigned long seen[3] = {0, 0, 0};
  for (classes = 2; classes <= 5; classes++) {
    for (total = 0; total <= 12; total++)
      share(counts, classes, 0, total, move_each, seen);
  }
  ck_assert_uint_gt(seen[0], 10000);
  ck_assert_uint_gt(seen[1], 1000);
  ck_assert_uint_gt(seen[2], 1000);
}
END_TEST

static void expect_verdict(const uint32_t *counts, uint32_t classes, uint32_t winner, uint32_t distance) {
  fumata_verdict verdict = {77, 77};
  ck_assert_int_eq(fumata_ballot_decide(counts, classes, &verdict), FUMATA_OK);
  ck_assert_uint_eq(verdict.winner, winner);
  ck_assert_uint_eq(verdict.distance, distance);
}

/* However many votes there are, one more moves the distance by at most one: at a million, and up to the largest count. */
START_TEST(test_no_cliff) {
  static const uint32_t votes[] = {FUMATA_TEACHERS_MAX - 2, FUMATA_TEACHERS_MAX, 2 * FUMATA_TEACHERS_MAX,
                                   UINT32_MAX - 4};
  for (size_t i = 0; i < sizeof votes / sizeof *votes; i++)
    for (uint32_t more = 0; more <= 4; more++) {
      uint32_t counts[3] = {votes[i] + more, 0, 1};
      fumata_duel duel = {7, 8, 9};
      expect_verdict(counts, 3, 0, (votes[i] + more - 2) / 2);
      ck_assert_int_eq(fumata_ballot_duel(counts, 3, 0, 2, &duel), FUMATA_OK);
      ck_assert(duel.winner == 0 && duel.loser == 2 && duel.distance == (votes[i] + more - 2) / 2);
    }
  expect_verdict((uint32_t[]){UINT32_MAX, UINT32_MAX - 3, UINT32_MAX}, 3, 0, 0);
  expect_verdict((uint32_t[]){5, UINT32_MAX}, 2, 1, (UINT32_MAX - 6) / 2);
  expect_verdict((uint32_t[]){UINT32_MAX, 0}, 2, 0, UINT32_MAX / 2);
}
END_TEST

START_TEST(test_verdict_of_large_counts) {
  uint32_t counts[FUMATA_CLASSES_MAX] = {0};
  fumata_verdict verdict;
  counts[FUMATA_CLASSES_MAX - 1] = FUMATA_TEACHERS_MAX;
  ck_assert_int_eq(fumata_ballot_decide(counts, FUMATA_CLASSES_MAX, &verdict), FUMATA_OK);
  ck_assert_uint_eq(verdict.winner, 1023);
  ck_assert_uint_eq(verdict.distance, 499999);
  memset(counts, 0, sizeof counts);
  counts[0] = 1;
  ck_assert_int_eq(fumata_ballot_decide(counts, 2, &verdict), FUMATA_OK);
  ck_assert_uint_eq(verdict.winner, 0);
  ck_assert_uint_eq(verdict.distance, 0);
  counts[0] = 0; /* no votes */
  verdict.winner = verdict.distance = 77;
  ck_assert_int_eq(fumata_ballot_decide(counts, FUMATA_CLASSES_MAX, &verdict), FUMATA_OK);
  ck_assert_uint_eq(verdict.winner, 0);
  ck_assert_uint_eq(verdict.distance, 0);
}
END_TEST

static void refuse_counts(const uint32_t *counts, uint32_t classes, fumata_status status) {
  fumata_verdict verdict, kept;
  memset(&verdict, 0x5a, sizeof verdict);
  kept = verdict;
  ck_assert_int_eq(fumata_ballot_decide(counts, classes, &verdict), status);
  ck_assert_mem_eq(&verdict, &kept, sizeof kept);
}

START_TEST(test_refused_counts_change_nothing) {
  uint32_t counts[FUMATA_CLASSES_MAX + 1] = {3, 1};
  refuse_counts(counts, 0, FUMATA_ERR_CLASSES);
  refuse_counts(counts, 1, FUMATA_ERR_CLASSES);
  refuse_counts(counts, FUMATA_CLASSES_MAX + 1, FUMATA_ERR_CLASSES);
  refuse_counts(counts, UINT32_MAX, FUMATA_ERR_CLASSES);
}
END_TEST

/* Both widths against counting one vote at a time. A vote that is not a label abstains. */
static void count_both(const uint16_t *votes, uint32_t teachers, uint32_t classes) {
  uint32_t naive[FUMATA_CLASSES_MAX], counts[FUMATA_CLASSES_MAX];
  uint8_t *narrow = malloc(teachers);
  uint32_t i;
  memset(naive, 0x5a, sizeof naive); /* what is past the classes stays as it was */
  memset(naive, 0, classes * sizeof *naive);
  for (i = 0; i < teachers; i++) {
    if (votes[i] < classes) naive[votes[i]]++;
    narrow[i] = (uint8_t)(votes[i] < 255 ? votes[i] : 255);
  }
  memset(counts, 0x5a, sizeof counts);
  ck_assert_int_eq(fumata_ballot_tally_u16(votes, teachers, classes, counts), FUMATA_OK);
  ck_assert_mem_eq(counts, naive, sizeof counts);
  if (classes <= 255) { /* so that 255 abstains */
    memset(counts, 0x5a, sizeof counts);
    ck_assert_int_eq(fumata_ballot_tally_u8(narrow, teachers, classes, counts), FUMATA_OK);
    ck_assert_mem_eq(counts, naive, sizeof counts);
  }
  free(narrow);
}

START_TEST(test_every_small_ballot_is_counted) {
  uint32_t classes, teachers, number, i;
  for (classes = 2; classes <= 4; classes++) {
    for (teachers = 1; teachers <= 5; teachers++) {
      uint32_t all = 1;
      for (i = 0; i < teachers; i++)
        all *= classes + 1;
      for (number = 0; number < all; number++) {
        uint16_t votes[5];
        uint32_t rest = number;
        for (i = 0; i < teachers; i++, rest /= classes + 1)
          votes[i] = (uint16_t)(rest % (classes + 1)); /* the last one abstains */
        count_both(votes, teachers, classes);
      }
    }
  }
}
END_TEST

/* Sizes around the block, the widths of registers and the limits; class numbers around the change of method. */
START_TEST(test_sizes) {
  static const uint32_t sizes[] = {1,   15,  16,  17,   63,   64,   65,   239,  240,  241,
                                   479, 480, 481, 1000, 4801, 8063, 8064, 8065, 8128, 1000000};
  static const uint32_t numbers[] = {2, 3, 10, 15, 16, 17, 31, 32, 33, 255, 256, 257, 1023, 1024};
  uint16_t *votes = malloc(FUMATA_TEACHERS_MAX * sizeof *votes);
  size_t s, n;
  uint32_t i;
  srand(1);
  for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (n = 0; n < sizeof numbers / sizeof *numbers; n++) {
      if (sizes[s] == FUMATA_TEACHERS_MAX && numbers[n] != 2 && numbers[n] != 1024) continue;
      for (i = 0; i < sizes[s]; i++)
        votes[i] = (uint16_t)((uint32_t)rand() % numbers[n]);
      count_both(votes, sizes[s], numbers[n]);
      /* One label only, the last: no lane may overflow. */
      for (i = 0; i < sizes[s]; i++)
        votes[i] = (uint16_t)(numbers[n] - 1);
      count_both(votes, sizes[s], numbers[n]);
      for (i = 0; i < sizes[s]; i++)
        votes[i] = 0;
      count_both(votes, sizes[s], numbers[n]);
      /* Some abstain, by the least number that is not a label and by the largest; then all do. */
      for (i = 0; i < sizes[s]; i++)
        votes[i] = (uint16_t)(i % 7 == 3 ? UINT16_MAX : (uint32_t)rand() % (numbers[n] + 1));
      count_both(votes, sizes[s], numbers[n]);
      for (i = 0; i < sizes[s]; i++)
        votes[i] = (uint16_t)(i % 2 ? UINT16_MAX : numbers[n]);
      count_both(votes, sizes[s], numbers[n]);
    }
  }
  free(votes);
}
END_TEST

/* A byte always names one of more than 255 classes. */
START_TEST(test_bytes_and_many_classes) {
  uint8_t votes[3] = {255, 0, 255};
  uint32_t counts[FUMATA_CLASSES_MAX], y;
  ck_assert_int_eq(fumata_ballot_tally_u8(votes, 3, FUMATA_CLASSES_MAX, counts), FUMATA_OK);
  for (y = 0; y < FUMATA_CLASSES_MAX; y++)
    ck_assert_uint_eq(counts[y], y == 255 ? 2 : y == 0);
}
END_TEST

static void refuse_votes(uint32_t teachers, uint32_t classes, const uint16_t *votes, fumata_status status) {
  uint32_t counts[FUMATA_CLASSES_MAX + 1], kept[FUMATA_CLASSES_MAX + 1], i;
  uint8_t narrow[1000];
  memset(counts, 0x5a, sizeof counts);
  memcpy(kept, counts, sizeof kept);
  ck_assert_int_eq(fumata_ballot_tally_u16(votes, teachers, classes, counts), status);
  ck_assert_mem_eq(counts, kept, sizeof kept);
  for (i = 0; i < 1000; i++)
    narrow[i] = (uint8_t)(votes[i] > 255 ? 255 : votes[i]);
  ck_assert_int_eq(fumata_ballot_tally_u8(narrow, teachers, classes, counts), status);
  ck_assert_mem_eq(counts, kept, sizeof kept);
}

START_TEST(test_refused_votes_change_nothing) {
  uint16_t votes[1000] = {0};
  refuse_votes(5, 0, votes, FUMATA_ERR_CLASSES);
  refuse_votes(5, 1, votes, FUMATA_ERR_CLASSES);
  refuse_votes(5, FUMATA_CLASSES_MAX + 1, votes, FUMATA_ERR_CLASSES);
  refuse_votes(5, UINT32_MAX, votes, FUMATA_ERR_CLASSES);
  refuse_votes(0, 2, votes, FUMATA_ERR_TEACHERS);
  refuse_votes(FUMATA_TEACHERS_MAX + 1, 2, votes, FUMATA_ERR_TEACHERS);
  refuse_votes(UINT32_MAX, 2, votes, FUMATA_ERR_TEACHERS);
  refuse_votes(0, 0, votes, FUMATA_ERR_CLASSES);
}
END_TEST

/* A duel is the verdict of the two counts alone, whatever the others are. */
START_TEST(test_duel_is_a_verdict_of_two) {
  uint32_t first, second, a, b, counts[5];
  for (first = 0; first <= 24; first++)
    for (second = 0; second <= 24; second++) {
      const uint32_t two[2] = {first, second};
      fumata_verdict verdict;
      ck_assert_int_eq(fumata_ballot_decide(two, 2, &verdict), FUMATA_OK);
      for (a = 0; a < 5; a++)
        for (b = a + 1; b < 5; b++) {
          fumata_duel duel = {77, 77, 77};
          memset(counts, 0xff, sizeof counts);
          counts[a] = first;
          counts[b] = second;
          ck_assert_int_eq(fumata_ballot_duel(counts, 5, a, b, &duel), FUMATA_OK);
          ck_assert(duel.winner == (verdict.winner ? b : a) && duel.loser == (verdict.winner ? a : b));
          ck_assert_uint_eq(duel.distance, verdict.distance);
        }
    }
}
END_TEST

static void refuse_duel(uint32_t classes, uint32_t a, uint32_t b, const uint32_t *counts, fumata_status status) {
  fumata_duel duel = {7, 8, 9};
  ck_assert_int_eq(fumata_ballot_duel(counts, classes, a, b, &duel), status);
  ck_assert(duel.winner == 7 && duel.loser == 8 && duel.distance == 9);
}

START_TEST(test_refused_duels_change_nothing) {
  uint32_t counts[3] = {1, FUMATA_TEACHERS_MAX, UINT32_MAX};
  fumata_duel duel;
  refuse_duel(1, 0, 1, counts, FUMATA_ERR_CLASSES);
  refuse_duel(FUMATA_CLASSES_MAX + 1, 0, 1, counts, FUMATA_ERR_CLASSES);
  refuse_duel(3, 1, 1, counts, FUMATA_ERR_VOTE);
  refuse_duel(3, 1, 0, counts, FUMATA_ERR_VOTE);
  refuse_duel(3, 0, 3, counts, FUMATA_ERR_VOTE);
  refuse_duel(3, 0, UINT32_MAX, counts, FUMATA_ERR_VOTE);
  counts[0] = 0;
  ck_assert_int_eq(fumata_ballot_duel(counts, 3, 0, 1, &duel), FUMATA_OK);
  ck_assert(duel.winner == 1 && duel.loser == 0 && duel.distance == FUMATA_TEACHERS_MAX / 2 - 1);
}
END_TEST

SUITE_MAIN("ballot", test_verdict_means_what_it_says, test_one_teacher_moves, test_no_cliff,
           test_verdict_of_large_counts, test_refused_counts_change_nothing, test_every_small_ballot_is_counted,
           test_sizes, test_bytes_and_many_classes, test_refused_votes_change_nothing, test_duel_is_a_verdict_of_two,
           test_refused_duels_change_nothing)

/* However many cores tally, verdicts and answers are those of one, and no thread is left when a call returns. */
#include "gate/verdicts.h"

#include "base/error.h"
#include "gate/session.h"
#include "support/plans.h"
#include "support/scratch.h"
#include "support/started.h"
#include "support/words.h"

#define CLASSES    3u
#define CORES_MOST 5u

/* Votes of either width, and two candidates a query. */
struct poll {
  size_t count;
  uint32_t teachers;
  uint8_t *labels8;
  uint16_t *labels16;
  struct session_pair *pairs;
  fumata_verdict *labels; /* what the ballots say, counted by hand */
  fumata_duel *duels;
};

static void count_by_hand(struct poll *poll, size_t query) {
  const struct session_pair *pair = &poll->pairs[query];
  uint32_t counts[CLASSES + 1] = {0};
  for (uint32_t t = 0; t < poll->teachers; t++)
    counts[poll->labels8[query * poll->teachers + t]]++;
  if (fumata_ballot_decide(counts, CLASSES, &poll->labels[query]) != FUMATA_OK ||
      fumata_ballot_duel(counts, CLASSES, pair->first, pair->second, &poll->duels[query]) != FUMATA_OK)
    ck_abort();
}

/* Some of a ballot's first votes, `agree` or more, are for one class; the others are anything, class CLASSES too. */
static struct poll make(size_t count, uint32_t teachers, uint32_t agree) {
  static const struct session_pair pairs[] = {{0, 1}, {0, 2}, {1, 2}};
  size_t size = count * teachers;
  struct poll poll = {.count = count, .teachers = teachers};
  ck_assert_int_eq(memory_take(&poll.labels8, size, sizeof *poll.labels8), 0);
  ck_assert_int_eq(memory_take(&poll.labels16, size, sizeof *poll.labels16), 0);
  ck_assert_int_eq(memory_take(&poll.pairs, count, sizeof *poll.pairs), 0);
  ck_assert_int_eq(memory_take(&poll.labels, count, sizeof *poll.labels), 0);
  ck_assert_int_eq(memory_take(&poll.duels, count, sizeof *poll.duels), 0);
  for (size_t query = 0; query < count; query++) {
    uint32_t first = agree + below(teachers - agree + 1), winner = below(CLASSES);
    poll.pairs[query] = pairs[below(3)];
    for (uint32_t t = 0; t < teachers; t++) {
      uint32_t label = t < first ? winner : below(CLASSES + 1);
      poll.labels8[query * teachers + t] = (uint8_t)label;
      poll.labels16[query * teachers + t] = (uint16_t)label;
    }
    count_by_hand(&poll, query);
  }
  return poll;
}

static void drop(struct poll *poll) {
  free(poll->labels8);
  free(poll->labels16);
  free(poll->pairs);
  free(poll->labels);
  free(poll->duels);
}

static struct votes votes_of(const struct poll *poll, int wide) {
  return (struct votes){.count = poll->count,
                        .teachers = poll->teachers,
                        .labels8 = wide ? NULL : poll->labels8,
                        .labels16 = wide ? poll->labels16 : NULL};
}

/* ---- verdicts ---- */

static int is_same(const struct poll *poll, enum plan_kind kind, size_t query, const struct verdicts_one *one) {
  const fumata_verdict *label = &poll->labels[query];
  const fumata_duel *duel = &poll->duels[query];
  if (one->status != FUMATA_OK) return 0;
  if (kind == PLAN_KIND_METER)
    return one->says.label.winner == label->winner && one->says.label.distance == label->distance;
  return one->says.duel.winner == duel->winner && one->says.duel.loser == duel->loser &&
         one->says.duel.distance == duel->distance;
}

/* The first `asked` verdicts of a batch. */
static void expect_verdicts(const struct poll *poll, enum plan_kind kind, unsigned cores, size_t asked) {
  struct votes votes = votes_of(poll, asked % 2 == 0);
  struct verdicts_batch batch = {kind, CLASSES, &votes, poll->pairs};
  struct verdicts verdicts;
  ck_assert_int_eq(verdicts_begin(&verdicts, &batch, cores), 0);
  if (asked % 4 == 0) usleep(5000); /* all slots are filled, and the others wait */
  for (size_t query = 0; query < asked; query++)
    if (!is_same(poll, kind, query, verdicts_next(&verdicts)))
      ck_abort_msg("query %zu of %zu on %u cores", query, poll->count, cores);
  verdicts_end(&verdicts);
  started_expect(cores - 1);
}

/* Blocks have 1024 queries of 3 teachers, 873 of 300 or 436 in two bytes, and 1 of 131073 or 1 in two bytes. */
static const struct {
  uint32_t teachers, agree;
  size_t counts[12];
} shapes[] = {{3, 0, {0, 1, 1023, 1024, 1025, 2048, 2049, 32767, 32768, 32769, 33793, 66000}},
              {300, 40, {435, 436, 437, 872, 873, 874, 1745, 1746, 1747}},
              {131073, 60000, {1, 2, 31, 32, 33, 34}}};

START_TEST(test_every_block_edge) {
  seed = (uint64_t)_i;
  for (size_t i = 0; i < 12; i++) {
    struct poll poll = make(shapes[_i].counts[i], shapes[_i].teachers, shapes[_i].agree);
    for (unsigned cores = 1; cores <= CORES_MOST; cores++)
      expect_verdicts(&poll, cores % 2 ? PLAN_KIND_METER : PLAN_KIND_TOLL, cores, poll.count);
    drop(&poll);
  }
}
END_TEST

/* Not all verdicts are asked for: the threads end, those too that wait for room. */
START_TEST(test_an_early_end) {
  static const size_t asked[] = {0, 1, 1024, 1025, 40000};
  struct poll poll;
  seed = 11;
  poll = make(100000, 3, 0);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    for (unsigned cores = 2; cores <= CORES_MOST; cores++)
      expect_verdicts(&poll, PLAN_KIND_METER, cores, asked[i]);
  drop(&poll);
}
END_TEST

static unsigned helpers_of(struct votes votes) {
  struct verdicts_batch batch = {PLAN_KIND_METER, CLASSES, &votes, NULL};
  struct verdicts verdicts;
  unsigned count;
  ck_assert_int_eq(verdicts_begin(&verdicts, &batch, 0), 0);
  count = started_count;
  verdicts_end(&verdicts);
  started_expect(count);
  return count;
}

/* Left to itself a batch takes a thread for each megabyte of votes, and no more than there are other cores. */
START_TEST(test_small_batches_stay_alone) {
  static const uint32_t counts[CLASSES * 1000];
  unsigned others = threads_cores() - 1;
  struct poll poll = make(2 * 1024 + 1, 1024, 1024);
  struct votes votes = votes_of(&poll, 0), wide = votes_of(&poll, 1);
  for (votes.count = 0; votes.count < 1024; votes.count += 341)
    ck_assert_uint_eq(helpers_of(votes), 0);
  votes.count = 1024;
  ck_assert_uint_eq(helpers_of(votes), others < 1 ? others : 1);
  votes.count = 2048;
  ck_assert_uint_eq(helpers_of(votes), others < 2 ? others : 2);
  wide.count = 511;
  ck_assert_uint_eq(helpers_of(wide), 0);
  wide.count = 512;
  ck_assert_uint_eq(helpers_of(wide), others < 1 ? others : 1);
  ck_assert_uint_eq(helpers_of((struct votes){.count = 1000, .counts = counts}), 0);
  drop(&poll);
}
END_TEST

/* ---- answers ---- */

#define QUERIES  9000u /* of 400 teachers: 14 blocks */
#define TEACHERS 400u

static struct plan_box plan;
static char ledger[16]; /* each life has its own */
static uint32_t reserve = 1000;

/* What a session handed over; it may sleep, or lose its ledger, after so many. */
struct heard {
  int32_t answer[QUERIES];
  size_t count, sleep_after, lose_after;
  int code;
};

static struct heard alone, together;

static void hear(void *context, int32_t answer) {
  struct heard *heard = context;
  heard->answer[heard->count++] = answer;
  if (heard->count == heard->sleep_after) usleep(20000);
  if (heard->count == heard->lose_after) ck_assert_int_eq(rename(ledger, "moved"), 0);
}

/* A life of a session from its beginning. */
static void live(const struct poll *poll, enum plan_mechanism mechanism, unsigned cores, struct heard *heard) {
  static unsigned lives;
  struct session_options options = {.ledger_path = ledger, .reserve = reserve};
  struct votes votes = votes_of(poll, 0);
  struct session session;
  struct coins coins;
  snprintf(ledger, sizeof ledger, "l%u", lives++);
  coins_seed(&coins, 5);
  ck_assert_int_eq(session_open(&session, &options, &coins), 0);
  ck_assert_int_eq(session_begin(&session, &options, &plan, CLASSES), 0);
  session.cores = cores;
  heard->count = 0;
  heard->code = mechanism == PLAN_MECHANISM_TOLL ? session_answer_pairs(&session, &votes, poll->pairs, hear, heard)
                                                 : session_answer_batch(&session, &votes, hear, heard);
  if (!heard->code) ck_assert_int_eq(session_finish(&session), 0);
  session_shut(&session);
}

static void expect_same(const struct poll *poll, enum plan_mechanism mechanism) {
  live(poll, mechanism, 1, &alone);
  started_expect(0);
  for (unsigned cores = 2; cores <= CORES_MOST; cores += 3) {
    live(poll, mechanism, cores, &together);
    started_expect(cores - 1);
    ck_assert_int_eq(together.code, alone.code);
    ck_assert_uint_eq(together.count, alone.count);
    ck_assert_mem_eq(together.answer, alone.answer, alone.count * sizeof *alone.answer);
  }
}

static size_t silences_of(const struct heard *heard) {
  size_t count = 0;
  for (size_t i = 0; i < heard->count; i++)
    count += heard->answer[i] == FUMATA_SILENT;
  return count;
}

/* Near and far votes, so that the coin of each query decides; the budget is enough, or it closes on the way. */
static const struct {
  enum plan_mechanism mechanism;
  uint32_t agree, limit;
  int closes;
} lives[] = {{PLAN_MECHANISM_METER, 250, 2000, 0}, {PLAN_MECHANISM_METER, 50, 200, 1},
             {PLAN_MECHANISM_TOLL, 0, QUERIES, 0}, {PLAN_MECHANISM_TOLL, 0, 700, 1},
             {PLAN_MECHANISM_CLASSIC, 400, 3, 0},  {PLAN_MECHANISM_CLASSIC, 0, 40, 1}};

START_TEST(test_the_answers_of_one_core) {
  struct poll poll;
  seed = 12;
  poll = make(QUERIES, TEACHERS, lives[_i].agree);
  plans_make(&plan, lives[_i].mechanism, lives[_i].limit);
  together.sleep_after = 1; /* the others are done, or far ahead */
  expect_same(&poll, lives[_i].mechanism);
  ck_assert_int_eq(alone.code, 0);
  ck_assert_int_eq(alone.count < QUERIES, lives[_i].closes);
  ck_assert(lives[_i].mechanism == PLAN_MECHANISM_TOLL || lives[_i].agree == TEACHERS || silences_of(&alone) > 1);
  plan_free(&plan);
  drop(&poll);
}
END_TEST

/* One line, the same, after the same answers. */
START_TEST(test_an_error_in_the_middle) {
  static const size_t after[] = {1, 655, 656, 5000};
  struct poll poll;
  seed = 13;
  poll = make(QUERIES, TEACHERS, 250);
  plans_make(&plan, PLAN_MECHANISM_METER, 2000);
  reserve = 50;
  for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
    alone.lose_after = together.lose_after = after[i];
    live(&poll, PLAN_MECHANISM_METER, 1, &alone);
    scratch_expect(EXIT_SYSTEM, alone.code, "moved or replaced");
    ck_assert(alone.count >= after[i] && alone.count < QUERIES);
    for (unsigned cores = 2; cores <= CORES_MOST; cores += 3) {
      live(&poll, PLAN_MECHANISM_METER, cores, &together);
      scratch_expect(EXIT_SYSTEM, together.code, "moved or replaced");
      started_expect(cores - 1);
      ck_assert_uint_eq(together.count, alone.count);
      ck_assert_mem_eq(together.answer, alone.answer, alone.count * sizeof *alone.answer);
    }
  }
  plan_free(&plan);
  drop(&poll);
}
END_TEST

START_TEST(test_a_wrong_shape_is_the_first_querys_error) {
  struct poll poll = make(3, FUMATA_TEACHERS_MAX, FUMATA_TEACHERS_MAX);
  poll.teachers++;
  poll.count--;
  plans_make(&plan, PLAN_MECHANISM_METER, 5);
  for (unsigned cores = 1; cores <= CORES_MOST; cores++) {
    live(&poll, PLAN_MECHANISM_METER, cores, &together);
    scratch_expect(EXIT_INPUT, together.code, "the votes: query 0: ");
    ck_assert_uint_eq(together.count, 0);
    started_expect(cores - 1);
  }
  plan_free(&plan);
  drop(&poll);
}
END_TEST

/* No thread, or fewer than wanted, is work for the others. */
START_TEST(test_without_threads) {
  struct poll poll;
  seed = 14;
  poll = make(QUERIES, TEACHERS, 250);
  plans_make(&plan, PLAN_MECHANISM_METER, 2000);
  live(&poll, PLAN_MECHANISM_METER, 1, &alone);
  ck_assert_uint_eq(alone.count, QUERIES);
  for (unsigned allowed = 0; allowed < 2; allowed++) {
    started_allowed = allowed;
    live(&poll, PLAN_MECHANISM_METER, 4, &together);
    started_expect(allowed);
    ck_assert_uint_eq(together.count, QUERIES);
    ck_assert_mem_eq(together.answer, alone.answer, sizeof alone.answer);
  }
  plan_free(&plan);
  drop(&poll);
}
END_TEST

static void begin(void) {
  scratch_begin();
  started_begin();
}

SUITE_LOOPS_BETWEEN("verdicts", begin, scratch_end, {test_every_block_edge, 3}, {test_an_early_end, 1},
                    {test_small_batches_stay_alone, 1}, {test_the_answers_of_one_core, 6},
                    {test_an_error_in_the_middle, 1}, {test_a_wrong_shape_is_the_first_querys_error, 1},
                    {test_without_threads, 1})

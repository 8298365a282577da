#include "gate/poll_session.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/memory.h"
#include "gate/journal.h"
#include "support/children.h"
#include "support/ledgers.h"
#include "support/plans.h"
#include "support/scratch.h"

#define UNITS      400u
#define DIMENSIONS 16u
#define VOTES      5u /* B */

static struct coins coins;
static struct plan_box plan;
static struct ledger ledger;
static struct crowd crowd;
static struct poll_session session;
static const uint8_t same[DIGEST_SIZE] = {1}, other[DIGEST_SIZE] = {2};

static struct {
  int yes[64];
  size_t count;
} heard;

static void receive(void *context, int yes) {
  ck_assert_ptr_eq(context, &heard);
  heard.yes[heard.count++] = yes;
}

/* Unit u of a line of units lies at u / 4 of it: four records a place, the first half of class 1, the others of class 0. With
 * `each` records a unit, all at its place. */
static void crowd_make(uint32_t units, uint32_t each) {
  ck_assert_int_eq(crowd_init(&crowd, units * each, DIMENSIONS, each > 1), 0);
  for (uint32_t r = 0; r < units * each; r++) {
    uint32_t unit = r / each;
    crowd.records.places[r * DIMENSIONS] = (int16_t)(unit / 4);
    crowd.labels[r] = unit < units / 2;
    if (each > 1) crowd.first[unit + 1] = r + 1;
  }
  crowd.units = units;
  ck_assert_int_eq(crowd_settle(&crowd), 0);
}

static int begin_with(const uint8_t *data, uint32_t units, int again) {
  int code;
  coins_seed(&coins, 1);
  plan_free(&plan);
  plans_make(&plan, PLAN_MECHANISM_POLL, VOTES);
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  code = poll_session_begin(&session, &ledger, &coins, &plan, 2, units, data, again);
  return code;
}

static void begin(void) {
  ck_assert_int_eq(begin_with(same, UNITS, 0), 0);
}

static void leave(void) {
  poll_session_end(&session);
  ledger_shut(&ledger);
}

static void end(void) {
  ck_assert_int_eq(poll_session_finish(&session), 0);
  leave();
}

/* The questions of one test: about the places at[i], everybody within `radius` of them. */
static struct crowd_question questions[64];
static int16_t centres[64][DIMENSIONS];
static const int16_t ones[2] = {-1, 1};

static int ask(const int *at, size_t count, uint32_t radius) {
  heard.count = 0;
  for (size_t i = 0; i < count; i++) {
    memset(centres[i], 0, sizeof centres[i]);
    centres[i][0] = (int16_t)at[i];
    questions[i] = (struct crowd_question){(uint64_t)at[i], centres[i], ones, 1, radius * radius};
  }
  return poll_session_ask(&session, &crowd, questions, count, receive, &heard);
}

/* The uses on disk; the most that a unit has. */
static uint32_t stored(uint16_t used[UNITS]) {
  uint8_t *state;
  void *bytes;
  size_t size;
  uint32_t most = 0;
  ck_assert_int_eq(journal_state(&ledger, 1, &bytes, &size), 0);
  memset(used, 0, UNITS * sizeof *used);
  if (!bytes) return 0;
  state = bytes;
  ck_assert_uint_eq(size, DIGEST_SIZE + 4 + 2 * UNITS);
  for (uint32_t u = 0; u < UNITS; u++) {
    used[u] = (uint16_t)(state[DIGEST_SIZE + 4 + 2 * u] | state[DIGEST_SIZE + 5 + 2 * u] << 8);
    if (used[u] > most) most = used[u];
  }
  free(bytes);
  return most;
}

START_TEST(test_those_near_answer_and_no_others) {
  static const int at[] = {20, 80, 10, 90};
  uint16_t used[UNITS];
  crowd_make(UNITS, 1);
  begin();
  ck_assert_int_eq(ask(at, 4, 15), 0);
  ck_assert_uint_eq(heard.count, 4);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(heard.yes[i], at[i] < 50);
  ck_assert_uint_eq(session.answers, 4);
  stored(used);
  for (uint32_t u = 0; u < UNITS; u++) {
    int place = (int)(u / 4), times = 0;
    for (int i = 0; i < 4; i++)
      times += abs(place - at[i]) <= 15;
    ck_assert_uint_eq(used[u], (unsigned)times);
  }
  end();
}
END_TEST

/* No unit votes more than B times, however often it is asked, in one session or in several; then it is not heard. */
START_TEST(test_no_unit_votes_more_than_b_times) {
  static const int same_place[] = {20, 20, 20, 20};
  uint16_t used[UNITS];
  crowd_make(UNITS, 1);
  for (int life = 0; life < 3; life++) {
    begin();
    session.past.count = 0; /* another run that asks other questions: nothing is recalled */
    ck_assert_int_eq(ask(same_place, 4, 15), 0);
    ck_assert_uint_le(stored(used), VOTES);
    ck_assert_uint_eq(used[4 * 20], life ? VOTES : 4);
    ck_assert_uint_eq(used[4 * 90], 0);
    end();
  }
}
END_TEST

/* After B votes the lead is 0: yes as often as no. */
START_TEST(test_who_is_retired_tells_nothing) {
  int at[64], yes = 0;
  for (int i = 0; i < 64; i++)
    at[i] = 20;
  crowd_make(UNITS, 1);
  begin();
  ck_assert_int_eq(ask(at, VOTES, 15), 0);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(ask(at, 64, 15), 0);
    for (int k = 0; k < 64; k++)
      yes += heard.yes[k];
  }
  ck_assert_int_gt(yes, 80); /* 128 on average, standard deviation 8 */
  ck_assert_int_lt(yes, 176);
  end();
}
END_TEST

/* What was answered is recalled, without a vote; a question that was not asked before is asked. */
START_TEST(test_answers_are_kept_and_recalled) {
  static const int first[] = {20, 80, 50, 50, 50, 50, 50}, more[] = {20, 80, 50, 50, 50, 50, 50, 30};
  uint16_t before[UNITS], after[UNITS];
  int said[7];
  crowd_make(UNITS, 1);
  begin();
  ck_assert_int_eq(ask(first, 7, 15), 0);
  for (int i = 0; i < 7; i++)
    said[i] = heard.yes[i];
  stored(before);
  end();
  begin();
  coins_seed(&coins, 77);
  ck_assert_int_eq(ask(first, 7, 15), 0);
  ck_assert_uint_eq(session.recalled, 7);
  for (int i = 0; i < 7; i++)
    ck_assert_int_eq(heard.yes[i], said[i]);
  stored(after);
  ck_assert_int_eq(memcmp(before, after, sizeof before), 0);
  end();
  begin();
  ck_assert_int_eq(ask(more, 8, 15), 0);
  ck_assert_uint_eq(session.recalled, 7);
  ck_assert_uint_eq(heard.count, 8);
  stored(after);
  ck_assert_uint_eq(after[4 * 30], before[4 * 30] + 1u);
  end();
  ck_assert_int_eq(ledgers_look(&ledger), 0);
  ck_assert_uint_eq(ledger.plan_count, 1); /* paid for once */
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_only_the_same_file_goes_on) {
  static const int at[] = {20};
  crowd_make(UNITS, 1);
  begin();
  ck_assert_int_eq(ask(at, 1, 15), 0);
  end();
  scratch_expect(EXIT_REFUSED, begin_with(other, UNITS, 0), "another version of the private file");
  leave();
  scratch_expect(EXIT_INPUT, begin_with(same, UNITS + 1, 0), "damaged");
  leave();
  ck_assert_int_eq(begin_with(other, UNITS, 1), 0); /* anew, and paid for anew */
  ck_assert_uint_eq(ledger.plan_count, 2);
  ck_assert_uint_eq(session.poll.uses.used[4 * 20], 0);
  ck_assert_int_eq(ask(at, 1, 15), 0);
  ck_assert_uint_eq(session.recalled, 0);
  end();
  ck_assert_int_eq(begin_with(other, UNITS, 0), 0); /* the last one goes on */
  ck_assert_uint_eq(ledger.plan_count, 2);
  ck_assert_uint_eq(session.poll.uses.used[4 * 20], 1);
  end();
}
END_TEST

/* One vote a person, whatever number of records it has: those of 100 persons cannot outweigh 130. */
START_TEST(test_a_unit_has_one_vote) {
  static const int at[] = {12};
  static int16_t centre[DIMENSIONS];
  struct crowd_question question = {0, centre, ones, 1, UINT32_MAX};
  coins_seed(&coins, 1);
  crowd_make(UNITS, 3);
  begin();
  ck_assert_int_eq(ask(at, 1, 4), 0);
  for (uint32_t u = 0; u < UNITS; u++)
    ck_assert_uint_eq(session.poll.uses.used[u], abs((int)(u / 4) - 12) <= 4);
  ck_assert_int_eq(poll_session_ask(&session, &crowd, &question, 1, receive, &heard), 0);
  ck_assert_uint_eq(session.poll.uses.size, UNITS);
  end();
}
END_TEST

START_TEST(test_what_is_refused_spends_nothing) {
  static const int at[] = {20};
  static const int16_t heavy[2] = {2, -1};
  struct plan_box toll = {0};
  uint64_t rows;
  uint16_t used[UNITS];
  plans_make(&toll, PLAN_MECHANISM_TOLL, VOTES);
  crowd_make(UNITS, 1);
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  scratch_expect(EXIT_INPUT, poll_session_begin(&session, &ledger, &coins, &toll, 2, UNITS, same, 0), "not the plan");
  plan_free(&toll);
  plans_make(&plan, PLAN_MECHANISM_POLL, VOTES);
  plan.toll.limit++;
  scratch_expect(EXIT_REFUSED, poll_session_begin(&session, &ledger, &coins, &plan, 2, UNITS, same, 0),
                 "not certified");
  plan.toll.limit--;
  ck_assert_uint_eq(ledger.plan_count, 0);
  leave();
  begin();
  rows = ledger.rows;
  ck_assert_int_eq(ask(at, 0, 15), 0); /* nothing was asked */
  questions[0] = (struct crowd_question){0, centres[0], heavy, 1, 1};
  scratch_expect(EXIT_REFUSED, poll_session_ask(&session, &crowd, questions, 1, receive, &heard), "weight");
  questions[0].most = 0;
  scratch_expect(EXIT_REFUSED, poll_session_ask(&session, &crowd, questions, 1, receive, &heard), "weight");
  ck_assert_uint_eq(ledger.rows, rows);
  ck_assert_uint_eq(stored(used), 0);
  end();
}
END_TEST

static int ask_in_child(void *context) {
  static const int at[] = {20};
  (void)context;
  return ask(at, 1, 15);
}

START_TEST(test_a_forked_process_asks_nothing) {
  crowd_make(UNITS, 1);
  begin();
  ck_assert_int_ne(children_run(ask_in_child, NULL), EXIT_OK);
  ck_assert_uint_eq(ledger.rows, 2);
  end();
}
END_TEST

/* ---- a disk that is full ---- */

#define BATCHES 6

static struct {
  size_t heard[BATCHES];
  int began;
} * seen;

/* Asks batch after batch while no file may grow beyond `context` bytes. */
static int ask_on_a_full_disk(void *context) {
  const struct rlimit limit = {*(rlim_t *)context, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  coins_seed(&coins, 1);
  if (ledgers_open(&ledger, 1) || poll_session_begin(&session, &ledger, &coins, &plan, 2, UNITS, same, 0)) return 1;
  seen->began = 1;
  for (int i = 0; i < BATCHES; i++) {
    const int at[] = {10 * i, 10 * i + 1, 10 * i + 2};
    int code = ask(at, 3, 3);
    seen->heard[i] = heard.count;
    if (code) return 1;
  }
  return 0;
}

/* Whatever was heard is in the journal, and whoever voted on it is counted there: wherever the disk was full. */
START_TEST(test_a_full_disk_gives_no_answer_away) {
  int partly = 0, all = 0, lost = 0;
  seen = children_share(sizeof *seen);
  plans_make(&plan, PLAN_MECHANISM_POLL, VOTES);
  crowd_make(UNITS, 1);
  for (rlim_t limit = 1024; !all; limit += 512) {
    size_t answers = 0;
    uint16_t used[UNITS];
    memset(seen, 0, sizeof *seen);
    all = children_run(ask_on_a_full_disk, &limit) == 0;
    if (!seen->began) {
      unlink("l"), unlink("l-wal"), unlink("l-mark");
      continue;
    }
    begin();
    stored(used);
    answers = session.past.count;
    for (int i = 0; i < BATCHES; i++) {
      ck_assert(seen->heard[i] == 0 || seen->heard[i] == 3);
      answers -= seen->heard[i];
      for (int u = 40 * i; u < 40 * i + 12 && seen->heard[i]; u++)
        ck_assert_uint_ge(used[u], 3);
      partly += !seen->heard[i] && i && seen->heard[i - 1];
      lost += !seen->heard[i] && used[40 * i] > 2;
    }
    ck_assert_uint_le(answers, 3); /* a batch that was journalled after the reader had left */
    end();
    unlink("l");
  }
  ck_assert_int_gt(partly, 3);
  ck_assert_int_gt(lost, 0); /* stored and not answered: votes that are spent, and no more than these */
}
END_TEST

/* ---- a crowd in several processes ---- */

#define PARTS 3u

/* The units of `crowd` in blocks, the second one of a single unit; `order` says in which order they are put together. */
static struct {
  struct crowd crowd[PARTS];
  uint32_t first[PARTS], order[PARTS];
} parts;

static int part_list(void *context, const struct crowd_question *asked, size_t count, struct crowd_lists *lists) {
  struct crowd_lists one[PARTS] = {{0}};
  size_t at = 0;
  ck_assert_ptr_eq(context, &parts);
  for (uint32_t p = 0; p < PARTS; p++)
    ck_assert_int_eq(crowd_list(&parts.crowd[p], parts.first[p], asked, count, &one[p]), 0);
  ck_assert_int_eq(crowd_lists_reserve(lists, count, one[0].start[count] + one[1].start[count] + one[2].start[count]),
                   0);
  for (size_t i = 0; i < count; i++) {
    lists->start[i] = at;
    for (uint32_t k = 0; k < PARTS; k++) {
      const struct crowd_lists *mine = &one[parts.order[k]];
      for (size_t j = mine->start[i]; j < mine->start[i + 1]; j++, at++) {
        lists->units[at] = mine->units[j];
        lists->labels[at] = mine->labels[j];
      }
    }
    lists->start[i + 1] = at;
  }
  for (uint32_t p = 0; p < PARTS; p++)
    crowd_lists_free(&one[p]);
  return 0;
}

/* Records r of `crowd` with `each` a unit, those of units first .. last - 1. */
static void part_make(uint32_t p, uint32_t first, uint32_t last, uint32_t each) {
  struct crowd *part = &parts.crowd[p];
  uint32_t records = (last - first) * each;
  parts.first[p] = first;
  parts.order[p] = p;
  ck_assert_int_eq(crowd_init(part, records, DIMENSIONS, each > 1), 0);
  memcpy(part->records.places, crowd.records.places + (size_t)first * each * DIMENSIONS,
         (size_t)records * DIMENSIONS * sizeof *part->records.places);
  memcpy(part->labels, crowd.labels + (size_t)first * each, records * sizeof *part->labels);
  part->units = last - first;
  for (uint32_t u = 0; each > 1 && u <= part->units; u++)
    part->first[u] = u * each;
  part->at_once = 3; /* fewer than are asked */
  ck_assert_int_eq(crowd_settle(part), 0);
}

static void crowd_split(uint32_t each) {
  part_make(0, 0, 150, each);
  part_make(1, 150, 151, each);
  part_make(2, 151, UNITS, each);
  crowd_free(&crowd);
  crowd = (struct crowd){.records = {.dimensions = DIMENSIONS}, .units = UNITS, .at_once = 4};
  crowd.lister = part_list;
  crowd.context = &parts;
}

static void parts_end(void) {
  for (uint32_t p = 0; p < PARTS; p++)
    crowd_free(&parts.crowd[p]);
}

/* The same coins: the same answers and uses, each record a unit or two. */
START_TEST(test_a_crowd_in_parts_answers_alike) {
  static const int at[] = {37, 38, 20, 0, 99, 50, 61, 37, 150};
  uint16_t wanted[UNITS], used[UNITS];
  for (uint32_t each = 1; each <= 2; each++) {
    int yes[9];
    crowd_make(UNITS, each);
    begin();
    ck_assert_int_eq(ask(at, 9, 7), 0);
    memcpy(yes, heard.yes, sizeof yes);
    stored(wanted);
    end();
    unlink("l");
    crowd_split(each);
    begin();
    ck_assert_int_eq(ask(at, 9, 7), 0);
    ck_assert_int_eq(memcmp(yes, heard.yes, sizeof yes), 0);
    ck_assert_uint_gt(stored(used), 2);
    ck_assert_int_eq(memcmp(wanted, used, sizeof used), 0);
    end();
    unlink("l");
    parts_end();
  }
}
END_TEST

/* A list that is not one: the core refuses it, and no vote is spent. */
START_TEST(test_a_list_out_of_order_spends_nothing) {
  static const int at[] = {37, 38};
  uint16_t used[UNITS];
  crowd_make(UNITS, 1);
  crowd_split(1);
  parts.order[0] = 2;
  parts.order[2] = 0;
  begin();
  ck_assert_int_eq(ask(at, 2, 7), EXIT_REFUSED);
  ck_assert_uint_eq(heard.count, 0);
  ck_assert_uint_eq(stored(used), 0);
  leave();
  parts_end();
}
END_TEST

SCRATCH_MAIN("poll_session", test_those_near_answer_and_no_others, test_no_unit_votes_more_than_b_times,
             test_who_is_retired_tells_nothing, test_answers_are_kept_and_recalled, test_only_the_same_file_goes_on,
             test_a_unit_has_one_vote, test_a_full_disk_gives_no_answer_away, test_what_is_refused_spends_nothing,
             test_a_forked_process_asks_nothing, test_a_crowd_in_parts_answers_alike,
             test_a_list_out_of_order_spends_nothing)

#include <math.h>
#include <pthread.h>

#include "base/error.h"
#include "core/fumata.h"
#include "door/door.h"
#include "support/children.h"
#include "support/polls.h"
#include "support/scratch.h"

/* Every refusal gives its code, a text that has this part, and not a word on the terminal. */
static void expect(int wanted, int code, const char *part) {
  ck_assert_msg(code == wanted, "code %d instead of %d: %s", code, wanted, fumata_door_error());
  ck_assert_msg(strstr(fumata_door_error(), part) != NULL, "wanted '%s', heard '%s'", part, fumata_door_error());
  ck_assert_int_eq(lseek(STDERR_FILENO, 0, SEEK_CUR), 0);
  ck_assert_uint_eq(strlen(fumata_door_error()) > 0, code != EXIT_OK);
}

static fumata_door_plan *make(const char *mechanism) {
  fumata_door_plan *plan = NULL;
  expect(EXIT_OK, fumata_door_plan_make("8", "1e-5", 5, mechanism, &plan), "");
  ck_assert_ptr_nonnull(plan);
  return plan;
}

static fumata_door_meter *begin(const fumata_door_plan *plan) {
  fumata_door_meter *meter = NULL;
  expect(EXIT_OK, fumata_door_meter_open(plan, "l", POLLS_CLASSES, NULL, NULL, 0, &meter), "");
  ck_assert_ptr_nonnull(meter);
  return meter;
}

START_TEST(test_plans_are_made_or_refused) {
  static const struct {
    const char *epsilon, *delta;
    uint32_t silences;
    const char *mechanism;
    int code;
    const char *part;
  } wrong[] = {{"0", "1e-5", 5, "meter", EXIT_INPUT, "epsilon: '0' is not a positive number"},
               {NULL, "1e-5", 5, "meter", EXIT_INPUT, "epsilon: nothing is given"},
               {"8", "2", 5, "meter", EXIT_INPUT, "delta: '2' must be below 1"},
               {"8", NULL, 5, "meter", EXIT_INPUT, "delta: nothing is given"},
               {"8", "1e-5", 0, "meter", EXIT_INPUT, "silences: 0 is not within 1 to 1000000"},
               {"8", "1e-5", 1000001, "meter", EXIT_INPUT, "silences: 1000001 is not within"},
               {"8", "1e-5", 5, "magic", EXIT_INPUT, "mechanism: 'magic' is neither meter nor classic"},
               {"8", "1e-5", 5, "toll", EXIT_INPUT, "mechanism: 'toll' is neither meter nor classic"},
               {"8", "1e-5", 5, NULL, EXIT_INPUT, "mechanism: nothing is given"},
               {"1", "1e-19", 1, "meter", EXIT_REFUSED, "no plan keeps epsilon 1"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fumata_door_plan *plan = (fumata_door_plan *)&wrong;
    int code = fumata_door_plan_make(wrong[i].epsilon, wrong[i].delta, wrong[i].silences, wrong[i].mechanism, &plan);
    expect(wrong[i].code, code, wrong[i].part);
    ck_assert_ptr_null(plan);
  }
  fumata_door_plan_free(make("meter"));
  fumata_door_plan_free(make("classic"));
  fumata_door_plan_free(NULL);
}
END_TEST

/* A NULL is an error, or it has nothing. */
START_TEST(test_nothing_is_given) {
  fumata_door_plan *plan = make("meter");
  fumata_door_facts facts;
  fumata_door_toll_facts toll;
  fumata_door_meter *meter;
  uint8_t vote = 0;
  int32_t answer;
  expect(EXIT_INPUT, fumata_door_plan_make("8", "1e-5", 5, "meter", NULL), "where the plan goes: nothing is given");
  expect(EXIT_INPUT, fumata_door_plan_budget("8", "1e-5", 5, 5, NULL), "where the plan goes: nothing is given");
  expect(EXIT_INPUT, fumata_door_plan_read(NULL, NULL), "path: nothing is given");
  expect(EXIT_INPUT, fumata_door_plan_write(NULL, "p"), "plan: nothing is given");
  expect(EXIT_INPUT, fumata_door_meter_open(plan, "l", 2, NULL, NULL, 0, NULL), "where the meter goes");
  expect(EXIT_INPUT, fumata_door_meter_open(NULL, "l", 2, NULL, NULL, 0, &meter), "plan: nothing is given");
  expect(EXIT_INPUT, fumata_door_meter_answer(NULL, &vote, FUMATA_DOOR_LABELS8, 1, 1, &answer, NULL),
         "where the number");
  expect(EXIT_INPUT, fumata_door_ledger_answers("l", NULL, 0, NULL), "where the number");
  expect(EXIT_INPUT, fumata_door_meter_close(NULL), "meter: nothing is given");
  fumata_door_plan_facts(NULL, &facts);
  fumata_door_plan_toll_facts(NULL, &toll);
  ck_assert_uint_eq(facts.silences + facts.size + toll.answers + toll.size, 0);
  fumata_door_plan_facts(plan, NULL);
  fumata_door_plan_toll_facts(plan, NULL);
  ck_assert(fumata_door_plan_silence(NULL, 9) == 1 && fumata_door_plan_named(NULL, 9) == 0);
  ck_assert_uint_eq(fumata_door_meter_left(NULL) + fumata_door_meter_answers_left(NULL), 0);
  fumata_door_meter_reserve(NULL, 1, 1);
  ck_assert(access("l", F_OK) != 0);
  fumata_door_plan_free(plan);
}
END_TEST

START_TEST(test_facts) {
  fumata_door_plan *meter = make("meter"), *classic = make("classic");
  fumata_door_facts facts;
  fumata_door_plan_facts(meter, &facts);
  ck_assert_uint_eq(facts.epsilon_num, 8);
  ck_assert_uint_eq(facts.epsilon_den, 1);
  ck_assert_uint_eq(facts.delta_num, 1);
  ck_assert_uint_eq(facts.delta_den, 100000);
  ck_assert_uint_eq(facts.silences, 5);
  ck_assert_uint_eq(facts.is_classic, 0);
  ck_assert_uint_gt(facts.size, 10);
  ck_assert(fumata_door_plan_silence(meter, 0) == 1);
  ck_assert(fumata_door_plan_silence(meter, 1) == (double)facts.table[0] / 0x1p64);
  ck_assert(fumata_door_plan_silence(meter, 1000) < 1e-5);
  fumata_door_plan_facts(classic, &facts);
  ck_assert_uint_eq(facts.is_classic, 1);
  ck_assert_uint_eq(facts.silences, 5);
  ck_assert_uint_eq(facts.size, 0);
  ck_assert_ptr_null(facts.table);
  ck_assert(fumata_door_plan_silence(classic, 0) > 0.99);
  fumata_door_plan_free(meter);
  fumata_door_plan_free(classic);
}
END_TEST

START_TEST(test_a_callers_table_must_be_certified) {
  fumata_door_plan *plan = make("meter"), *again;
  fumata_door_facts facts, other;
  uint64_t table[FUMATA_TABLE_MAX];
  fumata_door_plan_facts(plan, &facts);
  memcpy(table, facts.table, facts.size * sizeof *table);
  expect(EXIT_OK, fumata_door_plan_trust("8", "1e-5", 5, facts.alpha, facts.v, table, facts.size, &again), "");
  fumata_door_plan_facts(again, &other);
  ck_assert_ptr_ne(other.table, table); /* copied */
  ck_assert_mem_eq(other.table, facts.table, facts.size * sizeof *table);
  fumata_door_plan_free(again);
  expect(EXIT_REFUSED, fumata_door_plan_trust("7.9", "1e-5", 5, facts.alpha, facts.v, table, facts.size, &again),
         "not certified");
  ck_assert_ptr_null(again);
  expect(EXIT_REFUSED, fumata_door_plan_trust("8", "1e-5", 6, facts.alpha, facts.v, table, facts.size, &again),
         "not certified");
  expect(EXIT_INPUT, fumata_door_plan_trust("8", "1e-5", 5, facts.alpha, facts.v, table, 0, &again),
         "table: must have 1 to 262144 entries");
  expect(EXIT_INPUT, fumata_door_plan_trust("8", "1e-5", 5, facts.alpha, facts.v, table, 262145, &again),
         "table: must have 1 to 262144 entries");
  expect(EXIT_INPUT, fumata_door_plan_trust("8", "1e-5", 5, facts.alpha, facts.v, NULL, 5, &again),
         "table: nothing is given");
  expect(EXIT_INPUT, fumata_door_plan_trust("x", "1e-5", 5, facts.alpha, facts.v, table, facts.size, &again),
         "epsilon: 'x'");
  table[3] = table[2] + 1;
  expect(EXIT_REFUSED, fumata_door_plan_trust("8", "1e-5", 5, facts.alpha, facts.v, table, facts.size, &again),
         "not certified");
  fumata_door_plan_free(plan);
}
END_TEST

START_TEST(test_plan_files) {
  fumata_door_plan *plan = make("classic"), *again;
  fumata_door_facts facts;
  expect(EXIT_OK, fumata_door_plan_write(plan, "a.plan"), "");
  expect(EXIT_OK, fumata_door_plan_read("a.plan", &again), "");
  fumata_door_plan_facts(again, &facts);
  ck_assert_uint_eq(facts.is_classic, 1);
  fumata_door_plan_free(again);
  expect(EXIT_INPUT, fumata_door_plan_read("nowhere", &again), "nowhere: cannot read: No such file");
  ck_assert_ptr_null(again);
  expect(EXIT_INPUT, fumata_door_plan_read(NULL, &again), "path: nothing is given");
  expect(EXIT_SYSTEM, fumata_door_plan_write(plan, "/proc/nowhere/a.plan"), "nowhere/a.plan");
  expect(EXIT_INPUT, fumata_door_plan_write(plan, NULL), "path: nothing is given");
  expect(EXIT_INPUT, fumata_door_plan_write(NULL, "b.plan"), "plan: nothing is given");
  ck_assert_int_eq(system("sed s/^silences.*/silences\\ 6/ a.plan >b.plan"), 0);
  expect(EXIT_INPUT, fumata_door_plan_read("b.plan", &again), "the checksum differs");
  fumata_door_plan_free(plan);
}
END_TEST

START_TEST(test_meters_are_opened_or_refused) {
  fumata_door_plan *plan = make("meter");
  fumata_door_meter *meter, *other;
  expect(EXIT_INPUT, fumata_door_meter_open(NULL, "l", 3, NULL, NULL, 0, &meter), "plan: nothing is given");
  expect(EXIT_INPUT, fumata_door_meter_open(plan, NULL, 3, NULL, NULL, 0, &meter), "ledger: nothing is given");
  expect(EXIT_INPUT, fumata_door_meter_open(plan, "l", 1, NULL, NULL, 0, &meter), "classes");
  expect(EXIT_INPUT, fumata_door_meter_open(plan, "l", FUMATA_CLASSES_MAX + 1, NULL, NULL, 0, &meter), "classes");
  expect(EXIT_INPUT, fumata_door_meter_open(plan, "l", 3, "much", NULL, 0, &meter),
         "total_epsilon: 'much' is not a number");
  expect(EXIT_INPUT, fumata_door_meter_open(plan, "l", 3, NULL, "-1", 0, &meter), "total_delta: '-1' is not a number");
  expect(EXIT_REFUSED, fumata_door_meter_open(plan, "l", 3, "7", NULL, 0, &meter), "epsilon 8 more is too much");
  expect(EXIT_SYSTEM, fumata_door_meter_open(plan, "nowhere/l", 3, NULL, NULL, 0, &meter), "nowhere/l");
  ck_assert_ptr_null(meter);
  ck_assert_int_ne(access("l", F_OK), 0);
  meter = begin(plan);
  expect(EXIT_REFUSED, fumata_door_meter_open(plan, "l", 3, NULL, NULL, 0, &other), "in use by another process");
  expect(EXIT_OK, fumata_door_meter_close(meter), "");
  expect(EXIT_INPUT, fumata_door_meter_close(NULL), "meter: nothing is given");
  fumata_door_plan_free(plan);
}
END_TEST

static const int wanted[7] = {2, POLLS_TIE, 0, POLLS_TIE, 1, POLLS_TIE, 1};

/* Refused as a whole: nothing is answered and nothing spent. */
static void refuse(fumata_door_meter *meter, const void *votes, int kind, uint32_t columns, const char *part) {
  int32_t answers[POLLS_MOST];
  uint64_t done = 77;
  expect(EXIT_INPUT, fumata_door_meter_answer(meter, votes, kind, 7, columns, answers, &done), part);
  ck_assert_uint_eq(done, 0);
  ck_assert_uint_eq(fumata_door_meter_left(meter), 5);
}

START_TEST(test_wrong_shapes_spend_nothing) {
  static struct polls polls;
  fumata_door_plan *plan = make("meter");
  fumata_door_meter *meter = begin(plan);
  uint64_t done = 77;
  polls_make(&polls, wanted, 7);
  refuse(meter, polls.labels8, 0, POLLS_TEACHERS, "no such kind of votes");
  refuse(meter, polls.labels8, 4, POLLS_TEACHERS, "no such kind of votes");
  refuse(meter, NULL, FUMATA_DOOR_LABELS8, POLLS_TEACHERS, "votes: nothing is given");
  refuse(meter, polls.labels8, FUMATA_DOOR_LABELS8, 0, "votes must number 1 to");
  refuse(meter, polls.labels8, FUMATA_DOOR_LABELS8, FUMATA_TEACHERS_MAX + 1, "votes must number 1 to");
  refuse(meter, polls.labels16, FUMATA_DOOR_LABELS16, 0, "votes must number 1 to");
  refuse(meter, polls.counts, FUMATA_DOOR_COUNTS, 2, "counts have 2 columns but there are 3 classes");
  expect(EXIT_INPUT, fumata_door_meter_answer(NULL, polls.labels8, FUMATA_DOOR_LABELS8, 7, 9, NULL, &done),
         "meter: nothing is given");
  expect(EXIT_INPUT, fumata_door_meter_answer(meter, polls.counts, FUMATA_DOOR_COUNTS, 1, POLLS_CLASSES, NULL, &done),
         "answers: nothing is given");
  ck_assert_uint_eq(done, 0);
  expect(EXIT_OK, fumata_door_meter_close(meter), "");
  fumata_door_plan_free(plan);
}
END_TEST

/* A wrong vote does not stop the others. */
START_TEST(test_bad_votes_abstain) {
  static const int unanimous[3] = {2, 1, 0};
  static struct polls polls;
  const void *const votes[] = {polls.labels8, polls.labels16, polls.counts, polls.counts};
  static const int kinds[] = {FUMATA_DOOR_LABELS8, FUMATA_DOOR_LABELS16, FUMATA_DOOR_COUNTS, FUMATA_DOOR_COUNTS};
  fumata_door_plan *plan = make("meter");
  fumata_door_meter *meter = begin(plan);
  polls_make(&polls, unanimous, 3);
  polls.labels8[5] = 3;
  memset(polls.labels8 + POLLS_TEACHERS, 0xff, POLLS_TEACHERS);
  polls.labels16[5] = 300;
  memset(polls.labels16 + POLLS_TEACHERS, 0xff, POLLS_TEACHERS * sizeof *polls.labels16);
  for (int i = 0; i < 4; i++) {
    int32_t answers[POLLS_MOST];
    uint64_t done;
    memset(polls.counts + POLLS_CLASSES, i == 3 ? 0xff : 0, POLLS_CLASSES * sizeof *polls.counts);
    expect(
        EXIT_OK,
        fumata_door_meter_answer(meter, votes[i], kinds[i], 3, i < 2 ? POLLS_TEACHERS : POLLS_CLASSES, answers, &done),
        "");
    ck_assert_uint_eq(done, 3);
    ck_assert_int_eq(answers[0], 2);
    ck_assert_int_eq(answers[1], FUMATA_SILENT);
    ck_assert_int_eq(answers[2], 0);
  }
  ck_assert_uint_eq(fumata_door_meter_left(meter), 1);
  expect(EXIT_OK, fumata_door_meter_close(meter), "");
  fumata_door_plan_free(plan);
}
END_TEST

START_TEST(test_every_kind_is_answered_until_the_budget_closes) {
  static struct polls polls;
  const void *const votes[] = {polls.labels8, polls.labels16, polls.counts};
  static const int kinds[] = {FUMATA_DOOR_LABELS8, FUMATA_DOOR_LABELS16, FUMATA_DOOR_COUNTS};
  polls_make(&polls, wanted, 7);
  for (int i = 0; i < 3; i++) {
    fumata_door_plan *plan = make("meter");
    fumata_door_meter *meter = begin(plan);
    uint32_t columns = i == 2 ? POLLS_CLASSES : POLLS_TEACHERS;
    int32_t answers[POLLS_MOST];
    uint64_t done;
    expect(EXIT_OK, fumata_door_meter_answer(meter, votes[i], kinds[i], 0, columns, NULL, &done), "");
    ck_assert_uint_eq(done, 0);
    expect(EXIT_OK, fumata_door_meter_answer(meter, votes[i], kinds[i], 7, columns, answers, &done), "");
    ck_assert_uint_eq(done, 7);
    for (int q = 0; q < 7; q++)
      ck_assert_int_eq(answers[q], wanted[q] == POLLS_TIE ? FUMATA_SILENT : wanted[q]);
    ck_assert_uint_eq(fumata_door_meter_left(meter), 2);
    expect(EXIT_OK, fumata_door_meter_answer(meter, votes[i], kinds[i], 7, columns, answers, &done), "");
    ck_assert_uint_eq(done, 4); /* up to the last silence */
    ck_assert_uint_eq(fumata_door_meter_left(meter), 0);
    expect(EXIT_OK, fumata_door_meter_close(meter), "");
    expect(EXIT_REFUSED, fumata_door_meter_open(plan, "l", POLLS_CLASSES, NULL, NULL, 0, &meter),
           "this plan's 5 silences are spent");
    expect(EXIT_OK, fumata_door_meter_open(plan, "l", POLLS_CLASSES, NULL, NULL, 1, &meter), "");
    ck_assert_uint_eq(fumata_door_meter_left(meter), 5);
    expect(EXIT_OK, fumata_door_meter_close(meter), "");
    fumata_door_plan_free(plan);
    ck_assert_int_eq(unlink("l"), 0);
  }
}
END_TEST

START_TEST(test_an_unused_reservation_comes_back) {
  static struct polls polls;
  fumata_door_plan *plan = make("meter");
  int32_t answers[POLLS_MOST];
  uint64_t done;
  polls_make(&polls, wanted, 1);
  for (int i = 0; i < 2; i++) {
    fumata_door_meter *meter = begin(plan);
    ck_assert_uint_eq(fumata_door_meter_left(meter), 5);
    expect(EXIT_OK, fumata_door_meter_answer(meter, polls.counts, FUMATA_DOOR_COUNTS, 1, POLLS_CLASSES, answers, &done),
           "");
    expect(EXIT_OK, fumata_door_meter_close(meter), "");
  }
  fumata_door_plan_free(plan);
}
END_TEST

/* 1: something was answered; 2: it was not refused. */
static int answer_anyway(void *meter) {
  static const uint32_t tie[POLLS_CLASSES] = {100, 100, 0};
  int32_t answers[1];
  uint64_t done;
  int code = fumata_door_meter_answer(meter, tie, FUMATA_DOOR_COUNTS, 1, POLLS_CLASSES, answers, &done);
  if (done) return 1;
  return code == EXIT_REFUSED && strstr(fumata_door_error(), "another process") ? 0 : 2;
}

static int close_anyway(void *meter) {
  int code = fumata_door_meter_close(meter);
  return code == EXIT_REFUSED && strstr(fumata_door_error(), "another process") ? 0 : 2;
}

START_TEST(test_a_forked_process_has_no_meter) {
  static struct polls polls;
  fumata_door_plan *plan = make("meter");
  fumata_door_meter *meter = begin(plan);
  int32_t answers[POLLS_MOST];
  uint64_t done;
  polls_make(&polls, wanted, 2);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(children_run(answer_anyway, meter), 0);
    ck_assert_int_eq(children_run(close_anyway, meter), 0);
    expect(EXIT_OK, fumata_door_meter_answer(meter, polls.counts, FUMATA_DOOR_COUNTS, 2, POLLS_CLASSES, answers, &done),
           "");
    ck_assert_uint_eq(done, 2);
  }
  ck_assert_uint_eq(fumata_door_meter_left(meter), 3);
  expect(EXIT_OK, fumata_door_meter_close(meter), "");
  fumata_door_plan_free(plan);
}
END_TEST

static void *hear_own_errors(void *path) {
  size_t strange = 0;
  for (int i = 0; i < 3000; i++) {
    fumata_door_plan *plan;
    int code = fumata_door_plan_read(path, &plan);
    strange += code != EXIT_INPUT || strncmp(fumata_door_error(), path, strlen(path)) != 0;
  }
  return (void *)strange;
}

/* Each thread, with handles of its own, hears its own errors. */
START_TEST(test_threads_hear_their_own_errors) {
  char paths[4][8] = {"nohow", "nowhere", "never", "none"};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(threads + i, NULL, hear_own_errors, paths[i]), 0);
  for (int i = 0; i < 4; i++) {
    void *strange;
    ck_assert_int_eq(pthread_join(threads[i], &strange), 0);
    ck_assert_ptr_null(strange);
  }
  ck_assert_int_eq(lseek(STDERR_FILENO, 0, SEEK_CUR), 0);
}
END_TEST

static fumata_door_plan *make_budget(uint32_t silences, uint32_t answers) {
  fumata_door_plan *plan = NULL;
  expect(EXIT_OK, fumata_door_plan_budget("8", "1e-5", silences, answers, &plan), "");
  ck_assert_ptr_nonnull(plan);
  return plan;
}

START_TEST(test_plans_with_answers) {
  fumata_door_plan *toll = make_budget(0, 40), *both = make_budget(5, 40), *meter = make_budget(5, 0), *again;
  fumata_door_toll_facts facts;
  fumata_door_facts silences;
  uint64_t named[FUMATA_TABLE_MAX];
  fumata_door_plan_toll_facts(toll, &facts);
  fumata_door_plan_facts(toll, &silences);
  ck_assert_uint_eq(facts.answers, 40);
  ck_assert_uint_eq(silences.silences, 0);
  ck_assert_ptr_null(silences.table);
  ck_assert(fumata_door_plan_named(toll, 0) == 0.5);
  ck_assert(fabs(fumata_door_plan_named(toll, 1) - (double)facts.named[0] / 0x1p64) < 1e-12);
  ck_assert(fumata_door_plan_named(toll, 1000) > 0.99999);
  memcpy(named, facts.named, facts.size * sizeof *named);
  expect(EXIT_OK, fumata_door_plan_trust_toll("8", "1e-5", 40, silences.alpha, facts.u, named, facts.size, &again), "");
  fumata_door_plan_free(again);
  expect(EXIT_REFUSED, fumata_door_plan_trust_toll("8", "1e-5", 41, silences.alpha, facts.u, named, facts.size, &again),
         "not certified");
  expect(EXIT_INPUT, fumata_door_plan_trust_toll("8", "1e-5", 0, silences.alpha, facts.u, named, facts.size, &again),
         "answers: must be");
  expect(EXIT_INPUT, fumata_door_plan_trust_toll("8", "1e-5", 40, silences.alpha, facts.u, NULL, 5, &again),
         "table: nothing is given");
  fumata_door_plan_toll_facts(both, &facts);
  fumata_door_plan_facts(both, &silences);
  ck_assert_uint_eq(facts.answers, 40);
  ck_assert_uint_eq(silences.silences, 5);
  ck_assert_uint_gt(silences.size, 10);
  fumata_door_plan_toll_facts(meter, &facts);
  ck_assert_uint_eq(facts.answers, 0);
  ck_assert_ptr_null(facts.named);
  ck_assert(fumata_door_plan_named(meter, 1000) == 0);
  expect(EXIT_INPUT, fumata_door_plan_budget("8", "1e-5", 0, 0, &again), "silences: must be");
  expect(EXIT_INPUT, fumata_door_plan_budget(NULL, "1e-5", 0, 4, &again), "epsilon: nothing is given");
  expect(EXIT_INPUT, fumata_door_plan_budget("8", "1e-5", 0, 1000001, &again), "answers: must be");
  fumata_door_plan_free(toll);
  fumata_door_plan_free(both);
  fumata_door_plan_free(meter);
}
END_TEST

START_TEST(test_most_answers) {
  fumata_door_toll_facts facts;
  fumata_door_plan *plan;
  expect(EXIT_OK, fumata_door_plan_most_answers("1", "1e-5", 99, 0.95, 1000000, &plan), "");
  fumata_door_plan_toll_facts(plan, &facts);
  ck_assert_uint_eq(facts.answers, 436);
  ck_assert(fumata_door_plan_named(plan, 99) >= 0.95);
  fumata_door_plan_free(plan);
  expect(EXIT_REFUSED, fumata_door_plan_most_answers("1", "1e-5", 1, 0.95, 1000000, &plan), "not even one answer");
  ck_assert_ptr_null(plan);
  expect(EXIT_INPUT, fumata_door_plan_most_answers("1", "1e-5", 99, 0.5, 1000000, &plan), "named: 0.5");
  expect(EXIT_INPUT, fumata_door_plan_most_answers("1", "1e-5", 99, 1, 1000000, &plan), "named: 1");
}
END_TEST

START_TEST(test_the_toll_chooses) {
  static const int unanimous[4] = {2, 0, 1, 1};
  static const uint32_t pairs[8] = {1, 2, 0, 2, 0, 1, 1, 2}, wrong[8] = {1, 2, 0, 2, 0, 1, 2, 1};
  static struct polls polls;
  fumata_door_plan *plan = make_budget(5, 6);
  fumata_door_meter *meter = begin(plan);
  int32_t answers[POLLS_MOST];
  uint64_t done = 77;
  polls_make(&polls, unanimous, 4);
  fumata_door_meter_reserve(meter, 0, 2);
  expect(EXIT_INPUT,
         fumata_door_meter_choose(meter, polls.labels8, FUMATA_DOOR_LABELS8, 4, POLLS_TEACHERS, wrong, answers, &done),
         "query 3: the candidates 2 and 1");
  ck_assert_uint_eq(done, 0);
  expect(EXIT_INPUT,
         fumata_door_meter_choose(meter, polls.labels8, FUMATA_DOOR_LABELS8, 4, POLLS_TEACHERS, NULL, answers, &done),
         "which two are the candidates");
  expect(EXIT_OK,
         fumata_door_meter_choose(meter, polls.labels8, FUMATA_DOOR_LABELS8, 4, POLLS_TEACHERS, pairs, answers, &done),
         "");
  ck_assert_uint_eq(done, 4);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(answers[i], unanimous[i]);
  ck_assert_uint_eq(fumata_door_meter_answers_left(meter), 2);
  ck_assert_uint_eq(fumata_door_meter_left(meter), 5);
  expect(EXIT_OK,
         fumata_door_meter_choose(meter, polls.counts, FUMATA_DOOR_COUNTS, 4, POLLS_CLASSES, pairs, answers, &done),
         "");
  ck_assert_uint_eq(done, 2); /* closed */
  expect(EXIT_OK,
         fumata_door_meter_answer(meter, polls.labels8, FUMATA_DOOR_LABELS8, 4, POLLS_TEACHERS, answers, &done), "");
  ck_assert_uint_eq(done, 4);
  expect(EXIT_OK, fumata_door_meter_close(meter), "");
  fumata_door_plan_free(plan);
}
END_TEST

/* One answer out of four that are reserved, and then nothing more. */
static int crash_after_one(void *context) {
  static const int unanimous[1] = {1};
  static const uint32_t pair[2] = {0, 1};
  static struct polls polls;
  fumata_door_meter *meter = begin(context);
  int32_t answer;
  uint64_t done;
  polls_make(&polls, unanimous, 1);
  fumata_door_meter_reserve(meter, 0, 4);
  return fumata_door_meter_choose(meter, polls.labels8, FUMATA_DOOR_LABELS8, 1, POLLS_TEACHERS, pair, &answer, &done);
}

START_TEST(test_a_crash_loses_what_was_reserved) {
  fumata_door_plan *plan = make_budget(0, 6);
  fumata_door_meter *meter;
  ck_assert_int_eq(children_run(crash_after_one, plan), EXIT_OK);
  meter = begin(plan);
  ck_assert_uint_eq(fumata_door_meter_answers_left(meter), 2);
  expect(EXIT_OK, fumata_door_meter_close(meter), "");
  fumata_door_plan_free(plan);
}
END_TEST

SCRATCH_MAIN("door", test_a_crash_loses_what_was_reserved, test_plans_with_answers, test_most_answers,
             test_the_toll_chooses, test_plans_are_made_or_refused, test_nothing_is_given, test_facts,
             test_a_callers_table_must_be_certified, test_plan_files, test_meters_are_opened_or_refused,
             test_wrong_shapes_spend_nothing, test_bad_votes_abstain,
             test_every_kind_is_answered_until_the_budget_closes, test_an_unused_reservation_comes_back,
             test_a_forked_process_has_no_meter, test_threads_hear_their_own_errors)

#include <signal.h>

#include "base/error.h"
#include "release/session.h"
#include "support/children.h"
#include "support/plans.h"
#include "support/polls.h"
#include "support/scratch.h"

static struct coins coins;
static struct plan_box plan;

/* What a session handed over. */
static struct {
  int32_t answer[64];
  size_t count;
} heard;

static void receive(void *context, int32_t answer) {
  ck_assert_ptr_eq(context, &heard);
  heard.answer[heard.count++] = answer;
}

static int answer(struct session *session, struct votes votes) {
  heard.count = 0;
  return session_answer_batch(session, &votes, receive, &heard);
}

static void expect_heard(const int *wanted, size_t count) {
  ck_assert_uint_eq(heard.count, count);
  for (size_t i = 0; i < count; i++)
    ck_assert_int_eq(heard.answer[i], wanted[i] == POLLS_TIE ? FUMATA_SILENT : wanted[i]);
}

/* Opens and begins with a plan of 5 silences; the exit code. */
static int begin(struct session *session, enum plan_mechanism mechanism, int again) {
  struct session_options options = {.ledger_path = "l", .name = "tests", .again = again};
  int code;
  coins_seed(&coins, 1);
  plan_free(&plan);
  plans_make(&plan, mechanism, 5);
  code = session_open(session, &options, &coins);
  return code ? code : session_begin(session, &options, &plan, POLLS_CLASSES);
}

static void end(struct session *session) {
  ck_assert_int_eq(session_finish(session), 0);
  session_shut(session);
}

static struct ledger look(void) {
  struct ledger_options options = {.look = 1};
  struct ledger ledger;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  return ledger;
}

static const int mixed[] = {2, POLLS_TIE, 0, 1, POLLS_TIE, 1};
static const int ties[8] = {POLLS_TIE, POLLS_TIE, POLLS_TIE, POLLS_TIE, POLLS_TIE, POLLS_TIE, POLLS_TIE, POLLS_TIE};

/* Whatever the shape of the votes and the mechanism, labels are answered and ties are not. */
START_TEST(test_every_shape_and_mechanism) {
  struct votes (*const shapes[])(const struct polls *) = {polls_labels8, polls_labels16, polls_counts};
  static struct polls made;
  polls_make(&made, mixed, 6);
  for (int i = 0; i < 6; i++) {
    struct session session;
    struct ledger ledger;
    int is_meter = i < 3;
    ck_assert_int_eq(begin(&session, is_meter ? PLAN_MECHANISM_METER : PLAN_MECHANISM_CLASSIC, 0), 0);
    ck_assert_int_eq(answer(&session, shapes[i % 3](&made)), 0);
    expect_heard(mixed, 6);
    ck_assert_uint_eq(session.labels, 4);
    ck_assert_uint_eq(session.silences, 2);
    ck_assert_uint_eq(session_left(&session), 3);
    end(&session);
    ledger = look();
    ck_assert_str_eq(ledger.name, "tests");
    ck_assert_uint_eq(ledger.plans[0].labels, 4);
    ck_assert_uint_eq(ledger.plans[0].silences, 2);
    ck_assert_uint_eq(ledger.plans[0].left, is_meter ? 3 : 2); /* classic gives nothing back */
    ledger_shut(&ledger);
    ck_assert_int_eq(unlink("l"), 0);
  }
}
END_TEST

START_TEST(test_closes_after_the_last_silence) {
  static struct polls made;
  struct session session;
  polls_make(&made, ties, 8);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_int_eq(answer(&session, polls_counts(&made)), 0);
  expect_heard(ties, 5); /* the rest was not looked at */
  ck_assert_uint_eq(session_left(&session), 0);
  ck_assert_int_eq(answer(&session, polls_counts(&made)), 0);
  ck_assert_uint_eq(heard.count, 0);
  end(&session);
}
END_TEST

START_TEST(test_goes_on_where_it_stopped) {
  static struct polls made;
  struct session session;
  polls_make(&made, ties, 2);
  for (uint32_t i = 0; i < 2; i++) {
    ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
    ck_assert_uint_eq(session_left(&session), 5 - 2 * i);
    ck_assert_int_eq(answer(&session, polls_labels8(&made)), 0);
    end(&session);
  }
  /* A session that is not finished loses what it had reserved. */
  polls_make(&made, mixed, 1);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_uint_eq(session_left(&session), 1);
  ck_assert_int_eq(answer(&session, polls_labels8(&made)), 0);
  session_shut(&session);
  scratch_expect(EXIT_REFUSED, begin(&session, PLAN_MECHANISM_METER, 0), "l: this plan's 5 silences are spent");
  session_shut(&session);
}
END_TEST

START_TEST(test_a_spent_plan_is_paid_for_again_or_refused) {
  static struct polls made;
  struct session session;
  struct ledger ledger;
  polls_make(&made, ties, 8);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_int_eq(answer(&session, polls_labels16(&made)), 0);
  end(&session);
  scratch_expect(EXIT_REFUSED, begin(&session, PLAN_MECHANISM_METER, 0), "l: this plan's 5 silences are spent");
  session_shut(&session);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 1), 0);
  ck_assert_uint_eq(session_left(&session), 5);
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.plan_count, 2);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 16);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_wrong_ballot_spends_nothing_more) {
  static struct polls made;
  struct session session;
  struct ledger ledger;
  polls_make(&made, mixed + 2, 3);
  made.labels8[POLLS_TEACHERS + 7] = POLLS_CLASSES;
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  scratch_expect(EXIT_INPUT, answer(&session, polls_labels8(&made)), "the votes: query 1: ");
  expect_heard(mixed + 2, 1);
  ck_assert_uint_eq(session_left(&session), 5);
  session.source = "votes.npy";
  memset(made.counts, 0, sizeof made.counts);
  scratch_expect(EXIT_INPUT, answer(&session, polls_counts(&made)), "votes.npy: query 1: ");
  ck_assert_uint_eq(heard.count, 0);
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.plans[0].left, 5); /* what was reserved for it came back */
  ck_assert_uint_eq(ledger.plans[0].labels, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_an_uncertified_plan_costs_nothing) {
  struct session_options options = {.ledger_path = "l"};
  struct session session;
  plans_make(&plan, PLAN_MECHANISM_METER, 5);
  plan.memory[0][0] -= plan.memory[0][0] / 100;
  ck_assert_int_eq(session_open(&session, &options, &coins), 0);
  scratch_expect(EXIT_REFUSED, session_begin(&session, &options, &plan, POLLS_CLASSES), "the plan is not certified");
  session_shut(&session);
  ck_assert_int_ne(access("l", F_OK), 0); /* a ledger without a plan is not left behind */
}
END_TEST

START_TEST(test_ceilings_hold) {
  struct session_options options = {.ledger_path = "l", .total_epsilon = {79, 10}};
  struct session session;
  plans_make(&plan, PLAN_MECHANISM_METER, 5);
  ck_assert_int_eq(session_open(&session, &options, &coins), 0);
  scratch_expect(EXIT_REFUSED, session_begin(&session, &options, &plan, POLLS_CLASSES), "epsilon 8 more is too much");
  session_shut(&session);
}
END_TEST

/* Answers that cannot be written stop the session before it asks the disk for more. */
START_TEST(test_answers_are_out_before_the_next_reservation) {
  static struct polls made;
  struct session session;
  uint64_t rows;
  polls_make(&made, ties, 2);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  rows = session.ledger.rows;
  session.out = fopen("/dev/full", "w");
  ck_assert_ptr_nonnull(session.out);
  fputs("id,answer\n", session.out);
  scratch_expect(EXIT_SYSTEM, answer(&session, polls_labels8(&made)), "cannot write the answers");
  ck_assert_uint_eq(heard.count, 0);
  ck_assert_uint_eq(session.ledger.rows, rows);
  fclose(session.out);
  session.out = NULL;
  end(&session);
}
END_TEST

/* No ballot is answered that the disk has not paid for. */
START_TEST(test_a_failing_ledger_stops_the_answers) {
  static struct polls made;
  struct session session;
  polls_make(&made, ties, 2);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_int_eq(rename("l", "moved"), 0);
  scratch_expect(EXIT_SYSTEM, answer(&session, polls_labels8(&made)), "moved or replaced");
  ck_assert_uint_eq(heard.count, 0);
  ck_assert_int_eq(answer(&session, polls_labels8(&made)), EXIT_SYSTEM); /* nor when asked again */
  ck_assert_uint_eq(heard.count, 0);
  ck_assert_uint_eq(session_left(&session), 5);
  session_shut(&session);
}
END_TEST

static struct polls polls;

/* 99: something was heard. */
static int answer_anyway(void *session) {
  int code = answer(session, polls_labels8(&polls));
  return heard.count ? 99 : code;
}

static int finish_anyway(void *session) {
  return session_finish(session);
}

static int shut_anyway(void *session) {
  session_shut(session);
  return EXIT_OK;
}

/* One silence is paid for: five forked processes and the parent answer one among them. */
START_TEST(test_forked_processes_answer_nothing) {
  struct session session;
  struct ledger ledger;
  FILE *out = fopen("out", "w");
  char text[64] = "";
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  polls_make(&polls, mixed, 1);
  ck_assert_int_eq(answer(&session, polls_labels8(&polls)), 0); /* and the next silence is reserved */
  polls_make(&polls, ties, 1);
  session.out = out;
  fputs("once\n", out);
  for (int i = 0; i < 5; i++)
    scratch_expect(EXIT_REFUSED, children_run(answer_anyway, &session), "l: opened by another process, from which");
  scratch_expect(EXIT_REFUSED, children_run(finish_anyway, &session), "l: opened by another process, from which");
  ck_assert_int_eq(children_run(shut_anyway, &session), 0);
  ck_assert_int_eq(answer(&session, polls_labels8(&polls)), 0);
  expect_heard(ties, 1);
  end(&session);
  fclose(out);
  out = fopen("out", "r");
  ck_assert_uint_eq(fread(text, 1, sizeof text - 1, out), 5); /* no copy of what the parent had not yet written */
  fclose(out);
  ledger = look();
  ck_assert_uint_eq(ledger.plans[0].silences, 1);
  ck_assert_uint_eq(ledger.plans[0].left, 4);
  ledger_shut(&ledger);
}
END_TEST

/* A session that forks, whose forked process shuts, and that is killed after three silences. */
static void fork_and_crash(void) {
  struct session session;
  if (begin(&session, PLAN_MECHANISM_METER, 0)) _exit(1);
  polls_make(&polls, ties, 1);
  if (answer(&session, polls_labels8(&polls))) _exit(2);
  if (children_run(shut_anyway, &session)) _exit(3);
  polls_make(&polls, ties, 2);
  if (answer(&session, polls_labels8(&polls))) _exit(4);
  raise(SIGKILL);
}

START_TEST(test_a_forked_process_takes_no_row_with_it) {
  struct ledger ledger;
  int status;
  pid_t child = fork();
  if (child == 0) fork_and_crash();
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status));
  ledger = look();
  ck_assert_uint_eq(ledger.plans[0].left, 2);
  ledger_shut(&ledger);
}
END_TEST

SCRATCH_MAIN("session", test_every_shape_and_mechanism, test_closes_after_the_last_silence,
             test_goes_on_where_it_stopped, test_a_spent_plan_is_paid_for_again_or_refused,
             test_a_wrong_ballot_spends_nothing_more, test_an_uncertified_plan_costs_nothing, test_ceilings_hold,
             test_answers_are_out_before_the_next_reservation, test_a_failing_ledger_stops_the_answers,
             test_forked_processes_answer_nothing, test_a_forked_process_takes_no_row_with_it)

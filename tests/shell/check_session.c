#include <signal.h>

#include "base/error.h"
#include "gate/session.h"
#include "support/children.h"
#include "support/ledgers.h"
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
    ck_assert_uint_eq(session_left(&session).silences, 3);
    end(&session);
    ledger = look();
    ck_assert_str_eq(ledger.name, "tests");
    ck_assert_uint_eq(ledger.plans[0].labels, 4);
    ck_assert_uint_eq(ledger.plans[0].silences, 2);
    ck_assert_uint_eq(ledger.plans[0].left.silences, is_meter ? 3 : 2); /* classic gives nothing back */
    ledger_shut(&ledger);
    ck_assert_int_eq(unlink("l"), 0);
  }
}
END_TEST

static int choose(struct session *session, struct votes votes, const struct session_pair *pairs) {
  heard.count = 0;
  return session_answer_pairs(session, &votes, pairs, receive, &heard);
}

/* The candidates' votes alone count: of a ballot for other classes either candidate may come. */
START_TEST(test_the_toll_names_one_of_two) {
  struct votes (*const shapes[])(const struct polls *) = {polls_labels8, polls_labels16, polls_counts};
  static const int wanted[] = {2, 0, 1, 1, 2};
  static const struct session_pair pairs[] = {{1, 2}, {0, 2}, {0, 1}, {1, 2}, {0, 1}};
  static struct polls made;
  polls_make(&made, wanted, 5);
  for (int i = 0; i < 6; i++) {
    struct session session;
    struct ledger ledger;
    ck_assert_int_eq(begin(&session, i < 3 ? PLAN_MECHANISM_TOLL : PLAN_MECHANISM_BOTH, 0), 0);
    ck_assert_int_eq(choose(&session, shapes[i % 3](&made), pairs), 0);
    ck_assert_uint_eq(heard.count, 5);
    for (int query = 0; query < 4; query++)
      ck_assert_int_eq(heard.answer[query], wanted[query]);
    ck_assert(heard.answer[4] == 0 || heard.answer[4] == 1);
    ck_assert_uint_eq(session.answers, 5);
    ck_assert_uint_eq(session_left(&session).answers, 0);
    ck_assert_int_eq(choose(&session, shapes[i % 3](&made), pairs), 0);
    ck_assert_uint_eq(heard.count, 0); /* closed */
    end(&session);
    ledger = look();
    ck_assert_uint_eq(ledger.plans[0].answers, 5);
    ck_assert_uint_eq(ledger.plans[0].left.silences, i < 3 ? 0 : 5);
    ledger_shut(&ledger);
    ck_assert_int_eq(unlink("l"), 0);
  }
}
END_TEST

/* No votes are a tie between the candidates: both answers are there, about equally often. */
START_TEST(test_the_toll_at_distance_zero) {
  static const struct session_pair pairs[16] = {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2},
                                                {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}};
  struct session_options options = {.ledger_path = "l"};
  static struct polls made;
  struct session session;
  int first = 0, all = 0;
  memset(&made, 0xff, sizeof made); /* labels of no class, and more counts than there may be teachers */
  made.count = 16;
  coins_seed(&coins, 3);
  plan_free(&plan);
  plans_make(&plan, PLAN_MECHANISM_TOLL, 480);
  ck_assert_int_eq(session_open(&session, &options, &coins), 0);
  ck_assert_int_eq(session_begin(&session, &options, &plan, POLLS_CLASSES), 0);
  for (int i = 0; i < 30; i++) {
    ck_assert_int_eq(choose(&session, i % 2 ? polls_counts(&made) : polls_labels8(&made), pairs), 0);
    for (size_t k = 0; k < heard.count; k++, all++) {
      ck_assert(heard.answer[k] == 0 || heard.answer[k] == 2);
      first += heard.answer[k] == 0;
    }
  }
  ck_assert_int_eq(all, 480);
  ck_assert_int_gt(first, 195); /* 240 on average, standard deviation 11 */
  ck_assert_int_lt(first, 285);
  end(&session);
}
END_TEST

START_TEST(test_wrong_candidates_spend_nothing) {
  static const struct session_pair wrong[][2] = {
      {{0, 1}, {1, 1}}, {{0, 1}, {2, 1}}, {{0, 1}, {1, 3}}, {{0, 1}, {UINT32_MAX, 0}}};
  static struct polls made;
  struct session session;
  struct ledger ledger;
  polls_make(&made, mixed, 2);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_TOLL, 0), 0);
  for (int i = 0; i < 4; i++)
    scratch_expect(EXIT_INPUT, choose(&session, polls_labels8(&made), wrong[i]), "query 1: the candidates");
  scratch_expect(EXIT_INPUT, choose(&session, polls_labels8(&made), NULL), "which two are the candidates");
  ck_assert_uint_eq(heard.count, 0);
  ck_assert_uint_eq(session_left(&session).answers, 5);
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.rows, 3); /* made, plan, close: nothing was reserved */
  ledger_shut(&ledger);
}
END_TEST

/* One session, both ways in turn; what is reserved of one kind waits while the other is asked. */
START_TEST(test_both_kinds_in_turn) {
  static const struct session_pair pair[] = {{0, 2}};
  static struct polls made, tie;
  struct session session;
  struct ledger ledger;
  polls_make(&made, mixed, 1);
  polls_make(&tie, ties, 1);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_BOTH, 0), 0);
  session.reserve = (struct plan_quota){2, 3};
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(answer(&session, polls_labels8(&tie)), 0);
    ck_assert_int_eq(heard.answer[0], FUMATA_SILENT);
    ck_assert_int_eq(choose(&session, polls_labels8(&made), pair), 0);
    ck_assert_int_eq(heard.answer[0], 2);
  }
  ck_assert_uint_eq(session_left(&session).silences, 2);
  ck_assert_uint_eq(session_left(&session).answers, 2);
  ck_assert_uint_eq(session.silences, 3);
  ck_assert_uint_eq(session.answers, 3);
  session_shut(&session); /* a crash: the one silence that is reserved is lost, and no answer */
  ledger = look();
  ck_assert_uint_eq(ledger.plans[0].left.silences, 1);
  ck_assert_uint_eq(ledger.plans[0].left.answers, 2);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_closes_after_the_last_silence) {
  static struct polls made;
  struct session session;
  polls_make(&made, ties, 8);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_int_eq(answer(&session, polls_counts(&made)), 0);
  expect_heard(ties, 5); /* the rest was not answered */
  ck_assert_uint_eq(session_left(&session).silences, 0);
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
    ck_assert_uint_eq(session_left(&session).silences, 5 - 2 * i);
    ck_assert_int_eq(answer(&session, polls_labels8(&made)), 0);
    end(&session);
  }
  /* A session that is not finished loses what it had reserved. */
  polls_make(&made, mixed, 1);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_uint_eq(session_left(&session).silences, 1);
  ck_assert_int_eq(answer(&session, polls_labels8(&made)), 0);
  session_shut(&session);
  scratch_expect(EXIT_REFUSED, begin(&session, PLAN_MECHANISM_METER, 0), "l: this plan's 5 silences are spent");
  session_shut(&session);
}
END_TEST

/* One silence is reserved at first, and then one more than were used: 1, 2, and the 2 that are left of 5. */
START_TEST(test_reservations_grow_with_what_is_used) {
  static const uint32_t held[] = {0, 1, 0, 1, 0};
  static struct polls made;
  struct session session;
  struct ledger ledger;
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  polls_make(&made, ties, 1);
  for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
    ck_assert_int_eq(answer(&session, polls_labels8(&made)), 0);
    ck_assert_uint_eq(machine_reserved(&session.machine).silences, held[i]);
  }
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.rows, 6); /* made, plan, three reservations, close */
  ledger_shut(&ledger);
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
  ck_assert_uint_eq(session_left(&session).silences, 5);
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.plan_count, 2);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 16);
  ledger_shut(&ledger);
}
END_TEST

/* A vote that is not a label counts nowhere, and a ballot without votes is met with silence; nothing stops. */
START_TEST(test_bad_votes_abstain) {
  static const int last_is_silent[] = {0, 1, POLLS_TIE};
  static struct polls made;
  struct session session;
  struct ledger ledger;
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  polls_make(&made, mixed + 2, 3);
  made.labels8[POLLS_TEACHERS + 7] = POLLS_CLASSES;
  memset(made.labels8 + 2 * POLLS_TEACHERS, 0xff, POLLS_TEACHERS);
  ck_assert_int_eq(answer(&session, polls_labels8(&made)), 0);
  expect_heard(last_is_silent, 3);
  made.labels16[POLLS_TEACHERS + 7] = POLLS_CLASSES;
  memset(made.labels16 + 2 * POLLS_TEACHERS, 0xff, POLLS_TEACHERS * sizeof *made.labels16);
  ck_assert_int_eq(answer(&session, polls_labels16(&made)), 0);
  expect_heard(last_is_silent, 3);
  for (int i = 0; i < 2; i++) { /* no votes, and more than there may be teachers */
    memset(made.counts + 2 * POLLS_CLASSES, i ? 0xff : 0, POLLS_CLASSES * sizeof *made.counts);
    ck_assert_int_eq(answer(&session, polls_counts(&made)), 0);
    expect_heard(last_is_silent, 3);
  }
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.plans[0].left.silences, 1);
  ck_assert_uint_eq(ledger.plans[0].labels, 8);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_wrong_shape_spends_nothing) {
  static struct polls made;
  struct session session;
  struct votes votes;
  struct ledger ledger;
  polls_make(&made, mixed + 2, 3);
  votes = polls_labels8(&made);
  votes.teachers = 0;
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  scratch_expect(EXIT_INPUT, answer(&session, votes), "the votes: query 0: ");
  session.source = "votes.npy";
  scratch_expect(EXIT_INPUT, answer(&session, votes), "votes.npy: query 0: ");
  ck_assert_uint_eq(heard.count, 0);
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.plans[0].left.silences, 5); /* what was reserved for it came back */
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
  scratch_expect(EXIT_SYSTEM, answer(&session, polls_labels8(&made)), "the answers: cannot write");
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
  ck_assert_uint_eq(session_left(&session).silences, 5);
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
  ck_assert_uint_eq(ledger.plans[0].left.silences, 4);
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
  ck_assert_uint_eq(ledger.plans[0].left.silences, 2);
  ledger_shut(&ledger);
}
END_TEST

static void see(void *context, const struct ledger_row *row) {
  int has_time = !strcmp(row->kind, "made") || !strcmp(row->kind, "plan");
  ++*(int *)context;
  if (has_time)
    ck_assert_uint_eq(strlen(row->time), LEDGER_TIME - 1);
  else
    ck_assert_str_eq(row->time, "-");
}

/* How long a private record took is not to be read off the rows. */
START_TEST(test_rows_after_the_beginning_have_no_time) {
  struct session session;
  struct ledger ledger;
  int rows = 0;
  polls_make(&polls, mixed, 6);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
    ck_assert_int_eq(answer(&session, polls_labels8(&polls)), 0);
    if (i)
      ck_assert_int_eq(ledger_charge(&session.ledger, "count", (struct rational){1, 2}, (struct rational){0, 0}), 0);
    end(&session);
  }
  ledger = look();
  ck_assert_int_eq(ledger_visit(&ledger, see, &rows), 0);
  ck_assert_int_ge(rows, 9);
  ledger_shut(&ledger);
}
END_TEST

/* A ledger as it was written once: it pins the tables, and what the digests of rows, batches and states are made of. */
static const char kept_ledger[] =
    "PRAGMA application_id=1179995457;"
    "PRAGMA user_version=4;"
    "CREATE TABLE ledger (number INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, plan INTEGER, si"
    "lences_left INTEGER, labels INTEGER, silences INTEGER, epsilon TEXT, delta TEXT, note TEXT, mark BLOB, di"
    "gest BLOB NOT NULL, answers_left INTEGER, answers INTEGER, journal BLOB, protects TEXT) STRICT;"
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, digest BLOB NOT NULL, "
    "at_work INTEGER NOT NULL) STRICT;"
    "CREATE TABLE journal (row INTEGER PRIMARY KEY, plan INTEGER NOT NULL, answers BLOB NOT NULL, about BLOB, "
    "state BLOB) STRICT;"
    "CREATE TABLE state (plan INTEGER PRIMARY KEY, salt BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;"
    "CREATE TRIGGER journal_changes BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'a ledger is only appen"
    "ded to'); END;"
    "CREATE TRIGGER journal_forgets BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'a ledger is only appen"
    "ded to'); END;"
    "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is only appende"
    "d to'); END;"
    "CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is only appende"
    "d to'); END;"
    "INSERT INTO head VALUES(1,7,X'8227E05912969FB10ECC400A76AB3214087946F4395D8D27A23F5F37EBA36B87',0);"
    "INSERT INTO journal VALUES(4,1,X'',X'616E737765720000610062006300',NULL);"
    "INSERT INTO journal VALUES(6,1,X'000000000000000000000000000000000000000002000000010000000000000000000000"
    "0000000000000000FFFFFFFF',NULL,NULL);"
    "INSERT INTO journal VALUES(7,1,X'020000000000000000000000000000000000000000000000030000000000000000000000"
    "0000000000000000010000000400000000000000000000000000000000000000FFFFFFFF050000000000000000000000000000000"
    "000000001000000',NULL,X'78E63A5F410EA60CB961C99E014C1856EF9187FEE86101A7550A6C77B1691C9B');"
    "INSERT INTO ledger VALUES(1,'2026-11-18T16:57:51Z','made',NULL,NULL,NULL,NULL,NULL,NULL,'old',X'E319FC1FA"
    "F45D080D5366B54201957B5280C1AA8F8B2250AF19C761641C71672',X'AD4A523697FEE90B2251CC3E28F43FDC232138025F14B7"
    "55D93D3AAB30C5706F',NULL,NULL,NULL,NULL);"
    "INSERT INTO ledger VALUES(2,'-','charge',NULL,NULL,NULL,NULL,'1/2','1/1000000000','count of units',NULL,X"
    "'440417FCEB795C68AE2F6FE10EB9D0B8D4AED79163570FCEC21EBE140116EA9A',NULL,NULL,NULL,'votes');"
    "INSERT INTO ledger VALUES(3,'-','count',NULL,NULL,NULL,NULL,NULL,NULL,'997 records',NULL,X'4E50AFC668DA8C"
    "9C6694BE5E9FCC3298FACA887D32D47E7188FD4139E4CCC142',NULL,NULL,NULL,NULL);"
    "INSERT INTO ledger VALUES(4,'2026-11-18T16:57:52Z','plan',1,5,NULL,NULL,'8/1','1/100000','meter',X'D024C9"
    "2D656629A30C4C155CE06CC3EDEA247BED2588DEEFAF71A800AF60486C',X'47EEACE4622B2480CBA02A0876654764F59F39F3F62"
    "1B3BD6404263ECF878AD9',NULL,NULL,X'2433EDD35295C02E70B25A94B223E0985FBCFD5F6889BC00F66FF5B48F3612E2','vot"
    "es');"
    "INSERT INTO ledger VALUES(5,'-','reserve',1,4,0,0,NULL,NULL,NULL,X'E3B0C44298FC1C149AFBF4C8996FB92427AE41"
    "E4649B934CA495991B7852B855',X'F4615BF0DB34508A640B8A06633DCE899293BA2B24DD2FC99FE33C9427885E2D',NULL,NULL"
    ",NULL,NULL);"
    "INSERT INTO ledger VALUES(6,'-','reserve',1,2,1,1,NULL,NULL,NULL,X'9D1C30A2A7E68AA057473E50D789160535797A"
    "9A133042C9C54EEC2DA5595DAD',X'9C8D5352E6BB7B60AFB6FC3E2CF004B2D6EC57749FB67CBB2B1DA9E40F88330B',NULL,NULL"
    ",X'72FC24508B4C6C9575FFA3C63A8AD50E240F00FE224C08DB0936192631AE0C19',NULL);"
    "INSERT INTO ledger VALUES(7,'-','close',1,3,3,1,NULL,NULL,NULL,X'F4241BAE76486EA333C047FEB347255663CA0C8E"
    "6E6DACFDB11BD6FF284AA5CE',X'8227E05912969FB10ECC400A76AB3214087946F4395D8D27A23F5F37EBA36B87',NULL,NULL,X"
    "'CD70C0049320D5FE83790081A6C32F1C51E44C4B21C1E3352107BEC7039421E8',NULL);"
    "INSERT INTO state VALUES(1,X'D376F57D4C3D5EB32D799246CCBDA4B27F7F52F1EBD980646C330C6AA89E04B4',X'73746174"
    "65');";

static int see_kept(void *context, const struct journal_batch *batch) {
  size_t *seen = context;
  for (size_t i = 0; i < batch->count; i++, ++*seen)
    ck_assert(batch->answer[i].query == *seen &&
              batch->answer[i].answer == (mixed[*seen] == POLLS_TIE ? -1 : mixed[*seen]));
  ck_assert_uint_eq(batch->about_size, 14);
  return EXIT_OK;
}

START_TEST(test_a_kept_ledger_goes_on) {
  struct session session;
  struct ledger ledger;
  void *state;
  size_t size, seen = 0;
  ledgers_sql(kept_ledger);
  ledger = look();
  ck_assert_uint_eq(ledger.rows, 7);
  ck_assert_uint_eq(ledger.plans[0].left.silences, 3);
  ck_assert_uint_eq(ledger_count(&ledger, "records"), 997);
  ck_assert_int_eq(journal_visit(&ledger, 1, see_kept, &seen), 0);
  ck_assert_uint_eq(seen, 6);
  ck_assert_int_eq(journal_state(&ledger, 1, &state, &size), 0);
  ck_assert(size == 5 && !memcmp(state, "state", 5));
  free(state);
  ledger_shut(&ledger);
  polls_make(&polls, mixed, 3);
  ck_assert_int_eq(begin(&session, PLAN_MECHANISM_METER, 0), 0);
  ck_assert_int_eq(answer(&session, polls_labels8(&polls)), 0);
  end(&session);
  ledger = look();
  ck_assert_uint_eq(ledger.plan_count, 1);
  ck_assert_uint_eq(ledger.plans[0].left.silences, 2);
  ledger_shut(&ledger);
}
END_TEST

/* Records vote in a poll: a session that answers teachers does not begin with one, and the ledger hears nothing. */
START_TEST(test_a_poll_is_refused) {
  struct session session;
  scratch_expect(EXIT_INPUT, begin(&session, PLAN_MECHANISM_POLL, 0), "a poll plan does not answer votes of teachers");
  ck_assert_uint_eq(session.ledger.plan_count, 0);
  session_shut(&session);
}
END_TEST

SCRATCH_MAIN("session", test_every_shape_and_mechanism, test_the_toll_names_one_of_two, test_the_toll_at_distance_zero,
             test_wrong_candidates_spend_nothing, test_both_kinds_in_turn, test_closes_after_the_last_silence,
             test_reservations_grow_with_what_is_used, test_goes_on_where_it_stopped,
             test_a_spent_plan_is_paid_for_again_or_refused, test_bad_votes_abstain, test_a_wrong_shape_spends_nothing,
             test_an_uncertified_plan_costs_nothing, test_ceilings_hold,
             test_answers_are_out_before_the_next_reservation, test_a_failing_ledger_stops_the_answers,
             test_forked_processes_answer_nothing, test_a_forked_process_takes_no_row_with_it,
             test_rows_after_the_beginning_have_no_time, test_a_kept_ledger_goes_on, test_a_poll_is_refused)

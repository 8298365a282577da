#include "gate/journal.h"

#include "support/ledgers.h"

/* What a visit sees, as text: "1:0=1m 3=-1m|1:7=0t(0,1)" and the texts about it. */
static char seen[8192], about[4096];

static int note(void *context, const struct journal_batch *batch) {
  static const char kinds[] = "mtp";
  (void)context;
  sprintf(seen + strlen(seen), "%s%d:", *seen ? "|" : "", (int)batch->plan);
  for (size_t i = 0; i < batch->count; i++) {
    const struct journal_answer *one = &batch->answer[i];
    sprintf(seen + strlen(seen), "%s%d=%d%c", i ? " " : "", (int)one->query, (int)one->answer, kinds[one->kind]);
    if (one->second) sprintf(seen + strlen(seen), "(%u,%u)", one->first, one->second);
  }
  sprintf(about + strlen(about), "[%.*s]", (int)batch->about_size, batch->about ? batch->about : "none");
  return EXIT_OK;
}

static const char *look(uint64_t plan) {
  struct ledger ledger;
  *seen = *about = 0;
  ck_assert_int_eq(ledgers_look(&ledger), 0);
  ck_assert_int_eq(journal_visit(&ledger, plan, note, NULL), 0);
  ledger_shut(&ledger);
  return seen;
}

static const struct journal_answer label = {.query = 40, .kind = PLAN_KIND_METER, .answer = 2},
                                   silence = {.query = 7, .kind = PLAN_KIND_METER, .answer = -1};

START_TEST(test_answers_come_back_with_their_questions) {
  struct plan_terms terms = ledgers_terms_both(5, 9);
  struct journal_answer choice = {.query = 9, .kind = PLAN_KIND_TOLL, .first = 1, .second = 3, .answer = 3};
  struct ledger ledger;
  struct plan_quota left;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(journal_describe(&ledger, "a pool", 6), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(4, 9)), 0);
  ck_assert_int_eq(journal_record(&ledger, &label, 1), 0);
  ck_assert_int_eq(journal_record(&ledger, &silence, 1), 0);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(4, 7)), 0);
  ck_assert_int_eq(journal_record(&ledger, &choice, 1), 0);
  ck_assert_int_eq(ledger_finish(&ledger, ledgers_quota(4, 8)), 0);
  ledger_shut(&ledger);
  ck_assert_str_eq(look(0), "1:|1:40=2m 7=-1m|1:9=3t(1,3)");
  ck_assert_str_eq(about, "[a pool][a pool][a pool]");
  ck_assert_str_eq(look(2), "");
}
END_TEST

/* A later session does not inherit what was said about an earlier one. */
START_TEST(test_each_session_has_its_own_text) {
  struct ledger ledger;
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct plan_quota left;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(journal_describe(&ledger, "mine", 4), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_int_eq(ledger_finish(&ledger, left), 0);
  ledger_shut(&ledger);
  ledgers_use();
  look(1);
  ck_assert_str_eq(about, "[mine][][][]");
}
END_TEST

/* A process that is killed after `answers` answers, none of them in a row. */
static void crash(size_t answers) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    struct ledger ledger;
    ledgers_at_work(&ledger);
    for (size_t i = 0; i < answers; i++) {
      struct journal_answer one = {.query = i, .kind = PLAN_KIND_METER, .answer = i + 1 < answers ? 1 : -1};
      if (journal_room(&ledger, 1) || journal_record(&ledger, &one, 1)) _exit(1);
    }
    raise(SIGKILL);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status));
}

START_TEST(test_a_killed_process_loses_no_answer) {
  struct ledger ledger;
  crash(3);
  ck_assert_str_eq(look(0), "1:|1:0=1m 1=1m 2=-1m"); /* one who only looks */
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);     /* takes them in */
  ck_assert_uint_eq(ledger.plans[0].labels, 2);
  ck_assert_uint_eq(ledger.plans[0].silences, 1);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 1);
  ck_assert_uint_eq(ledger.plans[0].left.silences, 4);
  ledger_shut(&ledger);
  ck_assert_str_eq(look(0), "1:|1:0=1m 1=1m 2=-1m");
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0); /* and not a second time */
  ledger_shut(&ledger);
  ck_assert_str_eq(look(0), "1:|1:0=1m 1=1m 2=-1m");
}
END_TEST

/* More answers than FILE-mark has room for at first, and than a row takes. */
START_TEST(test_many_answers) {
  struct ledger ledger;
  crash(70000);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.rows, 5); /* made, plan, reserve, answers, found */
  ck_assert_uint_eq(ledger.plans[0].labels, 69999);
  ck_assert_uint_eq(ledger.plans[0].silences, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_torn_answers_end_there) {
  int fd;
  crash(3);
  fd = open("l-mark", O_RDWR);
  ck_assert_int_eq(pwrite(fd, "x", 1, 256 + 48 + 20), 1);
  close(fd);
  ck_assert_str_eq(look(0), "1:|1:0=1m");
}
END_TEST

START_TEST(test_a_row_that_fails_loses_no_answer) {
  struct ledger ledger;
  struct ledgers_counter counter = ledgers_at_work(&ledger);
  for (int i = 0; i < 200; i++)
    ck_assert_int_eq(journal_record(&ledger, &label, 1), 0);
  ck_assert_int_eq(journal_record(&ledger, &silence, 1), 0);
  counter.reserved = 0;
  ck_assert_int_eq(sqlite3_exec(ledger.file, "PRAGMA max_page_count = 1", NULL, NULL, NULL), 0);
  scratch_expect(EXIT_SYSTEM, ledgers_reserve(&ledger, &counter), "the disk is full");
  ledger_shut(&ledger);
  ck_assert_int_eq(strncmp(look(0), "1:|1:40=2m 40=2m ", 17), 0);
  ck_assert_str_eq(strrchr(seen, ' '), " 7=-1m");
}
END_TEST

/* A batch of a poll: its answers and what it leaves are durable together, the state is the last one only. */
START_TEST(test_state_goes_with_its_batch) {
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct journal_answer yes = {.query = 3, .kind = PLAN_KIND_POLL, .answer = 1};
  struct ledger ledger;
  struct plan_quota left;
  size_t size;
  void *state;
  terms.mechanism = PLAN_MECHANISM_POLL;
  terms.limit = ledgers_quota(0, 0);
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_int_eq(journal_state(&ledger, 1, &state, &size), 0);
  ck_assert_ptr_null(state);
  ck_assert_int_eq(journal_append(&ledger, &yes, 1, NULL, 0, "uses 1", 6), 0);
  ck_assert_int_eq(journal_append(&ledger, &yes, 1, NULL, 0, "uses 22", 7), 0);
  ck_assert_int_eq(journal_state(&ledger, 1, &state, &size), 0);
  ck_assert_uint_eq(size, 7);
  ck_assert_str_eq(state, "uses 22");
  free(state);
  ck_assert_int_eq(ledger_finish(&ledger, left), 0);
  ledger_shut(&ledger);
  ck_assert_int_ne(system("grep -qa 'uses 1' l"), 0); /* overwritten, not only forgotten */
  ck_assert_str_eq(look(0), "1:|1:3=1p|1:3=1p");
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0); /* and may go on */
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(ledger.plan_count, 1);
  ledger_shut(&ledger);
  ledgers_sql("UPDATE state SET bytes = x'00'");
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  scratch_expect(EXIT_INPUT, journal_state(&ledger, 1, &state, &size), "state is lost or changed");
  ledger_shut(&ledger);
  ledgers_sql("DELETE FROM state");
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  scratch_expect(EXIT_INPUT, journal_state(&ledger, 1, &state, &size), "state is lost or changed");
  ledger_shut(&ledger);
}
END_TEST

static const char *const forgeries[] = {
    "UPDATE journal SET answers = zeroblob(24) WHERE row = 4", "UPDATE journal SET about = x'00' WHERE row = 2",
    "DELETE FROM journal WHERE row = 4", "INSERT INTO journal VALUES (3, 1, zeroblob(24), NULL, NULL)"};

START_TEST(test_forgeries) {
  for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "DROP TRIGGER journal_changes; DROP TRIGGER journal_forgets; DROP TRIGGER ledger_changes;"
             "DROP TRIGGER ledger_forgets; %s;"
             "CREATE TRIGGER journal_changes BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'a ledger is only "
             "appended to'); END;"
             "CREATE TRIGGER journal_forgets BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'a ledger is only "
             "appended to'); END;"
             "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is only "
             "appended to'); END;"
             "CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is only "
             "appended to'); END",
             forgeries[i]);
    ledgers_start_over();
    ledgers_use();
    ledgers_sql(text);
    ledgers_refuse(EXIT_INPUT, "its answers are not those that its rows count");
  }
}
END_TEST

SCRATCH_MAIN("journal", test_answers_come_back_with_their_questions, test_each_session_has_its_own_text,
             test_a_killed_process_loses_no_answer, test_many_answers, test_torn_answers_end_there,
             test_a_row_that_fails_loses_no_answer, test_state_goes_with_its_batch, test_forgeries)

#include "support/ledgers.h"

START_TEST(test_changed_bytes) {
  struct stat whole;
  off_t at;
  unsigned char byte;
  int fd, refused = 0, harmless = 0;
  ledgers_use();
  ck_assert_int_eq(stat("l", &whole), 0);
  fd = open("l", O_RDWR);
  for (at = 0; at < whole.st_size; at += 13) {
    struct ledger ledger;
    int code;
    ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 0x55;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    code = ledgers_look(&ledger);
    if (code == 0) {
      ck_assert_uint_eq(ledger.rows, 5);
      ck_assert_uint_eq(ledger.plan_count, 1);
      ck_assert_uint_eq(ledger.plans[0].left.silences, 4);
      harmless++;
    } else {
      scratch_expect(EXIT_INPUT, code, "");
      refused++;
    }
    ledger_shut(&ledger);
    byte ^= 0x55;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
  }
  close(fd);
  ck_assert_int_gt(refused, 50);
  ck_assert_int_gt(harmless, 0); /* unused bytes of a page do not matter */
}
END_TEST

static const struct {
  const char *change, *line;
} edits[] = {
    {"DROP TRIGGER ledger_changes", "its tables were changed"},
    {"CREATE TABLE more (x)", "its tables were changed"},
    {"CREATE TRIGGER refund AFTER INSERT ON ledger BEGIN UPDATE head SET rows = 0; END", "its tables were changed"},
    {"UPDATE head SET rows = rows - 1", "its last rows are missing"},
    {"UPDATE head SET digest = zeroblob(32)", "its last rows are missing"},
    {"DELETE FROM head", "it has no head"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','resume',1,4,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,'votes')",
     "a row was changed"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','resume',1,4,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "a cost that does not say whom it protects"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','resume',1,4,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,'units of x')",
     "a plan resumed for other neighbours"},
    {"INSERT INTO ledger VALUES "
     "(7,'2026-01-01T00:00:00Z','resume',1,4,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "a row is missing"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','resume',1,5,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "resumed with another number"},
    {"INSERT INTO ledger VALUES (6,'-','count',NULL,NULL,NULL,NULL,NULL,NULL,'-1 "
     "units',NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "a count without its number"},
    {"INSERT INTO ledger VALUES "
     "(6,'-','count',NULL,NULL,NULL,NULL,NULL,NULL,'18446744073709551616 units',NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "a count without its number"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','gift',1,5,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "no known kind"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','close',1,5,0,0,NULL,NULL,NULL,zeroblob(32),zeroblob(32),NULL,NULL,NULL,NULL)",
     "not at work"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','data',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "without its digest"},
    {"INSERT INTO ledger VALUES (6,'2026-01-01T00:00:00Z','total',NULL,NULL,NULL,NULL,'1/4','1/1',NULL,NULL,"
     "zeroblob(32),NULL,NULL,NULL,NULL)",
     "a total below what is spent"},
    {"INSERT INTO ledger VALUES "
     "(6,'2026-01-01T00:00:00Z','total',NULL,NULL,NULL,NULL,'2/1','1',NULL,NULL,zeroblob(32),NULL,NULL,NULL,NULL)",
     "a total that is not a number"},
};

START_TEST(test_edits_by_hand) {
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    ledgers_start_over();
    ledgers_use();
    ledgers_sql(edits[i].change);
    ledgers_refuse(EXIT_INPUT, edits[i].line);
  }
}
END_TEST

/* Whoever gets round the triggers meets the chain. */
static const struct {
  const char *change, *line;
} forgeries[] = {
    {"UPDATE ledger SET silences_left = 5 WHERE number = 5", "not to spare"},
    {"UPDATE ledger SET labels = 7 WHERE number = 4", "a row was changed"},
    {"UPDATE ledger SET time = '2026-01-01T00:00:00Z' WHERE number = 3", "a row was changed"},
    {"UPDATE ledger SET mark = zeroblob(32) WHERE number = 5", "a row was changed"},
    {"UPDATE ledger SET epsilon = '1/3' WHERE number = 2", "a row was changed"},
    {"UPDATE ledger SET epsilon = '1/0' WHERE number = 2", "not a number"},
    {"UPDATE ledger SET epsilon = NULL WHERE number = 2", "without its cost"},
    {"UPDATE ledger SET silences_left = 9 WHERE number = 2", "a row was changed"},
    {"UPDATE ledger SET silences_left = 2000000 WHERE number = 2", "without its numbers"},
    {"UPDATE ledger SET silences = 2 WHERE number = 4", "more silences than were reserved"},
    {"UPDATE ledger SET silences = 0 WHERE number = 4", "before the first was used"},
    {"UPDATE ledger SET labels = 1 WHERE number = 3", "labels without a reservation"},
    {"UPDATE ledger SET labels = -1 WHERE number = 4", "cannot be read"},
    {"UPDATE ledger SET labels = NULL WHERE number = 4", "without its counts"},
    {"UPDATE ledger SET mark = zeroblob(31) WHERE number = 5", "cannot be read"},
    {"UPDATE ledger SET plan = 2 WHERE number = 4", "not at work"},
    {"UPDATE ledger SET note = 'free' WHERE number = 2", "no known mechanism"},
    {"DELETE FROM ledger WHERE number = 5", "its last rows are missing"},
    {"DELETE FROM ledger WHERE number >= 3", "its last rows are missing"},
    {"DELETE FROM ledger WHERE number = 3", "a row is missing"},
    {"DELETE FROM ledger", "its last rows are missing"},
};

START_TEST(test_forgeries) {
  for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "DROP TRIGGER ledger_changes; DROP TRIGGER ledger_forgets; %s;"
        "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is only appended"
        " to'); END; CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is"
        " only appended to'); END",
        forgeries[i].change);
    ledgers_start_over();
    ledgers_use();
    ledgers_sql(text);
    ledgers_refuse(EXIT_INPUT, forgeries[i].line);
  }
}
END_TEST

START_TEST(test_sqlite_shell_cannot_edit_by_accident) {
  sqlite3 *file;
  ledgers_use();
  ck_assert_int_eq(sqlite3_open("l", &file), SQLITE_OK);
  ck_assert_int_ne(sqlite3_exec(file, "DELETE FROM ledger WHERE number = 5", NULL, NULL, NULL), SQLITE_OK);
  ck_assert_int_ne(sqlite3_exec(file, "UPDATE ledger SET labels = 1", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(file);
  ck_assert_uint_eq(ledgers_left(), 4);
}
END_TEST

START_TEST(test_milestone) {
  struct ledger ledger;
  struct ledger_options options;
  uint8_t head[DIGEST_SIZE];
  struct ledgers_counter counter;
  ledgers_use();
  ck_assert_int_eq(system("cp l older"), 0);
  counter = ledgers_at_work(&ledger);
  memcpy(head, ledger.head, sizeof head);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);
  memset(&options, 0, sizeof options);
  options.look = 1;
  options.milestone = head;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  ck_assert_int_eq(ledger.reached, 1);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledger_open(&ledger, "older", &options), 0); /* whole in itself, but not what was seen */
  ck_assert_int_eq(ledger.reached, 0);
  ledger_shut(&ledger);
}
END_TEST

static void count_row(void *context, const struct ledger_row *row) {
  uint64_t *count = context;
  ck_assert_uint_eq(row->number, ++*count);
}

START_TEST(test_visit_and_answers_digest) {
  struct ledger ledger;
  struct digest digest;
  uint8_t mark[DIGEST_SIZE];
  uint64_t count = 0;
  sqlite3_stmt *statement;
  ledgers_use(); /* answers: silence, label 1 */
  digest_init(&digest);
  digest_add(&digest, "\xff\x01", 2);
  digest_read(&digest, mark);
  ck_assert_int_eq(ledgers_look(&ledger), 0);
  ck_assert_int_eq(ledger_visit(&ledger, count_row, &count), 0);
  ck_assert_uint_eq(count, 5);
  ck_assert_int_eq(sqlite3_prepare_v2(ledger.file, "SELECT mark FROM ledger WHERE number = 5", -1, &statement, NULL),
                   0);
  ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
  ck_assert_mem_eq(sqlite3_column_blob(statement, 0), mark, sizeof mark);
  sqlite3_finalize(statement);
  ledger_shut(&ledger);
}
END_TEST

/* A machine that has lost touch with the ledger is not believed. */
START_TEST(test_machine_must_agree_with_the_file) {
  struct ledger ledger;
  struct ledgers_counter counter = ledgers_at_work(&ledger);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  scratch_expect(EXIT_SYSTEM, ledger_reserve(&ledger, ledgers_quota(4, 0)), "does not count down");
  ledger_shut(&ledger);
  ck_assert_uint_eq(ledgers_left(), 4);
}
END_TEST

SCRATCH_MAIN("ledger_rows", test_changed_bytes, test_edits_by_hand, test_forgeries,
             test_sqlite_shell_cannot_edit_by_accident, test_milestone, test_visit_and_answers_digest,
             test_machine_must_agree_with_the_file)

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "ledger/ledger.h"

/* Each test works in a directory of its own and catches what is said on stderr. */

static char place[64];
static char said[4096];
static int kept_stderr;

static void setup(void) {
  /* In memory when there is such a place: nothing here is about the disk itself. */
  snprintf(place, sizeof place, "%s/fumata-check-ledger-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
  ck_assert_ptr_nonnull(mkdtemp(place));
  ck_assert_int_eq(chdir(place), 0);
  kept_stderr = dup(STDERR_FILENO);
  ck_assert_ptr_nonnull(freopen("said", "w+", stderr));
  setvbuf(stderr, NULL, _IONBF, 0);
}

static void teardown(void) {
  char command[sizeof place + 16];
  fflush(stderr);
  dup2(kept_stderr, STDERR_FILENO);
  snprintf(command, sizeof command, "rm -rf %s", place);
  ck_assert_int_eq(system(command), 0);
}

/* What was said since the last call: at most one line. */
static const char *heard(void) {
  static long before;
  FILE *file = fopen("said", "r");
  size_t size;
  ck_assert_ptr_nonnull(file);
  fseek(file, before, SEEK_SET);
  size = fread(said, 1, sizeof said - 1, file);
  said[size] = 0;
  before = ftell(file);
  fclose(file);
  ck_assert_msg(!strchr(said, '\n') || strchr(said, '\n') == said + size - 1, "more than one line: %s", said);
  return said;
}

static void expect_line(const char *part) {
  heard();
  ck_assert_msg(strstr(said, part) != NULL, "wanted '%s', heard '%s'", part, said);
}

static const uint64_t table[3] = {UINT64_MAX, UINT64_MAX / 2, 1};
static const fumata_meter_plan meter_plan = {table, 3, 5};
static const fumata_claim claim = {1, 2, 1, 100000, 8, UINT64_C(1) << 33};

static struct ledger_terms terms_of(uint32_t limit, uint32_t epsilon_num, uint32_t epsilon_den) {
  fumata_meter_plan plan = meter_plan;
  fumata_claim cost = claim;
  struct ledger_terms terms;
  plan.limit = limit;
  cost.epsilon_num = epsilon_num;
  cost.epsilon_den = epsilon_den;
  ledger_terms_meter(&plan, &cost, &terms);
  return terms;
}

static int open_ledger(struct ledger *ledger, int make) {
  struct ledger_options options;
  memset(&options, 0, sizeof options);
  options.make = make;
  return ledger_open(ledger, "l", &options);
}

static int look_at(struct ledger *ledger) {
  struct ledger_options options;
  memset(&options, 0, sizeof options);
  options.look = 1;
  return ledger_open(ledger, "l", &options);
}

/* The budget machine as a resumed process has it; that it is certified is the core's business. */
static fumata_meter machine(uint32_t left) {
  fumata_meter meter;
  memset(&meter, 0, sizeof meter);
  meter.plan = meter_plan;
  meter.left = left;
  return meter;
}

static void answer(struct ledger *ledger, fumata_meter *meter, uint32_t distance) {
  fumata_verdict verdict = {1, distance};
  int32_t result;
  ck_assert_int_eq(fumata_meter_answer(meter, &verdict, UINT64_MAX / 4 * 3, &result), FUMATA_OK);
  ck_assert_int_eq(result, distance == 0 ? FUMATA_SILENT : 1);
  ledger_record(ledger, result);
}

#define LABEL   3u
#define SILENCE 0u

/* Opens, begins, reserves once. */
static fumata_meter at_work(struct ledger *ledger) {
  struct ledger_terms terms = terms_of(5, 1, 2);
  fumata_meter meter;
  uint32_t left;
  ck_assert_int_eq(open_ledger(ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(ledger, &terms, 0, &left), 0);
  meter = machine(left);
  ck_assert_int_eq(ledger_reserve_meter(ledger, &meter), 0);
  return meter;
}

static uint32_t left_on_disk(void) {
  struct ledger ledger;
  uint32_t left;
  ck_assert_int_eq(look_at(&ledger), 0);
  left = ledger.plans[0].left;
  ledger_shut(&ledger);
  return left;
}

static void sql(const char *text) {
  sqlite3 *file;
  ck_assert_int_eq(sqlite3_open("l", &file), SQLITE_OK);
  ck_assert_msg(sqlite3_exec(file, text, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", text, sqlite3_errmsg(file));
  sqlite3_close(file);
}

static void refuses(int code, const char *part) {
  struct ledger ledger;
  heard();
  ck_assert_int_eq(open_ledger(&ledger, 1), code);
  expect_line(part);
  ledger_shut(&ledger);
}

START_TEST(test_a_life) {
  struct ledger ledger;
  struct ledger_terms terms = terms_of(5, 1, 2);
  fumata_meter meter = at_work(&ledger);
  uint32_t left;
  answer(&ledger, &meter, LABEL);
  answer(&ledger, &meter, LABEL);
  answer(&ledger, &meter, SILENCE);
  ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), 0);
  answer(&ledger, &meter, LABEL);
  ck_assert_uint_eq(meter.left, 3);
  ck_assert_int_eq(ledger_finish_meter(&ledger, &meter), 0);
  ledger_shut(&ledger);

  ck_assert_int_eq(open_ledger(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.rows, 5); /* made, plan, reserve, reserve, close */
  ck_assert_uint_eq(ledger.plan_count, 1);
  ck_assert_uint_eq(ledger.plans[0].left, 4); /* the unused reservation came back */
  ck_assert_uint_eq(ledger.plans[0].labels, 3);
  ck_assert_uint_eq(ledger.plans[0].silences, 1);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 0);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 1);
  ck_assert_uint_eq(ledger.spent_epsilon.den, 2);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(left, 4);
  ck_assert_uint_eq(ledger.plan_count, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_the_reservation_is_on_disk_before_the_answer) {
  struct ledger ledger;
  fumata_meter meter = at_work(&ledger);
  ck_assert_uint_eq(meter.left, 4);
  ledger_shut(&ledger); /* without a finish: a crash */
  ck_assert_uint_eq(left_on_disk(), 4);
}
END_TEST

START_TEST(test_a_crash_loses_one) {
  struct ledger ledger;
  uint32_t crash;
  for (crash = 1; crash <= 5; crash++) {
    fumata_meter meter = at_work(&ledger);
    ck_assert_uint_eq(meter.left, 5 - crash);
    answer(&ledger, &meter, crash % 2 ? LABEL : SILENCE);
    ledger_shut(&ledger);
    ck_assert_uint_eq(left_on_disk(), 5 - crash);
  }
  ck_assert_int_eq(open_ledger(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 5);
  ck_assert_uint_eq(ledger.plans[0].sessions, 5);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_spent_plan_is_refused_unless_again) {
  struct ledger ledger;
  struct ledger_terms terms = terms_of(5, 1, 2);
  fumata_meter meter = at_work(&ledger);
  uint32_t left;
  int i;
  for (i = 0; i < 4; i++) {
    answer(&ledger, &meter, SILENCE);
    ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), 0);
  }
  answer(&ledger, &meter, SILENCE);
  ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), EXIT_REFUSED);
  expect_line("silences are spent");
  ck_assert_int_eq(ledger_finish_meter(&ledger, &meter), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(open_ledger(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.plans[0].silences, 5);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), EXIT_REFUSED);
  expect_line("5 silences are spent");
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 1, &left), 0);
  ck_assert_uint_eq(left, 5);
  ck_assert_uint_eq(ledger.plan_count, 2);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 1); /* 1/2 + 1/2 */
  ck_assert_uint_eq(ledger.spent_epsilon.den, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_other_terms_are_another_plan) {
  struct ledger ledger;
  struct ledger_terms first = terms_of(5, 1, 2), second = terms_of(6, 1, 2), third = terms_of(5, 1, 3);
  uint32_t left;
  ck_assert_int_eq(open_ledger(&ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &first, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &second, 0, &left), 0);
  ck_assert_uint_eq(left, 6);
  ck_assert_int_eq(ledger_begin(&ledger, &third, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &first, 0, &left), 0);
  ck_assert_uint_eq(ledger.plan_count, 3);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 4); /* 1/2 + 1/2 + 1/3 */
  ck_assert_uint_eq(ledger.spent_epsilon.den, 3);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_every_entry_of_a_plan_is_in_its_digest) {
  uint64_t changed[3];
  fumata_meter_plan plan = meter_plan;
  struct ledger_terms one, two;
  int i;
  ledger_terms_meter(&meter_plan, &claim, &one);
  for (i = 0; i < 3; i++) {
    memcpy(changed, table, sizeof changed);
    changed[i] ^= 1;
    plan.silence = changed;
    ledger_terms_meter(&plan, &claim, &two);
    ck_assert_mem_ne(one.digest, two.digest, sizeof one.digest);
  }
  for (i = 0; i < 6; i++) {
    fumata_claim other = claim;
    if (i == 0) other.epsilon_num++;
    if (i == 1) other.epsilon_den++;
    if (i == 2) other.delta_num++;
    if (i == 3) other.delta_den++;
    if (i == 4) other.alpha++;
    if (i == 5) other.v++;
    ledger_terms_meter(&meter_plan, &other, &two);
    ck_assert_mem_ne(one.digest, two.digest, sizeof one.digest);
  }
}
END_TEST

START_TEST(test_classic_gives_nothing_back) {
  static const uint64_t cdf[2] = {1, 2};
  fumata_classic_plan plan = {{cdf, 2, -1}, {cdf, 2, -1}, 3, 5}, other;
  struct ledger_terms terms, terms2;
  fumata_classic classic;
  struct ledger ledger;
  uint32_t left;
  memset(&classic, 0, sizeof classic);
  classic.plan = plan;
  ledger_terms_classic(&plan, &claim, &terms);
  other = plan;
  other.width++;
  ledger_terms_classic(&other, &claim, &terms2);
  ck_assert_mem_ne(terms.digest, terms2.digest, sizeof terms.digest);
  ck_assert_int_eq(open_ledger(&ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &classic.left), 0);
  ck_assert_int_eq(ledger_reserve_classic(&ledger, &classic, 7), 0);
  ck_assert_int_eq(ledger_finish_classic(&ledger, &classic), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(open_ledger(&ledger, 0), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(left, 4);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_totals_are_a_ceiling) {
  struct ledger ledger;
  struct ledger_options options;
  struct ledger_terms half = terms_of(5, 1, 2), tenth = terms_of(5, 1, 10), hair = terms_of(5, 1, 4000000000u);
  struct rational nothing = {0, 1}, more = {3, 10}, less = {2, 5};
  uint32_t left;
  memset(&options, 0, sizeof options);
  options.make = 1;
  options.total_epsilon.num = options.total_epsilon.den = 1;
  options.total_delta.num = 3;
  options.total_delta.den = 100000;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &half, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &tenth, 0, &left), 0);
  ck_assert_int_eq(ledger_afford(&ledger, less, nothing), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "error estimate", more, nothing), 0);
  ck_assert_int_eq(ledger_afford(&ledger, less, nothing), EXIT_REFUSED);
  expect_line("epsilon 0.4 more is too much: 0.9 of the total 1 is spent");
  ck_assert_int_eq(ledger_charge(&ledger, "error estimate", (struct rational){1, 10}, nothing), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &hair, 0, &left), EXIT_REFUSED); /* not by a hair */
  expect_line("too much");
  ck_assert_int_eq(ledger_begin(&ledger, &half, 0, &left), 0); /* what was paid for may go on */
  ledger_shut(&ledger);
  options.total_epsilon.num = 2;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), EXIT_INPUT);
  expect_line("made with total epsilon 1");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_delta_has_its_own_ceiling) {
  struct ledger ledger;
  struct ledger_options options;
  struct ledger_terms one = terms_of(5, 1, 2), two = terms_of(6, 1, 2);
  uint32_t left;
  memset(&options, 0, sizeof options);
  options.make = 1;
  options.total_delta.num = 19;
  options.total_delta.den = 1000000;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &one, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &two, 0, &left), EXIT_REFUSED);
  expect_line("delta 1e-5 more is too much: 1e-5 of the total 1.9e-5 is spent");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_sum_that_does_not_fit_is_refused) {
  struct ledger ledger;
  struct rational odd = {1, UINT64_C(18446744073709551557)}, other = {1, UINT64_C(18446744073709551533)}, none = {0, 1};
  ck_assert_int_eq(open_ledger(&ledger, 1), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "x", odd, none), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "x", other, none), EXIT_REFUSED);
  expect_line("no sum");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_second_process_is_told) {
  struct ledger ledger, other;
  int status;
  pid_t child;
  at_work(&ledger);
  child = fork();
  if (child == 0) {
    int code = open_ledger(&other, 1), looked = look_at(&other);
    _exit(code == EXIT_REFUSED && looked == EXIT_REFUSED ? 42 : 1);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(WEXITSTATUS(status), 42);
  fseek(stderr, 0, SEEK_END);
  {
    FILE *file = fopen("said", "r");
    ck_assert_ptr_nonnull(fgets(said, sizeof said, file));
    ck_assert_ptr_nonnull(strstr(said, "in use by another process"));
    fclose(file);
  }
  ledger_shut(&ledger);
  ck_assert_int_eq(open_ledger(&ledger, 0), 0);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_settings_hold) {
  struct ledger ledger;
  sqlite3_stmt *statement;
  static const char *const ask[] = {"PRAGMA synchronous", "PRAGMA locking_mode", "PRAGMA journal_mode"};
  static const char *const wanted[] = {"3", "exclusive", "wal"};
  int i;
  at_work(&ledger);
  for (i = 0; i < 3; i++) {
    ck_assert_int_eq(sqlite3_prepare_v2(ledger.file, ask[i], -1, &statement, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(statement, 0), wanted[i]);
    sqlite3_finalize(statement);
  }
  ledger_shut(&ledger);
}
END_TEST

/* ---- files that must be refused ---- */

static void make_used(void) {
  struct ledger ledger;
  fumata_meter meter = at_work(&ledger);
  answer(&ledger, &meter, SILENCE);
  ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), 0);
  answer(&ledger, &meter, LABEL);
  ck_assert_int_eq(ledger_finish_meter(&ledger, &meter), 0);
  ledger_shut(&ledger);
}

START_TEST(test_missing) {
  struct ledger ledger;
  ck_assert_int_eq(open_ledger(&ledger, 0), EXIT_INPUT);
  expect_line("cannot open the ledger: No such file");
  ledger_shut(&ledger);
  ck_assert_int_ne(access("l", F_OK), 0);
}
END_TEST

START_TEST(test_not_a_ledger) {
  FILE *file = fopen("l", "w");
  int i;
  fclose(file);
  refuses(EXIT_INPUT, "the file is empty");
  file = fopen("l", "w");
  for (i = 0; i < 1000; i++)
    fputs("id,answer\n", file);
  fclose(file);
  refuses(EXIT_INPUT, "not a ledger");
  unlink("l");
  sql("CREATE TABLE ledger (x); INSERT INTO ledger VALUES (1)");
  refuses(EXIT_INPUT, "not a ledger");
  unlink("l");
  ck_assert_int_eq(mkdir("l", 0700), 0);
  refuses(EXIT_INPUT, "not a ledger");
}
END_TEST

START_TEST(test_other_version) {
  make_used();
  sql("PRAGMA user_version=0");
  refuses(EXIT_INPUT, "a ledger of version 0; this program reads version 1");
  sql("PRAGMA user_version=2");
  refuses(EXIT_INPUT, "a ledger of version 2; this program reads version 1");
}
END_TEST

START_TEST(test_read_only) {
  make_used();
  ck_assert_int_eq(chmod("l", 0444), 0);
  refuses(EXIT_INPUT, "read-only");
  ck_assert_uint_eq(left_on_disk(), 4); /* it may still be looked at */
}
END_TEST

START_TEST(test_second_name) {
  make_used();
  ck_assert_int_eq(link("l", "m"), 0);
  refuses(EXIT_INPUT, "hard link");
}
END_TEST

/* Cut anywhere, and with any single byte of the file inverted, a ledger is refused or says exactly what it said. */
START_TEST(test_cut_short) {
  struct stat whole;
  off_t size;
  make_used();
  ck_assert_int_eq(stat("l", &whole), 0);
  for (size = whole.st_size - 1; size >= 0; size -= size % 512 ? size % 512 : 512) {
    struct ledger ledger;
    ck_assert_int_eq(truncate("l", size), 0);
    ck_assert_int_eq(open_ledger(&ledger, 1), EXIT_INPUT);
    heard();
    ledger_shut(&ledger);
  }
}
END_TEST

START_TEST(test_changed_bytes) {
  struct stat whole;
  off_t at;
  unsigned char byte;
  int fd, refused = 0, harmless = 0;
  make_used();
  ck_assert_int_eq(stat("l", &whole), 0);
  fd = open("l", O_RDWR);
  for (at = 0; at < whole.st_size; at += 13) {
    struct ledger ledger;
    int code;
    ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 0x55;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    code = look_at(&ledger);
    if (code == 0) {
      ck_assert_uint_eq(ledger.rows, 5);
      ck_assert_uint_eq(ledger.plan_count, 1);
      ck_assert_uint_eq(ledger.plans[0].left, 4);
      harmless++;
    } else {
      refused++;
    }
    ledger_shut(&ledger);
    byte ^= 0x55;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
  }
  close(fd);
  ck_assert_int_gt(refused, 50);
  ck_assert_int_gt(harmless, 0); /* unused bytes of a page are nobody's business */
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
    {"INSERT INTO ledger VALUES (6,'2026-01-01T00:00:00Z','resume',1,4,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32))",
     "a row was changed"},
    {"INSERT INTO ledger VALUES (7,'2026-01-01T00:00:00Z','resume',1,4,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32))",
     "a row is missing"},
    {"INSERT INTO ledger VALUES (6,'2026-01-01T00:00:00Z','resume',1,5,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32))",
     "resumed with another number"},
    {"INSERT INTO ledger VALUES (6,'2026-01-01T00:00:00Z','gift',1,5,NULL,NULL,NULL,NULL,NULL,NULL,zeroblob(32))",
     "no known kind"},
    {"INSERT INTO ledger VALUES (6,'2026-01-01T00:00:00Z','close',1,5,0,0,NULL,NULL,NULL,zeroblob(32),zeroblob(32))",
     "not at work"},
};

START_TEST(test_edits_by_hand) {
  make_used();
  sql(edits[_i].change);
  refuses(EXIT_INPUT, edits[_i].line);
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
    {"UPDATE ledger SET epsilon = '1/0' WHERE number = 2", "no number"},
    {"UPDATE ledger SET epsilon = NULL WHERE number = 2", "without its cost"},
    {"UPDATE ledger SET silences_left = 9 WHERE number = 2", "a row was changed"},
    {"UPDATE ledger SET silences_left = 2000000 WHERE number = 2", "without its numbers"},
    {"UPDATE ledger SET silences = 2 WHERE number = 4", "two silences"},
    {"UPDATE ledger SET silences = 0 WHERE number = 4", "before the first was used"},
    {"UPDATE ledger SET labels = 1 WHERE number = 3", "answers without a reservation"},
    {"UPDATE ledger SET labels = -1 WHERE number = 4", "no row"},
    {"UPDATE ledger SET labels = NULL WHERE number = 4", "without its counts"},
    {"UPDATE ledger SET mark = zeroblob(31) WHERE number = 5", "no row"},
    {"UPDATE ledger SET plan = 2 WHERE number = 4", "not at work"},
    {"UPDATE ledger SET note = 'free' WHERE number = 2", "no known mechanism"},
    {"DELETE FROM ledger WHERE number = 5", "its last rows are missing"},
    {"DELETE FROM ledger WHERE number >= 3", "its last rows are missing"},
    {"DELETE FROM ledger WHERE number = 3", "a row is missing"},
    {"DELETE FROM ledger", "its last rows are missing"},
};

START_TEST(test_forgeries) {
  char text[1024];
  make_used();
  snprintf(text, sizeof text,
           "DROP TRIGGER ledger_changes; DROP TRIGGER ledger_forgets; %s;"
           "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is only appended"
           " to'); END; CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is"
           " only appended to'); END",
           forgeries[_i].change);
  sql(text);
  refuses(EXIT_INPUT, forgeries[_i].line);
}
END_TEST

START_TEST(test_sqlite_shell_cannot_edit_by_accident) {
  sqlite3 *file;
  make_used();
  ck_assert_int_eq(sqlite3_open("l", &file), SQLITE_OK);
  ck_assert_int_ne(sqlite3_exec(file, "DELETE FROM ledger WHERE number = 5", NULL, NULL, NULL), SQLITE_OK);
  ck_assert_int_ne(sqlite3_exec(file, "UPDATE ledger SET labels = 1", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(file);
  ck_assert_uint_eq(left_on_disk(), 4);
}
END_TEST

START_TEST(test_replaced_while_at_work) {
  struct ledger ledger, other;
  struct ledger_options options;
  fumata_meter meter;
  memset(&options, 0, sizeof options);
  options.make = options.keep = 1;
  ck_assert_int_eq(ledger_open(&other, "fresh", &options), 0);
  ledger_shut(&other);
  meter = at_work(&ledger);
  ck_assert_int_eq(rename("l", "moved"), 0);
  answer(&ledger, &meter, SILENCE);
  ck_assert_int_eq(open_ledger(&other, 1), EXIT_INPUT); /* no fresh one beside the old one's rows */
  expect_line("it was moved or removed");
  ledger_shut(&other);
  if (_i) ck_assert_int_eq(rename("fresh", "l"), 0);
  ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), EXIT_SYSTEM);
  expect_line("moved or replaced");
  ck_assert_uint_eq(meter.reserved, 0); /* the core cannot answer */
  ck_assert_uint_eq(meter.left, 4);
  ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), EXIT_SYSTEM); /* and stays so */
  ck_assert_int_eq(ledger_finish_meter(&ledger, &meter), EXIT_SYSTEM);
  ck_assert_str_eq(heard(), ""); /* without a second line */
  ledger_shut(&ledger);
}
END_TEST

/* ---- after a crash ---- */

/* A process that is killed at work: rows made, plan, and `reserves` reservations. */
static void crash(int reserves) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    struct ledger ledger;
    fumata_meter meter = at_work(&ledger);
    while (--reserves > 0) {
      answer(&ledger, &meter, SILENCE);
      if (ledger_reserve_meter(&ledger, &meter)) _exit(1);
    }
    raise(SIGKILL);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status));
}

START_TEST(test_crash_is_taken_in) {
  struct ledger ledger;
  fumata_meter meter;
  crash(3);
  ck_assert_int_eq(access("l-wal", F_OK) | access("l-mark", F_OK), 0);
  ck_assert_uint_eq(left_on_disk(), 2);
  crash(1);
  meter = at_work(&ledger);
  ck_assert_uint_eq(meter.left, 0);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 2);
  ck_assert_uint_eq(ledger.plans[0].sessions, 3);
  ck_assert_int_eq(ledger_finish_meter(&ledger, &meter), 0);
  ledger_shut(&ledger);
  ck_assert_int_ne(access("l-wal", F_OK), 0);
  ck_assert_int_ne(access("l-mark", F_OK), 0);
  ck_assert_uint_eq(left_on_disk(), 1);
}
END_TEST

static const struct {
  const char *deed, *line;
} deeds[] = {
    {"rm l-wal", "the file that ends in -wal is lost"},
    {": > l-wal", "the file that ends in -wal is lost"},
    {"rm l-mark", "-mark is missing"},
    {": > l-mark", "-mark is missing"},
    {"rm l-mark l-wal", "-mark is missing"},
    {"rm l", "it was moved or removed"},
    {"rm l l-wal", "it was moved or removed"},
    {"rm l l-mark", "it was moved or removed"},
    {"cp l m && rm l l-wal l-mark && mv m l", "or this is a copy"},
};

START_TEST(test_what_hands_do_after_a_crash) {
  crash(3);
  ck_assert_int_eq(system(deeds[_i].deed), 0);
  refuses(EXIT_INPUT, deeds[_i].line);
}
END_TEST

/* Rows that SQLite would drop without a word are missed by the mark. */
START_TEST(test_damaged_log) {
  struct stat whole;
  off_t at;
  int refused = 0;
  crash(3);
  ck_assert_int_eq(stat("l-wal", &whole), 0);
  ck_assert_int_eq(system("mkdir kept && cp l l-wal l-mark kept"), 0);
  for (at = 0; at < whole.st_size; at += 200) {
    struct ledger ledger;
    unsigned char byte;
    int fd = open("l-wal", O_RDWR), code;
    if (_i) {
      ck_assert_int_eq(ftruncate(fd, at), 0);
    } else {
      ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
      byte ^= 0x55;
      ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
    code = open_ledger(&ledger, 0);
    heard();
    ck_assert(code == EXIT_OK || code == EXIT_INPUT);
    if (code == EXIT_OK) ck_assert_uint_eq(ledger.plans[0].left, 2);
    refused += code != EXIT_OK;
    ledger_shut(&ledger);
    ck_assert_int_eq(system("rm -f l l-wal l-mark; cp kept/* ."), 0);
  }
  ck_assert_int_gt(refused, 20);
}
END_TEST

START_TEST(test_milestone) {
  struct ledger ledger;
  struct ledger_options options;
  uint8_t head[DIGEST_SIZE];
  fumata_meter meter;
  make_used();
  ck_assert_int_eq(system("cp l older"), 0);
  meter = at_work(&ledger);
  memcpy(head, ledger.head, sizeof head);
  answer(&ledger, &meter, SILENCE);
  ck_assert_int_eq(ledger_finish_meter(&ledger, &meter), 0);
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
  make_used(); /* answers: silence, label 1 */
  digest_init(&digest);
  digest_add(&digest, "\xff\x01", 2);
  digest_read(&digest, mark);
  ck_assert_int_eq(look_at(&ledger), 0);
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

START_TEST(test_answers_as_bytes) {
  uint8_t bytes[3];
  ck_assert_uint_eq(ledger_encode(FUMATA_SILENT, bytes), 1);
  ck_assert_uint_eq(bytes[0], 0xff);
  ck_assert_uint_eq(ledger_encode(0xfd, bytes), 1);
  ck_assert_uint_eq(bytes[0], 0xfd);
  ck_assert_uint_eq(ledger_encode(1023, bytes), 3);
  ck_assert_mem_eq(bytes, "\xfe\xff\x03", 3);
}
END_TEST

START_TEST(test_looking_writes_nothing) {
  struct ledger ledger;
  struct ledger_terms terms = terms_of(5, 1, 2);
  uint32_t left = 77;
  make_used();
  ck_assert_int_eq(look_at(&ledger), 0);
  ck_assert_int_ne(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(left, 77);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_reserving_needs_a_plan) {
  struct ledger ledger;
  fumata_meter meter = machine(5);
  ck_assert_int_eq(open_ledger(&ledger, 1), 0);
  ck_assert_int_ne(ledger_reserve_meter(&ledger, &meter), 0);
  ck_assert_uint_eq(meter.reserved, 0);
  ledger_shut(&ledger);
}
END_TEST

/* A machine that has lost touch with the ledger is not believed. */
START_TEST(test_machine_must_agree_with_the_file) {
  struct ledger ledger;
  fumata_meter meter = at_work(&ledger);
  answer(&ledger, &meter, SILENCE);
  meter.left = 5;
  ck_assert_int_eq(ledger_reserve_meter(&ledger, &meter), EXIT_SYSTEM);
  expect_line("does not count down");
  ledger_shut(&ledger);
  ck_assert_uint_eq(left_on_disk(), 4);
}
END_TEST

START_TEST(test_unused_is_removed_but_nobody_elses) {
  struct ledger ledger, other;
  struct ledger_options options;
  int status;
  pid_t child;
  ck_assert_int_eq(open_ledger(&ledger, 1), 0);
  child = fork();
  if (child == 0) {
    int code = open_ledger(&other, 1);
    other.is_new = 1; /* as if it had been made here, and locked by somebody else before us */
    ledger_shut(&other);
    _exit(code == EXIT_REFUSED ? 42 : 1);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(WEXITSTATUS(status), 42);
  ck_assert_int_eq(access("l", F_OK), 0);
  ledger_shut(&ledger);
  ck_assert_int_ne(access("l", F_OK), 0);
  ck_assert_int_ne(access("l-mark", F_OK), 0);
  ck_assert_int_ne(access("l-wal", F_OK), 0);
  memset(&options, 0, sizeof options);
  options.make = options.keep = 1;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(open_ledger(&ledger, 1), 0); /* not new, so not removed */
  ledger_shut(&ledger);
  ck_assert_int_eq(access("l", F_OK), 0);
}
END_TEST

START_TEST(test_nobody_overwrites_when_making) {
  pid_t child[4];
  int i, status;
  for (i = 0; i < 4; i++) {
    child[i] = fork();
    if (child[i] == 0) {
      struct ledger ledger;
      struct ledger_options options;
      int code;
      memset(&options, 0, sizeof options);
      options.make = options.keep = 1;
      code = ledger_open(&ledger, "l", &options);
      ledger_shut(&ledger);
      _exit(code);
    }
  }
  for (i = 0; i < 4; i++) {
    ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
    ck_assert(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == EXIT_REFUSED));
  }
  ck_assert_int_eq(system("test $(ls | wc -l) -eq 2"), 0); /* the ledger and `said`, no litter */
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ledger");
  TCase *tests = tcase_create("ledger");
  SRunner *runner = srunner_create(suite);
  int failed;
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_set_timeout(tests, 30);
  tcase_add_test(tests, test_a_life);
  tcase_add_test(tests, test_the_reservation_is_on_disk_before_the_answer);
  tcase_add_test(tests, test_a_crash_loses_one);
  tcase_add_test(tests, test_a_spent_plan_is_refused_unless_again);
  tcase_add_test(tests, test_other_terms_are_another_plan);
  tcase_add_test(tests, test_every_entry_of_a_plan_is_in_its_digest);
  tcase_add_test(tests, test_classic_gives_nothing_back);
  tcase_add_test(tests, test_totals_are_a_ceiling);
  tcase_add_test(tests, test_delta_has_its_own_ceiling);
  tcase_add_test(tests, test_a_sum_that_does_not_fit_is_refused);
  tcase_add_test(tests, test_second_process_is_told);
  tcase_add_test(tests, test_settings_hold);
  tcase_add_test(tests, test_missing);
  tcase_add_test(tests, test_not_a_ledger);
  tcase_add_test(tests, test_other_version);
  tcase_add_test(tests, test_read_only);
  tcase_add_test(tests, test_second_name);
  tcase_add_test(tests, test_cut_short);
  tcase_add_test(tests, test_changed_bytes);
  tcase_add_loop_test(tests, test_edits_by_hand, 0, (int)(sizeof edits / sizeof *edits));
  tcase_add_loop_test(tests, test_forgeries, 0, (int)(sizeof forgeries / sizeof *forgeries));
  tcase_add_test(tests, test_sqlite_shell_cannot_edit_by_accident);
  tcase_add_loop_test(tests, test_replaced_while_at_work, 0, 2);
  tcase_add_test(tests, test_crash_is_taken_in);
  tcase_add_loop_test(tests, test_what_hands_do_after_a_crash, 0, (int)(sizeof deeds / sizeof *deeds));
  tcase_add_loop_test(tests, test_damaged_log, 0, 2);
  tcase_add_test(tests, test_answers_as_bytes);
  tcase_add_test(tests, test_milestone);
  tcase_add_test(tests, test_visit_and_answers_digest);
  tcase_add_test(tests, test_looking_writes_nothing);
  tcase_add_test(tests, test_reserving_needs_a_plan);
  tcase_add_test(tests, test_machine_must_agree_with_the_file);
  tcase_add_test(tests, test_nobody_overwrites_when_making);
  tcase_add_test(tests, test_unused_is_removed_but_nobody_elses);
  suite_add_tcase(suite, tests);
  srunner_run_all(runner, CK_ENV);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}

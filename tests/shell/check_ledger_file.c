#include "support/ledgers.h"

/* The exit code of an open in another process. */
static int open_elsewhere(int look) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    struct ledger ledger;
    _exit(look ? ledgers_look(&ledger) : ledgers_open(&ledger, 1));
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

START_TEST(test_second_process_is_told) {
  struct ledger ledger;
  ledgers_at_work(&ledger);
  scratch_expect(EXIT_REFUSED, open_elsewhere(0), "in use by another process");
  scratch_expect(EXIT_REFUSED, open_elsewhere(1), "in use by another process");
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_settings_hold) {
  struct ledger ledger;
  sqlite3_stmt *statement;
  static const char *const ask[] = {"PRAGMA synchronous", "PRAGMA locking_mode", "PRAGMA journal_mode"};
  static const char *const wanted[] = {"3", "exclusive", "wal"};
  int i;
  ledgers_at_work(&ledger);
  for (i = 0; i < 3; i++) {
    ck_assert_int_eq(sqlite3_prepare_v2(ledger.file, ask[i], -1, &statement, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(statement, 0), wanted[i]);
    sqlite3_finalize(statement);
  }
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_missing) {
  struct ledger ledger;
  scratch_expect(EXIT_INPUT, ledgers_open(&ledger, 0), "cannot open the ledger: No such file");
  ledger_shut(&ledger);
  ck_assert_int_ne(access("l", F_OK), 0);
}
END_TEST

START_TEST(test_not_a_ledger) {
  FILE *file = fopen("l", "w");
  int i;
  fclose(file);
  ledgers_refuse(EXIT_INPUT, "the file is empty");
  file = fopen("l", "w");
  for (i = 0; i < 1000; i++)
    fputs("id,answer\n", file);
  fclose(file);
  ledgers_refuse(EXIT_INPUT, "not a ledger");
  unlink("l");
  ledgers_sql("CREATE TABLE ledger (x); INSERT INTO ledger VALUES (1)");
  ledgers_refuse(EXIT_INPUT, "not a ledger");
  unlink("l");
  ck_assert_int_eq(mkdir("l", 0700), 0);
  ledgers_refuse(EXIT_INPUT, "not a ledger");
}
END_TEST

START_TEST(test_other_version) {
  ledgers_use();
  ledgers_sql("PRAGMA user_version=2");
  ledgers_refuse(EXIT_INPUT, "a ledger of version 2; this program reads version 4");
  ledgers_sql("PRAGMA user_version=5");
  ledgers_refuse(EXIT_INPUT, "a ledger of version 5; this program reads version 4");
}
END_TEST

START_TEST(test_read_only) {
  ledgers_use();
  ck_assert_int_eq(chmod("l", 0444), 0);
  ledgers_refuse(EXIT_INPUT, "read-only");
  ck_assert_uint_eq(ledgers_left(), 4); /* it may still be looked at */
}
END_TEST

START_TEST(test_second_name) {
  ledgers_use();
  ck_assert_int_eq(link("l", "m"), 0);
  ledgers_refuse(EXIT_INPUT, "hard link");
}
END_TEST

/* Cut anywhere, and with any single byte of the file inverted, a ledger is refused or says exactly what it said. */
START_TEST(test_cut_short) {
  struct stat whole;
  off_t size;
  ledgers_use();
  ck_assert_int_eq(stat("l", &whole), 0);
  for (size = whole.st_size - 1; size >= 0; size -= size % 512 ? size % 512 : 512) {
    struct ledger ledger;
    ck_assert_int_eq(truncate("l", size), 0);
    scratch_expect(EXIT_INPUT, ledgers_open(&ledger, 1), "");
    ledger_shut(&ledger);
  }
}
END_TEST

static void replace_at_work(int by_fresh) {
  struct ledger ledger, other;
  struct ledger_options options = {.make = 1, .keep = 1};
  struct ledgers_counter counter;
  long before;
  ck_assert_int_eq(ledger_open(&other, "fresh", &options), 0);
  ledger_shut(&other);
  counter = ledgers_at_work(&ledger);
  ck_assert_int_eq(rename("l", "moved"), 0);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  scratch_expect(EXIT_INPUT, ledgers_open(&other, 1), "it was moved or removed"); /* no fresh one beside the old rows */
  ledger_shut(&other);
  if (by_fresh) ck_assert_int_eq(rename("fresh", "l"), 0);
  scratch_expect(EXIT_SYSTEM, ledger_reserve(&ledger, ledgers_quota(3, 0)), "moved or replaced");
  before = ledgers_said();
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(3, 0)), EXIT_SYSTEM); /* and stays so */
  ck_assert_int_eq(ledger_finish(&ledger, ledgers_quota(4, 0)), EXIT_SYSTEM);
  ck_assert_int_eq(ledgers_said(), before); /* without a second line */
  ledger_shut(&ledger);
}

START_TEST(test_replaced_while_at_work) {
  replace_at_work(0);
  ledgers_start_over();
  replace_at_work(1);
}
END_TEST

START_TEST(test_crash_is_taken_in) {
  struct ledger ledger;
  struct ledgers_counter counter;
  ledgers_crash(3);
  ck_assert_int_eq(access("l-wal", F_OK) | access("l-mark", F_OK), 0);
  ck_assert_uint_eq(ledgers_left(), 2);
  ledgers_crash(1);
  counter = ledgers_at_work(&ledger);
  ck_assert_uint_eq(counter.left, 0);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 2);
  ck_assert_uint_eq(ledger.plans[0].sessions, 3);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);
  ck_assert_int_ne(access("l-wal", F_OK), 0);
  ck_assert_int_ne(access("l-mark", F_OK), 0);
  ck_assert_uint_eq(ledgers_left(), 1);
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
  for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
    ledgers_start_over();
    ledgers_crash(3);
    ck_assert_int_eq(system(deeds[i].deed), 0);
    ledgers_refuse(EXIT_INPUT, deeds[i].line);
  }
}
END_TEST

/* Rows that SQLite would drop without a word are missed by the mark. */
static void damage_log(int by_cutting) {
  struct stat whole;
  off_t at;
  int refused = 0;
  ledgers_crash(3);
  ck_assert_int_eq(stat("l-wal", &whole), 0);
  ck_assert_int_eq(system("mkdir kept && cp l l-wal l-mark kept"), 0);
  for (at = 0; at < whole.st_size; at += 200) {
    struct ledger ledger;
    unsigned char byte;
    int fd = open("l-wal", O_RDWR), code;
    if (by_cutting) {
      ck_assert_int_eq(ftruncate(fd, at), 0);
    } else {
      ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
      byte ^= 0x55;
      ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
    code = ledgers_open(&ledger, 0);
    if (code) scratch_expect(EXIT_INPUT, code, "");
    if (!code) ck_assert_uint_eq(ledger.plans[0].left.silences, 2);
    refused += code != 0;
    ledger_shut(&ledger);
    ck_assert_int_eq(system("rm -f l l-wal l-mark; cp kept/* ."), 0);
  }
  ck_assert_int_gt(refused, 20);
}

START_TEST(test_damaged_log) {
  damage_log(0);
}
END_TEST

START_TEST(test_log_cut_short) {
  damage_log(1);
}
END_TEST

START_TEST(test_unused_is_removed_but_nobody_elses) {
  struct ledger ledger, other;
  struct ledger_options options;
  int status;
  pid_t child;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  child = fork();
  if (child == 0) {
    int code = ledgers_open(&other, 1);
    other.is_new = 1; /* as if it had been made here, and locked by another process before us */
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
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0); /* not new, so not removed */
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
  ck_assert_int_eq(system("test $(ls | wc -l) -eq 3"), 0); /* the ledger, its key and `said`, no litter */
}
END_TEST

SCRATCH_MAIN("ledger_file", test_second_process_is_told, test_settings_hold, test_missing, test_not_a_ledger,
             test_other_version, test_read_only, test_second_name, test_cut_short, test_replaced_while_at_work,
             test_crash_is_taken_in, test_what_hands_do_after_a_crash, test_damaged_log, test_log_cut_short,
             test_unused_is_removed_but_nobody_elses, test_nobody_overwrites_when_making)

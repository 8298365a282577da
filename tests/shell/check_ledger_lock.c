#include "gate/ledger_lock.h"

#include "support/ledgers.h"

/* Another process, forked before this one has opened anything: what SQLite knows of its own locks would be forked too. */
static struct {
  pid_t child;
  int bell[2];
} other;

static void other_start(void) {
  ck_assert_int_eq(pipe(other.bell), 0);
  other.child = fork();
  if (other.child == 0) {
    struct ledger ledger;
    char byte;
    int code = read(other.bell[0], &byte, 1) == 1 ? ledgers_open(&ledger, 0) : 99;
    ledger_shut(&ledger);
    _exit(code);
  }
}

/* What it is told when it opens the ledger now. */
static int other_opens(void) {
  int status;
  ck_assert_int_eq(write(other.bell[1], "x", 1), 1);
  ck_assert_int_eq(waitpid(other.child, &status, 0), other.child);
  close(other.bell[0]);
  close(other.bell[1]);
  return WEXITSTATUS(status);
}

/* Anything that reads the file in this process takes SQLite's lock away, and leaves ours. */
START_TEST(test_reading_the_ledger_does_not_unlock_it) {
  struct ledger ledger;
  struct ledgers_counter counter;
  other_start();
  counter = ledgers_at_work(&ledger);
  close(open("l", O_RDONLY));
  ck_assert_int_eq(other_opens(), EXIT_REFUSED);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);
  other_start();
  ck_assert_int_eq(other_opens(), 0);
}
END_TEST

/* Should a process get round the lock, the next row is not written. */
START_TEST(test_another_writer_is_seen) {
  struct ledger ledger;
  struct ledgers_counter counter;
  other_start();
  counter = ledgers_at_work(&ledger);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(rename("l-key", "l-kez"), 0);
  close(open("l", O_RDONLY));
  ck_assert_int_eq(other_opens(), 0);
  scratch_expect(EXIT_SYSTEM, ledgers_reserve(&ledger, &counter), "another process has written to the ledger");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_nobody_else_may_read_it) {
  static const char *const names[] = {"l", "l-key", "l-mark", "l-wal"};
  struct ledger ledger;
  struct stat about;
  mode_t mask = umask(0);
  ledgers_at_work(&ledger);
  umask(mask);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ck_assert_int_eq(stat(names[i], &about), 0);
    ck_assert_msg((about.st_mode & 0777) == 0600, "%s has mode %o", names[i], about.st_mode);
  }
  ledger_shut(&ledger);
  ck_assert_int_eq(chmod("l-key", 0640), 0);
  ledgers_refuse(EXIT_INPUT, "others may read this key (mode 640)");
}
END_TEST

/* Whoever has the ledger but not its key cannot try out what the private file says. */
START_TEST(test_the_digest_needs_the_key) {
  struct ledger ledger;
  struct digest digest[2];
  uint8_t value[2][DIGEST_SIZE];
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ledger_salt(&ledger, &digest[0]);
  ledger.key[0] ^= 1;
  ledger_salt(&ledger, &digest[1]);
  digest_read(&digest[0], value[0]);
  digest_read(&digest[1], value[1]);
  ck_assert_mem_ne(value[0], value[1], DIGEST_SIZE);
  ledger_shut(&ledger);
  ck_assert_int_ne(access("l-key", F_OK), 0); /* it was not used */
  ledgers_use();
  ck_assert_int_eq(access("l-key", F_OK), 0);
}
END_TEST

static const char *const deeds[] = {"echo 1,2,no > l-mark", "echo 1,2,no > l-wal", "echo 1,2,no > l-journal",
                                    "echo 1,2,no > l-key",  "echo 1,2,no > l-shm", "ln -sf other l-mark",
                                    "ln -sf other l-key",   "mkdir l-wal",         "echo 1 > a; ln a l-mark"};

START_TEST(test_companions_are_nobody_elses) {
  for (size_t made = 0; made < 2; made++)
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
      ledgers_start_over();
      ck_assert_int_eq(system("rm -rf a other && echo kept > other"), 0);
      if (made) ledgers_use();
      ck_assert_int_eq(system("rm -rf l-*"), 0);
      ck_assert_int_eq(system(deeds[i]), 0);
      ck_assert_int_eq(system("rm -rf before; cp -a . /tmp/before.$$ && mv /tmp/before.$$ before"), 0);
      ledgers_refuse(EXIT_INPUT, "the file is not the ledger's");
      ck_assert_int_eq(system("for f in l-* other; do [ -h $f ] || [ -d $f ] || cmp $f before/$f || exit 1; done"), 0);
    }
}
END_TEST

START_TEST(test_a_link_is_the_same_ledger) {
  struct ledger ledger;
  struct ledger_options options = {0};
  struct ledgers_counter counter;
  ledgers_use();
  ck_assert_int_eq(mkdir("kept", 0777), 0);
  ck_assert_int_eq(symlink("../l", "kept/m"), 0);
  counter = ledgers_at_work(&ledger);
  ck_assert_int_eq(system("ls kept | grep -q m-"), 256);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);
  other_start();
  ck_assert_int_eq(ledger_open(&ledger, "kept/m", &options), 0);
  ck_assert_int_eq(access("l-mark", F_OK), 0);
  ck_assert_int_ne(access("kept/m-mark", F_OK), 0);
  scratch_expect(EXIT_REFUSED, other_opens(), "in use by another process");
  ledger_shut(&ledger);
  ck_assert_int_eq(symlink("nowhere", "kept/n"), 0);
  options.make = 1;
  scratch_expect(EXIT_INPUT, ledger_open(&ledger, "kept/n", &options), "a link to nothing");
  ledger_shut(&ledger);
}
END_TEST

SCRATCH_MAIN("ledger_lock", test_reading_the_ledger_does_not_unlock_it, test_another_writer_is_seen,
             test_nobody_else_may_read_it, test_the_digest_needs_the_key, test_companions_are_nobody_elses,
             test_a_link_is_the_same_ledger)

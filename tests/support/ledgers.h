/* A ledger called `l` in the scratch directory, and what one does to it. */
#ifndef SUPPORT_LEDGERS_H
#define SUPPORT_LEDGERS_H

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/error.h"
#include "gate/ledger.h"
#include "support/scratch.h"

/* How much was said so far. */
static inline long ledgers_said(void) {
  return (long)lseek(STDERR_FILENO, 0, SEEK_CUR);
}

static inline struct plan_terms ledgers_terms(uint32_t limit, uint32_t epsilon_num, uint32_t epsilon_den) {
  static const uint64_t table[1] = {1};
  struct plan_box box = {.mechanism = PLAN_MECHANISM_METER,
                         .claim = {epsilon_num, epsilon_den, 1, 100000, 8, UINT64_C(1) << 33, 0},
                         .meter = {table, 1, limit}};
  struct plan_terms terms;
  plan_terms(&box, &terms);
  return terms;
}

/* The same with answers beside the silences, or without these. */
static inline struct plan_terms ledgers_terms_both(uint32_t silences, uint32_t answers) {
  static const uint64_t silence[1] = {1}, named[1] = {UINT64_C(1) << 63};
  struct plan_box box = {.mechanism = silences ? PLAN_MECHANISM_BOTH : PLAN_MECHANISM_TOLL,
                         .claim = {1, 2, 1, 100000, 8, UINT64_C(1) << 33, UINT64_C(1) << 33},
                         .meter = {silence, 1, silences},
                         .toll = {named, 1, answers}};
  struct plan_terms terms;
  plan_terms(&box, &terms);
  return terms;
}

static inline struct plan_quota ledgers_quota(uint32_t silences, uint32_t answers) {
  return (struct plan_quota){silences, answers};
}

static inline int ledgers_open(struct ledger *ledger, int make) {
  struct ledger_options options;
  memset(&options, 0, sizeof options);
  options.make = make;
  return ledger_open(ledger, "l", &options);
}

static inline int ledgers_look(struct ledger *ledger) {
  struct ledger_options options;
  memset(&options, 0, sizeof options);
  options.look = 1;
  return ledger_open(ledger, "l", &options);
}

/* A budget machine, as far as the ledger knows it. */
struct ledgers_counter {
  uint32_t left, reserved;
};

static inline int ledgers_reserve(struct ledger *ledger, struct ledgers_counter *counter) {
  int code = ledger_reserve(ledger, ledgers_quota(counter->left - 1, 0));
  if (!code) *counter = (struct ledgers_counter){counter->left - 1, 1};
  return code;
}

static inline int ledgers_finish(struct ledger *ledger, struct ledgers_counter *counter) {
  *counter = (struct ledgers_counter){counter->left + counter->reserved, 0};
  return ledger_finish(ledger, ledgers_quota(counter->left, 0));
}

#define LEDGERS_LABEL   1
#define LEDGERS_SILENCE (-1)

static inline void ledgers_answer(struct ledger *ledger, struct ledgers_counter *counter, int32_t what) {
  ck_assert_uint_eq(counter->reserved, 1);
  if (what == LEDGERS_SILENCE) counter->reserved = 0;
  ledger_record(ledger, PLAN_KIND_METER, what);
}

/* Opens, begins, reserves once. */
static inline struct ledgers_counter ledgers_at_work(struct ledger *ledger) {
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct ledgers_counter counter;
  struct plan_quota left;
  ck_assert_int_eq(ledgers_open(ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(ledger, &terms, 0, &left), 0);
  counter = (struct ledgers_counter){left.silences, 0};
  ck_assert_int_eq(ledgers_reserve(ledger, &counter), 0);
  return counter;
}

static inline uint32_t ledgers_left(void) {
  struct ledger ledger;
  uint32_t left;
  ck_assert_int_eq(ledgers_look(&ledger), 0);
  left = ledger.plans[0].left.silences;
  ledger_shut(&ledger);
  return left;
}

static inline void ledgers_sql(const char *text) {
  sqlite3 *file;
  ck_assert_int_eq(sqlite3_open("l", &file), SQLITE_OK);
  ck_assert_msg(sqlite3_exec(file, text, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", text, sqlite3_errmsg(file));
  sqlite3_close(file);
}

/* As before the test. */
static inline void ledgers_start_over(void) {
  ck_assert_int_eq(system("rm -rf l l-* kept moved fresh*"), 0);
}

static inline void ledgers_refuse(int code, const char *part) {
  struct ledger ledger;
  scratch_expect(code, ledgers_open(&ledger, 1), part);
  ledger_shut(&ledger);
}

static inline void ledgers_use(void) {
  struct ledger ledger;
  struct ledgers_counter counter = ledgers_at_work(&ledger);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(ledgers_reserve(&ledger, &counter), 0);
  ledgers_answer(&ledger, &counter, LEDGERS_LABEL);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);
}

/* A process that is killed at work: rows made, plan, and `reserves` reservations. */
static inline void ledgers_crash(int reserves) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    struct ledger ledger;
    struct ledgers_counter counter = ledgers_at_work(&ledger);
    while (--reserves > 0) {
      ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
      if (ledgers_reserve(&ledger, &counter)) _exit(1);
    }
    raise(SIGKILL);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status));
}

#endif

/* What answering takes in the library, votes in memory and ledger where `FOLDER` is: bench_session CLASSES FOLDER.
 *
 * Prints the bytes a second at which one core reads memory, in CPU time; those of the votes of 1000 teachers that a session on
 * one core answers, in CPU time; and those that it answers on all cores, by the wall clock. Each is the best of several, in
 * turn. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "gate/session.h"
#include "machine.h"
#include "plan/mechanism.h"

#define SESSION_TEACHERS 1000u
#define SESSION_QUERIES  400000u
#define SESSION_TRIES    7

static void session_count(void *context, int32_t answer) {
  ++*(uint64_t *)context;
  (void)answer;
}

/* Most teachers agree; some vote for any class. */
static uint8_t *session_votes(uint32_t classes) {
  size_t size = (size_t)SESSION_QUERIES * SESSION_TEACHERS;
  uint8_t *votes = malloc(size);
  uint64_t state = 1;
  for (size_t i = 0; votes && i < size; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    votes[i] = (uint8_t)((state >> 60) ? i / SESSION_TEACHERS % classes : (state >> 33) % classes);
  }
  return votes;
}

/* Bytes a second on that number of cores, 0: all; the result 0: it went wrong, and why has been said. */
static double session_rate(const struct votes *votes, uint32_t classes, const char *ledger, struct plan_box *plan,
                           unsigned cores) {
  clockid_t clock = cores == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  struct session_options options = {.ledger_path = ledger};
  struct coins coins;
  struct session session = {0};
  uint64_t answered = 0;
  double started, took = 0;
  int code;
  coins_init(&coins);
  code = session_open(&session, &options, &coins);
  if (!code) code = session_begin(&session, &options, plan, classes);
  session.cores = cores;
  started = machine_clock(clock);
  if (!code) code = session_answer_batch(&session, votes, session_count, &answered);
  took = machine_clock(clock) - started;
  if (!code) code = session_finish(&session);
  session_shut(&session);
  unlink(ledger);
  if (code || answered != votes->count) return 0;
  return (double)votes->count * votes->teachers / took;
}

int main(int count, char **words) {
  struct plan_target target = {
      .epsilon_num = 4, .epsilon_den = 1, .delta_num = 1, .delta_den = 100000, .silences = 100};
  struct plan_box plan;
  struct votes votes = {.count = SESSION_QUERIES, .teachers = SESSION_TEACHERS};
  uint32_t classes = count == 3 ? (uint32_t)atoi(words[1]) : 0;
  double limit = 0, best_one = 0, best_all = 0;
  char *ledger;
  if (classes < 2 || memory_print(&ledger, "%s/session.ledger", words[2])) return 1;
  if (mechanism_of(PLAN_MECHANISM_METER)->make(&target, NULL, &plan)) return 1;
  votes.labels8 = session_votes(classes);
  for (int t = 0; votes.labels8 && t < SESSION_TRIES; t++) {
    double read = machine_read_limit((size_t)256 << 20, 1);
    double one = session_rate(&votes, classes, ledger, &plan, 1), all = session_rate(&votes, classes, ledger, &plan, 0);
    if (one == 0 || all == 0) return 1;
    limit = read > limit ? read : limit;
    best_one = one > best_one ? one : best_one;
    best_all = all > best_all ? all : best_all;
  }
  printf("%.0f %.0f %.0f\n", limit, best_one, best_all);
  return best_one == 0;
}

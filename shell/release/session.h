/* A session of answers: one ledger, one certified plan, one budget machine, ballots in and answers out.
 *
 * The order is fixed here and nowhere else: a silence is reserved and on disk before a ballot is tallied; what was
 * answered is flushed before the disk is asked again. A process that was forked from the one that opened the session can
 * only shut it, which frees memory and touches no file. */
#ifndef RELEASE_SESSION_H
#define RELEASE_SESSION_H

#include <stdio.h>

#include "base/coins.h"
#include "base/votes.h"
#include "ledger/ledger.h"
#include "plan/plan.h"
#include "release/machine.h"

struct session {
  struct coins *coins;
  FILE *out;          /* flushed before every reservation; may be NULL */
  const char *source; /* where ballots come from, for a message; may be NULL */
  uint32_t classes;
  struct ledger ledger;
  struct machine machine;
  uint32_t *tally;
  uint64_t labels, silences;
  int is_open; /* the ledger is held */
};

/* What may be charged beside the plan. */
struct session_options {
  const char *ledger_path;
  const char *name;                           /* of the data set, for a new ledger */
  struct rational total_epsilon, total_delta; /* ceilings of a new ledger; den 0: none */
  int again;                                  /* begin a spent plan anew, and pay for it anew */
};

/* Each returns an exit code (error.h). */

/* Takes the ledger; nothing is spent yet. */
int session_open(struct session *session, const struct session_options *options, struct coins *coins);

/* Begins or resumes the plan; the core certifies it once more. */
int session_begin(struct session *session, const struct session_options *options, const struct plan_box *plan,
                  uint32_t classes);

/* Takes an answer, a label or FUMATA_SILENT, before the next silence is reserved. */
typedef void session_receiver(void *context, int32_t answer);

/* Answers the queries of `votes` one after the other, each handed over as soon as it is given. Fewer than votes->count
 * answers and EXIT_OK: the budget is closed. */
int session_answer_batch(struct session *session, const struct votes *votes, session_receiver *receive, void *context);

/* Gives an unused reservation back and writes the last row. `session_shut` is always called. */
int session_finish(struct session *session);
void session_shut(struct session *session);

/* Silences that are left, a held reservation included. */
uint32_t session_left(const struct session *session);

#endif

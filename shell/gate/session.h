/* A session of answers: one ledger, one certified plan, one budget machine, ballots in and answers out.
 *
 * The order is fixed here and nowhere else: what a query may cost is reserved and on disk before it is answered; what was
 * answered is in the journal before it is shown, and flushed before the disk is asked again. A ballot may be tallied earlier, on another core: verdicts.h says why
 * that is harmless. A process that was forked from the one that opened the session can only shut it, which frees memory and
 * touches no file. */
#ifndef GATE_SESSION_H
#define GATE_SESSION_H

#include <stdio.h>

#include "base/votes.h"
#include "gate/coins.h"
#include "gate/ledger.h"
#include "gate/machine.h"
#include "plan/plan.h"

struct session {
  struct coins *coins;
  FILE *out;          /* flushed before every reservation; may be NULL */
  const char *source; /* where ballots come from, for a message; may be NULL */
  uint32_t classes;
  struct ledger ledger;
  struct machine machine;
  struct plan_quota
      reserve;        /* how many of either kind at a time; 0 silences: more and more, by PLAN_RESERVE_SILENCES */
  int reserve_rounds; /* 1: of answers no more than the batch at hand asks for, as the next one may be long in coming */
  const uint64_t *question; /* public numbers of the next batch's queries; NULL: from `next` on */
  uint64_t next;
  unsigned cores; /* that a batch is tallied on; 0: those that the process may use, if the batch is worth it */
  uint64_t labels, silences, answers;
  int is_open; /* the ledger is held */
};

/* What may be charged beside the plan. */
struct session_options {
  const char *ledger_path;
  const char *name;                           /* of the data set, for a new ledger */
  struct rational total_epsilon, total_delta; /* ceilings of a new ledger; den 0: none */
  const char *protects;                       /* of which neighbours the claim is (ledger_protect); NULL: votes */
  int is_seeded, mixes;
  int again;        /* begin a spent plan anew, and pay for it anew */
  uint32_t reserve; /* how many silences or answers at a time, which a crash may lose; 0: by PLAN_RESERVE_... */
};

/* Each returns an exit code (error.h). */

/* Takes the ledger; nothing is spent yet. */
int session_open(struct session *session, const struct session_options *options, struct coins *coins);

/* Begins or resumes the plan; the core certifies it once more. */
int session_begin(struct session *session, const struct session_options *options, const struct plan_box *plan,
                  uint32_t classes);

/* Takes an answer, a label or FUMATA_SILENT, which the journal has by then, before anything more is reserved. */
typedef void session_receiver(void *context, int32_t answer);

/* Two labels, first < second < classes, between which the toll chooses: public, never chosen by looking at votes. */
struct session_pair {
  uint32_t first, second;
};

/* Answers the queries of `votes` one after the other, each handed over as soon as it is given: by the meter, with the label
 * that the teachers agree on or silence; or by the toll, with one of the two candidates of each query (`pairs` NULL: classes
 * 0 and 1 of two). Votes for neither candidate, and abstentions, count nowhere. Fewer than votes->count answers and EXIT_OK:
 * the budget for such queries is closed. A session may be asked both ways in turn. */
int session_answer_batch(struct session *session, const struct votes *votes, session_receiver *receive, void *context);
int session_answer_pairs(struct session *session, const struct votes *votes, const struct session_pair *pairs,
                         session_receiver *receive, void *context);

/* Gives unused reservations back and writes the last row. `session_shut` is always called. */
int session_finish(struct session *session);
void session_shut(struct session *session);

/* Silences and answers that are left, held reservations included. */
struct plan_quota session_left(const struct session *session);

#endif

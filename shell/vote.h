/* A session of answers: one ledger, one certified plan, one budget machine, ballots in and answers out.
 *
 * The order is fixed here and nowhere else: a silence is reserved and on disk before a ballot is tallied; what was
 * answered is flushed before the disk is asked again. */
#ifndef FUMATA_VOTE_H
#define FUMATA_VOTE_H

#include <stdio.h>

#include "coins.h"
#include "fumata.h"
#include "ledger.h"
#include "planner.h"

/* One query's votes: exactly one pointer is set. */
typedef struct {
  const uint8_t *labels8;
  const uint16_t *labels16;
  const uint32_t *counts;
} fumata_ballot;

typedef struct {
  const fumata_plan_box *plan;
  fumata_coins *coins;
  FILE *out;          /* flushed before every reservation; may be NULL */
  const char *source; /* where ballots come from, for a message; may be NULL */
  uint32_t teachers, classes;
  fumata_ledger ledger;
  fumata_meter meter;
  fumata_classic classic;
  uint32_t *tally;
  uint64_t labels, silences;
  int is_open; /* the ledger is held */
} fumata_session;

/* What may be charged beside the plan. */
typedef struct {
  const char *ledger_path;
  const char *name;                           /* of the data set, for a new ledger */
  fumata_rational total_epsilon, total_delta; /* ceilings of a new ledger; den 0: none */
  int again;                                  /* begin a spent plan anew, and pay for it anew */
} fumata_session_options;

/* Each returns an exit code (say.h). */

/* Takes the ledger; nothing is spent yet. */
int fumata_session_open(fumata_session *session, const fumata_session_options *options, fumata_coins *coins);

/* Begins or resumes the plan; the core certifies it once more. */
int fumata_session_begin(fumata_session *session, const fumata_session_options *options, const fumata_plan_box *plan,
                         uint32_t classes);

/* Reserves what the next query may cost. *open = 0: the budget is spent and there is no next query. */
int fumata_session_reserve(fumata_session *session, int *open);

/* Tallies and answers one ballot: a label or FUMATA_SILENT. Only after a reserve that said open. */
int fumata_session_answer(fumata_session *session, const fumata_ballot *ballot, uint32_t teachers, int32_t *answer);

/* Gives an unused reservation back and writes the last row. `fumata_session_shut` is always called. */
int fumata_session_finish(fumata_session *session);
void fumata_session_shut(fumata_session *session);

/* End of an answer line: the class name, quoted where CSV asks for it, or `silent` for NULL; then the line's end. */
void fumata_answer_print(FILE *stream, const char *name);

/* Silences that are left, a held reservation included. */
uint32_t fumata_session_left(const fumata_session *session);

#endif

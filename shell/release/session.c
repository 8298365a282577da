#include "release/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int session_open(struct session *session, const struct session_options *options, struct coins *coins) {
  struct ledger_options how = {
      .make = 1, .name = options->name, .total_epsilon = options->total_epsilon, .total_delta = options->total_delta};
  int code;
  memset(session, 0, sizeof *session);
  session->coins = coins;
  code = ledger_open(&session->ledger, options->ledger_path, &how);
  session->is_open = 1;
  return code;
}

int session_begin(struct session *session, const struct session_options *options, const struct plan_box *plan,
                  uint32_t classes) {
  struct plan_terms terms;
  fumata_status status;
  uint32_t left = 0;
  int code = memory_take(&session->tally, classes, sizeof *session->tally);
  if (code) return code;
  session->classes = classes;
  status = machine_init(&session->machine, plan);
  if (status != FUMATA_OK) return error_report(EXIT_REFUSED, "the plan is not certified: %s", fumata_strerror(status));
  plan_terms(plan, &terms);
  code = ledger_begin(&session->ledger, &terms, options->again, &left);
  if (code) return code;
  status = machine_resume(&session->machine, plan, left);
  if (status != FUMATA_OK) return error_report(EXIT_REFUSED, "the plan cannot go on: %s", fumata_strerror(status));
  return EXIT_OK;
}

/* What was answered is out before the disk is asked. */
static int session_flush(struct session *session) {
  if (!session->out || fflush(session->out) == 0) return EXIT_OK;
  return error_unwritten("the answers");
}

/* Reserves what the next query may cost. *open = 0: the budget is spent and there is no next query. */
static int session_reserve(struct session *session, int *open) {
  int code;
  *open = machine_left(&session->machine) > 0;
  if (!*open || machine_has_reserved(&session->machine)) return EXIT_OK;
  code = session_flush(session);
  return code ? code : machine_reserve(&session->machine, &session->ledger, session->coins);
}

static fumata_status session_tally(struct session *session, const struct votes *votes, size_t query,
                                   fumata_verdict *verdict) {
  uint32_t teachers = votes->teachers, classes = session->classes;
  fumata_status status = FUMATA_OK;
  if (votes->counts) {
    status = fumata_ballot_decide(votes->counts + query * classes, classes, verdict);
    if (status != FUMATA_ERR_TEACHERS) return status;
    *verdict = (fumata_verdict){0, 0}; /* more votes than there are teachers: nobody's, as if all abstained */
    return FUMATA_OK;
  }
  status = votes->labels8
               ? fumata_ballot_tally_u8(votes->labels8 + query * teachers, teachers, classes, session->tally)
               : fumata_ballot_tally_u16(votes->labels16 + query * teachers, teachers, classes, session->tally);
  return status == FUMATA_OK ? fumata_ballot_decide(session->tally, classes, verdict) : status;
}

/* Tallies and answers one ballot. Only after a reserve that said open. */
static int session_answer(struct session *session, const struct votes *votes, size_t query, int32_t *answer) {
  fumata_status status;
  fumata_verdict verdict;
  uint64_t coin;
  int code = coins_draw(session->coins, &coin);
  if (code) return code;
  status = session_tally(session, votes, query, &verdict);
  if (status == FUMATA_OK) status = machine_answer(&session->machine, &verdict, coin, answer);
  if (status != FUMATA_OK)
    return error_report(EXIT_INPUT, "%s: query %llu: %s", session->source ? session->source : "the votes",
                        (unsigned long long)(session->labels + session->silences), fumata_strerror(status));
  ledger_record(&session->ledger, *answer);
  if (*answer == FUMATA_SILENT)
    session->silences++;
  else
    session->labels++;
  return EXIT_OK;
}

int session_answer_batch(struct session *session, const struct votes *votes, session_receiver *receive, void *context) {
  int forked = process_check(&session->machine.owner, session->ledger.path);
  if (forked) return forked;
  for (size_t query = 0; query < votes->count; query++) {
    int32_t answer;
    int open, code = session_reserve(session, &open);
    if (!code && !open) break;
    if (!code) code = session_answer(session, votes, query, &answer);
    if (code) return code;
    receive(context, answer);
  }
  return EXIT_OK;
}

int session_finish(struct session *session) {
  int code = process_check(&session->machine.owner, session->ledger.path);
  if (!code) code = session_flush(session); /* in a forked process, the parent's answers would be out twice */
  return code ? code : machine_close(&session->machine, &session->ledger);
}

void session_shut(struct session *session) {
  if (session->is_open) ledger_shut(&session->ledger);
  free(session->tally);
  session->tally = NULL;
  session->is_open = 0;
}

uint32_t session_left(const struct session *session) {
  return machine_left(&session->machine);
}

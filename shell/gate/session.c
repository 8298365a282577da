#include "gate/session.h"

#include <string.h>

#include "base/error.h"
#include "gate/verdicts.h"

#define SESSION_DRAWN 32u /* answers at a time that go into the journal together */

int session_open(struct session *session, const struct session_options *options, struct coins *coins) {
  struct ledger_options how = {
      .make = 1, .name = options->name, .total_epsilon = options->total_epsilon, .total_delta = options->total_delta};
  int code;
  memset(session, 0, sizeof *session);
  session->coins = coins;
  code = ledger_open(&session->ledger, options->ledger_path, &how);
  session->is_open = 1;
  if (code) return code;
  return ledger_protect(&session->ledger, options->protects ? options->protects : LEDGER_VOTES, options->is_seeded,
                        options->mixes);
}

int session_begin(struct session *session, const struct session_options *options, const struct plan_box *plan,
                  uint32_t classes) {
  struct plan_terms terms;
  fumata_status status;
  struct plan_quota left;
  int code = plan_for_teachers(plan);
  if (code) return code;
  session->classes = classes;
  session->reserve.silences = options->reserve;
  session->reserve.answers =
      options->reserve ? options->reserve : (plan_limit(plan).answers + PLAN_RESERVE_PARTS - 1) / PLAN_RESERVE_PARTS;
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

/* Reserves what the next query may cost, of which the batch has `more`: as much as is told, or by what was released only.
 * *open = 0: the budget is spent and there is no next query. */
static int session_reserve(struct session *session, enum plan_kind kind, size_t more, int *open) {
  struct plan_quota left = machine_left(&session->machine), reserved = machine_reserved(&session->machine);
  uint32_t portion = *plan_quota_of(&session->reserve, kind);
  int code;
  *open = *plan_quota_of(&left, kind) > 0;
  if (!*open || *plan_quota_of(&reserved, kind)) return EXIT_OK;
  code = session_flush(session);
  if (code) return code;
  if (!portion) portion = PLAN_RESERVE_SILENCES + (uint32_t)session->silences;
  if (kind == PLAN_KIND_TOLL && session->reserve_rounds && portion > more) portion = (uint32_t)more;
  return machine_reserve(&session->machine, &session->ledger, session->coins, kind, portion);
}

/* Answers the next ballot. Only after a reserve that said open. */
static int session_answer(struct session *session, enum plan_kind kind, struct verdicts *verdicts, int32_t *answer) {
  const struct verdicts_one *verdict;
  fumata_status status;
  uint64_t coin;
  int code = coins_draw(session->coins, &coin);
  if (code) return code;
  verdict = verdicts_next(verdicts);
  status = verdict->status;
  if (status == FUMATA_OK)
    status = kind == PLAN_KIND_METER ? machine_answer(&session->machine, &verdict->says.label, coin, answer)
                                     : machine_answer_duel(&session->machine, &verdict->says.duel, coin, answer);
  if (status == FUMATA_OK) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: query %llu: %s", session->source ? session->source : "the votes",
                      (unsigned long long)(session->labels + session->silences + session->answers),
                      fumata_strerror(status));
}

/* Answers that were drawn and not shown yet: some labels, and the one after them that is paid for. */
struct session_drawn {
  struct journal_answer answer[SESSION_DRAWN];
  size_t count;
};

static void session_draw(struct session *session, const struct verdicts_batch *batch, size_t query, int32_t answer,
                         struct session_drawn *drawn) {
  struct session_pair pair = {0, batch->kind == PLAN_KIND_TOLL};
  if (batch->pairs) pair = batch->pairs[query];
  drawn->answer[drawn->count++] =
      (struct journal_answer){.query = session->question ? session->question[query] : session->next++,
                              .kind = batch->kind,
                              .first = pair.first,
                              .second = pair.second,
                              .answer = answer};
  ++*(batch->kind == PLAN_KIND_TOLL ? &session->answers
      : answer == FUMATA_SILENT     ? &session->silences
                                    : &session->labels);
}

/* Into the journal, and only then to those who wait for them. */
static int session_hand_over(struct session *session, struct session_drawn *drawn, session_receiver *receive,
                             void *context) {
  int code = journal_record(&session->ledger, drawn->answer, drawn->count);
  for (size_t i = 0; !code && i < drawn->count; i++)
    receive(context, drawn->answer[i].answer);
  drawn->count = 0;
  return code;
}

/* Reserve, answer, record, hand over. */
static int session_run(struct session *session, const struct verdicts_batch *batch, session_receiver *receive,
                       void *context) {
  size_t count = batch->votes->count;
  struct session_drawn drawn = {.count = 0};
  struct verdicts verdicts;
  int open = 1, failed, code = process_check(&session->machine.owner, session->ledger.path);
  if (code) return code;
  code = verdicts_begin(&verdicts, batch, session->cores);
  for (size_t query = 0; !code && query < count; query++) {
    int32_t answer;
    code = session_reserve(session, batch->kind, count - query, &open);
    if (!code && !open) break;
    if (!code && !drawn.count) code = journal_room(&session->ledger, SESSION_DRAWN);
    if (!code) code = session_answer(session, batch->kind, &verdicts, &answer);
    if (code) break;
    session_draw(session, batch, query, answer, &drawn);
    if (batch->kind == PLAN_KIND_TOLL || answer == FUMATA_SILENT || drawn.count == SESSION_DRAWN)
      code = session_hand_over(session, &drawn, receive, context);
  }
  verdicts_end(&verdicts);
  failed = session_hand_over(session, &drawn, receive, context);
  session->question = NULL;
  return code ? code : failed;
}

int session_answer_batch(struct session *session, const struct votes *votes, session_receiver *receive, void *context) {
  struct verdicts_batch batch = {PLAN_KIND_METER, session->classes, votes, NULL};
  return session_run(session, &batch, receive, context);
}

/* Candidates are public, so that wrong ones are found before anything is spent on them. */
static int session_check_pairs(const struct session *session, const struct session_pair *pairs, size_t count) {
  if (!pairs && session->classes != 2)
    return error_report(EXIT_INPUT, "of %u classes the toll asks which two are the candidates", session->classes);
  for (size_t i = 0; pairs && i < count; i++)
    if (pairs[i].first >= pairs[i].second || pairs[i].second >= session->classes)
      return error_report(EXIT_INPUT, "query %zu: the candidates %u and %u are not two classes in their order", i,
                          pairs[i].first, pairs[i].second);
  return EXIT_OK;
}

int session_answer_pairs(struct session *session, const struct votes *votes, const struct session_pair *pairs,
                         session_receiver *receive, void *context) {
  struct verdicts_batch batch = {PLAN_KIND_TOLL, session->classes, votes, pairs};
  int code = session_check_pairs(session, pairs, votes->count);
  return code ? code : session_run(session, &batch, receive, context);
}

int session_finish(struct session *session) {
  int flushed, code = process_check(&session->machine.owner, session->ledger.path);
  if (code) return code; /* in a forked process, the parent's answers would be out twice */
  flushed = session_flush(session);
  code = machine_close(&session->machine, &session->ledger); /* answers that could not be handed over are kept too */
  return flushed ? flushed : code;
}

void session_shut(struct session *session) {
  if (session->is_open) ledger_shut(&session->ledger);
  session->is_open = 0;
}

struct plan_quota session_left(const struct session *session) {
  return machine_left(&session->machine);
}

#include "gate/poll_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "gate/journal.h"
#include "gate/target.h"

#define POLL_SESSION_LEADS 65536u /* questions whose uses are stored at once; more are stored in several steps */
#define POLL_SESSION_HEAD  (DIGEST_SIZE + 4u)

static int poll_session_refuse(const char *doing, fumata_status status) {
  return error_report(EXIT_REFUSED, "the poll cannot %s: %s", doing, fumata_strerror(status));
}

/* ---- questions as the journal has them ---- */

/* A batch as text: for each question a line that no other question has, and where each line begins. */
struct poll_session_lines {
  char *text;
  size_t size;
  size_t *start; /* one more than questions */
};

static void poll_session_free_lines(struct poll_session_lines *lines) {
  free(lines->text);
  free(lines->start);
}

/* The centre enters by its digest: the same number may name another record in another public file. */
static void poll_session_print(const struct poll_session *session, const struct crowd *crowd,
                               const struct crowd_question *question, FILE *out) {
  uint8_t value[DIGEST_SIZE];
  char text[DIGEST_TEXT];
  struct digest digest;
  digest_init(&digest);
  for (uint32_t i = 0; i < crowd->records.dimensions; i++)
    digest_add_u64(&digest, (uint64_t)(int64_t)question->centre[i]);
  digest_read(&digest, value);
  digest_print(value, text);
  fprintf(out, "%" PRIu64 " %" PRIu32 " %.16s %" PRIu32, question->row, question->radius, text, question->most);
  for (uint32_t c = 0; c < session->classes; c++)
    fprintf(out, " %d", question->weights[c]);
  fputc('\n', out);
}

static int poll_session_write(const struct poll_session *session, const struct crowd *crowd,
                              const struct crowd_question *questions, size_t count, struct poll_session_lines *lines) {
  FILE *out;
  int code = memory_take(&lines->start, count + 1, sizeof *lines->start);
  lines->text = NULL;
  if (code) return code;
  out = open_memstream(&lines->text, &lines->size);
  if (!out) return memory_short();
  for (size_t i = 0; i < count; i++) {
    poll_session_print(session, crowd, questions + i, out);
    fflush(out);
    lines->start[i + 1] = lines->size;
  }
  return fclose(out) ? memory_short() : EXIT_OK;
}

int poll_session_asked(const char *text, size_t size, size_t *at, struct poll_session_asked *asked) {
  const char *start = text + *at, *end = *at < size ? memchr(start, '\n', size - *at) : NULL;
  int used = 0;
  if (!end || sscanf(start, "%" SCNu64 " %" SCNu32 " %*16[0-9a-f] %*u%n", &asked->row, &asked->radius, &used) != 2 ||
      !used || start + used > end)
    return -1;
  asked->weights = start + used;
  asked->end = end;
  *at += (size_t)(end - start) + 1;
  return 0;
}

/* ---- what was answered before ---- */

/* First the text of a batch's questions, then the numbers of its answers. If the answers of a batch never came, the next
 * batch overwrites it. */
struct poll_session_reading {
  struct poll_session_past *past;
  char *asked;
  size_t size;
};

static int poll_session_take_asked(struct poll_session_reading *reading, const struct journal_batch *batch) {
  free(reading->asked);
  reading->size = batch->about_size;
  reading->asked = memory_copy(batch->about, batch->about_size);
  return reading->asked ? EXIT_OK : EXIT_SYSTEM;
}

static int poll_session_visit(void *context, const struct journal_batch *batch) {
  struct poll_session_reading *reading = context;
  struct poll_session_past *past = reading->past;
  int code;
  if (!batch->count) return batch->about_size ? poll_session_take_asked(reading, batch) : EXIT_OK;
  if (!reading->asked) return EXIT_OK;
  code = memory_grow(&past->text, &past->room, past->size + reading->size, 1);
  if (!code) code = memory_grow(&past->answer, &past->answer_room, past->count + batch->count, 1);
  if (code) return code;
  memcpy(past->text + past->size, reading->asked, reading->size);
  past->size += reading->size;
  for (size_t i = 0; i < batch->count; i++)
    past->answer[past->count++] = batch->answer[i].answer != 0;
  free(reading->asked);
  reading->asked = NULL;
  return EXIT_OK;
}

static int poll_session_read_past(struct poll_session *session, uint64_t plan) {
  struct poll_session_reading reading = {.past = &session->past};
  int code = journal_visit(session->ledger, plan, poll_session_visit, &reading);
  size_t lines = 0;
  free(reading.asked);
  for (size_t i = 0; i < session->past.size; i++)
    lines += session->past.text[i] == '\n';
  if (!code && lines != session->past.count)
    code = error_report(EXIT_INPUT, "%s: a poll with more answers than questions, or fewer", session->ledger->path);
  return code;
}

/* The answer to this question, if it comes in the earlier session after the question that was recalled last. If it does
 * not, the run asks differently from here on; a later question may be one of the earlier session again. */
static int poll_session_recall(struct poll_session_past *past, const char *line, size_t size, int *yes) {
  size_t at = past->at, next = past->next;
  for (; next < past->count; next++) {
    const char *end = memchr(past->text + at, '\n', past->size - at);
    size_t length = (size_t)(end - (past->text + at)) + 1;
    int is_same = length == size && !memcmp(past->text + at, line, size);
    at += length;
    if (!is_same) continue;
    *yes = past->answer[next];
    past->at = at;
    past->next = next + 1;
    return 1;
  }
  return 0;
}

/* ---- uses ---- */

/* The uses as they are stored: the digest of their file, their number, two bytes each. To be wiped and freed. */
static int poll_session_pack(const struct poll_session *session, uint8_t **state, size_t *size) {
  const fumata_uses *uses = &session->poll.uses;
  uint8_t *at;
  int code;
  *size = POLL_SESSION_HEAD + 2 * (size_t)uses->size;
  code = memory_take(state, *size, 1);
  if (code) return code;
  at = *state;
  memcpy(at, session->data, DIGEST_SIZE);
  at += DIGEST_SIZE;
  for (int i = 0; i < 4; i++)
    *at++ = (uint8_t)(uses->size >> 8 * i);
  for (uint32_t u = 0; u < uses->size; u++, at += 2) {
    at[0] = (uint8_t)(uses->used[u] & 0xff);
    at[1] = (uint8_t)(uses->used[u] >> 8);
  }
  return EXIT_OK;
}

/* Uses belong to the units of one file, in their order. */
static int poll_session_match(const struct ledger *ledger, const uint8_t *state, size_t size,
                              const uint8_t data[DIGEST_SIZE]) {
  if (size >= POLL_SESSION_HEAD && !memcmp(state, data, DIGEST_SIZE)) return EXIT_OK;
  return error_report(
      EXIT_REFUSED,
      "%s: this poll was begun on another version of the private file or with other units, and how often "
      "each has voted belongs to these; a new version needs a plan of its own, which is paid for: --again",
      ledger->path);
}

int poll_session_foresee(struct ledger *ledger, struct rational epsilon, struct rational delta,
                         const uint8_t data[DIGEST_SIZE]) {
  uint64_t plan = ledger_last_poll(ledger, epsilon, delta);
  void *state = NULL;
  size_t size = 0;
  int code = plan ? journal_state(ledger, plan, &state, &size) : EXIT_OK;
  if (!code && state) code = poll_session_match(ledger, state, size, data);
  if (state) explicit_bzero(state, size);
  free(state);
  return code;
}

static int poll_session_unpack(struct poll_session *session, const uint8_t *state, size_t size) {
  const fumata_uses *uses = &session->poll.uses;
  int code = poll_session_match(session->ledger, state, size, session->data);
  if (code) return code;
  if (size != POLL_SESSION_HEAD + 2 * (size_t)uses->size || bytes_little(state + DIGEST_SIZE, 4) != uses->size)
    return error_report(EXIT_INPUT, "%s: what it keeps of this poll is damaged; nothing is released from it",
                        session->ledger->path);
  state += POLL_SESSION_HEAD;
  for (uint32_t u = 0; u < uses->size; u++, state += 2)
    uses->used[u] = (uint16_t)bytes_little(state, 2);
  return EXIT_OK;
}

/* Reads what an earlier session has stored: uses and answers. */
static int poll_session_resume(struct poll_session *session, uint64_t plan) {
  void *state = NULL;
  size_t size = 0;
  int code = journal_state(session->ledger, plan, &state, &size);
  if (!code && state) code = poll_session_unpack(session, state, size);
  if (state) explicit_bzero(state, size);
  free(state);
  return code ? code : poll_session_read_past(session, plan);
}

/* ---- beginning ---- */

static int poll_session_room(struct poll_session *session, uint32_t units) {
  fumata_poll *poll = &session->poll;
  int code = memory_take(&poll->uses.used, units, sizeof *poll->uses.used);
  if (!code) code = memory_take(&poll->leads.lead, POLL_SESSION_LEADS, sizeof *poll->leads.lead);
  poll->uses.size = code ? 0 : units;
  poll->leads.size = code ? 0 : POLL_SESSION_LEADS;
  return code;
}

int poll_session_begin(struct poll_session *session, struct ledger *ledger, struct coins *coins,
                       const struct plan_box *plan, uint32_t classes, uint32_t units, const uint8_t data[DIGEST_SIZE],
                       int again) {
  struct plan_terms terms;
  uint64_t old;
  struct plan_quota left;
  fumata_status status;
  int code;
  memset(session, 0, sizeof *session);
  session->ledger = ledger;
  session->coins = coins;
  session->classes = classes;
  memcpy(session->data, data, DIGEST_SIZE);
  process_note(&session->owner);
  if (plan->mechanism != PLAN_MECHANISM_POLL) return error_report(EXIT_INPUT, "not the plan of a poll");
  code = poll_session_room(session, units);
  if (code) return code;
  status = fumata_poll_init(&session->poll, &plan->toll, &plan->claim);
  if (status != FUMATA_OK) return error_report(EXIT_REFUSED, "the plan is not certified: %s", fumata_strerror(status));
  plan_terms(plan, &terms);
  old = ledger_resumes(ledger, &terms, again);
  if (old) code = poll_session_resume(session, old);
  if (!code) code = ledger_begin(ledger, &terms, again, &left);
  if (code) return code;
  status = fumata_poll_resume(&session->poll, &plan->toll, &plan->claim);
  return status == FUMATA_OK ? EXIT_OK : poll_session_refuse("go on", status);
}

uint64_t poll_session_seed(const struct poll_session *session) {
  const struct ledger_plan *plan = session->ledger->current;
  return bytes_little(plan->terms.digest, 8) + plan->number;
}

/* ---- a batch ---- */

/* Questions are public: a wrong one is found before any vote is counted. */
static int poll_session_check(const struct poll_session *session, const struct crowd *crowd,
                              const struct crowd_question *questions, size_t count) {
  if (crowd->units != session->poll.uses.size) return error_report(EXIT_SYSTEM, "the poll: another crowd");
  for (size_t i = 0; i < count; i++) {
    const struct crowd_question *question = questions + i;
    int is_wrong = question->most < 1 || question->most > FUMATA_WEIGHT_MAX;
    for (uint32_t c = 0; !is_wrong && c < session->classes; c++)
      is_wrong = question->weights[c] > (int32_t)question->most || question->weights[c] < -(int32_t)question->most;
    if (is_wrong) return poll_session_refuse("ask", FUMATA_ERR_QUESTION);
  }
  return EXIT_OK;
}

static fumata_question poll_session_question(const struct poll_session *session, const struct crowd_question *asked) {
  return (fumata_question){asked->weights, session->classes, asked->most, asked->radius};
}

/* Votes on as many questions as the crowd takes at once; all records are in this process. */
static int poll_session_vote_here(struct poll_session *session, struct crowd *crowd,
                                  const struct crowd_question *questions, size_t count) {
  const struct target *target = target_best();
  int code = crowd_find(crowd, questions, count);
  for (size_t i = 0; !code && i < count; i++) {
    fumata_question question = poll_session_question(session, questions + i);
    fumata_voices voices;
    fumata_status status;
    code = crowd_voices(crowd, i, &voices);
    if (code) break;
    status = target->poll_vote(&session->poll, &question, &voices);
    if (status != FUMATA_OK) code = poll_session_refuse("ask", status);
  }
  return code;
}

/* The same for a crowd in other processes. */
static int poll_session_vote_listed(struct poll_session *session, const struct crowd *crowd,
                                    const struct crowd_question *questions, size_t count, struct crowd_lists *lists) {
  int code = crowd->lister(crowd->context, questions, count, lists);
  for (size_t i = 0; !code && i < count; i++) {
    fumata_question question = poll_session_question(session, questions + i);
    size_t start = lists->start[i];
    fumata_list list = {lists->units + start, lists->labels + start, (uint32_t)(lists->start[i + 1] - start)};
    fumata_status status = fumata_poll_vote_listed(&session->poll, &question, &list);
    if (status != FUMATA_OK) code = poll_session_refuse("ask", status);
  }
  return code;
}

/* Every unit that is asked votes; the leads wait. */
static int poll_session_vote(struct poll_session *session, struct crowd *crowd, const struct crowd_question *questions,
                             size_t count) {
  struct crowd_lists lists = {0};
  int code = EXIT_OK;
  for (size_t first = 0; !code && first < count; first += crowd->at_once) {
    size_t some = count - first < crowd->at_once ? count - first : crowd->at_once;
    code = interrupt_check();
    if (!code)
      code = crowd->lister ? poll_session_vote_listed(session, crowd, questions + first, some, &lists)
                           : poll_session_vote_here(session, crowd, questions + first, some);
  }
  crowd_lists_free(&lists);
  return code;
}

/* Stores the uses and the questions. Once both are on disk the leads may be answered. */
static int poll_session_store(struct poll_session *session, const char *text, size_t size) {
  uint8_t *state;
  size_t state_size;
  int code = poll_session_pack(session, &state, &state_size);
  if (code) return code;
  code = journal_append(session->ledger, NULL, 0, text, size, state, state_size);
  explicit_bzero(state, state_size);
  free(state);
  if (!code) fumata_poll_stored(&session->poll);
  return code;
}

static int poll_session_answer(struct poll_session *session, const struct crowd_question *questions, size_t count,
                               struct journal_answer *answers) {
  for (size_t i = 0; i < count; i++) {
    fumata_status status;
    uint32_t yes = 0;
    uint64_t coin;
    int code = coins_draw(session->coins, &coin);
    if (code) return code;
    status = fumata_poll_answer(&session->poll, coin, &yes);
    coin = 0;
    if (status != FUMATA_OK) return poll_session_refuse("answer", status);
    answers[i] = (struct journal_answer){.query = questions[i].row, .kind = PLAN_KIND_POLL, .answer = (int32_t)yes};
  }
  return journal_append(session->ledger, answers, count, NULL, 0, NULL, 0);
}

/* Vote, store, answer, journal, hand over: in this order. */
static int poll_session_step(struct poll_session *session, struct crowd *crowd, const struct crowd_question *questions,
                             const char *text, size_t size, size_t count, poll_session_receiver *receive,
                             void *context) {
  struct journal_answer *answers;
  int code = memory_take(&answers, count, sizeof *answers);
  if (code) return code;
  code = poll_session_vote(session, crowd, questions, count);
  if (!code) code = poll_session_store(session, text, size);
  if (!code) code = poll_session_answer(session, questions, count, answers);
  fumata_poll_clear(&session->poll);
  for (size_t i = 0; !code && i < count; i++)
    receive(context, answers[i].answer);
  if (!code) session->answers += count;
  explicit_bzero(answers, count * sizeof *answers); /* no answer of a failed batch is shown */
  free(answers);
  return code;
}

int poll_session_ask(struct poll_session *session, struct crowd *crowd, const struct crowd_question *questions,
                     size_t count, poll_session_receiver *receive, void *context) {
  struct poll_session_lines lines = {0};
  size_t i = 0;
  int yes, code = process_check(&session->owner, session->ledger->path);
  if (!code) code = poll_session_check(session, crowd, questions, count);
  if (!code) code = poll_session_write(session, crowd, questions, count, &lines);
  for (; !code && i < count; i++) {
    const size_t *start = lines.start + i;
    if (!poll_session_recall(&session->past, lines.text + start[0], start[1] - start[0], &yes)) break;
    receive(context, yes);
    session->answers++;
    session->recalled++;
  }
  while (!code && i < count) {
    size_t some = count - i < session->poll.leads.size ? count - i : session->poll.leads.size;
    code = poll_session_step(session, crowd, questions + i, lines.text + lines.start[i],
                             lines.start[i + some] - lines.start[i], some, receive, context);
    i += some;
  }
  poll_session_free_lines(&lines);
  return code;
}

int poll_session_finish(struct poll_session *session) {
  int code = process_check(&session->owner, session->ledger->path);
  return code ? code : ledger_finish(session->ledger, (struct plan_quota){0, 0});
}

void poll_session_end(struct poll_session *session) {
  if (session->poll.leads.size) fumata_poll_close(&session->poll);
  free(session->poll.uses.used);
  free(session->poll.leads.lead);
  free(session->past.text);
  free(session->past.answer);
  memset(session, 0, sizeof *session);
}

#include "gate/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "gate/key.h"
#include "gate/ledger_file.h"
#include "gate/ledger_rows.h"

#define JOURNAL_ANSWER 24u               /* bytes of an answer in FILE */
#define JOURNAL_PLACE  48u               /* and in FILE-mark: row, number, answer, check */
#define JOURNAL_START  (2 * LEDGER_MARK) /* where they begin there */
#define JOURNAL_SPACE  64u               /* answers for which there is room at first ... */
#define JOURNAL_MOST   UINT32_C(65536)   /* ... and at most: then they become a row */

static const char journal_is_damaged[] = "its answers are not those that its rows count";

/* ---- bytes ---- */

static void journal_put(uint8_t *bytes, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

static void journal_pack(const struct journal_answer *answer, uint8_t bytes[JOURNAL_ANSWER]) {
  journal_put(bytes, answer->query, 8);
  journal_put(bytes + 8, (uint64_t)answer->kind, 4);
  journal_put(bytes + 12, answer->first, 4);
  journal_put(bytes + 16, answer->second, 4);
  journal_put(bytes + 20, (uint32_t)answer->answer, 4);
}

static int journal_unpack(const uint8_t bytes[JOURNAL_ANSWER], struct journal_answer *answer) {
  uint32_t kind = (uint32_t)bytes_little(bytes + 8, 4), value = (uint32_t)bytes_little(bytes + 20, 4);
  *answer = (struct journal_answer){.query = bytes_little(bytes, 8),
                                    .kind = (enum plan_kind)kind,
                                    .first = (uint32_t)bytes_little(bytes + 12, 4),
                                    .second = (uint32_t)bytes_little(bytes + 16, 4)};
  memcpy(&answer->answer, &value, sizeof value);
  return kind < PLAN_KINDS ? 0 : -1;
}

static void journal_place(uint64_t row, uint64_t number, const struct journal_answer *answer,
                          uint8_t bytes[JOURNAL_PLACE]) {
  static const uint64_t key[2] = {UINT64_C(0x66756d6174612061), UINT64_C(0x6e737765722e2e2e)};
  journal_put(bytes, row, 8);
  journal_put(bytes + 8, number, 8);
  journal_pack(answer, bytes + 16);
  journal_put(bytes + JOURNAL_PLACE - 8, key_hash(key, bytes, JOURNAL_PLACE - 8), 8);
}

/* ---- the batch at hand ---- */

int journal_room(struct ledger *ledger, size_t more) {
  struct journal *journal = &ledger->journal;
  size_t needed = journal->count + more, space = journal->space ? journal->space : JOURNAL_SPACE;
  int code = memory_grow(&journal->answer, &journal->room, needed, sizeof *journal->answer), failed;
  if (code || needed <= journal->space || !ledger->armed) return code;
  if (ledger->broken) return EXIT_SYSTEM; /* said when it broke */
  if (needed > JOURNAL_MOST && journal->count) {
    code = ledger_reserve_none(ledger);
    needed = more;
  }
  while (space < needed)
    space *= 2;
  if (code || space <= journal->space) return code;
  failed = posix_fallocate(ledger->mark, 0, (off_t)(JOURNAL_START + space * JOURNAL_PLACE));
  if (failed) {
    ledger->broken = 1;
    return error_report(EXIT_SYSTEM, "%s: no room for the answers: %s", ledger->path, strerror(failed));
  }
  journal->space = space;
  return EXIT_OK;
}

int journal_record(struct ledger *ledger, const struct journal_answer *answers, size_t count) {
  struct journal *journal = &ledger->journal;
  uint8_t places[16 * JOURNAL_PLACE];
  int code = journal_room(ledger, count);
  for (size_t done = 0, some; !code && done < count; done += some) {
    off_t at = (off_t)(JOURNAL_START + journal->count * JOURNAL_PLACE);
    ssize_t size;
    some = count - done < 16 ? count - done : 16;
    for (size_t i = 0; i < some; i++) {
      journal_place(journal->last, journal->count, answers + done + i, places + i * JOURNAL_PLACE);
      journal->answer[journal->count++] = answers[done + i];
      ledger_count_answer(ledger, answers[done + i].kind, answers[done + i].answer);
    }
    size = (ssize_t)(some * JOURNAL_PLACE);
    errno = EIO; /* if it is written in part */
    if (!ledger->armed || pwrite(ledger->mark, places, (size_t)size, at) == size) continue;
    ledger->broken = 1;
    code = error_report(EXIT_SYSTEM, "%s: cannot record the answers: %s", ledger->path, strerror(errno));
  }
  return code;
}

int journal_describe(struct ledger *ledger, const void *about, size_t size) {
  struct journal *journal = &ledger->journal;
  char *copy = memory_copy(about, size);
  if (!copy) return EXIT_SYSTEM;
  free(journal->about);
  journal->about = copy;
  journal->about_size = size;
  journal->has_about = 1;
  return EXIT_OK;
}

int journal_keep(struct ledger *ledger, const void *state, size_t size) {
  struct journal *journal = &ledger->journal;
  char *copy = memory_copy(state, size);
  if (!copy) return EXIT_SYSTEM;
  free(journal->state);
  journal->state = (uint8_t *)copy;
  journal->state_size = size;
  journal->has_state = 1;
  return EXIT_OK;
}

int journal_append(struct ledger *ledger, const struct journal_answer *answers, size_t count, const void *about,
                   size_t about_size, const void *state, size_t state_size) {
  struct journal *journal = &ledger->journal;
  int code = memory_grow(&journal->answer, &journal->room, journal->count + count, sizeof *journal->answer);
  if (!code && about) code = journal_describe(ledger, about, about_size);
  if (!code && state) code = journal_keep(ledger, state, state_size);
  if (code) return code;
  for (size_t i = 0; i < count; i++) {
    journal->answer[journal->count++] = answers[i];
    ledger_count_answer(ledger, answers[i].kind, answers[i].answer);
  }
  return ledger_reserve_none(ledger);
}

void journal_free(struct journal *journal) {
  free(journal->answer);
  free(journal->about);
  free(journal->state);
  memset(journal, 0, sizeof *journal);
}

/* ---- into the file ---- */

/* What the row says of its batch; each part with its size, so that no two batches have one text. */
static void journal_digest(const void *answers, size_t size, const void *about, size_t about_size, const void *state,
                           uint8_t result[DIGEST_SIZE]) {
  static const char purpose[] = "fumata: a batch of answers";
  struct digest digest;
  digest_init(&digest);
  digest_add(&digest, purpose, sizeof purpose);
  digest_add_u64(&digest, size);
  digest_add(&digest, answers, size);
  digest_add_u64(&digest, about ? about_size + 1 : 0);
  if (about) digest_add(&digest, about, about_size);
  if (state) digest_add(&digest, state, DIGEST_SIZE);
  digest_read(&digest, result);
}

static void journal_digest_state(const uint8_t salt[DIGEST_SIZE], const void *state, size_t size,
                                 uint8_t result[DIGEST_SIZE]) {
  struct digest digest;
  digest_init(&digest);
  digest_add(&digest, salt, DIGEST_SIZE);
  digest_add(&digest, state, size);
  digest_read(&digest, result);
}

static int journal_bytes(const struct journal *journal, uint8_t **bytes) {
  int code = memory_take(bytes, journal->count * JOURNAL_ANSWER, 1);
  for (size_t i = 0; !code && i < journal->count; i++)
    journal_pack(journal->answer + i, *bytes + i * JOURNAL_ANSWER);
  return code;
}

int journal_bind(struct ledger *ledger, struct ledger_row *row) {
  struct journal *journal = &ledger->journal;
  uint8_t *bytes;
  int code;
  if (row->plan < 0 || !(journal->count || journal->has_about || journal->has_state)) return EXIT_OK;
  code = journal_bytes(journal, &bytes);
  if (code) return code;
  if (journal->has_state && getrandom(journal->salt, DIGEST_SIZE, 0) != (ssize_t)DIGEST_SIZE)
    code = error_report(EXIT_SYSTEM, "no randomness from the operating system");
  journal_digest_state(journal->salt, journal->state, journal->state_size, journal->state_digest);
  journal_digest(bytes, journal->count * JOURNAL_ANSWER, journal->has_about ? journal->about : NULL,
                 journal->about_size, journal->has_state ? journal->state_digest : NULL, journal->digest);
  free(bytes);
  row->journal = journal->digest;
  return code;
}

static int journal_run(sqlite3_stmt *statement) {
  int done = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return done == SQLITE_DONE ? 0 : -1;
}

static int journal_store_state(const struct ledger *ledger, const struct ledger_row *row) {
  const struct journal *journal = &ledger->journal;
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(ledger->file, "REPLACE INTO state VALUES (?,?,?)", -1, &statement, NULL)) return -1;
  sqlite3_bind_int64(statement, 1, row->plan);
  sqlite3_bind_blob(statement, 2, journal->salt, DIGEST_SIZE, SQLITE_STATIC);
  sqlite3_bind_blob64(statement, 3, journal->state, journal->state_size, SQLITE_STATIC);
  return journal_run(statement);
}

int journal_store(struct ledger *ledger, const struct ledger_row *row) {
  const struct journal *journal = &ledger->journal;
  sqlite3_stmt *statement;
  uint8_t *bytes;
  int failed;
  if (!row->journal) return 0;
  if (journal_bytes(journal, &bytes)) return -1;
  failed = sqlite3_prepare_v2(ledger->file, "INSERT INTO journal VALUES (?,?,?,?,?)", -1, &statement, NULL);
  if (!failed) {
    sqlite3_bind_int64(statement, 1, (int64_t)row->number);
    sqlite3_bind_int64(statement, 2, row->plan);
    sqlite3_bind_blob64(statement, 3, bytes, journal->count * JOURNAL_ANSWER, SQLITE_STATIC);
    if (journal->has_about) sqlite3_bind_blob64(statement, 4, journal->about, journal->about_size, SQLITE_STATIC);
    if (journal->has_state) sqlite3_bind_blob(statement, 5, journal->state_digest, DIGEST_SIZE, SQLITE_STATIC);
    failed = journal_run(statement);
  }
  free(bytes);
  return failed ? -1 : journal->has_state ? journal_store_state(ledger, row) : 0;
}

void journal_clear(struct ledger *ledger, const struct ledger_row *row) {
  struct journal *journal = &ledger->journal;
  if (!row->journal) return;
  journal->batches++;
  if (journal->state) explicit_bzero(journal->state, journal->state_size);
  free(journal->about);
  free(journal->state);
  journal->about = NULL;
  journal->state = NULL;
  journal->about_size = journal->state_size = journal->count = 0;
  journal->has_about = journal->has_state = 0;
}

/* ---- out of it ---- */

#define JOURNAL_COLUMNS "SELECT row, plan, answers, about, state FROM journal "

/* Adds a stored batch's answers to `batch`; -1: the bytes are not answers. */
static int journal_read(sqlite3_stmt *statement, struct journal *batch) {
  const uint8_t *bytes = sqlite3_column_blob(statement, 2);
  size_t size = (size_t)sqlite3_column_bytes(statement, 2), count = size / JOURNAL_ANSWER;
  batch->count = 0;
  if (size % JOURNAL_ANSWER) return -1;
  if (memory_grow(&batch->answer, &batch->room, count + 1, sizeof *batch->answer)) return -1;
  for (; batch->count < count; batch->count++)
    if (journal_unpack(bytes + batch->count * JOURNAL_ANSWER, batch->answer + batch->count)) return -1;
  return 0;
}

static const char *journal_judge(struct ledger *ledger, sqlite3_stmt *statement, const struct ledger_row *row) {
  const void *about = sqlite3_column_blob(statement, 3);
  const void *state = sqlite3_column_blob(statement, 4);
  struct journal batch = {0};
  uint8_t digest[DIGEST_SIZE];
  const char *why = NULL;
  if (sqlite3_column_type(statement, 3) != SQLITE_NULL && !about) about = ""; /* a text of no bytes */
  if (state && sqlite3_column_bytes(statement, 4) != (int)DIGEST_SIZE) return journal_is_damaged;
  journal_digest(sqlite3_column_blob(statement, 2), (size_t)sqlite3_column_bytes(statement, 2), about,
                 (size_t)sqlite3_column_bytes(statement, 3), state, digest);
  if (memcmp(digest, row->journal, DIGEST_SIZE) != 0 || sqlite3_column_int64(statement, 1) != row->plan ||
      journal_read(statement, &batch))
    why = journal_is_damaged;
  for (size_t i = 0; !why && i < batch.count; i++)
    ledger_count_answer(ledger, batch.answer[i].kind, batch.answer[i].answer);
  journal_free(&batch);
  return why;
}

const char *journal_check(struct ledger *ledger, const struct ledger_row *row) {
  uint8_t answers[DIGEST_SIZE];
  sqlite3_stmt *statement;
  const char *why = NULL;
  int counts = row->labels >= 0;
  if (row->plan >= 0 && !counts) digest_init(&ledger->answers_digest); /* a session begins */
  ledger->labels = ledger->silences = ledger->answers = 0;
  if (row->journal) {
    if (sqlite3_prepare_v2(ledger->file, JOURNAL_COLUMNS "WHERE row = ?", -1, &statement, NULL))
      return journal_is_damaged;
    sqlite3_bind_int64(statement, 1, (int64_t)row->number);
    why = sqlite3_step(statement) == SQLITE_ROW ? journal_judge(ledger, statement, row) : journal_is_damaged;
    sqlite3_finalize(statement);
    ledger->journal.batches++;
  }
  digest_read(&ledger->answers_digest, answers);
  if (!why && counts &&
      ((int64_t)ledger->labels != row->labels || (int64_t)ledger->silences != row->silences ||
       (row->answers >= 0 ? (int64_t)ledger->answers != row->answers : ledger->answers != 0) ||
       memcmp(answers, row->mark, DIGEST_SIZE) != 0))
    why = journal_is_damaged;
  ledger->labels = ledger->silences = ledger->answers = 0;
  return why;
}

const char *journal_check_all(struct ledger *ledger) {
  sqlite3_stmt *statement;
  int is_all;
  if (sqlite3_prepare_v2(ledger->file, "SELECT count(*) FROM journal", -1, &statement, NULL)) return journal_is_damaged;
  is_all =
      sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int64(statement, 0) == (int64_t)ledger->journal.batches;
  sqlite3_finalize(statement);
  return is_all ? NULL : journal_is_damaged;
}

int journal_find(struct ledger *ledger) {
  struct journal *journal = &ledger->journal;
  int fd = ledger_file_open_mark(ledger), code = EXIT_OK;
  while (fd >= 0 && !code) {
    uint8_t bytes[JOURNAL_PLACE], again[JOURNAL_PLACE];
    struct journal_answer answer;
    if (pread(fd, bytes, sizeof bytes, (off_t)(JOURNAL_START + journal->count * JOURNAL_PLACE)) != sizeof bytes ||
        journal_unpack(bytes + 16, &answer))
      break;
    journal_place(journal->last, journal->count, &answer, again);
    if (memcmp(bytes, again, sizeof bytes) != 0) break;
    code = memory_grow(&journal->answer, &journal->room, journal->count + 1, sizeof *journal->answer);
    if (code) break;
    journal->answer[journal->count++] = answer;
    ledger_count_answer(ledger, answer.kind, answer.answer);
  }
  if (fd >= 0) close(fd);
  return code;
}

/* ---- readers ---- */

/* The text about the session that the visitor is in, until a batch brings its own. */
struct journal_session {
  char *about;
  size_t size;
  uint64_t plan;
};

static int journal_show(struct journal_session *session, sqlite3_stmt *statement, journal_visitor *visit,
                        void *context) {
  struct journal batch = {0};
  int code = journal_read(statement, &batch) ? error_report(EXIT_INPUT, "%s", journal_is_damaged) : EXIT_OK;
  struct journal_batch shown = {.row = (uint64_t)sqlite3_column_int64(statement, 0),
                                .plan = (uint64_t)sqlite3_column_int64(statement, 1),
                                .answer = batch.answer,
                                .count = batch.count};
  if (!code && sqlite3_column_type(statement, 3) != SQLITE_NULL) {
    const void *text = sqlite3_column_blob(statement, 3);
    free(session->about);
    session->size = (size_t)sqlite3_column_bytes(statement, 3);
    session->about = memory_copy(text ? text : "", session->size);
    if (!session->about) code = EXIT_SYSTEM;
  }
  session->plan = shown.plan;
  shown.about = session->about;
  shown.about_size = session->size;
  if (!code && (shown.count || shown.about)) code = visit(context, &shown);
  journal_free(&batch);
  return code;
}

int journal_visit(struct ledger *ledger, uint64_t plan, journal_visitor *visit, void *context) {
  struct journal_session session = {0};
  const struct journal *journal = &ledger->journal;
  sqlite3_stmt *statement;
  int step = SQLITE_DONE, code = EXIT_OK;
  if (sqlite3_prepare_v2(ledger->file, JOURNAL_COLUMNS "WHERE ?1 = 0 OR plan = ?1 ORDER BY row", -1, &statement, NULL))
    return ledger_file_trouble(ledger, "read the ledger");
  sqlite3_bind_int64(statement, 1, (int64_t)plan);
  while (!code && (step = sqlite3_step(statement)) == SQLITE_ROW)
    code = journal_show(&session, statement, visit, context);
  sqlite3_finalize(statement);
  if (!code && step != SQLITE_DONE) code = ledger_file_trouble(ledger, "read the ledger");
  if (!code && ledger->look && journal->count && (!plan || plan == session.plan)) {
    struct journal_batch last = {0, session.plan, journal->answer, journal->count, session.about, session.size};
    code = visit(context, &last);
  }
  free(session.about);
  return code;
}

/* Is `digest` (NULL: none) that of the state which the plan's last batch with a state left? */
static int journal_is_state(struct ledger *ledger, uint64_t plan, const uint8_t *digest) {
  sqlite3_stmt *statement;
  int is_same = !digest;
  if (sqlite3_prepare_v2(ledger->file,
                         "SELECT state FROM journal WHERE plan = ? AND state IS NOT NULL ORDER BY row DESC LIMIT 1", -1,
                         &statement, NULL))
    return 0;
  sqlite3_bind_int64(statement, 1, (int64_t)plan);
  if (sqlite3_step(statement) == SQLITE_ROW)
    is_same = digest && sqlite3_column_bytes(statement, 0) == (int)DIGEST_SIZE &&
              !memcmp(sqlite3_column_blob(statement, 0), digest, DIGEST_SIZE);
  sqlite3_finalize(statement);
  return is_same;
}

int journal_state(struct ledger *ledger, uint64_t plan, void **state, size_t *size) {
  sqlite3_stmt *statement;
  uint8_t digest[DIGEST_SIZE];
  int step, is_whole, code = EXIT_OK;
  *state = NULL;
  *size = 0;
  if (sqlite3_prepare_v2(ledger->file, "SELECT salt, bytes FROM state WHERE plan = ?", -1, &statement, NULL))
    return ledger_file_trouble(ledger, "read the ledger");
  sqlite3_bind_int64(statement, 1, (int64_t)plan);
  step = sqlite3_step(statement);
  is_whole = step == SQLITE_ROW ? sqlite3_column_bytes(statement, 0) == (int)DIGEST_SIZE
                                : step == SQLITE_DONE && journal_is_state(ledger, plan, NULL);
  if (step == SQLITE_ROW && is_whole) {
    const char *bytes = sqlite3_column_blob(statement, 1);
    *size = (size_t)sqlite3_column_bytes(statement, 1);
    journal_digest_state(sqlite3_column_blob(statement, 0), bytes, *size, digest);
    is_whole = journal_is_state(ledger, plan, digest);
    if (is_whole && !(*state = memory_copy(bytes ? bytes : "", *size))) code = EXIT_SYSTEM;
  }
  if (!code && !is_whole) code = ledger_file_damaged(ledger, "a plan's state is lost or changed");
  sqlite3_finalize(statement);
  return code;
}

#include "gate/ledger_rows.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "gate/ledger_file.h"
#include "gate/ledger_sum.h"
#include "plan/mechanism.h"

/* ---- a row's columns ---- */

/* All but its number and its digest, in the order in which they enter the digest; `place` is where SQLite has them. */
static const struct ledger_rows_column {
  char type; /* 'i' a number, 't' text, 'm' a mark of 32 bytes */
  int place;
  size_t at;
} ledger_rows_columns[] = {
    {'t', 1, offsetof(struct ledger_row, time)},          {'t', 2, offsetof(struct ledger_row, kind)},
    {'i', 3, offsetof(struct ledger_row, plan)},          {'i', 4, offsetof(struct ledger_row, left)},
    {'i', 5, offsetof(struct ledger_row, labels)},        {'i', 6, offsetof(struct ledger_row, silences)},
    {'t', 7, offsetof(struct ledger_row, epsilon)},       {'t', 8, offsetof(struct ledger_row, delta)},
    {'t', 9, offsetof(struct ledger_row, note)},          {'m', 10, offsetof(struct ledger_row, mark)},
    {'i', 12, offsetof(struct ledger_row, answers_left)}, {'i', 13, offsetof(struct ledger_row, answers)},
    {'m', 14, offsetof(struct ledger_row, journal)},      {'t', 15, offsetof(struct ledger_row, protects)}};
#define LEDGER_ROWS_COLUMNS (sizeof ledger_rows_columns / sizeof *ledger_rows_columns)
#define LEDGER_ROWS_DIGEST  11 /* its place */

/* The one of the two that the column is; it may be absent. */
static void ledger_rows_field(const struct ledger_row *row, const struct ledger_rows_column *column, int64_t *number,
                              const char **bytes) {
  const char *field = (const char *)row + column->at;
  *number = -1;
  *bytes = NULL;
  if (column->type == 'i')
    memcpy(number, field, sizeof *number);
  else
    memcpy(bytes, field, sizeof *bytes);
}

static void ledger_rows_digest(const uint8_t before[DIGEST_SIZE], const struct ledger_row *row,
                               uint8_t result[DIGEST_SIZE]) {
  struct digest digest;
  digest_init(&digest);
  digest_add(&digest, before, DIGEST_SIZE);
  digest_add_u64(&digest, row->number);
  for (size_t i = 0; i < LEDGER_ROWS_COLUMNS; i++) {
    const struct ledger_rows_column *column = &ledger_rows_columns[i];
    int64_t number;
    const char *bytes;
    ledger_rows_field(row, column, &number, &bytes);
    digest_add(&digest, number >= 0 ? "i" : bytes ? "b" : "n", 1);
    if (number >= 0) digest_add_u64(&digest, (uint64_t)number);
    if (bytes) {
      size_t size = column->type == 't' ? strlen(bytes) : DIGEST_SIZE;
      digest_add_u64(&digest, size);
      digest_add(&digest, bytes, size);
    }
  }
  digest_read(&digest, result);
}

struct ledger_row ledger_rows_blank(const char *kind) {
  return (struct ledger_row){
      .kind = kind, .plan = -1, .left = -1, .labels = -1, .silences = -1, .answers_left = -1, .answers = -1};
}

/* ---- what rows mean ----
 * Each function makes the ledger in memory follow one row, or says why such a row cannot come here. The same
 * functions judge a row before it is written and every row of a file that is opened. */

/* What they say when memory is short: the line is printed. */
static const char ledger_rows_short[] = "";

static const char *ledger_rows_follow_made(struct ledger *ledger, const struct ledger_row *row) {
  if (row->number != 1 || !row->mark) return "it does not begin as a ledger does";
  if (ledger_sum_read(row->epsilon, &ledger->total_epsilon) || ledger_sum_read(row->delta, &ledger->total_delta))
    return "a total that is not a number";
  snprintf(ledger->made, sizeof ledger->made, "%s", row->time);
  memcpy(ledger->salt, row->mark, DIGEST_SIZE);
  free(ledger->name);
  ledger->name = memory_copy(row->note ? row->note : "", row->note ? strlen(row->note) : 0);
  return ledger->name ? NULL : ledger_rows_short;
}

void ledger_rows_forget_charge(struct ledger *ledger) {
  free(ledger->unreleased);
  ledger->unreleased = NULL;
}

void ledger_rows_forget_counts(struct ledger *ledger) {
  while (ledger->kept_count)
    free(ledger->kept[--ledger->kept_count].what);
  ledger_rows_forget_charge(ledger);
}

static const char *ledger_rows_follow_data(struct ledger *ledger, const struct ledger_row *row) {
  if (!row->mark) return "a data set without its digest";
  if (memory_grow(&ledger->data, &ledger->data_room, ledger->data_count + 1, sizeof *ledger->data))
    return ledger_rows_short;
  memcpy(ledger->data[ledger->data_count++], row->mark, DIGEST_SIZE);
  ledger_rows_forget_counts(ledger); /* another version of the file */
  return NULL;
}

/* Totals only grow, and are never removed; the first one is at least what is spent. */
static const char *ledger_rows_follow_total(struct ledger *ledger, const struct ledger_row *row) {
  struct rational epsilon, delta;
  if (ledger_sum_read(row->epsilon, &epsilon) || ledger_sum_read(row->delta, &delta))
    return "a total that is not a number";
  if ((ledger->total_epsilon.den && (!epsilon.den || ledger_sum_exceeds(ledger->total_epsilon, epsilon))) ||
      (ledger->total_delta.den && (!delta.den || ledger_sum_exceeds(ledger->total_delta, delta))))
    return "a total that was lowered";
  if ((ledger->spent_epsilon.den && ledger_sum_exceeds(ledger->spent_epsilon, epsilon)) ||
      (ledger->spent_delta.den && ledger_sum_exceeds(ledger->spent_delta, delta)))
    return "a total below what is spent";
  ledger->total_epsilon = epsilon;
  ledger->total_delta = delta;
  return NULL;
}

const char *ledger_rows_neighbours(const char *protects) {
  static const size_t size = sizeof LEDGER_ROWS_SEEDED - 1;
  return strncmp(protects, LEDGER_ROWS_SEEDED, size) ? protects : protects + size;
}

static const char *ledger_rows_follow_protects(struct ledger *ledger, const struct ledger_row *row) {
  const char *neighbours;
  if (!row->protects || !*row->protects) return "a cost that does not say whom it protects";
  neighbours = ledger_rows_neighbours(row->protects);
  if (neighbours != row->protects) ledger->was_seeded = 1;
  if (ledger->protected && strcmp(ledger->protected, neighbours) != 0) ledger->mixes = 1;
  if (!ledger->protected) ledger->protected = memory_copy(neighbours, strlen(neighbours));
  return ledger->protected ? NULL : ledger_rows_short;
}

static const char *ledger_rows_follow_cost(struct ledger *ledger, const struct ledger_row *row) {
  struct rational epsilon, delta;
  if (ledger_sum_read(row->epsilon, &epsilon) || ledger_sum_read(row->delta, &delta))
    return "a cost that is not a number";
  if (ledger_sum_add(ledger->spent_epsilon, epsilon, &epsilon) || ledger_sum_add(ledger->spent_delta, delta, &delta))
    return "costs that do not add up";
  if (ledger_sum_exceeds(epsilon, ledger->total_epsilon) || ledger_sum_exceeds(delta, ledger->total_delta))
    return "more is spent than its total allows";
  ledger->spent_epsilon = epsilon;
  ledger->spent_delta = delta;
  return ledger_rows_follow_protects(ledger, row);
}

void ledger_rows_end_session(struct ledger *ledger) {
  if (!ledger->current) return;
  ledger->current->unclosed++;
  ledger->current->reserved = (struct plan_quota){0, 0};
  ledger->current = NULL;
}

static void ledger_rows_start_session(struct ledger *ledger, struct ledger_plan *plan) {
  ledger_rows_end_session(ledger);
  ledger->current = plan;
  plan->sessions++;
}

/* T silences, L answers or both; a row without answers leaves them out. A poll has neither. */
static int ledger_rows_has_limit(const struct ledger_row *row, enum plan_mechanism mechanism) {
  if (mechanism == PLAN_MECHANISM_POLL) return row->left == 0 && row->answers_left < 0;
  if (row->left < 0 || row->left > (int64_t)FUMATA_SILENCES_MAX) return 0;
  if (row->answers_left < 0) return row->left >= 1;
  return row->answers_left >= 1 && row->answers_left <= (int64_t)FUMATA_ANSWERS_MAX;
}

/* Of either kind, as a row has it. */
static struct plan_quota ledger_rows_left(const struct ledger_row *row) {
  return (struct plan_quota){(uint32_t)row->left, row->answers_left < 0 ? 0 : (uint32_t)row->answers_left};
}

/* Does the row speak of answers if and only if the plan has them, and are its numbers within the plan's? */
static int ledger_rows_fits(const struct ledger_plan *plan, const struct ledger_row *row) {
  const struct plan_quota limit = plan->terms.limit;
  return row->left >= 0 && row->left <= (int64_t)limit.silences && (row->answers_left >= 0) == (limit.answers > 0) &&
         row->answers_left <= (int64_t)limit.answers;
}

static const char *ledger_rows_follow_plan(struct ledger *ledger, const struct ledger_row *row) {
  size_t current = ledger->current ? (size_t)(ledger->current - ledger->plans) : 0;
  enum plan_mechanism mechanism;
  struct ledger_plan *plan;
  const char *why;
  if (!row->note || mechanism_find(row->note, &mechanism)) return "a plan of no known mechanism";
  if (row->plan != (int64_t)ledger->plan_count + 1) return "a plan out of order";
  if (!ledger_rows_has_limit(row, mechanism) || !row->mark) return "a plan without its numbers";
  if (!row->epsilon || !row->delta) return "a plan without its cost";
  why = ledger_rows_follow_cost(ledger, row);
  if (why) return why;
  if (memory_grow(&ledger->plans, &ledger->plan_room, ledger->plan_count + 1, sizeof *ledger->plans))
    return ledger_rows_short;
  if (ledger->current) ledger->current = ledger->plans + current;
  plan = ledger->plans + ledger->plan_count++;
  memset(plan, 0, sizeof *plan);
  plan->protects = memory_copy(ledger_rows_neighbours(row->protects), strlen(ledger_rows_neighbours(row->protects)));
  if (!plan->protects) return ledger_rows_short;
  plan->number = (uint64_t)row->plan;
  plan->terms.mechanism = mechanism;
  plan->terms.limit = plan->left = ledger_rows_left(row);
  ledger_sum_read(row->epsilon, &plan->terms.epsilon);
  ledger_sum_read(row->delta, &plan->terms.delta);
  memcpy(plan->terms.digest, row->mark, DIGEST_SIZE);
  snprintf(plan->begun, sizeof plan->begun, "%s", row->time);
  ledger_rows_start_session(ledger, plan);
  return NULL;
}

static const char *ledger_rows_follow_resume(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan;
  struct plan_quota left;
  const char *why;
  if (row->plan < 1 || row->plan > (int64_t)ledger->plan_count) return "a plan that never began";
  plan = ledger->plans + (row->plan - 1);
  left = ledger_rows_left(row);
  if (!ledger_rows_fits(plan, row) || left.silences != plan->left.silences || left.answers != plan->left.answers)
    return "a plan resumed with another number of silences or answers";
  why = ledger_rows_follow_protects(ledger, row);
  if (!why && strcmp(plan->protects, ledger_rows_neighbours(row->protects)) != 0)
    why = "a plan resumed for other neighbours";
  if (!why) ledger_rows_start_session(ledger, plan);
  return why;
}

/* What a `reserve`, `answers`, `close` or `found` row counts was paid for by the reservations before it; of a poll by its
 * beginning. */
static const char *ledger_rows_follow_answers(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan = ledger->current;
  if (!plan || row->plan != (int64_t)plan->number) return "a row of a plan that is not at work";
  if (row->labels < 0 || row->silences < 0 || !row->mark || !ledger_rows_fits(plan, row) ||
      (row->answers >= 0) != (row->answers_left >= 0))
    return "a row without its counts";
  if (row->labels && !plan->reserved.silences && plan->terms.mechanism != PLAN_MECHANISM_POLL)
    return "labels without a reservation";
  if (row->silences > (int64_t)plan->reserved.silences) return "more silences than were reserved";
  if (row->answers > (int64_t)plan->reserved.answers) return "more answers than were reserved";
  plan->labels += (uint64_t)row->labels;
  plan->silences += (uint64_t)row->silences;
  plan->reserved.silences -= (uint32_t)row->silences;
  if (row->answers < 0) return NULL;
  plan->answers += (uint64_t)row->answers;
  plan->reserved.answers -= (uint32_t)row->answers;
  return NULL;
}

/* Reserves nothing and gives nothing back. */
static const char *ledger_rows_follow_batch(struct ledger *ledger, const struct ledger_row *row) {
  struct plan_quota left = ledger_rows_left(row);
  const char *why = ledger_rows_follow_answers(ledger, row);
  if (!why && (left.silences != ledger->current->left.silences || left.answers != ledger->current->left.answers))
    why = "a batch of answers that changes what is left";
  return why;
}

/* The last answers of a session that crashed. */
static const char *ledger_rows_follow_found(struct ledger *ledger, const struct ledger_row *row) {
  const char *why = ledger_rows_follow_batch(ledger, row);
  if (!why) ledger_rows_end_session(ledger);
  return why;
}

/* Takes some of one kind, which must be used up, and leaves the other kind alone. */
static const char *ledger_rows_follow_reserve(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan = ledger->current;
  const char *why = ledger_rows_follow_answers(ledger, row);
  struct plan_quota left = ledger_rows_left(row);
  enum plan_kind kind;
  uint32_t *reserved, *before, now;
  if (why) return why;
  kind = left.silences == plan->left.silences ? PLAN_KIND_TOLL : PLAN_KIND_METER;
  if (kind == PLAN_KIND_METER && left.answers != plan->left.answers) return "a reservation of two kinds at once";
  reserved = plan_quota_of(&plan->reserved, kind);
  before = plan_quota_of(&plan->left, kind);
  now = *plan_quota_of(&left, kind);
  if (now >= *before) return "a reservation that does not count down";
  if (*reserved) return "a second reservation before the first was used";
  *reserved = *before - now;
  *before = now;
  return NULL;
}

/* What was not used may come back, if the mechanism gives back. */
static int ledger_rows_may_give_back(const struct ledger_plan *plan, enum plan_kind kind, struct plan_quota left) {
  struct plan_quota before = plan->left, reserved = plan->reserved;
  int64_t back = (int64_t)*plan_quota_of(&left, kind) - (int64_t)*plan_quota_of(&before, kind);
  return back == 0 || (back > 0 && back <= (int64_t)*plan_quota_of(&reserved, kind) &&
                       mechanism_of(plan->terms.mechanism)->gives_back);
}

static const char *ledger_rows_follow_close(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan = ledger->current;
  const char *why = ledger_rows_follow_answers(ledger, row);
  struct plan_quota left = ledger_rows_left(row);
  if (why) return why;
  if (!ledger_rows_may_give_back(plan, PLAN_KIND_METER, left) || !ledger_rows_may_give_back(plan, PLAN_KIND_TOLL, left))
    return "a reservation given back that was not to spare";
  plan->left = left;
  plan->reserved = (struct plan_quota){0, 0};
  ledger->current = NULL;
  return NULL;
}

int ledger_rows_print_charge(const char *what, const char *protects, char **text) {
  return memory_print(text, "%s, %s", what, protects);
}

static const char *ledger_rows_follow_charge(struct ledger *ledger, const struct ledger_row *row) {
  const char *why = ledger_rows_follow_cost(ledger, row);
  if (why) return why;
  ledger->charges++;
  ledger_rows_forget_charge(ledger);
  if (ledger_sum_read(row->epsilon, &ledger->unreleased_epsilon) ||
      ledger_sum_read(row->delta, &ledger->unreleased_delta))
    return "a cost that is not a number";
  return ledger_rows_print_charge(row->note ? row->note : "", row->protects, &ledger->unreleased) ? ledger_rows_short
                                                                                                  : NULL;
}

static const char *ledger_rows_follow_count(struct ledger *ledger, const struct ledger_row *row) {
  char *what;
  uint64_t count;
  size_t i = 0;
  if (!row->note || *row->note < '1' || *row->note > '9') return "a count without its number"; /* strtoull takes -1 */
  errno = 0;
  count = strtoull(row->note, &what, 10);
  if (errno || *what != ' ') return "a count without its number";
  ledger_rows_forget_charge(ledger);
  while (i < ledger->kept_count && strcmp(ledger->kept[i].what, what + 1) != 0)
    i++;
  if (i == ledger->kept_count) {
    if (memory_grow(&ledger->kept, &ledger->kept_room, i + 1, sizeof *ledger->kept)) return ledger_rows_short;
    ledger->kept[i].what = memory_copy(what + 1, strlen(what + 1));
    if (!ledger->kept[i].what) return ledger_rows_short;
    ledger->kept_count++;
  }
  ledger->kept[i].count = count;
  return NULL;
}

static const char *ledger_rows_follow(struct ledger *ledger, const struct ledger_row *row) {
  static const struct {
    const char *kind;
    const char *(*follow)(struct ledger *ledger, const struct ledger_row *row);
  } kinds[] = {{"made", ledger_rows_follow_made},     {"data", ledger_rows_follow_data},
               {"total", ledger_rows_follow_total},   {"plan", ledger_rows_follow_plan},
               {"resume", ledger_rows_follow_resume}, {"reserve", ledger_rows_follow_reserve},
               {"close", ledger_rows_follow_close},   {"charge", ledger_rows_follow_charge},
               {"count", ledger_rows_follow_count},   {"answers", ledger_rows_follow_batch},
               {"found", ledger_rows_follow_found}};
  size_t i;
  if (row->number != ledger->rows + 1) return "a row is missing";
  if (row->number == 1 && strcmp(row->kind, "made") != 0) return "it does not begin as a ledger does";
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *why;
    if (strcmp(row->kind, kinds[i].kind) != 0) continue;
    why = kinds[i].follow(ledger, row);
    if (why) return why;
    ledger_rows_digest(ledger->head, row, ledger->head);
    ledger->rows = row->number;
    if (row->plan >= 0) ledger->journal.last = row->number;
    return NULL;
  }
  return "a row of no known kind";
}

/* ---- appending ---- */

static int ledger_rows_run(sqlite3_stmt *statement) {
  int done = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return done == SQLITE_DONE ? 0 : -1;
}

static int ledger_rows_insert(struct ledger *ledger, const struct ledger_row *row) {
  static const char insert[] = "INSERT INTO ledger VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(ledger->file, insert, -1, &statement, NULL)) return -1;
  sqlite3_bind_int64(statement, 1, (int64_t)row->number);
  sqlite3_bind_blob(statement, LEDGER_ROWS_DIGEST + 1, ledger->head, DIGEST_SIZE, SQLITE_STATIC);
  for (size_t i = 0; i < LEDGER_ROWS_COLUMNS; i++) {
    const struct ledger_rows_column *column = &ledger_rows_columns[i];
    int64_t number;
    const char *bytes;
    ledger_rows_field(row, column, &number, &bytes);
    /* Binding a null pointer, or nothing, binds NULL, which is what is meant. */
    if (column->type == 't')
      sqlite3_bind_text(statement, column->place + 1, bytes, -1, SQLITE_STATIC);
    else if (column->type == 'm')
      sqlite3_bind_blob(statement, column->place + 1, bytes, DIGEST_SIZE, SQLITE_STATIC);
    else if (number >= 0)
      sqlite3_bind_int64(statement, column->place + 1, number);
  }
  if (ledger_rows_run(statement)) return -1;
  if (sqlite3_prepare_v2(ledger->file, "UPDATE head SET rows = ?, digest = ?", -1, &statement, NULL)) return -1;
  sqlite3_bind_int64(statement, 1, (int64_t)ledger->rows);
  sqlite3_bind_blob(statement, 2, ledger->head, DIGEST_SIZE, SQLITE_STATIC);
  return ledger_rows_run(statement);
}

/* Memory runs ahead of the disk only inside: after a failure the ledger is broken, writes
 * nothing more, and what the disk has is what the next process finds. */
int ledger_rows_append(struct ledger *ledger, struct ledger_row *row, const char *doing) {
  char now[LEDGER_TIME] = "unknown";
  time_t seconds = time(NULL);
  struct tm utc;
  const char *why;
  int code;
  if (ledger->broken) return EXIT_SYSTEM; /* said when it broke */
  if (ledger->file && (code = process_check(&ledger->owner, ledger->path))) return code;
  if (!ledger->file || ledger->look)
    return error_report(EXIT_SYSTEM, "%s: the ledger is not open for writing", ledger->path ? ledger->path : "ledger");
  if (gmtime_r(&seconds, &utc)) strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
  row->time = strcmp(row->kind, "made") && strcmp(row->kind, "plan") ? "-" : now;
  row->number = ledger->rows + 1;
  ledger->broken = 1;
  if (ledger_file_has_moved(ledger))
    return error_report(EXIT_SYSTEM, "%s: the ledger was moved or replaced", ledger->path);
  if (ledger->armed && !ledger_file_is_ours(ledger))
    return error_report(EXIT_SYSTEM, "%s: another process has written to the ledger", ledger->path);
  code = journal_bind(ledger, row);
  if (code) return code;
  why = ledger_rows_follow(ledger, row);
  if (why == ledger_rows_short) return EXIT_SYSTEM;
  if (why) return error_report(EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing, why);
  if (sqlite3_exec(ledger->file, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
      ledger_rows_insert(ledger, row) == 0 && journal_store(ledger, row) == 0 &&
      sqlite3_exec(ledger->file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK) {
    journal_clear(ledger, row);
    if (ledger_file_write_mark(ledger, ledger->rows))
      return error_report(EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing, strerror(errno));
    ledger->broken = 0;
    return EXIT_OK;
  }
  code = ledger_file_trouble(ledger, doing);
  if (!sqlite3_get_autocommit(ledger->file)) sqlite3_exec(ledger->file, "ROLLBACK", NULL, NULL, NULL);
  return code;
}

/* ---- reading ---- */

/* 32 bytes, or NULL; *bad if it is something else. */
static const uint8_t *ledger_rows_mark(sqlite3_stmt *statement, int column, int *bad) {
  const uint8_t *bytes = sqlite3_column_blob(statement, column);
  if (bytes && sqlite3_column_bytes(statement, column) != (int)DIGEST_SIZE) *bad = 1;
  return bytes;
}

/* Points into the statement's current row; returns the digest stored with it, NULL when this is not a row. */
static const uint8_t *ledger_rows_fetch(sqlite3_stmt *statement, struct ledger_row *row) {
  const uint8_t *digest;
  int bad = 0;
  row->number = (uint64_t)sqlite3_column_int64(statement, 0);
  digest = ledger_rows_mark(statement, LEDGER_ROWS_DIGEST, &bad);
  for (size_t i = 0; i < LEDGER_ROWS_COLUMNS; i++) {
    const struct ledger_rows_column *column = &ledger_rows_columns[i];
    int is_null = sqlite3_column_type(statement, column->place) == SQLITE_NULL;
    char *field = (char *)row + column->at;
    if (column->type == 'i') {
      int64_t number = is_null ? -1 : sqlite3_column_int64(statement, column->place);
      if (!is_null && number < 0) bad = 1;
      memcpy(field, &number, sizeof number);
    } else if (column->type == 't') {
      const char *text = (const char *)sqlite3_column_text(statement, column->place);
      if (text && strlen(text) != (size_t)sqlite3_column_bytes(statement, column->place)) bad = 1;
      memcpy(field, &text, sizeof text);
    } else {
      const uint8_t *mark = ledger_rows_mark(statement, column->place, &bad);
      memcpy(field, &mark, sizeof mark);
    }
  }
  return bad || !row->time || !row->kind ? NULL : digest;
}

/* Does the head agree with the rows? Says whether a process was at work. */
static int ledger_rows_check_head(struct ledger *ledger, int *at_work) {
  sqlite3_stmt *statement;
  const char *why = NULL;
  int step, bad = 0, code = EXIT_OK;
  if (sqlite3_prepare_v2(ledger->file, "SELECT rows, digest, at_work FROM head", -1, &statement, NULL))
    return ledger_file_trouble(ledger, "read the ledger");
  step = sqlite3_step(statement);
  if (step == SQLITE_ROW) {
    const uint8_t *head = ledger_rows_mark(statement, 1, &bad);
    if (bad || !head || memcmp(head, ledger->head, DIGEST_SIZE) != 0 ||
        sqlite3_column_int64(statement, 0) != (int64_t)ledger->rows)
      why = "its last rows are missing";
    *at_work = sqlite3_column_int(statement, 2);
  } else if (step == SQLITE_DONE) {
    why = "it has no head";
  } else {
    code = ledger_file_trouble(ledger, "read the ledger");
  }
  sqlite3_finalize(statement);
  return why ? ledger_file_damaged(ledger, why) : code;
}

/* One stored row, after all before it; says why it cannot stand here. */
static const char *ledger_rows_judge(struct ledger *ledger, sqlite3_stmt *statement, const uint8_t *milestone) {
  struct ledger_row row;
  const uint8_t *digest = ledger_rows_fetch(statement, &row);
  const char *why = digest ? ledger_rows_follow(ledger, &row) : "a row that cannot be read";
  if (why) return why;
  if (memcmp(digest, ledger->head, DIGEST_SIZE) != 0) return "a row was changed";
  why = journal_check(ledger, &row);
  if (why) return why;
  if (milestone && !memcmp(digest, milestone, DIGEST_SIZE)) ledger->reached = 1;
  return NULL;
}

int ledger_rows_replay(struct ledger *ledger, const uint8_t *milestone) {
  sqlite3_stmt *statement;
  const char *why = NULL;
  char mark[LEDGER_MARK + 1], at[LEDGER_MARK + 1];
  int has_mark = ledger_file_read_mark(ledger, mark) == 0, has_reached_mark = 0, at_work = 0;
  int step = SQLITE_DONE, code;
  if (sqlite3_prepare_v2(ledger->file, "SELECT * FROM ledger ORDER BY number", -1, &statement, NULL))
    return ledger_file_trouble(ledger, "read the ledger");
  while (!why && (step = sqlite3_step(statement)) == SQLITE_ROW) {
    why = ledger_rows_judge(ledger, statement, milestone);
    if (why || !has_mark) continue;
    ledger_file_print_mark(ledger, at);
    if (!strcmp(at, mark)) has_reached_mark = 1;
  }
  sqlite3_finalize(statement);
  if (why == ledger_rows_short) return EXIT_SYSTEM;
  if (why) return ledger_file_damaged(ledger, why);
  if (step != SQLITE_DONE) return ledger_file_trouble(ledger, "read the ledger");
  code = ledger_rows_check_head(ledger, &at_work);
  why = code ? NULL : journal_check_all(ledger);
  if (why) return ledger_file_damaged(ledger, why);
  if (code) return code;
  if (at_work && !has_mark)
    return ledger_file_damaged(ledger,
                               "the file beside it that ends in -mark is missing after a crash, or this is a copy");
  if (at_work && !has_reached_mark)
    return ledger_file_damaged(ledger, "the last rows before a crash are missing: the file that ends in -wal is lost");
  return EXIT_OK;
}

int ledger_rows_visit(struct ledger *ledger, ledger_visitor *visit, void *context) {
  sqlite3_stmt *statement;
  struct ledger_row row;
  int step;
  if (sqlite3_prepare_v2(ledger->file, "SELECT * FROM ledger ORDER BY number", -1, &statement, NULL))
    return ledger_file_trouble(ledger, "read the ledger");
  while ((step = sqlite3_step(statement)) == SQLITE_ROW && ledger_rows_fetch(statement, &row))
    visit(context, &row);
  sqlite3_finalize(statement);
  return step == SQLITE_DONE ? EXIT_OK : ledger_file_trouble(ledger, "read the ledger");
}

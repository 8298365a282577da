#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

#define FUMATA_LEDGER_MAGIC    0x46554d41 /* "FUMA", SQLite's application_id */
#define FUMATA_LEDGER_PATIENCE 1000       /* milliseconds to wait for somebody who only looks */
#define FUMATA_LEDGER_NOTE_MAX 200        /* bytes of a name */

/* The whole schema; an opened file must have these statements and no others, so that no trigger of a stranger acts. */
static const char *const fumata_ledger_schema[] = {
    "CREATE TABLE ledger (number INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, plan INTEGER,"
    " silences_left INTEGER, labels INTEGER, silences INTEGER, epsilon TEXT, delta TEXT, note TEXT, mark BLOB,"
    " digest BLOB NOT NULL) STRICT",
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, digest BLOB NOT NULL,"
    " at_work INTEGER NOT NULL) STRICT",
    "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END",
    "CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END"};

#define FUMATA_LEDGER_STATEMENTS (sizeof fumata_ledger_schema / sizeof *fumata_ledger_schema)

/* ---- exact sums ---- */

typedef unsigned __int128 fumata_ledger_wide;

static fumata_ledger_wide fumata_ledger_gcd(fumata_ledger_wide a, fumata_ledger_wide b) {
  while (b) {
    fumata_ledger_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Returns -1 when the sum in lowest terms needs more than 64 bits above or below. */
static int fumata_ledger_add(fumata_rational x, fumata_rational y, fumata_rational *sum) {
  fumata_ledger_wide common, num, den, other;
  if (x.den == 0) x.num = 0, x.den = 1;
  if (y.den == 0) y.num = 0, y.den = 1;
  common = fumata_ledger_gcd(x.den, y.den);
  den = x.den / common * y.den;
  num = (fumata_ledger_wide)x.num * (y.den / common);
  other = (fumata_ledger_wide)y.num * (x.den / common);
  if (__builtin_add_overflow(num, other, &num)) return -1;
  common = fumata_ledger_gcd(num, den);
  num /= common;
  den /= common;
  if (num > UINT64_MAX || den > UINT64_MAX) return -1;
  sum->num = (uint64_t)num;
  sum->den = (uint64_t)den;
  return 0;
}

static int fumata_ledger_exceeds(fumata_rational x, fumata_rational ceiling) {
  if (ceiling.den == 0) return 0;
  return (fumata_ledger_wide)x.num * ceiling.den > (fumata_ledger_wide)ceiling.num * x.den;
}

static int fumata_ledger_same(fumata_rational x, fumata_rational y) {
  return (x.den == 0) == (y.den == 0) &&
         (x.den == 0 || (fumata_ledger_wide)x.num * y.den == (fumata_ledger_wide)y.num * x.den);
}

#define FUMATA_LEDGER_FRACTION 48 /* two 64-bit integers, a stroke, the end */

static const char *fumata_ledger_fraction(fumata_rational x, char text[FUMATA_LEDGER_FRACTION]) {
  if (x.den == 0) return NULL;
  snprintf(text, FUMATA_LEDGER_FRACTION, "%" PRIu64 "/%" PRIu64, x.num, x.den);
  return text;
}

/* Only what fumata_ledger_fraction writes is read: no signs, no spaces, no overflow. */
static int fumata_ledger_read_fraction(const char *text, fumata_rational *x) {
  char again[FUMATA_LEDGER_FRACTION];
  char *end;
  x->num = x->den = 0;
  if (!text) return 0;
  x->num = strtoull(text, &end, 10);
  if (*end != '/') return -1;
  x->den = strtoull(end + 1, &end, 10);
  return x->den == 0 || strcmp(fumata_ledger_fraction(*x, again), text) != 0 ? -1 : 0;
}

/* ---- lines for the operator ---- */

static int fumata_ledger_damaged(const fumata_ledger *ledger, const char *why) {
  return fumata_say_error(FUMATA_EXIT_INPUT, "%s: this ledger is damaged (%s); nothing is released from it",
                          ledger->path, why);
}

/* What SQLite met, in the operator's words. Depends on the disk alone, never on a query. */
static int fumata_ledger_trouble(const fumata_ledger *ledger, const char *doing) {
  int code = sqlite3_errcode(ledger->file), cause = sqlite3_system_errno(ledger->file);
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return fumata_say_error(FUMATA_EXIT_REFUSED, "%s: in use by another process", ledger->path);
  case SQLITE_NOTADB:
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: not a ledger", ledger->path);
  case SQLITE_CORRUPT:
    return fumata_ledger_damaged(ledger, "its pages do not fit together");
  case SQLITE_READONLY:
    if (sqlite3_extended_errcode(ledger->file) == SQLITE_READONLY_DBMOVED)
      return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: the ledger was moved or replaced", ledger->path);
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the ledger cannot be written to", ledger->path);
  case SQLITE_FULL:
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot %s: the disk is full", ledger->path, doing);
  default:
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing,
                            cause ? strerror(cause) : sqlite3_errstr(code));
  }
}

/* ---- a row's digest ---- */

static void fumata_ledger_digest_number(fumata_digest *digest, int64_t value) {
  fumata_digest_add(digest, value < 0 ? "n" : "i", 1);
  if (value >= 0) fumata_digest_add_u64(digest, (uint64_t)value);
}

static void fumata_ledger_digest_bytes(fumata_digest *digest, const void *bytes, size_t size) {
  fumata_digest_add(digest, bytes ? "b" : "n", 1);
  if (!bytes) return;
  fumata_digest_add_u64(digest, size);
  fumata_digest_add(digest, bytes, size);
}

static void fumata_ledger_digest_text(fumata_digest *digest, const char *text) {
  fumata_ledger_digest_bytes(digest, text, text ? strlen(text) : 0);
}

static void fumata_ledger_digest_row(const uint8_t before[FUMATA_DIGEST_SIZE], const fumata_ledger_row *row,
                                     uint8_t result[FUMATA_DIGEST_SIZE]) {
  fumata_digest digest;
  fumata_digest_init(&digest);
  fumata_digest_add(&digest, before, FUMATA_DIGEST_SIZE);
  fumata_digest_add_u64(&digest, row->number);
  fumata_ledger_digest_text(&digest, row->time);
  fumata_ledger_digest_text(&digest, row->kind);
  fumata_ledger_digest_number(&digest, row->plan);
  fumata_ledger_digest_number(&digest, row->left);
  fumata_ledger_digest_number(&digest, row->labels);
  fumata_ledger_digest_number(&digest, row->silences);
  fumata_ledger_digest_text(&digest, row->epsilon);
  fumata_ledger_digest_text(&digest, row->delta);
  fumata_ledger_digest_text(&digest, row->note);
  fumata_ledger_digest_bytes(&digest, row->mark, FUMATA_DIGEST_SIZE);
  fumata_digest_read(&digest, result);
}

/* ---- what rows mean ----
 * Each function makes the ledger in memory follow one row, or says why such a row cannot come here. The same
 * functions judge a row before it is written and every row of a file that is opened. */

static const char *fumata_ledger_follow_made(fumata_ledger *ledger, const fumata_ledger_row *row) {
  if (row->number != 1 || !row->mark) return "it does not begin as a ledger does";
  if (fumata_ledger_read_fraction(row->epsilon, &ledger->total_epsilon) ||
      fumata_ledger_read_fraction(row->delta, &ledger->total_delta))
    return "a total that is no number";
  snprintf(ledger->made, sizeof ledger->made, "%s", row->time);
  free(ledger->name);
  ledger->name = strdup(row->note ? row->note : "");
  return ledger->name ? NULL : "out of memory";
}

static const char *fumata_ledger_follow_cost(fumata_ledger *ledger, const fumata_ledger_row *row) {
  fumata_rational epsilon, delta;
  if (fumata_ledger_read_fraction(row->epsilon, &epsilon) || fumata_ledger_read_fraction(row->delta, &delta))
    return "a cost that is no number";
  if (fumata_ledger_add(ledger->spent_epsilon, epsilon, &epsilon) ||
      fumata_ledger_add(ledger->spent_delta, delta, &delta))
    return "costs that have no sum";
  if (fumata_ledger_exceeds(epsilon, ledger->total_epsilon) || fumata_ledger_exceeds(delta, ledger->total_delta))
    return "more is spent than its total allows";
  ledger->spent_epsilon = epsilon;
  ledger->spent_delta = delta;
  return NULL;
}

static void fumata_ledger_start_session(fumata_ledger *ledger, fumata_ledger_plan *plan) {
  if (ledger->current) ledger->current->unclosed++, ledger->current->reserved = 0;
  ledger->current = plan;
  plan->sessions++;
}

static const char *fumata_ledger_follow_plan(fumata_ledger *ledger, const fumata_ledger_row *row) {
  size_t current = ledger->current ? (size_t)(ledger->current - ledger->plans) : 0;
  fumata_ledger_plan *plans, *plan;
  const char *why;
  int is_meter = row->note && !strcmp(row->note, "meter");
  if (!is_meter && !(row->note && !strcmp(row->note, "classic"))) return "a plan of no known mechanism";
  if (row->plan != (int64_t)ledger->plan_count + 1) return "a plan out of order";
  if (row->left < 1 || row->left > (int64_t)FUMATA_SILENCES_MAX || !row->mark) return "a plan without its numbers";
  if (!row->epsilon || !row->delta) return "a plan without its cost";
  why = fumata_ledger_follow_cost(ledger, row);
  if (why) return why;
  plans = realloc(ledger->plans, (ledger->plan_count + 1) * sizeof *plans);
  if (!plans) return "out of memory";
  ledger->plans = plans;
  if (ledger->current) ledger->current = plans + current;
  plan = plans + ledger->plan_count++;
  memset(plan, 0, sizeof *plan);
  plan->number = (uint64_t)row->plan;
  plan->terms.mechanism = is_meter ? FUMATA_LEDGER_METER : FUMATA_LEDGER_CLASSIC;
  plan->terms.limit = plan->left = (uint32_t)row->left;
  fumata_ledger_read_fraction(row->epsilon, &plan->terms.epsilon);
  fumata_ledger_read_fraction(row->delta, &plan->terms.delta);
  memcpy(plan->terms.digest, row->mark, FUMATA_DIGEST_SIZE);
  snprintf(plan->begun, sizeof plan->begun, "%s", row->time);
  fumata_ledger_start_session(ledger, plan);
  return NULL;
}

static const char *fumata_ledger_follow_resume(fumata_ledger *ledger, const fumata_ledger_row *row) {
  fumata_ledger_plan *plan;
  if (row->plan < 1 || row->plan > (int64_t)ledger->plan_count) return "a plan that never began";
  plan = ledger->plans + (row->plan - 1);
  if (row->left != (int64_t)plan->left) return "a plan resumed with another number of silences";
  fumata_ledger_start_session(ledger, plan);
  return NULL;
}

/* The answers that a `reserve` or `close` row counts were paid for by the reservation before it, if there was one. */
static const char *fumata_ledger_follow_answers(fumata_ledger *ledger, const fumata_ledger_row *row) {
  fumata_ledger_plan *plan = ledger->current;
  if (!plan || row->plan != (int64_t)plan->number) return "a row of a plan that is not at work";
  if (row->labels < 0 || row->silences < 0 || !row->mark) return "a row without its counts";
  if (row->silences > 1) return "a stretch of two silences";
  if (!plan->reserved && (row->labels || row->silences)) return "answers without a reservation";
  plan->labels += (uint64_t)row->labels;
  plan->silences += (uint64_t)row->silences;
  return NULL;
}

static const char *fumata_ledger_follow_reserve(fumata_ledger *ledger, const fumata_ledger_row *row) {
  fumata_ledger_plan *plan = ledger->current;
  const char *why = fumata_ledger_follow_answers(ledger, row);
  if (why) return why;
  if (plan->reserved && row->silences != 1) return "a second reservation before the first was used";
  if (plan->left == 0 || row->left != (int64_t)plan->left - 1) return "a reservation that does not count down";
  plan->left--;
  plan->reserved = 1;
  return NULL;
}

static const char *fumata_ledger_follow_close(fumata_ledger *ledger, const fumata_ledger_row *row) {
  fumata_ledger_plan *plan = ledger->current;
  const char *why = fumata_ledger_follow_answers(ledger, row);
  int64_t back;
  if (why) return why;
  back = row->left - (int64_t)plan->left;
  if (back != 0 && !(back == 1 && plan->reserved && row->silences == 0 && plan->terms.mechanism == FUMATA_LEDGER_METER))
    return "a reservation given back that was not to spare";
  plan->left = (uint32_t)row->left;
  plan->reserved = 0;
  ledger->current = NULL;
  return NULL;
}

static const char *fumata_ledger_follow_charge(fumata_ledger *ledger, const fumata_ledger_row *row) {
  const char *why = fumata_ledger_follow_cost(ledger, row);
  if (!why) ledger->charges++;
  return why;
}

static const char *fumata_ledger_follow(fumata_ledger *ledger, const fumata_ledger_row *row) {
  static const struct {
    const char *kind;
    const char *(*follow)(fumata_ledger *ledger, const fumata_ledger_row *row);
  } kinds[] = {{"made", fumata_ledger_follow_made},     {"plan", fumata_ledger_follow_plan},
               {"resume", fumata_ledger_follow_resume}, {"reserve", fumata_ledger_follow_reserve},
               {"close", fumata_ledger_follow_close},   {"charge", fumata_ledger_follow_charge}};
  size_t i;
  if (row->number != ledger->rows + 1) return "a row is missing";
  if (row->number == 1 && strcmp(row->kind, "made") != 0) return "it does not begin as a ledger does";
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *why;
    if (strcmp(row->kind, kinds[i].kind) != 0) continue;
    why = kinds[i].follow(ledger, row);
    if (why) return why;
    fumata_ledger_digest_row(ledger->head, row, ledger->head);
    ledger->rows = row->number;
    return NULL;
  }
  return "a row of no known kind";
}

/* ---- appending ---- */

static void fumata_ledger_bind_number(sqlite3_stmt *statement, int column, int64_t value) {
  if (value >= 0) sqlite3_bind_int64(statement, column, value);
}

/* Binding a null pointer binds NULL, which is what is meant. */
static void fumata_ledger_bind_text(sqlite3_stmt *statement, int column, const char *text) {
  sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

static int fumata_ledger_run(sqlite3_stmt *statement) {
  int done = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return done == SQLITE_DONE ? 0 : -1;
}

static int fumata_ledger_insert(fumata_ledger *ledger, const fumata_ledger_row *row) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(ledger->file, "INSERT INTO ledger VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", -1, &statement, NULL))
    return -1;
  sqlite3_bind_int64(statement, 1, (int64_t)row->number);
  fumata_ledger_bind_text(statement, 2, row->time);
  fumata_ledger_bind_text(statement, 3, row->kind);
  fumata_ledger_bind_number(statement, 4, row->plan);
  fumata_ledger_bind_number(statement, 5, row->left);
  fumata_ledger_bind_number(statement, 6, row->labels);
  fumata_ledger_bind_number(statement, 7, row->silences);
  fumata_ledger_bind_text(statement, 8, row->epsilon);
  fumata_ledger_bind_text(statement, 9, row->delta);
  fumata_ledger_bind_text(statement, 10, row->note);
  sqlite3_bind_blob(statement, 11, row->mark, FUMATA_DIGEST_SIZE, SQLITE_STATIC);
  sqlite3_bind_blob(statement, 12, ledger->head, FUMATA_DIGEST_SIZE, SQLITE_STATIC);
  if (fumata_ledger_run(statement)) return -1;
  if (sqlite3_prepare_v2(ledger->file, "UPDATE head SET rows = ?, digest = ?", -1, &statement, NULL)) return -1;
  sqlite3_bind_int64(statement, 1, (int64_t)ledger->rows);
  sqlite3_bind_blob(statement, 2, ledger->head, FUMATA_DIGEST_SIZE, SQLITE_STATIC);
  return fumata_ledger_run(statement);
}

static void fumata_ledger_now(char text[FUMATA_LEDGER_TIME]) {
  time_t now = time(NULL);
  struct tm utc;
  if (!gmtime_r(&now, &utc) || strftime(text, FUMATA_LEDGER_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
    strcpy(text, "unknown");
}

/* ---- the mark ----
 * While a process is at work, new rows are in FILE-wal, one sync a row, and move to FILE at its end. Should FILE-wal be
 * lost or cut after a crash, SQLite would show the ledger as it was before, with silences given back. So FILE says that
 * somebody is at work, and FILE-mark how far the rows got; a ledger that is behind its mark is refused. The mark is
 * written after the row is durable and not synced: it guards against hands, not against power cuts. */

#define FUMATA_LEDGER_MARK 128 /* bytes of one of its two places, written in turn: one is whole if the other is torn */

static char *fumata_ledger_beside(const char *path, const char *suffix) {
  char *name = NULL;
  return asprintf(&name, "%s%s", path, suffix) < 0 ? NULL : name;
}

/* Number and digest of the last row, as digits, and the first digits of their own digest. */
static void fumata_ledger_print_mark(uint64_t rows, const char *head, char text[FUMATA_LEDGER_MARK + 1]) {
  char check[FUMATA_DIGEST_TEXT];
  uint8_t value[FUMATA_DIGEST_SIZE];
  fumata_digest digest;
  int size = snprintf(text, FUMATA_LEDGER_MARK + 1, "%020" PRIu64 " %s ", rows, head);
  fumata_digest_init(&digest);
  fumata_digest_add(&digest, text, (size_t)size);
  fumata_digest_read(&digest, value);
  fumata_digest_print(value, check);
  snprintf(text + size, (size_t)(FUMATA_LEDGER_MARK + 1 - size), "%-*.16s\n", FUMATA_LEDGER_MARK - size - 1, check);
}

static int fumata_ledger_write_mark(const fumata_ledger *ledger, uint64_t place) {
  char head[FUMATA_DIGEST_TEXT], text[FUMATA_LEDGER_MARK + 1];
  ssize_t done;
  if (!ledger->armed) return 0;
  fumata_digest_print(ledger->head, head);
  fumata_ledger_print_mark(ledger->rows, head, text);
  errno = EIO; /* if it is written in part */
  done = pwrite(ledger->mark, text, FUMATA_LEDGER_MARK, place % 2 ? FUMATA_LEDGER_MARK : 0);
  return done == FUMATA_LEDGER_MARK ? 0 : -1;
}

/* The further of the two places that are whole; -1 when neither is. */
static int fumata_ledger_read_mark(const fumata_ledger *ledger, char mark[FUMATA_LEDGER_MARK + 1]) {
  char *name = fumata_ledger_beside(ledger->path, "-mark");
  int fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1, place, found = -1;
  free(name);
  mark[0] = 0;
  for (place = 0; place < 2 && fd >= 0; place++) {
    char text[FUMATA_LEDGER_MARK + 1] = "", head[FUMATA_DIGEST_TEXT] = "", again[FUMATA_LEDGER_MARK + 1];
    uint64_t rows;
    if (pread(fd, text, FUMATA_LEDGER_MARK, place * FUMATA_LEDGER_MARK) != FUMATA_LEDGER_MARK) continue;
    if (sscanf(text, "%" SCNu64 " %64s", &rows, head) != 2) continue;
    fumata_ledger_print_mark(rows, head, again);
    if (strcmp(text, again) != 0 || strcmp(text, mark) < 0) continue;
    strcpy(mark, text);
    found = 0;
  }
  if (fd >= 0) close(fd);
  return found;
}

static int fumata_ledger_has_moved(const fumata_ledger *ledger) {
  int has_moved = 0;
  sqlite3_file_control(ledger->file, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return has_moved;
}

/* One row, durable on return. Memory runs ahead of the disk only inside: after a failure the ledger is broken, writes
 * nothing more, and what the disk has is what the next process finds. */
static int fumata_ledger_append(fumata_ledger *ledger, fumata_ledger_row *row, const char *doing) {
  char time_text[FUMATA_LEDGER_TIME];
  const char *why;
  int code;
  if (ledger->broken) return FUMATA_EXIT_SYSTEM; /* said when it broke */
  if (!ledger->file || ledger->look)
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: the ledger is not open for writing",
                            ledger->path ? ledger->path : "ledger");
  fumata_ledger_now(time_text);
  row->time = time_text;
  row->number = ledger->rows + 1;
  ledger->broken = 1;
  if (fumata_ledger_has_moved(ledger))
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: the ledger was moved or replaced", ledger->path);
  why = fumata_ledger_follow(ledger, row);
  if (why) return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing, why);
  if (sqlite3_exec(ledger->file, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
      fumata_ledger_insert(ledger, row) == 0 && sqlite3_exec(ledger->file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK) {
    if (fumata_ledger_write_mark(ledger, ledger->rows))
      return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing, strerror(errno));
    ledger->broken = 0;
    return FUMATA_EXIT_OK;
  }
  code = fumata_ledger_trouble(ledger, doing);
  if (!sqlite3_get_autocommit(ledger->file)) sqlite3_exec(ledger->file, "ROLLBACK", NULL, NULL, NULL);
  return code;
}

/* ---- opening ---- */

static int fumata_ledger_keep_word(void *wanted, int columns, char **values, char **names) {
  (void)names;
  snprintf(wanted, 32, "%s", columns && values[0] ? values[0] : "");
  return 0;
}

/* Runs a PRAGMA and returns 0 if the answer is `wanted`: SQLite ignores what it does not know. */
static int fumata_ledger_pragma(fumata_ledger *ledger, const char *pragma, const char *wanted) {
  char got[32] = "";
  if (sqlite3_exec(ledger->file, pragma, fumata_ledger_keep_word, got, NULL) != SQLITE_OK) return -1;
  return strcmp(got, wanted) ? 1 : 0;
}

/* Runs each of `settings` and asks whether it took. */
static int fumata_ledger_settle(fumata_ledger *ledger, const char *const (*settings)[3], size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    int differs;
    if (sqlite3_exec(ledger->file, settings[i][0], NULL, NULL, NULL) != SQLITE_OK)
      return fumata_ledger_trouble(ledger, "open the ledger");
    differs = fumata_ledger_pragma(ledger, settings[i][1], settings[i][2]);
    if (differs < 0) return fumata_ledger_trouble(ledger, "open the ledger");
    if (differs) return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: SQLite refuses '%s'", ledger->path, settings[i][0]);
  }
  return FUMATA_EXIT_OK;
}

static int fumata_ledger_connect(fumata_ledger *ledger, const char *path, int flags) {
  /* EXTRA is FULL and also syncs the directory when a rollback journal goes: else a power cut just after a commit could
   * bring the journal back. Nothing is mapped into memory, so that a failing disk is an error and not a signal. The
   * lock is kept from the first access until the file is closed. */
  static const char *const settings[][3] = {{"PRAGMA synchronous=EXTRA", "PRAGMA synchronous", "3"},
                                            {"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA locking_mode", "exclusive"},
                                            {"PRAGMA mmap_size=0", "PRAGMA mmap_size", "0"},
                                            {"PRAGMA trusted_schema=OFF", "PRAGMA trusted_schema", "0"}};
  sqlite3 *file = NULL;
  int failed = sqlite3_open_v2(path, &file, flags | SQLITE_OPEN_EXRESCODE, NULL);
  ledger->file = file;
  if (!file) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  if (failed) return fumata_ledger_trouble(ledger, "open the ledger");
  sqlite3_busy_timeout(file, FUMATA_LEDGER_PATIENCE);
  return fumata_ledger_settle(ledger, settings, sizeof settings / sizeof *settings);
}

/* A new ledger grows under another name, is synced as a whole and then gets its own; whoever comes second finds the
 * first one's. */
static int fumata_ledger_grow(fumata_ledger *ledger, const char *temporary, const fumata_ledger_options *options) {
  uint8_t identity[FUMATA_DIGEST_SIZE];
  char epsilon[FUMATA_LEDGER_FRACTION], delta[FUMATA_LEDGER_FRACTION], text[160];
  fumata_ledger_row row = {0, NULL, "made", -1, -1, -1, -1, NULL, NULL, NULL, identity};
  size_t i;
  int code = fumata_ledger_connect(ledger, temporary, SQLITE_OPEN_READWRITE);
  if (code != FUMATA_EXIT_OK) return code;
  if (getrandom(identity, sizeof identity, 0) != (ssize_t)sizeof identity)
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "no randomness from the operating system");
  snprintf(text, sizeof text,
           "PRAGMA synchronous=OFF; PRAGMA page_size=1024; BEGIN; PRAGMA application_id=%d; PRAGMA user_version=%d",
           FUMATA_LEDGER_MAGIC, FUMATA_LEDGER_VERSION);
  if (sqlite3_exec(ledger->file, text, NULL, NULL, NULL) != SQLITE_OK)
    return fumata_ledger_trouble(ledger, "make the ledger");
  for (i = 0; i < FUMATA_LEDGER_STATEMENTS; i++)
    if (sqlite3_exec(ledger->file, fumata_ledger_schema[i], NULL, NULL, NULL) != SQLITE_OK)
      return fumata_ledger_trouble(ledger, "make the ledger");
  if (sqlite3_exec(ledger->file, "INSERT INTO head VALUES (1, 0, zeroblob(32), 0); COMMIT", NULL, NULL, NULL) !=
      SQLITE_OK)
    return fumata_ledger_trouble(ledger, "make the ledger");
  row.epsilon = fumata_ledger_fraction(options->total_epsilon, epsilon);
  row.delta = fumata_ledger_fraction(options->total_delta, delta);
  row.note = options->name;
  return fumata_ledger_append(ledger, &row, "make the ledger");
}

static int fumata_ledger_sync(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC), failed;
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

static int fumata_ledger_sync_directory(const char *path) {
  char *copy = strdup(path);
  int failed = copy ? fumata_ledger_sync(dirname(copy)) : -1;
  free(copy);
  return failed;
}

static int fumata_ledger_make(const char *path, const fumata_ledger_options *options, int *is_new) {
  static const char suffix[] = ".new.XXXXXX";
  fumata_ledger young;
  char *temporary = malloc(strlen(path) + sizeof suffix);
  mode_t mask = umask(0);
  int fd, code;
  umask(mask);
  if (!temporary) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  strcpy(temporary, path);
  strcat(temporary, suffix);
  fd = mkstemp(temporary);
  if (fd < 0 || fchmod(fd, 0666 & ~mask) != 0 || close(fd) != 0) {
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
    if (fd >= 0) unlink(temporary);
    free(temporary);
    return code;
  }
  memset(&young, 0, sizeof young);
  young.path = strdup(path);
  code = young.path ? fumata_ledger_grow(&young, temporary, options)
                    : fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  fumata_ledger_shut(&young);
  if (code == FUMATA_EXIT_OK && fumata_ledger_sync(temporary) != 0)
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
  if (code == FUMATA_EXIT_OK && renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) != 0) {
    int cause = errno;
    unlink(temporary);
    if (cause != EEXIST)
      code = fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(cause));
  } else if (code == FUMATA_EXIT_OK && fumata_ledger_sync_directory(path) != 0) {
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
  } else if (code != FUMATA_EXIT_OK) {
    unlink(temporary);
  } else {
    *is_new = 1;
  }
  free(temporary);
  return code;
}

/* A ledger that is gone while its companions are there was moved or removed after a crash; a new one in its place would
 * have a full budget, and SQLite would mix it with the old one's rows. */
static int fumata_ledger_look_beside(const fumata_ledger *ledger) {
  static const char *const suffixes[] = {"-mark", "-wal", "-journal"};
  size_t i;
  for (i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    char *name = fumata_ledger_beside(ledger->path, suffixes[i]);
    int is_there = !name || access(name, F_OK) == 0;
    free(name);
    if (is_there)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the ledger is gone, but %s%s is there: it was moved or removed",
                              ledger->path, ledger->path, suffixes[i]);
  }
  return FUMATA_EXIT_OK;
}

/* What can be seen before SQLite touches the file. */
static int fumata_ledger_look_at(const fumata_ledger *ledger, const struct stat *seen) {
  if (!S_ISREG(seen->st_mode)) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: not a ledger", ledger->path);
  if (seen->st_size == 0) return fumata_ledger_damaged(ledger, "the file is empty");
  /* SQLite names its journal after the file: under two names an interrupted write is not taken back. */
  if (seen->st_nlink > 1)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the ledger has a second name (hard link); remove one",
                            ledger->path);
  /* Root may write to anything; that a file was marked read-only still means something. */
  if (!ledger->look && !(seen->st_mode & 0222))
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the ledger is read-only", ledger->path);
  return FUMATA_EXIT_OK;
}

static int fumata_ledger_check_schema(fumata_ledger *ledger) {
  sqlite3_stmt *statement;
  size_t seen = 0;
  int step, same = 1;
  if (sqlite3_prepare_v2(ledger->file, "SELECT sql FROM sqlite_schema ORDER BY rowid", -1, &statement, NULL))
    return fumata_ledger_trouble(ledger, "read the ledger");
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *sql = (const char *)sqlite3_column_text(statement, 0);
    if (seen >= FUMATA_LEDGER_STATEMENTS || !sql || strcmp(sql, fumata_ledger_schema[seen]) != 0) same = 0;
    seen++;
  }
  sqlite3_finalize(statement);
  if (step != SQLITE_DONE) return fumata_ledger_trouble(ledger, "read the ledger");
  if (!same || seen != FUMATA_LEDGER_STATEMENTS) return fumata_ledger_damaged(ledger, "its tables were changed");
  return FUMATA_EXIT_OK;
}

static const char *fumata_ledger_column_text(sqlite3_stmt *statement, int column, int *bad) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  if (text && strlen(text) != (size_t)sqlite3_column_bytes(statement, column)) *bad = 1;
  return text;
}

static int64_t fumata_ledger_column_number(sqlite3_stmt *statement, int column, int *bad) {
  int64_t value = sqlite3_column_int64(statement, column);
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return -1;
  if (value < 0) *bad = 1;
  return value;
}

static const uint8_t *fumata_ledger_column_digest(sqlite3_stmt *statement, int column, int *bad) {
  const uint8_t *bytes = sqlite3_column_blob(statement, column);
  if (bytes && sqlite3_column_bytes(statement, column) != (int)FUMATA_DIGEST_SIZE) *bad = 1;
  return bytes;
}

/* Points into the statement's current row; returns the digest stored with it, NULL when this is no row. */
static const uint8_t *fumata_ledger_fetch(sqlite3_stmt *statement, fumata_ledger_row *row) {
  const uint8_t *digest;
  int bad = 0;
  row->number = (uint64_t)sqlite3_column_int64(statement, 0);
  row->time = fumata_ledger_column_text(statement, 1, &bad);
  row->kind = fumata_ledger_column_text(statement, 2, &bad);
  row->plan = fumata_ledger_column_number(statement, 3, &bad);
  row->left = fumata_ledger_column_number(statement, 4, &bad);
  row->labels = fumata_ledger_column_number(statement, 5, &bad);
  row->silences = fumata_ledger_column_number(statement, 6, &bad);
  row->epsilon = fumata_ledger_column_text(statement, 7, &bad);
  row->delta = fumata_ledger_column_text(statement, 8, &bad);
  row->note = fumata_ledger_column_text(statement, 9, &bad);
  row->mark = fumata_ledger_column_digest(statement, 10, &bad);
  digest = fumata_ledger_column_digest(statement, 11, &bad);
  return bad || !row->time || !row->kind ? NULL : digest;
}

/* Every row again from the first, so that what is resumed is what was written. */
static int fumata_ledger_replay(fumata_ledger *ledger, const uint8_t *milestone) {
  sqlite3_stmt *statement;
  const char *why = NULL;
  char mark[FUMATA_LEDGER_MARK + 1], at[FUMATA_LEDGER_MARK + 1], digits[FUMATA_DIGEST_TEXT];
  int has_mark = fumata_ledger_read_mark(ledger, mark) == 0, has_reached_mark = 0, at_work = 0;
  int step = SQLITE_DONE;
  if (sqlite3_prepare_v2(ledger->file, "SELECT * FROM ledger ORDER BY number", -1, &statement, NULL))
    return fumata_ledger_trouble(ledger, "read the ledger");
  while (!why && (step = sqlite3_step(statement)) == SQLITE_ROW) {
    fumata_ledger_row row;
    const uint8_t *digest = fumata_ledger_fetch(statement, &row);
    why = digest ? fumata_ledger_follow(ledger, &row) : "a row that is no row";
    if (!why && memcmp(digest, ledger->head, FUMATA_DIGEST_SIZE) != 0) why = "a row was changed";
    if (!why && milestone && !memcmp(digest, milestone, FUMATA_DIGEST_SIZE)) ledger->reached = 1;
    if (why || !has_mark) continue;
    fumata_digest_print(ledger->head, digits);
    fumata_ledger_print_mark(ledger->rows, digits, at);
    if (!strcmp(at, mark)) has_reached_mark = 1;
  }
  sqlite3_finalize(statement);
  if (why) return fumata_ledger_damaged(ledger, why);
  if (step != SQLITE_DONE) return fumata_ledger_trouble(ledger, "read the ledger");
  if (sqlite3_prepare_v2(ledger->file, "SELECT rows, digest, at_work FROM head", -1, &statement, NULL))
    return fumata_ledger_trouble(ledger, "read the ledger");
  step = sqlite3_step(statement);
  if (step == SQLITE_ROW) {
    int bad = 0;
    const uint8_t *head = fumata_ledger_column_digest(statement, 1, &bad);
    if (bad || !head || memcmp(head, ledger->head, FUMATA_DIGEST_SIZE) != 0 ||
        sqlite3_column_int64(statement, 0) != (int64_t)ledger->rows)
      why = "its last rows are missing";
    at_work = sqlite3_column_int(statement, 2);
  } else if (step == SQLITE_DONE) {
    why = "it has no head";
  }
  if (!why && step != SQLITE_ROW) {
    int code = fumata_ledger_trouble(ledger, "read the ledger");
    sqlite3_finalize(statement);
    return code;
  }
  sqlite3_finalize(statement);
  if (!why && at_work && !has_mark)
    why = "the file beside it that ends in -mark is missing after a crash, or this is a copy";
  if (!why && at_work && !has_reached_mark)
    why = "the last rows before a crash are missing: the file that ends in -wal is lost";
  if (why) return fumata_ledger_damaged(ledger, why);
  /* A session that no row closed ended in a crash; its reservation is spent. */
  if (ledger->current) ledger->current->unclosed++, ledger->current->reserved = 0;
  ledger->current = NULL;
  return FUMATA_EXIT_OK;
}

static int fumata_ledger_check_version(fumata_ledger *ledger) {
  char text[32];
  int differs;
  snprintf(text, sizeof text, "%d", FUMATA_LEDGER_MAGIC);
  differs = fumata_ledger_pragma(ledger, "PRAGMA application_id", text);
  if (differs < 0) return fumata_ledger_trouble(ledger, "read the ledger");
  if (differs) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: not a ledger", ledger->path);
  text[0] = 0;
  if (sqlite3_exec(ledger->file, "PRAGMA user_version", fumata_ledger_keep_word, text, NULL) != SQLITE_OK)
    return fumata_ledger_trouble(ledger, "read the ledger");
  if (strtol(text, NULL, 10) != FUMATA_LEDGER_VERSION)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: a ledger of version %s; this program reads version %d",
                            ledger->path, text, FUMATA_LEDGER_VERSION);
  return FUMATA_EXIT_OK;
}

static int fumata_ledger_check(fumata_ledger *ledger, const uint8_t *milestone) {
  int code = fumata_ledger_check_version(ledger), differs;
  if (code == FUMATA_EXIT_OK) code = fumata_ledger_check_schema(ledger);
  if (code != FUMATA_EXIT_OK) return code;
  differs = fumata_ledger_pragma(ledger, "PRAGMA integrity_check(1)", "ok");
  if (differs < 0) return fumata_ledger_trouble(ledger, "read the ledger");
  if (differs) return fumata_ledger_damaged(ledger, "its pages do not fit together");
  return fumata_ledger_replay(ledger, milestone);
}

/* Opens the file and takes its lock for this process alone. Two that come together can each hold what the other
 * needs, and SQLite in exclusive mode lets go of nothing: so whoever is refused closes, waits a while of its own, and
 * comes again until its patience is over. */
static int fumata_ledger_seize(fumata_ledger *ledger, const char *path) {
  int waited = 0;
  for (;;) {
    struct timespec now, pause = {0, 0};
    int code = fumata_ledger_connect(ledger, path, SQLITE_OPEN_READWRITE);
    if (code != FUMATA_EXIT_OK) return code;
    sqlite3_busy_timeout(ledger->file, FUMATA_LEDGER_PATIENCE / 20);
    if (sqlite3_exec(ledger->file, "BEGIN EXCLUSIVE; COMMIT", NULL, NULL, NULL) == SQLITE_OK) break;
    if ((sqlite3_errcode(ledger->file) & 0xff) != SQLITE_BUSY || waited >= FUMATA_LEDGER_PATIENCE)
      return fumata_ledger_trouble(ledger, "lock the ledger");
    sqlite3_close(ledger->file);
    ledger->file = NULL;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pause.tv_nsec = 10000000 + (now.tv_nsec ^ (long)getpid() * 7919) % 50000000;
    nanosleep(&pause, NULL);
    waited += FUMATA_LEDGER_PATIENCE / 20 + (int)(pause.tv_nsec / 1000000);
  }
  sqlite3_busy_timeout(ledger->file, FUMATA_LEDGER_PATIENCE);
  if (sqlite3_db_readonly(ledger->file, "main") != 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the ledger is read-only", ledger->path);
  return FUMATA_EXIT_OK;
}

/* From here on a row costs one sync. The mark is there before the file says that somebody is at work, and the file says
 * so, without FILE-wal, before there is a row. */
static int fumata_ledger_arm(fumata_ledger *ledger) {
  static const char *const settings[][3] = {{"PRAGMA journal_mode=WAL", "PRAGMA journal_mode", "wal"}};
  char *name = fumata_ledger_beside(ledger->path, "-mark");
  int code;
  if (!name) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  ledger->mark = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  free(name);
  ledger->armed = ledger->mark >= 0;
  if (!ledger->armed || fumata_ledger_write_mark(ledger, 0) || fumata_ledger_write_mark(ledger, 1) ||
      fsync(ledger->mark) || fumata_ledger_sync_directory(ledger->path))
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot open the ledger: %s", ledger->path, strerror(errno));
  code = fumata_ledger_settle(ledger, settings, 1);
  if (code != FUMATA_EXIT_OK) return code;
  if (sqlite3_exec(ledger->file, "UPDATE head SET at_work = 1", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_wal_checkpoint_v2(ledger->file, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) != SQLITE_OK)
    return fumata_ledger_trouble(ledger, "open the ledger");
  return FUMATA_EXIT_OK;
}

static void fumata_ledger_remove(const fumata_ledger *ledger, const char *suffix) {
  char *name = fumata_ledger_beside(ledger->path, suffix);
  if (name) unlink(name);
  free(name);
}

/* Everything into FILE, and nothing left beside it. What does not succeed here is found and mended by the next open. A
 * ledger that was made here and got no row is removed while the lock is held, when nobody else can be at work on it:
 * rows are 1 only after the lock was taken and the file read, and before a row was tried. */
static void fumata_ledger_disarm(fumata_ledger *ledger) {
  int is_unused = ledger->is_new && ledger->rows == 1 && !fumata_ledger_has_moved(ledger);
  int is_clean = ledger->armed && !ledger->broken &&
                 sqlite3_exec(ledger->file, "UPDATE head SET at_work = 0", NULL, NULL, NULL) == SQLITE_OK &&
                 fumata_ledger_pragma(ledger, "PRAGMA journal_mode=DELETE", "delete") == 0;
  if (is_unused) fumata_ledger_remove(ledger, "");
  if (sqlite3_close(ledger->file) != SQLITE_OK) is_clean = 0;
  ledger->file = NULL;
  if (ledger->armed) close(ledger->mark);
  if (is_unused) fumata_ledger_remove(ledger, "-wal"), fumata_ledger_remove(ledger, "-journal");
  if (is_unused || is_clean) fumata_ledger_remove(ledger, "-mark");
}

static int fumata_ledger_check_totals(const fumata_ledger *ledger, const fumata_ledger_options *options) {
  const struct {
    const char *what;
    fumata_rational asked, kept;
  } totals[2] = {{"epsilon", options->total_epsilon, ledger->total_epsilon},
                 {"delta", options->total_delta, ledger->total_delta}};
  size_t i;
  for (i = 0; i < 2; i++) {
    char kept[FUMATA_RATIONAL_TEXT] = "none";
    if (totals[i].asked.den == 0 || fumata_ledger_same(totals[i].asked, totals[i].kept)) continue;
    if (totals[i].kept.den) fumata_rational_print(totals[i].kept.num, totals[i].kept.den, kept);
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the ledger was made with total %s %s, which cannot be changed",
                            ledger->path, totals[i].what, kept);
  }
  return FUMATA_EXIT_OK;
}

int fumata_ledger_open(fumata_ledger *ledger, const char *path, const fumata_ledger_options *options) {
  struct stat seen;
  int code = FUMATA_EXIT_OK;
  memset(ledger, 0, sizeof *ledger);
  ledger->look = options->look;
  fumata_digest_init(&ledger->answers);
  ledger->path = strdup(path);
  if (!ledger->path) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  if (options->name && strlen(options->name) > FUMATA_LEDGER_NOTE_MAX)
    return fumata_say_error(FUMATA_EXIT_INPUT, "the ledger's name is longer than %d bytes", FUMATA_LEDGER_NOTE_MAX);
  if (stat(path, &seen) != 0) {
    if (errno != ENOENT || !options->make)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cannot open the ledger: %s", path, strerror(errno));
    code = fumata_ledger_look_beside(ledger);
    if (code == FUMATA_EXIT_OK) code = fumata_ledger_make(path, options, &ledger->is_new);
    if (code != FUMATA_EXIT_OK) return code;
    if (stat(path, &seen) != 0)
      return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot open the ledger: %s", path, strerror(errno));
  }
  code = fumata_ledger_look_at(ledger, &seen);
  if (code == FUMATA_EXIT_OK)
    code =
        options->look ? fumata_ledger_connect(ledger, path, SQLITE_OPEN_READWRITE) : fumata_ledger_seize(ledger, path);
  if (code == FUMATA_EXIT_OK && options->look && sqlite3_exec(ledger->file, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
    code = fumata_ledger_trouble(ledger, "read the ledger");
  if (code == FUMATA_EXIT_OK) code = fumata_ledger_check(ledger, options->milestone);
  if (code == FUMATA_EXIT_OK) code = fumata_ledger_check_totals(ledger, options);
  if (code == FUMATA_EXIT_OK && !options->look) code = fumata_ledger_arm(ledger);
  if (code != FUMATA_EXIT_OK) ledger->broken = 1;
  if (options->keep) ledger->is_new = 0;
  return code;
}

int fumata_ledger_visit(fumata_ledger *ledger, void (*visit)(void *context, const fumata_ledger_row *row),
                        void *context) {
  sqlite3_stmt *statement;
  fumata_ledger_row row;
  int step;
  if (sqlite3_prepare_v2(ledger->file, "SELECT * FROM ledger ORDER BY number", -1, &statement, NULL))
    return fumata_ledger_trouble(ledger, "read the ledger");
  while ((step = sqlite3_step(statement)) == SQLITE_ROW && fumata_ledger_fetch(statement, &row))
    visit(context, &row);
  sqlite3_finalize(statement);
  return step == SQLITE_DONE ? FUMATA_EXIT_OK : fumata_ledger_trouble(ledger, "read the ledger");
}

void fumata_ledger_shut(fumata_ledger *ledger) {
  if (ledger->file && !ledger->look && ledger->path) fumata_ledger_disarm(ledger);
  sqlite3_close(ledger->file);
  free(ledger->path);
  free(ledger->name);
  free(ledger->plans);
  memset(ledger, 0, sizeof *ledger);
}

/* ---- plans and costs ---- */

static void fumata_ledger_digest_claim(fumata_digest *digest, const fumata_claim *claim) {
  fumata_digest_add_u64(digest, claim->epsilon_num);
  fumata_digest_add_u64(digest, claim->epsilon_den);
  fumata_digest_add_u64(digest, claim->delta_num);
  fumata_digest_add_u64(digest, claim->delta_den);
  fumata_digest_add_u64(digest, claim->alpha);
  fumata_digest_add_u64(digest, claim->v);
}

static void fumata_ledger_digest_table(fumata_digest *digest, const uint64_t *table, uint32_t size) {
  uint32_t i;
  fumata_digest_add_u64(digest, size);
  for (i = 0; i < size; i++)
    fumata_digest_add_u64(digest, table[i]);
}

static void fumata_ledger_set_terms(fumata_ledger_terms *terms, fumata_ledger_mechanism mechanism, uint32_t limit,
                                    const fumata_claim *claim, fumata_digest *digest) {
  memset(terms, 0, sizeof *terms);
  terms->mechanism = mechanism;
  terms->limit = limit;
  terms->epsilon.num = claim->epsilon_num;
  terms->epsilon.den = claim->epsilon_den;
  terms->delta.num = claim->delta_num;
  terms->delta.den = claim->delta_den;
  fumata_digest_add_u64(digest, limit);
  fumata_ledger_digest_claim(digest, claim);
  fumata_digest_read(digest, terms->digest);
}

void fumata_ledger_terms_meter(const fumata_meter_plan *plan, const fumata_claim *claim, fumata_ledger_terms *terms) {
  fumata_digest digest;
  fumata_digest_init(&digest);
  fumata_digest_add_u64(&digest, FUMATA_LEDGER_METER);
  fumata_ledger_digest_table(&digest, plan->silence, plan->size);
  fumata_ledger_set_terms(terms, FUMATA_LEDGER_METER, plan->limit, claim, &digest);
}

void fumata_ledger_terms_classic(const fumata_classic_plan *plan, const fumata_claim *claim,
                                 fumata_ledger_terms *terms) {
  fumata_digest digest;
  fumata_digest_init(&digest);
  fumata_digest_add_u64(&digest, FUMATA_LEDGER_CLASSIC);
  fumata_ledger_digest_table(&digest, plan->threshold.cdf, plan->threshold.size);
  fumata_digest_add_u64(&digest, (uint64_t)plan->threshold.first);
  fumata_ledger_digest_table(&digest, plan->query.cdf, plan->query.size);
  fumata_digest_add_u64(&digest, (uint64_t)plan->query.first);
  fumata_digest_add_u64(&digest, (uint64_t)plan->width);
  fumata_ledger_set_terms(terms, FUMATA_LEDGER_CLASSIC, plan->limit, claim, &digest);
}

static int fumata_ledger_over(const fumata_ledger *ledger, const char *what, fumata_rational more,
                              fumata_rational spent, fumata_rational total) {
  char a[FUMATA_RATIONAL_TEXT], b[FUMATA_RATIONAL_TEXT] = "0", c[FUMATA_RATIONAL_TEXT];
  fumata_rational_print(more.num, more.den, a);
  if (spent.den) fumata_rational_print(spent.num, spent.den, b);
  fumata_rational_print(total.num, total.den, c);
  return fumata_say_error(FUMATA_EXIT_REFUSED, "%s: %s %s more is too much: %s of the total %s is spent", ledger->path,
                          what, a, b, c);
}

int fumata_ledger_afford(const fumata_ledger *ledger, fumata_rational epsilon, fumata_rational delta) {
  fumata_rational sum_epsilon, sum_delta;
  if (fumata_ledger_add(ledger->spent_epsilon, epsilon, &sum_epsilon) ||
      fumata_ledger_add(ledger->spent_delta, delta, &sum_delta))
    return fumata_say_error(FUMATA_EXIT_REFUSED,
                            "%s: this cost and what is spent have no sum that fits 64 bits; use rounder numbers",
                            ledger->path);
  if (fumata_ledger_exceeds(sum_epsilon, ledger->total_epsilon))
    return fumata_ledger_over(ledger, "epsilon", epsilon, ledger->spent_epsilon, ledger->total_epsilon);
  if (fumata_ledger_exceeds(sum_delta, ledger->total_delta))
    return fumata_ledger_over(ledger, "delta", delta, ledger->spent_delta, ledger->total_delta);
  return FUMATA_EXIT_OK;
}

int fumata_ledger_charge(fumata_ledger *ledger, const char *what, fumata_rational epsilon, fumata_rational delta) {
  char epsilon_text[FUMATA_LEDGER_FRACTION], delta_text[FUMATA_LEDGER_FRACTION];
  fumata_ledger_row row = {0, NULL, "charge", -1, -1, -1, -1, NULL, NULL, what, NULL};
  int code = fumata_ledger_afford(ledger, epsilon, delta);
  if (code != FUMATA_EXIT_OK) return code;
  row.epsilon = fumata_ledger_fraction(epsilon, epsilon_text);
  row.delta = fumata_ledger_fraction(delta, delta_text);
  return fumata_ledger_append(ledger, &row, "record the charge");
}

static int fumata_ledger_same_terms(const fumata_ledger_terms *a, const fumata_ledger_terms *b) {
  return a->mechanism == b->mechanism && a->limit == b->limit && fumata_ledger_same(a->epsilon, b->epsilon) &&
         fumata_ledger_same(a->delta, b->delta) && !memcmp(a->digest, b->digest, FUMATA_DIGEST_SIZE);
}

static int fumata_ledger_start(fumata_ledger *ledger, const fumata_ledger_terms *terms, fumata_ledger_plan *old) {
  char epsilon[FUMATA_LEDGER_FRACTION], delta[FUMATA_LEDGER_FRACTION];
  fumata_ledger_row row = {0, NULL, "resume", -1, -1, -1, -1, NULL, NULL, NULL, NULL};
  if (old) {
    row.plan = (int64_t)old->number;
    row.left = old->left;
    return fumata_ledger_append(ledger, &row, "resume the plan");
  }
  row.kind = "plan";
  row.plan = (int64_t)ledger->plan_count + 1;
  row.left = terms->limit;
  row.epsilon = fumata_ledger_fraction(terms->epsilon, epsilon);
  row.delta = fumata_ledger_fraction(terms->delta, delta);
  row.note = terms->mechanism == FUMATA_LEDGER_METER ? "meter" : "classic";
  row.mark = terms->digest;
  return fumata_ledger_append(ledger, &row, "begin the plan");
}

int fumata_ledger_begin(fumata_ledger *ledger, const fumata_ledger_terms *terms, int again, uint32_t *left) {
  fumata_ledger_plan *old = NULL;
  size_t i;
  int code;
  if (terms->epsilon.den == 0 || terms->delta.den == 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: a plan without epsilon or delta", ledger->path);
  /* The one that can go on, else the last one that is spent. */
  for (i = 0; i < ledger->plan_count && !(old && old->left); i++)
    if (fumata_ledger_same_terms(&ledger->plans[i].terms, terms)) old = ledger->plans + i;
  if (old && old->left == 0) {
    if (!again)
      return fumata_say_error(FUMATA_EXIT_REFUSED, "%s: this plan's %" PRIu32 " silences are spent", ledger->path,
                              old->terms.limit);
    old = NULL;
  }
  code = old ? FUMATA_EXIT_OK : fumata_ledger_afford(ledger, terms->epsilon, terms->delta);
  if (code == FUMATA_EXIT_OK) code = fumata_ledger_start(ledger, terms, old);
  if (code != FUMATA_EXIT_OK) return code;
  fumata_digest_init(&ledger->answers);
  ledger->labels = ledger->silences = 0;
  *left = ledger->current->left;
  return FUMATA_EXIT_OK;
}

/* ---- answering ---- */

static int fumata_ledger_write_stretch(fumata_ledger *ledger, const char *kind, uint32_t left, const char *doing) {
  uint8_t answers[FUMATA_DIGEST_SIZE];
  fumata_ledger_row row = {0, NULL, kind, -1, left, 0, 0, NULL, NULL, NULL, answers};
  int code;
  if (!ledger->current) return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot %s: no plan", ledger->path, doing);
  row.plan = (int64_t)ledger->current->number;
  row.labels = (int64_t)ledger->labels;
  row.silences = (int64_t)ledger->silences;
  fumata_digest_read(&ledger->answers, answers);
  code = fumata_ledger_append(ledger, &row, doing);
  if (code == FUMATA_EXIT_OK) ledger->labels = ledger->silences = 0;
  return code;
}

static int fumata_ledger_refuse(const fumata_ledger *ledger, fumata_status status) {
  if (status == FUMATA_ERR_SPENT)
    return fumata_say_error(FUMATA_EXIT_REFUSED, "%s: this plan's silences are spent", ledger->path);
  return fumata_say_error(FUMATA_EXIT_SYSTEM, "%s: cannot reserve a silence: %s", ledger->path,
                          fumata_strerror(status));
}

int fumata_ledger_reserve_meter(fumata_ledger *ledger, fumata_meter *meter) {
  fumata_meter next = *meter;
  fumata_status status = fumata_meter_reserve(&next);
  int code;
  if (status != FUMATA_OK) return fumata_ledger_refuse(ledger, status);
  code = fumata_ledger_write_stretch(ledger, "reserve", next.left, "reserve a silence");
  if (code == FUMATA_EXIT_OK) *meter = next;
  return code;
}

int fumata_ledger_reserve_classic(fumata_ledger *ledger, fumata_classic *classic, uint64_t coin) {
  fumata_classic next = *classic;
  fumata_status status = fumata_classic_reserve(&next, coin);
  int code;
  if (status != FUMATA_OK) return fumata_ledger_refuse(ledger, status);
  code = fumata_ledger_write_stretch(ledger, "reserve", next.left, "reserve a silence");
  if (code == FUMATA_EXIT_OK) *classic = next;
  return code;
}

size_t fumata_ledger_encode(int32_t answer, uint8_t bytes[3]) {
  if (answer == FUMATA_SILENT) return bytes[0] = 0xff, 1;
  if (answer < 0xfe) return bytes[0] = (uint8_t)answer, 1;
  bytes[0] = 0xfe;
  bytes[1] = (uint8_t)(answer & 0xff);
  bytes[2] = (uint8_t)(answer >> 8 & 0xff);
  return 3;
}

void fumata_ledger_record(fumata_ledger *ledger, int32_t answer) {
  uint8_t bytes[3];
  if (answer == FUMATA_SILENT)
    ledger->silences++;
  else
    ledger->labels++;
  fumata_digest_add(&ledger->answers, bytes, fumata_ledger_encode(answer, bytes));
}

int fumata_ledger_finish_meter(fumata_ledger *ledger, fumata_meter *meter) {
  fumata_status status = fumata_meter_close(meter);
  if (status != FUMATA_OK) return fumata_ledger_refuse(ledger, status);
  return fumata_ledger_write_stretch(ledger, "close", meter->left, "close the plan");
}

int fumata_ledger_finish_classic(fumata_ledger *ledger, fumata_classic *classic) {
  fumata_status status = fumata_classic_close(classic);
  if (status != FUMATA_OK) return fumata_ledger_refuse(ledger, status);
  return fumata_ledger_write_stretch(ledger, "close", classic->left, "close the plan");
}

void fumata_ledger_head(const fumata_ledger *ledger, char text[FUMATA_DIGEST_TEXT]) {
  fumata_digest_print(ledger->head, text);
}

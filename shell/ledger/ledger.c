#include "ledger/ledger.h"

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

#include "base/error.h"

#define LEDGER_MAGIC    0x46554d41 /* "FUMA", SQLite's application_id */
#define LEDGER_PATIENCE 1000       /* milliseconds to wait for somebody who only looks */
#define LEDGER_NOTE_MAX 200        /* bytes of a name */

/* The whole schema; an opened file must have these statements and no others, so that no trigger of a stranger acts. */
static const char *const ledger_schema[] = {
    "CREATE TABLE ledger (number INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, plan INTEGER,"
    " silences_left INTEGER, labels INTEGER, silences INTEGER, epsilon TEXT, delta TEXT, note TEXT, mark BLOB,"
    " digest BLOB NOT NULL) STRICT",
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, digest BLOB NOT NULL,"
    " at_work INTEGER NOT NULL) STRICT",
    "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END",
    "CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END"};

#define LEDGER_STATEMENTS (sizeof ledger_schema / sizeof *ledger_schema)

/* ---- exact sums ---- */

typedef unsigned __int128 ledger_wide;

static ledger_wide ledger_gcd(ledger_wide a, ledger_wide b) {
  while (b) {
    ledger_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Returns -1 when the sum in lowest terms needs more than 64 bits above or below. */
static int ledger_add(struct rational x, struct rational y, struct rational *sum) {
  ledger_wide common, num, den, other;
  if (x.den == 0) x.num = 0, x.den = 1;
  if (y.den == 0) y.num = 0, y.den = 1;
  common = ledger_gcd(x.den, y.den);
  den = x.den / common * y.den;
  num = (ledger_wide)x.num * (y.den / common);
  other = (ledger_wide)y.num * (x.den / common);
  if (__builtin_add_overflow(num, other, &num)) return -1;
  common = ledger_gcd(num, den);
  num /= common;
  den /= common;
  if (num > UINT64_MAX || den > UINT64_MAX) return -1;
  sum->num = (uint64_t)num;
  sum->den = (uint64_t)den;
  return 0;
}

static int ledger_exceeds(struct rational x, struct rational ceiling) {
  if (ceiling.den == 0) return 0;
  return (ledger_wide)x.num * ceiling.den > (ledger_wide)ceiling.num * x.den;
}

static int ledger_same(struct rational x, struct rational y) {
  return (x.den == 0) == (y.den == 0) && (x.den == 0 || (ledger_wide)x.num * y.den == (ledger_wide)y.num * x.den);
}

#define LEDGER_FRACTION 48 /* two 64-bit integers, a stroke, the end */

static const char *ledger_fraction(struct rational x, char text[LEDGER_FRACTION]) {
  if (x.den == 0) return NULL;
  snprintf(text, LEDGER_FRACTION, "%" PRIu64 "/%" PRIu64, x.num, x.den);
  return text;
}

/* Only what ledger_fraction writes is read: no signs, no spaces, no overflow. */
static int ledger_read_fraction(const char *text, struct rational *x) {
  char again[LEDGER_FRACTION];
  char *end;
  x->num = x->den = 0;
  if (!text) return 0;
  x->num = strtoull(text, &end, 10);
  if (*end != '/') return -1;
  x->den = strtoull(end + 1, &end, 10);
  return x->den == 0 || strcmp(ledger_fraction(*x, again), text) != 0 ? -1 : 0;
}

/* ---- lines for the operator ---- */

static int ledger_damaged(const struct ledger *ledger, const char *why) {
  return error_report(EXIT_INPUT, "%s: this ledger is damaged (%s); nothing is released from it", ledger->path, why);
}

/* What SQLite met, in the operator's words. Depends on the disk alone, never on a query. */
static int ledger_trouble(const struct ledger *ledger, const char *doing) {
  int code = sqlite3_errcode(ledger->file), cause = sqlite3_system_errno(ledger->file);
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return error_report(EXIT_REFUSED, "%s: in use by another process", ledger->path);
  case SQLITE_NOTADB:
    return error_report(EXIT_INPUT, "%s: not a ledger", ledger->path);
  case SQLITE_CORRUPT:
    return ledger_damaged(ledger, "its pages do not fit together");
  case SQLITE_READONLY:
    if (sqlite3_extended_errcode(ledger->file) == SQLITE_READONLY_DBMOVED)
      return error_report(EXIT_SYSTEM, "%s: the ledger was moved or replaced", ledger->path);
    return error_report(EXIT_INPUT, "%s: the ledger cannot be written to", ledger->path);
  case SQLITE_FULL:
    return error_report(EXIT_SYSTEM, "%s: cannot %s: the disk is full", ledger->path, doing);
  default:
    return error_report(EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing,
                        cause ? strerror(cause) : sqlite3_errstr(code));
  }
}

/* ---- a row's digest ---- */

static void ledger_digest_number(struct digest *digest, int64_t value) {
  digest_add(digest, value < 0 ? "n" : "i", 1);
  if (value >= 0) digest_add_u64(digest, (uint64_t)value);
}

static void ledger_digest_bytes(struct digest *digest, const void *bytes, size_t size) {
  digest_add(digest, bytes ? "b" : "n", 1);
  if (!bytes) return;
  digest_add_u64(digest, size);
  digest_add(digest, bytes, size);
}

static void ledger_digest_text(struct digest *digest, const char *text) {
  ledger_digest_bytes(digest, text, text ? strlen(text) : 0);
}

static void ledger_digest_row(const uint8_t before[DIGEST_SIZE], const struct ledger_row *row,
                              uint8_t result[DIGEST_SIZE]) {
  struct digest digest;
  digest_init(&digest);
  digest_add(&digest, before, DIGEST_SIZE);
  digest_add_u64(&digest, row->number);
  ledger_digest_text(&digest, row->time);
  ledger_digest_text(&digest, row->kind);
  ledger_digest_number(&digest, row->plan);
  ledger_digest_number(&digest, row->left);
  ledger_digest_number(&digest, row->labels);
  ledger_digest_number(&digest, row->silences);
  ledger_digest_text(&digest, row->epsilon);
  ledger_digest_text(&digest, row->delta);
  ledger_digest_text(&digest, row->note);
  ledger_digest_bytes(&digest, row->mark, DIGEST_SIZE);
  digest_read(&digest, result);
}

/* ---- what rows mean ----
 * Each function makes the ledger in memory follow one row, or says why such a row cannot come here. The same
 * functions judge a row before it is written and every row of a file that is opened. */

static const char *ledger_follow_made(struct ledger *ledger, const struct ledger_row *row) {
  if (row->number != 1 || !row->mark) return "it does not begin as a ledger does";
  if (ledger_read_fraction(row->epsilon, &ledger->total_epsilon) ||
      ledger_read_fraction(row->delta, &ledger->total_delta))
    return "a total that is no number";
  snprintf(ledger->made, sizeof ledger->made, "%s", row->time);
  free(ledger->name);
  ledger->name = strdup(row->note ? row->note : "");
  return ledger->name ? NULL : "out of memory";
}

static const char *ledger_follow_cost(struct ledger *ledger, const struct ledger_row *row) {
  struct rational epsilon, delta;
  if (ledger_read_fraction(row->epsilon, &epsilon) || ledger_read_fraction(row->delta, &delta))
    return "a cost that is no number";
  if (ledger_add(ledger->spent_epsilon, epsilon, &epsilon) || ledger_add(ledger->spent_delta, delta, &delta))
    return "costs that have no sum";
  if (ledger_exceeds(epsilon, ledger->total_epsilon) || ledger_exceeds(delta, ledger->total_delta))
    return "more is spent than its total allows";
  ledger->spent_epsilon = epsilon;
  ledger->spent_delta = delta;
  return NULL;
}

static void ledger_start_session(struct ledger *ledger, struct ledger_plan *plan) {
  if (ledger->current) ledger->current->unclosed++, ledger->current->reserved = 0;
  ledger->current = plan;
  plan->sessions++;
}

static const char *ledger_follow_plan(struct ledger *ledger, const struct ledger_row *row) {
  size_t current = ledger->current ? (size_t)(ledger->current - ledger->plans) : 0;
  struct ledger_plan *plans, *plan;
  const char *why;
  int is_meter = row->note && !strcmp(row->note, "meter");
  if (!is_meter && !(row->note && !strcmp(row->note, "classic"))) return "a plan of no known mechanism";
  if (row->plan != (int64_t)ledger->plan_count + 1) return "a plan out of order";
  if (row->left < 1 || row->left > (int64_t)FUMATA_SILENCES_MAX || !row->mark) return "a plan without its numbers";
  if (!row->epsilon || !row->delta) return "a plan without its cost";
  why = ledger_follow_cost(ledger, row);
  if (why) return why;
  plans = realloc(ledger->plans, (ledger->plan_count + 1) * sizeof *plans);
  if (!plans) return "out of memory";
  ledger->plans = plans;
  if (ledger->current) ledger->current = plans + current;
  plan = plans + ledger->plan_count++;
  memset(plan, 0, sizeof *plan);
  plan->number = (uint64_t)row->plan;
  plan->terms.mechanism = is_meter ? LEDGER_METER : LEDGER_CLASSIC;
  plan->terms.limit = plan->left = (uint32_t)row->left;
  ledger_read_fraction(row->epsilon, &plan->terms.epsilon);
  ledger_read_fraction(row->delta, &plan->terms.delta);
  memcpy(plan->terms.digest, row->mark, DIGEST_SIZE);
  snprintf(plan->begun, sizeof plan->begun, "%s", row->time);
  ledger_start_session(ledger, plan);
  return NULL;
}

static const char *ledger_follow_resume(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan;
  if (row->plan < 1 || row->plan > (int64_t)ledger->plan_count) return "a plan that never began";
  plan = ledger->plans + (row->plan - 1);
  if (row->left != (int64_t)plan->left) return "a plan resumed with another number of silences";
  ledger_start_session(ledger, plan);
  return NULL;
}

/* The answers that a `reserve` or `close` row counts were paid for by the reservation before it, if there was one. */
static const char *ledger_follow_answers(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan = ledger->current;
  if (!plan || row->plan != (int64_t)plan->number) return "a row of a plan that is not at work";
  if (row->labels < 0 || row->silences < 0 || !row->mark) return "a row without its counts";
  if (row->silences > 1) return "a stretch of two silences";
  if (!plan->reserved && (row->labels || row->silences)) return "answers without a reservation";
  plan->labels += (uint64_t)row->labels;
  plan->silences += (uint64_t)row->silences;
  return NULL;
}

static const char *ledger_follow_reserve(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan = ledger->current;
  const char *why = ledger_follow_answers(ledger, row);
  if (why) return why;
  if (plan->reserved && row->silences != 1) return "a second reservation before the first was used";
  if (plan->left == 0 || row->left != (int64_t)plan->left - 1) return "a reservation that does not count down";
  plan->left--;
  plan->reserved = 1;
  return NULL;
}

static const char *ledger_follow_close(struct ledger *ledger, const struct ledger_row *row) {
  struct ledger_plan *plan = ledger->current;
  const char *why = ledger_follow_answers(ledger, row);
  int64_t back;
  if (why) return why;
  back = row->left - (int64_t)plan->left;
  if (back != 0 && !(back == 1 && plan->reserved && row->silences == 0 && plan->terms.mechanism == LEDGER_METER))
    return "a reservation given back that was not to spare";
  plan->left = (uint32_t)row->left;
  plan->reserved = 0;
  ledger->current = NULL;
  return NULL;
}

static const char *ledger_follow_charge(struct ledger *ledger, const struct ledger_row *row) {
  const char *why = ledger_follow_cost(ledger, row);
  if (!why) ledger->charges++;
  return why;
}

static const char *ledger_follow(struct ledger *ledger, const struct ledger_row *row) {
  static const struct {
    const char *kind;
    const char *(*follow)(struct ledger *ledger, const struct ledger_row *row);
  } kinds[] = {{"made", ledger_follow_made},       {"plan", ledger_follow_plan},   {"resume", ledger_follow_resume},
               {"reserve", ledger_follow_reserve}, {"close", ledger_follow_close}, {"charge", ledger_follow_charge}};
  size_t i;
  if (row->number != ledger->rows + 1) return "a row is missing";
  if (row->number == 1 && strcmp(row->kind, "made") != 0) return "it does not begin as a ledger does";
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *why;
    if (strcmp(row->kind, kinds[i].kind) != 0) continue;
    why = kinds[i].follow(ledger, row);
    if (why) return why;
    ledger_digest_row(ledger->head, row, ledger->head);
    ledger->rows = row->number;
    return NULL;
  }
  return "a row of no known kind";
}

/* ---- appending ---- */

static void ledger_bind_number(sqlite3_stmt *statement, int column, int64_t value) {
  if (value >= 0) sqlite3_bind_int64(statement, column, value);
}

/* Binding a null pointer binds NULL, which is what is meant. */
static void ledger_bind_text(sqlite3_stmt *statement, int column, const char *text) {
  sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

static int ledger_run(sqlite3_stmt *statement) {
  int done = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return done == SQLITE_DONE ? 0 : -1;
}

static int ledger_insert(struct ledger *ledger, const struct ledger_row *row) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(ledger->file, "INSERT INTO ledger VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", -1, &statement, NULL))
    return -1;
  sqlite3_bind_int64(statement, 1, (int64_t)row->number);
  ledger_bind_text(statement, 2, row->time);
  ledger_bind_text(statement, 3, row->kind);
  ledger_bind_number(statement, 4, row->plan);
  ledger_bind_number(statement, 5, row->left);
  ledger_bind_number(statement, 6, row->labels);
  ledger_bind_number(statement, 7, row->silences);
  ledger_bind_text(statement, 8, row->epsilon);
  ledger_bind_text(statement, 9, row->delta);
  ledger_bind_text(statement, 10, row->note);
  sqlite3_bind_blob(statement, 11, row->mark, DIGEST_SIZE, SQLITE_STATIC);
  sqlite3_bind_blob(statement, 12, ledger->head, DIGEST_SIZE, SQLITE_STATIC);
  if (ledger_run(statement)) return -1;
  if (sqlite3_prepare_v2(ledger->file, "UPDATE head SET rows = ?, digest = ?", -1, &statement, NULL)) return -1;
  sqlite3_bind_int64(statement, 1, (int64_t)ledger->rows);
  sqlite3_bind_blob(statement, 2, ledger->head, DIGEST_SIZE, SQLITE_STATIC);
  return ledger_run(statement);
}

static void ledger_now(char text[LEDGER_TIME]) {
  time_t now = time(NULL);
  struct tm utc;
  if (!gmtime_r(&now, &utc) || strftime(text, LEDGER_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) strcpy(text, "unknown");
}

/* ---- the mark ----
 * While a process is at work, new rows are in FILE-wal, one sync a row, and move to FILE at its end. Should FILE-wal be
 * lost or cut after a crash, SQLite would show the ledger as it was before, with silences given back. So FILE says that
 * somebody is at work, and FILE-mark how far the rows got; a ledger that is behind its mark is refused. The mark is
 * written after the row is durable and not synced: it guards against hands, not against power cuts. */

#define LEDGER_MARK 128 /* bytes of one of its two places, written in turn: one is whole if the other is torn */

static char *ledger_beside(const char *path, const char *suffix) {
  char *name = NULL;
  return asprintf(&name, "%s%s", path, suffix) < 0 ? NULL : name;
}

/* Number and digest of the last row, as digits, and the first digits of their own digest. */
static void ledger_print_mark(uint64_t rows, const char *head, char text[LEDGER_MARK + 1]) {
  char check[DIGEST_TEXT];
  uint8_t value[DIGEST_SIZE];
  struct digest digest;
  int size = snprintf(text, LEDGER_MARK + 1, "%020" PRIu64 " %s ", rows, head);
  digest_init(&digest);
  digest_add(&digest, text, (size_t)size);
  digest_read(&digest, value);
  digest_print(value, check);
  snprintf(text + size, (size_t)(LEDGER_MARK + 1 - size), "%-*.16s\n", LEDGER_MARK - size - 1, check);
}

static int ledger_write_mark(const struct ledger *ledger, uint64_t place) {
  char head[DIGEST_TEXT], text[LEDGER_MARK + 1];
  ssize_t done;
  if (!ledger->armed) return 0;
  digest_print(ledger->head, head);
  ledger_print_mark(ledger->rows, head, text);
  errno = EIO; /* if it is written in part */
  done = pwrite(ledger->mark, text, LEDGER_MARK, place % 2 ? LEDGER_MARK : 0);
  return done == LEDGER_MARK ? 0 : -1;
}

/* The further of the two places that are whole; -1 when neither is. */
static int ledger_read_mark(const struct ledger *ledger, char mark[LEDGER_MARK + 1]) {
  char *name = ledger_beside(ledger->path, "-mark");
  int fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1, place, found = -1;
  free(name);
  mark[0] = 0;
  for (place = 0; place < 2 && fd >= 0; place++) {
    char text[LEDGER_MARK + 1] = "", head[DIGEST_TEXT] = "", again[LEDGER_MARK + 1];
    uint64_t rows;
    if (pread(fd, text, LEDGER_MARK, place * LEDGER_MARK) != LEDGER_MARK) continue;
    if (sscanf(text, "%" SCNu64 " %64s", &rows, head) != 2) continue;
    ledger_print_mark(rows, head, again);
    if (strcmp(text, again) != 0 || strcmp(text, mark) < 0) continue;
    strcpy(mark, text);
    found = 0;
  }
  if (fd >= 0) close(fd);
  return found;
}

static int ledger_has_moved(const struct ledger *ledger) {
  int has_moved = 0;
  sqlite3_file_control(ledger->file, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return has_moved;
}

/* One row, durable on return. Memory runs ahead of the disk only inside: after a failure the ledger is broken, writes
 * nothing more, and what the disk has is what the next process finds. */
static int ledger_append(struct ledger *ledger, struct ledger_row *row, const char *doing) {
  char time_text[LEDGER_TIME];
  const char *why;
  int code;
  if (ledger->broken) return EXIT_SYSTEM; /* said when it broke */
  if (!ledger->file || ledger->look)
    return error_report(EXIT_SYSTEM, "%s: the ledger is not open for writing", ledger->path ? ledger->path : "ledger");
  ledger_now(time_text);
  row->time = time_text;
  row->number = ledger->rows + 1;
  ledger->broken = 1;
  if (ledger_has_moved(ledger)) return error_report(EXIT_SYSTEM, "%s: the ledger was moved or replaced", ledger->path);
  why = ledger_follow(ledger, row);
  if (why) return error_report(EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing, why);
  if (sqlite3_exec(ledger->file, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK && ledger_insert(ledger, row) == 0 &&
      sqlite3_exec(ledger->file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK) {
    if (ledger_write_mark(ledger, ledger->rows))
      return error_report(EXIT_SYSTEM, "%s: cannot %s: %s", ledger->path, doing, strerror(errno));
    ledger->broken = 0;
    return EXIT_OK;
  }
  code = ledger_trouble(ledger, doing);
  if (!sqlite3_get_autocommit(ledger->file)) sqlite3_exec(ledger->file, "ROLLBACK", NULL, NULL, NULL);
  return code;
}

/* ---- opening ---- */

static int ledger_keep_word(void *wanted, int columns, char **values, char **names) {
  (void)names;
  snprintf(wanted, 32, "%s", columns && values[0] ? values[0] : "");
  return 0;
}

/* Runs a PRAGMA and returns 0 if the answer is `wanted`: SQLite ignores what it does not know. */
static int ledger_pragma(struct ledger *ledger, const char *pragma, const char *wanted) {
  char got[32] = "";
  if (sqlite3_exec(ledger->file, pragma, ledger_keep_word, got, NULL) != SQLITE_OK) return -1;
  return strcmp(got, wanted) ? 1 : 0;
}

/* Runs each of `settings` and asks whether it took. */
static int ledger_settle(struct ledger *ledger, const char *const (*settings)[3], size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    int differs;
    if (sqlite3_exec(ledger->file, settings[i][0], NULL, NULL, NULL) != SQLITE_OK)
      return ledger_trouble(ledger, "open the ledger");
    differs = ledger_pragma(ledger, settings[i][1], settings[i][2]);
    if (differs < 0) return ledger_trouble(ledger, "open the ledger");
    if (differs) return error_report(EXIT_SYSTEM, "%s: SQLite refuses '%s'", ledger->path, settings[i][0]);
  }
  return EXIT_OK;
}

static int ledger_connect(struct ledger *ledger, const char *path, int flags) {
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
  if (!file) return error_report(EXIT_SYSTEM, "out of memory");
  if (failed) return ledger_trouble(ledger, "open the ledger");
  sqlite3_busy_timeout(file, LEDGER_PATIENCE);
  return ledger_settle(ledger, settings, sizeof settings / sizeof *settings);
}

/* A new ledger grows under another name, is synced as a whole and then gets its own; whoever comes second finds the
 * first one's. */
static int ledger_grow(struct ledger *ledger, const char *temporary, const struct ledger_options *options) {
  uint8_t identity[DIGEST_SIZE];
  char epsilon[LEDGER_FRACTION], delta[LEDGER_FRACTION], text[160];
  struct ledger_row row = {0, NULL, "made", -1, -1, -1, -1, NULL, NULL, NULL, identity};
  size_t i;
  int code = ledger_connect(ledger, temporary, SQLITE_OPEN_READWRITE);
  if (code != EXIT_OK) return code;
  if (getrandom(identity, sizeof identity, 0) != (ssize_t)sizeof identity)
    return error_report(EXIT_SYSTEM, "no randomness from the operating system");
  snprintf(text, sizeof text,
           "PRAGMA synchronous=OFF; PRAGMA page_size=1024; BEGIN; PRAGMA application_id=%d; PRAGMA user_version=%d",
           LEDGER_MAGIC, LEDGER_VERSION);
  if (sqlite3_exec(ledger->file, text, NULL, NULL, NULL) != SQLITE_OK) return ledger_trouble(ledger, "make the ledger");
  for (i = 0; i < LEDGER_STATEMENTS; i++)
    if (sqlite3_exec(ledger->file, ledger_schema[i], NULL, NULL, NULL) != SQLITE_OK)
      return ledger_trouble(ledger, "make the ledger");
  if (sqlite3_exec(ledger->file, "INSERT INTO head VALUES (1, 0, zeroblob(32), 0); COMMIT", NULL, NULL, NULL) !=
      SQLITE_OK)
    return ledger_trouble(ledger, "make the ledger");
  row.epsilon = ledger_fraction(options->total_epsilon, epsilon);
  row.delta = ledger_fraction(options->total_delta, delta);
  row.note = options->name;
  return ledger_append(ledger, &row, "make the ledger");
}

static int ledger_sync(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC), failed;
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

static int ledger_sync_directory(const char *path) {
  char *copy = strdup(path);
  int failed = copy ? ledger_sync(dirname(copy)) : -1;
  free(copy);
  return failed;
}

static int ledger_make(const char *path, const struct ledger_options *options, int *is_new) {
  static const char suffix[] = ".new.XXXXXX";
  struct ledger young;
  char *temporary = malloc(strlen(path) + sizeof suffix);
  mode_t mask = umask(0);
  int fd, code;
  umask(mask);
  if (!temporary) return error_report(EXIT_SYSTEM, "out of memory");
  strcpy(temporary, path);
  strcat(temporary, suffix);
  fd = mkstemp(temporary);
  if (fd < 0 || fchmod(fd, 0666 & ~mask) != 0 || close(fd) != 0) {
    code = error_report(EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
    if (fd >= 0) unlink(temporary);
    free(temporary);
    return code;
  }
  memset(&young, 0, sizeof young);
  young.path = strdup(path);
  code = young.path ? ledger_grow(&young, temporary, options) : error_report(EXIT_SYSTEM, "out of memory");
  ledger_shut(&young);
  if (code == EXIT_OK && ledger_sync(temporary) != 0)
    code = error_report(EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
  if (code == EXIT_OK && renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) != 0) {
    int cause = errno;
    unlink(temporary);
    if (cause != EEXIST) code = error_report(EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(cause));
  } else if (code == EXIT_OK && ledger_sync_directory(path) != 0) {
    code = error_report(EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
  } else if (code != EXIT_OK) {
    unlink(temporary);
  } else {
    *is_new = 1;
  }
  free(temporary);
  return code;
}

/* A ledger that is gone while its companions are there was moved or removed after a crash; a new one in its place would
 * have a full budget, and SQLite would mix it with the old one's rows. */
static int ledger_look_beside(const struct ledger *ledger) {
  static const char *const suffixes[] = {"-mark", "-wal", "-journal"};
  size_t i;
  for (i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    char *name = ledger_beside(ledger->path, suffixes[i]);
    int is_there = !name || access(name, F_OK) == 0;
    free(name);
    if (is_there)
      return error_report(EXIT_INPUT, "%s: the ledger is gone, but %s%s is there: it was moved or removed",
                          ledger->path, ledger->path, suffixes[i]);
  }
  return EXIT_OK;
}

/* What can be seen before SQLite touches the file. */
static int ledger_look_at(const struct ledger *ledger, const struct stat *seen) {
  if (!S_ISREG(seen->st_mode)) return error_report(EXIT_INPUT, "%s: not a ledger", ledger->path);
  if (seen->st_size == 0) return ledger_damaged(ledger, "the file is empty");
  /* SQLite names its journal after the file: under two names an interrupted write is not taken back. */
  if (seen->st_nlink > 1)
    return error_report(EXIT_INPUT, "%s: the ledger has a second name (hard link); remove one", ledger->path);
  /* Root may write to anything; that a file was marked read-only still means something. */
  if (!ledger->look && !(seen->st_mode & 0222))
    return error_report(EXIT_INPUT, "%s: the ledger is read-only", ledger->path);
  return EXIT_OK;
}

static int ledger_check_schema(struct ledger *ledger) {
  sqlite3_stmt *statement;
  size_t seen = 0;
  int step, same = 1;
  if (sqlite3_prepare_v2(ledger->file, "SELECT sql FROM sqlite_schema ORDER BY rowid", -1, &statement, NULL))
    return ledger_trouble(ledger, "read the ledger");
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *sql = (const char *)sqlite3_column_text(statement, 0);
    if (seen >= LEDGER_STATEMENTS || !sql || strcmp(sql, ledger_schema[seen]) != 0) same = 0;
    seen++;
  }
  sqlite3_finalize(statement);
  if (step != SQLITE_DONE) return ledger_trouble(ledger, "read the ledger");
  if (!same || seen != LEDGER_STATEMENTS) return ledger_damaged(ledger, "its tables were changed");
  return EXIT_OK;
}

static const char *ledger_column_text(sqlite3_stmt *statement, int column, int *bad) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  if (text && strlen(text) != (size_t)sqlite3_column_bytes(statement, column)) *bad = 1;
  return text;
}

static int64_t ledger_column_number(sqlite3_stmt *statement, int column, int *bad) {
  int64_t value = sqlite3_column_int64(statement, column);
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return -1;
  if (value < 0) *bad = 1;
  return value;
}

static const uint8_t *ledger_column_digest(sqlite3_stmt *statement, int column, int *bad) {
  const uint8_t *bytes = sqlite3_column_blob(statement, column);
  if (bytes && sqlite3_column_bytes(statement, column) != (int)DIGEST_SIZE) *bad = 1;
  return bytes;
}

/* Points into the statement's current row; returns the digest stored with it, NULL when this is no row. */
static const uint8_t *ledger_fetch(sqlite3_stmt *statement, struct ledger_row *row) {
  const uint8_t *digest;
  int bad = 0;
  row->number = (uint64_t)sqlite3_column_int64(statement, 0);
  row->time = ledger_column_text(statement, 1, &bad);
  row->kind = ledger_column_text(statement, 2, &bad);
  row->plan = ledger_column_number(statement, 3, &bad);
  row->left = ledger_column_number(statement, 4, &bad);
  row->labels = ledger_column_number(statement, 5, &bad);
  row->silences = ledger_column_number(statement, 6, &bad);
  row->epsilon = ledger_column_text(statement, 7, &bad);
  row->delta = ledger_column_text(statement, 8, &bad);
  row->note = ledger_column_text(statement, 9, &bad);
  row->mark = ledger_column_digest(statement, 10, &bad);
  digest = ledger_column_digest(statement, 11, &bad);
  return bad || !row->time || !row->kind ? NULL : digest;
}

/* Every row again from the first, so that what is resumed is what was written. */
static int ledger_replay(struct ledger *ledger, const uint8_t *milestone) {
  sqlite3_stmt *statement;
  const char *why = NULL;
  char mark[LEDGER_MARK + 1], at[LEDGER_MARK + 1], digits[DIGEST_TEXT];
  int has_mark = ledger_read_mark(ledger, mark) == 0, has_reached_mark = 0, at_work = 0;
  int step = SQLITE_DONE;
  if (sqlite3_prepare_v2(ledger->file, "SELECT * FROM ledger ORDER BY number", -1, &statement, NULL))
    return ledger_trouble(ledger, "read the ledger");
  while (!why && (step = sqlite3_step(statement)) == SQLITE_ROW) {
    struct ledger_row row;
    const uint8_t *digest = ledger_fetch(statement, &row);
    why = digest ? ledger_follow(ledger, &row) : "a row that is no row";
    if (!why && memcmp(digest, ledger->head, DIGEST_SIZE) != 0) why = "a row was changed";
    if (!why && milestone && !memcmp(digest, milestone, DIGEST_SIZE)) ledger->reached = 1;
    if (why || !has_mark) continue;
    digest_print(ledger->head, digits);
    ledger_print_mark(ledger->rows, digits, at);
    if (!strcmp(at, mark)) has_reached_mark = 1;
  }
  sqlite3_finalize(statement);
  if (why) return ledger_damaged(ledger, why);
  if (step != SQLITE_DONE) return ledger_trouble(ledger, "read the ledger");
  if (sqlite3_prepare_v2(ledger->file, "SELECT rows, digest, at_work FROM head", -1, &statement, NULL))
    return ledger_trouble(ledger, "read the ledger");
  step = sqlite3_step(statement);
  if (step == SQLITE_ROW) {
    int bad = 0;
    const uint8_t *head = ledger_column_digest(statement, 1, &bad);
    if (bad || !head || memcmp(head, ledger->head, DIGEST_SIZE) != 0 ||
        sqlite3_column_int64(statement, 0) != (int64_t)ledger->rows)
      why = "its last rows are missing";
    at_work = sqlite3_column_int(statement, 2);
  } else if (step == SQLITE_DONE) {
    why = "it has no head";
  }
  if (!why && step != SQLITE_ROW) {
    int code = ledger_trouble(ledger, "read the ledger");
    sqlite3_finalize(statement);
    return code;
  }
  sqlite3_finalize(statement);
  if (!why && at_work && !has_mark)
    why = "the file beside it that ends in -mark is missing after a crash, or this is a copy";
  if (!why && at_work && !has_reached_mark)
    why = "the last rows before a crash are missing: the file that ends in -wal is lost";
  if (why) return ledger_damaged(ledger, why);
  /* A session that no row closed ended in a crash; its reservation is spent. */
  if (ledger->current) ledger->current->unclosed++, ledger->current->reserved = 0;
  ledger->current = NULL;
  return EXIT_OK;
}

static int ledger_check_version(struct ledger *ledger) {
  char text[32];
  int differs;
  snprintf(text, sizeof text, "%d", LEDGER_MAGIC);
  differs = ledger_pragma(ledger, "PRAGMA application_id", text);
  if (differs < 0) return ledger_trouble(ledger, "read the ledger");
  if (differs) return error_report(EXIT_INPUT, "%s: not a ledger", ledger->path);
  text[0] = 0;
  if (sqlite3_exec(ledger->file, "PRAGMA user_version", ledger_keep_word, text, NULL) != SQLITE_OK)
    return ledger_trouble(ledger, "read the ledger");
  if (strtol(text, NULL, 10) != LEDGER_VERSION)
    return error_report(EXIT_INPUT, "%s: a ledger of version %s; this program reads version %d", ledger->path, text,
                        LEDGER_VERSION);
  return EXIT_OK;
}

static int ledger_check(struct ledger *ledger, const uint8_t *milestone) {
  int code = ledger_check_version(ledger), differs;
  if (code == EXIT_OK) code = ledger_check_schema(ledger);
  if (code != EXIT_OK) return code;
  differs = ledger_pragma(ledger, "PRAGMA integrity_check(1)", "ok");
  if (differs < 0) return ledger_trouble(ledger, "read the ledger");
  if (differs) return ledger_damaged(ledger, "its pages do not fit together");
  return ledger_replay(ledger, milestone);
}

/* Opens the file and takes its lock for this process alone. Two that come together can each hold what the other
 * needs, and SQLite in exclusive mode lets go of nothing: so whoever is refused closes, waits a while of its own, and
 * comes again until its patience is over. */
static int ledger_seize(struct ledger *ledger, const char *path) {
  int waited = 0;
  for (;;) {
    struct timespec now, pause = {0, 0};
    int code = ledger_connect(ledger, path, SQLITE_OPEN_READWRITE);
    if (code != EXIT_OK) return code;
    sqlite3_busy_timeout(ledger->file, LEDGER_PATIENCE / 20);
    if (sqlite3_exec(ledger->file, "BEGIN EXCLUSIVE; COMMIT", NULL, NULL, NULL) == SQLITE_OK) break;
    if ((sqlite3_errcode(ledger->file) & 0xff) != SQLITE_BUSY || waited >= LEDGER_PATIENCE)
      return ledger_trouble(ledger, "lock the ledger");
    sqlite3_close(ledger->file);
    ledger->file = NULL;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pause.tv_nsec = 10000000 + (now.tv_nsec ^ (long)getpid() * 7919) % 50000000;
    nanosleep(&pause, NULL);
    waited += LEDGER_PATIENCE / 20 + (int)(pause.tv_nsec / 1000000);
  }
  sqlite3_busy_timeout(ledger->file, LEDGER_PATIENCE);
  if (sqlite3_db_readonly(ledger->file, "main") != 0)
    return error_report(EXIT_INPUT, "%s: the ledger is read-only", ledger->path);
  return EXIT_OK;
}

/* From here on a row costs one sync. The mark is there before the file says that somebody is at work, and the file says
 * so, without FILE-wal, before there is a row. */
static int ledger_arm(struct ledger *ledger) {
  static const char *const settings[][3] = {{"PRAGMA journal_mode=WAL", "PRAGMA journal_mode", "wal"}};
  char *name = ledger_beside(ledger->path, "-mark");
  int code;
  if (!name) return error_report(EXIT_SYSTEM, "out of memory");
  ledger->mark = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  free(name);
  ledger->armed = ledger->mark >= 0;
  if (!ledger->armed || ledger_write_mark(ledger, 0) || ledger_write_mark(ledger, 1) || fsync(ledger->mark) ||
      ledger_sync_directory(ledger->path))
    return error_report(EXIT_SYSTEM, "%s: cannot open the ledger: %s", ledger->path, strerror(errno));
  code = ledger_settle(ledger, settings, 1);
  if (code != EXIT_OK) return code;
  if (sqlite3_exec(ledger->file, "UPDATE head SET at_work = 1", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_wal_checkpoint_v2(ledger->file, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) != SQLITE_OK)
    return ledger_trouble(ledger, "open the ledger");
  return EXIT_OK;
}

static void ledger_remove(const struct ledger *ledger, const char *suffix) {
  char *name = ledger_beside(ledger->path, suffix);
  if (name) unlink(name);
  free(name);
}

/* Everything into FILE, and nothing left beside it. What does not succeed here is found and mended by the next open. A
 * ledger that was made here and got no row is removed while the lock is held, when nobody else can be at work on it:
 * rows are 1 only after the lock was taken and the file read, and before a row was tried. */
static void ledger_disarm(struct ledger *ledger) {
  int is_unused = ledger->is_new && ledger->rows == 1 && !ledger_has_moved(ledger);
  int is_clean = ledger->armed && !ledger->broken &&
                 sqlite3_exec(ledger->file, "UPDATE head SET at_work = 0", NULL, NULL, NULL) == SQLITE_OK &&
                 ledger_pragma(ledger, "PRAGMA journal_mode=DELETE", "delete") == 0;
  if (is_unused) ledger_remove(ledger, "");
  if (sqlite3_close(ledger->file) != SQLITE_OK) is_clean = 0;
  ledger->file = NULL;
  if (ledger->armed) close(ledger->mark);
  if (is_unused) ledger_remove(ledger, "-wal"), ledger_remove(ledger, "-journal");
  if (is_unused || is_clean) ledger_remove(ledger, "-mark");
}

static int ledger_check_totals(const struct ledger *ledger, const struct ledger_options *options) {
  const struct {
    const char *what;
    struct rational asked, kept;
  } totals[2] = {{"epsilon", options->total_epsilon, ledger->total_epsilon},
                 {"delta", options->total_delta, ledger->total_delta}};
  size_t i;
  for (i = 0; i < 2; i++) {
    char kept[RATIONAL_TEXT] = "none";
    if (totals[i].asked.den == 0 || ledger_same(totals[i].asked, totals[i].kept)) continue;
    if (totals[i].kept.den) rational_print(totals[i].kept.num, totals[i].kept.den, kept);
    return error_report(EXIT_INPUT, "%s: the ledger was made with total %s %s, which cannot be changed", ledger->path,
                        totals[i].what, kept);
  }
  return EXIT_OK;
}

int ledger_open(struct ledger *ledger, const char *path, const struct ledger_options *options) {
  struct stat seen;
  int code = EXIT_OK;
  memset(ledger, 0, sizeof *ledger);
  ledger->look = options->look;
  digest_init(&ledger->answers);
  ledger->path = strdup(path);
  if (!ledger->path) return error_report(EXIT_SYSTEM, "out of memory");
  if (options->name && strlen(options->name) > LEDGER_NOTE_MAX)
    return error_report(EXIT_INPUT, "the ledger's name is longer than %d bytes", LEDGER_NOTE_MAX);
  if (stat(path, &seen) != 0) {
    if (errno != ENOENT || !options->make)
      return error_report(EXIT_INPUT, "%s: cannot open the ledger: %s", path, strerror(errno));
    code = ledger_look_beside(ledger);
    if (code == EXIT_OK) code = ledger_make(path, options, &ledger->is_new);
    if (code != EXIT_OK) return code;
    if (stat(path, &seen) != 0)
      return error_report(EXIT_SYSTEM, "%s: cannot open the ledger: %s", path, strerror(errno));
  }
  code = ledger_look_at(ledger, &seen);
  if (code == EXIT_OK)
    code = options->look ? ledger_connect(ledger, path, SQLITE_OPEN_READWRITE) : ledger_seize(ledger, path);
  if (code == EXIT_OK && options->look && sqlite3_exec(ledger->file, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
    code = ledger_trouble(ledger, "read the ledger");
  if (code == EXIT_OK) code = ledger_check(ledger, options->milestone);
  if (code == EXIT_OK) code = ledger_check_totals(ledger, options);
  if (code == EXIT_OK && !options->look) code = ledger_arm(ledger);
  if (code != EXIT_OK) ledger->broken = 1;
  if (options->keep) ledger->is_new = 0;
  return code;
}

int ledger_visit(struct ledger *ledger, void (*visit)(void *context, const struct ledger_row *row), void *context) {
  sqlite3_stmt *statement;
  struct ledger_row row;
  int step;
  if (sqlite3_prepare_v2(ledger->file, "SELECT * FROM ledger ORDER BY number", -1, &statement, NULL))
    return ledger_trouble(ledger, "read the ledger");
  while ((step = sqlite3_step(statement)) == SQLITE_ROW && ledger_fetch(statement, &row))
    visit(context, &row);
  sqlite3_finalize(statement);
  return step == SQLITE_DONE ? EXIT_OK : ledger_trouble(ledger, "read the ledger");
}

void ledger_shut(struct ledger *ledger) {
  if (ledger->file && !ledger->look && ledger->path) ledger_disarm(ledger);
  sqlite3_close(ledger->file);
  free(ledger->path);
  free(ledger->name);
  free(ledger->plans);
  memset(ledger, 0, sizeof *ledger);
}

/* ---- plans and costs ---- */

static void ledger_digest_claim(struct digest *digest, const fumata_claim *claim) {
  digest_add_u64(digest, claim->epsilon_num);
  digest_add_u64(digest, claim->epsilon_den);
  digest_add_u64(digest, claim->delta_num);
  digest_add_u64(digest, claim->delta_den);
  digest_add_u64(digest, claim->alpha);
  digest_add_u64(digest, claim->v);
}

static void ledger_digest_table(struct digest *digest, const uint64_t *table, uint32_t size) {
  uint32_t i;
  digest_add_u64(digest, size);
  for (i = 0; i < size; i++)
    digest_add_u64(digest, table[i]);
}

static void ledger_set_terms(struct ledger_terms *terms, enum ledger_mechanism mechanism, uint32_t limit,
                             const fumata_claim *claim, struct digest *digest) {
  memset(terms, 0, sizeof *terms);
  terms->mechanism = mechanism;
  terms->limit = limit;
  terms->epsilon.num = claim->epsilon_num;
  terms->epsilon.den = claim->epsilon_den;
  terms->delta.num = claim->delta_num;
  terms->delta.den = claim->delta_den;
  digest_add_u64(digest, limit);
  ledger_digest_claim(digest, claim);
  digest_read(digest, terms->digest);
}

void ledger_terms_meter(const fumata_meter_plan *plan, const fumata_claim *claim, struct ledger_terms *terms) {
  struct digest digest;
  digest_init(&digest);
  digest_add_u64(&digest, LEDGER_METER);
  ledger_digest_table(&digest, plan->silence, plan->size);
  ledger_set_terms(terms, LEDGER_METER, plan->limit, claim, &digest);
}

void ledger_terms_classic(const fumata_classic_plan *plan, const fumata_claim *claim, struct ledger_terms *terms) {
  struct digest digest;
  digest_init(&digest);
  digest_add_u64(&digest, LEDGER_CLASSIC);
  ledger_digest_table(&digest, plan->threshold.cdf, plan->threshold.size);
  digest_add_u64(&digest, (uint64_t)plan->threshold.first);
  ledger_digest_table(&digest, plan->query.cdf, plan->query.size);
  digest_add_u64(&digest, (uint64_t)plan->query.first);
  digest_add_u64(&digest, (uint64_t)plan->width);
  ledger_set_terms(terms, LEDGER_CLASSIC, plan->limit, claim, &digest);
}

static int ledger_over(const struct ledger *ledger, const char *what, struct rational more, struct rational spent,
                       struct rational total) {
  char a[RATIONAL_TEXT], b[RATIONAL_TEXT] = "0", c[RATIONAL_TEXT];
  rational_print(more.num, more.den, a);
  if (spent.den) rational_print(spent.num, spent.den, b);
  rational_print(total.num, total.den, c);
  return error_report(EXIT_REFUSED, "%s: %s %s more is too much: %s of the total %s is spent", ledger->path, what, a, b,
                      c);
}

int ledger_afford(const struct ledger *ledger, struct rational epsilon, struct rational delta) {
  struct rational sum_epsilon, sum_delta;
  if (ledger_add(ledger->spent_epsilon, epsilon, &sum_epsilon) || ledger_add(ledger->spent_delta, delta, &sum_delta))
    return error_report(EXIT_REFUSED,
                        "%s: this cost and what is spent have no sum that fits 64 bits; use rounder numbers",
                        ledger->path);
  if (ledger_exceeds(sum_epsilon, ledger->total_epsilon))
    return ledger_over(ledger, "epsilon", epsilon, ledger->spent_epsilon, ledger->total_epsilon);
  if (ledger_exceeds(sum_delta, ledger->total_delta))
    return ledger_over(ledger, "delta", delta, ledger->spent_delta, ledger->total_delta);
  return EXIT_OK;
}

int ledger_charge(struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta) {
  char epsilon_text[LEDGER_FRACTION], delta_text[LEDGER_FRACTION];
  struct ledger_row row = {0, NULL, "charge", -1, -1, -1, -1, NULL, NULL, what, NULL};
  int code = ledger_afford(ledger, epsilon, delta);
  if (code != EXIT_OK) return code;
  row.epsilon = ledger_fraction(epsilon, epsilon_text);
  row.delta = ledger_fraction(delta, delta_text);
  return ledger_append(ledger, &row, "record the charge");
}

static int ledger_same_terms(const struct ledger_terms *a, const struct ledger_terms *b) {
  return a->mechanism == b->mechanism && a->limit == b->limit && ledger_same(a->epsilon, b->epsilon) &&
         ledger_same(a->delta, b->delta) && !memcmp(a->digest, b->digest, DIGEST_SIZE);
}

static int ledger_start(struct ledger *ledger, const struct ledger_terms *terms, struct ledger_plan *old) {
  char epsilon[LEDGER_FRACTION], delta[LEDGER_FRACTION];
  struct ledger_row row = {0, NULL, "resume", -1, -1, -1, -1, NULL, NULL, NULL, NULL};
  if (old) {
    row.plan = (int64_t)old->number;
    row.left = old->left;
    return ledger_append(ledger, &row, "resume the plan");
  }
  row.kind = "plan";
  row.plan = (int64_t)ledger->plan_count + 1;
  row.left = terms->limit;
  row.epsilon = ledger_fraction(terms->epsilon, epsilon);
  row.delta = ledger_fraction(terms->delta, delta);
  row.note = terms->mechanism == LEDGER_METER ? "meter" : "classic";
  row.mark = terms->digest;
  return ledger_append(ledger, &row, "begin the plan");
}

int ledger_begin(struct ledger *ledger, const struct ledger_terms *terms, int again, uint32_t *left) {
  struct ledger_plan *old = NULL;
  size_t i;
  int code;
  if (terms->epsilon.den == 0 || terms->delta.den == 0)
    return error_report(EXIT_INPUT, "%s: a plan without epsilon or delta", ledger->path);
  /* The one that can go on, else the last one that is spent. */
  for (i = 0; i < ledger->plan_count && !(old && old->left); i++)
    if (ledger_same_terms(&ledger->plans[i].terms, terms)) old = ledger->plans + i;
  if (old && old->left == 0) {
    if (!again)
      return error_report(EXIT_REFUSED, "%s: this plan's %" PRIu32 " silences are spent", ledger->path,
                          old->terms.limit);
    old = NULL;
  }
  code = old ? EXIT_OK : ledger_afford(ledger, terms->epsilon, terms->delta);
  if (code == EXIT_OK) code = ledger_start(ledger, terms, old);
  if (code != EXIT_OK) return code;
  digest_init(&ledger->answers);
  ledger->labels = ledger->silences = 0;
  *left = ledger->current->left;
  return EXIT_OK;
}

/* ---- answering ---- */

static int ledger_write_stretch(struct ledger *ledger, const char *kind, uint32_t left, const char *doing) {
  uint8_t answers[DIGEST_SIZE];
  struct ledger_row row = {0, NULL, kind, -1, left, 0, 0, NULL, NULL, NULL, answers};
  int code;
  if (!ledger->current) return error_report(EXIT_SYSTEM, "%s: cannot %s: no plan", ledger->path, doing);
  row.plan = (int64_t)ledger->current->number;
  row.labels = (int64_t)ledger->labels;
  row.silences = (int64_t)ledger->silences;
  digest_read(&ledger->answers, answers);
  code = ledger_append(ledger, &row, doing);
  if (code == EXIT_OK) ledger->labels = ledger->silences = 0;
  return code;
}

static int ledger_refuse(const struct ledger *ledger, fumata_status status) {
  if (status == FUMATA_ERR_SPENT) return error_report(EXIT_REFUSED, "%s: this plan's silences are spent", ledger->path);
  return error_report(EXIT_SYSTEM, "%s: cannot reserve a silence: %s", ledger->path, fumata_strerror(status));
}

int ledger_reserve_meter(struct ledger *ledger, fumata_meter *meter) {
  fumata_meter next = *meter;
  fumata_status status = fumata_meter_reserve(&next);
  int code;
  if (status != FUMATA_OK) return ledger_refuse(ledger, status);
  code = ledger_write_stretch(ledger, "reserve", next.left, "reserve a silence");
  if (code == EXIT_OK) *meter = next;
  return code;
}

int ledger_reserve_classic(struct ledger *ledger, fumata_classic *classic, uint64_t coin) {
  fumata_classic next = *classic;
  fumata_status status = fumata_classic_reserve(&next, coin);
  int code;
  if (status != FUMATA_OK) return ledger_refuse(ledger, status);
  code = ledger_write_stretch(ledger, "reserve", next.left, "reserve a silence");
  if (code == EXIT_OK) *classic = next;
  return code;
}

size_t ledger_encode(int32_t answer, uint8_t bytes[3]) {
  if (answer == FUMATA_SILENT) return bytes[0] = 0xff, 1;
  if (answer < 0xfe) return bytes[0] = (uint8_t)answer, 1;
  bytes[0] = 0xfe;
  bytes[1] = (uint8_t)(answer & 0xff);
  bytes[2] = (uint8_t)(answer >> 8 & 0xff);
  return 3;
}

void ledger_record(struct ledger *ledger, int32_t answer) {
  uint8_t bytes[3];
  if (answer == FUMATA_SILENT)
    ledger->silences++;
  else
    ledger->labels++;
  digest_add(&ledger->answers, bytes, ledger_encode(answer, bytes));
}

int ledger_finish_meter(struct ledger *ledger, fumata_meter *meter) {
  fumata_status status = fumata_meter_close(meter);
  if (status != FUMATA_OK) return ledger_refuse(ledger, status);
  return ledger_write_stretch(ledger, "close", meter->left, "close the plan");
}

int ledger_finish_classic(struct ledger *ledger, fumata_classic *classic) {
  fumata_status status = fumata_classic_close(classic);
  if (status != FUMATA_OK) return ledger_refuse(ledger, status);
  return ledger_write_stretch(ledger, "close", classic->left, "close the plan");
}

void ledger_head(const struct ledger *ledger, char text[DIGEST_TEXT]) {
  digest_print(ledger->head, text);
}

#include "gate/ledger_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "gate/ledger_lock.h"

#define LEDGER_FILE_MAGIC    0x46554d41 /* "FUMA", SQLite's application_id */
#define LEDGER_FILE_PATIENCE 1000       /* milliseconds to wait for a process that only looks */

/* The whole schema; an opened file must have these statements and no others, so that no trigger of a stranger acts. */
static const char *const ledger_file_schema[] = {
    "CREATE TABLE ledger (number INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, plan INTEGER,"
    " silences_left INTEGER, labels INTEGER, silences INTEGER, epsilon TEXT, delta TEXT, note TEXT, mark BLOB,"
    " digest BLOB NOT NULL, answers_left INTEGER, answers INTEGER, journal BLOB, protects TEXT) STRICT",
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, digest BLOB NOT NULL,"
    " at_work INTEGER NOT NULL) STRICT",
    "CREATE TABLE journal (row INTEGER PRIMARY KEY, plan INTEGER NOT NULL, answers BLOB NOT NULL, about BLOB,"
    " state BLOB) STRICT",
    "CREATE TABLE state (plan INTEGER PRIMARY KEY, salt BLOB NOT NULL, bytes BLOB NOT NULL) STRICT",
    "CREATE TRIGGER journal_changes BEFORE UPDATE ON journal BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END",
    "CREATE TRIGGER journal_forgets BEFORE DELETE ON journal BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END",
    "CREATE TRIGGER ledger_changes BEFORE UPDATE ON ledger BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END",
    "CREATE TRIGGER ledger_forgets BEFORE DELETE ON ledger BEGIN"
    " SELECT RAISE(ABORT, 'a ledger is only appended to'); END"};

#define LEDGER_FILE_STATEMENTS (sizeof ledger_file_schema / sizeof *ledger_file_schema)

/* ---- lines for the operator ---- */

int ledger_file_damaged(const struct ledger *ledger, const char *why) {
  return error_report(EXIT_INPUT, "%s: this ledger is damaged (%s); nothing is released from it", ledger->path, why);
}

int ledger_file_trouble(const struct ledger *ledger, const char *doing) {
  int code = sqlite3_errcode(ledger->file), cause = sqlite3_system_errno(ledger->file);
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return error_report(EXIT_REFUSED, "%s: in use by another process", ledger->path);
  case SQLITE_NOTADB:
    return error_report(EXIT_INPUT, "%s: not a ledger", ledger->path);
  case SQLITE_CORRUPT:
    return ledger_file_damaged(ledger, "its pages do not fit together");
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

/* ---- the mark ----
 * While a process is at work, new rows are in FILE-wal, one sync a row, and move to FILE at its end. Should FILE-wal be
 * lost or cut after a crash, SQLite would show the ledger as it was before, with silences given back. So FILE says that
 * a process is at work, and FILE-mark how far the rows got; a ledger that is behind its mark is refused. The mark is
 * written after the row is durable and not synced: it guards against hands, not against power cuts. */

static char *ledger_file_beside(const char *path, const char *suffix) {
  char *name = NULL;
  return asprintf(&name, "%s%s", path, suffix) < 0 ? NULL : name;
}

/* Number and digest of a row, as digits, and the first digits of their own digest. */
static void ledger_file_format_mark(uint64_t rows, const char *head, char text[LEDGER_MARK + 1]) {
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

void ledger_file_print_mark(const struct ledger *ledger, char text[LEDGER_MARK + 1]) {
  char head[DIGEST_TEXT];
  digest_print(ledger->head, head);
  ledger_file_format_mark(ledger->rows, head, text);
}

int ledger_file_write_mark(const struct ledger *ledger, uint64_t place) {
  char text[LEDGER_MARK + 1];
  ssize_t done;
  if (!ledger->armed) return 0;
  ledger_file_print_mark(ledger, text);
  errno = EIO; /* if it is written in part */
  done = pwrite(ledger->mark, text, LEDGER_MARK, place % 2 ? LEDGER_MARK : 0);
  return done == LEDGER_MARK ? 0 : -1;
}

int ledger_file_open_mark(const struct ledger *ledger) {
  char *name = ledger_file_beside(ledger->path, "-mark");
  int fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  free(name);
  return fd;
}

int ledger_file_read_mark(const struct ledger *ledger, char mark[LEDGER_MARK + 1]) {
  int fd = ledger_file_open_mark(ledger), place, found = -1;
  mark[0] = 0;
  for (place = 0; place < 2 && fd >= 0; place++) {
    char text[LEDGER_MARK + 1] = "", head[DIGEST_TEXT] = "", again[LEDGER_MARK + 1];
    uint64_t rows;
    if (pread(fd, text, LEDGER_MARK, place * LEDGER_MARK) != LEDGER_MARK) continue;
    if (sscanf(text, "%" SCNu64 " %64s", &rows, head) != 2) continue;
    ledger_file_format_mark(rows, head, again);
    if (strcmp(text, again) != 0 || strcmp(text, mark) < 0) continue;
    strcpy(mark, text);
    found = 0;
  }
  if (fd >= 0) close(fd);
  return found;
}

/* ---- what stands on the disk ---- */

int ledger_file_has_moved(const struct ledger *ledger) {
  int has_moved = 0;
  sqlite3_file_control(ledger->file, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return has_moved;
}

int ledger_file_is_ours(const struct ledger *ledger) {
  char *name = ledger_file_beside(ledger->path, "-mark"), text[LEDGER_MARK + 1], kept[LEDGER_MARK + 1] = "";
  struct stat here, there;
  int is_ours = name && fstat(ledger->mark, &here) == 0 && lstat(name, &there) == 0 && here.st_ino == there.st_ino &&
                here.st_dev == there.st_dev;
  free(name);
  ledger_file_print_mark(ledger, text);
  return is_ours && pread(ledger->mark, kept, LEDGER_MARK, ledger->rows % 2 ? LEDGER_MARK : 0) == LEDGER_MARK &&
         !strcmp(text, kept);
}

int ledger_file_sync(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC), failed;
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

int ledger_file_sync_directory(const char *path) {
  char *copy = strdup(path);
  int failed = copy ? ledger_file_sync(dirname(copy)) : -1;
  free(copy);
  return failed;
}

int ledger_file_look_beside(const struct ledger *ledger) {
  static const char *const suffixes[] = {"-mark", "-wal", "-journal"};
  size_t i;
  for (i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    char *name = ledger_file_beside(ledger->path, suffixes[i]);
    int is_there = !name || access(name, F_OK) == 0;
    free(name);
    if (is_there)
      return error_report(EXIT_INPUT, "%s: the ledger is gone, but %s%s is there: it was moved or removed",
                          ledger->path, ledger->path, suffixes[i]);
  }
  return EXIT_OK;
}

int ledger_file_look_at(const struct ledger *ledger, const struct stat *seen) {
  if (!S_ISREG(seen->st_mode)) return error_report(EXIT_INPUT, "%s: not a ledger", ledger->path);
  if (seen->st_size == 0) return ledger_file_damaged(ledger, "the file is empty");
  /* SQLite names its journal after the file: under two names an interrupted write is not taken back. */
  if (seen->st_nlink > 1)
    return error_report(EXIT_INPUT, "%s: the ledger has a second name (hard link); remove one", ledger->path);
  /* Root may write to anything; that a file was marked read-only still means something. */
  if (!ledger->look && !(seen->st_mode & 0222))
    return error_report(EXIT_INPUT, "%s: the ledger is read-only", ledger->path);
  return EXIT_OK;
}

/* ---- the connection ---- */

static int ledger_file_keep_word(void *wanted, int columns, char **values, char **names) {
  (void)names;
  snprintf(wanted, 32, "%s", columns && values[0] ? values[0] : "");
  return 0;
}

/* Runs a PRAGMA and returns 0 if the answer is `wanted`: SQLite ignores what it does not know. */
static int ledger_file_pragma(struct ledger *ledger, const char *pragma, const char *wanted) {
  char got[32] = "";
  if (sqlite3_exec(ledger->file, pragma, ledger_file_keep_word, got, NULL) != SQLITE_OK) return -1;
  return strcmp(got, wanted) ? 1 : 0;
}

/* Runs each of `settings` and asks whether it took. */
static int ledger_file_settle(struct ledger *ledger, const char *const (*settings)[3], size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    int differs;
    if (sqlite3_exec(ledger->file, settings[i][0], NULL, NULL, NULL) != SQLITE_OK)
      return ledger_file_trouble(ledger, "open the ledger");
    differs = ledger_file_pragma(ledger, settings[i][1], settings[i][2]);
    if (differs < 0) return ledger_file_trouble(ledger, "open the ledger");
    if (differs) return error_report(EXIT_SYSTEM, "%s: SQLite refuses '%s'", ledger->path, settings[i][0]);
  }
  return EXIT_OK;
}

int ledger_file_connect(struct ledger *ledger, const char *path) {
  /* EXTRA is FULL and also syncs the directory when a rollback journal goes: else a power cut just after a commit could
   * bring the journal back. Nothing is mapped into memory, so that a failing disk is an error and not a signal. The
   * lock is kept from the first access until the file is closed. */
  static const char *const settings[][3] = {{"PRAGMA synchronous=EXTRA", "PRAGMA synchronous", "3"},
                                            {"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA locking_mode", "exclusive"},
                                            {"PRAGMA mmap_size=0", "PRAGMA mmap_size", "0"},
                                            {"PRAGMA secure_delete=ON", "PRAGMA secure_delete", "1"},
                                            {"PRAGMA trusted_schema=OFF", "PRAGMA trusted_schema", "0"}};
  sqlite3 *file = NULL;
  int failed;
  process_note(&ledger->owner);
  failed = sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL);
  ledger->file = file;
  if (!file) return memory_short();
  if (failed) return ledger_file_trouble(ledger, "open the ledger");
  sqlite3_busy_timeout(file, LEDGER_FILE_PATIENCE);
  return ledger_file_settle(ledger, settings, sizeof settings / sizeof *settings);
}

int ledger_file_hold(struct ledger *ledger) {
  if (sqlite3_exec(ledger->file, "BEGIN", NULL, NULL, NULL) == SQLITE_OK) return EXIT_OK;
  return ledger_file_trouble(ledger, "read the ledger");
}

int ledger_file_fill(struct ledger *ledger) {
  char text[160];
  size_t i;
  snprintf(text, sizeof text,
           "PRAGMA synchronous=OFF; PRAGMA page_size=1024; BEGIN; PRAGMA application_id=%d; PRAGMA user_version=%d",
           LEDGER_FILE_MAGIC, LEDGER_VERSION);
  if (sqlite3_exec(ledger->file, text, NULL, NULL, NULL) != SQLITE_OK)
    return ledger_file_trouble(ledger, "make the ledger");
  for (i = 0; i < LEDGER_FILE_STATEMENTS; i++)
    if (sqlite3_exec(ledger->file, ledger_file_schema[i], NULL, NULL, NULL) != SQLITE_OK)
      return ledger_file_trouble(ledger, "make the ledger");
  if (sqlite3_exec(ledger->file, "INSERT INTO head VALUES (1, 0, zeroblob(32), 0); COMMIT", NULL, NULL, NULL) !=
      SQLITE_OK)
    return ledger_file_trouble(ledger, "make the ledger");
  return EXIT_OK;
}

static int ledger_file_check_schema(struct ledger *ledger) {
  sqlite3_stmt *statement;
  size_t seen = 0;
  int step, same = 1;
  if (sqlite3_prepare_v2(ledger->file, "SELECT sql FROM sqlite_schema ORDER BY rowid", -1, &statement, NULL))
    return ledger_file_trouble(ledger, "read the ledger");
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *sql = (const char *)sqlite3_column_text(statement, 0);
    if (!sql || seen >= LEDGER_FILE_STATEMENTS || strcmp(sql, ledger_file_schema[seen]) != 0) same = 0;
    seen++;
  }
  sqlite3_finalize(statement);
  if (step != SQLITE_DONE) return ledger_file_trouble(ledger, "read the ledger");
  if (!same || seen != LEDGER_FILE_STATEMENTS) return ledger_file_damaged(ledger, "its tables were changed");
  return EXIT_OK;
}

static int ledger_file_check_version(struct ledger *ledger) {
  char text[32];
  int differs;
  snprintf(text, sizeof text, "%d", LEDGER_FILE_MAGIC);
  differs = ledger_file_pragma(ledger, "PRAGMA application_id", text);
  if (differs < 0) return ledger_file_trouble(ledger, "read the ledger");
  if (differs) return error_report(EXIT_INPUT, "%s: not a ledger", ledger->path);
  text[0] = 0;
  if (sqlite3_exec(ledger->file, "PRAGMA user_version", ledger_file_keep_word, text, NULL) != SQLITE_OK)
    return ledger_file_trouble(ledger, "read the ledger");
  if (strtol(text, NULL, 10) != LEDGER_VERSION)
    return error_report(EXIT_INPUT, "%s: a ledger of version %s; this program reads version %d", ledger->path, text,
                        LEDGER_VERSION);
  return EXIT_OK;
}

int ledger_file_check(struct ledger *ledger) {
  int code = ledger_file_check_version(ledger), differs;
  if (!code) code = ledger_file_check_schema(ledger);
  if (code) return code;
  differs = ledger_file_pragma(ledger, "PRAGMA integrity_check(1)", "ok");
  if (differs < 0) return ledger_file_trouble(ledger, "read the ledger");
  if (differs) return ledger_file_damaged(ledger, "its pages do not fit together");
  return EXIT_OK;
}

/* Two that come together can each hold what the other
 * needs, and SQLite in exclusive mode lets go of nothing: so whoever is refused closes, waits a while of its own, and
 * comes again until its patience is over. */
int ledger_file_seize(struct ledger *ledger, const char *path) {
  int waited = 0;
  for (;;) {
    struct timespec now, pause = {0, 0};
    int code = ledger_file_connect(ledger, path);
    if (code) return code;
    sqlite3_busy_timeout(ledger->file, LEDGER_FILE_PATIENCE / 20);
    if (sqlite3_exec(ledger->file, "BEGIN EXCLUSIVE; COMMIT", NULL, NULL, NULL) == SQLITE_OK) break;
    if ((sqlite3_errcode(ledger->file) & 0xff) != SQLITE_BUSY || waited >= LEDGER_FILE_PATIENCE)
      return ledger_file_trouble(ledger, "lock the ledger");
    sqlite3_close(ledger->file);
    ledger->file = NULL;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pause.tv_nsec = 10000000 + (now.tv_nsec ^ (long)getpid() * 7919) % 50000000;
    nanosleep(&pause, NULL);
    waited += LEDGER_FILE_PATIENCE / 20 + (int)(pause.tv_nsec / 1000000);
  }
  sqlite3_busy_timeout(ledger->file, LEDGER_FILE_PATIENCE);
  if (sqlite3_db_readonly(ledger->file, "main") != 0)
    return error_report(EXIT_INPUT, "%s: the ledger is read-only", ledger->path);
  return EXIT_OK;
}

/* The mark is there before the file says that a process is at work, and the file says
 * so, without FILE-wal, before there is a row. */
int ledger_file_arm(struct ledger *ledger) {
  static const char *const settings[][3] = {{"PRAGMA journal_mode=WAL", "PRAGMA journal_mode", "wal"}};
  char *name = ledger_file_beside(ledger->path, "-mark");
  int code;
  if (!name) return memory_short();
  ledger->mark = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  free(name);
  ledger->armed = ledger->mark >= 0;
  if (!ledger->armed || ledger_file_write_mark(ledger, 0) || ledger_file_write_mark(ledger, 1) || fsync(ledger->mark) ||
      ledger_file_sync_directory(ledger->path))
    return error_report(EXIT_SYSTEM, "%s: cannot open the ledger: %s", ledger->path, strerror(errno));
  code = ledger_file_settle(ledger, settings, 1);
  if (code) return code;
  if (sqlite3_exec(ledger->file, "UPDATE head SET at_work = 1", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_wal_checkpoint_v2(ledger->file, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) != SQLITE_OK)
    return ledger_file_trouble(ledger, "open the ledger");
  return EXIT_OK;
}

static void ledger_file_remove(const struct ledger *ledger, const char *suffix) {
  char *name = ledger_file_beside(ledger->path, suffix);
  if (name) unlink(name);
  free(name);
}

/* A
 * ledger that was made here and got no row is removed while the lock is held, when no other process can be at work on it:
 * rows are 1 only after the lock was taken and the file read, and before a row was tried. */
static void ledger_file_disarm(struct ledger *ledger) {
  int is_unused = ledger->is_new && ledger->rows == 1 && !ledger_file_has_moved(ledger);
  int is_clean = ledger->armed && !ledger->broken &&
                 sqlite3_exec(ledger->file, "UPDATE head SET at_work = 0", NULL, NULL, NULL) == SQLITE_OK &&
                 ledger_file_pragma(ledger, "PRAGMA journal_mode=DELETE", "delete") == 0;
  if (is_unused) ledger_file_remove(ledger, "");
  if (sqlite3_close(ledger->file) != SQLITE_OK) is_clean = 0;
  ledger->file = NULL;
  if (ledger->armed) close(ledger->mark);
  if (is_unused) ledger_file_remove(ledger, "-wal"), ledger_file_remove(ledger, "-journal");
  if (is_unused || is_clean) ledger_file_remove(ledger, "-mark");
  ledger_lock_drop(ledger, is_unused);
}

/* In a forked process sqlite3_close would take the parent's lock for its own, move the rows and remove FILE-wal, to which
 * the parent goes on writing: there the connection is left as it is. */
void ledger_file_close(struct ledger *ledger) {
  if (!process_is_this(&ledger->owner)) ledger->file = NULL;
  if (ledger->file && !ledger->look && ledger->path) ledger_file_disarm(ledger);
  sqlite3_close(ledger->file);
  ledger->file = NULL;
  ledger_lock_drop(ledger, 0);
}

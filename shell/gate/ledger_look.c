#include "gate/ledger_look.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "gate/ledger_lock.h"

#define LEDGER_LOOK_TRIES 20     /* until nothing was moved into FILE while it was copied */
#define LEDGER_LOOK_BLOCK 65536u /* bytes at a time */

/* By our lock or by SQLite's: while either is held nothing may be opened that writes when it is closed. */
static int ledger_look_is_in_use(const char *path) {
  sqlite3 *file = NULL;
  int is_busy = ledger_lock_is_held(path);
  if (is_busy) return 1;
  is_busy = sqlite3_open_v2(path, &file, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
            sqlite3_exec(file, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_BUSY;
  sqlite3_close(file);
  return is_busy;
}

/* Copies one file, if it exists. Returns 0, or -1 with errno set. */
static int ledger_look_copy(const char *from, const char *to) {
  char block[LEDGER_LOOK_BLOCK];
  int in = open(from, O_RDONLY | O_CLOEXEC), out, failed = 0;
  ssize_t got = 1;
  if (in < 0) return errno == ENOENT ? 0 : -1;
  out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  while (out >= 0 && !failed && (got = read(in, block, sizeof block)) > 0)
    failed = write(out, block, (size_t)got) != got;
  close(in);
  if (out < 0) return -1;
  return close(out) || failed || got < 0 ? -1 : 0;
}

/* The ledger, the rows that are not in it yet, and its mark: this first, so that rows which come meanwhile may be in the copy,
 * but none that the mark knows may be missing. */
static int ledger_look_copy_parts(const struct ledger_look *look, const char *path) {
  static const char *const parts[] = {"-mark", "", "-wal"};
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < sizeof parts / sizeof *parts; i++) {
    char *from = NULL, *to = NULL;
    code = memory_print(&from, "%s%s", path, parts[i]);
    if (!code) code = memory_print(&to, "%s%s", look->file, parts[i]);
    if (!code && ledger_look_copy(from, to))
      code = error_report(EXIT_SYSTEM, "%s: cannot copy the ledger: %s", from, strerror(errno));
    free(from);
    free(to);
  }
  return code;
}

/* FILE changes only when rows are moved into it, which is seldom. */
static int ledger_look_has_changed(const char *path, const struct stat *before) {
  struct stat after;
  return stat(path, &after) || after.st_size != before->st_size || after.st_mtim.tv_sec != before->st_mtim.tv_sec ||
         after.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

static int ledger_look_take(struct ledger_look *look, const char *path) {
  const char *place = getenv("TMPDIR");
  struct stat before;
  int tries = 0, code = memory_print(&look->folder, "%s/fumata.XXXXXX", place && *place ? place : "/tmp");
  if (code) return code;
  if (!mkdtemp(look->folder)) {
    code = error_report(EXIT_SYSTEM, "%s: cannot make a folder: %s", look->folder, strerror(errno));
    free(look->folder);
    look->folder = NULL;
    return code;
  }
  code = memory_print(&look->file, "%s/ledger", look->folder);
  do {
    if (!code && stat(path, &before)) code = error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
    if (!code) code = ledger_look_copy_parts(look, path);
  } while (!code && ledger_look_has_changed(path, &before) && ++tries < LEDGER_LOOK_TRIES);
  if (!code && tries == LEDGER_LOOK_TRIES)
    code = error_report(EXIT_REFUSED, "%s: in use by another process, and never at rest", path);
  return code;
}

int ledger_look_open(struct ledger_look *look, const char *path, const uint8_t *milestone) {
  struct ledger_options options = {.look = 1, .milestone = milestone};
  char *name, *real = NULL;
  int code;
  memset(look, 0, sizeof *look);
  code = ledger_lock_resolve(path, &real);
  if (!code && !ledger_look_is_in_use(real)) {
    free(real);
    return ledger_open(&look->ledger, path, &options);
  }
  if (!code) code = ledger_look_take(look, real);
  free(real);
  if (!code) code = ledger_open(&look->ledger, look->file, &options);
  if (!code) code = memory_print(&name, "%s", path);
  if (code) return code;
  free(look->ledger.path);
  look->ledger.path = name;
  error_note("%s: in use by another process; this is how it stands now", path);
  return EXIT_OK;
}

void ledger_look_shut(struct ledger_look *look) {
  static const char *const parts[] = {"-mark", "", "-wal", "-shm", "-journal"};
  ledger_shut(&look->ledger);
  for (size_t i = 0; look->file && i < sizeof parts / sizeof *parts; i++) {
    char *name;
    if (memory_print(&name, "%s%s", look->file, parts[i]) == EXIT_OK) unlink(name);
    free(name);
  }
  if (look->folder) rmdir(look->folder);
  free(look->file);
  free(look->folder);
}

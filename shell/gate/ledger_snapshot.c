#include "gate/ledger_snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define LEDGER_SNAPSHOT_TRIES 20     /* until nothing was moved into FILE while it was copied */
#define LEDGER_SNAPSHOT_BLOCK 65536u /* bytes at a time */

/* The mark first: rows that come meanwhile may be in the copy, but none that the mark knows may be missing. */
static const char *const ledger_snapshot_parts[] = {"-mark", "", "-wal", NULL};

int ledger_snapshot_is_needed(const char *path) {
  sqlite3 *file = NULL;
  int is_busy = sqlite3_open_v2(path, &file, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                sqlite3_exec(file, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_BUSY;
  sqlite3_close(file);
  return is_busy;
}

/* Copies one file; one that is not there is none. Returns 0, or -1 with errno set. */
static int ledger_snapshot_copy(const char *from, const char *to) {
  char block[LEDGER_SNAPSHOT_BLOCK];
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

static int ledger_snapshot_copy_parts(const struct ledger_snapshot *snapshot, const char *path) {
  int code = EXIT_OK;
  for (const char *const *part = ledger_snapshot_parts; !code && *part; part++) {
    char *from = NULL, *to = NULL;
    code = memory_print(&from, "%s%s", path, *part);
    if (!code) code = memory_print(&to, "%s%s", snapshot->file, *part);
    if (!code && ledger_snapshot_copy(from, to))
      code = error_report(EXIT_SYSTEM, "%s: cannot copy the ledger: %s", from, strerror(errno));
    free(from);
    free(to);
  }
  return code;
}

/* FILE changes only when rows are moved into it, which is seldom. */
static int ledger_snapshot_has_changed(const char *path, const struct stat *before) {
  struct stat after;
  if (stat(path, &after)) return 1;
  return after.st_size != before->st_size || after.st_mtim.tv_sec != before->st_mtim.tv_sec ||
         after.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

int ledger_snapshot_take(struct ledger_snapshot *snapshot, const char *path) {
  const char *place = getenv("TMPDIR");
  struct stat before;
  int tries = 0, code;
  memset(snapshot, 0, sizeof *snapshot);
  code = memory_print(&snapshot->folder, "%s/fumata.XXXXXX", place && *place ? place : "/tmp");
  if (code) return code;
  if (!mkdtemp(snapshot->folder)) {
    code = error_report(EXIT_SYSTEM, "%s: cannot make a folder: %s", snapshot->folder, strerror(errno));
    free(snapshot->folder);
    snapshot->folder = NULL;
    return code;
  }
  code = memory_print(&snapshot->file, "%s/ledger", snapshot->folder);
  do {
    if (!code && stat(path, &before)) code = error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
    if (!code) code = ledger_snapshot_copy_parts(snapshot, path);
  } while (!code && ledger_snapshot_has_changed(path, &before) && ++tries < LEDGER_SNAPSHOT_TRIES);
  if (!code && tries == LEDGER_SNAPSHOT_TRIES)
    code = error_report(EXIT_REFUSED, "%s: in use by another process, and never at rest", path);
  return code;
}

void ledger_snapshot_free(struct ledger_snapshot *snapshot) {
  static const char *const all[] = {"-mark", "", "-wal", "-shm", "-journal", NULL};
  for (const char *const *part = all; snapshot->file && *part; part++) {
    char *name;
    if (memory_print(&name, "%s%s", snapshot->file, *part) == EXIT_OK) unlink(name);
    free(name);
  }
  if (snapshot->folder) rmdir(snapshot->folder);
  free(snapshot->file);
  free(snapshot->folder);
  memset(snapshot, 0, sizeof *snapshot);
}

#include "command/data_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "data/reader.h"
#include "data/source.h"
#include "data/stream.h"

#define DATA_SET_BLOCK 65536 /* bytes read at a time */

/* A path, taken apart. */
struct data_set {
  char *file; /* without the range */
  uint64_t first, last;
  struct stat about;
  int is_plain; /* a regular file, which can be read twice */
};

static int data_set_find(struct data_set *set, const char *path) {
  int failed, code;
  memset(set, 0, sizeof *set);
  code = source_range(path, &set->file, &set->first, &set->last);
  if (code) return code;
  failed = strcmp(set->file, "-") ? stat(set->file, &set->about) : fstat(STDIN_FILENO, &set->about);
  if (failed) return error_report(EXIT_INPUT, "%s: cannot read: %s", set->file, strerror(errno));
  set->is_plain = S_ISREG(set->about.st_mode) && strcmp(set->file, "-") != 0;
  return EXIT_OK;
}

/* ---- the ledger ---- */

/* Can a file be made there? A trial says more than permissions do. */
static int data_set_try(const char *ledger) {
  char *trial;
  int fd, code = memory_print(&trial, "%s.new.XXXXXX", ledger);
  if (code) return code;
  fd = mkstemp(trial);
  if (fd < 0)
    code = error_report(EXIT_INPUT, "%s: no ledger can be made beside the private file: %s; say --ledger FILE", ledger,
                        strerror(errno));
  else
    close(fd), unlink(trial);
  free(trial);
  return code;
}

static int data_set_beside(const struct data_set *set, char **ledger) {
  struct stat named;
  char *real = NULL;
  int code;
  if (S_ISDIR(set->about.st_mode)) return error_report(EXIT_INPUT, "%s: cannot read: Is a directory", set->file);
  if (!set->is_plain)
    return error_report(EXIT_INPUT, "%s: no plain file, so no ledger beside it; say --ledger FILE", set->file);
  if (lstat(set->file, &named) == 0 && S_ISLNK(named.st_mode)) real = realpath(set->file, NULL);
  code = memory_print(ledger, "%s.ledger", real ? real : set->file);
  free(real);
  return code;
}

int data_set_ledger(const char *path, char **ledger) {
  struct data_set set;
  int code = data_set_find(&set, path);
  *ledger = NULL;
  if (!code) code = data_set_beside(&set, ledger);
  if (!code) code = data_set_try(*ledger);
  free(set.file);
  return code;
}

/* ---- the tie ---- */

static int data_set_digest(const char *file, struct digest *digest) {
  FILE *stream = fopen(file, "rbe");
  char *block;
  size_t got;
  int code = memory_take(&block, DATA_SET_BLOCK, 1);
  if (!code && !stream) code = error_report(EXIT_INPUT, "%s: cannot read: %s", file, strerror(errno));
  while (!code && (got = fread(block, 1, DATA_SET_BLOCK, stream)) > 0)
    digest_add(digest, block, got);
  if (!code && ferror(stream)) code = error_report(EXIT_SYSTEM, "%s: cannot read: %s", file, strerror(errno));
  if (stream) fclose(stream);
  free(block);
  return code;
}

static int data_set_tie_file(struct ledger *ledger, const struct data_set *set, int same) {
  uint8_t value[DIGEST_SIZE];
  struct digest digest;
  int code;
  if (!set->is_plain && (same || ledger->data_count == 0)) return EXIT_OK;
  if (!set->is_plain)
    return error_report(EXIT_REFUSED, "%s: the ledger belongs to a file, and %s is none; --same-data-set if it is one",
                        ledger->path, set->file);
  ledger_salt(ledger, &digest);
  code = data_set_digest(set->file, &digest);
  if (code) return code;
  digest_read(&digest, value);
  return ledger_tie(ledger, value, set->file, same);
}

int data_set_tie(struct ledger *ledger, const char *path, int same) {
  struct data_set set;
  int code = data_set_find(&set, path);
  if (!code) code = data_set_tie_file(ledger, &set, same);
  free(set.file);
  return code;
}

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
  char *file;   /* without range and labels */
  char *labels; /* or NULL */
  uint64_t first, last;
  struct stat about;
  int is_plain; /* a regular file, which can be read twice */
};

static int data_set_find(struct data_set *set, const char *path) {
  int failed, code;
  memset(set, 0, sizeof *set);
  code = source_range(path, &set->file, &set->labels, &set->first, &set->last);
  if (code) return code;
  failed = strcmp(set->file, "-") ? stat(set->file, &set->about) : fstat(STDIN_FILENO, &set->about);
  if (failed) return error_report(EXIT_INPUT, "%s: cannot read: %s", set->file, strerror(errno));
  set->is_plain = S_ISREG(set->about.st_mode) && strcmp(set->file, "-") != 0;
  return EXIT_OK;
}

static void data_set_forget(struct data_set *set) {
  free(set->file);
  free(set->labels);
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
  data_set_forget(&set);
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
  data_set_forget(&set);
  return code;
}

/* ---- the private file under another name ---- */

static int data_set_is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Do two streams have the same bytes to the end? `block` is room for two blocks. */
static int data_set_compare(struct stream *a, struct stream *b, char *block, int *same) {
  size_t got[2];
  do {
    int code = stream_read(a, block, DATA_SET_BLOCK, &got[0]);
    if (!code) code = stream_read(b, block + DATA_SET_BLOCK, DATA_SET_BLOCK, &got[1]);
    if (code) return code;
    *same = got[0] == got[1] && !memcmp(block, block + DATA_SET_BLOCK, got[0]);
  } while (*same && got[0] == DATA_SET_BLOCK);
  return EXIT_OK;
}

/* The same bytes, packed or not? */
static int data_set_has_same_bytes(const struct data_set *a, const struct data_set *b, int *same) {
  struct stream left, right;
  char *block = NULL;
  int code = stream_open(&left, a->file);
  *same = 0;
  if (code) return code;
  code = stream_open(&right, b->file);
  if (!code) {
    if (!(left.is_plain && right.is_plain && left.size != right.size)) {
      code = memory_take(&block, 2, DATA_SET_BLOCK);
      if (!code) code = data_set_compare(&left, &right, block, same);
    }
    stream_close(&right);
  }
  stream_close(&left);
  free(block);
  return code;
}

/* The file of labels that a path names, or that belongs to idx images by their name; to be freed. */
static char *data_set_labels(const struct data_set *set) {
  return set->labels ? memory_copy(set->labels, strlen(set->labels)) : reader_guess(set->file);
}

int data_set_add(const char *path, const char *option, struct digest *digest) {
  struct data_set set;
  char *labels = NULL;
  int code = data_set_find(&set, path);
  if (!code && !set.is_plain)
    code = error_report(EXIT_INPUT, "%s %s: no plain file, so other machines cannot read the same", option, path);
  if (!code) {
    labels = data_set_labels(&set);
    digest_add_u64(digest, set.first);
    digest_add_u64(digest, set.last);
    digest_add_u64(digest, (uint64_t)set.about.st_size);
    code = data_set_digest(set.file, digest);
  }
  if (!code && labels) code = data_set_digest(labels, digest);
  free(labels);
  data_set_forget(&set);
  return code;
}

/* Is one file of labels given to both? */
static int data_set_shares_labels(const struct data_set *a, const struct data_set *b) {
  char *left = data_set_labels(a), *right = data_set_labels(b);
  struct stat about[2];
  int shares = left && right && stat(left, &about[0]) == 0 && stat(right, &about[1]) == 0 &&
               data_set_is_same_file(&about[0], &about[1]);
  free(left);
  free(right);
  return shares;
}

/* A file that cannot be read is not the same; whoever reads its records will say what is wrong with it. */
static int data_set_overlaps(const struct data_set *a, const struct data_set *b) {
  char unsaid[64];
  int same;
  if (a->first >= b->last || b->first >= a->last) return 0;
  if (data_set_is_same_file(&a->about, &b->about) || data_set_shares_labels(a, b)) return 1;
  if (!a->is_plain || !b->is_plain) return 0;
  error_capture(unsaid, sizeof unsaid);
  if (data_set_has_same_bytes(a, b, &same)) same = 0;
  error_capture(NULL, 0);
  return same;
}

int data_set_apart(const char *path, const char *other, const char *option) {
  struct data_set mine = {0}, theirs = {0};
  int code;
  if (!path || !other) return EXIT_OK;
  code = data_set_find(&mine, path);
  if (!code) code = data_set_find(&theirs, other);
  if (!code && data_set_overlaps(&mine, &theirs))
    code = error_report(EXIT_INPUT, "%s %s: this is the private file, or shares records with it", option, other);
  data_set_forget(&mine);
  data_set_forget(&theirs);
  return code;
}

#include "data/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "data/reader.h"
#include "data/source.h"
#include "data/stream.h"

#define IDENTITY_BLOCK 65536 /* bytes read at a time */

/* A path, taken apart. */
struct identity {
  char *file;   /* without range and labels */
  char *labels; /* that the path names, or that belong to idx images by their name; or NULL */
  uint64_t first, last;
  struct stat about;
  int is_plain; /* a regular file, which can be read twice */
};

static int identity_find(struct identity *set, const char *path) {
  int failed, code;
  memset(set, 0, sizeof *set);
  code = source_range(path, &set->file, &set->labels, &set->first, &set->last);
  if (code) return code;
  failed = strcmp(set->file, "-") ? stat(set->file, &set->about) : fstat(STDIN_FILENO, &set->about);
  if (failed) return error_report(EXIT_INPUT, "%s: cannot read: %s", set->file, strerror(errno));
  set->is_plain = S_ISREG(set->about.st_mode) && strcmp(set->file, "-") != 0;
  if (!set->labels) set->labels = reader_guess(set->file);
  return EXIT_OK;
}

static void identity_forget(struct identity *set) {
  free(set->file);
  free(set->labels);
}

int identity_file(const char *path, char **file) {
  char *labels;
  uint64_t first, last;
  int code = source_range(path, file, &labels, &first, &last);
  free(labels);
  return code;
}

int identity_labels(const char *path, char **labels) {
  struct identity set;
  int code = identity_find(&set, path);
  *labels = code ? NULL : set.labels;
  if (!code) set.labels = NULL;
  identity_forget(&set);
  return code;
}

int identity_range(const char *path, char **range) {
  struct identity set;
  int code = identity_find(&set, path);
  if (!code && (set.first || set.last != UINT64_MAX))
    code = memory_print(range, "@%" PRIu64 ":%" PRIu64, set.first, set.last);
  else if (!code)
    code = memory_print(range, "%s", "");
  else
    *range = NULL;
  identity_forget(&set);
  return code;
}

int identity_add(const char *path, const char *option, struct digest *digest) {
  struct identity set;
  int code = identity_find(&set, path);
  if (!code && !set.is_plain)
    code = error_report(EXIT_INPUT, "%s %s: no plain file, so other machines cannot read the same", option, path);
  if (!code) {
    digest_add_u64(digest, set.first);
    digest_add_u64(digest, set.last);
    digest_add_u64(digest, (uint64_t)set.about.st_size);
    code = digest_add_file(digest, set.file);
  }
  if (!code && set.labels) code = digest_add_file(digest, set.labels);
  identity_forget(&set);
  return code;
}

/* ---- two of them ---- */

/* Do two streams have the same bytes to the end? `block` is room for two blocks. */
static int identity_compare(struct stream *a, struct stream *b, char *block, int *same) {
  size_t got[2];
  do {
    int code = stream_read(a, block, IDENTITY_BLOCK, &got[0]);
    if (!code) code = stream_read(b, block + IDENTITY_BLOCK, IDENTITY_BLOCK, &got[1]);
    if (code) return code;
    *same = got[0] == got[1] && !memcmp(block, block + IDENTITY_BLOCK, got[0]);
  } while (*same && got[0] == IDENTITY_BLOCK);
  return EXIT_OK;
}

/* The same bytes, packed or not? */
static int identity_has_same_bytes(const struct identity *a, const struct identity *b, int *same) {
  struct stream left, right;
  char *block = NULL;
  int code = stream_open(&left, a->file);
  *same = 0;
  if (code) return code;
  code = stream_open(&right, b->file);
  if (!code) {
    if (!(left.is_plain && right.is_plain && left.size != right.size)) {
      code = memory_take(&block, 2, IDENTITY_BLOCK);
      if (!code) code = identity_compare(&left, &right, block, same);
    }
    stream_close(&right);
  }
  stream_close(&left);
  free(block);
  return code;
}

static int identity_is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A file that cannot be read is not the same; whoever reads its records will say what is wrong with it. */
static int identity_overlaps(const struct identity *a, const struct identity *b) {
  struct stat left, right;
  char unsaid[64];
  int same;
  if (a->first >= b->last || b->first >= a->last) return 0;
  if (identity_is_same_file(&a->about, &b->about)) return 1;
  if (a->labels && b->labels && stat(a->labels, &left) == 0 && stat(b->labels, &right) == 0 &&
      identity_is_same_file(&left, &right))
    return 1;
  if (!a->is_plain || !b->is_plain) return 0;
  error_capture(unsaid, sizeof unsaid);
  if (identity_has_same_bytes(a, b, &same)) same = 0;
  error_capture(NULL, 0);
  return same;
}

int identity_named_apart(const char *path, const char *other, const char *option) {
  struct identity mine = {0}, theirs = {0};
  int code;
  if (!path || !other) return EXIT_OK;
  code = identity_find(&mine, path);
  if (!code) code = identity_find(&theirs, other);
  if (!code && mine.about.st_ino == theirs.about.st_ino && mine.about.st_dev == theirs.about.st_dev &&
      mine.first < theirs.last && theirs.first < mine.last)
    code = error_report(EXIT_INPUT, "%s %s: this is the private file, or shares records with it", option, other);
  identity_forget(&mine);
  identity_forget(&theirs);
  return code;
}

int identity_apart(const char *path, const char *other, const char *option) {
  struct identity mine = {0}, theirs = {0};
  int code;
  if (!path || !other) return EXIT_OK;
  code = identity_find(&mine, path);
  if (!code) code = identity_find(&theirs, other);
  if (!code && identity_overlaps(&mine, &theirs))
    code = error_report(EXIT_INPUT, "%s %s: this is the private file, or shares records with it", option, other);
  identity_forget(&mine);
  identity_forget(&theirs);
  return code;
}

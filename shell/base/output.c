#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- folders ---- */

static int output_is_folder(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return 0;
  return S_ISDIR(about.st_mode);
}

/* How much of the path is there: it ends before a slash, or is all or nothing of it. */
static size_t output_kept(char *path) {
  size_t length = strlen(path);
  while (length && !output_is_folder(path)) {
    while (length && path[length - 1] == '/')
      length--;
    while (length && path[length - 1] != '/')
      length--;
    path[length] = '\0';
  }
  return length;
}

int output_make_folder(const char *path, size_t *kept) {
  char part[PATH_MAX];
  size_t length = strlen(path), at;
  *kept = length;
  if (length >= sizeof part) return errno = ENAMETOOLONG, -1;
  memcpy(part, path, length + 1);
  *kept = at = output_kept(part);
  while (at < length) {
    at += strspn(path + at, "/");
    at += strcspn(path + at, "/");
    memcpy(part, path, at);
    part[at] = '\0';
    if (mkdir(part, 0777) != 0) {
      int cause = errno == EEXIST ? ENOTDIR : errno;
      if (output_is_folder(part)) continue; /* another process has made it meanwhile */
      output_unmake_folder(part, *kept);
      return errno = cause, -1;
    }
  }
  return 0;
}

void output_unmake_folder(const char *path, size_t kept) {
  char part[PATH_MAX];
  size_t length = strlen(path);
  if (length >= sizeof part) return;
  memcpy(part, path, length + 1);
  while (length > kept) {
    rmdir(part);
    while (length && part[length - 1] != '/')
      length--;
    while (length > kept && part[length - 1] == '/')
      length--;
    part[length] = '\0';
  }
}

/* ---- files ---- */

static void output_free(struct output *output) {
  free(output->path);
  free(output->temporary);
  free(output->folder);
  memset(output, 0, sizeof *output);
}

/* Forgets the file and says why it cannot be had. */
static int output_fail(struct output *output, int cause) {
  int code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", output->path, strerror(cause));
  output_free(output);
  return code;
}

static int output_is_file(const char *path, size_t length, const struct stat *there) {
  char *file = memory_copy(path, length);
  struct stat about;
  int is_same = file && stat(file, &about) == 0 && about.st_dev == there->st_dev && about.st_ino == there->st_ino;
  free(file);
  return is_same;
}

/* The folder as it is, and the name in it; to be freed. NULL: no such folder, or no memory. */
static char *output_resolve(const char *path) {
  char folder[PATH_MAX], name[PATH_MAX], real[PATH_MAX], *whole;
  if (strlen(path) >= PATH_MAX) return NULL;
  whole = realpath(path, NULL);
  if (whole) return whole;
  strcpy(folder, path);
  strcpy(name, path);
  if (!realpath(dirname(folder), real)) return NULL;
  return memory_print(&whole, "%s/%s", real, basename(name)) ? NULL : whole;
}

int output_is_same(const char *one, const char *other) {
  char *a = output_resolve(one), *b = output_resolve(other);
  int is_same = strcmp(one, other) == 0 || (a && b && strcmp(a, b) == 0);
  free(a);
  free(b);
  return is_same;
}

/* What SQLite and gate/ledger_file.c write at the beginning of a ledger. */
static int output_is_ledger(const char *path) {
  char bytes[72];
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
  if (fd >= 0) close(fd);
  return size == sizeof bytes && !memcmp(bytes, "SQLite format 3", 16) && !memcmp(bytes + 68, "FUMA", 4);
}

/* Does this name of an input stand for the file: standard input, or FILE[,LABELS][@FIRST:LAST]? */
static int output_is_input(const char *input, const struct stat *there) {
  const char *end = input + strlen(input), *range = strrchr(input, '@'), *comma;
  struct stat about;
  if (strcmp(input, "-") == 0)
    return fstat(STDIN_FILENO, &about) == 0 && about.st_dev == there->st_dev && about.st_ino == there->st_ino;
  if (output_is_file(input, (size_t)(end - input), there)) return 1;
  if (range) end = range;
  for (comma = input; (comma = memchr(comma, ',', (size_t)(end - comma))) != NULL; comma++)
    if (output_is_file(input, (size_t)(comma - input), there) ||
        output_is_file(comma + 1, (size_t)(end - comma - 1), there))
      return 1;
  return output_is_file(input, (size_t)(end - input), there);
}

int output_allow(const char *path, int force, const char *const *inputs) {
  struct stat there;
  int is_there = stat(path, &there) == 0;
  if (is_there && !S_ISREG(there.st_mode)) return EXIT_OK;
  for (; *inputs; inputs++)
    if ((is_there && output_is_input(*inputs, &there)) || (**inputs && output_is_same(path, *inputs)))
      return error_report(EXIT_INPUT, "%s: this is an input (%s); results are never written onto one", path, *inputs);
  if (is_there && output_is_ledger(path))
    return error_report(EXIT_INPUT, "%s: this is a ledger; results are never written onto one", path);
  if (force || !is_there) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: exists already; --force overwrites it", path);
}

/* The stream of a file descriptor, or what went wrong with either. */
static int output_take(struct output *output, int fd) {
  int cause = errno;
  if (fd >= 0 && !(output->stream = fdopen(fd, "w"))) {
    cause = errno;
    close(fd);
  }
  if (output->stream) return EXIT_OK;
  if (output->temporary) unlink(output->temporary);
  output_unmake_folder(output->folder, output->kept);
  return output_fail(output, cause);
}

/* mkstemp makes the file private; the finished one gets the mode any new file gets. */
static int output_begin(struct output *output) {
  mode_t mask = umask(0);
  int fd, code = memory_print(&output->temporary, "%s.XXXXXX", output->path);
  umask(mask);
  if (code) {
    output_free(output);
    return code;
  }
  fd = mkstemp(output->temporary);
  if (fd >= 0 && fchmod(fd, 0666 & ~mask) != 0) {
    close(fd);
    fd = -1;
  }
  return output_take(output, fd);
}

int output_open(struct output *output, const char *path) {
  struct stat about;
  char *copy = NULL; /* for dirname to cut */
  int is_there = stat(path, &about) == 0, code;
  memset(output, 0, sizeof *output);
  code = memory_print(&output->path, "%s", path);
  if (!code) code = memory_print(&copy, "%s", path);
  if (!code) code = memory_print(&output->folder, "%s", dirname(copy));
  free(copy);
  if (code) {
    output_free(output);
    return code;
  }
  output->kept = strlen(output->folder);
  /* A pipe or a device is written where it is; nothing takes its place. */
  if (is_there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
    return output_take(output, open(path, O_WRONLY | O_CLOEXEC));
  if (!*path) return output_fail(output, ENOENT);
  if (is_there && S_ISDIR(about.st_mode)) return output_fail(output, EISDIR);
  output->replaces = is_there;
  if (output_make_folder(output->folder, &output->kept) != 0) return output_fail(output, errno);
  return output_begin(output);
}

int output_sync_folder(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed;
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

int output_rename(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  /* A file system that does not know how: a second name does not replace a file either. */
  return link(from, to) || unlink(from) ? -1 : 0;
}

int output_reserve(struct output *output, uint64_t size) {
  int failed = output->temporary && size ? posix_fallocate(fileno(output->stream), 0, (off_t)size) : EOPNOTSUPP;
  output->is_reserved = !failed;
  if (failed != ENOSPC && failed != EDQUOT && failed != EFBIG) return EXIT_OK;
  return error_report(EXIT_SYSTEM, "%s: no room for the results: %s", output->path, strerror(failed));
}

/* All is written, and a file's bytes are on the disk. */
static int output_finish(struct output *output) {
  int failed = ferror(output->stream) || fflush(output->stream) != 0, cause;
  if (!failed && output->is_reserved) failed = ftruncate(fileno(output->stream), ftello(output->stream));
  if (!failed && output->temporary) failed = fsync(fileno(output->stream));
  cause = errno;
  if (fclose(output->stream) == 0)
    errno = cause;
  else
    failed = 1;
  return failed ? -1 : 0;
}

int output_commit(struct output *output) {
  int failed = output_finish(output);
  if (!failed && output->temporary && output->replaces && output_is_ledger(output->path)) failed = -1, errno = EEXIST;
  if (!failed && output->temporary)
    failed = (output->replaces ? rename : output_rename)(output->temporary, output->path) != 0 ||
             output_sync_folder(output->folder) != 0;
  if (failed) {
    int cause = errno;
    if (output->temporary) unlink(output->temporary);
    output_unmake_folder(output->folder, output->kept);
    return output_fail(output, cause);
  }
  output_free(output);
  return EXIT_OK;
}

int output_end(struct output *output, int code) {
  if (!code && output->stream) return output_commit(output);
  output_discard(output);
  return code;
}

void output_discard(struct output *output) {
  if (!output->stream) return;
  fclose(output->stream);
  if (output->temporary) unlink(output->temporary);
  output_unmake_folder(output->folder, output->kept);
  output_free(output);
}

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
  if (stat(path, &there) != 0 || !S_ISREG(there.st_mode)) return EXIT_OK;
  for (; *inputs; inputs++)
    if (output_is_input(*inputs, &there))
      return error_report(EXIT_INPUT, "%s: this is an input (%s); results are never written onto one", path, *inputs);
  if (force) return EXIT_OK;
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
  if (output_make_folder(output->folder, &output->kept) != 0) return output_fail(output, errno);
  return output_begin(output);
}

/* The rename itself must survive a power cut. */
static int output_rename(const struct output *output) {
  int failed = rename(output->temporary, output->path), fd;
  if (failed) return failed;
  fd = open(output->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

/* All is written, and a file's bytes are on the disk. */
static int output_finish(struct output *output) {
  int failed = ferror(output->stream) || fflush(output->stream) != 0, cause;
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
  if (!failed && output->temporary) failed = output_rename(output);
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

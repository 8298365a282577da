/* LD_PRELOAD: a disk that fails, or a machine that dies, at a chosen call.
 *
 *   FUMATA_SHIM_AT=n      the n-th call counted (from 1); absent or 0: never
 *   FUMATA_SHIM_DO=       enospc   that call and all later ones fail: the disk is full and stays full
 *                         eio      that call fails, later ones work
 *                         short    as enospc, but a write gets half of its bytes out first
 *                         before   the process dies (SIGKILL) before the call
 *                         after    the process dies after the call
 *   FUMATA_SHIM_COUNT=f   at exit, the number of calls counted is written to file f
 *   FUMATA_SHIM_LEDGER=p  only calls on files whose path starts with p are counted; and a write to any other file,
 *                         while something written to these has not been synced, ends the process with code 99. A
 *                         file whose name ends in -mark need not be synced.
 *
 * Of what stdio writes only fflush passes here; a program under test for order must use write(). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES 1024

static long at = -1, count;
static const char *mode = "", *prefix;
static char is_ours[FILES], is_dirty[FILES], is_mark[FILES];

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

static void start(void) {
  const char *text = getenv("FUMATA_SHIM_AT");
  if (at >= 0) return;
  at = text ? atol(text) : 0;
  mode = getenv("FUMATA_SHIM_DO") ? getenv("FUMATA_SHIM_DO") : "";
  prefix = getenv("FUMATA_SHIM_LEDGER");
}

__attribute__((destructor)) static void stop(void) {
  const char *path = getenv("FUMATA_SHIM_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", count);
  fclose(file);
}

static int matches(const char *path) {
  start();
  return !prefix || strncmp(path, prefix, strlen(prefix)) == 0;
}

static int counts(int fd) {
  start();
  return fd >= 0 && fd < FILES && is_ours[fd];
}

static void die(void) {
  raise(SIGKILL);
}

/* Returns the errno with which the call must fail, or 0. */
static int meet(void) {
  count++;
  if (!at || count < at) return 0;
  if (count == at && !strcmp(mode, "before")) die();
  if (!strcmp(mode, "eio")) return count == at ? EIO : 0;
  if (!strcmp(mode, "enospc") || !strcmp(mode, "short")) return ENOSPC;
  return 0;
}

static void leave(void) {
  if (count == at && !strcmp(mode, "after")) die();
}

/* A disk that is full still lets one sync, cut off and remove. */
static int meet_freeing(void) {
  int failure = meet();
  return failure == ENOSPC ? 0 : failure;
}

/* An answer must not get ahead of the ledger. */
static void check_order(int fd) {
  static const char line[] = "shim: an answer was written before the ledger was synced\n";
  int i;
  if (fd == STDERR_FILENO || !prefix) return;
  for (i = 0; i < FILES; i++)
    if (is_dirty[i]) {
      ssize_t (*real)(int, const void *, size_t) = next("write");
      real(STDERR_FILENO, line, sizeof line - 1);
      _exit(99);
    }
}

static int opened(int fd, const char *path) {
  if (fd >= 0 && fd < FILES) {
    is_ours[fd] = (char)matches(path);
    is_mark[fd] = strlen(path) > 5 && !strcmp(path + strlen(path) - 5, "-mark");
    is_dirty[fd] = 0;
  }
  return fd;
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    int (*real)(const char *, int, ...) = next(#name);                                                                 \
    va_list more;                                                                                                      \
    mode_t bits;                                                                                                       \
    int failure, fd, is_counted = matches(path) && prefix && flags & O_CREAT;                                          \
    va_start(more, flags);                                                                                             \
    bits = flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(more, unsigned) : 0;                                         \
    va_end(more);                                                                                                      \
    failure = is_counted ? meet() : 0;                                                                                 \
    if (failure) return errno = failure, -1;                                                                           \
    fd = opened(real(path, flags, bits), path);                                                                        \
    if (is_counted) leave();                                                                                           \
    return fd;                                                                                                         \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  int (*real)(int) = next("close");
  if (fd >= 0 && fd < FILES) is_ours[fd] = is_dirty[fd] = 0;
  return real(fd);
}

static ssize_t put(int fd, const void *bytes, size_t size, off_t offset, int is_at) {
  ssize_t (*real_write)(int, const void *, size_t) = next("write");
  ssize_t (*real_pwrite)(int, const void *, size_t, off_t) = next("pwrite64");
  ssize_t done;
  int failure;
  if (!counts(fd)) {
    check_order(fd);
    return is_at ? real_pwrite(fd, bytes, size, offset) : real_write(fd, bytes, size);
  }
  if (is_mark[fd]) check_order(fd); /* the mark follows the ledger, and nothing waits for it */
  failure = meet();
  if (failure && !strcmp(mode, "short") && count == at && size > 1) failure = 0, size /= 2;
  if (failure) return errno = failure, -1;
  is_dirty[fd] = !is_mark[fd];
  done = is_at ? real_pwrite(fd, bytes, size, offset) : real_write(fd, bytes, size);
  leave();
  return done;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  return put(fd, bytes, size, 0, 0);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  return put(fd, bytes, size, offset, 1);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  return put(fd, bytes, size, offset, 1);
}

#define SYNC(name)                                                                                                     \
  int name(int fd) {                                                                                                   \
    int (*real)(int) = next(#name);                                                                                    \
    int failure = 0, done;                                                                                             \
    if (counts(fd)) failure = meet_freeing();                                                                          \
    if (failure) return errno = failure, -1;                                                                           \
    done = real(fd);                                                                                                   \
    if (done == 0 && counts(fd)) {                                                                                     \
      is_dirty[fd] = 0;                                                                                                \
      leave();                                                                                                         \
    }                                                                                                                  \
    return done;                                                                                                       \
  }
SYNC(fsync)
SYNC(fdatasync)

#define CUT(name, type)                                                                                                \
  int name(int fd, type size) {                                                                                        \
    int (*real)(int, type) = next(#name);                                                                              \
    int failure = counts(fd) ? meet_freeing() : 0, done;                                                               \
    if (failure) return errno = failure, -1;                                                                           \
    done = real(fd, size);                                                                                             \
    if (counts(fd)) is_dirty[fd] = 1, leave();                                                                         \
    return done;                                                                                                       \
  }
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)

#define ROOM(name, type)                                                                                               \
  int name(int fd, type at, type size) {                                                                               \
    int (*real)(int, type, type) = next(#name);                                                                        \
    int failure = counts(fd) ? meet() : 0, done;                                                                       \
    if (failure) return failure;                                                                                       \
    done = real(fd, at, size);                                                                                         \
    if (counts(fd)) leave();                                                                                           \
    return done;                                                                                                       \
  }
ROOM(posix_fallocate, off_t)
ROOM(posix_fallocate64, off64_t)

int unlink(const char *path) {
  int (*real)(const char *) = next("unlink");
  int failure = matches(path) && prefix ? meet_freeing() : 0, done;
  if (failure) return errno = failure, -1;
  done = real(path);
  if (prefix && matches(path)) leave();
  return done;
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  int (*real)(int, const char *, int, const char *, unsigned) = next("renameat2");
  int failure = matches(to) && prefix ? meet() : 0, done;
  if (failure) return errno = failure, -1;
  done = real(from_dir, from, to_dir, to, flags);
  if (prefix && matches(to)) leave();
  return done;
}

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = next("rename");
  int failure = matches(to) && prefix ? meet() : 0, done;
  if (failure) return errno = failure, -1;
  done = real(from, to);
  if (prefix && matches(to)) leave();
  return done;
}

int mkstemp(char *path) {
  int (*real)(char *) = next("mkstemp");
  int is_counted = matches(path) && prefix, failure = is_counted ? meet() : 0, fd;
  if (failure) return errno = failure, -1;
  fd = opened(real(path), path);
  if (is_counted) leave();
  return fd;
}

/* The one write of stdio that a caller waits for. */
int fflush(FILE *file) {
  int (*real)(FILE *) = next("fflush");
  int is_counted = file && counts(fileno(file)), failure = is_counted ? meet() : 0, done;
  if (failure) return errno = failure, EOF;
  done = real(file);
  if (is_counted) leave();
  return done;
}

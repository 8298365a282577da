#include "data/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"

#ifndef STREAM_BUFFER                   /* tests/fuzz/run takes few, so that small files are read in pieces */
#define STREAM_BUFFER ((size_t)1 << 18) /* bytes read at once: stays in cache, and few calls */
#endif
#define STREAM_PIECE ((size_t)1 << 28) /* bytes asked for at most */

static int stream_unreadable(const struct stream *stream, int cause) {
  return error_report(EXIT_INPUT, "%s: cannot read: %s", stream->path, strerror(cause));
}

static int stream_damaged(const struct stream *stream, const char *how) {
  return error_report(EXIT_INPUT, "%s: the %s file is %s", stream->path, unpack_name(&stream->unpack), how);
}

/* One read of the file; *got = 0 at its end. */
static int stream_fetch(struct stream *stream, void *bytes, size_t length, size_t *got) {
  for (;;) {
    ssize_t n = read(stream->fd, bytes, length < STREAM_PIECE ? length : STREAM_PIECE);
    *got = n > 0 ? (size_t)n : 0;
    if (n < 0 && errno != EINTR) return stream_unreadable(stream, errno);
    int code = interrupt_check();
    if (code || n >= 0) return code;
  }
}

/* Files that people have and nothing here reads: better a line that helps than records of nonsense. */
static const struct {
  const char *mark;
  size_t length;
  const char *what;
} stream_strangers[] = {
    {"PAR1", 4,
     "a Parquet file; convert it: python3 -c \"import pandas, sys; "
     "pandas.read_parquet(sys.argv[1]).to_csv(sys.argv[2], "
     "index=False)\" FILE FILE.csv"},
    {"ARROW1", 6,
     "an Arrow file; convert it: python3 -c \"import pandas, sys; pandas.read_feather(sys.argv[1]).to_csv(sys.argv[2], "
     "index=False)\" FILE FILE.csv"},
    {"PK\3\4", 4, "a zip or spreadsheet file; unzip it, or save it as CSV"},
    {"BZh", 3, "packed by bzip2, which is not read; bunzip2 it, or pass <(bzcat FILE)"},
    {"SQLite format 3", 15, "an SQLite database; export a table: sqlite3 -header -csv FILE 'select * from TABLE'"}};

static int stream_check_stranger(const struct stream *stream) {
  for (size_t i = 0; i < sizeof stream_strangers / sizeof *stream_strangers; i++)
    if (stream->input_count >= stream_strangers[i].length &&
        memcmp(stream->input, stream_strangers[i].mark, stream_strangers[i].length) == 0)
      return error_report(EXIT_INPUT, "%s: this is %s", stream->path, stream_strangers[i].what);
  return EXIT_OK;
}

/* Looks at the first bytes. */
static int stream_begin(struct stream *stream) {
  size_t got = 1;
  int code = EXIT_OK;
  while (!code && got && unpack_is_undecided(stream->input, stream->input_count)) {
    code = stream_fetch(stream, stream->input + stream->input_count, STREAM_BUFFER - stream->input_count, &got);
    stream->input_count += got;
  }
  if (!code) code = stream_check_stranger(stream);
  if (!code) code = unpack_open(&stream->unpack, stream->input, stream->input_count);
  if (stream->unpack.kind) stream->is_plain = 0;
  return code;
}

/* ---- what can be read again ---- */

/* Copies of pipes, by the name under which they were given. */
static struct {
  char *path;
  int fd;
} * stream_kept;
static size_t stream_kept_count, stream_kept_capacity;

/* The descriptor of a copy, or -1. */
static int stream_find_kept(const char *path) {
  for (size_t i = 0; i < stream_kept_count; i++)
    if (strcmp(stream_kept[i].path, path) == 0) return stream_kept[i].fd;
  return -1;
}

static int stream_open_file(const char *path) {
  char again[64];
  int kept = stream_find_kept(path);
  if (kept >= 0) { /* opened anew, so that it has a place of its own */
    snprintf(again, sizeof again, "/proc/self/fd/%d", kept);
    return open(again, O_RDONLY | O_CLOEXEC);
  }
  return strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
}

int stream_open(struct stream *stream, const char *path) {
  int is_standard = strcmp(path, "-") == 0, code;
  const char *name = is_standard ? "standard input" : path;
  struct stat about;
  memset(stream, 0, sizeof *stream);
  stream->fd = -1;
  stream->path = memory_copy(name, strlen(name));
  if (!stream->path) return EXIT_SYSTEM;
  stream->fd = stream_open_file(path);
  if (stream->fd < 0 || fstat(stream->fd, &about) != 0) {
    code = stream_unreadable(stream, errno);
  } else if (S_ISDIR(about.st_mode)) {
    code = stream_unreadable(stream, EISDIR);
  } else {
    /* Standard input may already stand behind the file's first byte: its length says nothing then. */
    stream->is_plain = S_ISREG(about.st_mode) && (!is_standard || stream_find_kept(path) >= 0);
    stream->size = (uint64_t)about.st_size;
    code = memory_take(&stream->input, STREAM_BUFFER, 1);
    if (!code) code = stream_begin(stream);
  }
  if (code) stream_close(stream);
  return code;
}

/* A temporary file that has no name, or -1. */
static int stream_temporary(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  int fd;
  snprintf(path, sizeof path, "%s/fumata.XXXXXX", folder && *folder ? folder : "/tmp");
  fd = mkostemp(path, O_CLOEXEC);
  if (fd >= 0) unlink(path);
  return fd;
}

/* All bytes, unpacked. */
static int stream_copy(struct stream *from, int to) {
  unsigned char *bytes;
  size_t got = 1;
  int code = memory_take(&bytes, STREAM_BUFFER, 1);
  while (!code && got) {
    code = stream_some(from, bytes, STREAM_BUFFER, &got);
    for (size_t at = 0; !code && at < got;) {
      ssize_t n = write(to, bytes + at, got - at);
      if (n > 0)
        at += (size_t)n;
      else if (errno != EINTR)
        code = error_report(EXIT_SYSTEM, "%s: cannot keep a copy: %s", from->path, strerror(errno));
    }
  }
  free(bytes);
  return code;
}

int stream_keep(const char *path) {
  struct stat about;
  struct stream from;
  int fd, code;
  if (stream_find_kept(path) >= 0) return EXIT_OK;
  if (strcmp(path, "-") != 0 && (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
    return EXIT_OK; /* whoever opens it says what is wrong with it */
  code = memory_grow(&stream_kept, &stream_kept_capacity, stream_kept_count + 1, sizeof *stream_kept);
  if (!code) code = stream_open(&from, path);
  if (code) return code;
  fd = stream_temporary();
  code = fd < 0 ? error_report(EXIT_SYSTEM, "%s: cannot keep a copy: %s", from.path, strerror(errno))
                : stream_copy(&from, fd);
  stream_close(&from);
  stream_kept[stream_kept_count].path = code ? NULL : memory_copy(path, strlen(path));
  stream_kept[stream_kept_count].fd = fd;
  if (!code && !stream_kept[stream_kept_count].path) code = EXIT_SYSTEM;
  if (code && fd >= 0) close(fd);
  if (!code) stream_kept_count++;
  return code;
}

/* More packed bytes, if none are left; *is_end at the end of the last member. */
static int stream_refill(struct stream *stream, int *is_end) {
  int code;
  *is_end = 0;
  if (stream->input_at < stream->input_count) return EXIT_OK;
  code = stream_fetch(stream, stream->input, STREAM_BUFFER, &stream->input_count);
  stream->input_at = 0;
  if (code || stream->input_count) return code;
  *is_end = 1;
  return stream->is_between ? EXIT_OK : stream_damaged(stream, "cut off");
}

/* Unpacks until there is at least one byte, or *got = 0 at the end of the last member. */
static int stream_unpack(struct stream *stream, void *bytes, size_t length, size_t *got) {
  *got = 0;
  while (*got == 0) {
    struct unpack_step step;
    enum unpack_result result;
    int is_end, code = stream_refill(stream, &is_end);
    if (code || is_end) return code;
    if (stream->is_between) unpack_again(&stream->unpack);
    step =
        (struct unpack_step){stream->input + stream->input_at, stream->input_count - stream->input_at, bytes, length};
    result = unpack_run(&stream->unpack, &step);
    stream->input_at = stream->input_count - step.in_size;
    stream->is_between = result == UNPACK_END;
    *got = length - step.out_size;
    if (result == UNPACK_MEMORY) return memory_short();
    if (result == UNPACK_DAMAGED) return stream_damaged(stream, "damaged");
  }
  return EXIT_OK;
}

/* Hands out up to `length` of the bytes from[*at .. count - 1]; returns how many. */
static size_t stream_hand_out(const unsigned char *from, size_t *at, size_t count, void *bytes, size_t length) {
  size_t n = count - *at < length ? count - *at : length;
  if (n)
    memcpy(bytes, from + *at, n); // NOLINT(clang-analyzer-core.NonNullParamChecker): a buffer with bytes left is there
  *at += n;
  return n;
}

int stream_some(struct stream *stream, void *bytes, size_t length, size_t *got) {
  *got = stream_hand_out(stream->ahead, &stream->ahead_at, stream->ahead_count, bytes, length);
  if (*got || length == 0) return EXIT_OK;
  if (stream->unpack.kind) return stream_unpack(stream, bytes, length, got);
  *got = stream_hand_out(stream->input, &stream->input_at, stream->input_count, bytes, length);
  return *got ? EXIT_OK : stream_fetch(stream, bytes, length, got);
}

int stream_read(struct stream *stream, void *bytes, size_t length, size_t *got) {
  *got = 0;
  while (*got < length) {
    size_t more;
    int code = stream_some(stream, (unsigned char *)bytes + *got, length - *got, &more);
    if (code) return code;
    if (more == 0) break;
    *got += more;
  }
  return EXIT_OK;
}

static int stream_look_ahead(struct stream *stream) {
  unsigned char *ahead;
  size_t count = 0, more = 1;
  int code = memory_take(&ahead, STREAM_PEEK, 1);
  while (!code && more && count < STREAM_PEEK && !memchr(ahead, '\n', count)) {
    code = stream_some(stream, ahead + count, STREAM_PEEK - count, &more);
    count += more;
  }
  if (code) {
    free(ahead);
    return code;
  }
  stream->ahead = ahead;
  stream->ahead_count = count;
  return EXIT_OK;
}

int stream_peek(struct stream *stream, const unsigned char **bytes, size_t *got) {
  int code = stream->ahead ? EXIT_OK : stream_look_ahead(stream);
  if (code) return code;
  *bytes = stream->ahead;
  *got = stream->ahead_count;
  return EXIT_OK;
}

void stream_close(struct stream *stream) {
  unpack_close(&stream->unpack);
  if (stream->fd >= 0 && stream->path) close(stream->fd);
  free(stream->input);
  free(stream->path);
  free(stream->ahead);
  memset(stream, 0, sizeof *stream);
}

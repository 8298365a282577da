#include "data/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"

#define STREAM_BUFFER ((size_t)1 << 18) /* bytes read at once: stays in cache, and few calls */
#define STREAM_PIECE  ((size_t)1 << 28) /* zlib counts in unsigned int */

static int stream_unreadable(const struct stream *stream, int cause) {
  return error_report(EXIT_INPUT, "%s: cannot read: %s", stream->path, strerror(cause));
}

static int stream_damaged(const struct stream *stream, const char *how) {
  return error_report(EXIT_INPUT, "%s: the gzip file is %s", stream->path, how);
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

/* Recognises gzip by its first two bytes. */
static int stream_begin(struct stream *stream) {
  z_stream *inflater;
  size_t got;
  int code;
  while (stream->input_count < 2) {
    code = stream_fetch(stream, stream->input + stream->input_count, STREAM_BUFFER - stream->input_count, &got);
    if (code) return code;
    if (got == 0) return EXIT_OK;
    stream->input_count += got;
  }
  if (stream->input[0] != 0x1f || stream->input[1] != 0x8b) return EXIT_OK;
  code = memory_take(&inflater, 1, sizeof *inflater);
  if (!code && inflateInit2(inflater, MAX_WBITS + 16) != Z_OK) code = memory_short();
  if (code) {
    free(inflater);
    return code;
  }
  stream->inflater = inflater;
  stream->is_packed = 1;
  stream->is_plain = 0;
  return EXIT_OK;
}

int stream_open(struct stream *stream, const char *path) {
  int is_standard = strcmp(path, "-") == 0, code;
  const char *name = is_standard ? "standard input" : path;
  struct stat about;
  memset(stream, 0, sizeof *stream);
  stream->fd = -1;
  stream->path = memory_copy(name, strlen(name));
  if (!stream->path) return EXIT_SYSTEM;
  stream->fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
  if (stream->fd < 0 || fstat(stream->fd, &about) != 0) {
    code = stream_unreadable(stream, errno);
  } else if (S_ISDIR(about.st_mode)) {
    code = stream_unreadable(stream, EISDIR);
  } else {
    /* Standard input may already stand behind the file's first byte: its length says nothing then. */
    stream->is_plain = !is_standard && S_ISREG(about.st_mode);
    stream->size = (uint64_t)about.st_size;
    code = memory_take(&stream->input, STREAM_BUFFER, 1);
    if (!code) code = stream_begin(stream);
  }
  if (code) stream_close(stream);
  return code;
}

/* Unpacks until there is at least one byte, or *got = 0 at the end of the last member. */
static int stream_unpack(struct stream *stream, void *bytes, size_t length, size_t *got) {
  z_stream *inflater = stream->inflater;
  inflater->next_out = bytes;
  inflater->avail_out = (unsigned)(length < STREAM_PIECE ? length : STREAM_PIECE);
  *got = 0;
  while (*got == 0) {
    unsigned room = inflater->avail_out;
    int status;
    if (stream->input_at == stream->input_count) {
      int code = stream_fetch(stream, stream->input, STREAM_BUFFER, &stream->input_count);
      stream->input_at = 0;
      if (code) return code;
      if (stream->input_count == 0) return stream->is_between ? EXIT_OK : stream_damaged(stream, "cut off");
    }
    if (stream->is_between) {
      inflateReset(inflater);
      stream->is_between = 0;
    }
    inflater->next_in = stream->input + stream->input_at;
    inflater->avail_in = (unsigned)(stream->input_count - stream->input_at);
    status = inflate(inflater, Z_NO_FLUSH);
    stream->input_at = stream->input_count - inflater->avail_in;
    *got = room - inflater->avail_out;
    if (status == Z_STREAM_END)
      stream->is_between = 1;
    else if (status == Z_MEM_ERROR)
      return memory_short();
    else if (status != Z_OK && status != Z_BUF_ERROR)
      return stream_damaged(stream, "damaged");
  }
  return EXIT_OK;
}

/* Hands out up to `length` of the bytes from[*at .. count - 1]; returns how many. */
static size_t stream_hand_out(const unsigned char *from, size_t *at, size_t count, void *bytes, size_t length) {
  size_t n = count - *at < length ? count - *at : length;
  if (n) memcpy(bytes, from + *at, n);
  *at += n;
  return n;
}

int stream_some(struct stream *stream, void *bytes, size_t length, size_t *got) {
  *got = stream_hand_out(stream->ahead, &stream->ahead_at, stream->ahead_count, bytes, length);
  if (*got || length == 0) return EXIT_OK;
  if (stream->is_packed) return stream_unpack(stream, bytes, length, got);
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
  if (stream->inflater) inflateEnd(stream->inflater);
  if (stream->fd >= 0 && stream->path) close(stream->fd);
  free(stream->inflater);
  free(stream->input);
  free(stream->path);
  free(stream->ahead);
  memset(stream, 0, sizeof *stream);
}

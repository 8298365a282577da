#include "data/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"

#ifndef STREAM_BUFFER                   /* tests/fuzz/run takes few, so that small files are read in pieces */
#define STREAM_BUFFER ((size_t)1 << 18) /* bytes read at once: stays in cache, and few calls */
#endif
#define STREAM_PIECE ((size_t)1 << 28) /* bytes asked for at most; zlib counts in unsigned int */

/* ---- packed bytes ---- */

/* What came of one step. */
enum stream_result {
  STREAM_MORE, /* goes on */
  STREAM_END,  /* one member has ended; another may follow */
  STREAM_DAMAGED,
  STREAM_MEMORY
};

/* Bytes in and out of a step, each moved on by what was used. */
struct stream_step {
  const unsigned char *in;
  size_t in_size;
  unsigned char *out;
  size_t out_size;
};

struct stream_packing {
  const char *name, *mark;
  size_t mark_length;
  int (*begin)(void **unpacker); /* 0, or -1 when memory is short */
  enum stream_result (*run)(void *unpacker, struct stream_step *step);
  void (*again)(void *unpacker); /* before the next member */
  void (*end)(void *unpacker);
};

static int stream_gzip_begin(void **unpacker) {
  z_stream *z = calloc(1, sizeof *z);
  if (!z || inflateInit2(z, MAX_WBITS + 16) != Z_OK) return free(z), -1;
  *unpacker = z;
  return 0;
}

static enum stream_result stream_gzip_run(void *unpacker, struct stream_step *step) {
  z_stream *z = unpacker;
  int status;
  z->next_in = (unsigned char *)step->in;
  z->avail_in = (unsigned)(step->in_size < STREAM_PIECE ? step->in_size : STREAM_PIECE);
  z->next_out = step->out;
  z->avail_out = (unsigned)(step->out_size < STREAM_PIECE ? step->out_size : STREAM_PIECE);
  status = inflate(z, Z_NO_FLUSH);
  step->in_size -= (size_t)(z->next_in - step->in);
  step->in = z->next_in;
  step->out_size -= (size_t)(z->next_out - step->out);
  step->out = z->next_out;
  if (status == Z_STREAM_END) return STREAM_END;
  if (status == Z_MEM_ERROR) return STREAM_MEMORY;
  return status == Z_OK || status == Z_BUF_ERROR ? STREAM_MORE : STREAM_DAMAGED;
}

static void stream_gzip_again(void *unpacker) {
  inflateReset(unpacker);
}

static void stream_gzip_end(void *unpacker) {
  inflateEnd(unpacker);
  free(unpacker);
}

static int stream_xz_begin(void **unpacker) {
  static const lzma_stream fresh = LZMA_STREAM_INIT;
  lzma_stream *xz = malloc(sizeof *xz);
  if (!xz) return -1;
  *xz = fresh;
  if (lzma_stream_decoder(xz, UINT64_MAX, 0) != LZMA_OK) return free(xz), -1;
  *unpacker = xz;
  return 0;
}

static enum stream_result stream_xz_run(void *unpacker, struct stream_step *step) {
  lzma_stream *xz = unpacker;
  lzma_ret status;
  xz->next_in = step->in;
  xz->avail_in = step->in_size;
  xz->next_out = step->out;
  xz->avail_out = step->out_size;
  status = lzma_code(xz, LZMA_RUN);
  *step = (struct stream_step){xz->next_in, xz->avail_in, xz->next_out, xz->avail_out};
  if (status == LZMA_STREAM_END) return STREAM_END;
  if (status == LZMA_MEM_ERROR) return STREAM_MEMORY;
  return status == LZMA_OK || status == LZMA_BUF_ERROR ? STREAM_MORE : STREAM_DAMAGED;
}

/* What fails here is found in the next step. */
static void stream_xz_again(void *unpacker) {
  if (lzma_stream_decoder(unpacker, UINT64_MAX, 0) != LZMA_OK) lzma_end(unpacker);
}

static void stream_xz_end(void *unpacker) {
  lzma_end(unpacker);
  free(unpacker);
}

static int stream_zstd_begin(void **unpacker) {
  *unpacker = ZSTD_createDCtx();
  return *unpacker ? 0 : -1;
}

static enum stream_result stream_zstd_run(void *unpacker, struct stream_step *step) {
  ZSTD_inBuffer in = {step->in, step->in_size, 0};
  ZSTD_outBuffer out = {step->out, step->out_size, 0};
  size_t status = ZSTD_decompressStream(unpacker, &out, &in);
  *step =
      (struct stream_step){step->in + in.pos, step->in_size - in.pos, step->out + out.pos, step->out_size - out.pos};
  if (ZSTD_isError(status)) return STREAM_DAMAGED;
  return status == 0 ? STREAM_END : STREAM_MORE;
}

static void stream_zstd_again(void *unpacker) {
  ZSTD_DCtx_reset(unpacker, ZSTD_reset_session_only);
}

static void stream_zstd_end(void *unpacker) {
  ZSTD_freeDCtx(unpacker);
}

static const struct stream_packing stream_packings[] = {
    {"gzip", "\x1f\x8b", 2, stream_gzip_begin, stream_gzip_run, stream_gzip_again, stream_gzip_end},
    {"xz", "\xfd\x37zXZ\0", 6, stream_xz_begin, stream_xz_run, stream_xz_again, stream_xz_end},
    {"zstd", "\x28\xb5\x2f\xfd", 4, stream_zstd_begin, stream_zstd_run, stream_zstd_again, stream_zstd_end}};
#define STREAM_PACKINGS (sizeof stream_packings / sizeof *stream_packings)

/* ---- the first bytes ---- */

static int stream_unreadable(const struct stream *stream, int cause) {
  return error_report(EXIT_INPUT, "%s: cannot read: %s", stream->path, strerror(cause));
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
     "pandas.read_parquet(sys.argv[1]).to_csv(sys.argv[2], index=False)\" FILE FILE.csv"},
    {"ARROW1", 6,
     "an Arrow file; convert it: python3 -c \"import pandas, sys; pandas.read_feather(sys.argv[1]).to_csv(sys.argv[2], "
     "index=False)\" FILE FILE.csv"},
    {"PK\3\4", 4, "a zip or spreadsheet file; unzip it, or save it as CSV"},
    {"BZh", 3, "packed by bzip2, which is not read; bunzip2 it, or pass <(bzcat FILE)"},
    {"SQLite format 3", 15, "an SQLite database; export a table: sqlite3 -header -csv FILE 'select * from TABLE'"}};

/* Could more bytes still make a packed file of these? Then it is worth waiting for them. */
static int stream_is_undecided(const struct stream *stream) {
  for (size_t i = 0; i < STREAM_PACKINGS; i++)
    if (stream->input_count < stream_packings[i].mark_length &&
        memcmp(stream->input, stream_packings[i].mark, stream->input_count) == 0)
      return 1;
  return 0;
}

static int stream_begin(struct stream *stream) {
  size_t got = 1;
  int code = EXIT_OK;
  while (!code && got && stream_is_undecided(stream)) {
    code = stream_fetch(stream, stream->input + stream->input_count, STREAM_BUFFER - stream->input_count, &got);
    stream->input_count += got;
  }
  if (code) return code;
  for (size_t i = 0; i < sizeof stream_strangers / sizeof *stream_strangers; i++)
    if (stream->input_count >= stream_strangers[i].length &&
        memcmp(stream->input, stream_strangers[i].mark, stream_strangers[i].length) == 0)
      return error_report(EXIT_INPUT, "%s: this is %s", stream->path, stream_strangers[i].what);
  for (size_t i = 0; i < STREAM_PACKINGS; i++) {
    const struct stream_packing *packing = &stream_packings[i];
    if (stream->input_count < packing->mark_length || memcmp(stream->input, packing->mark, packing->mark_length) != 0)
      continue;
    if (packing->begin(&stream->unpacker)) return memory_short();
    stream->packing = packing;
    stream->is_plain = 0;
  }
  return EXIT_OK;
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

int stream_open(struct stream *stream, const char *path) {
  int is_standard = strcmp(path, "-") == 0, kept = stream_find_kept(path), code;
  const char *name = is_standard ? "standard input" : path;
  char again[64];
  struct stat about;
  memset(stream, 0, sizeof *stream);
  stream->fd = -1;
  stream->path = memory_copy(name, strlen(name));
  if (!stream->path) return EXIT_SYSTEM;
  snprintf(again, sizeof again, "/proc/self/fd/%d", kept); /* opened anew, so that a copy has a place of its own */
  if (is_standard && kept < 0)
    stream->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  else
    stream->fd = open(kept < 0 ? path : again, O_RDONLY | O_CLOEXEC);
  if (stream->fd < 0 || fstat(stream->fd, &about) != 0) {
    code = stream_unreadable(stream, errno);
  } else if (S_ISDIR(about.st_mode)) {
    code = stream_unreadable(stream, EISDIR);
  } else {
    /* Standard input may already stand behind the file's first byte: its length says nothing then. */
    stream->is_plain = S_ISREG(about.st_mode) && (!is_standard || kept >= 0);
    stream->size = (uint64_t)about.st_size;
    code = memory_take(&stream->input, STREAM_BUFFER, 1);
    if (!code) code = stream_begin(stream);
  }
  if (code) stream_close(stream);
  return code;
}

/* All bytes of `from`, unpacked, into a temporary file that has no name. */
static int stream_copy(struct stream *from, int *to) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  unsigned char *bytes;
  size_t got = 1;
  int code = memory_take(&bytes, STREAM_BUFFER, 1);
  snprintf(path, sizeof path, "%s/fumata.XXXXXX", folder && *folder ? folder : "/tmp");
  *to = mkostemp(path, O_CLOEXEC);
  if (*to >= 0) unlink(path);
  if (!code && *to < 0) code = error_report(EXIT_SYSTEM, "%s: cannot keep a copy: %s", from->path, strerror(errno));
  while (!code && got) {
    code = stream_some(from, bytes, STREAM_BUFFER, &got);
    for (size_t at = 0; !code && at < got;) {
      ssize_t n = write(*to, bytes + at, got - at);
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
  char *name = NULL;
  int fd = -1, code;
  if (stream_find_kept(path) >= 0) return EXIT_OK;
  if (strcmp(path, "-") != 0 && (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
    return EXIT_OK; /* whoever opens it says what is wrong with it */
  code = memory_grow(&stream_kept, &stream_kept_capacity, stream_kept_count + 1, sizeof *stream_kept);
  if (!code) code = stream_open(&from, path);
  if (code) return code;
  code = stream_copy(&from, &fd);
  stream_close(&from);
  if (!code) code = memory_print(&name, "%s", path);
  if (code && fd >= 0) close(fd);
  if (code) return code;
  stream_kept[stream_kept_count].path = name;
  stream_kept[stream_kept_count++].fd = fd;
  return EXIT_OK;
}

/* ---- reading ---- */

/* Unpacks until there is at least one byte, or *got = 0 at the end of the last member. */
static int stream_unpack(struct stream *stream, void *bytes, size_t length, size_t *got) {
  const char *cause = NULL;
  *got = 0;
  while (*got == 0 && !cause) {
    struct stream_step step;
    enum stream_result result;
    if (stream->input_at == stream->input_count) {
      int code = stream_fetch(stream, stream->input, STREAM_BUFFER, &stream->input_count);
      stream->input_at = 0;
      if (code || (!stream->input_count && stream->is_between)) return code;
      if (!stream->input_count) cause = "cut off";
    }
    if (cause) break;
    if (stream->is_between) stream->packing->again(stream->unpacker);
    step =
        (struct stream_step){stream->input + stream->input_at, stream->input_count - stream->input_at, bytes, length};
    result = stream->packing->run(stream->unpacker, &step);
    stream->input_at = stream->input_count - step.in_size;
    stream->is_between = result == STREAM_END;
    *got = length - step.out_size;
    if (result == STREAM_MEMORY) return memory_short();
    if (result == STREAM_DAMAGED) cause = "damaged";
  }
  if (!cause) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: the %s file is %s", stream->path, stream->packing->name, cause);
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
  if (stream->packing) return stream_unpack(stream, bytes, length, got);
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

int stream_peek(struct stream *stream, const unsigned char **bytes, size_t *got) {
  size_t more = 1, count = 0;
  int code = EXIT_OK;
  if (!stream->ahead) {
    code = memory_take(&stream->ahead, STREAM_PEEK, 1);
    while (!code && more && count < STREAM_PEEK && !memchr(stream->ahead, '\n', count)) {
      code = stream_some(stream, stream->ahead + count, STREAM_PEEK - count, &more);
      count += more;
    }
    stream->ahead_count = count;
  }
  *bytes = stream->ahead;
  *got = stream->ahead_count;
  return code;
}

void stream_position(const struct stream *stream, uint64_t *done, uint64_t *total) {
  struct stat about;
  off_t at = lseek(stream->fd, 0, SEEK_CUR);
  int is_known = at >= 0 && fstat(stream->fd, &about) == 0 && S_ISREG(about.st_mode);
  *done = is_known ? (uint64_t)at : 0;
  *total = is_known ? (uint64_t)about.st_size : 0;
}

void stream_close(struct stream *stream) {
  if (stream->packing) stream->packing->end(stream->unpacker);
  if (stream->fd >= 0 && stream->path) close(stream->fd);
  free(stream->input);
  free(stream->path);
  free(stream->ahead);
  memset(stream, 0, sizeof *stream);
}

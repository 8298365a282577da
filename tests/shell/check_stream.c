/* data/stream: packed or not, in pieces of any size, the bytes are the same; what is cut off or strange is said. */
#include "data/stream.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/error.h"
#include "support/scratch.h"

#define TEXT_SIZE 700000u /* several buffers */

static char text[TEXT_SIZE], packed[2 * TEXT_SIZE], got[TEXT_SIZE + 10];

/* Half of it packs well, half of it does not. */
static void make_text(void) {
  unsigned word = 1;
  for (size_t i = 0; i < sizeof text; i++) {
    word = word * 1664525 + 1013904223;
    text[i] = (char)(i % 2000 < 1000 ? 'a' : word >> 24);
  }
  memcpy(text, "begin", 5); /* no mark of anything */
}

static size_t pack_gzip(const char *bytes, size_t length, char *out) {
  FILE *file;
  size_t size;
  scratch_gzip("packed.gz", bytes, length);
  file = fopen("packed.gz", "r");
  size = fread(out, 1, sizeof packed, file);
  fclose(file);
  return size;
}

static size_t pack_xz(const char *bytes, size_t length, char *out) {
  size_t size = 0;
  ck_assert_int_eq(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)bytes, length, (uint8_t *)out,
                                           &size, sizeof packed),
                   LZMA_OK);
  return size;
}

static int zstd_checks; /* a checksum at the end, as the zstd program writes it */

static size_t pack_zstd(const char *bytes, size_t length, char *out) {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  size_t size;
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, zstd_checks);
  size = ZSTD_compress2(context, out, sizeof packed, bytes, length);
  ZSTD_freeCCtx(context);
  ck_assert(!ZSTD_isError(size));
  return size;
}

static const struct {
  const char *name;
  size_t (*pack)(const char *bytes, size_t length, char *out);
} kinds[] = {{"gzip", pack_gzip}, {"xz", pack_xz}, {"zstd", pack_zstd}};

/* Reads to the end in pieces; returns the exit code. */
static int read_all(const char *path, size_t piece, size_t *total) {
  struct stream stream;
  size_t more = 1;
  int code = stream_open(&stream, path);
  *total = 0;
  if (code) return code;
  while (!code && more) {
    size_t room = sizeof got - *total < piece ? sizeof got - *total : piece;
    code = stream_some(&stream, got + *total, room, &more);
    *total += more;
  }
  stream_close(&stream);
  return code;
}

static void same(const char *path, size_t piece, size_t length) {
  size_t total;
  ck_assert_int_eq(read_all(path, piece, &total), EXIT_OK);
  ck_assert_uint_eq(total, length);
  ck_assert(memcmp(got, text, length) == 0);
}

START_TEST(test_plain) {
  make_text();
  scratch_write("plain", text, sizeof text);
  same("plain", 4096, sizeof text);
  scratch_write("short", text, 3);
  same("short", 4096, 3);
}
END_TEST

START_TEST(test_packed) {
  static const size_t pieces[] = {7, 4096, 131072, sizeof got};
  size_t size;
  make_text();
  size = kinds[_i].pack(text, sizeof text, packed);
  scratch_write("packed", packed, size);
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    same("packed", pieces[i], sizeof text);
}
END_TEST

/* One packed file behind another is their texts, one behind the other. */
START_TEST(test_members) {
  size_t size;
  make_text();
  size = kinds[_i].pack(text, 300000, packed);
  size += kinds[_i].pack(text + 300000, sizeof text - 300000, packed + size);
  scratch_write("packed", packed, size);
  same("packed", 4096, sizeof text);
  same("packed", 300000, sizeof text);
}
END_TEST

START_TEST(test_damaged) {
  char wanted[100];
  size_t size, total;
  make_text();
  zstd_checks = 1;
  size = kinds[_i].pack(text, sizeof text, packed);
  scratch_write("cut", packed, size - 9);
  snprintf(wanted, sizeof wanted, "cut: the %s file is cut off", kinds[_i].name);
  scratch_expect(EXIT_INPUT, read_all("cut", 4096, &total), wanted);
  memset(packed + size / 2, 'x', 40);
  scratch_write("bad", packed, size);
  snprintf(wanted, sizeof wanted, "bad: the %s file is damaged", kinds[_i].name);
  scratch_expect(EXIT_INPUT, read_all("bad", 4096, &total), wanted);
}
END_TEST

START_TEST(test_strangers) {
  size_t total;
  scratch_write("a.parquet", "PAR1\x15\x04", 6);
  scratch_expect(EXIT_INPUT, read_all("a.parquet", 10, &total),
                 "a.parquet: this is a Parquet file; convert it: python3");
  scratch_write("a.xlsx", "PK\x03\x04....", 8);
  scratch_expect(EXIT_INPUT, read_all("a.xlsx", 10, &total), "save it as CSV");
  scratch_write("a.bz2", "BZh91AY", 7);
  scratch_expect(EXIT_INPUT, read_all("a.bz2", 10, &total), "bunzip2");
}
END_TEST

/* A pipe that is kept can be read as often as one likes, from its beginning. */
START_TEST(test_keep) {
  struct stream first, second;
  size_t n;
  make_text();
  ck_assert_int_eq(mkfifo("pipe", 0666), 0);
  if (fork() == 0) {
    int fd = open("pipe", O_WRONLY);
    _exit(write(fd, text, 5000) != 5000);
  }
  ck_assert_int_eq(stream_keep("pipe"), EXIT_OK);
  same("pipe", 100, 5000);
  same("pipe", 100, 5000);
  ck_assert_int_eq(stream_open(&first, "pipe"), EXIT_OK);
  ck_assert_int_eq(stream_open(&second, "pipe"), EXIT_OK);
  ck_assert_int_eq(stream_read(&first, got, 10, &n), EXIT_OK);
  ck_assert_int_eq(stream_read(&second, got, 10, &n), EXIT_OK);
  ck_assert(memcmp(got, text, 10) == 0);
  stream_close(&first);
  stream_close(&second);
  scratch_write("plain", text, 10);
  ck_assert_int_eq(stream_keep("plain"), EXIT_OK);
  ck_assert_int_eq(stream_keep("absent"), EXIT_OK);
}
END_TEST

START_TEST(test_position) {
  static char large[1 << 20];
  struct stream stream;
  uint64_t done, total;
  char got[10];
  size_t n;
  int ends[2];
  scratch_write("large", large, sizeof large);
  ck_assert_int_eq(stream_open(&stream, "large"), EXIT_OK);
  ck_assert_int_eq(stream_read(&stream, got, 10, &n), EXIT_OK);
  stream_position(&stream, &done, &total);
  ck_assert(done >= 10 && done < total && total == sizeof large);
  stream_close(&stream);
  ck_assert_int_eq(pipe(ends), 0);
  snprintf(got, sizeof got, "x");
  ck_assert_int_eq(write(ends[1], got, 1), 1);
  close(ends[1]);
  snprintf(large, sizeof large, "/proc/self/fd/%d", ends[0]);
  ck_assert_int_eq(stream_open(&stream, large), EXIT_OK);
  stream_position(&stream, &done, &total);
  ck_assert_uint_eq(total, 0);
  stream_close(&stream);
  close(ends[0]);
}
END_TEST

SUITE_LOOPS_BETWEEN("stream", scratch_begin, scratch_end, {test_plain, 1}, {test_packed, 3}, {test_members, 3},
                    {test_damaged, 3}, {test_strangers, 1}, {test_keep, 1}, {test_position, 1})

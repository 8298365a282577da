/* Bytes of a file, a pipe or standard input ("-"), unpacked as they come if they are packed by gzip, xz or zstd. */
#ifndef DATA_STREAM_H
#define DATA_STREAM_H

#include <stddef.h>
#include <stdint.h>

struct stream_packing;

struct stream {
  char *path; /* for messages; standard input is called "standard input" */
  int fd;
  int is_plain;   /* a regular file, not packed: `size` is its length */
  int is_between; /* at the end of one packed member: another may follow */
  uint64_t size;
  unsigned char *input; /* bytes of the file not handed out or unpacked yet */
  size_t input_at, input_count;
  const struct stream_packing *packing; /* NULL: not packed */
  void *unpacker;
  unsigned char *ahead; /* bytes already handed out by stream_peek */
  size_t ahead_count, ahead_at;
};

/* Each returns an exit code (error.h) with its line printed. A file of a kind that is known and not read (Parquet, zip)
 * is refused with what to do about it. */
int stream_open(struct stream *stream, const char *path);

/* Reads until `length` bytes are there or the input ends; *got < length only at the end. A packed file that ends
 * too early, does not match its checksum or goes on with something else is an error, not an end. */
int stream_read(struct stream *stream, void *bytes, size_t length, size_t *got);

/* Reads what can be had without waiting for more: at least one byte, or *got = 0 at the end. So a query that comes
 * through a pipe is answered before the next one is written. */
int stream_some(struct stream *stream, void *bytes, size_t length, size_t *got);

/* The first bytes without consuming them, only before the first read: the first line, or STREAM_PEEK bytes of
 * it, or all there is. */
#define STREAM_PEEK 4096
int stream_peek(struct stream *stream, const unsigned char **bytes, size_t *got);

/* How many bytes of the file were read, and how many there are; total is 0 where that is not known, of a pipe. */
void stream_position(const struct stream *stream, uint64_t *done, uint64_t *total);

void stream_close(struct stream *stream);

/* What is not a plain file (a pipe, standard input) is copied to a temporary file without a name, so that each
 * stream_open of this path begins at its beginning. For public data: it lies on the disk until the program ends. */
int stream_keep(const char *path);

#endif

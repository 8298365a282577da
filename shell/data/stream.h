/* Bytes of a file or of standard input ("-"), unpacked if they are gzip'ed. */
#ifndef DATA_STREAM_H
#define DATA_STREAM_H

#include <stddef.h>
#include <stdint.h>

struct stream {
  char *path; /* for messages; standard input is called "standard input" */
  int fd;
  int is_plain;   /* a regular file, not packed: `size` is its length */
  int is_packed;  /* gzip */
  int is_between; /* at the end of one gzip member: another may follow */
  uint64_t size;
  unsigned char *input; /* bytes of the file not handed out or unpacked yet */
  size_t input_at, input_count;
  void *inflater;       /* zlib's state */
  unsigned char *ahead; /* bytes already handed out by stream_peek */
  size_t ahead_count, ahead_at;
};

/* Each returns an exit code (error.h) with its line printed. */
int stream_open(struct stream *stream, const char *path);

/* Reads until `length` bytes are there or the input ends; *got < length only at the end. A gzip file that ends too
 * early, does not match its checksum or goes on with something else is an error, not an end. */
int stream_read(struct stream *stream, void *bytes, size_t length, size_t *got);

/* Reads what can be had without waiting for more: at least one byte, or *got = 0 at the end. So a query that comes
 * through a pipe is answered before the next one is written. */
int stream_some(struct stream *stream, void *bytes, size_t length, size_t *got);

/* The first bytes without consuming them, only before the first read: the first line, or STREAM_PEEK bytes of
 * it, or all there is. */
#define STREAM_PEEK 4096
int stream_peek(struct stream *stream, const unsigned char **bytes, size_t *got);

void stream_close(struct stream *stream);

#endif

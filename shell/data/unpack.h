/* Packed bytes, unpacked as they come: gzip, xz and zstd, recognised by their first bytes. */
#ifndef DATA_UNPACK_H
#define DATA_UNPACK_H

#include <stddef.h>

struct unpack_kind;

struct unpack {
  const struct unpack_kind *kind; /* NULL: not packed */
  void *state;
};

/* What came of one step. */
enum unpack_result {
  UNPACK_MORE, /* goes on */
  UNPACK_END,  /* one member has ended; another may follow */
  UNPACK_DAMAGED,
  UNPACK_MEMORY
};

/* Bytes in and out of a step, each moved on by what was used. */
struct unpack_step {
  const unsigned char *in;
  size_t in_size;
  unsigned char *out;
  size_t out_size;
};

/* Could more bytes still make a packed file of these? Then it is worth waiting for them. */
int unpack_is_undecided(const unsigned char *bytes, size_t length);

/* Finds the kind of a file that begins with these bytes. Returns an exit code (error.h). */
int unpack_open(struct unpack *unpack, const unsigned char *bytes, size_t length);

/* "gzip", "xz" or "zstd" */
const char *unpack_name(const struct unpack *unpack);

enum unpack_result unpack_run(struct unpack *unpack, struct unpack_step *step);

/* Before the next member. */
void unpack_again(struct unpack *unpack);
void unpack_close(struct unpack *unpack);

#endif

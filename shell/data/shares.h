/* Shares of votes (share.h), put together: the teachers of all of them vote on one pool, and what is handed out is how many
 * name each class.
 *
 *   shares_find(&shares, "votes-*.npy", more, count);
 *   if (shares_are(&shares)) { shares_open(...); shares_next(...) ... }
 *   shares_close(&shares);
 *
 * Every share must be there once, and all must be of one key, one private file, one pool, one set of classes, one encoding,
 * one learner and one number of teachers; the teachers of a share that is said to be lost abstain. */
#ifndef DATA_SHARES_H
#define DATA_SHARES_H

#include <stddef.h>
#include <stdint.h>

#include "base/votes.h"
#include "data/classes.h"
#include "data/npy.h"
#include "data/share.h"
#include "data/stream.h"

struct shares_part {
  char *path;
  struct share about;
  struct stream stream;
  int is_open;
  struct npy npy;
  unsigned char *raw; /* one batch of its votes */
};

struct shares {
  struct shares_part *part;
  size_t count, capacity;
  const char *lost;  /* "5/16,9/16" or NULL */
  uint32_t teachers; /* of the shares that are there */
  uint32_t classes;
  uint64_t rows, at;
  size_t batch;
  uint32_t *counts, *tally;
};

/* The files that a pattern and further words name, in their order; a pattern that is a file's name is that file. Each returns
 * an exit code (error.h). */
int shares_find(struct shares *shares, const char *pattern, char *const *more, size_t count);

/* Are they shares, and not one file of votes that somebody else made? */
int shares_are(const struct shares *shares);

int shares_open(struct shares *shares, const struct classes *classes, const char *lost);

/* Up to `max` queries as counts; the array stays valid until the next call. */
int shares_next(struct shares *shares, size_t max, struct votes *batch);
void shares_close(struct shares *shares);

#endif

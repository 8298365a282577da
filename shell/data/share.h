/* One share of the teachers' votes, as one of several machines makes it: a plain .npy file of labels, one row a query, one
 * column a teacher of the share, and beside it FILE.share, a text that says what the votes are of. Both files are private: a
 * vote is not a release.
 *
 *   fumata share 1
 *   share 3/16
 *   teachers 300          of all shares
 *   key 5f0c...           SHA-256 of the partition's key
 *   private ...           of the private file, under that key
 *   pool ...              of the queries and the public file, classes, encoding, learner likewise
 *   votes ...             of the .npy file
 *
 * Shares are put together if their texts agree in all but the share's own number and votes: the teachers of all of them vote
 * on one pool, and what is handed out is how many name each class. Every share must be there once; the teachers of a share
 * that is said to be lost abstain.
 *
 *   share_set_find(&set, "votes-*.npy", more, count);
 *   if (share_set_is(&set)) { share_set_open(...); share_set_next(...) ... }
 *   share_set_close(&set); */
#ifndef DATA_SHARE_H
#define DATA_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/votes.h"
#include "data/classes.h"
#include "data/npy.h"
#include "data/stream.h"

#define SHARE_ENDING ".share" /* of the text's name */
#define SHARE_MAX    1000000u /* shares of one vote: each has a teacher or none */

enum share_mark { SHARE_KEY, SHARE_PRIVATE, SHARE_POOL, SHARE_CLASSES, SHARE_ENCODING, SHARE_LEARNER, SHARE_VOTES };
#define SHARE_MARKS  (SHARE_VOTES + 1)
#define SHARE_COMMON SHARE_VOTES /* marks below are the same of all shares */

struct share {
  uint32_t number, of; /* number from 1 */
  uint32_t teachers;
  char mark[SHARE_MARKS][DIGEST_TEXT];
};

/* "3/16"; -1 if it is not a share. */
int share_parse(const char *text, uint32_t *number, uint32_t *of);

/* The teachers of a share: first .. last - 1. */
void share_range(const struct share *share, uint32_t *first, uint32_t *last);

void share_mark(struct share *share, enum share_mark mark, const struct digest *digest);
void share_mark_classes(struct share *share, const struct classes *classes);

/* The text beside `path`. Each returns an exit code (error.h). */
int share_write(const struct share *share, const char *path);
int share_read(struct share *share, const char *path);

struct share_part {
  char *path;
  struct share about;
  struct stream stream;
  int is_open;
  struct npy npy;
  unsigned char *raw; /* one batch of its votes */
};

struct share_set {
  struct share_part *part;
  size_t count, capacity;
  const char *lost;  /* "5/16,9/16" or NULL */
  uint32_t teachers; /* of the shares that are there */
  uint32_t classes;
  uint64_t rows, at;
  size_t batch;
  uint32_t *counts, *tally;
};

/* The files that a pattern and further words name, in their order; a pattern that is a file's name is that file. */
int share_set_find(struct share_set *set, const char *pattern, char *const *more, size_t count);

/* Are they shares, and not one file of votes that was made elsewhere? */
int share_set_is(const struct share_set *set);

int share_set_open(struct share_set *set, const struct classes *classes, const char *lost);

/* Up to `max` queries as counts; the array stays valid until the next call. */
int share_set_next(struct share_set *set, size_t max, struct votes *batch);
void share_set_close(struct share_set *set);

#endif

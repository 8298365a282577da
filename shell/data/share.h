/* One share of the teachers' votes, as one of several machines makes it: a plain .npy file of labels, one row a query, one
 * column a teacher of the share, and beside it FILE.share, a text that says what the votes are of. Shares may be put together
 * if their texts agree in all but the share's own number (shares.h). Both files are private: a vote is no release.
 *
 *   fumata share 1
 *   share 3/16
 *   teachers 300          of all shares
 *   key 5f0c...           SHA-256 of the partition's key
 *   private ...           of the private file, under that key
 *   pool ...              of the queries and the public file, classes, encoding, learner likewise
 *   votes ...             of the .npy file */
#ifndef DATA_SHARE_H
#define DATA_SHARE_H

#include <stdint.h>

#include "base/digest.h"
#include "data/classes.h"

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

/* "3/16"; -1 if it is no share. */
int share_parse(const char *text, uint32_t *number, uint32_t *of);

/* The teachers of a share: first .. last - 1. */
void share_range(const struct share *share, uint32_t *first, uint32_t *last);

void share_mark(struct share *share, enum share_mark mark, const struct digest *digest);
void share_mark_classes(struct share *share, const struct classes *classes);

/* What `mark` is of, as in "another ...". */
const char *share_name(enum share_mark mark);

/* The text beside `path`. Each returns an exit code (error.h). */
int share_write(const struct share *share, const char *path);
int share_read(struct share *share, const char *path);

#endif

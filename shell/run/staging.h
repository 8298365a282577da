/* The waiting place of a run's results, a folder inside the one where they go: results are written here, sealed, and then
 * moved one after the other.
 *
 * The seal is a file that lists the digest of each result, and their owner. A run that dies while it moves results leaves
 * its sealed place. By the seal the next run tells such a result from any other file. Nothing in a place without a seal
 * was ever shown. */
#ifndef RUN_STAGING_H
#define RUN_STAGING_H

#include <stddef.h>

#include "base/digest.h"

#define STAGING_FILES 4u
#define STAGING_SPACE "space" /* a file of the place that holds room on the disk for them */

/* The sealed place of a run that died. */
struct staging_past {
  char *path;
  uint8_t owner[DIGEST_SIZE];
  uint8_t file[STAGING_FILES][DIGEST_SIZE];
};

struct staging {
  const char *folder;
  const char *const *name; /* of the results, STAGING_FILES of them */
  char *path;              /* this run's own place; NULL: none yet */
  struct staging_past *past;
  size_t count, room;
};

/* Each int is an exit code (error.h), unless said otherwise. Only the process that holds the folder may call these. */

/* Finds the places of runs that died; removes those without a seal. */
int staging_find(struct staging *staging);

/* Makes this run's own place. */
int staging_make(struct staging *staging);

/* 1: the folder has this result, and a run that died has moved it there; a run of this owner, unless that is NULL. */
int staging_has(const struct staging *staging, size_t file, const uint8_t *owner);

/* Seals the place once it has all results: none is moved before this. */
int staging_seal(const struct staging *staging, const uint8_t owner[DIGEST_SIZE]);

/* Removes the run's own place, and with `past` also those of runs that died; the seals last. Frees the rest. */
void staging_remove(struct staging *staging, int past);
void staging_free(struct staging *staging);

#endif

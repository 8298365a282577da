/* Do two sets of records have more in common than chance gives? A public file that was cut out of the private one, without its label
 * column or in another order, has other bytes and is still private.
 *
 * Records are compared as they are encoded, so the label and columns that the public file lacks do not count. Some coincide by
 * nature, where columns are few and have few values. How many should, the sets say themselves: of two samples of one population a
 * record of the first is found in the second as often as a record of the second has a twin there. Ten in a hundred of the others
 * may be found on top of that, and four standard deviations. */
#ifndef DATA_OVERLAP_H
#define DATA_OVERLAP_H

#include "data/rows.h"

/* A word for each record; zeros are none yet. */
struct overlap {
  uint64_t *word;
  size_t count, capacity;
};

/* Each int is an exit code (error.h). */
int overlap_add(struct overlap *overlap, const struct rows *rows);
void overlap_free(struct overlap *overlap);

/* Is it more than chance gives, seen from either side? Sorts the words. */
int overlap_is_too_large(struct overlap *a, struct overlap *b);

#endif

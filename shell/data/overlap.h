/* Do two sets of records have more in common than chance gives? A public file that was cut out of the private one, without its label
 * column or in another order, has other bytes and is still private.
 *
 * Records are compared by the cells of the columns that are used, a number by its value: the label does not count, nor what is
 * written otherwise and means the same. Some coincide by nature, where columns are few and have few values. How many should, the sets say themselves: of two samples of one population a
 * record of the first is found in the second as often as a record of the second has a twin there. Ten in a hundred of the others
 * may be found on top of that, and four standard deviations. */
#ifndef DATA_OVERLAP_H
#define DATA_OVERLAP_H

#include "data/rows.h"

/* A word for each record; empty if all is zero. */
struct overlap {
  uint64_t *word;
  size_t count, capacity;
};

/* One more record, by its word; and what becomes of a word with one more part. Exit code (error.h). */
int overlap_add(struct overlap *overlap, uint64_t word);
static inline uint64_t overlap_mix(uint64_t word, uint64_t part) {
  word = (word ^ part) * UINT64_C(0x9e3779b97f4a7c15);
  return word ^ word >> 29;
}

/* The word of a row of numbers, and of a text with one before it. */
uint64_t overlap_row(const struct rows *rows, size_t i);
uint64_t overlap_text(uint64_t word, const char *text, size_t length);

void overlap_free(struct overlap *overlap);

/* Is it more than chance gives, seen from either side? Sorts the words. */
int overlap_is_too_large(struct overlap *a, struct overlap *b);

#endif

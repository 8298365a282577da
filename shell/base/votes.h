/* The votes on some queries, where they lie in memory: what readers and teachers make and a session answers. */
#ifndef BASE_VOTES_H
#define BASE_VOTES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a label: the largest number of that width is not a class, so that a teacher can abstain. */
static inline size_t votes_width(uint32_t classes) {
  return classes < 256 ? sizeof(uint8_t) : sizeof(uint16_t);
}
#define VOTES_ABSTAIN UINT32_MAX /* cut to either width it is not a class */

/* Exactly one of the pointers is set. A label that is not a class abstains. */
struct votes {
  size_t count;             /* queries */
  uint32_t teachers;        /* columns of labels */
  const uint8_t *labels8;   /* count x teachers */
  const uint16_t *labels16; /* count x teachers */
  const uint32_t *counts;   /* count x classes */
};

#endif

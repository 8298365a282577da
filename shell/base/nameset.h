/* A set of byte strings, numbered in order of arrival, with a count each. */
#ifndef BASE_NAMESET_H
#define BASE_NAMESET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/amid.h"

#define NAMESET_NONE UINT32_MAX

/* A name, and what is compared before the text itself is: its first sixteen bytes, zeros behind them where it is shorter, and
 * its last eight if it is longer. So no two texts of up to NAMESET_SHORT bytes have the same. */
#define NAMESET_SHORT 24
struct nameset_slot {
  uint64_t head[2], last;
  uint32_t length;
  uint32_t number; /* + 1; 0: free */
};

struct nameset {
  uint32_t count;
  size_t *start; /* count + 1: name i is text[start[i] .. start[i + 1] - 2], then a NUL */
  char *text;
  uint64_t *times;           /* for the user to count with */
  struct nameset_slot *slot; /* open addressing */
  uint32_t slots;
  unsigned shift;              /* 64 - log2(slots) */
  uint64_t lengths, firsts[4]; /* a bit for each length and each first byte that occurs */
  size_t capacity, text_capacity;
};

void nameset_init(struct nameset *set);
void nameset_free(struct nameset *set);
int nameset_add(struct nameset *set, const char *text, size_t length, uint32_t *number); /* exit code */
const char *nameset_text(const struct nameset *set, uint32_t number);                    /* NUL-terminated */
size_t nameset_length(const struct nameset *set, uint32_t number);

/* The bit of a length among `lengths`: the long ones share the last. */
static inline unsigned nameset_length_bit(size_t length) {
  return length < 63 ? (unsigned)length : 63;
}

/* Could a text with this beginning and this length be in the set? Most that are not need no more than this look. */
static inline int nameset_may_hold(const struct nameset *set, const char *text, size_t length) {
  unsigned char first = length ? (unsigned char)text[0] : 0;
  return set->lengths >> nameset_length_bit(length) & set->firsts[first / 64] >> first % 64 & 1;
}

/* Where the search begins: the upper bits of products, on which all bytes bear. */
static inline uint32_t nameset_home(const struct nameset *set, uint64_t first, uint64_t second) {
  return (uint32_t)((first * UINT64_C(0x9e3779b97f4a7c15) + second * UINT64_C(0xbf58476d1ce4e5b9)) >> set->shift);
}

/* The number of a text, or NAMESET_NONE. */
uint32_t nameset_search(const struct nameset *set, const char *text, size_t length);
static inline uint32_t nameset_find(const struct nameset *set, const char *text, size_t length) {
  return nameset_may_hold(set, text, length) ? nameset_search(set, text, length) : NAMESET_NONE;
}

/* What nameset_find says of a cell that stands amid a buffer (amid.h), quicker where most texts are in the set: one look where the search begins. */
static inline uint32_t nameset_amid(const struct nameset *set, const char *text, size_t length) {
#if AMID_WIDE
  __m128i head = _mm_and_si128(amid_load(text), amid_first(length < 16 ? length : 16));
  const struct nameset_slot *slot;
  uint64_t last;
  if (!set->slots || length > NAMESET_SHORT) return nameset_search(set, text, length);
  memcpy(&last, text + length - 8, sizeof last);
  if (length <= 16) last = 0;
  slot = &set->slot[nameset_home(set, (uint64_t)_mm_cvtsi128_si64(head) + last,
                                 (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(head, head)))];
  if (_mm_movemask_epi8(_mm_cmpeq_epi8(head, amid_load(slot->head))) == 0xffff && slot->last == last &&
      slot->length == length && slot->number)
    return slot->number - 1;
  return nameset_search(set, text, length);
#else
  return nameset_find(set, text, length);
#endif
}

#endif

#include "base/nameset.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#define NAMESET_SHORT 16 /* bytes of a text that its key holds */

static inline uint64_t nameset_mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

/* The first and the last eight bytes, so that no two texts of one length up to sixteen have the same; of a longer one a hash
 * takes the place of the first. */
static inline struct nameset_key nameset_key(const char *text, size_t length) {
  const unsigned char *at = (const unsigned char *)text, *last = at + length - 8;
  struct nameset_key key = {0, 0, length};
  if (length >= 8) {
    key.first = bytes_little(at, 8);
    key.last = bytes_little(last, 8);
    for (at += 8; at < last; at += 8)
      key.first = nameset_mix(key.first, bytes_little(at, 8));
  } else if (length >= 4) {
    key.first = bytes_little(at, 4);
    key.last = bytes_little(at + length - 4, 4);
  } else if (length) {
    key.first = at[0] | (uint64_t)at[length / 2] << 8 | (uint64_t)at[length - 1] << 16;
  }
  return key;
}

static inline int nameset_is_same(const struct nameset_key *a, const struct nameset_key *b) {
  return ((a->first ^ b->first) | (a->last ^ b->last) | (a->length ^ b->length)) == 0;
}

/* Where the search for it begins. */
static inline uint32_t nameset_home(const struct nameset_key *key, uint32_t slots) {
  return (uint32_t)(nameset_mix(nameset_mix(key->length, key->first), key->last) >> 32) & (slots - 1);
}

void nameset_init(struct nameset *set) {
  memset(set, 0, sizeof *set);
}

void nameset_free(struct nameset *set) {
  free(set->start);
  free(set->text);
  free(set->times);
  free(set->slot);
  nameset_init(set);
}

const char *nameset_text(const struct nameset *set, uint32_t number) {
  return set->text + set->start[number];
}

size_t nameset_length(const struct nameset *set, uint32_t number) {
  return set->start[number + 1] - set->start[number] - 1;
}

static void nameset_expect(struct nameset *set, const char *text, size_t length) {
  unsigned char first = length ? (unsigned char)text[0] : 0;
  set->lengths |= UINT64_C(1) << nameset_length_bit(length);
  set->firsts[first / 64] |= UINT64_C(1) << first % 64;
}

/* The slot that holds the text or, if there is none, the free one where it belongs. */
static inline uint32_t nameset_seek(const struct nameset *set, const char *text, const struct nameset_key *key) {
  uint32_t mask = set->slots - 1, at = nameset_home(key, set->slots);
  for (; set->slot[at].number; at = (at + 1) & mask) {
    const struct nameset_slot *slot = &set->slot[at];
    if (!nameset_is_same(&slot->key, key)) continue;
    if (key->length <= NAMESET_SHORT || memcmp(set->text + set->start[slot->number - 1], text, key->length) == 0) break;
  }
  return at;
}

uint32_t nameset_search(const struct nameset *set, const char *text, size_t length) {
  struct nameset_key key = nameset_key(text, length);
  uint32_t found = set->slots ? set->slot[nameset_seek(set, text, &key)].number : 0;
  return found ? found - 1 : NAMESET_NONE;
}

static int nameset_rehash(struct nameset *set) {
  uint32_t slots = set->slots ? 2 * set->slots : 16, old = set->slots, i;
  struct nameset_slot *slot;
  int code = memory_take(&slot, slots, sizeof *slot);
  if (code) return code;
  for (i = 0; i < old; i++) {
    uint32_t at = nameset_home(&set->slot[i].key, slots);
    if (!set->slot[i].number) continue;
    while (slot[at].number)
      at = (at + 1) & (slots - 1);
    slot[at] = set->slot[i];
  }
  free(set->slot);
  set->slot = slot;
  set->slots = slots;
  return EXIT_OK;
}

int nameset_add(struct nameset *set, const char *text, size_t length, uint32_t *number) {
  size_t used = set->count ? set->start[set->count] : 0, counters = set->capacity;
  struct nameset_key key = nameset_key(text, length);
  uint32_t at;
  int code = set->count >= set->slots / 2 ? nameset_rehash(set) : EXIT_OK;
  if (code) return code;
  at = nameset_seek(set, text, &key);
  if (set->slot[at].number) {
    *number = set->slot[at].number - 1;
    return EXIT_OK;
  }
  code = memory_grow(&set->times, &counters, (size_t)set->count + 2, sizeof *set->times);
  if (!code) code = memory_grow(&set->start, &set->capacity, (size_t)set->count + 2, sizeof *set->start);
  if (!code) code = memory_grow(&set->text, &set->text_capacity, used + length + 1, 1);
  if (code) return code;
  memcpy(set->text + used, text, length);
  set->text[used + length] = '\0';
  set->start[set->count] = used;
  set->start[set->count + 1] = used + length + 1;
  set->times[set->count] = 0;
  nameset_expect(set, text, length);
  *number = set->count++;
  set->slot[at] = (struct nameset_slot){key, set->count};
  return EXIT_OK;
}

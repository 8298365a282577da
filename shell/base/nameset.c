#include "base/nameset.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#define NAMESET_SMALL 4096 /* slots */

/* Of a long text what is between its ends bears on where it is put, too. */
static void nameset_fold(struct nameset_slot *key, const unsigned char *bytes, size_t length) {
  for (size_t i = 16; i + 8 < length; i += 8) {
    uint64_t mixed = (key->head[0] ^ bytes_little(bytes + i, 8)) * UINT64_C(0x9e3779b97f4a7c15);
    key->head[0] = mixed ^ mixed >> 29;
  }
}

/* The slot of a text, without its number. */
static inline struct nameset_slot nameset_key(const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  struct nameset_slot key = {.length = (uint32_t)length};
  if (length >= 8) {
    key.head[0] = bytes_little(bytes, 8);
    if (length >= 16)
      key.head[1] = bytes_little(bytes + 8, 8);
    else if (length > 8)
      key.head[1] = bytes_little(bytes + length - 8, 8) >> 8 * (16 - length);
    if (length > 16) key.last = bytes_little(bytes + length - 8, 8);
  } else if (length >= 4) {
    key.head[0] = bytes_little(bytes, 4) | bytes_little(bytes + length - 4, 4) << 8 * (length - 4);
  } else {
    key.head[0] = bytes_little(bytes, length);
  }
  if (length > NAMESET_SHORT) nameset_fold(&key, bytes, length);
  return key;
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

static inline uint32_t nameset_begin(const struct nameset *set, const struct nameset_slot *key) {
  return nameset_home(set, key->head[0] + key->last, key->head[1]);
}

static inline int nameset_is_same(const struct nameset_slot *a, const struct nameset_slot *b) {
  return ((a->head[0] ^ b->head[0]) | (a->head[1] ^ b->head[1]) | (a->last ^ b->last) | (a->length ^ b->length)) == 0;
}

/* The slot that holds the text or, if there is none, the free one where it belongs. There is a free one. */
static uint32_t nameset_seek(const struct nameset *set, const char *text, const struct nameset_slot *key) {
  uint32_t mask = set->slots - 1, at = nameset_begin(set, key);
  for (; set->slot[at].number; at = (at + 1) & mask) {
    const struct nameset_slot *slot = &set->slot[at];
    if (!nameset_is_same(slot, key)) continue;
    if (key->length <= NAMESET_SHORT || memcmp(set->text + set->start[slot->number - 1], text, key->length) == 0) break;
  }
  return at;
}

uint32_t nameset_search(const struct nameset *set, const char *text, size_t length) {
  struct nameset_slot key = nameset_key(text, length);
  uint32_t found = set->slots ? set->slot[nameset_seek(set, text, &key)].number : 0;
  return found ? found - 1 : NAMESET_NONE;
}

static int nameset_rehash(struct nameset *set) {
  struct nameset_slot *old = set->slot, *slot;
  uint32_t slots = set->slots ? 2 * set->slots : 16, count = set->slots;
  int code = memory_take(&slot, slots, sizeof *slot);
  if (code) return code;
  set->shift = set->slots ? set->shift - 1 : 60;
  set->slots = slots;
  set->slot = slot;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = nameset_begin(set, &old[i]);
    if (!old[i].number) continue;
    while (slot[at].number)
      at = (at + 1) & (slots - 1);
    slot[at] = old[i];
  }
  free(old);
  return EXIT_OK;
}

int nameset_add(struct nameset *set, const char *text, size_t length, uint32_t *number) {
  size_t used = set->count ? set->start[set->count] : 0, counters = set->capacity;
  struct nameset_slot key = nameset_key(text, length);
  /* Slots a name, at least: in a small set nearly all names are found where the search begins, a large one is to take little. */
  uint32_t at, room = set->slots <= NAMESET_SMALL ? 8 : 2;
  unsigned char first = length ? (unsigned char)text[0] : 0;
  int code = set->count >= set->slots / room ? nameset_rehash(set) : EXIT_OK;
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
  set->lengths |= UINT64_C(1) << nameset_length_bit(length);
  set->firsts[first / 64] |= UINT64_C(1) << first % 64;
  *number = set->count++;
  set->slot[at] = key;
  set->slot[at].number = set->count;
  return EXIT_OK;
}

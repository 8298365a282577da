#include "base/nameset.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static uint64_t nameset_hash(const char *text, size_t length) { /* FNV-1a */
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  size_t i;
  for (i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return h ^ (h >> 32);
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

/* The slot that holds the text or, if there is none, the free one where it belongs. */
static uint32_t nameset_seek(const struct nameset *set, const char *text, size_t length) {
  uint32_t mask = set->slots - 1, at = (uint32_t)nameset_hash(text, length) & mask;
  for (; set->slot[at]; at = (at + 1) & mask) {
    uint32_t number = set->slot[at] - 1;
    if (nameset_length(set, number) == length && memcmp(nameset_text(set, number), text, length) == 0) break;
  }
  return at;
}

uint32_t nameset_find(const struct nameset *set, const char *text, size_t length) {
  uint32_t at;
  if (!set->slots) return NAMESET_NONE;
  at = set->slot[nameset_seek(set, text, length)];
  return at ? at - 1 : NAMESET_NONE;
}

static int nameset_rehash(struct nameset *set) {
  uint32_t slots = set->slots ? 2 * set->slots : 16, i;
  uint32_t *slot;
  int code = memory_take(&slot, slots, sizeof *slot);
  if (code) return code;
  free(set->slot);
  set->slot = slot;
  set->slots = slots;
  for (i = 0; i < set->count; i++)
    set->slot[nameset_seek(set, nameset_text(set, i), nameset_length(set, i))] = i + 1;
  return EXIT_OK;
}

int nameset_add(struct nameset *set, const char *text, size_t length, uint32_t *number) {
  size_t used = set->count ? set->start[set->count] : 0, counters = set->capacity;
  uint32_t at;
  int code = set->count >= set->slots / 2 ? nameset_rehash(set) : EXIT_OK;
  if (code) return code;
  at = nameset_seek(set, text, length);
  if (set->slot[at]) {
    *number = set->slot[at] - 1;
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
  *number = set->count++;
  set->slot[at] = set->count;
  return EXIT_OK;
}

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

void nameset_init(struct nameset *words) {
  memset(words, 0, sizeof *words);
}

void nameset_free(struct nameset *words) {
  free(words->start);
  free(words->text);
  free(words->times);
  free(words->slot);
  nameset_init(words);
}

const char *nameset_text(const struct nameset *words, uint32_t number) {
  return words->text + words->start[number];
}

size_t nameset_length(const struct nameset *words, uint32_t number) {
  return words->start[number + 1] - words->start[number] - 1;
}

/* The slot that holds the text or, if there is none, the free one where it belongs. */
static uint32_t nameset_seek(const struct nameset *words, const char *text, size_t length) {
  uint32_t mask = words->slots - 1, at = (uint32_t)nameset_hash(text, length) & mask;
  for (; words->slot[at]; at = (at + 1) & mask) {
    uint32_t number = words->slot[at] - 1;
    if (nameset_length(words, number) == length && memcmp(nameset_text(words, number), text, length) == 0) break;
  }
  return at;
}

uint32_t nameset_find(const struct nameset *words, const char *text, size_t length) {
  uint32_t at;
  if (!words->slots) return NAMESET_NONE;
  at = words->slot[nameset_seek(words, text, length)];
  return at ? at - 1 : NAMESET_NONE;
}

static int nameset_rehash(struct nameset *words) {
  uint32_t slots = words->slots ? 2 * words->slots : 16, i;
  uint32_t *slot = calloc(slots, sizeof *slot);
  if (!slot) return error_report(EXIT_SYSTEM, "out of memory");
  free(words->slot);
  words->slot = slot;
  words->slots = slots;
  for (i = 0; i < words->count; i++)
    words->slot[nameset_seek(words, nameset_text(words, i), nameset_length(words, i))] = i + 1;
  return EXIT_OK;
}

int nameset_add(struct nameset *words, const char *text, size_t length, uint32_t *number) {
  size_t used = words->count ? words->start[words->count] : 0, counters = words->capacity;
  uint32_t at;
  int code;
  if (words->count >= words->slots / 2 && (code = nameset_rehash(words)) != EXIT_OK) return code;
  at = nameset_seek(words, text, length);
  if (words->slot[at]) {
    *number = words->slot[at] - 1;
    return EXIT_OK;
  }
  if ((code = memory_grow(&words->times, &counters, (size_t)words->count + 2, sizeof *words->times)) ||
      (code = memory_grow(&words->start, &words->capacity, (size_t)words->count + 2, sizeof *words->start)) ||
      (code = memory_grow(&words->text, &words->text_capacity, used + length + 1, 1)))
    return code;
  memcpy(words->text + used, text, length);
  words->text[used + length] = '\0';
  words->start[words->count] = used;
  words->start[words->count + 1] = used + length + 1;
  words->times[words->count] = 0;
  *number = words->count++;
  words->slot[at] = words->count;
  return EXIT_OK;
}

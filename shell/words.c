#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "say.h"

static uint64_t fumata_words_hash(const char *text, size_t length) { /* FNV-1a */
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  size_t i;
  for (i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return h ^ (h >> 32);
}

void fumata_words_init(fumata_words *words) {
  memset(words, 0, sizeof *words);
}

void fumata_words_free(fumata_words *words) {
  free(words->start);
  free(words->text);
  free(words->times);
  free(words->slot);
  fumata_words_init(words);
}

const char *fumata_words_text(const fumata_words *words, uint32_t number) {
  return words->text + words->start[number];
}

size_t fumata_words_length(const fumata_words *words, uint32_t number) {
  return words->start[number + 1] - words->start[number] - 1;
}

/* The slot that holds the text or, if there is none, the free one where it belongs. */
static uint32_t fumata_words_seek(const fumata_words *words, const char *text, size_t length) {
  uint32_t mask = words->slots - 1, at = (uint32_t)fumata_words_hash(text, length) & mask;
  for (; words->slot[at]; at = (at + 1) & mask) {
    uint32_t number = words->slot[at] - 1;
    if (fumata_words_length(words, number) == length && memcmp(fumata_words_text(words, number), text, length) == 0)
      break;
  }
  return at;
}

uint32_t fumata_words_find(const fumata_words *words, const char *text, size_t length) {
  uint32_t at;
  if (!words->slots) return FUMATA_WORDS_NONE;
  at = words->slot[fumata_words_seek(words, text, length)];
  return at ? at - 1 : FUMATA_WORDS_NONE;
}

static int fumata_words_rehash(fumata_words *words) {
  uint32_t slots = words->slots ? 2 * words->slots : 16, i;
  uint32_t *slot = calloc(slots, sizeof *slot);
  if (!slot) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  free(words->slot);
  words->slot = slot;
  words->slots = slots;
  for (i = 0; i < words->count; i++)
    words->slot[fumata_words_seek(words, fumata_words_text(words, i), fumata_words_length(words, i))] = i + 1;
  return FUMATA_EXIT_OK;
}

int fumata_words_add(fumata_words *words, const char *text, size_t length, uint32_t *number) {
  size_t used = words->count ? words->start[words->count] : 0, counters = words->capacity;
  uint32_t at;
  int code;
  if (words->count >= words->slots / 2 && (code = fumata_words_rehash(words)) != FUMATA_EXIT_OK) return code;
  at = fumata_words_seek(words, text, length);
  if (words->slot[at]) {
    *number = words->slot[at] - 1;
    return FUMATA_EXIT_OK;
  }
  if ((code = fumata_grow(&words->times, &counters, (size_t)words->count + 2, sizeof *words->times)) ||
      (code = fumata_grow(&words->start, &words->capacity, (size_t)words->count + 2, sizeof *words->start)) ||
      (code = fumata_grow(&words->text, &words->text_capacity, used + length + 1, 1)))
    return code;
  memcpy(words->text + used, text, length);
  words->text[used + length] = '\0';
  words->start[words->count] = used;
  words->start[words->count + 1] = used + length + 1;
  words->times[words->count] = 0;
  *number = words->count++;
  words->slot[at] = words->count;
  return FUMATA_EXIT_OK;
}

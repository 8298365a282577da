/* A set of byte strings, numbered in order of arrival, with a count each. */
#ifndef FUMATA_WORDS_H
#define FUMATA_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define FUMATA_WORDS_NONE UINT32_MAX

typedef struct {
  uint32_t count;
  size_t *start; /* count + 1: word i is text[start[i] .. start[i + 1] - 2], then a NUL */
  char *text;
  uint64_t *times; /* for the user to count with */
  uint32_t *slot;  /* open addressing: number + 1, or 0 */
  uint32_t slots;
  size_t capacity, text_capacity;
} fumata_words;

void fumata_words_init(fumata_words *words);
void fumata_words_free(fumata_words *words);
uint32_t fumata_words_find(const fumata_words *words, const char *text, size_t length);       /* or FUMATA_WORDS_NONE */
int fumata_words_add(fumata_words *words, const char *text, size_t length, uint32_t *number); /* exit code */
const char *fumata_words_text(const fumata_words *words, uint32_t number);                    /* NUL-terminated */
size_t fumata_words_length(const fumata_words *words, uint32_t number);

#endif

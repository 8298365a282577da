/* A set of byte strings, numbered in order of arrival, with a count each. */
#ifndef BASE_NAMESET_H
#define BASE_NAMESET_H

#include <stddef.h>
#include <stdint.h>

#define NAMESET_NONE UINT32_MAX

struct nameset {
  uint32_t count;
  size_t *start; /* count + 1: name i is text[start[i] .. start[i + 1] - 2], then a NUL */
  char *text;
  uint64_t *times; /* for the user to count with */
  uint32_t *slot;  /* open addressing: number + 1, or 0 */
  uint32_t slots;
  size_t capacity, text_capacity;
};

void nameset_init(struct nameset *set);
void nameset_free(struct nameset *set);
uint32_t nameset_find(const struct nameset *set, const char *text, size_t length);       /* or NAMESET_NONE */
int nameset_add(struct nameset *set, const char *text, size_t length, uint32_t *number); /* exit code */
const char *nameset_text(const struct nameset *set, uint32_t number);                    /* NUL-terminated */
size_t nameset_length(const struct nameset *set, uint32_t number);

#endif

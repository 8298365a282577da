/* The name that a misspelt one may have meant. */
#ifndef BASE_GUESS_H
#define BASE_GUESS_H

#include <stddef.h>

struct guess {
  const char *word;
  size_t length;
  unsigned distance; /* of the best name so far: letters added, left out, changed or swapped with the next; 0: only
                        their case differs */
  char best[48];     /* empty: none is near */
};

/* The word that no name equals; then every name that it could have been. */
void guess_begin(struct guess *guess, const char *word, size_t length);
void guess_try(struct guess *guess, const char *name);

/* "; did you mean '--force'?" for an error line, where `before` is "--"; or nothing. */
const char *guess_words(const struct guess *guess, const char *before, char text[80]);

#endif

#include "base/guess.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define GUESS_LONGEST 40 /* longer names are not guessed at */

void guess_begin(struct guess *guess, const char *word, size_t length) {
  guess->word = word;
  guess->length = length;
  guess->best[0] = '\0';
  guess->distance = length < 3 ? 0 : length < 6 ? 2 : 3; /* a third of the word at most may be wrong: less than this */
}

static unsigned guess_least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* How many letters are added, left out, changed, or swapped with the next one. */
static unsigned guess_distance(const char *a, size_t n, const char *b, size_t m) {
  unsigned row[3][GUESS_LONGEST + 1]; /* row i % 3: the first i letters of a against every beginning of b */
  for (size_t i = 0; i <= n; i++) {
    unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
    now[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      if (i == 0) {
        now[j] = (unsigned)j;
        continue;
      }
      now[j] = guess_least(last[j - 1] + (a[i - 1] != b[j - 1]), guess_least(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = guess_least(now[j], before[j - 2] + 1);
    }
  }
  return row[n % 3][m];
}

void guess_try(struct guess *guess, const char *name) {
  size_t length = strlen(name);
  unsigned distance;
  if (guess->length > GUESS_LONGEST || length > GUESS_LONGEST) return;
  if (length == guess->length && strncasecmp(guess->word, name, length) == 0) { /* however short */
    distance = 0;
  } else {
    distance = guess_distance(guess->word, guess->length, name, length);
    if (distance >= guess->distance) return;
  }
  guess->distance = distance;
  snprintf(guess->best, sizeof guess->best, "%s", name);
}

const char *guess_words(const struct guess *guess, const char *before, char text[80]) {
  text[0] = '\0';
  if (guess->best[0]) snprintf(text, 80, "; did you mean '%s%s'?", before, guess->best);
  return text;
}

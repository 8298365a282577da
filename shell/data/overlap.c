#include "data/overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define OVERLAP_SHARE 0.1 /* of the records that chance does not explain */
#define OVERLAP_SIGMA 4.0 /* standard deviations */
#define OVERLAP_LEAST 5.0 /* records: fewer do not mean anything */

uint64_t overlap_row(const struct rows *rows, size_t i) {
  size_t count = rows->is_dense ? rows->columns : rows->start[i + 1] - rows->start[i];
  const float *value = rows->is_dense ? rows->dense + i * rows->columns : rows->value + rows->start[i];
  const uint32_t *index = rows->is_dense ? NULL : rows->index + rows->start[i];
  uint64_t word = count;
  for (size_t e = 0; e < count; e++) {
    uint32_t bits;
    memcpy(&bits, &value[e], sizeof bits);
    word = overlap_mix(word, index ? (uint64_t)index[e] << 32 | bits : bits);
  }
  return overlap_mix(word, count);
}

uint64_t overlap_text(uint64_t word, const char *text, size_t length) {
  for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
    uint64_t part = 0;
    memcpy(&part, text + at, length - at < sizeof part ? length - at : sizeof part);
    word = overlap_mix(word, part);
  }
  return overlap_mix(word, length);
}

int overlap_add(struct overlap *overlap, uint64_t word) {
  int code = memory_grow(&overlap->word, &overlap->capacity, overlap->count + 1, sizeof *overlap->word);
  if (!code) overlap->word[overlap->count++] = word;
  return code;
}

void overlap_free(struct overlap *overlap) {
  if (overlap->word) explicit_bzero(overlap->word, overlap->count * sizeof *overlap->word);
  free(overlap->word);
  memset(overlap, 0, sizeof *overlap);
}

static int overlap_compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* The share of sorted words that have a twin beside them. */
static double overlap_twins(const struct overlap *set) {
  size_t twins = 0;
  for (size_t i = 0; i < set->count; i++)
    twins += (i > 0 && set->word[i] == set->word[i - 1]) || (i + 1 < set->count && set->word[i] == set->word[i + 1]);
  return (double)twins / (double)set->count;
}

/* How many of the first are in the second; both are sorted. */
static size_t overlap_found(const struct overlap *a, const struct overlap *b) {
  size_t found = 0;
  for (size_t i = 0, j = 0; i < a->count; i++) {
    while (j < b->count && b->word[j] < a->word[i])
      j++;
    found += j < b->count && b->word[j] == a->word[i];
  }
  return found;
}

static int overlap_is_beyond(const struct overlap *a, const struct overlap *b) {
  double n = (double)a->count, m = (double)b->count, chance = overlap_twins(b);
  double spread = OVERLAP_SIGMA * sqrt(chance * (1 - chance) * (1 / n + 1 / m));
  double more = OVERLAP_SHARE * (1 - chance), found = (double)overlap_found(a, b);
  return found - chance * n > n * (more > spread ? more : spread) && found - chance * n >= OVERLAP_LEAST;
}

int overlap_is_too_large(struct overlap *a, struct overlap *b) {
  if (!a->count || !b->count) return 0;
  qsort(a->word, a->count, sizeof *a->word, overlap_compare);
  qsort(b->word, b->count, sizeof *b->word, overlap_compare);
  return overlap_is_beyond(a, b) || overlap_is_beyond(b, a);
}

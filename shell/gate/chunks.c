#include "gate/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gate/partition.h"

struct chunks_item {
  uint64_t unit;
  size_t row;
};

static int chunks_compare(const void *a, const void *b) {
  const struct chunks_item *x = a, *y = b;
  if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* The teacher is a monotone function of the word: sorted by words, the rows are sorted by teachers. */
static void chunks_cut(struct chunks *chunks, struct chunks_item *item, size_t count) {
  uint32_t t = 0;
  size_t i;
  qsort(item, count, sizeof *item, chunks_compare);
  for (i = 0; i < count; i++) {
    uint32_t owner = partition_teacher(item[i].unit, chunks->teachers);
    while (t <= owner)
      chunks->start[t++] = i;
    chunks->row[i] = item[i].row;
  }
  while (t <= chunks->teachers)
    chunks->start[t++] = count;
}

int chunks_make(struct chunks *chunks, const uint64_t *unit, size_t count, const unsigned char *keep,
                uint32_t teachers) {
  struct chunks_item *item;
  size_t n = 0, i;
  int code = memory_take(&item, count, sizeof *item);
  *chunks = (struct chunks){.teachers = teachers};
  if (!code) code = memory_take(&chunks->start, (size_t)teachers + 1, sizeof *chunks->start);
  if (!code) code = memory_take(&chunks->row, count, sizeof *chunks->row);
  if (code) {
    free(item);
    chunks_free(chunks);
    return code;
  }
  for (i = 0; i < count; i++) {
    if (keep && !keep[i]) continue;
    item[n].unit = unit[i];
    item[n++].row = i;
  }
  chunks_cut(chunks, item, n);
  free(item);
  return EXIT_OK;
}

void chunks_slice(struct chunks *chunks, uint32_t first, uint32_t last) {
  chunks->teachers = last - first;
  memmove(chunks->start, chunks->start + first, ((size_t)chunks->teachers + 1) * sizeof *chunks->start);
}

void chunks_free(struct chunks *chunks) {
  free(chunks->start);
  free(chunks->row);
  memset(chunks, 0, sizeof *chunks);
}

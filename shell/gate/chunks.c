#include "gate/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "core/partition.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "the core numbers rows by 64-bit words");

static int chunks_compare(const void *a, const void *b, void *context) {
  const uint64_t *unit = context;
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  if (unit[x] != unit[y]) return unit[x] < unit[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The core says which rows are whose; a chunk's own words then say in which order they stand. */
static int chunks_cut(struct chunks *chunks, const uint64_t *unit, size_t count, const unsigned char *keep,
                      uint32_t *owner) {
  fumata_partition_owners(unit, keep, count, chunks->teachers, owner);
  if (fumata_partition_cut(owner, count, chunks->teachers, chunks->start, chunks->row) != FUMATA_OK)
    return error_report(EXIT_INPUT, "1 to %u teachers are expected", FUMATA_TEACHERS_MAX);
  for (uint32_t t = 0; t < chunks->teachers; t++)
    qsort_r(chunks->row + chunks->start[t], chunks->start[t + 1] - chunks->start[t], sizeof *chunks->row,
            chunks_compare, (void *)unit);
  return EXIT_OK;
}

int chunks_make(struct chunks *chunks, const uint64_t *unit, size_t count, const unsigned char *keep,
                uint32_t teachers) {
  unsigned char *all = NULL;
  uint32_t *owner;
  int code = memory_take(&owner, count, sizeof *owner);
  *chunks = (struct chunks){.teachers = teachers};
  if (!code) code = memory_take(&chunks->start, (size_t)teachers + 1, sizeof *chunks->start);
  if (!code) code = memory_take(&chunks->row, count, sizeof *chunks->row);
  if (!code && !keep) code = memory_take(&all, count, 1);
  if (all) memset(all, 1, count);
  if (!code) code = chunks_cut(chunks, unit, count, keep ? keep : all, owner);
  if (code) chunks_free(chunks);
  free(all);
  free(owner);
  return code;
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

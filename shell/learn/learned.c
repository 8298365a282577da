#include "learn/learned.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int learned_set(struct learned *learned, const void *bytes, size_t size) {
  memset(learned, 0, sizeof *learned);
  if (!size) return EXIT_OK;
  learned->bytes = (unsigned char *)memory_copy(bytes, size);
  if (!learned->bytes) return EXIT_SYSTEM;
  learned->size = size;
  return EXIT_OK;
}

void learned_free(struct learned *learned) {
  free(learned->bytes);
  memset(learned, 0, sizeof *learned);
}

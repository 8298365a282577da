/* A trained model: a string of bytes, for every learner. Two models are the same if their bytes are. */
#ifndef LEARN_LEARNED_H
#define LEARN_LEARNED_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Size 0: nothing was learned. Such a teacher abstains; such a student answers label 0 to every question. */
struct learned {
  unsigned char *bytes;
  size_t size;
};

/* Copies these bytes. Returns an exit code (error.h). */
static inline int learned_set(struct learned *learned, const void *bytes, size_t size) {
  learned->bytes = size ? (unsigned char *)memory_copy(bytes, size) : NULL;
  learned->size = learned->bytes ? size : 0;
  return learned->size == size ? EXIT_OK : EXIT_SYSTEM;
}

static inline void learned_free(struct learned *learned) {
  free(learned->bytes);
  memset(learned, 0, sizeof *learned);
}

#endif

/* What was learned: a string of bytes, whatever the learner. Two models are the same if their bytes are. */
#ifndef LEARN_LEARNED_H
#define LEARN_LEARNED_H

#include <stddef.h>

/* Size 0: nothing was learned. Such a teacher abstains; such a student answers label 0 whatever it is asked. */
struct learned {
  unsigned char *bytes;
  size_t size;
};

/* A copy of these bytes. Returns an exit code (error.h). */
int learned_set(struct learned *learned, const void *bytes, size_t size);
void learned_free(struct learned *learned);

#endif

/* Arrays that grow. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Makes the array at *array (a pointer to any object type, passed by its address) hold at least `needed` elements of
 * `size` bytes, doubling from *capacity. Returns an exit code (error.h); on failure nothing has changed. */
int memory_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* A NUL-terminated copy; NULL (with its line printed) when memory is short. */
char *memory_copy(const char *text, size_t length);

#endif

/* Memory: the one place that says when it is short. Every int is an exit code (error.h), its line printed. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

#include "base/error.h"

/* Prints that memory is short and returns EXIT_SYSTEM: for calls of others that allocate (strdup, a library). */
int memory_short(void);

/* Zeroed room for `count` elements of `size` bytes (one byte at least) in the pointer whose address is `array`; NULL
 * there on failure. */
int memory_take(void *array, size_t count, size_t size);

/* The same for large tables of numbers that are written before they are read: not zeroed, and starting at a multiple of
 * MEMORY_LINE bytes, a cache line. */
#define MEMORY_LINE 64
int memory_align(void *array, size_t count, size_t size);

/* Makes the array at *array (a pointer to any object type, passed by its address) hold at least `needed` elements of
 * `size` bytes, doubling from *capacity. On failure nothing has changed. */
int memory_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* A NUL-terminated copy; NULL (with its line printed) when memory is short. */
char *memory_copy(const char *text, size_t length);

/* A text made by a format in *text, to be freed; NULL there on failure. */
int memory_print(char **text, const char *format, ...) ERROR_PRINTF(2, 3);

#endif

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int memory_grow(void *array, size_t *capacity, size_t needed, size_t size) {
  size_t wanted = *capacity;
  void *old, *grown;
  if (needed <= wanted) return EXIT_OK;
  if (wanted < 16) wanted = 16;
  while (wanted < needed && wanted <= SIZE_MAX / 2)
    wanted *= 2;
  if (wanted < needed || wanted > SIZE_MAX / size) return error_report(EXIT_SYSTEM, "out of memory");
  memcpy(&old, array, sizeof old); /* `array` is the address of a pointer of some other type */
  grown = realloc(old, wanted * size);
  if (!grown) return error_report(EXIT_SYSTEM, "out of memory");
  memcpy(array, &grown, sizeof grown);
  *capacity = wanted;
  return EXIT_OK;
}

char *memory_copy(const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? malloc(length + 1) : NULL;
  if (!copy) {
    error_report(EXIT_SYSTEM, "out of memory");
    return NULL;
  }
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

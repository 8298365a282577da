#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMORY_LARGE ((size_t)1 << 22) /* bytes of an array that is to lie on large pages, where the system has them */

/* A hint, so that an array which is filled for the first time does not stop at every four kilobytes; whether it is taken makes
 * no difference but time. Given for whole pages: a mapping that it cut in two could not be moved when it grows. */
static void memory_hint(void *array, size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)array % page;
  if (bytes >= MEMORY_LARGE) madvise((char *)array - before, (before + bytes + page - 1) / page * page, MADV_HUGEPAGE);
}

int memory_short(void) {
  return error_report(EXIT_SYSTEM, "out of memory");
}

int memory_take(void *array, size_t count, size_t size) {
  void *taken = calloc(count ? count : 1, size);
  memcpy(array, &taken, sizeof taken); /* `array` is the address of a pointer of some other type */
  /* cppcheck-suppress memleak ; it is in `array` */
  return taken ? EXIT_OK : memory_short();
}

int memory_align(void *array, size_t count, size_t size) {
  void *taken = NULL;
  if (count > (SIZE_MAX - MEMORY_LINE) / size || posix_memalign(&taken, MEMORY_LINE, count * size + !count))
    taken = NULL;
  memcpy(array, &taken, sizeof taken);
  if (taken) memory_hint(taken, count * size);
  return taken ? EXIT_OK : memory_short();
}

int memory_grow(void *array, size_t *capacity, size_t needed, size_t size) {
  size_t wanted = *capacity;
  void *old, *grown;
  if (needed <= wanted) return EXIT_OK;
  if (wanted < 16) wanted = 16;
  while (wanted < needed && wanted <= SIZE_MAX / 2)
    wanted *= 2;
  if (wanted < needed || wanted > SIZE_MAX / size) return memory_short();
  memcpy(&old, array, sizeof old);
  grown = realloc(old, wanted * size);
  if (!grown) return memory_short();
  memory_hint(grown, wanted * size);
  memcpy(array, &grown, sizeof grown);
  *capacity = wanted;
  return EXIT_OK;
}

char *memory_copy(const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? malloc(length + 1) : NULL;
  if (!copy) {
    memory_short();
    return NULL;
  }
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

int memory_print(char **text, const char *format, ...) {
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vasprintf(text, format, arguments);
  va_end(arguments);
  if (length >= 0) return EXIT_OK;
  *text = NULL;
  return memory_short();
}

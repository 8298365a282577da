#include "data/format.h"

#include <stdio.h>
#include <string.h>

/* In the order in which a file is asked whether it is one. Any file may be CSV, so that comes last. */
static const struct format *const format_list[] = {&format_npy, &format_idx, &format_libsvm, &format_csv};
#define FORMAT_COUNT (sizeof format_list / sizeof *format_list)

const struct format *format_at(size_t i) {
  return i < FORMAT_COUNT ? format_list[i] : NULL;
}

const struct format *format_find(const char *keyword) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (strcmp(keyword, format_list[i]->keyword) == 0) return format_list[i];
  return NULL;
}

const char *format_names(int traits, char text[FORMAT_NAMES]) {
  size_t used = 0, left = 0;
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    left += (format_list[i]->traits & traits) == traits;
  for (size_t i = 0; i < FORMAT_COUNT && used < FORMAT_NAMES; i++) {
    if ((format_list[i]->traits & traits) != traits) continue;
    used += (size_t)snprintf(text + used, FORMAT_NAMES - used, "%s%s", format_list[i]->name,
                             --left > 1 ? ", "
                             : left     ? " or "
                                        : "");
  }
  return text;
}

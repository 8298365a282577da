#include "data/format.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *name, *keyword;
} format_table[] = {[FORMAT_AUTO] = {"unknown", NULL},
                    [FORMAT_CSV] = {"CSV", "csv"},
                    [FORMAT_LIBSVM] = {"LIBSVM", "libsvm"},
                    [FORMAT_IDX] = {"idx", "idx"},
                    [FORMAT_NPY] = {".npy", "npy"}};

const char *format_name(enum format format) {
  return format_table[format].name;
}

const char *format_keyword(enum format format) {
  return format_table[format].keyword;
}

enum format format_parse(const char *keyword) {
  size_t i;
  for (i = FORMAT_CSV; i < sizeof format_table / sizeof *format_table; i++)
    if (strcmp(keyword, format_table[i].keyword) == 0) return (enum format)i;
  return FORMAT_AUTO;
}

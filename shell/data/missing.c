#include "data/missing.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

static const char *const missing_usual[] = {"NA",   "N/A",  "n/a",  "#N/A", "na",   "NaN",  "nan", "NAN", "-nan",
                                            "-NaN", "NULL", "null", "Null", "None", "<NA>", "?",   "-",   "."};

int missing_state(struct nameset *missing, const char *list, int usual) {
  uint32_t number;
  int code = EXIT_OK;
  for (size_t i = 0; !code && usual && i < sizeof missing_usual / sizeof *missing_usual; i++)
    code = nameset_add(missing, missing_usual[i], strlen(missing_usual[i]), &number);
  while (!code && list && *list) {
    size_t length = strcspn(list, ",");
    if (length) code = nameset_add(missing, list, length, &number); /* the empty cell is missing anyway */
    list += length + (list[length] == ',');
  }
  return code;
}

#include "release/answers.h"

#include <string.h>

void answers_print(FILE *stream, const char *name) {
  if (!name)
    fputs_unlocked("silent", stream);
  else if (strcmp(name, "silent") && !strpbrk(name, ",\"\r\n"))
    fputs_unlocked(name, stream);
  else {
    /* A class that is itself called silent stands in quotes. */
    putc_unlocked('"', stream);
    for (; *name; name++) {
      if (*name == '"') putc_unlocked('"', stream);
      putc_unlocked(*name, stream);
    }
    putc_unlocked('"', stream);
  }
  putc_unlocked('\n', stream);
}

#include "gate/answers.h"

#include <string.h>

#include "base/json.h"
#include "base/quote.h"

void answers_name(FILE *stream, const char *name) {
  if (!name) {
    fputs_unlocked("silent", stream);
  } else if (strcmp(name, "silent") == 0) {
    fputs_unlocked("\"silent\"", stream); /* a class that is itself called so */
  } else {
    quote_csv(stream, name, ',');
  }
}

void answers_print(FILE *stream, const char *name) {
  answers_name(stream, name);
  putc_unlocked('\n', stream);
}

void answers_print_json(FILE *stream, const char *name) {
  fputs(" \"answer\": ", stream);
  if (name)
    json_text(stream, name);
  else
    fputs("null", stream);
  fputs("}\n", stream);
}

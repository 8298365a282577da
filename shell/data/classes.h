/* The declared classes: names in order, the position is the label. */
#ifndef DATA_CLASSES_H
#define DATA_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "base/nameset.h"

struct spelling {
  char *text;     /* as it may stand in a label cell */
  size_t length;  /* of the text */
  uint32_t label; /* the class it means */
  double number;  /* its value if `is_number`: "+1", "1" and "1.0" are the same label */
  int is_number;
};

struct classes {
  uint32_t count;
  char **name; /* name[label]: what is printed */
  size_t spellings;
  struct spelling *spelling; /* sorted by text */
  struct nameset texts;      /* of the spellings; the count of each is its label */
};

void classes_init(struct classes *classes);
void classes_free(struct classes *classes);

/* "no,yes|true,maybe": three classes, the second with two spellings; a name with a comma, a bar or a quote in it stands
 * in double quotes, as in CSV: '"yes, sick",no'. Returns an exit code (error.h). */
int classes_parse(struct classes *classes, const char *list);

/* One more class, or (alias) one more spelling of the last class. `where` starts the error line. */
int classes_add(struct classes *classes, const char *where, const char *text, size_t length);
int classes_alias(struct classes *classes, const char *where, const char *text, size_t length);

/* The label that a cell means, or -1: first by its text, then by its numeric value. */
int32_t classes_find(const struct classes *classes, const char *text, size_t length);

/* The same for a vote, which may also be the label itself (0, 1, ...) where no class is called by a number. */
int32_t classes_vote(const struct classes *classes, const char *text, size_t length);

#endif

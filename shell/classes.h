/* The declared classes: names in order, the position is the label. */
#ifndef FUMATA_CLASSES_H
#define FUMATA_CLASSES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  char *text;     /* as it may stand in a label cell */
  uint32_t label; /* the class it means */
  double number;  /* its value if `is_number`: "+1", "1" and "1.0" are the same label */
  int is_number;
} fumata_spelling;

typedef struct {
  uint32_t count;
  char **name; /* name[label]: what is printed */
  size_t spellings;
  fumata_spelling *spelling; /* sorted by text */
} fumata_classes;

void fumata_classes_init(fumata_classes *classes);
void fumata_classes_free(fumata_classes *classes);

/* "no,yes|true,maybe": three classes, the second with two spellings. Returns an exit code (say.h). */
int fumata_classes_parse(fumata_classes *classes, const char *list);

/* One more class, or (alias) one more spelling of the last class. `where` starts the error line. */
int fumata_classes_add(fumata_classes *classes, const char *where, const char *text, size_t length);
int fumata_classes_alias(fumata_classes *classes, const char *where, const char *text, size_t length);

/* The label that a cell means, or -1: first by its text, then by its numeric value. */
int32_t fumata_classes_find(const fumata_classes *classes, const char *text, size_t length);

#endif

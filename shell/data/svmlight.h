/* One line of LIBSVM text: "label index:value index:value ... # remark". */
#ifndef DATA_SVMLIGHT_H
#define DATA_SVMLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "data/csv.h"

struct svmlight {
  struct cell label; /* text NULL: the line starts with index:value */
  size_t entries;
  uint32_t largest;  /* largest index in the line, counted from 1; 0: none */
  const char *cause; /* what is wrong, NULL if nothing */
  size_t column;     /* byte of the line (first 1) where it is wrong */
};

/* Does this look like a file of such lines? (The first line is of the form "label index:..." or "index:...".) */
int svmlight_recognise(const unsigned char *bytes, size_t length);

/* How many entries a line of this length can hold at most. */
size_t svmlight_room(size_t length);

/* Reads one line; index and value have svmlight_room(length) elements. Indices must ascend from 1 and are stored
 * from 0; those above `columns` are checked and left out, zeros too. Returns 0, or -1 with `cause` and `column`. An
 * empty line (or only a remark) has neither label nor entries. */
int svmlight_parse(const char *text, size_t length, uint32_t columns, uint32_t *index, float *value,
                   struct svmlight *line);

#endif

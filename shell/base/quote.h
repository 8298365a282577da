/* A name from a file, made fit for an error line. */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include <stddef.h>

struct quote {
  char text[64];
};

/* In double quotes, cut if it is long, with ? for what cannot be printed: the line stays one line. */
const char *quote_name(struct quote *quote, const char *text, size_t length);

#endif

/* A name from a file, made fit for an error line. */
#ifndef FUMATA_QUOTE_H
#define FUMATA_QUOTE_H

#include <stddef.h>

typedef struct {
  char text[64];
} fumata_quote;

/* In double quotes, cut if it is long, with ? for what cannot be printed: the line stays one line. */
const char *fumata_quote_name(fumata_quote *quote, const char *text, size_t length);

#endif

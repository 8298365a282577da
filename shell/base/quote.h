/* A name from a file, made fit for an error line, or for a cell of CSV. */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include <stddef.h>
#include <stdio.h>

struct quote {
  char text[64];
};

/* In double quotes, cut if it is long, with ? for what cannot be printed: the line stays one line. */
const char *quote_name(struct quote *quote, const char *text, size_t length);

/* A cell: in quotes where CSV asks for them, its own quotes doubled. And the parts of it, for cells made of several. */
void quote_csv(FILE *stream, const char *text, char delimiter);
int quote_csv_needed(const char *text, char delimiter);
void quote_csv_inside(FILE *stream, const char *text);

#endif

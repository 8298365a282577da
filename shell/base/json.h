/* Text as JSON wants it, for summary.json. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdio.h>

/* In double quotes, with what JSON cannot hold as it is escaped. */
void json_text(FILE *stream, const char *text);

#endif

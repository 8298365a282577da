/* JSON, member by member: commas, quotes and line breaks are seen to here. No library does it: each number has digits of its
 * own (0.873000, not 0.873), and texts may be bytes that are not UTF-8 (a path, a class in an old file), which readers of
 * JSON refuse and report/summary.c takes. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdio.h>

#include "base/error.h"

#define JSON_DEEPEST 8

/* Zeroed but for its stream: nothing is written yet. */
struct json {
  FILE *out;
  unsigned depth;
  struct {
    char end;     /* the bracket that closes it */
    int is_lines; /* each of its values stands on a line of its own */
    int count;
  } level[JSON_DEEPEST];
};

/* Begins an object ('{') or a list ('['), and ends it. `key` is NULL in a list, and of the whole. The end of the whole ends
 * the line, too. */
void json_open(struct json *json, const char *key, char bracket, int is_lines);
void json_close(struct json *json);

/* A text (NULL: null); and what is neither text, list nor object. */
void json_string(struct json *json, const char *key, const char *text);
void json_print(struct json *json, const char *key, const char *format, ...) ERROR_PRINTF(3, 4);

/* A list of floats, each `step` after the one before, in as many digits as give them back. */
void json_floats(struct json *json, const char *key, const float *number, size_t count, size_t step);

#endif

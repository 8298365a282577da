#include "base/json.h"

#include <stdarg.h>

/* In double quotes, with what JSON cannot hold as it is escaped. */
static void json_text(FILE *stream, const char *text) {
  fputc('"', stream);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(stream, "\\%c", c);
    else if (c < 0x20)
      fprintf(stream, "\\u%04x", c);
    else
      fputc(c, stream);
  }
  fputc('"', stream);
}

/* All that stands before a value. */
static void json_place(struct json *json, const char *key) {
  int is_later;
  if (json->depth) {
    is_later = json->level[json->depth - 1].count++ > 0;
    if (is_later) fputc(',', json->out);
    if (json->level[json->depth - 1].is_lines)
      fprintf(json->out, "\n%*s", (int)(2 * json->depth), "");
    else if (is_later)
      fputc(' ', json->out);
  }
  if (!key) return;
  json_text(json->out, key);
  fputs(": ", json->out);
}

void json_open(struct json *json, const char *key, char bracket, int is_lines) {
  json_place(json, key);
  fputc(bracket, json->out);
  json->level[json->depth].end = bracket == '{' ? '}' : ']';
  json->level[json->depth].is_lines = is_lines;
  json->level[json->depth++].count = 0;
}

void json_close(struct json *json) {
  json->depth--;
  if (json->level[json->depth].is_lines && json->level[json->depth].count)
    fprintf(json->out, "\n%*s", (int)(2 * json->depth), "");
  fputc(json->level[json->depth].end, json->out);
  if (!json->depth) fputc('\n', json->out);
}

void json_string(struct json *json, const char *key, const char *text) {
  json_place(json, key);
  if (text)
    json_text(json->out, text);
  else
    fputs("null", json->out);
}

void json_print(struct json *json, const char *key, const char *format, ...) {
  va_list arguments;
  json_place(json, key);
  va_start(arguments, format);
  vfprintf(json->out, format, arguments);
  va_end(arguments);
}

void json_floats(struct json *json, const char *key, const float *number, size_t count, size_t step) {
  json_open(json, key, '[', 0);
  for (size_t i = 0; i < count; i++)
    json_print(json, NULL, "%.9g", (double)number[i * step]);
  json_close(json);
}

#include "base/quote.h"

#include <string.h>

const char *quote_name(struct quote *quote, const char *text, size_t length) {
  static const char more[] = "...";
  size_t most = sizeof quote->text - sizeof more - 2, n = length < most ? length : most;
  char *out = quote->text;
  *out++ = '"';
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    *out++ = c < 0x20 || c == 0x7f ? '?' : (char)c; /* bytes above 0x7f: UTF-8 */
  }
  if (n < length) {
    memcpy(out, more, sizeof more - 1);
    out += sizeof more - 1;
  }
  *out++ = '"';
  *out = '\0';
  return quote->text;
}

int quote_csv_needed(const char *text, char delimiter) {
  size_t length = strlen(text);
  if (strpbrk(text, "\"\r\n") || strchr(text, delimiter) || length == 0) return 1;
  return text[0] == ' ' || text[0] == '\t' || text[length - 1] == ' ' || text[length - 1] == '\t';
}

void quote_csv_inside(FILE *stream, const char *text) {
  for (; *text; text++) {
    if (*text == '"') putc_unlocked('"', stream);
    putc_unlocked(*text, stream);
  }
}

void quote_csv(FILE *stream, const char *text, char delimiter) {
  int is_quoted = quote_csv_needed(text, delimiter);
  if (is_quoted) putc_unlocked('"', stream);
  quote_csv_inside(stream, text);
  if (is_quoted) putc_unlocked('"', stream);
}

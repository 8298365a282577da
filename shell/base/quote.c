#include "base/quote.h"

#include <string.h>

const char *quote_name(struct quote *quote, const char *text, size_t length) {
  static const char more[] = "...";
  size_t most = sizeof quote->text - sizeof more - 2, n = length < most ? length : most, i;
  char *out = quote->text;
  *out++ = '"';
  for (i = 0; i < n; i++) {
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

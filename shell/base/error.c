#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static char *captured;
static size_t captured_size;

void error_capture(char *text, size_t size) {
  captured = text;
  captured_size = size;
}

int error_report(int code, const char *format, ...) {
  va_list arguments;
  if (captured) {
    va_start(arguments, format);
    vsnprintf(captured, captured_size, format, arguments);
    va_end(arguments);
    return code;
  }
  fflush(stdout);
  fputs("fumata: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return code;
}

void error_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

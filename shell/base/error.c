#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char *error_text; /* where lines go instead of to stderr, or NULL */
static _Thread_local size_t error_size;

void error_capture(char *text, size_t size) {
  error_text = text;
  error_size = size;
}

static void error_line(const char *format, va_list arguments) {
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

int error_report(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (error_text) {
    vsnprintf(error_text, error_size, format, arguments);
  } else {
    fflush(stdout);
    fputs("fumata: ", stderr);
    error_line(format, arguments);
  }
  va_end(arguments);
  return code;
}

void error_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error_line(format, arguments);
  va_end(arguments);
}

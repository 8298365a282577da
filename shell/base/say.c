#include "base/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/hush.h"

static enum say_level say_now = SAY_NORMAL;

void say_set(enum say_level level) {
  say_now = level;
}

enum say_level say_level(void) {
  return say_now;
}

static void say_print(FILE *stream, const char *format, va_list arguments) {
  vfprintf(stream, format, arguments);
  fputc('\n', stream);
}

void say_line(const char *format, ...) {
  va_list arguments;
  if (say_now == SAY_QUIET) return;
  va_start(arguments, format);
  say_print(stdout, format, arguments);
  va_end(arguments);
  fflush(stdout);
}

void say_text(const char *format, ...) {
  va_list arguments;
  if (say_now == SAY_QUIET) return;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

void say_detail(const char *format, ...) {
  va_list arguments;
  if (say_now != SAY_VERBOSE) return;
  va_start(arguments, format);
  say_print(hush_stream(), format, arguments);
  va_end(arguments);
}

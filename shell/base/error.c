#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"

static _Thread_local char *error_text; /* where lines go instead of to stderr, or NULL */
static _Thread_local size_t error_size;
static _Thread_local const char *error_end = ""; /* what every error line ends with */

void error_capture(char *text, size_t size) {
  error_text = text;
  error_size = size;
}

void error_private(int is_private) {
  error_end = is_private ? ERROR_PRIVATE : "";
}

static void error_line(const char *format, va_list arguments, const char *end) {
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "%s\n", end);
}

static void error_keep(const char *format, va_list arguments) {
  size_t used;
  vsnprintf(error_text, error_size, format, arguments);
  used = strlen(error_text);
  snprintf(error_text + used, error_size - used, "%s", error_end);
}

int error_report(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (error_text) {
    error_keep(format, arguments);
  } else {
    fflush(stdout);
    fputs("fumata: ", stderr);
    error_line(format, arguments, error_end);
  }
  va_end(arguments);
  return code;
}

void error_note(const char *format, ...) {
  va_list arguments;
  if (say_level() == SAY_QUIET) return;
  va_start(arguments, format);
  error_line(format, arguments, "");
  va_end(arguments);
}

void error_warn(const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  va_start(arguments, format);
  error_line(format, arguments, "");
  va_end(arguments);
}

int error_unwritten(const char *what) {
  int cause = errno;
  if (cause == EPIPE) return EXIT_UNREAD;
  return error_report(EXIT_SYSTEM, "%s: cannot write: %s", what, strerror(cause));
}

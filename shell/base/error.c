#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hush.h"
#include "base/say.h"

static _Thread_local char *error_text; /* where lines go instead of to stderr, or NULL */
static _Thread_local size_t error_size;
static _Atomic(const char *) error_end = ""; /* what every error line ends with, of any thread that works */

void error_capture(char *text, size_t size) {
  error_text = text;
  error_size = size;
}

void error_private(int is_private) {
  error_end = is_private ? ERROR_PRIVATE : "";
}

int error_is_private(void) {
  return *error_end != '\0';
}

/* What people type and what files are called may hold line breaks, and bytes that move a terminal's cursor. */
static const char *error_printable(char *text) {
  for (char *c = text; *c; c++)
    if (((unsigned char)*c < 0x20 && *c != '\t') || *c == 0x7f) *c = '?';
  return text;
}

static void error_line(const char *begin, const char *format, va_list arguments, const char *end) {
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  fprintf(hush_stream(), "%s%s%s\n", begin, text ? error_printable(text) : "out of memory", end);
  free(text);
}

int error_report(int code, const char *format, ...) {
  va_list arguments;
  size_t used;
  va_start(arguments, format);
  if (error_text) {
    vsnprintf(error_text, error_size, format, arguments);
    error_printable(error_text);
    used = strlen(error_text);
    snprintf(error_text + used, error_size - used, "%s", error_end);
  } else {
    fflush(stdout);
    error_line("fumata: ", format, arguments, error_end);
  }
  va_end(arguments);
  return code;
}

void error_note(const char *format, ...) {
  va_list arguments;
  if (say_level() == SAY_QUIET) return;
  va_start(arguments, format);
  error_line("", format, arguments, "");
  va_end(arguments);
}

void error_warn(const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  va_start(arguments, format);
  error_line("", format, arguments, "");
  va_end(arguments);
}

int error_unwritten(const char *what) {
  int cause = errno, before = hush_cause();
  if (before) cause = before;
  if (cause == EPIPE) return EXIT_UNREAD;
  return error_report(EXIT_SYSTEM, "%s: cannot write: %s", what, strerror(cause));
}

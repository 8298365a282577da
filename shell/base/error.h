/* What the operator reads: one line an event, on stderr. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

/* The program's exit codes, the same for every command. */
enum {
  EXIT_OK = 0,
  EXIT_REFUSED = 1, /* a plan that is not certified, a budget that is spent */
  EXIT_INPUT = 2,   /* a wrong option or a wrong file */
  EXIT_SYSTEM = 3   /* the machine failed: disk, memory, randomness */
};

#if defined(__GNUC__)
#define ERROR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ERROR_PRINTF(text, first)
#endif

/* Prints "fumata: <message>" and returns `code`, so that a failing function ends with `return error_report(...)`. */
int error_report(int code, const char *format, ...) ERROR_PRINTF(2, 3);

/* From now on an error line goes into `text` (cut to `size`) instead of to stderr; NULL ends that. For callers that
 * have no stderr to speak of, such as a Python interpreter. */
void error_capture(char *text, size_t size);

/* Prints a plain line for the operator. */
void error_note(const char *format, ...) ERROR_PRINTF(1, 2);

#endif

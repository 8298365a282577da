/* What the operator reads: one line an event, on stderr. */
#ifndef FUMATA_SAY_H
#define FUMATA_SAY_H

#include <stddef.h>

/* The program's exit codes, the same for every command. */
enum {
  FUMATA_EXIT_OK = 0,
  FUMATA_EXIT_REFUSED = 1, /* a plan that is not certified, a budget that is spent */
  FUMATA_EXIT_INPUT = 2,   /* a wrong option or a wrong file */
  FUMATA_EXIT_SYSTEM = 3   /* the machine failed: disk, memory, randomness */
};

#if defined(__GNUC__)
#define FUMATA_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FUMATA_PRINTF(text, first)
#endif

/* Prints "fumata: <message>" and returns `code`, so that a failing function ends with `return fumata_say_error(...)`. */
int fumata_say_error(int code, const char *format, ...) FUMATA_PRINTF(2, 3);

/* From now on an error line goes into `text` (cut to `size`) instead of to stderr; NULL ends that. For callers that
 * have no stderr to speak of, such as a Python interpreter. */
void fumata_say_capture(char *text, size_t size);

/* Prints a plain line for the operator. */
void fumata_say(const char *format, ...) FUMATA_PRINTF(1, 2);

#endif

/* What the operator reads, one line an event, and the exit codes that go with it.
 *
 * The house idiom: a function that can fail returns an exit code, 0 for success. Where something fails first, its line
 * is printed by error_report and the code returned; every caller above only passes the code on:
 *
 *   int code = stream_open(&stream, path);
 *   if (code) return code;
 *
 * So a failure is one line, and no caller prints it again. Bytes in it that cannot be printed become '?', so that it stays
 * one line whatever a file is called. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

/* The program's exit codes, the same for every command. */
enum {
  EXIT_OK = 0,
  EXIT_REFUSED = 1, /* a plan that is not certified, a budget that is spent */
  EXIT_INPUT = 2,   /* a wrong option or a wrong file */
  EXIT_SYSTEM = 3,  /* the machine failed: disk, memory, randomness */
  EXIT_STOPPED = 4, /* a signal asked to stop: main ends as the signal would have (interrupt.h) */
  EXIT_UNREAD = 5   /* the reader of standard output has gone: main ends quietly, as SIGPIPE would have */
};

#if defined(__GNUC__)
#define ERROR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ERROR_PRINTF(text, first)
#endif

/* Prints the error line "fumata: <message>" on stderr and returns `code`: `return error_report(EXIT_INPUT, ...);` */
int error_report(int code, const char *format, ...) ERROR_PRINTF(2, 3);

/* From now on this thread's error lines go into `text` (cut to `size`, the last one stays) instead of to stderr; NULL
 * ends that. For callers that have no stderr to speak of, such as a Python interpreter. */
void error_capture(char *text, size_t size);

/* 1: from now on an error line may tell of private data, and ends by saying so; 0: no more. */
#define ERROR_PRIVATE " (private: do not publish this line)"
void error_private(int is_private);
int error_is_private(void);

/* Prints a line on stderr that is not an error: a summary (not with --quiet), or a warning (always). */
void error_note(const char *format, ...) ERROR_PRINTF(1, 2);
void error_warn(const char *format, ...) ERROR_PRINTF(1, 2);

/* After a write to standard output (or what stands for it, called `what`) that failed with errno: EXIT_UNREAD without a
 * word where the reader has gone (`| head`), else EXIT_SYSTEM with its line. */
int error_unwritten(const char *what);

#endif

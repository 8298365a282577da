/* How much is said: --quiet and --verbose, the same for every command. Errors and warnings are always said. */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include "base/error.h"

enum say_level { SAY_QUIET = -1, SAY_NORMAL, SAY_VERBOSE };

void say_set(enum say_level level);
enum say_level say_level(void);

/* A line, or a part of one, of the report on standard output, unless --quiet. */
void say_line(const char *format, ...) ERROR_PRINTF(1, 2);
void say_text(const char *format, ...) ERROR_PRINTF(1, 2);

/* A line on stderr, with --verbose only. It may depend on no private data. */
void say_detail(const char *format, ...) ERROR_PRINTF(1, 2);

#endif

/* The lines of a plan file (plan_file.h), one by one: what mechanisms write their tables with and read them from. */
#ifndef PLAN_PLAN_TEXT_H
#define PLAN_PLAN_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "base/digest.h"
#include "base/error.h"

struct plan_text_writer {
  FILE *stream;
  struct digest digest; /* of the lines written */
};

void plan_text_write(struct plan_text_writer *writer, const char *format, ...) ERROR_PRINTF(2, 3);

/* `table NAME SIZE`, then a line for each entry: its place, counted from `first`, and its value. */
void plan_text_write_table(struct plan_text_writer *writer, const char *name, int64_t first, const uint64_t *entry,
                           uint32_t size);

/* The line that is being read, and where it stands. */
struct plan_text_reader {
  const char *path;
  FILE *stream;
  char *line;
  size_t room;
  uint64_t number;
  struct digest digest; /* of the lines read */
};

/* The int functions return an exit code (error.h); a failure has named the file, its line and the cause. */

/* Takes one line, without its newline; the last one stays out of the digest. */
int plan_text_next(struct plan_text_reader *reader, int is_last);

/* What follows `word` and a blank in the line; NULL when the line begins otherwise. */
const char *plan_text_after(const struct plan_text_reader *reader, const char *word);

/* The next line is `word` and a number: at most `most`, or with a sign, or two of them with a stroke between. */
int plan_text_field(struct plan_text_reader *reader, const char *word, uint64_t most, uint64_t *number);
int plan_text_signed_field(struct plan_text_reader *reader, const char *word, int64_t *number);
int plan_text_ratio(struct plan_text_reader *reader, const char *word, uint64_t most, uint64_t *num, uint64_t *den);

/* The next lines are `table NAME SIZE` and 1 to `most` entries; their memory is the caller's to free, also after a
 * failure. Of plan_text_distances the places are the distances from 1 on. */
int plan_text_table(struct plan_text_reader *reader, const char *name, uint32_t most, int64_t *first, uint64_t **entry,
                    uint32_t *size);
int plan_text_distances(struct plan_text_reader *reader, const char *name, uint32_t most, uint64_t **entry,
                        uint32_t *size);

/* Both say what is wrong with the line and return EXIT_INPUT. */
int plan_text_bad(const struct plan_text_reader *reader, const char *cause);
int plan_text_expected(const struct plan_text_reader *reader, const char *format, ...) ERROR_PRINTF(2, 3);

#endif

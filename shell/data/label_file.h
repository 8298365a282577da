/* The labels of idx images and .npy rows, in a file beside them, record by record:
 *
 *   idx    one byte each
 *   .npy   one whole number each: shape (n,) or (n, 1)
 *   CSV    the column of --label, or the only one; here --unit may name a column too
 *
 * A label is handed out as text, which the declared classes give its meaning. */
#ifndef DATA_LABEL_FILE_H
#define DATA_LABEL_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "data/source.h"

#define LABEL_FILE_TEXT 32 /* bytes of a number's text */

struct label_file {
  struct source source;
  size_t label, unit; /* CSV: their cells; LABEL_FILE_ABSENT: none */
  unsigned char item[8];
  char number[LABEL_FILE_TEXT];
};
#define LABEL_FILE_ABSENT SIZE_MAX

/* For the records of `records`, whose range it shares. `label` and `unit` name columns (NULL: not said). Each returns an
 * exit code (error.h). */
int label_file_open(struct label_file *file, const char *path, const struct source *records, const char *label,
                    const char *unit);
void label_file_close(struct label_file *file);

/* The next label: its text until the next call. A file that has no more is an error. */
int label_file_next(struct label_file *file, const char **text, size_t *length);

/* The unit of the label just handed out (CSV); length 0: there is none. */
void label_file_unit(const struct label_file *file, const char **text, size_t *length);

/* After the last record: nothing may follow. */
int label_file_end(struct label_file *file);

/* Where the label just handed out stands, for a message. */
void label_file_place(const struct label_file *file, char *text, size_t size);

#endif

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

struct label_file {
  struct source source; /* label and unit of the current record are the ones handed out */
  char number[32];
};

/* For the records of `records`, whose range it shares. `label` and `unit` name columns (NULL: not said). Each returns an
 * exit code (error.h). */
int label_file_open(struct label_file *file, const char *path, const struct source *records, const char *label,
                    const char *unit);
void label_file_close(struct label_file *file);

/* The next label: its text until the next call. A file that has no more is an error. */
int label_file_next(struct label_file *file, struct cell *label);

/* After the last record: nothing may follow. */
int label_file_end(struct label_file *file);

#endif

/* Ready votes, a batch of queries at a time: .npy or CSV, also packed, from a file or standard input.
 *
 * Labels: one row a query, one column a teacher, each cell a label 0 .. classes - 1 (CSV: a class as declared, or such a
 * label where no class is called by a number). A cell
 * that is not a class abstains: it is handed out as a number that is not a label.
 * Counts: one row a query, one column a class. A row with a cell that is not a whole number from 0 on is handed out without
 * votes; a number above 2^32 - 2 is handed out as that. Rows may add up to any number.
 * So no cell stops a stream. What is wrong with the shape (a file that is cut off, rows of another length) is an error
 * of ballots_open where the input is a file, which is then read twice unless its length tells; in a stream a CSV row of
 * another length is without votes, and a .npy that ends too early is an error where it ends.
 * Left to itself, .npy of uint8 or uint16 is labels; other types (int32, int64, uint32, uint64, float32, float64 with
 * whole values) are counts if there are as many columns as classes, else labels. CSV is counts if its header names
 * exactly the classes, in any order, or if it has no header and as many columns of whole numbers as there are classes; else
 * labels.
 *
 * Whether the first line of a CSV is a header, unless that is stated. A line that names the classes is one, and so is a
 * line that counts up by one from 0 or 1, and in a file of counts a line without a number. Any other line is not a header
 * if it contains a cell twice, as names of teachers differ and votes repeat, or if all of its cells are votes or counts.
 * So a single vote does not decide it, unless there are hardly more teachers than classes. */
#ifndef DATA_BALLOTS_H
#define DATA_BALLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/votes.h"
#include "data/classes.h"
#include "data/csv.h"
#include "data/lines.h"
#include "data/npy.h"
#include "data/stream.h"

enum ballots_meaning { BALLOTS_AUTO, BALLOTS_LABELS, BALLOTS_COUNTS };

enum ballots_header { BALLOTS_LOOK, BALLOTS_HEADER, BALLOTS_NO_HEADER };

/* What is known beforehand; zeros: nothing. */
struct ballots_style {
  enum ballots_meaning meaning;
  enum ballots_header header; /* CSV */
  char delimiter;             /* CSV; 0: a comma */
};

struct ballots {
  char *path;
  const struct classes *classes;
  enum ballots_meaning meaning;
  struct ballots_style style;
  int has_record;    /* CSV without a header: the first row was read for its length and is still to be handed out */
  uint32_t teachers; /* labels: columns; counts: 0 */
  uint64_t at;       /* queries read */
  struct stream stream;
  struct lines lines;
  struct csv csv;
  struct npy npy;
  int is_npy;
  size_t width;       /* cells of a row */
  uint32_t *place;    /* CSV counts: class of each column */
  unsigned char *raw; /* one batch as in the file */
  void *cooked;       /* one batch as handed out, where it differs */
  size_t batch;
  void *map; /* a plain file of uint8 or uint16 labels is used where it lies, instead of raw and cooked */
  size_t map_size;
  size_t map_read; /* bytes whose pages were let go */
};

/* Each returns an exit code (error.h) with its line printed. Labels are checked against the classes, rows of counts
 * against each other; but uint8 and uint16 labels of a plain file, handed out where they lie, are left to the core,
 * which refuses what is not a label. The batch's arrays stay valid until the next call. */
int ballots_open(struct ballots *ballots, const char *path, const struct classes *classes,
                 const struct ballots_style *style);
int ballots_next(struct ballots *ballots, size_t max, struct votes *batch);
void ballots_close(struct ballots *ballots);

/* Says on stderr how the votes were read. */
void ballots_tell(const struct ballots *ballots);

#endif

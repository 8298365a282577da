/* Encoded records in memory: dense (row-major floats) or sparse (CSR), with label, unit and line of each. */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include <stddef.h>
#include <stdint.h>

#define ROWS_UNLABELLED  (-1)
#define ROWS_UNREAD      (-2) /* instead of a label: the record could not be read, and its numbers are zeros (reader.h) */
#define ROWS_COLUMNS_MAX (UINT32_C(1) << 24)

/* All arrays belong to the rows and may move when rows are added; a chunk of them is a list of row numbers, never a
 * copy. Exactly one of the two layouts is used:
 *   dense:  value of (i, j) = dense[i * columns + j]; `dense` starts at a cache line;
 *   sparse: the entries of row i are index[e], value[e] for start[i] <= e < start[i + 1]; indices count from 0 and
 *           ascend strictly; `start` has count + 1 elements (also when count = 0). */
struct rows {
  size_t count;
  uint32_t columns;
  int is_dense;
  float *dense;
  size_t *start;
  uint32_t *index;
  float *value;
  int32_t *label; /* 0 .. classes - 1, ROWS_UNLABELLED or ROWS_UNREAD */
  uint64_t *unit; /* partition word of the record's unit (partition.h); 0 when the reader had no partition */
  uint64_t *line; /* line of the text file (first line 1), or number of the image (first image 1) */
  size_t capacity, entries_capacity;
};

/* Rows with room for nothing yet. */
void rows_init(struct rows *rows, uint32_t columns, int is_dense);
void rows_free(struct rows *rows);

/* Forgets the records and keeps the memory: the next batch of a stream goes into the same place. */
void rows_clear(struct rows *rows);

/* Room for `more` further records (and, when sparse, `entries` further entries). Returns an exit code (error.h). */
int rows_reserve(struct rows *rows, size_t more, size_t entries);

/* The same for one record, quicker where there is room; asked for every record of a file. */
static inline int rows_reserve_one(struct rows *rows, size_t entries) {
  if (rows->count < rows->capacity && (rows->is_dense || entries <= rows->entries_capacity - rows->start[rows->count]))
    return 0;
  return rows_reserve(rows, 1, entries);
}

/* Adds one record. Room must have been reserved; a dense row is zero and for the caller to fill, a sparse one has the
 * entries between start[count] and `end` that the caller has already written. */
float *rows_push_dense(struct rows *rows, int32_t label, uint64_t unit, uint64_t line);
void rows_push_sparse(struct rows *rows, size_t end, int32_t label, uint64_t unit, uint64_t line);

/* Entries of all rows; for dense rows count * columns. */
size_t rows_entries(const struct rows *rows);

/* Copies rows order[0 .. count - 1] in that order, without labels and units, into `out`, which this initialises. Returns an
 * exit code. */
int rows_gather(const struct rows *in, const size_t *order, size_t count, struct rows *out);

/* Writes row i as `columns` floats, whatever the layout. */
void rows_expand(const struct rows *rows, size_t i, float *out);

#endif

#include "data/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void rows_init(struct rows *rows, uint32_t columns, int is_dense) {
  memset(rows, 0, sizeof *rows);
  rows->columns = columns;
  rows->is_dense = is_dense;
}

void rows_free(struct rows *rows) {
  free(rows->dense);
  free(rows->start);
  free(rows->index);
  free(rows->value);
  free(rows->label);
  free(rows->unit);
  free(rows->line);
  rows_init(rows, rows->columns, rows->is_dense);
}

void rows_clear(struct rows *rows) {
  rows->count = 0;
}

/* Room for `capacity` records in every array that has one element a record. */
static int rows_grow(struct rows *rows, size_t capacity) {
  size_t labels = rows->capacity, units = rows->capacity, lines = rows->capacity, starts = 0;
  int is_new = !rows->start, code;
  float *grown = NULL;
  code = memory_grow(&rows->label, &labels, capacity, sizeof *rows->label);
  if (!code) code = memory_grow(&rows->unit, &units, capacity, sizeof *rows->unit);
  if (!code) code = memory_grow(&rows->line, &lines, capacity, sizeof *rows->line);
  if (!code && rows->is_dense)
    code = memory_align(&grown, capacity, (rows->columns ? rows->columns : 1) * sizeof *grown);
  if (!code && !rows->is_dense) code = memory_grow(&rows->start, &starts, capacity + 1, sizeof *rows->start);
  if (code) return code;
  if (!rows->is_dense && is_new) rows->start[0] = 0;
  if (rows->is_dense) {
    if (rows->count) memcpy(grown, rows->dense, rows->count * rows->columns * sizeof *grown);
    free(rows->dense);
    rows->dense = grown;
  }
  rows->capacity = capacity;
  return EXIT_OK;
}

int rows_reserve(struct rows *rows, size_t more, size_t entries) {
  size_t needed = rows->count + more, used, capacity;
  int code;
  if (needed < more) return memory_short();
  if (needed > rows->capacity || rows->capacity == 0) {
    capacity = rows->capacity + rows->capacity / 2;
    if (capacity < needed) capacity = needed;
    if (capacity == 0) capacity = 1;
    code = rows_grow(rows, capacity);
    if (code) return code;
  }
  if (rows->is_dense) return EXIT_OK;
  used = rows->start[rows->count];
  if (used + entries < used) return memory_short();
  capacity = rows->entries_capacity;
  code = memory_grow(&rows->index, &capacity, used + entries, sizeof *rows->index);
  if (code) return code;
  return memory_grow(&rows->value, &rows->entries_capacity, used + entries, sizeof *rows->value);
}

static void rows_push(struct rows *rows, int32_t label, uint64_t unit, uint64_t line) {
  rows->label[rows->count] = label;
  rows->unit[rows->count] = unit;
  rows->line[rows->count] = line;
  rows->count++;
}

float *rows_push_dense(struct rows *rows, int32_t label, uint64_t unit, uint64_t line) {
  float *row = rows->dense + rows->count * rows->columns;
  memset(row, 0, rows->columns * sizeof *row);
  rows_push(rows, label, unit, line);
  return row;
}

void rows_push_sparse(struct rows *rows, size_t end, int32_t label, uint64_t unit, uint64_t line) {
  rows->start[rows->count + 1] = end;
  rows_push(rows, label, unit, line);
}

size_t rows_entries(const struct rows *rows) {
  if (rows->count == 0) return 0;
  return rows->is_dense ? rows->count * rows->columns : rows->start[rows->count];
}

void rows_expand(const struct rows *rows, size_t i, float *out) {
  if (rows->is_dense) {
    memcpy(out, rows->dense + i * rows->columns, rows->columns * sizeof *out);
    return;
  }
  memset(out, 0, rows->columns * sizeof *out);
  for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
    out[rows->index[e]] = rows->value[e];
}

int rows_gather(const struct rows *in, const size_t *order, size_t count, struct rows *out) {
  size_t entries = 0;
  int code;
  rows_init(out, in->columns, in->is_dense);
  for (size_t i = 0; !in->is_dense && i < count; i++)
    entries += in->start[order[i] + 1] - in->start[order[i]];
  code = rows_reserve(out, count, entries);
  for (size_t i = 0; !code && i < count; i++) {
    size_t from = order[i];
    if (in->is_dense) {
      rows_expand(in, from, rows_push_dense(out, ROWS_UNLABELLED, 0, in->line[from]));
    } else {
      size_t first = out->start[out->count], length = in->start[from + 1] - in->start[from];
      memcpy(out->index + first, in->index + in->start[from], length * sizeof *out->index);
      memcpy(out->value + first, in->value + in->start[from], length * sizeof *out->value);
      rows_push_sparse(out, first + length, ROWS_UNLABELLED, 0, in->line[from]);
    }
  }
  return code;
}

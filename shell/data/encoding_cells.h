/* The cells of a CSV record become a row. */
#ifndef DATA_ENCODING_CELLS_H
#define DATA_ENCODING_CELLS_H

#include "data/encoding.h"

/* Encodes the cells of one CSV record (column c of the encoding is cell[place[c]]; they stand amid a buffer, amid.h) and adds
 * the row, before the steps; the rows must have room for it and for encoding_cells_room() entries. Returns NULL, or what is
 * wrong with column *fault. */
const char *encoding_cells(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                           struct rows *rows, int32_t label, uint64_t unit, uint64_t line, size_t *fault);
size_t encoding_cells_room(const struct encoding *encoding);

#endif

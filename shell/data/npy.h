/* NumPy's .npy files (format 1.0 to 3.0), read strictly: one or two dimensions, C order, little-endian. */
#ifndef DATA_NPY_H
#define DATA_NPY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/stream.h"

enum npy_type { NPY_U8, NPY_U16, NPY_U32, NPY_U64, NPY_I8, NPY_I16, NPY_I32, NPY_I64, NPY_F32, NPY_F64 };

struct npy {
  enum npy_type type;
  size_t item;            /* bytes of a cell */
  int dimensions;         /* 1 or 2 */
  uint64_t rows, columns; /* one dimension is one column */
};

int npy_recognise(const unsigned char *bytes, size_t length);

/* The text between the braces' ends, e.g. "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4), }\n".
 * Returns NULL, or what is wrong with it. */
const char *npy_parse(struct npy *npy, const char *text, size_t length);

/* Reads the header and checks the file's length against it where that is known. Returns an exit code (error.h). */
int npy_open(struct npy *npy, struct stream *stream);

/* Refuses an array that does not have two dimensions. */
int npy_matrix(const struct npy *npy, const char *path);

/* One cell as a number. */
double npy_number(enum npy_type type, const void *cell);

/* One cell as a whole number 0 .. 2^32 - 1; returns -1 if it is not one. */
int npy_whole(enum npy_type type, const void *cell, uint32_t *number);

/* Writes the head of a file (format 1.0) whose cells are written behind it as they come. `type` as NumPy spells it ("<f4",
 * "|u1"), `shape` likewise ("(3, 4)", "(3,)"). The stream's own error flag tells whether it arrived. */
void npy_write_head(FILE *stream, const char *type, const char *shape);

#endif

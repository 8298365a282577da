/* The header of NumPy's .npy files (format 1.0 to 3.0), read strictly: two dimensions, C order, little-endian. */
#ifndef FUMATA_NPY_H
#define FUMATA_NPY_H

#include <stddef.h>
#include <stdint.h>

#include "stream.h"

typedef enum {
  FUMATA_NPY_U8,
  FUMATA_NPY_U16,
  FUMATA_NPY_U32,
  FUMATA_NPY_U64,
  FUMATA_NPY_I8,
  FUMATA_NPY_I16,
  FUMATA_NPY_I32,
  FUMATA_NPY_I64,
  FUMATA_NPY_F32,
  FUMATA_NPY_F64
} fumata_npy_type;

typedef struct {
  fumata_npy_type type;
  size_t item; /* bytes of a cell */
  uint64_t rows, columns;
} fumata_npy;

int fumata_npy_recognise(const unsigned char *bytes, size_t length);

/* The text between the braces' ends, e.g. "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4), }\n".
 * Returns NULL, or what is wrong with it. */
const char *fumata_npy_parse(fumata_npy *npy, const char *text, size_t length);

/* Reads the header and checks the file's length against it where that is known. Returns an exit code (say.h). */
int fumata_npy_open(fumata_npy *npy, fumata_stream *stream);

/* One cell as a whole number 0 .. 2^32 - 1; returns -1 if it is none. */
int fumata_npy_whole(fumata_npy_type type, const void *cell, uint32_t *number);

#endif

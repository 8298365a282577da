/* The header of idx files (MNIST's format): big-endian sizes, then unsigned bytes. */
#ifndef DATA_IDX_H
#define DATA_IDX_H

#include <stddef.h>
#include <stdint.h>

#include "data/stream.h"

struct idx {
  uint64_t count;         /* items */
  uint32_t size;          /* bytes of one item: 1 for labels, rows x columns for images */
  uint32_t rows, columns; /* of an image; 0 where items have not two dimensions */
};

/* Does this look like one? (00 00 08 dimensions) */
int idx_recognise(const unsigned char *bytes, size_t length);

/* Reads the header and checks the file's length against it where that is known. Returns an exit code (error.h). */
int idx_open(struct idx *idx, struct stream *stream);

/* After the last item: nothing may follow. */
int idx_end(struct stream *stream);

#endif

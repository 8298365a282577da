/* The header of idx files (MNIST's format): big-endian sizes, then unsigned bytes. */
#ifndef FUMATA_IDX_H
#define FUMATA_IDX_H

#include <stddef.h>
#include <stdint.h>

#include "stream.h"

typedef struct {
  uint64_t count; /* items */
  uint32_t size;  /* bytes of one item: 1 for labels, rows x columns for images */
} fumata_idx;

/* Does this look like one? (00 00 08 dimensions) */
int fumata_idx_recognise(const unsigned char *bytes, size_t length);

/* Reads the header and checks the file's length against it where that is known. Returns an exit code (say.h). */
int fumata_idx_open(fumata_idx *idx, fumata_stream *stream);

/* After the last item: nothing may follow. */
int fumata_idx_end(fumata_stream *stream);

#endif

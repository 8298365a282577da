/* Rows sorted into chunks, one chunk a teacher.
 *
 * Inside a chunk the rows stand in the order of their partition words (rows of one unit in file order): so the order
 * that a learner sees says nothing about the file's order. */
#ifndef GATE_CHUNKS_H
#define GATE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

/* The rows of teacher t are row[e], start[t] <= e < start[t + 1]. */
struct chunks {
  uint32_t teachers;
  size_t *start; /* teachers + 1 */
  size_t *row;
};

/* Sorts `count` rows into chunks by their words (partition.h). `keep` (or NULL: all) says for each row whether it takes part. Returns an exit
 * code (error.h). */
int chunks_make(struct chunks *chunks, const uint64_t *unit, size_t count, const unsigned char *keep,
                uint32_t teachers);
void chunks_free(struct chunks *chunks);

/* Leaves the chunks of teachers first .. last - 1, who are teachers 0, 1, ... then. */
void chunks_slice(struct chunks *chunks, uint32_t first, uint32_t last);

#endif

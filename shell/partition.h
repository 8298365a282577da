/* Which teacher a record belongs to.
 *
 * Every record gets a 64-bit word; the teacher is the word scaled to 0 .. teachers - 1. The word depends on the
 * record's unit and on the secret key alone, never on the record's place in the file or on other units:
 *   named units (--unit COLUMN)  word = SipHash-2-4(key, text of the cell): all rows of a person have the same word;
 *   each row its own unit        word = an independent uniform draw from the operating system. Removing, adding or
 *                                replacing a row leaves the other draws as they are (in law), so one chunk changes.
 * Reproducible coins (tests only) cannot draw independently and still give the other rows the same words after one was
 * removed. With them the word is SipHash(key, the record's own bytes and how many equal records came before): removing
 * or adding a row then changes exactly one chunk, byte for byte; replacing one is a removal and an addition.
 * Inside a chunk the rows stand in the order of their words (rows of one unit in file order): so the order that a
 * learner sees says nothing about the file's order either. */
#ifndef FUMATA_PARTITION_H
#define FUMATA_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#include "coins.h"
#include "rows.h"

typedef struct {
  uint64_t key[2];
  fumata_coins *coins;
  /* seeded coins only: how often each record (by its hash) was seen, open addressing */
  uint64_t *seen;
  uint64_t *times;
  size_t slots, used;
} fumata_partition;

/* A fresh secret key from `coins`, which must outlive the partition. Returns an exit code (say.h). */
int fumata_partition_init(fumata_partition *partition, fumata_coins *coins);
void fumata_partition_free(fumata_partition *partition); /* also wipes the key */

/* The word of a named unit; of a record that is its own unit (returns an exit code). The reader calls these. */
uint64_t fumata_partition_name(const fumata_partition *partition, const void *name, size_t length);
int fumata_partition_record(fumata_partition *partition, const void *record, size_t length, uint64_t *word);

/* floor(word * teachers / 2^64): each teacher's share differs from 1 / teachers by less than 2^-64. */
uint32_t fumata_partition_teacher(uint64_t word, uint32_t teachers);

/* 0 or 1, independent of the teacher: halves of the data by whole units (--estimate-error, --label-private). */
uint32_t fumata_partition_half(const fumata_partition *partition, uint64_t word);

/* The rows of teacher t are row[e], start[t] <= e < start[t + 1]. */
typedef struct {
  uint32_t teachers;
  size_t *start; /* teachers + 1 */
  size_t *row;
} fumata_chunks;

/* Sorts rows into chunks by rows->unit. `keep` (or NULL: all) says for each row whether it takes part. */
int fumata_chunks_make(fumata_chunks *chunks, const fumata_rows *rows, const unsigned char *keep, uint32_t teachers);
void fumata_chunks_free(fumata_chunks *chunks);

#endif

/* The words that decide which teacher a record belongs to.
 *
 * Every record gets a 64-bit word; core/partition.h says which teacher that is. The word depends on the record's unit and
 * on the secret key alone, never on the record's place in the file or on other units:
 *   named units (--unit COLUMN)  word = SipHash-2-4(key, text of the cell): all rows of a person have the same word;
 *   each row its own unit        word = an independent uniform draw from the operating system. Removing, adding or
 *                                replacing a row leaves the other draws as they are (in law), so one chunk changes.
 * Processes that share a key (several machines), and reproducible coins (tests only), cannot draw independently and still
 * agree on the words. With them the word is SipHash(key, the record's own bytes and how many equal records came before):
 * removing or adding a row then changes exactly one chunk, byte for byte; replacing one is a removal and an addition for a
 * fixed key, and one chunk over the secret key, like a unit that is exchanged for one of another name. */
#ifndef GATE_PARTITION_H
#define GATE_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#include "gate/coins.h"

struct partition {
  uint64_t key[2];
  struct coins *coins; /* of a record's word; not used by content */
  int by_content;      /* a record's word comes of its bytes, not of a coin */
  /* by content: how often each record (by its hash) was seen, open addressing */
  uint64_t *seen;
  uint64_t *times;
  size_t slots, used;
};

/* A fresh secret key from `coins`, which must outlive the partition. Returns an exit code (error.h). */
int partition_init(struct partition *partition, struct coins *coins);
void partition_free(struct partition *partition); /* also wipes the key */

/* With a key that other processes have too, instead of a fresh one: all that read the same file get the same words. */
void partition_open(struct partition *partition, const uint64_t key[2]);

/* Before the same file is read once more: no record was seen yet. */
void partition_rewind(struct partition *partition);

/* The word of a named unit; of a record that is its own unit (returns an exit code). The reader calls these. */
uint64_t partition_name(const struct partition *partition, const void *name, size_t length);
int partition_record(struct partition *partition, const void *record, size_t length, uint64_t *word);

/* 0 or 1, independent of the teacher: halves of the data by whole units (--estimate-error, --label-private). */
uint32_t partition_half(const struct partition *partition, uint64_t word);

#endif

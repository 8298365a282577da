#include "gate/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "gate/key.h"

#define PARTITION_RECORD UINT64_C(0x7265636f7264) /* domains of the hash: a record's word, a unit's half */
#define PARTITION_HALF   UINT64_C(0x68616c66)
#define PARTITION_SLOTS  1024 /* of the table of records seen, at first */

int partition_init(struct partition *partition, struct coins *coins) {
  int code;
  memset(partition, 0, sizeof *partition);
  partition->coins = coins;
  partition->by_content = coins->seeded;
  code = coins_draw(coins, &partition->key[0]);
  if (code) return code;
  return coins_draw(coins, &partition->key[1]);
}

void partition_open(struct partition *partition, const uint64_t key[2]) {
  memset(partition, 0, sizeof *partition);
  memcpy(partition->key, key, sizeof partition->key);
  partition->by_content = 1;
}

void partition_free(struct partition *partition) {
  free(partition->seen);
  free(partition->times);
  explicit_bzero(partition, sizeof *partition);
}

void partition_rewind(struct partition *partition) {
  free(partition->seen);
  free(partition->times);
  partition->seen = partition->times = NULL;
  partition->slots = partition->used = 0;
}

uint64_t partition_name(const struct partition *partition, const void *name, size_t length) {
  return key_hash(partition->key, name, length);
}

/* The slot of a hash in the table of records seen; 0 marks a free slot, so a hash of 0 counts as 1. */
static size_t partition_slot(const struct partition *partition, uint64_t hash) {
  size_t mask = partition->slots - 1, at = (size_t)hash & mask;
  while (partition->seen[at] && partition->seen[at] != hash)
    at = (at + 1) & mask;
  return at;
}

static int partition_rehash(struct partition *partition) {
  struct partition bigger = *partition;
  size_t i;
  int code;
  bigger.slots = partition->slots ? 2 * partition->slots : PARTITION_SLOTS;
  bigger.times = NULL;
  code = memory_take(&bigger.seen, bigger.slots, sizeof *bigger.seen);
  if (!code) code = memory_take(&bigger.times, bigger.slots, sizeof *bigger.times);
  if (code) {
    free(bigger.seen);
    return code;
  }
  for (i = 0; i < partition->slots; i++)
    if (partition->seen[i]) {
      size_t at = partition_slot(&bigger, partition->seen[i]);
      bigger.seen[at] = partition->seen[i];
      bigger.times[at] = partition->times[i];
    }
  free(partition->seen);
  free(partition->times);
  partition->seen = bigger.seen;
  partition->times = bigger.times;
  partition->slots = bigger.slots;
  return EXIT_OK;
}

int partition_record(struct partition *partition, const void *record, size_t length, uint64_t *word) {
  uint64_t own[3];
  size_t at;
  int code;
  if (!partition->by_content) return coins_draw(partition->coins, word);
  code = partition->used >= partition->slots / 2 ? partition_rehash(partition) : EXIT_OK;
  if (code) return code;
  own[0] = PARTITION_RECORD;
  own[1] = key_hash(partition->key, record, length);
  if (own[1] == 0) own[1] = 1;
  at = partition_slot(partition, own[1]);
  partition->used += partition->seen[at] == 0;
  partition->seen[at] = own[1];
  own[2] = partition->times[at]++;
  *word = key_hash(partition->key, own, sizeof own);
  return EXIT_OK;
}

uint32_t partition_half(const struct partition *partition, uint64_t word) {
  uint64_t own[2] = {PARTITION_HALF, word};
  return (uint32_t)(key_hash(partition->key, own, sizeof own) >> 63);
}

/* Which teacher a record belongs to, and the chunks that follow from it (MECHANISM section 1). */
#ifndef FUMATA_PARTITION_H
#define FUMATA_PARTITION_H

#include <stdint.h>

#include "ballot.h"

#define FUMATA_PARTITION_NOBODY 4294967295u /* the teacher of a record from which no teacher learns */

#ifdef __FRAMAC__
#include "partition.acsl"
#endif

/* The teacher of a word, floor(word * teachers / 2^64).
 *
 * Claim:    T-PARTITION-1, the words of teachers are stretches of the same length.
 * Not here: that a record's word depends on its unit and the key alone (A-HASH). */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures teacher:     FumataIsTeacher(\result, word, teachers);
    ensures range:       1 <= teachers ==> \result < teachers; */
uint32_t fumata_partition_teacher(uint64_t word, uint32_t teachers);

/* The teacher of each record, by the word of its unit; or FUMATA_PARTITION_NOBODY, where keep[i] is 0.
 *
 * Claim:    T-PARTITION-1.
 * Not here: that all records of a unit have one word. */
/*@ requires words:      \valid_read(words + (0 .. count - 1));
    requires keep:       \valid_read(keep + (0 .. count - 1));
    requires owners:     \valid(owner + (0 .. count - 1));
    requires apart:      \separated(words + (0 .. count - 1), owner + (0 .. count - 1));
    requires kept:       \separated(keep + (0 .. count - 1), owner + (0 .. count - 1));
    terminates \true; exits \false;
    assigns              owner[0 .. count - 1];
    ensures owners:      FumataAreOwners(words, keep, count, teachers, owner); */
void fumata_partition_owners(const uint64_t *words, const uint8_t *keep, uint64_t count, uint32_t teachers,
                             uint32_t *owner);

/* The chunks: record[start[t] .. start[t + 1] - 1] are the records of teacher t, in their order. A record whose owner is
 * not below `teachers` is in none.
 *
 * Claim:    T-PARTITION-2, every record is in its own teacher's chunk, once, and in no other; T-ERR-1.
 * Not here: that a teacher learns from its chunk alone (A-CHUNKS). */
/*@ requires owners:     \valid_read(owner + (0 .. count - 1));
    requires starts:     \valid(start + (0 .. teachers));
    requires records:    \valid(record + (0 .. count - 1));
    requires apart:      \separated(start + (0 .. teachers), record + (0 .. count - 1));
    requires kept:       \separated(owner + (0 .. count - 1), start + (0 .. teachers), record + (0 .. count - 1));
    terminates \true; exits \false;
    assigns              start[0 .. teachers], record[0 .. count - 1];
    behavior cut:
      assumes            FumataTeachersOk(teachers);
      ensures done:      \result == FUMATA_OK;
      ensures starts:    FumataAreStarts(owner, count, teachers, start);
      ensures chunks:    FumataAreChunks(owner, count, teachers, record);
    behavior teachers:
      assumes            !FumataTeachersOk(teachers);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_TEACHERS;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_partition_cut(const uint32_t *owner, uint64_t count, uint32_t teachers, uint64_t *start,
                                   uint64_t *record);

#endif

#include "partition.h"

#define FUMATA_PARTITION_HALF UINT64_C(4294967296) /* 2^32: words are multiplied in two halves */

/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures upper:       \result * 4294967296 <= number < (\result + 1) * 4294967296; */
static uint64_t fumata_partition_upper(uint64_t number) {
  return number / FUMATA_PARTITION_HALF;
}

/* A product of a half grows with the half: by induction over the other factor. */
/*@ ghost
  /@ requires half:       half <= 4294967295;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures product:     half * teachers <= 4294967295 * teachers; @/
  void fumata_partition_lemma_half(uint64_t half, uint32_t teachers) {
    /@ loop invariant range:   0 <= t <= teachers;
       loop invariant product: half * t <= 4294967295 * t;
       loop assigns            t;
       loop variant            teachers - t; @/
    for (uint32_t t = 0; t < teachers; t++) {}
  } */

uint32_t fumata_partition_teacher(uint64_t word, uint32_t teachers) {
  uint64_t low = word % FUMATA_PARTITION_HALF * teachers;
  uint64_t high = word / FUMATA_PARTITION_HALF * teachers;
  uint64_t carry = fumata_partition_upper(low);

  /*@ ghost fumata_partition_lemma_half(word % FUMATA_PARTITION_HALF, teachers); */
  /*@ ghost fumata_partition_lemma_half(word / FUMATA_PARTITION_HALF, teachers); */
  /*@ assert halves: word * teachers == high * 4294967296 + low; */
  /*@ assert range:  high + carry < 4294967296 * teachers || teachers == 0; */
  return (uint32_t)fumata_partition_upper(high + carry);
}

void fumata_partition_owners(const uint64_t *words, const uint8_t *keep, uint64_t count, uint32_t teachers,
                             uint32_t *owner) {
  uint64_t i;

  /*@ loop invariant range:  0 <= i <= count;
      loop invariant owners: FumataAreOwners(words, keep, i, teachers, owner);
      loop assigns           i, owner[0 .. count - 1];
      loop variant           count - i; */
  for (i = 0; i < count; i++) {
    owner[i] = keep[i] != 0 ? fumata_partition_teacher(words[i], teachers) : FUMATA_PARTITION_NOBODY;
  }
}

/* Where the chunks end: start[t] is the first place behind the chunk of teacher t. */
/*@ requires owners:     \valid_read(owner + (0 .. count - 1));
    requires starts:     \valid(start + (0 .. teachers));
    requires apart:      \separated(owner + (0 .. count - 1), start + (0 .. teachers));
    terminates \true; exits \false;
    assigns              start[0 .. teachers];
    ensures ends:        \forall integer t; 0 <= t < teachers ==> start[t] == FumataBelow(owner, count, t + 1);
    ensures end:         start[teachers] == FumataBelow(owner, count, teachers); */
static void fumata_partition_ends(const uint32_t *owner, uint64_t count, uint32_t teachers, uint64_t *start) {
  uint64_t sum = 0;
  uint64_t i;
  uint32_t t;

  /*@ loop invariant range: 0 <= t <= teachers;
      loop invariant zero:  \forall integer s; 0 <= s < t ==> start[s] == 0;
      loop assigns          t, start[0 .. teachers];
      loop variant          teachers - t; */
  for (t = 0; t < teachers; t++) {
    start[t] = 0;
  }
  /*@ loop invariant range:  0 <= i <= count;
      loop invariant pupils: \forall integer s; 0 <= s < teachers ==> start[s] == FumataPupils(owner, i, s);
      loop invariant bound:  \forall integer s; 0 <= FumataBelow(owner, i, s) <= i;
      loop invariant none:   FumataBelow(owner, i, 0) == 0;
      loop assigns           i, start[0 .. teachers];
      loop variant           count - i; */
  for (i = 0; i < count; i++) {
    if (owner[i] < teachers) {
      start[owner[i]] += 1;
    }
  }
  /*@ loop invariant range: 0 <= t <= teachers;
      loop invariant sum:   sum == FumataBelow(owner, count, t);
      loop invariant ends:  \forall integer s; 0 <= s < t ==> start[s] == FumataBelow(owner, count, s + 1);
      loop invariant later: \forall integer s; t <= s < teachers ==> start[s] == FumataPupils(owner, count, s);
      loop assigns          t, sum, start[0 .. teachers];
      loop variant          teachers - t; */
  for (t = 0; t < teachers; t++) {
    sum += start[t];
    start[t] = sum;
  }
  start[teachers] = sum;
}

/* What is counted below a teacher never shrinks: from record to record, and from teacher to teacher. */
/*@ ghost
  /@ requires owners:     \valid_read(owner + (0 .. count - 1));
     terminates \true; exits \false;
     assigns              \nothing;
     ensures bound:       \forall integer t; 0 <= FumataBelow(owner, count, t) <= count;
     ensures records:     \forall integer i, t; 0 <= i <= count ==>
                          0 <= FumataPupils(owner, i, t) <= FumataPupils(owner, count, t);
     ensures more:        \forall integer i, j; 0 <= i < j <= count ==>
                          FumataPupils(owner, i, owner[i]) < FumataPupils(owner, j, owner[i]);
     ensures teachers:    \forall integer s, t; s <= t ==> FumataBelow(owner, count, s) <= FumataBelow(owner, count, t); @/
  void fumata_partition_lemma_order(const uint32_t *owner, uint64_t count) {
    /@ loop invariant range:    0 <= n <= count;
       loop invariant bound:    \forall integer t; 0 <= FumataBelow(owner, n, t) <= n;
       loop invariant records:  \forall integer i, t; 0 <= i <= n ==>
                                0 <= FumataPupils(owner, i, t) <= FumataPupils(owner, n, t);
       loop invariant more:     \forall integer i, j; 0 <= i < j <= n ==>
                                FumataPupils(owner, i, owner[i]) < FumataPupils(owner, j, owner[i]);
       loop invariant teachers: \forall integer s, t; s <= t ==> FumataBelow(owner, n, s) <= FumataBelow(owner, n, t);
       loop assigns             n;
       loop variant             count - n; @/
    for (uint64_t n = 0; n < count; n++) {}
  } */

/* So no two records have the same place. */
/*@ ghost
  /@ requires owners:     \valid_read(owner + (0 .. count - 1));
     terminates \true; exits \false;
     assigns              \nothing;
     ensures range:       \forall integer i; 0 <= i < count ==> 0 <= FumataPlace(owner, count, i) < count;
     ensures apart:       \forall integer i, j; 0 <= i < j < count ==>
                          FumataPlace(owner, count, i) != FumataPlace(owner, count, j); @/
  void fumata_partition_lemma_places(const uint32_t *owner, uint64_t count) {
    fumata_partition_lemma_order(owner, count);
  } */

/* The records, from the last to the first, each to the last place of its teacher that is free. */
/*@ requires owners:     \valid_read(owner + (0 .. count - 1));
    requires starts:     \valid(start + (0 .. teachers));
    requires records:    \valid(record + (0 .. count - 1));
    requires apart:      \separated(start + (0 .. teachers), record + (0 .. count - 1));
    requires kept:       \separated(owner + (0 .. count - 1), start + (0 .. teachers), record + (0 .. count - 1));
    requires ends:       \forall integer t; 0 <= t < teachers ==> start[t] == FumataBelow(owner, count, t + 1);
    terminates \true; exits \false;
    assigns              start[0 .. teachers - 1], record[0 .. count - 1];
    ensures starts:      \forall integer t; 0 <= t < teachers ==> start[t] == FumataBelow(owner, count, t);
    ensures chunks:      FumataAreChunks(owner, count, teachers, record); */
static void fumata_partition_fill(const uint32_t *owner, uint64_t count, uint32_t teachers, uint64_t *start,
                                  uint64_t *record) {
  uint64_t i;

  /*@ ghost fumata_partition_lemma_places(owner, count); */
  /*@ loop invariant range:  0 <= i <= count;
      loop invariant chunks: \forall integer j; i <= j < count && owner[j] < teachers ==>
                             FumataIsPlaced(owner, count, record, j);
      loop invariant free:   \forall integer t; 0 <= t < teachers ==>
                             start[t] == FumataBelow(owner, count, t) + FumataPupils(owner, i, t);
      loop assigns           i, start[0 .. teachers - 1], record[0 .. count - 1];
      loop variant           i; */
  for (i = count; i > 0; i--) {
    if (owner[i - 1] < teachers) {
      uint32_t t = owner[i - 1];
      /*@ assert place: start[t] == FumataPlace(owner, count, i - 1) + 1 <= count; */
      start[t] -= 1;
      record[start[t]] = i - 1;
    }
    /*@ assert own:   owner[i - 1] < teachers ==> FumataIsPlaced(owner, count, record, i - 1); */
    /*@ assert other: \forall integer j; i <= j < count && owner[j] < teachers ==> FumataIsPlaced(owner, count, record, j); */
  }
}

fumata_status fumata_partition_cut(const uint32_t *owner, uint64_t count, uint32_t teachers, uint64_t *start,
                                   uint64_t *record) {
  if (teachers < 1 || teachers > FUMATA_TEACHERS_MAX) {
    return FUMATA_ERR_TEACHERS;
  }
  fumata_partition_ends(owner, count, teachers, start);
  fumata_partition_fill(owner, count, teachers, start, record);
  return FUMATA_OK;
}

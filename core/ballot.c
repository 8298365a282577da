#include "ballot.h"

/* Up to this many classes, one pass per label over the votes is faster than a table of counters. */
#define FUMATA_BALLOT_FEW_U8  32u
#define FUMATA_BALLOT_FEW_U16 16u

/* Votes counted in a byte before it could overflow; a multiple of the vector width. */
#define FUMATA_BALLOT_BLOCK 240u

/* A tally sums to the votes that do not abstain: by induction over the votes, then over the labels. */
/*@ ghost
  /@
    requires readable:   \valid_read(votes + (0 .. n - 1)) && \valid_read(counts + (0 .. classes - 1));
    requires tally:      FumataIsTallyU8(votes, n, counts, classes);
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures sum:         FumataSum(counts, classes) == FumataBelowU8(votes, n, classes) <= n;
  @/
  void fumata_ballot_lemma_sum_u8(const uint8_t *votes, uint32_t n, const uint32_t *counts, uint32_t classes) {
    /@
      loop invariant range: 0 <= i <= n;
      loop invariant none:  FumataBelowU8(votes, i, 0) == 0;
      loop invariant step:  \forall integer c; FumataBelowU8(votes, i, c + 1) ==
                                               FumataBelowU8(votes, i, c) + FumataCountU8(votes, i, c);
      loop invariant bound: \forall integer c; 0 <= FumataBelowU8(votes, i, c) <= i;
      loop assigns          i;
      loop variant          n - i;
    @/
    for (uint32_t i = 0; i < n; i++) {
    }
    /@
      loop invariant range: 0 <= c <= classes;
      loop invariant sum:   FumataSum(counts, c) == FumataBelowU8(votes, n, c);
      loop assigns          c;
      loop variant          classes - c;
    @/
    for (uint32_t c = 0; c < classes; c++) {
    }
  }
*/

/* How many votes are for one label. A block's number fits a byte, so sixteen lanes fit a vector register. */
/*@
  requires readable:   \valid_read(votes + (0 .. teachers - 1));
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures count:       \result == FumataCountU8(votes, teachers, label);
*/
static uint32_t fumata_ballot_count_u8(const uint8_t *votes, uint32_t teachers, uint8_t label) {
  uint32_t total = 0;
  uint32_t block;
  uint32_t i;
  uint32_t j;

  /*@
    loop invariant range: 0 <= i <= teachers;
    loop invariant count: total == FumataCountU8(votes, i, label);
    loop invariant bound: 0 <= total <= i;
    loop assigns          i, j, block, total;
    loop variant          teachers - i;
  */
  for (i = 0; i < teachers; i += block) {
    uint8_t part = 0;
    block = teachers - i < FUMATA_BALLOT_BLOCK ? teachers - i : FUMATA_BALLOT_BLOCK;
    /*@
      loop invariant range: 0 <= j <= block;
      loop invariant bound: 0 <= part <= j;
      loop invariant count: total + part == FumataCountU8(votes, i + j, label);
      loop assigns          j, part;
      loop variant          block - j;
    */
    for (j = 0; j < block; j++) {
      part = (uint8_t)(part + (votes[i + j] == label));
    }
    total += part;
  }
  return total;
}

fumata_status fumata_ballot_tally_u8(const uint8_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts) {
  uint32_t i;

  if (classes < 2 || classes > FUMATA_CLASSES_MAX) {
    return FUMATA_ERR_CLASSES;
  }
  if (teachers < 1 || teachers > FUMATA_TEACHERS_MAX) {
    return FUMATA_ERR_TEACHERS;
  }
  if (classes <= FUMATA_BALLOT_FEW_U8) {
    /*@
      loop invariant range: 0 <= i <= classes;
      loop invariant tally: FumataIsTallyU8(votes, teachers, counts, i);
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          classes - i;
    */
    for (i = 0; i < classes; i++) {
      counts[i] = fumata_ballot_count_u8(votes, teachers, (uint8_t)i);
    }
    /*@ assert few:  FumataIsTallyU8(votes, teachers, counts, classes); */
  } else {
    /*@
      loop invariant range: 0 <= i <= classes;
      loop invariant zero:  \forall integer y; 0 <= y < i ==> counts[y] == 0;
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          classes - i;
    */
    for (i = 0; i < classes; i++) {
      counts[i] = 0;
    }
    /*@
      loop invariant range: 0 <= i <= teachers;
      loop invariant tally: FumataIsTallyU8(votes, i, counts, classes);
      loop invariant bound: \forall integer y; 0 <= y < classes ==> counts[y] <= i;
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          teachers - i;
    */
    for (i = 0; i < teachers; i++) {
      if (votes[i] < classes) {
        counts[votes[i]] += 1;
      }
    }
    /*@ assert many: FumataIsTallyU8(votes, teachers, counts, classes); */
  }
  /*@ ghost fumata_ballot_lemma_sum_u8(votes, teachers, counts, classes); */
  return FUMATA_OK;
}

/* From here to fumata_ballot_tally_u16: the same for two-byte labels. */
/*@ ghost
  /@
    requires readable:   \valid_read(votes + (0 .. n - 1)) && \valid_read(counts + (0 .. classes - 1));
    requires tally:      FumataIsTallyU16(votes, n, counts, classes);
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures sum:         FumataSum(counts, classes) == FumataBelowU16(votes, n, classes) <= n;
  @/
  void fumata_ballot_lemma_sum_u16(const uint16_t *votes, uint32_t n, const uint32_t *counts, uint32_t classes) {
    /@
      loop invariant range: 0 <= i <= n;
      loop invariant none:  FumataBelowU16(votes, i, 0) == 0;
      loop invariant step:  \forall integer c; FumataBelowU16(votes, i, c + 1) ==
                                               FumataBelowU16(votes, i, c) + FumataCountU16(votes, i, c);
      loop invariant bound: \forall integer c; 0 <= FumataBelowU16(votes, i, c) <= i;
      loop assigns          i;
      loop variant          n - i;
    @/
    for (uint32_t i = 0; i < n; i++) {
    }
    /@
      loop invariant range: 0 <= c <= classes;
      loop invariant sum:   FumataSum(counts, c) == FumataBelowU16(votes, n, c);
      loop assigns          c;
      loop variant          classes - c;
    @/
    for (uint32_t c = 0; c < classes; c++) {
    }
  }
*/

/*@
  requires readable:   \valid_read(votes + (0 .. teachers - 1));
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures count:       \result == FumataCountU16(votes, teachers, label);
*/
static uint32_t fumata_ballot_count_u16(const uint16_t *votes, uint32_t teachers, uint16_t label) {
  uint32_t total = 0;
  uint32_t block;
  uint32_t i;
  uint32_t j;

  /*@
    loop invariant range: 0 <= i <= teachers;
    loop invariant count: total == FumataCountU16(votes, i, label);
    loop invariant bound: 0 <= total <= i;
    loop assigns          i, j, block, total;
    loop variant          teachers - i;
  */
  for (i = 0; i < teachers; i += block) {
    uint16_t part = 0;
    block = teachers - i < FUMATA_BALLOT_BLOCK ? teachers - i : FUMATA_BALLOT_BLOCK;
    /*@
      loop invariant range: 0 <= j <= block;
      loop invariant bound: 0 <= part <= j;
      loop invariant count: total + part == FumataCountU16(votes, i + j, label);
      loop assigns          j, part;
      loop variant          block - j;
    */
    for (j = 0; j < block; j++) {
      part = (uint16_t)(part + (votes[i + j] == label));
    }
    total += part;
  }
  return total;
}

fumata_status fumata_ballot_tally_u16(const uint16_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts) {
  uint32_t i;

  if (classes < 2 || classes > FUMATA_CLASSES_MAX) {
    return FUMATA_ERR_CLASSES;
  }
  if (teachers < 1 || teachers > FUMATA_TEACHERS_MAX) {
    return FUMATA_ERR_TEACHERS;
  }
  if (classes <= FUMATA_BALLOT_FEW_U16) {
    /*@
      loop invariant range: 0 <= i <= classes;
      loop invariant tally: FumataIsTallyU16(votes, teachers, counts, i);
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          classes - i;
    */
    for (i = 0; i < classes; i++) {
      counts[i] = fumata_ballot_count_u16(votes, teachers, (uint16_t)i);
    }
    /*@ assert few:  FumataIsTallyU16(votes, teachers, counts, classes); */
  } else {
    /*@
      loop invariant range: 0 <= i <= classes;
      loop invariant zero:  \forall integer y; 0 <= y < i ==> counts[y] == 0;
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          classes - i;
    */
    for (i = 0; i < classes; i++) {
      counts[i] = 0;
    }
    /*@
      loop invariant range: 0 <= i <= teachers;
      loop invariant tally: FumataIsTallyU16(votes, i, counts, classes);
      loop invariant bound: \forall integer y; 0 <= y < classes ==> counts[y] <= i;
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          teachers - i;
    */
    for (i = 0; i < teachers; i++) {
      if (votes[i] < classes) {
        counts[votes[i]] += 1;
      }
    }
    /*@ assert many: FumataIsTallyU16(votes, teachers, counts, classes); */
  }
  /*@ ghost fumata_ballot_lemma_sum_u16(votes, teachers, counts, classes); */
  return FUMATA_OK;
}

/* `yes` or `no`, without a branch for the processor to guess. */
/*@
  requires flag:       flag == 0 || flag == 1;
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures yes:         flag == 1 ==> \result == yes;
  ensures no:          flag == 0 ==> \result == no;
*/
static uint32_t fumata_ballot_pick(uint32_t flag, uint32_t yes, uint32_t no) {
  return flag * yes + (1 - flag) * no;
}

/* How many teachers stand between this gap and a tie. */
/*@
  requires range:      gap <= FUMATA_TEACHERS_MAX;
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures distance:    FumataIsDistance(gap, \result);
  ensures range:       \result <= FUMATA_TEACHERS_MAX / 2;
*/
static uint32_t fumata_ballot_distance(uint32_t gap) {
  return (gap + 1) / 2 - (uint32_t)(gap > 0);
}

fumata_status fumata_ballot_decide(const uint32_t *counts, uint32_t classes, fumata_verdict *verdict) {
  uint64_t sum;
  uint32_t winner = 0;
  uint32_t first;
  uint32_t second = 0;
  uint32_t gap;
  uint32_t i;
  /*@ ghost uint32_t rival = 1; */

  if (classes < 2 || classes > FUMATA_CLASSES_MAX) {
    return FUMATA_ERR_CLASSES;
  }
  first = counts[0];
  sum = first;
  /* `second` starts at 0 = no rival yet: the first rival, whatever its count, is at least that. */
  /*@
    loop invariant range:  1 <= i <= classes;
    loop invariant sum:    sum == FumataSum(counts, i);
    loop invariant bound:  first + second <= sum <= i * 4294967295;
    loop invariant winner: FumataIsWinner(counts, i, winner) && first == counts[winner];
    loop invariant alone:  i == 1 ==> second == 0;
    loop invariant rival:  i >= 2 ==> FumataIsRunnerUp(counts, i, winner, rival) && second == counts[rival];
    loop assigns           i, sum, winner, first, second, rival;
    loop variant           classes - i;
  */
  for (i = 1; i < classes; i++) {
    uint32_t count = counts[i];
    uint32_t leads = (uint32_t)(count > first);
    uint32_t loser = fumata_ballot_pick(leads, first, count);
    /*@ ghost
      if (leads == 1) {
        rival = winner;
      } else if (i == 1 || loser > second) {
        rival = i;
      }
    */
    second = fumata_ballot_pick((uint32_t)(loser > second), loser, second);
    first = fumata_ballot_pick(leads, count, first);
    winner = fumata_ballot_pick(leads, i, winner);
    sum += count;
  }
  if (sum > FUMATA_TEACHERS_MAX) {
    return FUMATA_ERR_TEACHERS;
  }
  gap = first - second;
  verdict->winner = winner;
  verdict->distance = fumata_ballot_distance(gap);
  /*@ assert kept:     \forall integer y; 0 <= y < classes ==> counts[y] == \at(counts[y], Pre); */
  /*@ assert distance: FumataIsDistance(gap, verdict->distance); */
  /*@ assert gap:      gap == counts[winner] - counts[rival]; */
  /*@ assert winner:   FumataIsWinner(counts, classes, winner); */
  /*@ assert rival:    FumataIsRunnerUp(counts, classes, winner, rival); */
  return FUMATA_OK;
}

fumata_status fumata_ballot_duel(const uint32_t *counts, uint32_t classes, uint32_t a, uint32_t b, fumata_duel *duel) {
  uint32_t first;
  uint32_t second;
  uint32_t upset;
  uint32_t gap;

  if (classes < 2 || classes > FUMATA_CLASSES_MAX) {
    return FUMATA_ERR_CLASSES;
  }
  if (a >= b || b >= classes) {
    return FUMATA_ERR_VOTE;
  }
  /*@ assert apart: \separated(duel, counts + a); */
  /*@ assert apart: \separated(duel, counts + b); */
  first = counts[a];
  second = counts[b];
  if ((uint64_t)first + second > FUMATA_TEACHERS_MAX) {
    return FUMATA_ERR_TEACHERS;
  }
  upset = (uint32_t)(second > first);
  gap = fumata_ballot_pick(upset, second, first) - fumata_ballot_pick(upset, first, second);
  duel->winner = fumata_ballot_pick(upset, b, a);
  duel->loser = fumata_ballot_pick(upset, a, b);
  duel->distance = fumata_ballot_distance(gap);
  /*@ assert kept:     counts[a] == first; */
  /*@ assert kept:     counts[b] == second; */
  /*@ assert upset:    upset == 1 ==> first < second && duel->winner == b && duel->loser == a &&
                                      gap == second - first; */
  /*@ assert lead:     upset == 0 ==> second <= first && duel->winner == a && duel->loser == b &&
                                      gap == first - second; */
  /*@ assert gap:      gap == counts[duel->winner] - counts[duel->loser]; */
  /*@ assert distance: FumataIsDistance(gap, duel->distance); */
  return FUMATA_OK;
}

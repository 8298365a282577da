#include "ballot.h"

/* Up to this many classes, one pass per label over the votes is faster than a table of counters. */
#define FUMATA_BALLOT_FEW_U8  32u
#define FUMATA_BALLOT_FEW_U16 16u

/* Votes counted in a byte before it could overflow; a multiple of the vector width. */
#define FUMATA_BALLOT_BLOCK 240u

/* One-byte votes in a row, a multiple of every vector's width; half of them; and rows before the sum of a lane of each half
 * could overflow. */
#define FUMATA_BALLOT_LANES 64u
#define FUMATA_BALLOT_HALF  32u
#define FUMATA_BALLOT_ROWS  127u

/* A tally sums to the votes that do not abstain: by induction over the votes, then over the labels. */
/*@ ghost
  /@ requires readable:   \valid_read(votes + (0 .. n - 1)) && \valid_read(counts + (0 .. classes - 1));
     requires tally:      FumataIsTallyU8(votes, n, counts, classes);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures sum:         FumataSum(counts, classes) == FumataBelowU8(votes, n, classes) <= n; @/
  void fumata_ballot_lemma_sum_u8(const uint8_t *votes, uint32_t n, const uint32_t *counts, uint32_t classes) {
    /@ loop invariant range: 0 <= i <= n;
       loop invariant none:  FumataBelowU8(votes, i, 0) == 0;
       loop invariant step:  \forall integer c; FumataBelowU8(votes, i, c + 1) ==
                                                FumataBelowU8(votes, i, c) + FumataCountU8(votes, i, c);
       loop invariant bound: \forall integer c; 0 <= FumataBelowU8(votes, i, c) <= i;
       loop assigns          i;
       loop variant          n - i; @/
    for (uint32_t i = 0; i < n; i++) {}
    /@ loop invariant range: 0 <= c <= classes;
       loop invariant sum:   FumataSum(counts, c) == FumataBelowU8(votes, n, c);
       loop assigns          c;
       loop variant          classes - c; @/
    for (uint32_t c = 0; c < classes; c++) {}
  } */

/* Votes are counted as rows of lanes, each lane in a byte of its own, so that a vector register holds many. One lane's votes
 * of the first `rows` rows from row `row` on; then those of the first `lanes` lanes. */
/*@ logic integer FumataLaneU8{L}(uint8_t *votes, integer row, integer rows, integer lane, integer y) =
      rows <= 0 ? 0 : FumataLaneU8(votes, row, rows - 1, lane, y) +
                      (votes[FUMATA_BALLOT_LANES * (row + rows - 1) + lane] == y ? 1 : 0);
    logic integer FumataLanesU8{L}(uint8_t *votes, integer row, integer rows, integer lanes, integer y) =
      lanes <= 0 ? 0 : FumataLanesU8(votes, row, rows, lanes - 1, y) + FumataLaneU8(votes, row, rows, lanes - 1, y);
    // Those of the first `lanes` lanes of each half.
    logic integer FumataHalvesU8{L}(uint8_t *votes, integer row, integer rows, integer lanes, integer y) =
      FumataLanesU8(votes, row, rows, lanes, y) +
      (FumataLanesU8(votes, row, rows, FUMATA_BALLOT_HALF + lanes, y) -
       FumataLanesU8(votes, row, rows, FUMATA_BALLOT_HALF, y)); */

/* Lane by lane or row by row, the votes are the same: by induction over the rows, and over the lanes of the last one. */
/*@ ghost
  /@ requires row:        0 <= row <= FUMATA_TEACHERS_MAX && rows <= FUMATA_BALLOT_ROWS;
     requires readable:   \valid_read(votes + (0 .. FUMATA_BALLOT_LANES * (row + rows) - 1));
     terminates \true; exits \false;
     assigns              \nothing;
     ensures lanes:       FumataLanesU8(votes, row, rows, FUMATA_BALLOT_LANES, label) ==
                          FumataCountU8(votes, FUMATA_BALLOT_LANES * (row + rows), label) -
                          FumataCountU8(votes, FUMATA_BALLOT_LANES * row, label); @/
  void fumata_ballot_lemma_lanes_u8(const uint8_t *votes, uint32_t row, uint32_t rows, uint8_t label) {
    /@ loop invariant range: 0 <= l <= FUMATA_BALLOT_LANES;
       loop invariant none:  FumataLanesU8(votes, row, 0, l, label) == 0;
       loop assigns          l;
       loop variant          FUMATA_BALLOT_LANES - l; @/
    for (uint32_t l = 0; l < FUMATA_BALLOT_LANES; l++) {}
    /@ loop invariant range: 0 <= r <= rows;
       loop invariant lanes: FumataLanesU8(votes, row, r, FUMATA_BALLOT_LANES, label) ==
                             FumataCountU8(votes, FUMATA_BALLOT_LANES * (row + r), label) -
                             FumataCountU8(votes, FUMATA_BALLOT_LANES * row, label);
       loop assigns          r;
       loop variant          rows - r; @/
    for (uint32_t r = 0; r < rows; r++) {
      /@ loop invariant range: 0 <= l <= FUMATA_BALLOT_LANES;
         loop invariant row:   FumataLanesU8(votes, row, r + 1, l, label) - FumataLanesU8(votes, row, r, l, label) ==
                               FumataCountU8(votes, FUMATA_BALLOT_LANES * (row + r) + l, label) -
                               FumataCountU8(votes, FUMATA_BALLOT_LANES * (row + r), label);
         loop assigns          l;
         loop variant          FUMATA_BALLOT_LANES - l; @/
      for (uint32_t l = 0; l < FUMATA_BALLOT_LANES; l++) {}
    }
  } */

/* How many votes for one label are in some rows and in `rest`, a row that lies elsewhere. No lane can overflow. */
/*@ requires rows:       row + rows <= FUMATA_TEACHERS_MAX / FUMATA_BALLOT_LANES && rows < FUMATA_BALLOT_ROWS;
    requires readable:   \valid_read(votes + (0 .. FUMATA_BALLOT_LANES * (row + rows) - 1));
    requires rest:       \valid_read(rest + (0 .. FUMATA_BALLOT_LANES - 1));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures count:       \result == FumataCountU8(votes, FUMATA_BALLOT_LANES * (row + rows), label) -
                                    FumataCountU8(votes, FUMATA_BALLOT_LANES * row, label) +
                                    FumataCountU8(rest, FUMATA_BALLOT_LANES, label);
    ensures bound:       \result <= FUMATA_BALLOT_LANES * (rows + 1); */
static uint32_t fumata_ballot_rows_u8(const uint8_t *votes, uint32_t row, uint32_t rows, const uint8_t *rest,
                                      uint8_t label) {
  uint8_t lane[FUMATA_BALLOT_LANES];
  uint16_t total = 0;
  uint32_t r;
  uint32_t l;

  /*@ loop invariant range: 0 <= l <= FUMATA_BALLOT_LANES;
      loop invariant lane:  \forall integer j; 0 <= j < l ==> lane[j] == FumataLaneU8(rest, 0, 1, j, label);
      loop invariant bound: \forall integer j; 0 <= j < l ==> 0 <= lane[j] <= 1;
      loop assigns          l, lane[0 .. FUMATA_BALLOT_LANES - 1];
      loop variant          FUMATA_BALLOT_LANES - l; */
  for (l = 0; l < FUMATA_BALLOT_LANES; l++) {
    lane[l] = (uint8_t)(rest[l] == label);
  }
  /*@ loop invariant range: 0 <= r <= rows;
      loop invariant lane:  \forall integer j; 0 <= j < FUMATA_BALLOT_LANES ==>
                            lane[j] == FumataLaneU8(votes, row, r, j, label) + FumataLaneU8(rest, 0, 1, j, label);
      loop invariant bound: \forall integer j; 0 <= j < FUMATA_BALLOT_LANES ==> 0 <= lane[j] <= r + 1;
      loop assigns          r, l, lane[0 .. FUMATA_BALLOT_LANES - 1];
      loop variant          rows - r; */
  for (r = 0; r < rows; r++) {
    /*@ loop invariant range: 0 <= l <= FUMATA_BALLOT_LANES;
        loop invariant done:  \forall integer j; 0 <= j < l ==>
                              lane[j] == FumataLaneU8(votes, row, r + 1, j, label) + FumataLaneU8(rest, 0, 1, j, label);
        loop invariant lane:  \forall integer j; l <= j < FUMATA_BALLOT_LANES ==>
                              lane[j] == FumataLaneU8(votes, row, r, j, label) + FumataLaneU8(rest, 0, 1, j, label);
        loop invariant more:  \forall integer j; 0 <= j < l ==> 0 <= lane[j] <= r + 2;
        loop invariant bound: \forall integer j; l <= j < FUMATA_BALLOT_LANES ==> 0 <= lane[j] <= r + 1;
        loop assigns          l, lane[0 .. FUMATA_BALLOT_LANES - 1];
        loop variant          FUMATA_BALLOT_LANES - l; */
    for (l = 0; l < FUMATA_BALLOT_LANES; l++) {
      lane[l] = (uint8_t)(lane[l] + (votes[FUMATA_BALLOT_LANES * (row + r) + l] == label));
    }
  }
  /*@ loop invariant range: 0 <= l <= FUMATA_BALLOT_HALF;
      loop invariant total: total == FumataHalvesU8(votes, row, rows, l, label) + FumataHalvesU8(rest, 0, 1, l, label);
      loop invariant bound: 0 <= total <= 2 * l * (rows + 1);
      loop invariant fits:  total <= 255 * l;
      loop assigns          l, total;
      loop variant          FUMATA_BALLOT_HALF - l; */
  for (l = 0; l < FUMATA_BALLOT_HALF; l++) {
    /*@ assert votes: FumataHalvesU8(votes, row, rows, l + 1, label) == FumataHalvesU8(votes, row, rows, l, label) +
                        FumataLaneU8(votes, row, rows, l, label) +
                        FumataLaneU8(votes, row, rows, FUMATA_BALLOT_HALF + l, label); */
    /*@ assert rest:  FumataHalvesU8(rest, 0, 1, l + 1, label) == FumataHalvesU8(rest, 0, 1, l, label) +
                        FumataLaneU8(rest, 0, 1, l, label) + FumataLaneU8(rest, 0, 1, FUMATA_BALLOT_HALF + l, label); */
    /*@ assert near:  lane[l] == FumataLaneU8(votes, row, rows, l, label) + FumataLaneU8(rest, 0, 1, l, label); */
    /*@ assert far:   lane[FUMATA_BALLOT_HALF + l] == FumataLaneU8(votes, row, rows, FUMATA_BALLOT_HALF + l, label) +
                        FumataLaneU8(rest, 0, 1, FUMATA_BALLOT_HALF + l, label); */
    /*@ assert fits:  0 <= lane[l] + lane[FUMATA_BALLOT_HALF + l] <= 255; */
    total = (uint16_t)(total + (uint8_t)(lane[l] + lane[FUMATA_BALLOT_HALF + l]));
  }
  /*@ ghost fumata_ballot_lemma_lanes_u8(votes, row, rows, label); */
  /*@ ghost fumata_ballot_lemma_lanes_u8(rest, 0, 1, label); */
  return total;
}

/* Votes from `at` on that do not fill a row, and in the row's other lanes what is not a label of few. */
/*@ predicate FumataIsRestU8{L}(uint8_t *votes, integer at, integer n, uint8_t *rest) =
      (\forall integer j; 0 <= j < n                   ==> rest[j] == votes[at + j]) &&
      (\forall integer j; n <= j < FUMATA_BALLOT_LANES ==> rest[j] == 255); */

/* Such a row has their votes and no others. */
/*@ ghost
  /@ requires votes:      n <= FUMATA_BALLOT_LANES && at <= FUMATA_TEACHERS_MAX && label < 255;
     requires readable:   \valid_read(votes + (0 .. at + n - 1)) && \valid_read(rest + (0 .. FUMATA_BALLOT_LANES - 1));
     requires rest:       FumataIsRestU8(votes, at, n, rest);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures rest:        FumataCountU8(rest, FUMATA_BALLOT_LANES, label) ==
                          FumataCountU8(votes, at + n, label) - FumataCountU8(votes, at, label); @/
  void fumata_ballot_lemma_rest_u8(const uint8_t *votes, uint32_t at, uint32_t n, const uint8_t *rest, uint8_t label) {
    /@ loop invariant range: 0 <= j <= n;
       loop invariant votes: FumataCountU8(rest, j, label) ==
                             FumataCountU8(votes, at + j, label) - FumataCountU8(votes, at, label);
       loop assigns          j;
       loop variant          n - j; @/
    for (uint32_t j = 0; j < n; j++) {}
    /@ loop invariant range: n <= j <= FUMATA_BALLOT_LANES;
       loop invariant none:  FumataCountU8(rest, j, label) == FumataCountU8(rest, n, label);
       loop assigns          j;
       loop variant          FUMATA_BALLOT_LANES - j; @/
    for (uint32_t j = n; j < FUMATA_BALLOT_LANES; j++) {}
  } */

/*@ requires votes:      n <= FUMATA_BALLOT_LANES && at <= FUMATA_TEACHERS_MAX;
    requires readable:   \valid_read(votes + (0 .. at + n - 1));
    requires writable:   \valid(rest + (0 .. FUMATA_BALLOT_LANES - 1));
    requires apart:      \separated(votes + (0 .. at + n - 1), rest + (0 .. FUMATA_BALLOT_LANES - 1));
    terminates \true; exits \false;
    assigns              rest[0 .. FUMATA_BALLOT_LANES - 1];
    ensures rest:        FumataIsRestU8(votes, at, n, rest); */
static void fumata_ballot_rest_u8(const uint8_t *votes, uint32_t at, uint32_t n, uint8_t *rest) {
  uint32_t j;

  /*@ loop invariant range: 0 <= j <= FUMATA_BALLOT_LANES;
      loop invariant none:  \forall integer i; 0 <= i < j ==> rest[i] == 255;
      loop assigns          j, rest[0 .. FUMATA_BALLOT_LANES - 1];
      loop variant          FUMATA_BALLOT_LANES - j; */
  for (j = 0; j < FUMATA_BALLOT_LANES; j++) {
    rest[j] = 255u;
  }
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant votes: \forall integer i; 0 <= i < j ==> rest[i] == votes[at + i];
      loop invariant none:  \forall integer i; j <= i < FUMATA_BALLOT_LANES ==> rest[i] == 255;
      loop assigns          j, rest[0 .. FUMATA_BALLOT_LANES - 1];
      loop variant          n - j; */
  for (j = 0; j < n; j++) {
    rest[j] = votes[at + j];
  }
}

/* How many votes are for one label: in all rows, and in the row that is not full. `none` is a row without votes. */
/*@ requires rows:       rows <= FUMATA_TEACHERS_MAX / FUMATA_BALLOT_LANES;
    requires readable:   \valid_read(votes + (0 .. FUMATA_BALLOT_LANES * rows - 1));
    requires rest:       \valid_read(rest + (0 .. FUMATA_BALLOT_LANES - 1));
    requires none:       \valid_read(none + (0 .. FUMATA_BALLOT_LANES - 1)) &&
                         FumataCountU8(none, FUMATA_BALLOT_LANES, label) == 0;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures count:       \result == FumataCountU8(votes, FUMATA_BALLOT_LANES * rows, label) +
                                    FumataCountU8(rest, FUMATA_BALLOT_LANES, label); */
static uint32_t fumata_ballot_count_u8(const uint8_t *votes, uint32_t rows, const uint8_t *rest, const uint8_t *none,
                                       uint8_t label) {
  uint32_t some = rows < FUMATA_BALLOT_ROWS ? rows : FUMATA_BALLOT_ROWS - 1u;
  uint32_t total = fumata_ballot_rows_u8(votes, 0u, some, rest, label);
  uint32_t row;

  /*@ loop invariant range: 0 <= row <= rows;
      loop invariant count: total == FumataCountU8(votes, FUMATA_BALLOT_LANES * row, label) +
                                     FumataCountU8(rest, FUMATA_BALLOT_LANES, label);
      loop invariant bound: 0 <= total <= 2 * FUMATA_BALLOT_LANES * (row + 1);
      loop assigns          row, some, total;
      loop variant          rows - row; */
  for (row = some; row < rows; row += some) {
    some = rows - row < FUMATA_BALLOT_ROWS ? rows - row : FUMATA_BALLOT_ROWS - 1u;
    total += fumata_ballot_rows_u8(votes, row, some, none, label);
  }
  return total;
}

/* The tally of few classes: no branch and no index depends on a vote. */
/*@ requires classes:    classes <= FUMATA_BALLOT_FEW_U8 && FumataTeachersOk(teachers);
    requires readable:   \valid_read(votes + (0 .. teachers - 1));
    requires writable:   \valid(counts + (0 .. classes - 1));
    requires apart:      \separated(votes + (0 .. teachers - 1), counts + (0 .. classes - 1));
    terminates \true; exits \false;
    assigns              counts[0 .. classes - 1];
    ensures tally:       FumataIsTallyU8(votes, teachers, counts, classes); */
static void fumata_ballot_few_u8(const uint8_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts) {
  uint8_t rest[FUMATA_BALLOT_LANES];
  uint8_t none[FUMATA_BALLOT_LANES];
  uint32_t rows = teachers / FUMATA_BALLOT_LANES;
  uint32_t at = FUMATA_BALLOT_LANES * rows;
  uint32_t i;

  fumata_ballot_rest_u8(votes, at, teachers - at, rest);
  fumata_ballot_rest_u8(votes, 0u, 0u, none);
  /*@ loop invariant range: 0 <= i <= classes;
      loop invariant tally: FumataIsTallyU8(votes, teachers, counts, i);
      loop assigns          i, counts[0 .. classes - 1];
      loop variant          classes - i; */
  for (i = 0; i < classes; i++) {
    /*@ ghost fumata_ballot_lemma_rest_u8(votes, at, (uint32_t)(teachers - at), rest, (uint8_t)i); */
    /*@ ghost fumata_ballot_lemma_rest_u8(votes, 0u, 0u, none, (uint8_t)i); */
    counts[i] = fumata_ballot_count_u8(votes, rows, rest, none, (uint8_t)i);
  }
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
    fumata_ballot_few_u8(votes, teachers, classes, counts);
    /*@ assert few:  FumataIsTallyU8(votes, teachers, counts, classes); */
  } else {
    /*@ loop invariant range: 0 <= i <= classes;
        loop invariant zero:  \forall integer y; 0 <= y < i ==> counts[y] == 0;
        loop assigns          i, counts[0 .. classes - 1];
        loop variant          classes - i; */
    for (i = 0; i < classes; i++) {
      counts[i] = 0;
    }
    /*@ loop invariant range: 0 <= i <= teachers;
        loop invariant tally: FumataIsTallyU8(votes, i, counts, classes);
        loop invariant bound: \forall integer y; 0 <= y < classes ==> counts[y] <= i;
        loop assigns          i, counts[0 .. classes - 1];
        loop variant          teachers - i; */
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
  /@ requires readable:   \valid_read(votes + (0 .. n - 1)) && \valid_read(counts + (0 .. classes - 1));
     requires tally:      FumataIsTallyU16(votes, n, counts, classes);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures sum:         FumataSum(counts, classes) == FumataBelowU16(votes, n, classes) <= n; @/
  void fumata_ballot_lemma_sum_u16(const uint16_t *votes, uint32_t n, const uint32_t *counts, uint32_t classes) {
    /@ loop invariant range: 0 <= i <= n;
       loop invariant none:  FumataBelowU16(votes, i, 0) == 0;
       loop invariant step:  \forall integer c; FumataBelowU16(votes, i, c + 1) ==
                                                FumataBelowU16(votes, i, c) + FumataCountU16(votes, i, c);
       loop invariant bound: \forall integer c; 0 <= FumataBelowU16(votes, i, c) <= i;
       loop assigns          i;
       loop variant          n - i; @/
    for (uint32_t i = 0; i < n; i++) {}
    /@ loop invariant range: 0 <= c <= classes;
       loop invariant sum:   FumataSum(counts, c) == FumataBelowU16(votes, n, c);
       loop assigns          c;
       loop variant          classes - c; @/
    for (uint32_t c = 0; c < classes; c++) {}
  } */

/*@ requires readable:   \valid_read(votes + (0 .. teachers - 1));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures count:       \result == FumataCountU16(votes, teachers, label); */
static uint32_t fumata_ballot_count_u16(const uint16_t *votes, uint32_t teachers, uint16_t label) {
  uint32_t total = 0;
  uint32_t block;
  uint32_t i;
  uint32_t j;

  /*@ loop invariant range: 0 <= i <= teachers;
      loop invariant count: total == FumataCountU16(votes, i, label);
      loop invariant bound: 0 <= total <= i;
      loop assigns          i, j, block, total;
      loop variant          teachers - i; */
  for (i = 0; i < teachers; i += block) {
    uint16_t part = 0;
    block = teachers - i < FUMATA_BALLOT_BLOCK ? teachers - i : FUMATA_BALLOT_BLOCK;
    /*@ loop invariant range: 0 <= j <= block;
        loop invariant bound: 0 <= part <= j;
        loop invariant count: total + part == FumataCountU16(votes, i + j, label);
        loop assigns          j, part;
        loop variant          block - j; */
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
    /*@ loop invariant range: 0 <= i <= classes;
        loop invariant tally: FumataIsTallyU16(votes, teachers, counts, i);
        loop assigns          i, counts[0 .. classes - 1];
        loop variant          classes - i; */
    for (i = 0; i < classes; i++) {
      counts[i] = fumata_ballot_count_u16(votes, teachers, (uint16_t)i);
    }
    /*@ assert few:  FumataIsTallyU16(votes, teachers, counts, classes); */
  } else {
    /*@ loop invariant range: 0 <= i <= classes;
        loop invariant zero:  \forall integer y; 0 <= y < i ==> counts[y] == 0;
        loop assigns          i, counts[0 .. classes - 1];
        loop variant          classes - i; */
    for (i = 0; i < classes; i++) {
      counts[i] = 0;
    }
    /*@ loop invariant range: 0 <= i <= teachers;
        loop invariant tally: FumataIsTallyU16(votes, i, counts, classes);
        loop invariant bound: \forall integer y; 0 <= y < classes ==> counts[y] <= i;
        loop assigns          i, counts[0 .. classes - 1];
        loop variant          teachers - i; */
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
/*@ requires flag:       flag == 0 || flag == 1;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures picked:      \result == (flag == 1 ? yes : no); */
static uint32_t fumata_ballot_pick(uint32_t flag, uint32_t yes, uint32_t no) {
  return flag * yes + (1 - flag) * no;
}

/* How many teachers stand between this gap and a tie. */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures distance:    FumataIsDistance(gap, \result); */
static uint32_t fumata_ballot_distance(uint32_t gap) {
  return (gap - (uint32_t)(gap > 0)) / 2;
}

fumata_status fumata_ballot_decide(const uint32_t *counts, uint32_t classes, fumata_verdict *verdict) {
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
  /* `second` starts at 0 = no rival yet: the first rival, whatever its count, is at least that. */
  /*@ loop invariant range:  1 <= i <= classes;
      loop invariant order:  second <= first;
      loop invariant winner: FumataIsWinner(counts, i, winner) && first == counts[winner];
      loop invariant alone:  i == 1 ==> second == 0;
      loop invariant rival:  i >= 2 ==> FumataIsRunnerUp(counts, i, winner, rival) && second == counts[rival];
      loop assigns           i, winner, first, second, rival;
      loop variant           classes - i; */
  for (i = 1; i < classes; i++) {
    uint32_t count = counts[i];
    uint32_t leads = (uint32_t)(count > first);
    uint32_t loser = fumata_ballot_pick(leads, first, count);
    /*@ ghost
      if (leads == 1) {
        rival = winner;
      } else if (i == 1 || loser > second) {
        rival = i;
      } */
    second = fumata_ballot_pick((uint32_t)(loser > second), loser, second);
    first = fumata_ballot_pick(leads, count, first);
    winner = fumata_ballot_pick(leads, i, winner);
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
  upset = (uint32_t)(second > first);
  gap = fumata_ballot_pick(upset, second, first) - fumata_ballot_pick(upset, first, second);
  duel->winner = fumata_ballot_pick(upset, b, a);
  duel->loser = fumata_ballot_pick(upset, a, b);
  duel->distance = fumata_ballot_distance(gap);
  /*@ assert kept: counts[a] == first && counts[b] == second; */
  /*@ assert gap: gap == counts[duel->winner] - counts[duel->loser]; */
  return FUMATA_OK;
}

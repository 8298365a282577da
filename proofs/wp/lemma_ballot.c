/* Lemma 1 (MECHANISM section 1) about what the core returns: one teacher changes its vote, which may begin or cease to
 * be an abstention, and two verdicts are compared. Nothing here is compiled into the library; it exists to be proved.
 *
 * Claim:    T-BALLOT-3, for any number of classes.
 * Not here: that one record reaches one teacher only (A-CHUNKS). */
#include "lemma.h"

/*@
  predicate FumataStays{L1, L2}(fumata_verdict *verdict) =
    \at(verdict->winner, L1) == \at(verdict->winner, L2) && \at(verdict->distance, L1) == \at(verdict->distance, L2);

  // Counts have one verdict only, so "the" verdict is well said.
  lemma FumataOneVerdict{L}: \forall uint32_t *v, integer classes, y, d, z, e;
    FumataIsVerdict(v, classes, y, d) && FumataIsVerdict(v, classes, z, e) ==> y == z && d == e;

  lemma FumataMovedIsClose{L}: \forall uint32_t *v, *w, integer classes, a, b;
    FumataMoved(v, w, classes, a, b) ==> FumataClose(v, w, classes);

  // Gaps two apart are distances one apart.
  lemma FumataHalves: \forall integer g, h, d, e;
    g <= h + 2 && FumataIsDistance(g, d) && FumataIsDistance(h, e) ==> d <= e + 1;

  lemma FumataSameWinner{L}: \forall uint32_t *v, *w, integer classes, y, r, s;
    0 <= y < classes && FumataClose(v, w, classes) &&
    FumataIsRunnerUp(v, classes, y, r) && FumataIsRunnerUp(w, classes, y, s) ==>
    -2 <= (v[y] - v[r]) - (w[y] - w[s]) <= 2;

  lemma FumataOtherWinner{L}: \forall uint32_t *v, *w, integer classes, y, z, r, s;
    y != z && FumataClose(v, w, classes) && FumataIsWinner(v, classes, y) && FumataIsWinner(w, classes, z) &&
    FumataIsRunnerUp(v, classes, y, r) && FumataIsRunnerUp(w, classes, z, s) ==>
    0 <= v[y] - v[r] <= 2 && 0 <= w[z] - w[s] <= 2;

  lemma FumataLemma1{L}: \forall uint32_t *v, *w, integer classes, y, d, z, e;
    FumataClose(v, w, classes) && FumataIsVerdict(v, classes, y, d) && FumataIsVerdict(w, classes, z, e) ==>
    FumataStable(y, d, z, e);

  lemma FumataVerdictKept{L1, L2}: \forall uint32_t *v, integer classes, y, d;
    FumataKept{L1, L2}(v, classes) && FumataIsVerdict{L1}(v, classes, y, d) ==> FumataIsVerdict{L2}(v, classes, y, d);
*/

/* Two tables of counts that differ by one vote that moved, came or went: verdicts are stable. */
/*@
  requires readable:   \valid_read(before + (0 .. classes - 1)) && \valid_read(after + (0 .. classes - 1));
  requires writable:   \valid(first) && \valid(second) && \separated(first, second);
  requires apart:      \separated(first, before + (0 .. classes - 1)) && \separated(first, after + (0 .. classes - 1));
  requires elsewhere:  \separated(second, before + (0 .. classes - 1)) &&
                       \separated(second, after + (0 .. classes - 1));
  requires moved:      FumataMoved(before, after, classes, a, b);
  requires classes:    FumataClassesOk(classes);

  terminates           \true;
  exits                \false;
  assigns              *first, *second;
  ensures stable:      FumataStable(first->winner, first->distance, second->winner, second->distance);
*/
void fumata_lemma_counts(const uint32_t *before, const uint32_t *after, uint32_t classes, uint32_t a, uint32_t b,
                         fumata_verdict *first, fumata_verdict *second) {
  fumata_ballot_decide(before, classes, first);
  /*@ assert before: FumataKept{Here, Pre}(before, classes) && FumataKept{Pre, Here}(after, classes); */
  /*@ assert first:  FumataIsVerdict{Pre}(before, classes, first->winner, first->distance); */
decided:
  fumata_ballot_decide(after, classes, second);
  /*@ assert after:  FumataKept{Here, Pre}(after, classes); */
  /*@ assert second: FumataIsVerdict{Pre}(after, classes, second->winner, second->distance); */
  /*@ assert same:   FumataStays{decided, Here}(first); */
  /*@ assert still:  FumataIsVerdict{Pre}(before, classes, first->winner, first->distance); */
  /*@ assert close:  FumataClose{Pre}(before, after, classes); */
}

/* One changed vote changes no count by more than one: by induction over the votes. */
/*@ ghost
  /@
    requires readable:   \valid_read(before + (0 .. n - 1)) && \valid_read(after + (0 .. n - 1));
    requires one:        \forall integer i; 0 <= i < n && i != who ==> after[i] == before[i];
    requires before:     FumataIsTallyU8(before, n, counts, classes);
    requires after:      FumataIsTallyU8(after, n, more, classes);
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures close:       FumataClose(counts, more, classes);
  @/
  void fumata_lemma_close_u8(const uint8_t *before, const uint8_t *after, uint32_t n, uint32_t who,
                             const uint32_t *counts, const uint32_t *more, uint32_t classes) {
    /@
      loop invariant range: 0 <= i <= n;
      loop invariant same:  i <= who ==>
                              \forall integer y; FumataCountU8(after, i, y) == FumataCountU8(before, i, y);
      loop invariant close: \forall integer y; -1 <= FumataCountU8(after, i, y) - FumataCountU8(before, i, y) <= 1;
      loop assigns          i;
      loop variant          n - i;
    @/
    for (uint32_t i = 0; i < n; i++) {
    }
  }
*/

/* From votes to verdicts: teacher `who` votes otherwise or abstains, all others as before. */
/*@
  requires readable:   \valid_read(before + (0 .. teachers - 1)) && \valid_read(after + (0 .. teachers - 1));
  requires writable:   \valid(first) && \valid(second) && \valid(counts + (0 .. classes - 1)) &&
                       \valid(more + (0 .. classes - 1));
  requires apart:      \separated(first, second, counts + (0 .. classes - 1), more + (0 .. classes - 1),
                                  before + (0 .. teachers - 1), after + (0 .. teachers - 1));
  requires sizes:      FumataClassesOk(classes) && FumataTeachersOk(teachers);
  requires one:        \forall integer i; 0 <= i < teachers && i != who ==> after[i] == before[i];

  terminates           \true;
  exits                \false;
  assigns              *first, *second, counts[0 .. classes - 1], more[0 .. classes - 1];
  ensures stable:      FumataStable(first->winner, first->distance, second->winner, second->distance);
*/
void fumata_lemma_votes_u8(const uint8_t *before, const uint8_t *after, uint32_t teachers, uint32_t classes,
                           uint32_t who, uint32_t *counts, uint32_t *more, fumata_verdict *first,
                           fumata_verdict *second) {
  fumata_ballot_tally_u8(before, teachers, classes, counts);
  fumata_ballot_decide(counts, classes, first);
decided:
  /*@ assert tally:  FumataIsTallyU8(before, teachers, counts, classes); */
  fumata_ballot_tally_u8(after, teachers, classes, more);
  /*@ assert apart:  FumataKept{decided, Here}(counts, classes); */
  /*@ assert held:   FumataStays{decided, Here}(first); */
  fumata_ballot_decide(more, classes, second);
  /*@ assert kept:   FumataKept{decided, Here}(counts, classes); */
  /*@ assert before: FumataIsTallyU8(before, teachers, counts, classes); */
  /*@ assert after:  FumataIsTallyU8(after, teachers, more, classes); */
  /*@ assert same:   FumataStays{decided, Here}(first); */
  /*@ assert then:   FumataIsVerdict{decided}(counts, classes, first->winner, first->distance); */
  /*@ assert first:  FumataIsVerdict(counts, classes, first->winner, first->distance); */
  /*@ ghost fumata_lemma_close_u8(before, after, teachers, who, counts, more, classes); */
}

/* The same for two-byte labels. */
/*@ ghost
  /@
    requires readable:   \valid_read(before + (0 .. n - 1)) && \valid_read(after + (0 .. n - 1));
    requires one:        \forall integer i; 0 <= i < n && i != who ==> after[i] == before[i];
    requires before:     FumataIsTallyU16(before, n, counts, classes);
    requires after:      FumataIsTallyU16(after, n, more, classes);
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures close:       FumataClose(counts, more, classes);
  @/
  void fumata_lemma_close_u16(const uint16_t *before, const uint16_t *after, uint32_t n, uint32_t who,
                             const uint32_t *counts, const uint32_t *more, uint32_t classes) {
    /@
      loop invariant range: 0 <= i <= n;
      loop invariant same:  i <= who ==>
                              \forall integer y; FumataCountU16(after, i, y) == FumataCountU16(before, i, y);
      loop invariant close: \forall integer y; -1 <= FumataCountU16(after, i, y) - FumataCountU16(before, i, y) <= 1;
      loop assigns          i;
      loop variant          n - i;
    @/
    for (uint32_t i = 0; i < n; i++) {
    }
  }
*/

/*@
  requires readable:   \valid_read(before + (0 .. teachers - 1)) && \valid_read(after + (0 .. teachers - 1));
  requires writable:   \valid(first) && \valid(second) && \valid(counts + (0 .. classes - 1)) &&
                       \valid(more + (0 .. classes - 1));
  requires apart:      \separated(first, second, counts + (0 .. classes - 1), more + (0 .. classes - 1),
                                  before + (0 .. teachers - 1), after + (0 .. teachers - 1));
  requires sizes:      FumataClassesOk(classes) && FumataTeachersOk(teachers);
  requires one:        \forall integer i; 0 <= i < teachers && i != who ==> after[i] == before[i];

  terminates           \true;
  exits                \false;
  assigns              *first, *second, counts[0 .. classes - 1], more[0 .. classes - 1];
  ensures stable:      FumataStable(first->winner, first->distance, second->winner, second->distance);
*/
void fumata_lemma_votes_u16(const uint16_t *before, const uint16_t *after, uint32_t teachers, uint32_t classes,
                           uint32_t who, uint32_t *counts, uint32_t *more, fumata_verdict *first,
                           fumata_verdict *second) {
  fumata_ballot_tally_u16(before, teachers, classes, counts);
  fumata_ballot_decide(counts, classes, first);
decided:
  /*@ assert tally:  FumataIsTallyU16(before, teachers, counts, classes); */
  fumata_ballot_tally_u16(after, teachers, classes, more);
  /*@ assert apart:  FumataKept{decided, Here}(counts, classes); */
  /*@ assert held:   FumataStays{decided, Here}(first); */
  fumata_ballot_decide(more, classes, second);
  /*@ assert kept:   FumataKept{decided, Here}(counts, classes); */
  /*@ assert before: FumataIsTallyU16(before, teachers, counts, classes); */
  /*@ assert after:  FumataIsTallyU16(after, teachers, more, classes); */
  /*@ assert same:   FumataStays{decided, Here}(first); */
  /*@ assert then:   FumataIsVerdict{decided}(counts, classes, first->winner, first->distance); */
  /*@ assert first:  FumataIsVerdict(counts, classes, first->winner, first->distance); */
  /*@ ghost fumata_lemma_close_u16(before, after, teachers, who, counts, more, classes); */
}

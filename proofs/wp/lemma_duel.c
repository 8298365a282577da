/* Lemma 1 (MECHANISM section 1) between two candidates: one teacher changes its vote, which may be for neither of them or an
 * abstention before or after, and two duels are compared. Nothing here is compiled into the library; it exists to be
 * proved.
 *
 * Claim:    T-BALLOT-5, for any two labels of any number of classes.
 * Not here: that one changed vote is no more than this in the counts (fumata_lemma_close_u8 in lemma_ballot.c), that one
 *           record reaches one teacher only (A-CHUNKS). */
#include "lemma.h"

/*@
  // The same two candidates, and a stable verdict between them.
  predicate FumataDuelStable{L}(fumata_duel *first, fumata_duel *second) =
    FumataStable(first->winner, first->distance, second->winner, second->distance) &&
    ((second->winner == first->winner && second->loser == first->loser) ||
     (second->winner == first->loser && second->loser == first->winner));

  // Two counts have one duel only.
  lemma FumataOneDuel{L}: \forall uint32_t *v, integer a, b, y, l, d, z, m, e;
    a != b && FumataIsDuel(v, a, b, y, l, d) && FumataIsDuel(v, a, b, z, m, e) ==> y == z && l == m && d == e;

  lemma FumataDuelLemma1{L}: \forall uint32_t *v, *w, integer classes, a, b, y, l, d, z, m, e;
    FumataClose(v, w, classes) && FumataCandidatesOk(a, b, classes) &&
    FumataIsDuel(v, a, b, y, l, d) && FumataIsDuel(w, a, b, z, m, e) ==>
    FumataStable(y, d, z, e) && ((z == y && m == l) || (z == l && m == y));
*/

/* Two tables of counts that differ by one vote that moved, came or went: the duel of x and y is stable. */
/*@
  requires readable:   \valid_read(before + (0 .. classes - 1)) && \valid_read(after + (0 .. classes - 1));
  requires writable:   \valid(first) && \valid(second) && \separated(first, second);
  requires apart:      \separated(first, before + (0 .. classes - 1)) && \separated(first, after + (0 .. classes - 1));
  requires elsewhere:  \separated(second, before + (0 .. classes - 1)) &&
                       \separated(second, after + (0 .. classes - 1));
  requires moved:      FumataMoved(before, after, classes, a, b);
  requires classes:    FumataClassesOk(classes) && FumataCandidatesOk(x, y, classes);

  terminates           \true;
  exits                \false;
  assigns              *first, *second;
  ensures stable:      FumataDuelStable(first, second);
*/
void fumata_lemma_duel(const uint32_t *before, const uint32_t *after, uint32_t classes, uint32_t a, uint32_t b, uint32_t x,
                       uint32_t y, fumata_duel *first, fumata_duel *second) {
  uint32_t winner;
  uint32_t loser;
  uint32_t distance;

  fumata_ballot_duel(before, classes, x, y, first);
  winner = first->winner;
  loser = first->loser;
  distance = first->distance;
  /*@ assert before: FumataKept{Here, Pre}(before, classes) && FumataKept{Here, Pre}(after, classes); */
  /*@ assert first:  FumataIsDuel{Pre}(before, x, y, winner, loser, distance); */
  fumata_ballot_duel(after, classes, x, y, second);
  /*@ assert same_winner:   first->winner == winner; */
  /*@ assert same_loser:    first->loser == loser; */
  /*@ assert same_distance: first->distance == distance; */
  /*@ assert after:  FumataKept{Here, Pre}(after, classes); */
  /*@ assert second: FumataIsDuel{Pre}(after, x, y, second->winner, second->loser, second->distance); */
  /*@ assert close:  FumataClose{Pre}(before, after, classes); */
}

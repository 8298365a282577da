/* What one changed vote does to counts, and what it must not do to a verdict; for lemma_*.c, for the prover only. */
#ifndef FUMATA_LEMMA_H
#define FUMATA_LEMMA_H

#include "ballot.h"

/*@
  // From `before` to `after` one vote went from a to b, each a label or, as `classes`, an abstention.
  predicate FumataMoved{L}(uint32_t *before, uint32_t *after, integer classes, integer a, integer b) =
    0 <= a <= classes && 0 <= b <= classes && a != b &&
    (a < classes ==> after[a] == before[a] - 1) &&
    (b < classes ==> after[b] == before[b] + 1) &&
    (\forall integer y; 0 <= y < classes && y != a && y != b ==> after[y] == before[y]);

  // No count differs by more than one vote: all that Lemma 1 needs to know about a move.
  predicate FumataClose{L}(uint32_t *before, uint32_t *after, integer classes) =
    \forall integer y; 0 <= y < classes ==> -1 <= after[y] - before[y] <= 1;

  // No teacher alone moves the distance by more than one, or takes the win while either distance is positive.
  predicate FumataStable(integer y, integer d, integer z, integer e) =
    -1 <= d - e <= 1 && (y != z ==> d == 0 && e == 0);

  predicate FumataKept{L1, L2}(uint32_t *counts, integer classes) =
    \forall integer y; 0 <= y < classes ==> \at(counts[y], L1) == \at(counts[y], L2);
*/

#endif

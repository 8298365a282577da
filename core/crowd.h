/* Crowds: where records are, how far that is from the questions, and which record speaks for a unit (MECHANISM section 9). */
#ifndef FUMATA_CROWD_H
#define FUMATA_CROWD_H

#include <stdint.h>

#include "poll.h"
#include "status.h"

#define FUMATA_DIMENSIONS_MAX 1024u
#define FUMATA_PLACE_MAX      1023 /* a squared distance in so many dimensions fits 32 bits: 1024 (2 1023)^2 < 2^32 */
#define FUMATA_CROWD_LANES    16u

/* Points in space, caller-allocated: records, or the centres of questions. The coordinates of point r are places[dimensions *
 * r ...]; a multiple of FUMATA_CROWD_LANES of them, the last ones 0 where there are fewer. Fill in `places`, then settle. */
typedef struct {
  int16_t *places;
  uint32_t *norms; /* squared; one a point */
  uint32_t size;
  uint32_t dimensions;
} fumata_points;

#ifdef __FRAMAC__
#include "crowd.acsl"
#endif

/* Clip every coordinate to -FUMATA_PLACE_MAX .. FUMATA_PLACE_MAX and note the norms. What becomes of a point depends on
 * itself alone.
 *
 * Claim:    T-POLL-6, T-ERR-1.
 * Not here: that a place is computed from its own record by a public rule. */
/*@ requires points:     \valid(points);
    requires memory:     FumataPointsSizesOk(points) ==>
                         \valid(points->places + (0 .. FumataRow(points->size, points->dimensions) - 1)) &&
                         \valid(points->norms + (0 .. points->size - 1));
    requires apart:      \separated(points, points->places + (0 .. FumataRow(points->size, points->dimensions) - 1),
                                    points->norms + (0 .. points->size - 1));
    terminates \true; exits \false;
    assigns              points->places[0 .. FumataRow(points->size, points->dimensions) - 1],
                         points->norms[0 .. points->size - 1];
    behavior settled:
      assumes            FumataPointsSizesOk(points);
      ensures clipped:   \forall integer i; 0 <= i < FumataRow(points->size, points->dimensions) ==>
                         points->places[i] == FumataClip(\old(points->places[i]));
      ensures points:    FumataPointsOk(points);
      ensures accepted:  \result == FUMATA_OK;
    behavior refused:
      assumes            !FumataPointsSizesOk(points);
      assigns            \nothing;
      ensures size:      points->size > FUMATA_UNITS_MAX ==> \result == FUMATA_ERR_UNITS;
      ensures refused:   points->size <= FUMATA_UNITS_MAX ==> \result == FUMATA_ERR_DIMENSIONS;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_crowd_settle(fumata_points *points);

/* The squared distance of every record from every centre: that of record r from centre q is distances[records->size q + r].
 * No branch and no index depends on a coordinate.
 *
 * Claim:    T-POLL-6, exact; T-ERR-1.
 * Not here: - */
/*@ requires records:    FumataPointsOk(records);
    requires centres:    FumataPointsOk(centres);
    requires writable:   \valid(distances + (0 .. FumataRow(centres->size, records->size) - 1));
    requires apart:      FumataFindApart(records, centres, distances);
    terminates \true; exits \false;
    assigns              distances[0 .. FumataRow(centres->size, records->size) - 1];
    behavior found:
      assumes            records->dimensions == centres->dimensions;
      ensures distances: \forall integer q; 0 <= q < centres->size ==>
                         FumataFound(records->places, records->size, centres->places, records->dimensions,
                                     distances, q, 0, records->size);
      ensures accepted:  \result == FUMATA_OK;
    behavior refused:
      assumes            records->dimensions != centres->dimensions;
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_DIMENSIONS;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_crowd_find(const fumata_points *records, const fumata_points *centres, uint32_t *distances);

/* Who speaks for each unit: records first[u] .. first[u + 1] - 1 are those of unit u, and the nearest of them speaks, the
 * first of equally near ones. No branch and no index depends on a distance or a label; how many records a unit has decides
 * which are read.
 *
 * Claim:    T-POLL-7, T-ERR-1.
 * Not here: that the records of a unit stand together. */
/*@ requires units:      units <= FUMATA_UNITS_MAX;
    requires firsts:     \valid_read(first + (0 .. units));
    requires readable:   FumataFirstsOk(first, units) ==>
                         \valid_read(distances + (0 .. first[units] - 1)) && \valid_read(labels + (0 .. first[units] - 1));
    requires writable:   \valid(nearest + (0 .. units - 1)) && \valid(spoken + (0 .. units - 1));
    requires apart:      FumataSpeakApart(first, units, distances, labels, nearest, spoken);
    terminates \true; exits \false;
    assigns              nearest[0 .. units - 1], spoken[0 .. units - 1];
    behavior spoken:
      assumes            FumataFirstsOk(first, units);
      ensures nearest:   \forall integer u; 0 <= u < units ==>
                         FumataSpeaks(distances, labels, first[u], first[u + 1], nearest[u], spoken[u]);
      ensures accepted:  \result == FUMATA_OK;
    behavior refused:
      assumes            !FumataFirstsOk(first, units);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_LIST;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_crowd_speak(const uint32_t *first, uint32_t units, const uint32_t *distances,
                                 const uint16_t *labels, uint32_t *nearest, uint16_t *spoken);

#endif

/* The compiled poll as an adversary meets it: a crowd of records that the adversary knows, and beside it the same crowd with
 * one record more, the victim. A play is one whole life of a poll on one of the two; what it tells is boiled down to one
 * number, as in subject.h.
 *
 * The victim stands at the origin, with three records: one far away, and two at the origin of which the first speaks. The
 * others have one each. They stand in groups, each on a half axis of its own and at growing distance, so
 * that a ball whose diameter goes from the origin to the n-th of a group holds the first n of it, the victim, some who
 * abstain, and none of another group: a lead of n, and n + 1 or n - 1 where the victim is. The n-th is the farthest from
 * the centre. Each question has a group that was not asked before. */
#ifndef AUDIT_CROWD_H
#define AUDIT_CROWD_H

#include "audit/game.h"
#include "audit/laws.h"
#include "core/crowd.h"
#include "core/fumata.h"

enum crowd_way {
  CROWD_FAIR,      /* asks, has the uses stored, hears */
  CROWD_MORE,      /* the same, and one question more than the victim has votes */
  CROWD_LISTED,    /* lists who is asked, and the victim twice if that is taken */
  CROWD_CRASH,     /* hears before the uses are stored, if it can; crashes; goes on from what was stored */
  CROWD_ELSEWHERE, /* asks where the victim is not */
  CROWD_PART       /* asks the victim alone, whose vote is a part of a whole one */
};

/* What each unit says to a question: how far its nearest record is, and the label of that record. */
struct crowd_voices {
  uint32_t *distances;
  uint16_t *labels;
};

/* One side: a data set, and a poll of it. */
struct crowd_side {
  uint32_t units, victim; /* UINT32_MAX: it is not there */
  fumata_points records;
  uint16_t *labels;            /* of the records */
  uint32_t *first;             /* of each unit's records; one more, where they end */
  struct crowd_voices *voices; /* by group, lead and way, once they are asked for */
  uint16_t *used, *stored;
  int32_t lead[1];
  fumata_poll poll, resumed;
  int is_resumed; /* in this life, and `resumed` is what that left */
  uint32_t *list;
  uint16_t *spoken;
};

struct crowd {
  const struct plan_box *plan;
  uint32_t groups, longest, dimensions;
  struct crowd_side sides[2];
  uint64_t coins[4];
  uint32_t most_votes; /* that any record had in any life so far */
};

/* Groups of `longest` records, enough for a life, and polls that the core accepted; ends the program otherwise. */
void crowd_make(struct crowd *crowd, const struct plan_box *plan, uint32_t longest);
void crowd_free(struct crowd *crowd);

/* One life in which every question has the same lead, `here` without the victim and `there` with it: how often the answer was
 * the one that the lead is for. Where an adversary heard much more than was paid for: all, or nothing, as it guesses the side. */
size_t crowd_repeat(struct crowd *crowd, const struct laws_place *place, enum crowd_way way, int side);

/* One life against an adversary that chooses. */
size_t crowd_chased(struct crowd *crowd, const struct game *game, int side);

/* The exact law of CROWD_MORE: the victim's votes, and then a question that it does not vote on. 0, or -1: no memory. */
int crowd_more_law(struct laws *laws, const struct plan_box *plan, const struct laws_place *place);

#endif

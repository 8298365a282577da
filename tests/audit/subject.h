/* The compiled core as an adversary meets it: votes go in, answers come out. A play is one whole life of a machine on one
 * of two neighbouring data sets; what it tells is boiled down to one number, which loses nothing (laws.h, game.h). */
#ifndef AUDIT_SUBJECT_H
#define AUDIT_SUBJECT_H

#include "audit/game.h"
#include "audit/laws.h"
#include "core/fumata.h"

/* What the core makes of one ballot: three classes, of which the first leads the second by `gap` (behind when negative),
 * some votes for the third and some abstentions. Gaps of one parity differ in moved votes only. */
struct subject_ballot {
  fumata_verdict verdict;
  fumata_duel duel;
};
struct subject_ballot subject_ballot(int64_t gap);

/* A machine on its first day, and coins. */
struct subject {
  const struct plan_box *plan;
  fumata_meter meter;
  fumata_toll toll;
  fumata_budget budget;
  fumata_classic classic;
  uint64_t coins[4];
};

/* Starts the machine that the plan is for; ends the program if the core refuses. */
void subject_begin(struct subject *subject, const struct plan_box *plan);

/* One life with the same ballot for every query (for both kinds of a budget: a ballot each), and its outcome. More silences
 * or answers than were paid for end the program: AUDIT FAILED. */
size_t subject_repeat(struct subject *subject, const struct laws *laws, const struct subject_ballot ballots[2]);

/* One life against an adversary that chooses; `ballots` by distance, `side` 0 (here) or 1 (there). */
size_t subject_chased(struct subject *subject, const struct game *game, const struct subject_ballot *ballots, int side);

#endif

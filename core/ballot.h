/* Ballots: votes into counts, counts into a verdict (MECHANISM section 1). */
#ifndef FUMATA_BALLOT_H
#define FUMATA_BALLOT_H

#include <stdint.h>

#include "status.h"

#define FUMATA_CLASSES_MAX  1024u
#define FUMATA_TEACHERS_MAX 1000000u

/* What a ballot says: the plurality label and how many teachers stand between it and a tie. */
typedef struct {
  uint32_t winner;
  uint32_t distance;
} fumata_verdict;

/* What two candidates alone are told apart by: the smaller label wins a tie. */
typedef struct {
  uint32_t winner;
  uint32_t loser;
  uint32_t distance;
} fumata_duel;

#ifdef __FRAMAC__
#include "ballot.acsl"
#endif

/* Count `teachers` votes into counts[0 .. classes - 1]. A vote that is not a label of 0 .. classes - 1 abstains: it is
 * counted nowhere.
 *
 * Claim:    T-BALLOT-1, every vote for a label is counted once and for it, and nothing else is; T-ERR-1.
 * Not here: who voted and on what data (A-CHUNKS). */
/*@ requires readable:   FumataTeachersOk(teachers) ==> \valid_read(votes + (0 .. teachers - 1));
    requires writable:   FumataClassesOk(classes) ==> \valid(counts + (0 .. classes - 1));
    requires apart:      \separated(votes + (0 .. teachers - 1), counts + (0 .. classes - 1));
    terminates \true; exits \false;
    assigns              counts[0 .. classes - 1];
    behavior counted:
      assumes            FumataClassesOk(classes) && FumataTeachersOk(teachers);
      ensures done:      \result == FUMATA_OK;
      ensures tally:     FumataIsTallyU8(votes, teachers, counts, classes);
      ensures sum:       FumataSum(counts, classes) == FumataBelowU8(votes, teachers, classes) <= teachers;
    behavior classes:
      assumes            !FumataClassesOk(classes);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_CLASSES;
    behavior teachers:
      assumes            FumataClassesOk(classes) && !FumataTeachersOk(teachers);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_TEACHERS;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_ballot_tally_u8(const uint8_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts);

/* The same for labels that need two bytes. */
/*@ requires readable:   FumataTeachersOk(teachers) ==> \valid_read(votes + (0 .. teachers - 1));
    requires writable:   FumataClassesOk(classes) ==> \valid(counts + (0 .. classes - 1));
    requires apart:      \separated(votes + (0 .. teachers - 1), counts + (0 .. classes - 1));
    terminates \true; exits \false;
    assigns              counts[0 .. classes - 1];
    behavior counted:
      assumes            FumataClassesOk(classes) && FumataTeachersOk(teachers);
      ensures done:      \result == FUMATA_OK;
      ensures tally:     FumataIsTallyU16(votes, teachers, counts, classes);
      ensures sum:       FumataSum(counts, classes) == FumataBelowU16(votes, teachers, classes) <= teachers;
    behavior classes:
      assumes            !FumataClassesOk(classes);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_CLASSES;
    behavior teachers:
      assumes            FumataClassesOk(classes) && !FumataTeachersOk(teachers);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_TEACHERS;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_ballot_tally_u16(const uint16_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts);

/* The verdict of counts, whatever they are and wherever they come from. No votes at all are a tie at distance 0.
 *
 * Claim:    T-BALLOT-2, winner and distance are those of MECHANISM section 1, of any counts; T-ERR-1.
 * Not here: what one teacher can do to a verdict (T-BALLOT-3, proofs/wp/lemma_ballot.c). */
/*@ requires readable:   FumataClassesOk(classes) ==> \valid_read(counts + (0 .. classes - 1));
    requires writable:   \valid(verdict);
    requires apart:      \separated(verdict, counts + (0 .. classes - 1));
    terminates \true; exits \false;
    assigns              *verdict;
    behavior decided:
      assumes            FumataClassesOk(classes);
      ensures done:      \result == FUMATA_OK;
      ensures verdict:   FumataIsVerdict(counts, classes, verdict->winner, verdict->distance);
      ensures range:     FumataVerdictOk(verdict);
    behavior classes:
      assumes            !FumataClassesOk(classes);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_CLASSES;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_ballot_decide(const uint32_t *counts, uint32_t classes, fumata_verdict *verdict);

/* The verdict between two labels a < b: votes for neither count nowhere. The counts may come from anywhere. No branch
 * takes part in who wins.
 *
 * Claim:    T-BALLOT-4, winner and distance are those of MECHANISM section 1 for any two counts; T-ERR-1.
 * Not here: what one teacher can do to it (T-BALLOT-5, proofs/wp/lemma_duel.c), that a and b are chosen publicly. */
/*@ requires readable:   FumataClassesOk(classes) ==> \valid_read(counts + (0 .. classes - 1));
    requires writable:   \valid(duel);
    requires apart:      \separated(duel, counts + (0 .. classes - 1));
    terminates \true; exits \false;
    assigns              *duel;
    behavior decided:
      assumes            FumataClassesOk(classes) && FumataCandidatesOk(a, b, classes);
      ensures done:      \result == FUMATA_OK;
      ensures duel:      FumataIsDuel(counts, a, b, duel->winner, duel->loser, duel->distance);
      ensures range:     FumataDuelOk(duel);
    behavior classes:
      assumes            !FumataClassesOk(classes);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_CLASSES;
    behavior candidates:
      assumes            FumataClassesOk(classes) && !FumataCandidatesOk(a, b, classes);
      assigns            \nothing;
      ensures refused:   \result == FUMATA_ERR_VOTE;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_ballot_duel(const uint32_t *counts, uint32_t classes, uint32_t a, uint32_t b, fumata_duel *duel);

#endif

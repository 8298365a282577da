/* The poll: every unit votes for itself, where it is asked, and at most B times (MECHANISM section 9). */
#ifndef FUMATA_POLL_H
#define FUMATA_POLL_H

#include <stdint.h>

#include "ballot.h"
#include "certify.h"
#include "named.h"

#define FUMATA_UNITS_MAX      67108864u /* units of a crowd */
#define FUMATA_LEADS_MAX      1048576u  /* leads that wait */
#define FUMATA_WEIGHT_MAX     32767u    /* m */
#define FUMATA_POLL_VOTES_MAX 65535u    /* B */

/* How often each unit has voted. Private: who was asked tells where people are. */
typedef struct {
  uint16_t *used;
  uint32_t size;
} fumata_uses;

/* Leads in the order of their questions. Private until they are answered, and after it. */
typedef struct {
  int32_t *lead;
  uint32_t size;
} fumata_leads;

/* A question is public: who is at most `radius` away is asked, and a label weighs weights[label]. */
typedef struct {
  const int16_t *weights;
  uint32_t size;   /* labels that may weigh something */
  uint32_t most;   /* m: no weight is above it or below -m */
  uint32_t radius; /* squared */
} fumata_question;

/* What each unit has to say to a question: its squared distance from it, and its label. */
typedef struct {
  const uint32_t *distances;
  const uint16_t *labels;
} fumata_voices;

/* The units that are asked, each once and in ascending order, and the label of each. */
typedef struct {
  const uint32_t *units;
  const uint16_t *labels;
  uint32_t size;
} fumata_list;

/* Caller-allocated. Set `uses` and `leads` to memory of yours, then begin or resume; store uses.used[0 .. uses.size - 1];
 * change nothing. That memory and the table of the plan stay yours and must outlive the poll. Never copy it: the copy would
 * spend the budget once more. */
typedef struct {
  fumata_toll_plan plan; /* its limit is B */
  fumata_uses uses;
  fumata_leads leads;
  uint32_t asked;    /* leads that were made */
  uint32_t stored;   /* leads whose uses are stored */
  uint32_t answered; /* leads that were answered */
} fumata_poll;

#ifdef __FRAMAC__
#include "poll.acsl"
#endif

/* A new poll in which nobody has voted. Once in the life of a plan: a poll that was stored is resumed, never begun again.
 *
 * Claim:    T-POLL-4, the poll of a refused plan does not come into being; T-ERR-1.
 * Not here: that the certificate means privacy (T-CERT-5, Theorem N), that nobody begins twice. */
/*@ requires memory:     FumataPollCanStart(poll, plan, claim);
    terminates \true; exits \false;
    assigns              poll->plan, poll->asked, poll->stored, poll->answered, poll->uses.used[0 .. poll->uses.size - 1];
    ensures cause:       FumataPollStatus{Pre}(poll, plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(FumataPollIsCertified(poll, plan, claim));
    ensures units:       poll->uses.size == \old(poll->uses.size);
    ensures running:     \result == FUMATA_OK ==> FumataPollStarts(poll, plan) && FumataNoneUsed(poll);
    ensures unchanged:   \result != FUMATA_OK ==> *poll == \old(*poll);
    ensures unused:      \result != FUMATA_OK ==> \forall integer r; 0 <= r < poll->uses.size ==>
                         poll->uses.used[r] == \old(poll->uses.used[r]); */
fumata_status fumata_poll_init(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim);

/* Take up a stored poll: `uses` are those that were stored. Leads that waited are lost, their votes are spent.
 *
 * Claim:    T-POLL-4, a life goes on from what was spent, never from less; T-ERR-1.
 * Not here: that `uses` are what was stored last, under this same plan (A-STORE). */
/*@ requires memory:     FumataPollCanStart(poll, plan, claim);
    terminates \true; exits \false;
    assigns              poll->plan, poll->asked, poll->stored, poll->answered;
    ensures cause:       FumataPollStatus{Pre}(poll, plan, claim, \result);
    ensures certified:   \result == FUMATA_OK <==> \old(FumataPollIsCertified(poll, plan, claim));
    ensures running:     \result == FUMATA_OK ==> FumataPollStarts(poll, plan);
    ensures unchanged:   \result != FUMATA_OK ==> *poll == \old(*poll); */
fumata_status fumata_poll_resume(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim);

/* Ask one question: who votes is counted, and the lead waits to be answered. The uses have to be stored, durably, before it
 * is (fumata_poll_stored). The work depends on the question and on the number of units, on nothing that a unit says.
 *
 * Claim:    T-POLL-1, T-POLL-2, T-ERR-1.
 * Not here: where distances and labels come from (core/crowd.h), that the question is public. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    requires question:   FumataPollCanAsk(poll, question);
    requires voices:     FumataPollCanHear(poll, voices);
    terminates \true; exits \false;
    assigns              poll->asked, poll->leads.lead[poll->asked], poll->uses.used[0 .. poll->uses.size - 1];
    ensures state:       FumataPollInvariant(poll);
    ensures units:       poll->uses.size == \old(poll->uses.size) && poll->leads.size == \old(poll->leads.size);
    ensures leads:       \forall integer i; 0 <= i < poll->leads.size && i != \old(poll->asked) ==>
                         poll->leads.lead[i] == \old(poll->leads.lead[i]);
    behavior refused:
      assumes            !FumataQuestionOk(question) || poll->asked == poll->leads.size;
      assigns            \nothing;
      ensures question:  \old(!FumataQuestionOk(question)) ==> \result == FUMATA_ERR_QUESTION;
      ensures full:      \old(FumataQuestionOk(question)) ==> \result == FUMATA_ERR_FULL;
      ensures unchanged: poll->asked == \old(poll->asked) && (\forall integer r; 0 <= r < poll->uses.size ==>
                         poll->uses.used[r] == \old(poll->uses.used[r]));
    behavior asked:
      assumes            FumataQuestionOk(question) && poll->asked < poll->leads.size;
      ensures votes:     \forall integer r; 0 <= r < poll->uses.size ==>
                         poll->uses.used[r] == \old(poll->uses.used[r] + (FumataVote(poll, question, voices, r) != 0 ? 1 : 0));
      ensures lead:      poll->leads.lead[\old(poll->asked)] ==
                         \old(FumataLead(FumataVoteSum(poll, question, voices, poll->uses.size), question->most));
      ensures asked:     poll->asked == \old(poll->asked) + 1;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_poll_vote(fumata_poll *poll, const fumata_question *question, const fumata_voices *voices);

/* The same for units that were found elsewhere: those of the list are asked, and the question's radius is not looked at. The
 * work depends on the length of the list, and which memory is touched on the units in it.
 *
 * Claim:    T-POLL-1, T-POLL-2, a unit has one vote a question; T-ERR-1.
 * Not here: that whether a unit is listed depends on its own records and the question alone. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    requires question:   FumataPollCanAsk(poll, question);
    requires list:       FumataPollCanList(poll, asked);
    terminates \true; exits \false;
    assigns              poll->asked, poll->leads.lead[poll->asked], poll->uses.used[0 .. poll->uses.size - 1];
    ensures state:       FumataPollInvariant(poll);
    ensures units:       poll->uses.size == \old(poll->uses.size) && poll->leads.size == \old(poll->leads.size);
    ensures leads:       \forall integer i; 0 <= i < poll->leads.size && i != \old(poll->asked) ==>
                         poll->leads.lead[i] == \old(poll->leads.lead[i]);
    behavior refused:
      assumes            !FumataQuestionOk(question) || !FumataListOk(asked, poll->uses.size) ||
                         poll->asked == poll->leads.size;
      assigns            \nothing;
      ensures question:  \old(!FumataQuestionOk(question)) ==> \result == FUMATA_ERR_QUESTION;
      ensures list:      \old(FumataQuestionOk(question) && !FumataListOk(asked, poll->uses.size)) ==>
                         \result == FUMATA_ERR_LIST;
      ensures full:      \old(FumataQuestionOk(question) && FumataListOk(asked, poll->uses.size)) ==>
                         \result == FUMATA_ERR_FULL;
      ensures unchanged: poll->asked == \old(poll->asked) && (\forall integer r; 0 <= r < poll->uses.size ==>
                         poll->uses.used[r] == \old(poll->uses.used[r]));
    behavior asked:
      assumes            FumataQuestionOk(question) && FumataListOk(asked, poll->uses.size);
      assumes            poll->asked < poll->leads.size;
      ensures votes:     \forall integer i; 0 <= i < asked->size ==> poll->uses.used[asked->units[i]] ==
                         \old(poll->uses.used[asked->units[i]] + (FumataListedVote(poll, question, asked, i) != 0 ? 1 : 0));
      ensures others:    \forall integer r; 0 <= r < poll->uses.size ==>
                         (\forall integer i; 0 <= i < asked->size ==> asked->units[i] != r) ==>
                         poll->uses.used[r] == \old(poll->uses.used[r]);
      ensures lead:      poll->leads.lead[\old(poll->asked)] ==
                         \old(FumataLead(FumataListedSum(poll, question, asked, asked->size), question->most));
      ensures asked:     poll->asked == \old(poll->asked) + 1;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_poll_vote_listed(fumata_poll *poll, const fumata_question *question, const fumata_list *asked);

/* The caller's word that `uses` as they are now are stored, durably: every lead that waits may be answered.
 *
 * Claim:    T-POLL-4.
 * Not here: that they were stored (A-STORE). */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    terminates \true; exits \false;
    assigns              poll->stored;
    ensures state:       FumataPollInvariant(poll);
    ensures stored:      poll->stored == poll->asked;
    ensures accepted:    \result == FUMATA_OK; */
fumata_status fumata_poll_stored(fumata_poll *poll);

/* Answer the oldest lead that waits, with one coin: *yes is 1 or 0. Each lead is answered once, and none before its uses are
 * stored. The work does not depend on the lead or the coin.
 *
 * Claim:    T-POLL-3, T-POLL-4, T-ERR-1.
 * Not here: that the coin is uniform and used once (A-COINS), that the compiler keeps the work the same. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    requires writable:   \valid(yes);
    requires apart:      \separated(yes, poll);
    requires table:      \separated(yes, poll->plan.named + (0 .. poll->plan.size - 1));
    requires memory:     \separated(yes, poll->uses.used + (0 .. poll->uses.size - 1));
    requires queue:      \separated(yes, poll->leads.lead + (0 .. poll->leads.size - 1));
    terminates \true; exits \false;
    assigns              poll->answered, *yes;
    ensures state:       FumataPollInvariant(poll);
    behavior refused:
      assumes            poll->answered == poll->stored;
      assigns            \nothing;
      ensures unchanged: *yes == \old(*yes) && poll->answered == \old(poll->answered);
      ensures refused:   \result == FUMATA_ERR_UNSTORED;
    behavior yes:
      assumes            poll->answered < poll->stored;
      assumes            FumataSaysYes(poll, poll->leads.lead[poll->answered], coin);
      ensures answer:    *yes == 1;
      ensures answered:  poll->answered == \old(poll->answered) + 1;
      ensures accepted:  \result == FUMATA_OK;
    behavior no:
      assumes            poll->answered < poll->stored;
      assumes            !FumataSaysYes(poll, poll->leads.lead[poll->answered], coin);
      ensures answer:    *yes == 0;
      ensures answered:  poll->answered == \old(poll->answered) + 1;
      ensures accepted:  \result == FUMATA_OK;
    complete behaviors; disjoint behaviors; */
fumata_status fumata_poll_answer(fumata_poll *poll, uint64_t coin, uint32_t *yes);

/* Make room for the next questions: leads are wiped, answered or not. What was not answered is lost, its votes are spent.
 *
 * Claim:    T-POLL-4, no lead is answered twice.
 * Not here: - */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    terminates \true; exits \false;
    assigns              poll->asked, poll->stored, poll->answered, poll->leads.lead[0 .. poll->leads.size - 1];
    ensures state:       FumataPollInvariant(poll) && FumataPollIsIdle(poll);
    ensures room:        poll->leads.size == \old(poll->leads.size);
    ensures wiped:       \forall integer i; 0 <= i < poll->leads.size ==> poll->leads.lead[i] == 0;
    ensures accepted:    \result == FUMATA_OK; */
fumata_status fumata_poll_clear(fumata_poll *poll);

/* End a poll: uses and leads are wiped from memory, and without room for a lead nothing can be asked. Store `uses` before it.
 *
 * Claim:    T-POLL-5, what was private is zero.
 * Not here: copies that the caller made. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    terminates \true; exits \false;
    assigns              poll->asked, poll->stored, poll->answered, poll->leads.size,
                         poll->leads.lead[0 .. poll->leads.size - 1], poll->uses.used[0 .. poll->uses.size - 1];
    ensures state:       FumataPollInvariant(poll) && FumataPollIsIdle(poll);
    ensures units:       poll->uses.size == \old(poll->uses.size);
    ensures ended:       poll->leads.size == 0;
    ensures wiped:       \forall integer i; 0 <= i < \old(poll->leads.size) ==> poll->leads.lead[i] == 0;
    ensures unused:      FumataNoneUsed(poll);
    ensures accepted:    \result == FUMATA_OK; */
fumata_status fumata_poll_close(fumata_poll *poll);

#endif

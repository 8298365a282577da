/* Plans: what is true of any of them, whichever mechanism they drive. Untrusted floating point proposes, the core's
 * certificate disposes. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdint.h>

#include "base/digest.h"
#include "base/rational.h"
#include "core/certify.h"
#include "core/plan.h"
#include "core/poll.h"
#include "plan/policy.h"

enum plan_mechanism {
  PLAN_MECHANISM_METER,
  PLAN_MECHANISM_CLASSIC,
  PLAN_MECHANISM_TOLL,
  PLAN_MECHANISM_BOTH,
  PLAN_MECHANISM_POLL
};

/* What is asked: the label that the teachers agree on, where a silence is paid for (the meter, and classic); which of two
 * candidates they prefer, where the answer is paid for (the toll); or yes or no of the private records near a point, where
 * each record pays for its own votes (the poll). */
enum plan_kind { PLAN_KIND_METER, PLAN_KIND_TOLL, PLAN_KIND_POLL };
#define PLAN_KINDS 3

/* How much of what is paid for: of a plan's whole life, of what is left of it, of what is reserved. A poll has neither: how
 * often each record has voted is counted record by record, and is private. */
struct plan_quota {
  uint32_t silences, answers;
};

/* What a plan may cost and how much it must pay for: T silences, L answers, or both; or B votes of each record. */
struct plan_target {
  uint32_t epsilon_num, epsilon_den;
  uint64_t delta_num, delta_den;
  uint32_t silences, answers, votes;
};

/* A plan, its claim, and the memory of its tables. Whoever makes or reads a plan overwrites the box and leaves it empty
 * on failure; plan_free empties it again. */
struct plan_box {
  enum plan_mechanism mechanism;
  fumata_claim claim;
  fumata_meter_plan meter;     /* when mechanism is METER or BOTH */
  fumata_classic_plan classic; /* when mechanism is CLASSIC */
  fumata_toll_plan toll;       /* when mechanism is TOLL, BOTH or POLL, where its limit are the votes of a record */
  uint64_t *memory[2];         /* what the plan's tables point into, unless the caller owns them */
};

/* What a plan should be good at. With `share`, the average silence (of the toll: how often the loser is named) over queries
 * of which share[d] lie at distance d (the last entry stands for that distance and beyond); without, the distance at which
 * silence, or naming the loser, falls to `silence`. The profile must be public knowledge or a guess, never counted on
 * private votes. */
struct plan_aim {
  double silence;
  const double *share;
  uint32_t size;
  double answers; /* a plan for both kinds: the share of the moment that pays for answers; 0: the one that suits best */
};

extern const struct plan_aim plan_usual_aim; /* the distance of PLAN_SILENCE; what a NULL aim means */

/* What a plan costs and what it is called: all that a ledger keeps of it. */
struct plan_terms {
  enum plan_mechanism mechanism;
  struct plan_quota limit; /* T and L */
  struct rational epsilon, delta;
  uint8_t digest[DIGEST_SIZE]; /* SHA-256 of the mechanism, its tables, T, L and the claim */
};

/* The int functions return an exit code (error.h); a failure has printed its line. */

/* Texts of options: "3.16", "1e-5" or "1/3". `what` names the option in the message. */
int plan_target_epsilon(struct plan_target *target, const char *what, const char *text);
int plan_target_delta(struct plan_target *target, const char *what, const char *text);
int plan_target_silences(const struct plan_target *target); /* is the number in range? */
int plan_target_answers(const struct plan_target *target);
int plan_target_votes(const struct plan_target *target);

/* `epsilon` up to three significant digits, as a fraction; 0, or -1 when it is out of reach. */
int plan_target_round_up(struct plan_target *target, double epsilon);

/* Says that the searches found nothing that keeps the target; EXIT_REFUSED. */
int plan_refuse(const struct plan_target *target);

/* The same as doubles, for the searches. */
struct plan_budget {
  double epsilon, delta, silences, answers;
  double share; /* of the moment that pays for answers: 0 of the meter alone, 1 of the toll alone */
};
struct plan_budget plan_budget(const struct plan_target *target);

/* ln of what the moment may be at the order alpha when `spent` of delta is not its to use. */
double plan_budget_moment(const struct plan_budget *budget, double alpha, double spent);

/* The smallest order at which there is something to spend; FUMATA_ALPHA_MAX if there is none below. And the largest one for
 * which the core's bound of e^x is sharp. */
double plan_budget_least_alpha(const struct plan_budget *budget, double spent);
double plan_budget_most_alpha(const struct plan_budget *budget);

/* The claim of a plan for `target` at the order `alpha`; v and u are 0. */
fumata_claim plan_claim(const struct plan_target *target, uint32_t alpha);

/* The mechanism that pays for what the target asks for, where the operator names none. */
enum plan_mechanism plan_target_mechanism(const struct plan_target *target);

void plan_free(struct plan_box *box);
void plan_shrink(struct plan_box *box); /* gives back the memory behind a meter's and a toll's table */
const char *plan_mechanism_name(enum plan_mechanism mechanism); /* "meter", "toll", "both", "classic", "poll" */
struct plan_quota plan_limit(const struct plan_box *box);       /* T and L */
uint32_t plan_votes(const struct plan_box *box);                /* B; 0: not a poll */

uint32_t *plan_quota_of(struct plan_quota *quota, enum plan_kind kind);

/* "5 silences", "400 answers" or "5 silences and 400 answers"; of a plan's limit also "10 votes per record". Returns `text`. */
#define PLAN_QUOTA_TEXT 64
const char *plan_quota_print(struct plan_quota quota, char text[PLAN_QUOTA_TEXT]);
const char *plan_limit_print(const struct plan_box *box, char text[PLAN_QUOTA_TEXT]);

void plan_terms(const struct plan_box *box, struct plan_terms *terms);

/* Does the plan answer votes of teachers? A poll does not: EXIT_INPUT, its line printed. */
int plan_for_teachers(const struct plan_box *box);

/* Runs the core's certificate on what the box holds. */
fumata_status plan_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault);

/* The probability that a query of this kind at `distance` (of a poll: at this lead) fails: is met with silence, named after
 * the loser, or answered with yes for no. */
double plan_miss(const struct plan_box *box, enum plan_kind kind, uint32_t distance);
double plan_silence(const struct plan_box *box, uint32_t distance); /* the meter's */

/* The smallest distance with such a probability of at most `miss`, or UINT32_MAX. */
uint32_t plan_miss_distance(const struct plan_box *box, enum plan_kind kind, double miss);
uint32_t plan_distance(const struct plan_box *box, double silence); /* the meter's */

/* The distance of the vote in which `agreeing` of `teachers` name one label and all the others another. */
uint32_t plan_vote_distance(uint32_t teachers, uint32_t agreeing);

/* The fewest teachers for which such a vote with a share `agreement` of them agreeing fails at most with probability
 * `miss`, and so for every larger number; UINT32_MAX if there is none. */
uint32_t plan_miss_teachers(const struct plan_box *box, enum plan_kind kind, double agreement, double miss);
uint32_t plan_teachers(const struct plan_box *box, double agreement, double silence); /* the meter's */

/* The core's lower bound of e^x is sharp while x = (alpha - 1) epsilon stays in the hundreds. */
#define PLAN_EXPONENT_MAX 300.0

/* ln of what turns a moment of order alpha into a delta: (1 - 1/alpha)^(alpha - 1) / alpha. */
double plan_log_conversion(double alpha);

#endif

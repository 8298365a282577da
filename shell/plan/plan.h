/* Plans: what is true of any of them, whichever mechanism they drive. Untrusted floating point proposes, the core's
 * certificate disposes. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdint.h>

#include "base/digest.h"
#include "base/rational.h"
#include "core/certify.h"
#include "core/plan.h"
#include "plan/policy.h"

enum plan_mechanism { PLAN_MECHANISM_METER, PLAN_MECHANISM_CLASSIC };

/* What a plan may cost and how many silences it must pay for. */
struct plan_target {
  uint32_t epsilon_num, epsilon_den;
  uint64_t delta_num, delta_den;
  uint32_t silences;
};

/* A plan, its claim, and the memory of its tables. Whoever makes or reads a plan overwrites the box and leaves it empty
 * on failure; plan_free empties it again. */
struct plan_box {
  enum plan_mechanism mechanism;
  fumata_claim claim;
  fumata_meter_plan meter;     /* when mechanism is METER */
  fumata_classic_plan classic; /* when mechanism is CLASSIC */
  uint64_t *memory[2];         /* what the plan's tables point into, unless they are somebody else's */
};

/* What a plan should be good at. With `share`, the average silence over queries of which share[d] lie at
 * distance d (the last entry stands for that distance and beyond); without, the distance at which silence
 * falls to `silence`. The profile must be public knowledge or a guess, never counted on private votes. */
struct plan_aim {
  double silence;
  const double *share;
  uint32_t size;
};

extern const struct plan_aim plan_usual_aim; /* the distance of PLAN_SILENCE; what a NULL aim means */

/* What a plan costs and what it is called: all that a ledger keeps of it. */
struct plan_terms {
  enum plan_mechanism mechanism;
  uint32_t limit; /* T */
  struct rational epsilon, delta;
  uint8_t digest[DIGEST_SIZE]; /* SHA-256 of the mechanism, its tables, T and the claim */
};

/* The int functions return an exit code (error.h); a failure has printed its line. */

/* Texts of options: "3.16", "1e-5" or "1/3". `what` names the option in the message. */
int plan_target_epsilon(struct plan_target *target, const char *what, const char *text);
int plan_target_delta(struct plan_target *target, const char *what, const char *text);
int plan_target_silences(const struct plan_target *target); /* may there be so many? */

/* The same as doubles, for the searches. */
struct plan_budget {
  double epsilon, delta, silences;
};
struct plan_budget plan_budget(const struct plan_target *target);

/* The claim of a plan for `target` at the order `alpha`; v is 0. */
fumata_claim plan_claim(const struct plan_target *target, uint32_t alpha);

void plan_free(struct plan_box *box);
const char *plan_mechanism_name(enum plan_mechanism mechanism); /* "meter", "classic" */
uint32_t plan_limit(const struct plan_box *box);                /* T */
void plan_terms(const struct plan_box *box, struct plan_terms *terms);

/* Runs the core's certificate on what the box holds. */
fumata_status plan_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault);

/* The probability that a query at `distance` is met with silence. */
double plan_silence(const struct plan_box *box, uint32_t distance);

/* The smallest distance with silence at most `silence`; UINT32_MAX if there is none. */
uint32_t plan_distance(const struct plan_box *box, double silence);

/* The distance of the vote in which `agreeing` of `teachers` name one label and all the others another. */
uint32_t plan_vote_distance(uint32_t teachers, uint32_t agreeing);

/* The fewest teachers for which such a vote with a share `agreement` of them agreeing is silent at most with
 * probability `silence`, and so for every larger number; UINT32_MAX if there is none. */
uint32_t plan_teachers(const struct plan_box *box, double agreement, double silence);

/* The core's lower bound of e^x is sharp while x = (alpha - 1) epsilon stays in the hundreds. */
#define PLAN_EXPONENT_MAX 300.0

/* ln of what turns a moment of order alpha into a delta: (1 - 1/alpha)^(alpha - 1) / alpha. */
double plan_log_conversion(double alpha);

#endif

/* Plans made to measure: untrusted floating point proposes, the core's certificate disposes. */
#ifndef PLAN_PLAN_METER_H
#define PLAN_PLAN_METER_H

#include <stdint.h>

#include "core/certify.h"
#include "core/plan.h"

#define PLAN_METER_FLOOR 0x1p-20 /* the chance that even a unanimous vote meets with silence */

enum plan_mechanism { PLAN_MECHANISM_METER, PLAN_MECHANISM_CLASSIC };

/* What a plan may cost and how many silences it must pay for. */
struct plan_target {
  uint32_t epsilon_num, epsilon_den;
  uint64_t delta_num, delta_den;
  uint32_t silences;
};

/* A plan, its claim, and the memory of its tables. Zero it before the first use; plan_free empties it. */
struct plan_box {
  enum plan_mechanism mechanism;
  fumata_claim claim;
  fumata_meter_plan meter;     /* when mechanism is METER */
  fumata_classic_plan classic; /* when mechanism is CLASSIC */
  uint64_t *memory[2];         /* what the plan's tables point into */
};

/* What a plan should be good at. With `share`, the average silence over queries of which share[d] lie at
 * distance d (the last entry stands for that distance and beyond); without, the distance at which silence
 * falls to `silence`. The profile must be public knowledge or a guess, never counted on private votes. */
struct plan_aim {
  double silence; /* 0.05 */
  const double *share;
  uint32_t size;
};

/* The int functions return an exit code (error.h); a failure has printed its line and left nothing behind. */

/* Texts of options: "3.16", "1e-5" or "1/3". `what` names the option in the message. */
int plan_target_epsilon(struct plan_target *target, const char *what, const char *text);
int plan_target_delta(struct plan_target *target, const char *what, const char *text);

/* The best certified meter plan; `aim` NULL means the distance of 5 % silence. */
int plan_meter_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

/* The distance (with a fraction) at which the best table would bring silence down to `silence` if no certificate had
 * to be paid for; nothing is built. Infinite if there is no such table. */
double plan_meter_reach(const struct plan_target *target, double silence);

/* The largest T (in 1..most) whose plan keeps the silence at `distance` at or below `silence`; 0 if none does.
 * The plan is in the box unless T is 0. */
int plan_meter_silences(const struct plan_target *target, uint32_t distance, double silence, uint32_t most,
                        struct plan_box *box, uint32_t *silences);

/* The smallest epsilon (three significant digits, exact) whose plan for target->silences and delta does that;
 * target->epsilon_* is ignored and box->claim says what was found. EXIT_REFUSED if none up to 100 does. */
int plan_meter_epsilon(const struct plan_target *target, uint32_t distance, double silence, struct plan_box *box);

/* What to ask for when the operator gave only a budget and the sizes of the files: `records` private records (or
 * privacy units), `queries` public ones. Uses nothing private. Fills *teachers and target->silences. */
struct plan_setting {
  uint64_t records, queries;
  uint32_t smallest; /* fewest records a teacher can learn from; 0: 40 */
  double hard;       /* guessed share of queries on which the teachers disagree; 0: 0.1 */
};
int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers);

void plan_free(struct plan_box *box);
uint32_t plan_limit(const struct plan_box *box); /* T */

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

#endif

#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/ballot.h"
#include "plan/mechanism.h"

const struct plan_aim plan_usual_aim = {PLAN_SILENCE, NULL, 0};

int plan_target_epsilon(struct plan_target *target, const char *what, const char *text) {
  struct rational number;
  if (rational_parse(text, &number) || number.num > UINT32_MAX || number.den > UINT32_MAX)
    return error_report(EXIT_INPUT, "%s: '%s' is not a positive number such as 0.5, 3.16 or 1/3", what, text);
  target->epsilon_num = (uint32_t)number.num;
  target->epsilon_den = (uint32_t)number.den;
  return EXIT_OK;
}

int plan_target_delta(struct plan_target *target, const char *what, const char *text) {
  struct rational number;
  if (rational_parse(text, &number))
    return error_report(EXIT_INPUT, "%s: '%s' is not a positive number such as 1e-5 or 1/100000", what, text);
  if (number.num >= number.den) return error_report(EXIT_INPUT, "%s: '%s' must be below 1", what, text);
  target->delta_num = number.num;
  target->delta_den = number.den;
  return EXIT_OK;
}

int plan_target_silences(const struct plan_target *target) {
  if (target->silences < 1 || target->silences > FUMATA_SILENCES_MAX)
    return error_report(EXIT_INPUT, "silences: must be 1 to %u", FUMATA_SILENCES_MAX);
  return EXIT_OK;
}

struct plan_budget plan_budget(const struct plan_target *target) {
  struct plan_budget budget = {rational_value(target->epsilon_num, target->epsilon_den),
                               rational_value(target->delta_num, target->delta_den), target->silences};
  return budget;
}

fumata_claim plan_claim(const struct plan_target *target, uint32_t alpha) {
  fumata_claim claim = {.epsilon_num = target->epsilon_num,
                        .epsilon_den = target->epsilon_den,
                        .delta_num = target->delta_num,
                        .delta_den = target->delta_den,
                        .alpha = alpha};
  return claim;
}

void plan_free(struct plan_box *box) {
  free(box->memory[0]);
  free(box->memory[1]);
  memset(box, 0, sizeof *box);
}

const char *plan_mechanism_name(enum plan_mechanism mechanism) {
  return mechanism_of(mechanism)->name;
}

uint32_t plan_limit(const struct plan_box *box) {
  return mechanism_of(box->mechanism)->limit(box);
}

static void plan_digest_claim(struct digest *digest, const fumata_claim *claim) {
  digest_add_u64(digest, claim->epsilon_num);
  digest_add_u64(digest, claim->epsilon_den);
  digest_add_u64(digest, claim->delta_num);
  digest_add_u64(digest, claim->delta_den);
  digest_add_u64(digest, claim->alpha);
  digest_add_u64(digest, claim->v);
}

void plan_terms(const struct plan_box *box, struct plan_terms *terms) {
  const struct mechanism *mechanism = mechanism_of(box->mechanism);
  struct digest digest;
  *terms = (struct plan_terms){.mechanism = box->mechanism,
                               .limit = mechanism->limit(box),
                               .epsilon = {box->claim.epsilon_num, box->claim.epsilon_den},
                               .delta = {box->claim.delta_num, box->claim.delta_den}};
  digest_init(&digest);
  digest_add_u64(&digest, mechanism->number);
  mechanism->digest_tables(box, &digest);
  digest_add_u64(&digest, terms->limit);
  plan_digest_claim(&digest, &box->claim);
  digest_read(&digest, terms->digest);
}

fumata_status plan_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  return mechanism_of(box->mechanism)->certify(box, claim, fault);
}

double plan_silence(const struct plan_box *box, uint32_t distance) {
  return mechanism_of(box->mechanism)->silence(box, distance);
}

uint32_t plan_distance(const struct plan_box *box, double silence) {
  uint32_t low = 0, high = FUMATA_TEACHERS_MAX;
  if (plan_silence(box, high) > silence) return UINT32_MAX;
  if (plan_silence(box, 0) <= silence) return 0;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (plan_silence(box, middle) <= silence)
      high = middle;
    else
      low = middle;
  }
  return high;
}

uint32_t plan_vote_distance(uint32_t teachers, uint32_t agreeing) {
  uint32_t others = teachers - agreeing;
  return agreeing > others + 2 ? (agreeing - others - 1) / 2 : 0;
}

uint32_t plan_teachers(const struct plan_box *box, double agreement, double silence) {
  uint32_t distance = plan_distance(box, silence), teachers, last = 0;
  double guess;
  if (distance == UINT32_MAX) return UINT32_MAX;
  guess = (2.0 * distance + 1) / (2 * agreement - 1);
  if (!(guess > 0 && guess < FUMATA_TEACHERS_MAX - 100)) return UINT32_MAX;
  /* The share rounds down to whole teachers, so the distance is not quite monotone in their number. */
  for (teachers = (uint32_t)guess + 50; teachers > 0; teachers--) {
    if (plan_vote_distance(teachers, (uint32_t)floor(agreement * teachers + 1e-9)) < distance) break;
    last = teachers;
  }
  return last ? last : UINT32_MAX;
}

double plan_log_conversion(double alpha) {
  return (alpha - 1) * log1p(-1 / alpha) - log(alpha);
}

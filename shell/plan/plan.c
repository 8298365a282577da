#include "plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/ballot.h"
#include "plan/mechanism.h"

const struct plan_aim plan_usual_aim = {.silence = PLAN_SILENCE};

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

static int plan_target_count(const char *what, uint32_t count, uint32_t most) {
  return count >= 1 && count <= most ? EXIT_OK : error_report(EXIT_INPUT, "%s: must be 1 to %u", what, most);
}

int plan_target_silences(const struct plan_target *target) {
  return plan_target_count("silences", target->silences, FUMATA_SILENCES_MAX);
}

int plan_target_answers(const struct plan_target *target) {
  return plan_target_count("answers", target->answers, FUMATA_ANSWERS_MAX);
}

int plan_target_votes(const struct plan_target *target) {
  return plan_target_count("votes per record", target->votes, FUMATA_POLL_VOTES_MAX);
}

int plan_target_round_up(struct plan_target *target, double epsilon) {
  double ten = pow(10, floor(log10(epsilon)) - 2), digits = ceil(epsilon / ten);
  uint32_t num, den = 1;
  if (!(epsilon > 1e-5 && epsilon < 1000)) return -1;
  for (num = (uint32_t)digits; ten < 0.5; ten *= 10)
    den *= 10;
  for (; ten > 5; ten /= 10)
    num *= 10;
  while (den % 2 == 0 && num % 2 == 0)
    den /= 2, num /= 2;
  while (den % 5 == 0 && num % 5 == 0)
    den /= 5, num /= 5;
  target->epsilon_num = num;
  target->epsilon_den = den;
  return 0;
}

enum plan_mechanism plan_target_mechanism(const struct plan_target *target) {
  if (target->votes) return PLAN_MECHANISM_POLL;
  if (!target->answers) return PLAN_MECHANISM_METER;
  return target->silences ? PLAN_MECHANISM_BOTH : PLAN_MECHANISM_TOLL;
}

static void plan_votes_print(uint32_t votes, char text[PLAN_QUOTA_TEXT]) {
  snprintf(text, PLAN_QUOTA_TEXT, "%" PRIu32 " vote%s per record", votes, votes == 1 ? "" : "s");
}

int plan_refuse(const struct plan_target *target) {
  struct plan_budget budget = plan_budget(target);
  char limit[PLAN_QUOTA_TEXT];
  if (target->votes)
    plan_votes_print(target->votes, limit);
  else
    plan_quota_print((struct plan_quota){target->silences, target->answers}, limit);
  return error_report(EXIT_REFUSED, "no plan keeps epsilon %g, delta %g with %s", budget.epsilon, budget.delta, limit);
}

struct plan_budget plan_budget(const struct plan_target *target) {
  return (struct plan_budget){.epsilon = rational_value(target->epsilon_num, target->epsilon_den),
                              .delta = rational_value(target->delta_num, target->delta_den),
                              .silences = target->silences,
                              .answers = target->answers};
}

double plan_budget_moment(const struct plan_budget *budget, double alpha, double spent) {
  return log(budget->delta - spent) + (alpha - 1) * budget->epsilon - plan_log_conversion(alpha);
}

double plan_budget_least_alpha(const struct plan_budget *budget, double spent) {
  for (double least = 2; least < FUMATA_ALPHA_MAX; least = ceil(least * 1.01))
    if (plan_budget_moment(budget, least, spent) > 0) return least;
  return FUMATA_ALPHA_MAX;
}

double plan_budget_most_alpha(const struct plan_budget *budget) {
  double most = 1 + PLAN_EXPONENT_MAX / budget->epsilon;
  return most < FUMATA_ALPHA_MAX ? most : FUMATA_ALPHA_MAX;
}

fumata_claim plan_claim(const struct plan_target *target, uint32_t alpha) {
  return (fumata_claim){.epsilon_num = target->epsilon_num,
                        .epsilon_den = target->epsilon_den,
                        .delta_num = target->delta_num,
                        .delta_den = target->delta_den,
                        .alpha = alpha};
}

void plan_shrink(struct plan_box *box) {
  const uint32_t size[] = {box->meter.size, box->toll.size};
  for (int i = 0; i < 2; i++) {
    uint64_t *shrunk = size[i] ? realloc(box->memory[i], size[i] * sizeof *shrunk) : NULL;
    if (shrunk) box->memory[i] = shrunk;
  }
  box->meter.silence = box->memory[0];
  box->toll.named = box->memory[1];
}

void plan_free(struct plan_box *box) {
  free(box->memory[0]);
  free(box->memory[1]);
  memset(box, 0, sizeof *box);
}

const char *plan_mechanism_name(enum plan_mechanism mechanism) {
  return mechanism_of(mechanism)->name;
}

struct plan_quota plan_limit(const struct plan_box *box) {
  if (box->mechanism == PLAN_MECHANISM_POLL) return (struct plan_quota){0, 0};
  return (struct plan_quota){box->meter.limit + box->classic.limit, box->toll.limit};
}

uint32_t *plan_quota_of(struct plan_quota *quota, enum plan_kind kind) {
  return kind == PLAN_KIND_METER ? &quota->silences : &quota->answers;
}

const char *plan_quota_print(struct plan_quota quota, char text[PLAN_QUOTA_TEXT]) {
  if (!quota.answers)
    snprintf(text, PLAN_QUOTA_TEXT, "%" PRIu32 " silences", quota.silences);
  else if (!quota.silences)
    snprintf(text, PLAN_QUOTA_TEXT, "%" PRIu32 " answers", quota.answers);
  else
    snprintf(text, PLAN_QUOTA_TEXT, "%" PRIu32 " silences and %" PRIu32 " answers", quota.silences, quota.answers);
  return text;
}

uint32_t plan_votes(const struct plan_box *box) {
  return box->mechanism == PLAN_MECHANISM_POLL ? box->toll.limit : 0;
}

const char *plan_limit_print(const struct plan_box *box, char text[PLAN_QUOTA_TEXT]) {
  if (!plan_votes(box)) return plan_quota_print(plan_limit(box), text);
  plan_votes_print(plan_votes(box), text);
  return text;
}

void plan_terms(const struct plan_box *box, struct plan_terms *terms) {
  const struct mechanism *mechanism = mechanism_of(box->mechanism);
  const fumata_claim *claim = &box->claim;
  const struct plan_quota limit = plan_limit(box);
  const uint64_t numbers[] = {limit.silences,   claim->epsilon_num, claim->epsilon_den,
                              claim->delta_num, claim->delta_den,   claim->alpha,
                              claim->v};
  struct digest digest;
  *terms = (struct plan_terms){.mechanism = box->mechanism,
                               .limit = limit,
                               .epsilon = {claim->epsilon_num, claim->epsilon_den},
                               .delta = {claim->delta_num, claim->delta_den}};
  digest_init(&digest);
  digest_add_u64(&digest, mechanism->number);
  mechanism->digest_tables(box, &digest);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    digest_add_u64(&digest, numbers[i]);
  if (box->toll.limit) {
    digest_add_u64(&digest, box->toll.limit);
    digest_add_u64(&digest, claim->u);
  }
  digest_read(&digest, terms->digest);
}

int plan_for_teachers(const struct plan_box *box) {
  if (box->mechanism != PLAN_MECHANISM_POLL) return EXIT_OK;
  return error_report(EXIT_INPUT, "a poll plan does not answer votes of teachers: its voters are the private records");
}

fumata_status plan_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  return mechanism_of(box->mechanism)->certify(box, claim, fault);
}

double plan_miss(const struct plan_box *box, enum plan_kind kind, uint32_t distance) {
  double (*miss)(const struct plan_box *, uint32_t) = mechanism_of(box->mechanism)->miss[kind];
  return miss ? miss(box, distance) : 1; /* a plan that does not answer such queries */
}

double plan_silence(const struct plan_box *box, uint32_t distance) {
  return plan_miss(box, PLAN_KIND_METER, distance);
}

uint32_t plan_miss_distance(const struct plan_box *box, enum plan_kind kind, double miss) {
  uint32_t low = 0, high = FUMATA_TEACHERS_MAX;
  if (plan_miss(box, kind, high) > miss) return UINT32_MAX;
  if (plan_miss(box, kind, 0) <= miss) return 0;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (plan_miss(box, kind, middle) <= miss)
      high = middle;
    else
      low = middle;
  }
  return high;
}

uint32_t plan_distance(const struct plan_box *box, double silence) {
  return plan_miss_distance(box, PLAN_KIND_METER, silence);
}

uint32_t plan_vote_distance(uint32_t teachers, uint32_t agreeing) {
  uint32_t others = teachers - agreeing;
  return agreeing > others + 2 ? (agreeing - others - 1) / 2 : 0;
}

uint32_t plan_miss_teachers(const struct plan_box *box, enum plan_kind kind, double agreement, double miss) {
  uint32_t distance = plan_miss_distance(box, kind, miss), teachers, last = 0;
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

uint32_t plan_teachers(const struct plan_box *box, double agreement, double silence) {
  return plan_miss_teachers(box, PLAN_KIND_METER, agreement, silence);
}

double plan_log_conversion(double alpha) {
  return (alpha - 1) * log1p(-1 / alpha) - log(alpha);
}

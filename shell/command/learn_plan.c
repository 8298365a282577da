/* fumata learn: what is paid for before a teacher learns, in order: the count of units, the error estimate, the plan. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/learn.h"
#include "command/spread.h"
#include "ledger/ledger_sum.h"
#include "plan/plan_advise.h"
#include "plan/plan_count.h"
#include "plan/plan_rules.h"

const char *learn_plan_noun(const struct learn *learn) {
  return learn->training.request.unit ? "units" : "records";
}

uint64_t learn_plan_teaching(const struct learn *learn) {
  return learn->training.is_halved ? learn->about / 2 : learn->about;
}

/* ---- the count ---- */

static int learn_plan_order(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Units, each by its word; a record that is its own unit counts as one. */
static int learn_plan_units(const struct learn *learn, uint64_t *units) {
  const struct training *training = &learn->training;
  size_t count = training->surveyed ? (size_t)training->surveyed : training->rows.count;
  uint64_t *word;
  int code;
  *units = count;
  if (!training->request.unit) return EXIT_OK;
  code = memory_take(&word, count, sizeof *word);
  if (code) return code;
  memcpy(word, training->surveyed ? training->words : training->rows.unit, count * sizeof *word);
  qsort(word, count, sizeof *word, learn_plan_order);
  for (size_t i = 1; i < count; i++)
    *units -= word[i] == word[i - 1];
  free(word);
  return EXIT_OK;
}

/* x = part + rest, where part is one PLAN_COUNT_PART-th of x. */
static int learn_plan_part(struct rational x, struct rational *part, struct rational *rest) {
  struct rational zero = {0, 1}, one = {x.num, x.den}, most = {x.num, x.den};
  if (x.den > UINT64_MAX / PLAN_COUNT_PART || x.num > UINT64_MAX / (PLAN_COUNT_PART - 1)) return -1;
  one.den *= PLAN_COUNT_PART;
  most.num *= PLAN_COUNT_PART - 1;
  most.den *= PLAN_COUNT_PART;
  return ledger_sum_add(one, zero, part) || ledger_sum_add(most, zero, rest) ? -1 : 0;
}

/* The part of a budget that pays for the count, and what it leaves for the plan. */
static int learn_plan_share(const struct plan_target *all, struct plan_target *count, struct plan_target *plan) {
  struct rational epsilon[2], delta[2];
  if (learn_plan_part((struct rational){all->epsilon_num, all->epsilon_den}, &epsilon[0], &epsilon[1]) ||
      learn_plan_part((struct rational){all->delta_num, all->delta_den}, &delta[0], &delta[1]) ||
      epsilon[0].den > UINT32_MAX || epsilon[1].num > UINT32_MAX || epsilon[1].den > UINT32_MAX)
    return error_report(EXIT_REFUSED, "a part of this epsilon or delta does not fit its integers; use rounder numbers, "
                                      "or --teachers K or --about N");
  *count =
      (struct plan_target){(uint32_t)epsilon[0].num, (uint32_t)epsilon[0].den, delta[0].num, delta[0].den, 0, 0, 0};
  *plan = (struct plan_target){
      (uint32_t)epsilon[1].num, (uint32_t)epsilon[1].den, delta[1].num, delta[1].den, all->silences, all->answers, 0};
  return EXIT_OK;
}

/* What is counted, as the ledger keeps it. */
static int learn_plan_what(const struct learn *learn, char **what) {
  const char *unit = learn->training.request.unit;
  return unit ? memory_print(what, "units of %s", unit) : memory_print(what, "records");
}

/* Pays for the count, then draws it: the only thing that the planner learns of how many there are. */
static int learn_plan_draw(struct learn *learn, struct plan_count *count) {
  uint64_t units, coin;
  int64_t noisy;
  int code = learn_plan_units(learn, &units);
  if (!code) code = ledger_charge(&learn->session.ledger, "count of units", learn->count_epsilon, learn->count_delta);
  if (!code) code = coins_draw(&learn->training.coins, &coin);
  if (code) return code;
  if (fumata_count_release(&count->counter, units, coin, &noisy) != FUMATA_OK)
    return error_report(EXIT_REFUSED, "the count of units is not certified");
  learn->about = noisy > 1 ? (uint64_t)noisy : 1;
  learn->is_counted = 1;
  return EXIT_OK;
}

static int learn_plan_keep(struct learn *learn) {
  char *what;
  int code = learn_plan_what(learn, &what);
  if (code) return code;
  code = ledger_keep_count(&learn->session.ledger, what, learn->about);
  free(what);
  return code;
}

static void learn_plan_tell_count(const struct learn *learn) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  rational_print(learn->count_epsilon.num, learn->count_epsilon.den, epsilon);
  rational_print(learn->count_delta.num, learn->count_delta.den, delta);
  say_text("about %" PRIu64 " %s, counted with noise for epsilon %s and delta %s of the budget\n", learn->about,
           learn_plan_noun(learn), epsilon, delta);
}

static int learn_plan_count(struct learn *learn) {
  struct plan_target part, rest;
  struct plan_count count = {0};
  int code = learn_plan_share(&learn->training.target, &part, &rest);
  if (!code) code = plan_count_make(&part, 1, &count);
  if (code) return code;
  learn->count_epsilon = (struct rational){part.epsilon_num, part.epsilon_den};
  learn->count_delta = (struct rational){part.delta_num, part.delta_den};
  learn->training.target = rest;
  code = learn_plan_draw(learn, &count);
  plan_count_free(&count);
  if (!code) code = learn_plan_keep(learn);
  if (!code) learn_plan_tell_count(learn);
  return code;
}

/* A count that an earlier run paid for, and the same part of the budget for the plan: so a run that was cut short finds
 * its plan again and goes on. */
static int learn_plan_recall(struct learn *learn) {
  struct plan_target part, rest;
  char *what;
  int code = learn_plan_what(learn, &what);
  if (code) return code;
  learn->about = ledger_count(&learn->session.ledger, what);
  free(what);
  if (!learn->about) return EXIT_OK;
  code = learn_plan_share(&learn->training.target, &part, &rest);
  if (code) return code;
  learn->training.target = rest;
  learn->is_counted = 1;
  learn->count_epsilon = learn->count_delta = (struct rational){0, 1};
  say_text("about %" PRIu64 " %s, counted and paid for by an earlier run\n", learn->about, learn_plan_noun(learn));
  return EXIT_OK;
}

/* ---- the error estimate ---- */

/* Below, the noise drowns the estimate; above, it protects nothing. Its delta is 1 / DELTAS. */
#define LEARN_PLAN_ESTIMATE_MIN    0.01
#define LEARN_PLAN_ESTIMATE_MAX    20.0
#define LEARN_PLAN_ESTIMATE_DELTAS UINT64_C(1000000000000)

/* The noise of the estimate, at the epsilon that was asked for. */
static int learn_plan_noise(struct learn *learn) {
  struct rational epsilon = learn->estimate;
  double value = rational_value(epsilon.num, epsilon.den);
  struct plan_target target = {.delta_num = 1, .delta_den = LEARN_PLAN_ESTIMATE_DELTAS, .silences = 1};
  if (value < LEARN_PLAN_ESTIMATE_MIN || value > LEARN_PLAN_ESTIMATE_MAX || epsilon.den > UINT32_MAX)
    return error_report(EXIT_INPUT, "--estimate-error: an epsilon from %g to %g with at most nine digits is expected",
                        LEARN_PLAN_ESTIMATE_MIN, LEARN_PLAN_ESTIMATE_MAX);
  target.epsilon_num = (uint32_t)epsilon.num;
  target.epsilon_den = (uint32_t)epsilon.den;
  learn->estimate_delta = (struct rational){1, LEARN_PLAN_ESTIMATE_DELTAS};
  return plan_count_make(&target, ERROR_ESTIMATE_PARTS, &learn->noise);
}

/* At least one silence must be worth its price, whatever the estimate says. */
static int learn_plan_check_estimate(const struct training *training) {
  struct plan_target target = training->target;
  struct plan_box box = {0};
  int code;
  target.silences = 1;
  if (training->anyway) return EXIT_OK;
  code = plan_meter_make(&target, NULL, &box);
  if (!code) code = plan_advise_enough(&box, training->teachers);
  plan_free(&box);
  return code;
}

/* Teachers for the estimate, if their number is open; T stays open. */
static int learn_plan_size_estimate(struct learn *learn) {
  struct training *training = &learn->training;
  int code;
  if (training->teachers) return learn_plan_check_estimate(training);
  learn->mechanism = PLAN_MECHANISM_METER;
  code = learn_size(learn, learn->about / 2);
  training->target.silences = 0;
  return code;
}

/* Remark 1: pays for the estimate and makes it on the half that does not teach; T will be set by it. */
static int learn_plan_estimate(struct learn *learn) {
  struct training *training = &learn->training;
  char text[RATIONAL_TEXT];
  uint32_t chunks, sum;
  int code = learn_plan_size_estimate(learn);
  chunks = training->teachers / 2 ? training->teachers / 2 : 1;
  if (!code) code = spread_check_chunks(chunks, "chunks of the error estimate");
  if (!code) code = ledger_charge(&learn->session.ledger, "error estimate", learn->estimate, learn->estimate_delta);
  if (!code) code = training_examine(training, chunks, &sum);
  if (!code) code = error_estimate_release(sum, chunks, &learn->noise.counter, &training->coins, &learn->estimated);
  if (code) return code;
  rational_print(learn->estimate.num, learn->estimate.den, text);
  say_text("error rate of a teacher, estimated on half of the private records for epsilon %s more: %.1f %%\n", text,
           100 * learn->estimated);
  learn->error_rate = learn->estimated;
  return EXIT_OK;
}

/* ---- the plan ---- */

/* A plan that waits for something paid: all that the run may cost must fit under the ledger's total first. */
static int learn_plan_allow(struct learn *learn) {
  const struct training *training = &learn->training;
  const struct plan_target *target = &training->target;
  struct rational epsilon = {target->epsilon_num, target->epsilon_den}, delta = {target->delta_num, target->delta_den};
  if (ledger_sum_add(epsilon, learn->estimate, &epsilon) || ledger_sum_add(delta, learn->estimate_delta, &delta))
    return error_report(EXIT_REFUSED, "epsilons or deltas without a sum that fits 64 bits; use rounder numbers");
  return ledger_allow(&learn->session.ledger, epsilon, delta, training->raise_total);
}

/* What the planner needs to know and the operator did not say, paid for: the count of units, the error rate. */
static int learn_plan_pay(struct learn *learn, int is_counting) {
  int code = learn->estimate.den ? learn_plan_noise(learn) : EXIT_OK;
  if (!code) code = learn_plan_allow(learn);
  if (!code && is_counting) code = learn_plan_count(learn);
  if (!code && learn->estimate.den) code = learn_plan_estimate(learn);
  return code;
}

static int learn_plan_allow_alone(struct learn *learn) {
  const struct training *training = &learn->training;
  struct plan_terms terms;
  plan_terms(&training->plan, &terms);
  return ledger_allow_plan(&learn->session.ledger, &terms, training->session.again, training->raise_total);
}

int learn_plan(struct learn *learn) {
  struct training *training = &learn->training;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], quota[PLAN_QUOTA_TEXT];
  int is_open = !training->plan_path && !training->teachers && !learn->about;
  int code = is_open ? learn_plan_recall(learn) : EXIT_OK;
  int is_counting = is_open && !learn->about, is_paid = is_counting || learn->estimate.den;
  if (!code && is_paid) code = learn_plan_pay(learn, is_counting);
  if (code) return code;
  if (learn->error_rate > 0 || learn->estimate.den)
    training->target.silences = plan_rules_error_rate(learn->error_rate, learn->queries.count);
  if (learn->estimate.den && !training->anyway)
    code =
        plan_advise_most(&training->target, training->teachers, training->target.silences, &training->target.silences);
  if (!code) code = learn_size(learn, learn_plan_teaching(learn));
  if (!code) code = learn_size_plan(learn);
  if (!code && !is_paid) code = learn_plan_allow_alone(learn);
  if (code) return code;
  learn_size_student(learn);
  rational_print(training->plan.claim.epsilon_num, training->plan.claim.epsilon_den, epsilon);
  rational_print(training->plan.claim.delta_num, training->plan.claim.delta_den, delta);
  say_text("plan: epsilon %s and delta %s pay for %s; the core certifies it\n", epsilon, delta,
           plan_quota_print(plan_limit(&training->plan), quota));
  return EXIT_OK;
}

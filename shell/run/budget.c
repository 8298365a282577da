#include "run/budget.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/say.h"
#include "data/identity.h"
#include "gate/count.h"
#include "gate/ledger_lock.h"
#include "gate/ledger_sum.h"
#include "gate/poll_session.h"
#include "gate/registry.h"
#include "learn/error_estimate.h"
#include "plan/mechanism.h"
#include "plan/plan_advise.h"
#include "plan/plan_file.h"
#include "plan/plan_meter.h"
#include "plan/plan_rules.h"
#include "plan/policy.h"
#include "run/questions.h"

void budget_init(struct budget *budget) {
  memset(budget, 0, sizeof *budget);
  budget->mechanism = budget->way = BUDGET_OPEN;
}

void budget_free(struct budget *budget) {
  plan_free(&budget->plan);
  plan_count_free(&budget->noise);
  free(budget->ledger);
  free(budget->other);
}

/* Epsilon and delta of the target, with those of the estimate. -1: their sum does not fit. */
static int budget_sum(const struct budget *budget, struct rational *epsilon, struct rational *delta) {
  const struct plan_target *target = &budget->target;
  *epsilon = (struct rational){target->epsilon_num, target->epsilon_den};
  *delta = (struct rational){target->delta_num, target->delta_den};
  return ledger_sum_add(*epsilon, budget->estimate, epsilon) || ledger_sum_add(*delta, budget->estimate_delta, delta);
}

int budget_check(const struct budget *budget) {
  struct rational epsilon, delta;
  if (budget->anyway || budget->plan_path) return EXIT_OK;
  if (budget_sum(budget, &epsilon, &delta))
    return error_report(EXIT_INPUT, "epsilons without a sum that fits 64 bits; use rounder numbers");
  return plan_advise_budget(NULL, epsilon, delta);
}

/* The ledger lies beside the rows, or, if only the labels are private, beside the labels. Two ledgers would pay for the
 * same labels twice. */
static int budget_choose_ledger(struct budget *budget, const char *labels) {
  struct stat one, two;
  int has_one, has_two, code = ledger_beside(labels, &budget->other);
  if (code) return code;
  has_one = stat(budget->ledger, &one) == 0;
  has_two = stat(budget->other, &two) == 0;
  if (has_one && has_two && (one.st_ino != two.st_ino || one.st_dev != two.st_dev))
    return error_report(EXIT_REFUSED, "%s and %s: rows and labels have a ledger each; say --ledger FILE",
                        budget->ledger, budget->other);
  if (!has_one && has_two) {
    char *first = budget->ledger;
    budget->ledger = budget->other;
    budget->other = first;
  }
  return EXIT_OK;
}

int budget_find_ledger(struct budget *budget, const char *path) {
  char *file, *labels = NULL;
  int code;
  if (budget->session.ledger_path || !path) return EXIT_OK;
  code = identity_file(path, &file);
  if (!code) code = ledger_beside(file, &budget->ledger);
  if (!code) code = identity_labels(path, &labels);
  if (!code && labels) code = budget_choose_ledger(budget, labels);
  free(file);
  free(labels);
  budget->session.ledger_path = budget->ledger;
  return code;
}

int budget_link(const struct budget *budget) {
  char *real;
  int failed;
  if (!budget->other) return EXIT_OK;
  real = realpath(budget->ledger, NULL);
  if (!real) return memory_short();
  failed = symlink(real, budget->other) != 0 && errno != EEXIST;
  free(real);
  if (!failed) return EXIT_OK;
  return error_report(EXIT_SYSTEM, "%s: cannot make a link to the ledger: %s", budget->other, strerror(errno));
}

/* Says where else this file may have spent: in the ledger beside it, or, for the same bytes, in one that the user's
 * registry has. */
static void budget_notice(const struct budget *budget, const char *file, const struct ledger *ledger) {
  char *beside = NULL;
  struct stat about;
  if (stat(file, &about) != 0 || !S_ISREG(about.st_mode)) return;
  if (!budget->ledger && memory_print(&beside, "%s.ledger", file) == EXIT_OK && access(beside, F_OK) == 0 &&
      !output_is_same(beside, ledger->path))
    error_note("%s: the private file has a ledger of its own, %s: what was spent there is not counted here",
               ledger->path, beside);
  else
    registry_note(file, ledger->path);
  free(beside);
}

int budget_open(const struct budget *budget, const char *path, struct session *session, struct coins *coins) {
  char *file = NULL, *labels = NULL;
  int code = session_open(session, &budget->session, coins);
  if (code || !path) return code;
  code = identity_file(path, &file);
  if (!code) code = identity_labels(path, &labels);
  if (!code) code = ledger_tie_file(&session->ledger, file, budget->same_data_set);
  if (!code && labels) code = ledger_tie_file(&session->ledger, labels, budget->same_data_set);
  if (!code && strcmp(file, "-") != 0) budget_notice(budget, file, &session->ledger);
  free(file);
  free(labels);
  return code;
}

int budget_apart(const struct budget *budget, const char *path) {
  int code = EXIT_OK;
  for (const char *const *ending = ledger_lock_endings; !code && budget->session.ledger_path && *ending; ending++) {
    char *beside;
    code = memory_print(&beside, "%s%s", budget->session.ledger_path, *ending);
    if (!code && output_is_same(path, beside))
      code = error_report(EXIT_INPUT, "%s: the ledger %s keeps a file by this name", path, budget->session.ledger_path);
    free(beside);
  }
  return code;
}

static int budget_read_plan(struct budget *budget) {
  struct plan_terms terms;
  fumata_fault fault;
  int code = plan_file_read(budget->plan_path, &budget->plan);
  if (!code && !budget->is_poll) code = plan_for_teachers(&budget->plan);
  if (!code && budget->is_poll && budget->plan.mechanism != PLAN_MECHANISM_POLL)
    code = error_report(EXIT_INPUT, "%s: not the plan of a poll; say --voters teachers", budget->plan_path);
  if (code) return code;
  if (plan_certify(&budget->plan, &budget->plan.claim, &fault) != FUMATA_OK)
    return error_report(EXIT_REFUSED, "%s: the core does not certify this plan; fumata certify says why",
                        budget->plan_path);
  plan_terms(&budget->plan, &terms);
  return budget->anyway ? EXIT_OK : plan_advise_budget(budget->plan_path, terms.epsilon, terms.delta);
}

int budget_plan(struct budget *budget, uint32_t teachers) {
  const struct plan_target *target = &budget->target;
  int code = budget->plan_path ? budget_read_plan(budget)
                               : mechanism_of(plan_target_mechanism(target))->make(target, NULL, &budget->plan);
  if (code || !teachers || budget->anyway) return code;
  return plan_advise_enough(&budget->plan, teachers);
}

/* ---- the size of a run ---- */

const char *budget_noun(const struct teachers *teachers) {
  return teachers->request.unit ? "units" : "records";
}

uint64_t budget_teaching(const struct budget *budget, const struct teachers *teachers) {
  return teachers->is_halved ? budget->about / 2 : budget->about;
}

/* Which kinds of query are paid for. */
static enum plan_mechanism budget_mechanism(const struct budget *budget, uint32_t classes) {
  const struct plan_target *target = &budget->target;
  if (budget->mechanism != BUDGET_OPEN) return (enum plan_mechanism)budget->mechanism;
  if (target->silences || target->answers || budget->constants != PLAN_CONSTANTS_OURS)
    return plan_constants_mechanism((enum plan_constants)budget->constants, target);
  if (budget->way == ASKING_RANDOM) return PLAN_MECHANISM_METER;
  if (budget->way == ASKING_COMBINED) return PLAN_MECHANISM_BOTH;
  return plan_advise_mechanism(classes);
}

/* Refuses options about the budget that exclude each other. */
static int budget_check_kinds(const struct budget *budget, enum plan_mechanism mechanism) {
  const struct plan_target *target = &budget->target;
  const char *name = plan_mechanism_name(mechanism);
  int has_toll = mechanism == PLAN_MECHANISM_TOLL || mechanism == PLAN_MECHANISM_BOTH;
  if (target->silences && mechanism == PLAN_MECHANISM_TOLL)
    return error_report(EXIT_INPUT, "--silences: a %s plan does not have them; leave it out", name);
  if (target->answers && !has_toll)
    return error_report(EXIT_INPUT, "--answers: a %s plan does not have them; leave it out", name);
  if (budget->way != BUDGET_OPEN && budget->way != ASKING_RANDOM && !has_toll)
    return error_report(EXIT_INPUT, "--ask %s: a %s plan has no answers to ask for",
                        asking_name((enum asking_way)budget->way), name);
  if (budget->way == ASKING_COMBINED && mechanism != PLAN_MECHANISM_BOTH)
    return error_report(EXIT_INPUT, "--ask combined: a %s plan has no silences", name);
  return plan_constants_check((enum plan_constants)budget->constants, mechanism);
}

/* Settles the mechanism, and teachers, silences and answers where they are open. *is_bold: the number of silences beside
 * answers was advised, and may be too large. */
static int budget_advise(struct budget *budget, struct teachers *teachers, uint64_t units, uint64_t queries,
                         int *is_bold) {
  struct plan_setting setting = {.units = units,
                                 .queries = queries,
                                 .classes = teachers->learner.classes,
                                 .constants = (enum plan_constants)budget->constants};
  int code;
  *is_bold = 0;
  if (budget->plan_path) return teachers->count ? EXIT_OK : error_report(EXIT_INPUT, "--plan also needs --teachers K");
  setting.mechanism = budget_mechanism(budget, setting.classes);
  *is_bold = setting.mechanism == PLAN_MECHANISM_BOTH && !budget->target.silences;
  code = budget_check_kinds(budget, setting.mechanism);
  if (!code) code = plan_advise(&budget->target, &setting, &teachers->count);
  budget->mechanism = (int)setting.mechanism;
  return code;
}

/* Refuses a plan with which even a unanimous vote is not answered. */
static int budget_enough_voters(struct budget *budget, const struct teachers *teachers) {
  uint32_t voters = budget->rule.voters;
  double miss = plan_miss(&budget->plan, PLAN_KIND_POLL, voters);
  if (miss <= PLAN_UNANIMOUS_LOSER) return EXIT_OK;
  plan_free(&budget->plan);
  return error_report(EXIT_REFUSED,
                      "too few private %s for this epsilon: when all %u that are asked agree, the answer is wrong in "
                      "%.0f %%; --anyway if you insist",
                      budget_noun(teachers), voters, 100 * miss);
}

/* The rule of the poll, and the plan that pays for as many votes of each unit as that rule takes. */
static int budget_size_poll(struct budget *budget, const struct teachers *teachers, uint64_t units, uint64_t queries) {
  struct polling_facts facts = {.units = units, .pool = (size_t)queries, .classes = teachers->learner.classes};
  struct plan_budget limits;
  const fumata_claim *claim = &budget->plan.claim;
  int code = budget->plan_path ? budget_read_plan(budget) : EXIT_OK;
  if (code) return code;
  if (!units)
    return error_report(EXIT_INPUT, "--plan of a poll also needs --about N: roughly how many private %s there are",
                        budget_noun(teachers));
  limits = plan_budget(&budget->target);
  if (budget->plan_path)
    limits = (struct plan_budget){.epsilon = rational_value(claim->epsilon_num, claim->epsilon_den),
                                  .delta = rational_value(claim->delta_num, claim->delta_den)};
  facts.epsilon = limits.epsilon;
  facts.delta = limits.delta;
  polling_rule_make(&budget->rule, &facts);
  if (budget->plan_path) {
    budget->rule.noise *= sqrt((double)plan_votes(&budget->plan) / budget->rule.votes);
    budget->rule.votes = plan_votes(&budget->plan);
  } else {
    budget->mechanism = PLAN_MECHANISM_POLL;
    budget->target.votes = budget->rule.votes;
    code = mechanism_of(PLAN_MECHANISM_POLL)->make(&budget->target, NULL, &budget->plan);
  }
  return code || budget->anyway ? code : budget_enough_voters(budget, teachers);
}

int budget_size(struct budget *budget, struct teachers *teachers, uint64_t units, uint64_t queries) {
  struct plan_target *target = &budget->target;
  int is_bold, code;
  if (budget->is_poll) return budget_size_poll(budget, teachers, units, queries);
  code = budget_advise(budget, teachers, units, queries, &is_bold);
  if (code || budget->plan_path) return code ? code : budget_plan(budget, teachers->count);
  code = plan_constants_make((enum plan_constants)budget->constants, (enum plan_mechanism)budget->mechanism, target,
                             queries, &budget->plan);
  /* Only the plan shows how the two kinds share a budget. If the advice was too bold, so that even a unanimous vote is met
   * with silence more often than not, it is taken back. */
  while (!code && is_bold && target->silences > 1 &&
         plan_silence(&budget->plan, plan_vote_distance(teachers->count, teachers->count)) > PLAN_UNANIMOUS) {
    target->silences /= 2;
    plan_free(&budget->plan);
    code = plan_constants_make((enum plan_constants)budget->constants, (enum plan_mechanism)budget->mechanism, target,
                               queries, &budget->plan);
  }
  return code || budget->anyway ? code : plan_advise_enough(&budget->plan, teachers->count);
}

/* ---- the count ---- */

/* Splits off the part of a budget that pays for the count; the plan gets the rest. */
static int budget_share(const struct plan_target *all, struct plan_target *count, struct plan_target *plan) {
  struct rational whole_epsilon = {all->epsilon_num, all->epsilon_den}, whole_delta = {all->delta_num, all->delta_den};
  struct rational epsilon[2], delta[2];
  if (ledger_sum_split(whole_epsilon, PLAN_COUNT_PART, &epsilon[0], &epsilon[1]) ||
      ledger_sum_split(whole_delta, PLAN_COUNT_PART, &delta[0], &delta[1]) || epsilon[0].den > UINT32_MAX ||
      epsilon[1].num > UINT32_MAX || epsilon[1].den > UINT32_MAX)
    return error_report(EXIT_REFUSED, "a part of this epsilon or delta does not fit its integers; use rounder numbers, "
                                      "or --teachers K or --about N");
  *count = (struct plan_target){.epsilon_num = (uint32_t)epsilon[0].num,
                                .epsilon_den = (uint32_t)epsilon[0].den,
                                .delta_num = delta[0].num,
                                .delta_den = delta[0].den};
  *plan = *all;
  plan->epsilon_num = (uint32_t)epsilon[1].num;
  plan->epsilon_den = (uint32_t)epsilon[1].den;
  plan->delta_num = delta[1].num;
  plan->delta_den = delta[1].den;
  return EXIT_OK;
}

static const char budget_count_name[] = "count of units", budget_estimate_name[] = "estimate of the error";

/* Names what is counted, as the ledger keeps it; to be freed. */
static int budget_what(const struct teachers *teachers, char **what) {
  const char *unit = teachers->request.unit;
  char *range;
  int code = identity_range(teachers->path, &range);
  *what = NULL;
  if (!code) code = unit ? memory_print(what, "units of %s%s", unit, range) : memory_print(what, "records%s", range);
  free(range);
  return code;
}

/* Finds the noise of the count and its part of the budget; the plan gets the rest. */
static int budget_prepare_count(struct budget *budget, struct plan_count *noise) {
  struct plan_target part, rest;
  int code = budget_share(&budget->target, &part, &rest);
  if (!code) code = plan_count_make(&part, 1, noise);
  if (code) return code;
  budget->count_epsilon = (struct rational){part.epsilon_num, part.epsilon_den};
  budget->count_delta = (struct rational){part.delta_num, part.delta_den};
  budget->target = rest;
  return EXIT_OK;
}

/* Pays for the count, draws it and keeps it: the planner learns nothing else of the number of units. */
static int budget_count(struct budget *budget, const struct plan_count *noise, const struct teachers *teachers,
                        struct session *session, struct coins *coins) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], *what = NULL;
  struct count count = {0};
  uint64_t units;
  int code = teachers_units(teachers, &units);
  if (!code) code = budget_what(teachers, &what);
  if (!code) code = count_pay(&count, noise, &session->ledger, budget_count_name);
  if (!code) code = count_release(&count, coins, budget_count_name, what, units, &budget->about);
  free(what);
  if (code) return code;
  budget->is_counted = 1;
  say_text("about %" PRIu64 " %s, counted with noise for epsilon %s and delta %s of the budget\n", budget->about,
           budget_noun(teachers), rational_text(budget->count_epsilon, "0", epsilon),
           rational_text(budget->count_delta, "0", delta));
  return EXIT_OK;
}

/* Finds a count that an earlier run paid for, and gives the plan the same part of the budget: so a run that was cut short
 * finds its plan again and goes on. */
static int budget_recall(struct budget *budget, const struct teachers *teachers, const struct session *session) {
  struct plan_target part, rest;
  char *what;
  int code = budget_what(teachers, &what);
  if (code) return code;
  budget->about = ledger_count(&session->ledger, what);
  free(what);
  if (!budget->about) return EXIT_OK;
  code = budget_share(&budget->target, &part, &rest);
  if (code) return code;
  budget->target = rest;
  budget->is_counted = 1;
  budget->count_epsilon = budget->count_delta = (struct rational){0, 1};
  say_text("about %" PRIu64 " %s, counted and paid for by an earlier run\n", budget->about, budget_noun(teachers));
  return EXIT_OK;
}

/* ---- the error estimate ---- */

/* Below, the noise drowns the estimate; above, it protects nothing. Its delta is 1 / DELTAS. */
#define BUDGET_ESTIMATE_MIN    0.01
#define BUDGET_ESTIMATE_MAX    20.0
#define BUDGET_ESTIMATE_DELTAS UINT64_C(1000000000000)

/* The noise of the estimate, at the requested epsilon. */
static int budget_noise(struct budget *budget) {
  struct rational epsilon = budget->estimate;
  double value = rational_value(epsilon.num, epsilon.den);
  struct plan_target target = {.delta_num = 1, .delta_den = BUDGET_ESTIMATE_DELTAS, .silences = 1};
  if (value < BUDGET_ESTIMATE_MIN || value > BUDGET_ESTIMATE_MAX || epsilon.num > UINT32_MAX ||
      epsilon.den > UINT32_MAX)
    return error_report(EXIT_INPUT, "--estimate-error: an epsilon from %g to %g with at most nine digits is expected",
                        BUDGET_ESTIMATE_MIN, BUDGET_ESTIMATE_MAX);
  target.epsilon_num = (uint32_t)epsilon.num;
  target.epsilon_den = (uint32_t)epsilon.den;
  budget->estimate_delta = (struct rational){1, BUDGET_ESTIMATE_DELTAS};
  return plan_count_make(&target, ERROR_ESTIMATE_PARTS, &budget->noise);
}

/* Chooses teachers for the estimate, if their number is open; T stays open. At least one silence must be worth its price,
 * whatever the result of the estimate. */
static int budget_size_estimate(struct budget *budget, struct teachers *teachers, uint64_t queries) {
  struct plan_target target = budget->target;
  struct plan_box box = {0};
  int is_bold, code;
  if (!teachers->count) {
    budget->mechanism = PLAN_MECHANISM_METER;
    code = budget_advise(budget, teachers, budget->about / 2, queries, &is_bold);
    budget->target.silences = 0;
    return code;
  }
  if (budget->anyway) return EXIT_OK;
  target.silences = 1;
  code = plan_meter_make(&target, NULL, &box);
  if (!code) code = plan_advise_enough(&box, teachers->count);
  plan_free(&box);
  return code;
}

struct budget_estimating {
  uint32_t chunks;
  char *what;     /* as the ledger keeps it; to be freed */
  uint64_t noisy; /* 0: not known */
};

/* Names what is estimated. A digest, since learners may be programs with long names. */
static int budget_estimate_what(const struct budget *budget, const struct teachers *teachers,
                                const struct session *session, uint32_t chunks, char **what) {
  struct questions questions;
  uint8_t value[DIGEST_SIZE];
  char text[DIGEST_TEXT], *counted;
  int code = budget_what(teachers, &counted);
  *what = NULL;
  if (code) return code;
  questions_begin(&questions, &session->ledger, budget_estimate_name);
  questions_add_text(&questions, counted);
  questions_add_text(&questions, teachers->learner_text);
  questions_add_number(&questions, chunks);
  questions_add_number(&questions, budget->estimate.num);
  questions_add_number(&questions, budget->estimate.den);
  code = questions_add_file(&questions, teachers->request.public_path);
  digest_read(&questions.digest, value);
  digest_print(value, text);
  if (!code) code = memory_print(what, "wrong parts of %" PRIu32 " chunks, %.16s", chunks, text);
  questions_free(&questions);
  free(counted);
  return code;
}

/* Settles the number of teachers of the estimate, and finds an estimate that an earlier run paid for. */
static int budget_find_estimate(struct budget *budget, struct teachers *teachers, uint64_t queries,
                                const struct session *session, struct budget_estimating *about) {
  int code = budget_size_estimate(budget, teachers, queries);
  about->chunks = teachers->count / 2 ? teachers->count / 2 : 1;
  if (!code) code = spread_check(about->chunks, "chunks of the error estimate");
  if (!code) code = budget_estimate_what(budget, teachers, session, about->chunks, &about->what);
  about->noisy = code ? 0 : ledger_count(&session->ledger, about->what);
  if (!about->noisy) return code;
  budget->estimate = budget->estimate_delta = (struct rational){0, 1};
  budget->error_rate = budget->estimated = error_estimate_rate((int64_t)about->noisy, about->chunks);
  say_text("error rate of a teacher, estimated and paid for by an earlier run: %.1f %%\n", 100 * budget->estimated);
  return EXIT_OK;
}

/* Remark 1: makes the estimate on the half that does not teach; T will be set by it. It is paid for before anything of it
 * is released. */
static int budget_estimate(struct budget *budget, struct teachers *teachers, struct budget_estimating *about,
                           struct session *session, struct coins *coins) {
  struct count count = {0};
  char text[RATIONAL_TEXT];
  uint32_t sum = 0;
  int code = teachers_examine(teachers, about->chunks, &sum);
  if (!code) code = count_pay(&count, &budget->noise, &session->ledger, budget_estimate_name);
  if (!code) code = count_release(&count, coins, budget_estimate_name, about->what, sum, &about->noisy);
  if (code) return code;
  budget->error_rate = budget->estimated = error_estimate_rate((int64_t)about->noisy, about->chunks);
  say_text("error rate of a teacher, estimated on half of the private records for epsilon %s more: %.1f %%\n",
           rational_text(budget->estimate, "0", text), 100 * budget->estimated);
  return EXIT_OK;
}

/* ---- the plan ---- */

/* All further costs of the run must fit under the ledger's total, before any of it is paid. */
static int budget_allow(const struct budget *budget, const struct plan_count *counting, struct session *session) {
  struct rational epsilon = {budget->target.epsilon_num, budget->target.epsilon_den};
  struct rational delta = {budget->target.delta_num, budget->target.delta_den};
  int is_short = 0;
  if (counting && !count_is_paid(counting, &session->ledger, budget_count_name))
    is_short =
        ledger_sum_add(epsilon, budget->count_epsilon, &epsilon) || ledger_sum_add(delta, budget->count_delta, &delta);
  if (!is_short && budget->estimate.den && !count_is_paid(&budget->noise, &session->ledger, budget_estimate_name))
    is_short =
        ledger_sum_add(epsilon, budget->estimate, &epsilon) || ledger_sum_add(delta, budget->estimate_delta, &delta);
  if (is_short)
    return error_report(EXIT_REFUSED, "epsilons or deltas without a sum that fits 64 bits; use rounder numbers");
  return ledger_allow(&session->ledger, epsilon, delta, budget->raise_total);
}

/* Pays for what the planner needs to know and the operator did not give: the count of units, the error rate. *is_paid
 * becomes 0 if an earlier run has paid for all of it. */
static int budget_pay(struct budget *budget, struct teachers *teachers, uint64_t queries, struct session *session,
                      struct coins *coins, int is_counting, int *is_paid) {
  struct budget_estimating about = {0};
  struct plan_count noise = {0};
  int estimates = budget->estimate.den != 0, code = estimates ? budget_noise(budget) : EXIT_OK;
  if (!code && is_counting) code = budget_prepare_count(budget, &noise);
  if (!code && is_counting && budget->is_poll && budget->session.again != LEDGER_AGAIN)
    code = poll_session_foresee(&session->ledger,
                                (struct rational){budget->target.epsilon_num, budget->target.epsilon_den},
                                (struct rational){budget->target.delta_num, budget->target.delta_den}, budget->data);
  if (!code && !is_counting) code = budget_find_estimate(budget, teachers, queries, session, &about);
  *is_paid = !about.noisy;
  if (!code && *is_paid) code = budget_allow(budget, is_counting ? &noise : NULL, session);
  if (!code && is_counting) code = budget_count(budget, &noise, teachers, session, coins);
  if (!code && is_counting && estimates) code = budget_find_estimate(budget, teachers, queries, session, &about);
  if (!code && estimates && !about.noisy) code = budget_estimate(budget, teachers, &about, session, coins);
  plan_count_free(&noise);
  free(about.what);
  return code;
}

int budget_settle(struct budget *budget, struct teachers *teachers, uint64_t queries, struct session *session,
                  struct coins *coins) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], quota[PLAN_QUOTA_TEXT];
  struct plan_target *target = &budget->target;
  struct plan_terms terms;
  struct plan_quota limit;
  int is_open = !budget->plan_path && !teachers->count && !budget->about;
  int code = is_open ? budget_recall(budget, teachers, session) : EXIT_OK;
  int is_counting = is_open && !budget->about, is_paid = is_counting || budget->estimate.den;
  if (!code && is_paid) code = budget_pay(budget, teachers, queries, session, coins, is_counting, &is_paid);
  if (code) return code;
  if (budget->error_rate > 0 || budget->estimate.den)
    target->silences = plan_rules_error_rate(budget->error_rate, queries);
  if (budget->estimate.den && !budget->anyway)
    code = plan_advise_most(target, teachers->count, target->silences, &target->silences);
  if (!code) code = budget_size(budget, teachers, budget_teaching(budget, teachers), queries);
  if (code) return code;
  plan_terms(&budget->plan, &terms);
  if (!is_paid) code = ledger_allow_plan(&session->ledger, &terms, budget->session.again, budget->raise_total);
  if (code) return code;
  limit = plan_limit(&budget->plan);
  if (budget->way == BUDGET_OPEN && !budget->is_poll)
    budget->way = !limit.answers ? ASKING_RANDOM : limit.silences ? ASKING_COMBINED : ASKING_MARGIN;
  rational_print(budget->plan.claim.epsilon_num, budget->plan.claim.epsilon_den, epsilon);
  rational_print(budget->plan.claim.delta_num, budget->plan.claim.delta_den, delta);
  say_text("plan: epsilon %s and delta %s pay for %s; the core certifies it\n", epsilon, delta,
           plan_limit_print(&budget->plan, quota));
  return EXIT_OK;
}

void budget_total(const struct budget *budget, struct rational *epsilon, struct rational *delta) {
  const fumata_claim *claim = &budget->plan.claim;
  *epsilon = (struct rational){claim->epsilon_num, claim->epsilon_den};
  *delta = (struct rational){claim->delta_num, claim->delta_den};
  /* The ledger has added these numbers before, so they have a sum. */
  ledger_sum_add(*epsilon, budget->count_epsilon, epsilon);
  ledger_sum_add(*delta, budget->count_delta, delta);
  ledger_sum_add(*epsilon, budget->estimate, epsilon);
  ledger_sum_add(*delta, budget->estimate_delta, delta);
}

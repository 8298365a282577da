#include "plan/plan_advise.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "core/ballot.h"
#include "plan/plan_meter.h"
#include "plan/plan_solve.h"
#include "plan/plan_toll.h"

/* ---- silences alone: easy queries in random order ---- */

/* The largest T up to `most`, to two percent, for which `teachers` are enough to answer a vote worth answering; 0 if there
 * is none. *need: as many as it takes. Without a certificate, and therefore quickly. */
static uint32_t plan_advise_silences(const struct plan_target *target, uint32_t most, double teachers, uint32_t *need) {
  struct plan_target now = *target;
  uint32_t low = 0, high = most;
  for (now.silences = most; now.silences;) {
    double distance = plan_meter_reach(&now, PLAN_SILENCE);
    double count = isfinite(distance) ? ceil((2 * ceil(distance) + 1) / (2 * PLAN_AGREEMENT - 1)) : HUGE_VAL;
    if (count <= teachers) {
      low = now.silences;
      *need = (uint32_t)count;
    } else
      high = now.silences;
    if (high <= low + 1 || (double)(high - low) < 0.02 * low) break;
    now.silences = low + (high - low) / 2;
  }
  return low;
}

static double plan_advise_most_teachers(uint64_t units, uint32_t smallest) {
  double most = (double)(units / smallest);
  return most < FUMATA_TEACHERS_MAX ? most : FUMATA_TEACHERS_MAX;
}

/* Teachers and silences are open. Where well taught teachers are too few for one silence, more of them learn from less. */
static int plan_advise_meter_both(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  double wanted = ceil(PLAN_HARD_MARGIN * PLAN_HARD * (double)setting->queries) + PLAN_SPARE;
  uint32_t most = wanted < FUMATA_SILENCES_MAX ? (uint32_t)wanted : FUMATA_SILENCES_MAX;
  uint32_t found =
      plan_advise_silences(target, most, plan_advise_most_teachers(setting->units, PLAN_RECORDS), teachers);
  if (!found)
    found = plan_advise_silences(target, most, plan_advise_most_teachers(setting->units, PLAN_LEARN_UNITS), teachers);
  target->silences = found;
  if (found) return EXIT_OK;
  return error_report(EXIT_REFUSED,
                      "about %llu units are too few for this epsilon: no teachers of %u of them can pay for a silence",
                      (unsigned long long)setting->units, PLAN_LEARN_UNITS);
}

static int plan_advise_meter_teachers(const struct plan_target *target, uint64_t units, uint32_t *teachers) {
  struct plan_box box = {0};
  int code = plan_meter_make(target, NULL, &box);
  if (code) return code;
  *teachers = plan_teachers(&box, PLAN_AGREEMENT, PLAN_SILENCE);
  plan_free(&box);
  if (*teachers <= FUMATA_TEACHERS_MAX && (!units || *teachers <= units)) return EXIT_OK;
  return error_report(EXIT_REFUSED, "%u silences ask for more teachers than there are units", target->silences);
}

static int plan_advise_meter_silences(struct plan_target *target, uint32_t teachers) {
  uint32_t agreeing = (uint32_t)floor(PLAN_AGREEMENT * teachers);
  struct plan_box box = {0};
  int code = plan_solve_most(target, PLAN_KIND_METER, plan_vote_distance(teachers, agreeing), PLAN_SILENCE,
                             FUMATA_SILENCES_MAX, &box, &target->silences);
  plan_free(&box);
  if (code || target->silences) return code;
  return error_report(EXIT_REFUSED, "%u teachers are too few for this epsilon; fumata plan says how many it takes",
                      teachers);
}

/* ---- a classic plan ---- */

#define PLAN_ADVISE_CLASSIC_MOST 1024u /* silences with which the search begins */

static int plan_advise_classic(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  double most = *teachers ? *teachers : plan_advise_most_teachers(setting->units, PLAN_LEARN_UNITS);
  uint32_t need = UINT32_MAX, first = target->silences ? target->silences : PLAN_ADVISE_CLASSIC_MOST;
  struct plan_target now = *target;
  int is_fixed = target->silences != 0;
  if (*teachers && is_fixed) return EXIT_OK;
  for (now.silences = first; now.silences; now.silences = is_fixed ? 0 : now.silences / 2) {
    struct plan_box box = {0};
    int code = plan_constants_make(setting->constants, PLAN_MECHANISM_CLASSIC, &now, setting->queries, &box);
    if (code) return code;
    need = plan_teachers(&box, PLAN_AGREEMENT, PLAN_SILENCE);
    plan_free(&box);
    if (need <= most) break;
  }
  if (need > most)
    return error_report(EXIT_REFUSED, "too few units or teachers: a classic plan takes %u teachers", need);
  target->silences = now.silences;
  if (!*teachers) *teachers = need;
  return EXIT_OK;
}

/* ---- answers, alone or beside silences: a student that chooses what to ask ---- */

static uint32_t plan_advise_chunks(const struct plan_target *target, const struct plan_setting *setting) {
  double epsilon = plan_budget(target).epsilon, units = (double)setting->units;
  double most = setting->classes > 2 ? PLAN_LEARN_TEACHERS_MANY : PLAN_LEARN_TEACHERS;
  double count = PLAN_LEARN_SHARE * pow(units, PLAN_LEARN_POWER);
  count = (count < most ? count : most) / sqrt(epsilon);
  if (count > units / PLAN_LEARN_UNITS) count = units / PLAN_LEARN_UNITS;
  if (count > FUMATA_TEACHERS_MAX) count = FUMATA_TEACHERS_MAX;
  return count > 3 ? (uint32_t)round(count) : 3;
}

/* How much of the budget one kind may count on. */
static struct plan_target plan_advise_part(const struct plan_target *target, int is_shared) {
  struct plan_target part = *target;
  double epsilon = plan_budget(target).epsilon;
  if (is_shared) plan_target_round_up(&part, PLAN_LEARN_PART * epsilon);
  return part;
}

/* Does a vote at `distance` fail at most with probability `miss` when `count` are paid for? */
static int plan_advise_reaches(const struct plan_target *part, enum plan_kind kind, uint32_t count, uint32_t distance,
                               double miss) {
  struct plan_target now = *part;
  now.silences = kind == PLAN_KIND_METER ? count : 0;
  now.answers = kind == PLAN_KIND_TOLL ? count : 0;
  return (kind == PLAN_KIND_METER ? plan_meter_reach(&now, miss) : plan_toll_reach(&now, miss)) <= distance;
}

/* The largest number, up to `most`, for which it does; 0 if there is none. */
static uint32_t plan_advise_count(const struct plan_target *part, enum plan_kind kind, uint32_t most, uint32_t distance,
                                  double miss) {
  uint32_t low = 0, high = most + 1;
  if (plan_advise_reaches(part, kind, most, distance, miss)) return most;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (plan_advise_reaches(part, kind, middle, distance, miss))
      low = middle;
    else
      high = middle;
  }
  return low;
}

static int plan_advise_answers(struct plan_target *target, const struct plan_setting *setting, uint32_t teachers) {
  int is_both = setting->mechanism == PLAN_MECHANISM_BOTH;
  struct plan_target part = plan_advise_part(target, is_both);
  uint32_t most = is_both ? PLAN_LEARN_ANSWERS_BOTH : PLAN_LEARN_ANSWERS;
  uint32_t found =
      plan_advise_count(&part, PLAN_KIND_TOLL, most, plan_vote_distance(teachers, teachers), 1 - PLAN_LEARN_NAMED);
  if (found < PLAN_LEARN_ANSWERS_FEW && setting->units)
    return error_report(
        EXIT_REFUSED,
        "about %llu units are too few for this epsilon: %u teachers pay for %u answers, and a student needs "
        "%u; --answers and --anyway go on",
        (unsigned long long)setting->units, teachers, found, PLAN_LEARN_ANSWERS_FEW);
  if (found < PLAN_LEARN_ANSWERS_FEW)
    return error_report(EXIT_REFUSED,
                        "%u teachers are too few for this epsilon: they pay for %u answers, and a student needs %u; "
                        "--answers and --anyway go on",
                        teachers, found, PLAN_LEARN_ANSWERS_FEW);
  target->answers = found < setting->queries ? found : (uint32_t)setting->queries;
  return EXIT_OK;
}

static int plan_advise_toll(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  struct plan_target part = plan_advise_part(target, 1);
  uint32_t distance;
  int code = EXIT_OK;
  if (!*teachers) *teachers = plan_advise_chunks(target, setting);
  distance = plan_vote_distance(*teachers, *teachers);
  if (!target->answers) code = plan_advise_answers(target, setting, *teachers);
  if (!code && !target->silences && setting->mechanism == PLAN_MECHANISM_BOTH) {
    target->silences =
        plan_advise_count(&part, PLAN_KIND_METER, PLAN_LEARN_SILENCES * setting->classes, distance, PLAN_UNANIMOUS);
    if (!target->silences) target->silences = 1;
  }
  return code;
}

enum plan_mechanism plan_advise_mechanism(uint32_t classes) {
  return classes == 2 ? PLAN_MECHANISM_TOLL : PLAN_MECHANISM_BOTH;
}

int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  if (setting->mechanism == PLAN_MECHANISM_CLASSIC) return plan_advise_classic(target, setting, teachers);
  if (setting->mechanism != PLAN_MECHANISM_METER) return plan_advise_toll(target, setting, teachers);
  if (!*teachers && !target->silences) return plan_advise_meter_both(target, setting, teachers);
  if (!*teachers) return plan_advise_meter_teachers(target, setting->units, teachers);
  return target->silences ? EXIT_OK : plan_advise_meter_silences(target, *teachers);
}

/* ---- what is refused ---- */

int plan_advise_budget(const char *where, struct rational epsilon, struct rational delta) {
  char text[RATIONAL_TEXT];
  const char *colon = where ? ": " : "";
  if (delta.den && rational_value(delta.num, delta.den) >= PLAN_DELTA_MOST) {
    rational_print(delta.num, delta.den, text);
    return error_report(
        EXIT_REFUSED,
        "%s%sdelta %s is too large: a release may reveal one unit in %.0f; below one over the number of "
        "units, say 1e-5, is usual; --anyway goes on",
        where ? where : "", colon, text, floor(rational_value(delta.den, delta.num)));
  }
  if (epsilon.den && rational_value(epsilon.num, epsilon.den) > PLAN_EPSILON_MOST) {
    rational_print(epsilon.num, epsilon.den, text);
    return error_report(
        EXIT_REFUSED,
        "%s%sepsilon %s is too large: above %g the bound says nothing; 0.5 to 8 is usual; --anyway goes on",
        where ? where : "", colon, text, PLAN_EPSILON_MOST);
  }
  return EXIT_OK;
}

/* ", or at most 7 silences", where a planner of this kind alone can tell. */
static int plan_advise_fewer(const struct plan_box *box, enum plan_kind kind, uint32_t teachers, char *text,
                             size_t size) {
  struct plan_quota found = {0, 0}, limit = plan_limit(box);
  struct plan_target target = {.epsilon_num = box->claim.epsilon_num, /* what the plan was made for */
                               .epsilon_den = box->claim.epsilon_den,
                               .delta_num = box->claim.delta_num,
                               .delta_den = box->claim.delta_den,
                               .silences = limit.silences,
                               .answers = limit.answers};
  struct plan_box other = {0};
  char words[PLAN_QUOTA_TEXT];
  int code;
  text[0] = '\0';
  if (box->mechanism != PLAN_MECHANISM_METER && box->mechanism != PLAN_MECHANISM_TOLL) return EXIT_OK;
  code = plan_solve_most(&target, kind, plan_vote_distance(teachers, (uint32_t)floor(PLAN_AGREEMENT * teachers)),
                         PLAN_SILENCE, *plan_quota_of(&limit, kind), &other, plan_quota_of(&found, kind));
  plan_free(&other);
  if (!code && (found.silences || found.answers))
    snprintf(text, size, ", or at most %s", plan_quota_print(found, words));
  return code;
}

static int plan_advise_enough_of(const struct plan_box *box, enum plan_kind kind, uint32_t teachers) {
  double miss = plan_miss(box, kind, plan_vote_distance(teachers, teachers));
  uint32_t wanted = plan_miss_teachers(box, kind, PLAN_AGREEMENT, PLAN_SILENCE);
  char takes[64] = "a larger epsilon is needed", fewer[96];
  int code;
  if (miss <= (kind == PLAN_KIND_METER ? PLAN_UNANIMOUS : PLAN_UNANIMOUS_LOSER)) return EXIT_OK;
  code = plan_advise_fewer(box, kind, teachers, fewer, sizeof fewer);
  if (code) return code;
  if (wanted != UINT32_MAX) snprintf(takes, sizeof takes, "this plan takes %u teachers", wanted);
  return error_report(EXIT_REFUSED,
                      "%u teachers are too few: even a unanimous vote would %s %.0f %% of the time; %s%s; --anyway "
                      "goes on",
                      teachers, kind == PLAN_KIND_METER ? "be silent" : "be answered with its loser", 100 * miss, takes,
                      fewer);
}

int plan_advise_enough(const struct plan_box *box, uint32_t teachers) {
  struct plan_quota limit = plan_limit(box);
  int code = limit.silences ? plan_advise_enough_of(box, PLAN_KIND_METER, teachers) : EXIT_OK;
  if (!code && limit.answers) code = plan_advise_enough_of(box, PLAN_KIND_TOLL, teachers);
  return code;
}

int plan_advise_most(const struct plan_target *target, uint32_t teachers, uint32_t most, uint32_t *silences) {
  struct plan_box box = {0};
  int code = plan_solve_most(target, PLAN_KIND_METER, plan_vote_distance(teachers, teachers), PLAN_SILENCE, most, &box,
                             silences);
  plan_free(&box);
  if (!code && *silences == 0) *silences = 1;
  return code;
}

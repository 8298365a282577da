#include "plan/plan_advise.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "core/ballot.h"
#include "plan/plan_meter.h"
#include "plan/plan_solve.h"

/* So many teachers that a vote worth answering is answered; without a certificate, and therefore quickly. */
static double plan_advise_teachers(const struct plan_target *target) {
  double distance = plan_meter_reach(target, PLAN_SILENCE);
  return isfinite(distance) ? ceil((2 * ceil(distance) + 1) / (2 * PLAN_AGREEMENT - 1)) : HUGE_VAL;
}

int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  uint64_t smallest = setting->smallest ? setting->smallest : PLAN_RECORDS, most = setting->records / smallest;
  double hard = setting->hard > 0 ? setting->hard : PLAN_HARD;
  double wanted = ceil(PLAN_HARD_MARGIN * hard * (double)setting->queries) + PLAN_SPARE;
  uint32_t low = 0, high, need = 0, least = 0;
  struct plan_target now = *target;
  if (most > FUMATA_TEACHERS_MAX) most = FUMATA_TEACHERS_MAX;
  high = wanted < FUMATA_SILENCES_MAX ? (uint32_t)wanted : FUMATA_SILENCES_MAX;
  /* The largest T for which there are teachers enough, to two percent. */
  for (now.silences = high;;) {
    double count = plan_advise_teachers(&now);
    if (now.silences == 1) least = count < 1e9 ? (uint32_t)count : UINT32_MAX;
    if (count <= (double)most) {
      low = now.silences;
      need = (uint32_t)count;
    } else
      high = now.silences;
    if (high > low && high - low > 1 && (double)(high - low) >= 0.02 * low)
      now.silences = low ? low + (high - low) / 2 : high / 2;
    else if (low == 0 && now.silences != 1)
      now.silences = 1;
    else
      break;
  }
  if (low == 0)
    return error_report(EXIT_REFUSED,
                        "about %llu units are too few for this epsilon: one silence asks for %u teachers of %llu",
                        (unsigned long long)setting->records, least, (unsigned long long)smallest);
  target->silences = low;
  *teachers = need;
  return EXIT_OK;
}

int plan_advise_budget(const char *where, struct rational epsilon, struct rational delta) {
  char text[RATIONAL_TEXT];
  const char *colon = where ? ": " : "";
  if (delta.den && rational_value(delta.num, delta.den) >= PLAN_DELTA_MOST) {
    rational_print(delta.num, delta.den, text);
    return error_report(EXIT_REFUSED,
                        "%s%sdelta %s is too large: a release may lay bare one in %.0f; below one over the number of "
                        "units, say 1e-5, is usual; --anyway goes on",
                        where ? where : "", colon, text, floor(rational_value(delta.den, delta.num)));
  }
  if (epsilon.den && rational_value(epsilon.num, epsilon.den) > PLAN_EPSILON_MOST) {
    rational_print(epsilon.num, epsilon.den, text);
    return error_report(EXIT_REFUSED,
                        "%s%sepsilon %s is too large: above %g it protects nobody; 0.5 to 8 is usual; --anyway goes on",
                        where ? where : "", colon, text, PLAN_EPSILON_MOST);
  }
  return EXIT_OK;
}

/* What the plan was made for. */
static struct plan_target plan_advise_target(const struct plan_box *box) {
  struct plan_quota limit = plan_limit(box);
  struct plan_target target = {box->claim.epsilon_num, box->claim.epsilon_den, box->claim.delta_num,
                               box->claim.delta_den,   limit.silences,         limit.answers};
  return target;
}

/* ", or at most 7 silences", where a planner of this kind alone can tell. */
static int plan_advise_fewer(const struct plan_box *box, enum plan_kind kind, uint32_t teachers, char *text,
                             size_t size) {
  struct plan_target target = plan_advise_target(box);
  struct plan_box other = {0};
  struct plan_quota found = {0, 0}, limit = plan_limit(box);
  char words[PLAN_QUOTA_TEXT];
  int code;
  text[0] = '\0';
  if (box->mechanism != PLAN_MECHANISM_METER && box->mechanism != PLAN_MECHANISM_TOLL) return EXIT_OK;
  code = plan_solve_most(&target, kind, plan_vote_distance(teachers, (uint32_t)floor(PLAN_AGREEMENT * teachers)),
                         PLAN_SILENCE, *plan_quota_of(&limit, kind), &other, &found);
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
  int code = plan_meter_silences(target, plan_vote_distance(teachers, teachers), PLAN_SILENCE, most, &box, silences);
  plan_free(&box);
  if (!code && *silences == 0) *silences = 1;
  return code;
}

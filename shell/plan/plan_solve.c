#include "plan/plan_solve.h"

#include <string.h>

#include "base/error.h"
#include "plan/plan_meter.h"
#include "plan/plan_toll.h"

/* What is asked for, and the plan of one kind that is tried now. */
struct plan_solve {
  enum plan_kind kind;
  double distance, miss;
  struct plan_target now;
};

static struct plan_solve plan_solve(const struct plan_target *target, enum plan_kind kind, uint32_t distance,
                                    double miss) {
  struct plan_solve solve = {kind, distance, miss, *target};
  *(kind == PLAN_KIND_METER ? &solve.now.answers : &solve.now.silences) = 0;
  return solve;
}

static uint32_t *plan_solve_count(struct plan_solve *solve) {
  return solve->kind == PLAN_KIND_METER ? &solve->now.silences : &solve->now.answers;
}

/* Floating point says that the table could reach so far; quick. */
static int plan_solve_reaches(const struct plan_solve *solve) {
  double reach = solve->kind == PLAN_KIND_METER ? plan_meter_reach(&solve->now, solve->miss)
                                                : plan_toll_reach(&solve->now, solve->miss);
  return reach <= solve->distance;
}

/* The certificate's slack may cost the last bit: *good says whether the certified table reaches so far. */
static int plan_solve_make(const struct plan_solve *solve, struct plan_box *box, int *good) {
  struct plan_aim aim = {.silence = solve->miss};
  int code =
      solve->kind == PLAN_KIND_METER ? plan_meter_make(&solve->now, &aim, box) : plan_toll_make(&solve->now, &aim, box);
  if (code) return code;
  *good = plan_miss(box, solve->kind, (uint32_t)solve->distance) <= solve->miss;
  if (!*good) plan_free(box);
  return EXIT_OK;
}

int plan_solve_most(const struct plan_target *target, enum plan_kind kind, uint32_t distance, double miss,
                    uint32_t most, struct plan_box *box, uint32_t *found) {
  struct plan_solve solve = plan_solve(target, kind, distance, miss);
  const uint32_t ceiling = kind == PLAN_KIND_METER ? FUMATA_SILENCES_MAX : FUMATA_ANSWERS_MAX;
  uint32_t *now = plan_solve_count(&solve), low = 0, high;
  int good = 0, code;
  memset(box, 0, sizeof *box);
  *found = 0;
  if (most > ceiling) most = ceiling;
  for (high = 1; high <= most; high = high * 2) {
    *now = high;
    if (!plan_solve_reaches(&solve)) break;
    low = high;
  }
  if (high > most) high = most + 1;
  while (high - low > 1) {
    *now = low + (high - low) / 2;
    if (plan_solve_reaches(&solve))
      low = *now;
    else
      high = *now;
  }
  for (; low > 0 && !good; low--) {
    *now = low;
    code = plan_solve_make(&solve, box, &good);
    if (code) return code;
    if (good) *found = low;
  }
  return EXIT_OK;
}

/* Three significant digits: 100..999 times a power of ten from -5 to -1. */
static void plan_solve_digits(struct plan_target *target, uint32_t index) {
  static const char *const tens[] = {"100000", "10000", "1000", "100", "10"};
  char text[32];
  snprintf(text, sizeof text, "%u/%s", 100 + index % 900, tens[index / 900]);
  plan_target_epsilon(target, "epsilon", text);
}

int plan_solve_epsilon(const struct plan_target *target, enum plan_kind kind, uint32_t distance, double miss,
                       struct plan_box *box) {
  const uint32_t last = 900 * 5 - 1;
  struct plan_solve solve = plan_solve(target, kind, distance, miss);
  uint32_t low = 0, high = last;
  int good = 0, code = kind == PLAN_KIND_METER ? plan_target_silences(target) : plan_target_answers(target);
  memset(box, 0, sizeof *box);
  if (code) return code;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    plan_solve_digits(&solve.now, middle);
    if (plan_solve_reaches(&solve))
      high = middle;
    else
      low = middle + 1;
  }
  for (; low <= last; low++) {
    plan_solve_digits(&solve.now, low);
    if (!plan_solve_reaches(&solve)) break;
    code = plan_solve_make(&solve, box, &good);
    if (code || good) return code;
  }
  return error_report(EXIT_REFUSED, "no epsilon below 100 answers a vote at distance %u with %u %s", distance,
                      *plan_solve_count(&solve), kind == PLAN_KIND_METER ? "silences" : "answers");
}

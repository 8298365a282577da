#include "command/plan_advice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/rational.h"
#include "plan/plan_advise.h"

static const char *const plan_advice_epsilons[] = {"0.5", "1", "2", "4", "8"};
#define PLAN_ADVICE_EPSILONS (sizeof plan_advice_epsilons / sizeof *plan_advice_epsilons)

/* One line. */
struct plan_advice_line {
  char epsilon[RATIONAL_TEXT], cause[256]; /* why there is no plan, or nothing */
  enum plan_mechanism mechanism;
  uint32_t teachers;
  struct plan_quota limit;
  double miss; /* of a vote in which the teachers err as expected */
};

/* How often a query fails: by the toll where there is one, which has the last word. */
static double plan_advice_miss(const struct plan_advice *advice, const struct plan_box *box, uint32_t teachers) {
  uint32_t agreeing = (uint32_t)floor((1 - advice->error_rate) * teachers + 0.5);
  enum plan_kind kind = plan_limit(box).answers ? PLAN_KIND_TOLL : PLAN_KIND_METER;
  return plan_miss(box, kind, plan_vote_distance(teachers, agreeing));
}

static void plan_advice_make(const struct plan_advice *advice, struct plan_target target, int mechanism,
                             struct plan_advice_line *line) {
  struct plan_setting setting = {.units = advice->records, .queries = advice->queries, .classes = advice->classes};
  struct plan_box box = {0};
  int code;
  setting.mechanism = mechanism < 0 ? plan_advise_mechanism(advice->classes) : (enum plan_mechanism)mechanism;
  line->mechanism = setting.mechanism;
  rational_print(target.epsilon_num, target.epsilon_den, line->epsilon);
  error_capture(line->cause, sizeof line->cause);
  code = plan_advise(&target, &setting, &line->teachers);
  if (!code) code = plan_constants_make(PLAN_CONSTANTS_OURS, setting.mechanism, &target, advice->queries, &box);
  if (!code) code = plan_advise_enough(&box, line->teachers);
  error_capture(NULL, 0);
  if (!code) {
    line->cause[0] = '\0';
    line->limit = plan_limit(&box);
    line->miss = plan_advice_miss(advice, &box, line->teachers);
  }
  plan_free(&box);
}

static void plan_advice_text(const struct plan_advice *advice, const struct plan_advice_line *line) {
  char limit[PLAN_QUOTA_TEXT];
  printf("  epsilon %-5s ", line->epsilon);
  if (line->cause[0]) {
    printf("%s\n", line->cause);
    return;
  }
  printf("%s, %u teachers of %" PRIu64 " records, %s; teachers who err in %.0f %%: a query fails in %.0f %%\n",
         plan_mechanism_name(line->mechanism), line->teachers, advice->records / line->teachers,
         plan_quota_print(line->limit, limit), 100 * advice->error_rate, 100 * line->miss);
}

static void plan_advice_json(const struct plan_advice_line *line, int is_later) {
  printf("%s\n    {\"epsilon\": \"%s\", \"mechanism\": \"%s\", ", is_later ? "," : "", line->epsilon,
         plan_mechanism_name(line->mechanism));
  if (line->cause[0]) {
    fputs("\"cause\": ", stdout);
    json_text(stdout, line->cause);
    fputs("}", stdout);
  } else {
    printf("\"teachers\": %u, \"silences\": %u, \"answers\": %u, \"fails\": %.6f}", line->teachers,
           line->limit.silences, line->limit.answers, line->miss);
  }
}

/* The smallest epsilon that will do, or a word on what to change. */
static void plan_advice_conclude(const char *best, int json) {
  if (json && best)
    printf("\n  ],\n  \"advised\": \"%s\"\n}\n", best);
  else if (json)
    fputs("\n  ],\n  \"advised\": null\n}\n", stdout);
  else if (best)
    printf("advised: epsilon %s, the smallest of these at which a query fails in at most %.0f %%\n", best,
           100 * PLAN_ADVISED_FAILS);
  else
    puts("none of these will do: more private records, better teachers, or a larger epsilon are needed");
}

int plan_advice_print(const struct plan_advice *advice, const struct plan_target *target, int mechanism, int json) {
  size_t count = target->epsilon_den ? 1 : PLAN_ADVICE_EPSILONS;
  char best[RATIONAL_TEXT] = "";
  if (json) fputs("{\n  \"plans\": [", stdout);
  for (size_t i = 0; i < count; i++) {
    struct plan_target one = *target;
    struct plan_advice_line line = {0};
    int code = target->epsilon_den ? EXIT_OK : plan_target_epsilon(&one, "--epsilon", plan_advice_epsilons[i]);
    if (code) return code;
    plan_advice_make(advice, one, mechanism, &line);
    if (json)
      plan_advice_json(&line, i > 0);
    else
      plan_advice_text(advice, &line);
    if (!line.cause[0] && line.miss <= PLAN_ADVISED_FAILS && !best[0]) snprintf(best, sizeof best, "%s", line.epsilon);
  }
  plan_advice_conclude(best[0] ? best : NULL, json);
  return EXIT_OK;
}

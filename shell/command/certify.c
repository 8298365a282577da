/* fumata certify: any plan, checked by the proved core alone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/rational.h"
#include "command/commands.h"
#include "command/options.h"
#include "command/plan_report.h"
#include "plan/mechanism.h"
#include "plan/plan_file.h"

struct certify {
  struct plan_target target; /* what was not given is 0 */
  int json;
};

static const struct options_row certify_rows[] = {
    {"epsilon", "E", options_epsilon, 0, .help = "check the tables against this epsilon instead of the file's"},
    {"delta", "D", options_delta, 0, .help = "likewise for delta"},
    {"json", NULL, options_flag, offsetof(struct certify, json), .help = "print one JSON object instead of the line"},
    {0}};

static const struct options_command certify_command = {
    .name = "certify",
    .before = "usage: fumata certify FILE [--epsilon E] [--delta D]\n"
              "\n"
              "Checks a plan file with the proved core, whoever made it: exit code 0 if the plan keeps its claim,\n"
              "1 if it does not (a line says which inequality fails and where), 2 if the file is not a plan.\n"
              "\n"
              "  fumata certify one.plan                               the claim that the file makes\n"
              "  fumata certify one.plan --epsilon 0.99 --delta 1e-5   a claim of your own about the same tables\n"
              "\n",
    .groups = (const struct options_group[]){{NULL, certify_rows, 0}, {0}},
    .arguments = OPTIONS_ANY};

struct certify_cause {
  char text[160];
};

/* The places of the query's table follow those of the threshold's. */
static void certify_ratio(struct certify_cause *cause, const fumata_classic_plan *plan, uint32_t index) {
  const int is_query = index >= plan->threshold.size;
  const int64_t outcome =
      is_query ? plan->query.first + (int64_t)(index - plan->threshold.size) : plan->threshold.first + (int64_t)index;
  snprintf(cause->text, sizeof cause->text, "the %s noise has an unbounded ratio at outcome %" PRId64 " (Theorem C)",
           is_query ? "query" : "threshold", outcome);
}

/* Turns the core's fault, an inequality and a place in the tables, into a sentence. */
static int certify_refuse(const char *path, const struct plan_box *box, const fumata_fault *fault, int json) {
  const char theorem = mechanism_of(box->mechanism)->theorem;
  static const char *const parts[] = {"table of the threshold", "table of the query noise", "width"};
  const int is_poll = box->mechanism == PLAN_MECHANISM_POLL, is_classic = box->mechanism == PLAN_MECHANISM_CLASSIC;
  const char *at = is_poll ? "a lead of" : "distance";
  struct certify_cause cause = {"the core refuses it"};
  switch (fault->kind) {
  case FUMATA_FAULT_CLAIM:
    strcpy(cause.text, "epsilon, delta, alpha, V or U is out of range");
    break;
  case FUMATA_FAULT_LIMIT:
    strcpy(cause.text, "the number of silences is out of range");
    break;
  case FUMATA_FAULT_TABLE:
    if (is_classic)
      snprintf(cause.text, sizeof cause.text, "the %s is out of order or out of range",
               parts[fault->index < 2 ? fault->index : 2]);
    else
      snprintf(cause.text, sizeof cause.text, "the table is zero or rises at distance %" PRIu32, fault->index + 1);
    break;
  case FUMATA_FAULT_STEP:
    snprintf(cause.text, sizeof cause.text,
             "silence falls too fast between distances %" PRIu32 " and %" PRIu32 " (Theorem M (a))", fault->index,
             fault->index + 1);
    break;
  case FUMATA_FAULT_FIRST:
    strcpy(cause.text, "the silence at distance 1 is too rare for V (Theorem M (b))");
    break;
  case FUMATA_FAULT_RATIO:
    certify_ratio(&cause, &box->classic, fault->index);
    break;
  case FUMATA_FAULT_ANSWERS:
    strcpy(cause.text, is_poll ? "the number of votes is out of range" : "the number of answers is out of range");
    break;
  case FUMATA_FAULT_NAMED:
    snprintf(cause.text, sizeof cause.text, "the %s table is below one half or falls at %s %" PRIu32,
             is_poll ? "poll" : "toll", at, fault->index + 1);
    break;
  case FUMATA_FAULT_ANSWER:
    snprintf(
        cause.text, sizeof cause.text, "the %s too much more often at %s %" PRIu32 " than at %" PRIu32 " (Theorem %c)",
        is_poll ? "answer is right" : "winner is named", at, fault->index + 1, fault->index, is_poll ? theorem : 'T');
    break;
  case FUMATA_FAULT_TOTAL:
    snprintf(cause.text, sizeof cause.text, "the total exceeds delta (Theorem %c)", theorem);
    break;
  case FUMATA_FAULT_NONE:
    break;
  }
  if (json) {
    struct json out = {.out = stdout};
    json_open(&out, NULL, '{', 0);
    json_print(&out, "certified", "false");
    json_string(&out, "cause", cause.text);
    json_close(&out);
  }
  return error_report(EXIT_REFUSED, "%s: not certified: %s", path, cause.text);
}

static int certify_accept(const char *path, const struct plan_box *box, int json) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  plan_report_claim(box, epsilon, delta);
  if (json) {
    struct json out = {.out = stdout};
    json_open(&out, NULL, '{', 0);
    json_print(&out, "certified", "true");
    json_string(&out, "mechanism", plan_mechanism_name(box->mechanism));
    json_string(&out, "epsilon", epsilon);
    json_string(&out, "delta", delta);
    plan_report_json_limit(&out, box);
    json_close(&out);
    return EXIT_OK;
  }
  printf("%s: certified: %s, epsilon %s, delta %s, %s\n", path, plan_mechanism_name(box->mechanism), epsilon, delta,
         plan_limit_print(box, limit));
  return EXIT_OK;
}

int command_certify(int argc, char **argv) {
  struct certify certify = {0};
  struct options_rest rest;
  struct plan_box box;
  fumata_fault fault = {FUMATA_FAULT_NONE, 0};
  int code = options_parse(&certify_command, argc, argv, &certify, &rest);
  if (code || rest.is_help) return code;
  if (rest.count != 1) return error_report(EXIT_INPUT, "give one plan file; fumata certify --help explains");
  code = plan_file_read(rest.word[0], &box);
  if (code) return code;
  if (certify.target.epsilon_den) {
    box.claim.epsilon_num = certify.target.epsilon_num;
    box.claim.epsilon_den = certify.target.epsilon_den;
  }
  if (certify.target.delta_den) {
    box.claim.delta_num = certify.target.delta_num;
    box.claim.delta_den = certify.target.delta_den;
  }
  if (plan_certify(&box, &box.claim, &fault) == FUMATA_OK)
    code = certify_accept(rest.word[0], &box, certify.json);
  else
    code = certify_refuse(rest.word[0], &box, &fault, certify.json);
  plan_free(&box);
  return code;
}

/* fumata plan: what a budget buys, certified before it is printed. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/options.h"
#include "command/plan_report.h"
#include "core/ballot.h"
#include "plan/plan_code.h"
#include "plan/plan_file.h"
#include "plan/plan_meter.h"
#include "plan/policy.h"

#define COMMAND_PLAN_QUERIES_MAX 1e12
#define COMMAND_PLAN_SILENCE_MAX 0.9

struct command_plan {
  struct plan_target target; /* what was not given is 0 */
  int mechanism;             /* an enum plan_mechanism */
  int paper, json, code, force;
  uint32_t teachers; /* 0: not given */
  uint64_t queries;
  double agreement, silence;
  const char *output;
};

#define COMMAND_PLAN_AT(member) offsetof(struct command_plan, member)

static const struct options_choice command_plan_mechanisms[] = {
    {"meter", PLAN_MECHANISM_METER}, {"classic", PLAN_MECHANISM_CLASSIC}, {NULL, 0}};

static const struct options_row command_plan_rows[] = {
    {"epsilon", "E", options_epsilon, COMMAND_PLAN_AT(target),
     .help = "a decimal or a fraction, taken exactly: 0.5, 3.16, 1/3"},
    {"delta", "D", options_delta, COMMAND_PLAN_AT(target), .help = "likewise, below 1: 1e-5"},
    {"silences", "T", options_count, COMMAND_PLAN_AT(target.silences), .most = FUMATA_SILENCES_MAX,
     .help = "1 to 1000000"},
    {"mechanism", "M", options_choice, COMMAND_PLAN_AT(mechanism), .choices = command_plan_mechanisms,
     .help = "meter (the default) or classic, the paper's Algorithm 2 with the tightest noise found"},
    {"paper", NULL, options_flag, COMMAND_PLAN_AT(paper),
     .help = "classic with the paper's own constants; says the epsilon that they really cost"},
    {"teachers", "K", options_count, COMMAND_PLAN_AT(teachers), .most = FUMATA_TEACHERS_MAX,
     .help = "show shares of K teachers; without --silences or --epsilon, solve for what is missing"},
    {"agreement", "A", options_share, COMMAND_PLAN_AT(agreement), .above = 0.5, .most = 1,
     .help = "then a vote in which this share of the teachers agrees (0.9) ..."},
    {"silence", "S", options_share, COMMAND_PLAN_AT(silence), .above = 2 * PLAN_FLOOR, .most = COMMAND_PLAN_SILENCE_MAX,
     .help = "... is met with silence at most this often (0.05)"},
    {"queries", "M", options_long_count, COMMAND_PLAN_AT(queries), .most = COMMAND_PLAN_QUERIES_MAX,
     .help = "the number of queries that the paper's constants depend on (1000); ours do not"},
    {"output", "FILE", options_text, COMMAND_PLAN_AT(output), .letter = 'o', .help = "write the plan there"},
    {"force", NULL, options_flag, COMMAND_PLAN_AT(force), .help = "overwrite the file of -o"},
    {"json", NULL, options_flag, COMMAND_PLAN_AT(json), .help = "print one JSON object instead of the table"},
    {"c", NULL, options_flag, COMMAND_PLAN_AT(code), .help = "print the plan as a C header, to link with the core"},
    {0}};

static const struct options_group command_plan_groups[] = {{NULL, command_plan_rows, 0}, {0}};

static const struct options_command command_plan_command = {
    .name = "plan",
    .before =
        "usage: fumata plan --epsilon E --delta D --silences T [OPTION...]\n"
        "\n"
        "Says what (E, D)-differential privacy buys when a life of answers may fall silent T times, and writes the "
        "plan\n"
        "that `fumata answer` and `fumata learn` follow. Every plan printed was accepted by the proved core.\n"
        "\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --silences 20              how many teachers must agree?\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --silences 20 -o one.plan  ... and keep the plan\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --teachers 250             the most silences that 250 teachers can "
        "pay\n"
        "  fumata plan --delta 1e-5 --silences 100 --teachers 250          the smallest epsilon for 250 teachers\n"
        "\n",
    .groups = command_plan_groups};

static int command_plan_check(const struct command_plan *plan) {
  int has_epsilon = plan->target.epsilon_den != 0, has_silences = plan->target.silences != 0;
  if (!plan->target.delta_den) return error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (!has_epsilon && !has_silences)
    return error_report(EXIT_INPUT, "--epsilon and --silences are missing; one of them must be given");
  if (has_epsilon && has_silences) return EXIT_OK;
  if (!plan->teachers)
    return error_report(EXIT_INPUT, "%s is missing; with --teachers K it can be solved for",
                        has_epsilon ? "--silences" : "--epsilon");
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC)
    return error_report(EXIT_INPUT, "a classic plan needs both --epsilon and --silences");
  return EXIT_OK;
}

/* The most silences that so many teachers can pay. */
static int command_plan_solve_silences(struct command_plan *plan, uint32_t agreeing, struct plan_box *box) {
  uint32_t distance = plan_vote_distance(plan->teachers, agreeing);
  struct plan_target target = plan->target;
  int code = plan_meter_silences(&target, distance, plan->silence, FUMATA_SILENCES_MAX, box, &plan->target.silences);
  if (code || plan->target.silences) return code;
  return error_report(EXIT_REFUSED,
                      "%u teachers are too few: even with one silence a vote of %u against %u falls silent too often",
                      plan->teachers, agreeing, plan->teachers - agreeing);
}

/* The smallest epsilon for so many teachers and silences. */
static int command_plan_solve_epsilon(struct command_plan *plan, uint32_t agreeing, struct plan_box *box) {
  uint32_t distance = plan_vote_distance(plan->teachers, agreeing);
  int code = plan_meter_epsilon(&plan->target, distance, plan->silence, box);
  plan->target.epsilon_num = box->claim.epsilon_num;
  plan->target.epsilon_den = box->claim.epsilon_den;
  return code;
}

/* Makes the plan that the options describe and fills in what they left open. */
static int command_plan_make(struct command_plan *plan, struct plan_box *box) {
  uint32_t agreeing = (uint32_t)floor(plan->agreement * plan->teachers + 1e-9);
  if (plan->paper && plan_classic_paper(&plan->target, plan->queries, box))
    return error_report(EXIT_REFUSED, "the paper's constants give no plan that fits a table");
  if (plan->paper) return EXIT_OK;
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC) return plan_classic_make(&plan->target, NULL, box);
  if (!plan->target.silences) return command_plan_solve_silences(plan, agreeing, box);
  if (!plan->target.epsilon_den) return command_plan_solve_epsilon(plan, agreeing, box);
  return plan_meter_make(&plan->target, NULL, box);
}

static void command_plan_tell(const struct command_plan *plan, const struct plan_box *box) {
  struct plan_box paper = {0};
  struct plan_report report = {.box = box, .paper = &paper, .queries = plan->queries, .teachers = plan->teachers};
  plan_classic_constants(&plan->target, plan->queries, PLAN_PAPER_BETA, &report.constants);
  plan_classic_paper(&plan->target, plan->queries, &paper);
  if (plan->json)
    plan_report_json(&report);
  else
    plan_report_text(&report);
  plan_free(&paper);
}

int command_plan(int argc, char **argv) {
  struct command_plan plan = {.queries = PLAN_PAPER_QUERIES, .agreement = PLAN_AGREEMENT, .silence = PLAN_SILENCE};
  struct plan_box box = {0};
  struct options_rest rest;
  int code = options_parse(&command_plan_command, argc, argv, &plan, &rest);
  if (code || rest.is_help) return code;
  if (plan.paper) plan.mechanism = PLAN_MECHANISM_CLASSIC;
  code = command_plan_check(&plan);
  if (!code && plan.output) code = output_allow(plan.output, plan.force, (const char *const[]){NULL});
  if (code) return code;
  code = command_plan_make(&plan, &box);
  if (!code && plan.output) code = plan_file_write(plan.output, &box);
  if (!code && plan.code)
    plan_code_print(stdout, &box);
  else if (!code)
    command_plan_tell(&plan, &box);
  plan_free(&box);
  return code;
}

/* fumata plan: what a budget buys, certified before it is printed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/options.h"
#include "command/plan_report.h"
#include "core/ballot.h"
#include "learn/polling.h"
#include "plan/plan_advise.h"
#include "plan/plan_file.h"
#include "plan/plan_solve.h"
#include "plan/policy.h"

#define COMMAND_PLAN_QUERIES_MAX 1e12
#define COMMAND_PLAN_SILENCE_MAX 0.9

#define COMMAND_PLAN_PREFIX 64

#define COMMAND_PLAN_OPEN (-1) /* a choice that was not made */

struct command_plan { /* what was not given is 0, except the mechanism */
  struct plan_target target;
  int mechanism; /* an enum plan_mechanism, or COMMAND_PLAN_OPEN */
  int constants; /* an enum plan_constants */
  int paper, compare, json, code, force, advise;
  uint32_t classes; /* for --advise */
  uint32_t teachers;
  uint64_t queries;
  double agreement, silence, named;
  struct plan_report_beliefs beliefs;
  const char *output;
  char prefix[COMMAND_PLAN_PREFIX]; /* of the names in a C header */
};

#define COMMAND_PLAN_AT(member) offsetof(struct command_plan, member)

static const struct options_choice command_plan_mechanisms[] = {
    {"meter", PLAN_MECHANISM_METER}, {"toll", PLAN_MECHANISM_TOLL},       {"both", PLAN_MECHANISM_BOTH},
    {"poll", PLAN_MECHANISM_POLL},   {"classic", PLAN_MECHANISM_CLASSIC}, {NULL, 0}};

static const struct options_choice command_plan_constants[] = {{"ours", PLAN_CONSTANTS_OURS},
                                                               {"bassily", PLAN_CONSTANTS_BASSILY},
                                                               {"liu", PLAN_CONSTANTS_LIU},
                                                               {"gauss", PLAN_CONSTANTS_GAUSS},
                                                               {NULL, 0}};

/* "0.05,0.2" */
static int command_plan_margin(const struct options_row *row, const char *text, void *value) {
  struct plan_rules_margin *margin = value;
  char *end;
  margin->nu = strtod(text, &end);
  margin->delta = *end == ',' ? strtod(end + 1, &end) : 0;
  if (!*end && margin->nu >= 0 && margin->nu < 1 && margin->delta > 0 && margin->delta <= 0.5) return EXIT_OK;
  return error_report(EXIT_INPUT, "--%s: '%.40s' is not a share and a distance from one half, such as 0.05,0.2",
                      row->name, text);
}

/* "clinic": names begin with clinic_ */
static int command_plan_prefix(const struct options_row *row, const char *text, void *value) {
  size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (!*text || text[length] || (*text >= '0' && *text <= '9') || length + 2 > COMMAND_PLAN_PREFIX)
    return error_report(EXIT_INPUT, "--%s: '%.80s' is not a name in C of at most %d letters", row->name, text,
                        COMMAND_PLAN_PREFIX - 2);
  snprintf(value, COMMAND_PLAN_PREFIX, "%s_", text);
  return EXIT_OK;
}

static const struct options_row command_plan_rows[] = {
    {"epsilon", "E", options_epsilon, COMMAND_PLAN_AT(target),
     .help = "a decimal or a fraction, taken exactly: 0.5, 3.16, 1/3"},
    {"delta", "D", options_delta, COMMAND_PLAN_AT(target), .help = "likewise, below 1: 1e-5"},
    {"silences", "T", options_count, COMMAND_PLAN_AT(target.silences), .most = FUMATA_SILENCES_MAX,
     .help = "1 to 1000000"},
    {"answers", "L", options_count, COMMAND_PLAN_AT(target.answers), .most = FUMATA_ANSWERS_MAX,
     .help = "1 to 1000000: answers of the toll, each one of two candidates; alone or beside --silences"},
    {"votes-per-record", "B", options_count, COMMAND_PLAN_AT(target.votes), .most = FUMATA_POLL_VOTES_MAX,
     .help = "1 to 65535: a poll, in which each private record votes at most B times; there is no limit on answers"},
    {"mechanism", "M", options_choice, COMMAND_PLAN_AT(mechanism), .choices = command_plan_mechanisms,
     .help =
         "meter (silences), toll (answers), both or poll (votes): by default what the options above ask for; classic: "
         "the papers' Algorithm 2 with the tightest noise found"},
    {"constants", "C", options_choice, COMMAND_PLAN_AT(constants), .choices = command_plan_constants,
     .help = "ours; bassily: classic with the first paper's own constants; liu: the second paper's, classic for "
             "silences and Gaussian noise for answers (both state the epsilon that they really cost); gauss: answers "
             "of a toll or a poll by the narrowest Gaussian noise that is certified"},
    {"paper", NULL, options_flag, COMMAND_PLAN_AT(paper), .help = "the same as --constants bassily"},
    {"compare", NULL, options_flag, COMMAND_PLAN_AT(compare),
     .help = "also show what others give for the same epsilon and delta: the two papers' constants or, for a poll, "
             "Gaussian noise"},
    {"teachers", "K", options_count, COMMAND_PLAN_AT(teachers), .most = FUMATA_TEACHERS_MAX,
     .help = "show shares of K teachers; without --silences (--answers with --mechanism toll) or --epsilon, solve for "
             "what is missing"},
    {"agreement", "A", options_share, COMMAND_PLAN_AT(agreement), .above = 0.5, .most = 1,
     .help = "then a vote in which this share of the teachers agrees (" PLAN_TEXT(PLAN_AGREEMENT) ") ..."},
    {"silence", "S", options_share, COMMAND_PLAN_AT(silence), .above = 2 * PLAN_FLOOR, .most = COMMAND_PLAN_SILENCE_MAX,
     .help = "... is met with silence at most this often (" PLAN_TEXT(PLAN_SILENCE) ")"},
    {"named", "W", options_share, COMMAND_PLAN_AT(named), .above = 0.5, .most = 1 - 2 * PLAN_FLOOR,
     .help = "... or is answered by the toll with its winner at least this often (" PLAN_TEXT(PLAN_NAMED) ")"},
    {"queries", "M", options_long_count, COMMAND_PLAN_AT(queries), .most = COMMAND_PLAN_QUERIES_MAX,
     .help =
         "the number of queries that the papers' constants depend on (" PLAN_TEXT(PLAN_PAPER_QUERIES) "); ours do not"},
    {"advise", NULL, options_flag, COMMAND_PLAN_AT(advise),
     .help =
         "instead of one plan: what epsilon 0.25, 0.5, 1 and 2 buy, by poll and by teachers, for --about, --classes "
         "and --queries"},
    {"classes", "C", options_count, COMMAND_PLAN_AT(classes), .most = FUMATA_CLASSES_MAX,
     .help = "how many classes there are, for --advise"},
    {"error-rate", "R", options_share, COMMAND_PLAN_AT(beliefs.error_rate), .most = 0.999,
     .help = "how often a teacher is expected to err: also show what Theorem 3.2 of the first paper advises for it"},
    {"margin", "NU,DELTA", command_plan_margin, COMMAND_PLAN_AT(beliefs.margin),
     .help =
         "also show what Proposition 11 of the second paper advises if on all but a share NU of the queries the mean "
         "vote is more than DELTA away from one half; this or --error-rate sets --silences if it is not given"},
    {"about", "N", options_long_count, COMMAND_PLAN_AT(beliefs.records), .most = COMMAND_PLAN_QUERIES_MAX,
     .help = "about how many private records (or persons) there are, a public number: also show how many teachers "
             "Theorem 15 of the second paper advises for --answers to queries that a student selects"},
    {"output", "FILE", options_text, COMMAND_PLAN_AT(output), .letter = 'o', .help = "write the plan there"},
    {"force", NULL, options_flag, COMMAND_PLAN_AT(force), .help = "overwrite the file of -o"},
    {"json", NULL, options_flag, COMMAND_PLAN_AT(json), .help = "print one JSON object instead of the table"},
    {"c", NULL, options_flag, COMMAND_PLAN_AT(code), .help = "print the plan as a C header, to link with the core"},
    {"name", "NAME", command_plan_prefix, COMMAND_PLAN_AT(prefix),
     .help = "with --c: the header defines NAME_plan and NAME_claim, so that one program may hold several plans"},
    {0}};

static const struct options_command command_plan_command = {
    .name = "plan",
    .before =
        "usage: fumata plan --epsilon E --delta D [--silences T] [--answers L] [OPTION...]\n"
        "       fumata plan --epsilon E --delta D --votes-per-record B [OPTION...]\n"
        "\n"
        "Shows what (E, D)-differential privacy buys with T silences, with L paid answers, or with both, and\n"
        "writes the plan that `fumata answer` and `fumata learn` follow. The proved core has accepted every plan\n"
        "that is printed.\n"
        "\n"
        "A poll has no teachers: the private records near a public point vote themselves, each at most B\n"
        "times, and the answer is yes or no. Its claim is about one record, or unit, added or removed; for one\n"
        "that is changed it is 2 E and (1 + e^E) D.\n"
        "\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --silences 20              how many teachers must agree?\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --silences 20 -o one.plan  ... and keep the plan\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --teachers 250             the most silences for 250 teachers\n"
        "  fumata plan --delta 1e-5 --silences 100 --teachers 250          the smallest epsilon for 250 teachers\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --answers 400              when is the answer the winner of two?\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --teachers 250 --mechanism toll   the most answers for 250 teachers\n"
        "  fumata plan --epsilon 1 --delta 1e-5 --silences 20 --answers 400       both kinds in one budget\n"
        "  fumata plan --epsilon 0.5 --delta 1e-5 --votes-per-record 10           which lead does a poll need?\n"
        "  fumata plan --advise --delta 1e-5 --about 20000 --classes 2 --queries 5000   compare several epsilons\n"
        "\n",
    .groups = (const struct options_group[]){{NULL, command_plan_rows, 0}, {0}}};

/* Fills in what the options leave open. */
static void command_plan_settle(struct command_plan *plan) {
  const struct plan_report_beliefs *beliefs = &plan->beliefs;
  if (!plan->queries) plan->queries = PLAN_PAPER_QUERIES;
  if (!(plan->agreement > 0)) plan->agreement = PLAN_AGREEMENT;
  if (!(plan->silence > 0)) plan->silence = PLAN_SILENCE;
  if (!(plan->named > 0)) plan->named = PLAN_NAMED;
  if (!plan->target.silences && beliefs->error_rate > 0)
    plan->target.silences = plan_rules_error_rate(beliefs->error_rate, plan->queries);
  if (!plan->target.silences && beliefs->margin.delta > 0)
    plan->target.silences = plan_rules_margin_silences(&beliefs->margin, plan->queries);
  if (plan->mechanism == COMMAND_PLAN_OPEN)
    plan->mechanism = plan_constants_mechanism((enum plan_constants)plan->constants, &plan->target);
}

/* An option, and whether it was given. */
struct command_plan_option {
  const char *name;
  int is_given;
};

/* A poll has votes per record, and no teachers, silences or answers. Nothing is solved for. */
static int command_plan_check_poll(const struct command_plan *plan) {
  const struct command_plan_option strange[] = {{"silences", plan->target.silences > 0},
                                                {"answers", plan->target.answers > 0},
                                                {"teachers", plan->teachers > 0},
                                                {"agreement", plan->agreement > 0},
                                                {"silence", plan->silence > 0},
                                                {"named", plan->named > 0},
                                                {"queries", plan->queries > 0},
                                                {"classes", plan->classes > 0},
                                                {"error-rate", plan->beliefs.error_rate > 0},
                                                {"margin", plan->beliefs.margin.delta > 0},
                                                {"about", plan->beliefs.records > 0},
                                                {"advise", plan->advise}};
  const struct command_plan_option needed[] = {{"votes-per-record B", plan->target.votes > 0},
                                               {"epsilon E", plan->target.epsilon_den > 0},
                                               {"delta D", plan->target.delta_den > 0}};
  if (plan->mechanism != COMMAND_PLAN_OPEN && plan->mechanism != PLAN_MECHANISM_POLL)
    return error_report(EXIT_INPUT, "--votes-per-record is for a poll: leave it out of a %s plan",
                        plan_mechanism_name((enum plan_mechanism)plan->mechanism));
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
    if (strange[i].is_given)
      return error_report(EXIT_INPUT,
                          "--%s is not for a poll, in which private records vote and not teachers: leave it out",
                          strange[i].name);
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!needed[i].is_given) return error_report(EXIT_INPUT, "a poll needs --%s", needed[i].name);
  return plan_constants_check((enum plan_constants)plan->constants, PLAN_MECHANISM_POLL);
}

/* What is missing can be solved for in the plan of a meter or a toll. */
static int command_plan_check_missing(const struct command_plan *plan) {
  const char *count = plan->mechanism == PLAN_MECHANISM_TOLL ? "--answers" : "--silences";
  int has_epsilon = plan->target.epsilon_den != 0,
      has_count = plan->target.silences || plan->target.answers || plan->target.votes;
  if (has_epsilon && has_count) return EXIT_OK;
  if (!has_epsilon && !has_count)
    return error_report(EXIT_INPUT, "--epsilon and %s are missing; give at least one of them", count);
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC)
    return error_report(EXIT_INPUT, "a classic plan needs both --epsilon and --silences");
  if (plan->mechanism == PLAN_MECHANISM_BOTH || plan->constants != PLAN_CONSTANTS_OURS)
    return error_report(EXIT_INPUT, "--epsilon is missing; it can be solved for with one kind of query only");
  if (!plan->teachers)
    return error_report(EXIT_INPUT, "%s is missing; give it, or --teachers K to solve for it",
                        has_epsilon ? count : "--epsilon");
  return EXIT_OK;
}

static int command_plan_check(const struct command_plan *plan) {
  const char *name = plan_mechanism_name((enum plan_mechanism)plan->mechanism);
  int is_toll = plan->mechanism == PLAN_MECHANISM_TOLL, is_both = plan->mechanism == PLAN_MECHANISM_BOTH, code;
  if (plan->target.answers && !is_toll && !is_both)
    return error_report(EXIT_INPUT, "--answers: a %s plan does not have them; leave it out", name);
  if (plan->target.silences && is_toll)
    return error_report(EXIT_INPUT, "--silences: a %s plan does not have them; leave it out", name);
  if (is_both && !(plan->target.silences && plan->target.answers))
    return error_report(EXIT_INPUT, "a plan for both kinds needs --silences and --answers");
  if (plan->compare && plan->code) return error_report(EXIT_INPUT, "--compare and --c exclude each other: give one");
  if (*plan->prefix && !plan->code) return error_report(EXIT_INPUT, "--name is for --c: add --c, or leave it out");
  code = plan_constants_check((enum plan_constants)plan->constants, (enum plan_mechanism)plan->mechanism);
  if (!code && !plan->target.delta_den)
    code = error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  return code ? code : command_plan_check_missing(plan);
}

/* Solves for what the options left open, for one kind of query: the most silences or answers for these teachers, or the smallest
 * epsilon. */
static int command_plan_solve(struct command_plan *plan, struct plan_box *box) {
  enum plan_kind kind = plan->mechanism == PLAN_MECHANISM_TOLL ? PLAN_KIND_TOLL : PLAN_KIND_METER;
  double miss = kind == PLAN_KIND_TOLL ? 1 - plan->named : plan->silence;
  uint32_t agreeing = (uint32_t)floor(plan->agreement * plan->teachers + 1e-9);
  uint32_t distance = plan_vote_distance(plan->teachers, agreeing);
  uint32_t *count = kind == PLAN_KIND_METER ? &plan->target.silences : &plan->target.answers;
  int code;
  if (!plan->target.epsilon_den) {
    code = plan_solve_epsilon(&plan->target, kind, distance, miss, box);
    plan->target.epsilon_num = box->claim.epsilon_num;
    plan->target.epsilon_den = box->claim.epsilon_den;
    return code;
  }
  code = plan_solve_most(&plan->target, kind, distance, miss, FUMATA_SILENCES_MAX, box, count);
  if (code || *count) return code;
  return error_report(EXIT_REFUSED, "%u teachers are too few: even with one %s of %u against %u %s too often",
                      plan->teachers, kind == PLAN_KIND_METER ? "silence a vote" : "answer a vote", agreeing,
                      plan->teachers - agreeing, kind == PLAN_KIND_METER ? "falls silent" : "is answered wrongly");
}

/* ---- --advise: what several epsilons buy ---- */

static const char *const command_plan_epsilons[] = {"0.25", "0.5", "1", "2"};
static const double command_plan_wrong[] = {0.25, 0.1, 0.05};

/* What one epsilon buys, by poll and by teachers. */
struct command_plan_advice {
  char epsilon[RATIONAL_TEXT], cause[256]; /* why there is not a plan for teachers, or empty */
  struct polling_rule rule;
  char poll_cause[256];
  uint32_t lead[3]; /* at which a poll's answer is wrong as seldom as command_plan_wrong says; UINT32_MAX: at none */
  enum plan_mechanism mechanism;
  uint32_t teachers;
  struct plan_quota limit;
  double unanimous,
      expected; /* how often a vote fails, by the toll where there is one: if all agree, or err as expected */
};

static void command_plan_advice_poll(const struct command_plan *plan, struct plan_target target,
                                     struct command_plan_advice *line) {
  struct plan_budget budget = plan_budget(&target);
  struct polling_facts facts = {plan->beliefs.records, plan->queries, budget.epsilon, budget.delta, plan->classes};
  struct plan_box box = {0};
  int code;
  polling_rule_make(&line->rule, &facts);
  target.votes = line->rule.votes;
  error_capture(line->poll_cause, sizeof line->poll_cause);
  code = plan_constants_make(PLAN_CONSTANTS_OURS, PLAN_MECHANISM_POLL, &target, plan->queries, &box);
  error_capture(NULL, 0);
  if (!code) line->poll_cause[0] = '\0';
  for (int i = 0; !code && i < 3; i++)
    line->lead[i] = plan_miss_distance(&box, PLAN_KIND_POLL, command_plan_wrong[i]);
  plan_free(&box);
}

static void command_plan_advice_teachers(const struct command_plan *plan, struct plan_target target,
                                         struct command_plan_advice *line) {
  struct plan_setting setting = {.units = plan->beliefs.records, .queries = plan->queries, .classes = plan->classes};
  struct plan_box box = {0};
  int code;
  setting.mechanism = plan->mechanism == COMMAND_PLAN_OPEN ? plan_advise_mechanism(plan->classes)
                                                           : (enum plan_mechanism)plan->mechanism;
  line->mechanism = setting.mechanism;
  error_capture(line->cause, sizeof line->cause);
  code = plan_advise(&target, &setting, &line->teachers);
  if (!code) code = plan_constants_make(PLAN_CONSTANTS_OURS, setting.mechanism, &target, plan->queries, &box);
  if (!code) code = plan_advise_enough(&box, line->teachers);
  error_capture(NULL, 0);
  if (!code) {
    uint32_t agreeing = (uint32_t)floor((1 - plan->beliefs.error_rate) * line->teachers + 0.5);
    enum plan_kind kind = plan_limit(&box).answers ? PLAN_KIND_TOLL : PLAN_KIND_METER;
    line->cause[0] = '\0';
    line->limit = plan_limit(&box);
    line->unanimous = plan_miss(&box, kind, plan_vote_distance(line->teachers, line->teachers));
    line->expected = plan_miss(&box, kind, plan_vote_distance(line->teachers, agreeing));
  }
  plan_free(&box);
}

static void command_plan_advice_text(const struct command_plan *plan, const struct command_plan_advice *line) {
  char limit[PLAN_QUOTA_TEXT];
  printf("epsilon %s\n  poll      ", line->epsilon);
  if (line->poll_cause[0])
    printf("%s\n", line->poll_cause);
  else
    printf("%u questions to about %u records each, %u votes per record; right 75, 90, 95 %% at a lead of %d, %d, %d\n",
           line->rule.questions, line->rule.voters, line->rule.votes, (int)line->lead[0], (int)line->lead[1],
           (int)line->lead[2]);
  if (line->cause[0]) {
    printf("  teachers  %s\n", line->cause);
    return;
  }
  printf("  teachers  %s, %u of %" PRIu64 " records each, %s; where all agree a query fails in %.1f %%",
         plan_mechanism_name(line->mechanism), line->teachers, plan->beliefs.records / line->teachers,
         plan_quota_print(line->limit, limit), 100 * line->unanimous);
  if (plan->beliefs.error_rate > 0)
    printf(", where %g %% err in %.1f %%", 100 * plan->beliefs.error_rate, 100 * line->expected);
  putchar('\n');
}

static void command_plan_advice_json(const struct command_plan *plan, const struct command_plan_advice *line,
                                     struct json *json) {
  static const char *const right[] = {"75", "90", "95"};
  json_open(json, NULL, '{', 0);
  json_string(json, "epsilon", line->epsilon);
  json_open(json, "poll", '{', 0);
  if (line->poll_cause[0]) json_string(json, "cause", line->poll_cause);
  json_print(json, "questions", "%u", line->rule.questions);
  json_print(json, "voters_asked", "%u", line->rule.voters);
  json_print(json, "votes", "%u", line->rule.votes);
  json_open(json, "right_lead", '{', 0);
  for (int i = 0; i < 3 && !line->poll_cause[0]; i++)
    json_print(json, right[i], "%u", line->lead[i]);
  json_close(json);
  json_close(json);
  json_open(json, "teachers", '{', 0);
  json_string(json, "mechanism", plan_mechanism_name(line->mechanism));
  if (line->cause[0]) {
    json_string(json, "cause", line->cause);
  } else {
    json_print(json, "teachers", "%u", line->teachers);
    json_print(json, "silences", "%u", line->limit.silences);
    json_print(json, "answers", "%u", line->limit.answers);
    json_print(json, "fails_unanimous", "%.6f", line->unanimous);
    if (plan->beliefs.error_rate > 0) json_print(json, "fails", "%.6f", line->expected);
  }
  json_close(json);
  json_close(json);
}

/* What the given epsilon buys, or each of several. A program cannot say which of them is right. */
static int command_plan_advise(const struct command_plan *plan) {
  size_t count = plan->target.epsilon_den ? 1 : sizeof command_plan_epsilons / sizeof *command_plan_epsilons;
  struct json out = {.out = stdout};
  if (plan->json) json_open(&out, NULL, '{', 1);
  if (plan->json) json_open(&out, "plans", '[', 1);
  for (size_t i = 0; i < count; i++) {
    struct plan_target one = plan->target;
    struct command_plan_advice line = {0};
    int code = one.epsilon_den ? EXIT_OK : plan_target_epsilon(&one, "--epsilon", command_plan_epsilons[i]);
    if (code) return code;
    rational_print(one.epsilon_num, one.epsilon_den, line.epsilon);
    command_plan_advice_poll(plan, one, &line);
    command_plan_advice_teachers(plan, one, &line);
    if (plan->json)
      command_plan_advice_json(plan, &line, &out);
    else
      command_plan_advice_text(plan, &line);
  }
  if (plan->json) {
    json_close(&out);
    json_close(&out);
  } else {
    puts("How much epsilon to spend is your decision: a smaller one protects more. fumata learn --dry-run tries it on "
         "your files.");
  }
  return EXIT_OK;
}

/* Names everything that is missing in one line. */
static int command_plan_check_advise(struct command_plan *plan) {
  const struct {
    const char *text;
    int is_given;
  } needed[] = {{"--delta D (say 1e-5)", plan->target.delta_den > 0},
                {"--about N (about how many private records there are)", plan->beliefs.records > 0},
                {"--classes C (how many classes)", plan->classes > 0},
                {"--queries M (how many public records)", plan->queries > 0}};
  char missing[256] = "";
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!needed[i].is_given)
      snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", missing[0] ? ", " : "",
               needed[i].text);
  if (missing[0]) return error_report(EXIT_INPUT, "--advise needs %s", missing);
  if (plan->classes == 1) return error_report(EXIT_INPUT, "--classes: at least two");
  if (plan->output || plan->code || plan->compare)
    return error_report(EXIT_INPUT, "--advise does not make a plan: leave out -o, --c and --compare");
  return EXIT_OK;
}

/* ---- the command ---- */

int command_plan(int argc, char **argv) {
  struct command_plan plan = {.mechanism = COMMAND_PLAN_OPEN};
  struct plan_box box = {0};
  struct options_rest rest;
  int is_whole, code = options_parse(&command_plan_command, argc, argv, &plan, &rest);
  if (code || rest.is_help) return code;
  if (plan.paper) plan.constants = PLAN_CONSTANTS_BASSILY;
  if (plan.target.votes || plan.mechanism == PLAN_MECHANISM_POLL) code = command_plan_check_poll(&plan);
  if (code) return code;
  if (plan.advise) {
    code = command_plan_check_advise(&plan);
    return code ? code : command_plan_advise(&plan);
  }
  command_plan_settle(&plan);
  code = command_plan_check(&plan);
  if (!code && plan.output) code = output_allow(plan.output, plan.force, (const char *const[]){NULL});
  if (code) return code;
  is_whole = plan.target.epsilon_den && (plan.target.silences || plan.target.answers || plan.target.votes);
  if (plan.constants == PLAN_CONSTANTS_OURS && !is_whole)
    code = command_plan_solve(&plan, &box);
  else
    code = plan_constants_make((enum plan_constants)plan.constants, (enum plan_mechanism)plan.mechanism, &plan.target,
                               plan.queries, &box);
  if (!code && plan.output) code = plan_file_write(plan.output, &box);
  if (!code && plan.code)
    plan_file_print_code(stdout, plan.prefix, &box);
  else if (!code)
    plan_report_print(&(struct plan_report){.box = &box,
                                            .queries = plan.queries,
                                            .teachers = plan.teachers,
                                            .beliefs = plan.beliefs,
                                            .target = plan.target},
                      plan.compare, plan.json);
  plan_free(&box);
  return code;
}

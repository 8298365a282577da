/* fumata plan: what a budget buys, certified before it is printed. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rational.h"
#include "command/commands.h"
#include "core/ballot.h"
#include "plan/plan_classic.h"
#include "plan/plan_code.h"
#include "plan/plan_file.h"
#include "plan/plan_meter.h"

static const char command_plan_help[] =
    "usage: fumata plan --epsilon E --delta D --silences T [OPTION...]\n"
    "\n"
    "Says what (E, D)-differential privacy buys when a life of answers may fall silent T times, and writes the plan\n"
    "that `fumata answer` and `fumata learn` follow. Every plan printed was accepted by the proved core.\n"
    "\n"
    "  fumata plan --epsilon 1 --delta 1e-5 --silences 20              how many teachers must agree?\n"
    "  fumata plan --epsilon 1 --delta 1e-5 --silences 20 -o one.plan  ... and keep the plan\n"
    "  fumata plan --epsilon 1 --delta 1e-5 --teachers 250             the most silences that 250 teachers can pay\n"
    "  fumata plan --delta 1e-5 --silences 100 --teachers 250          the smallest epsilon for 250 teachers\n"
    "\n"
    "  --epsilon E        a decimal or a fraction, taken exactly: 0.5, 3.16, 1/3\n"
    "  --delta D          likewise, below 1: 1e-5\n"
    "  --silences T       1 to 1000000\n"
    "  --mechanism M      meter (the default) or classic, the paper's Algorithm 2 with the tightest noise found\n"
    "  --paper            classic with the paper's own constants; says the epsilon that they really cost\n"
    "  --teachers K       show shares of K teachers; without --silences or --epsilon, solve for what is missing\n"
    "  --agreement A      then a vote in which this share of the teachers agrees (0.9) ...\n"
    "  --silence S        ... is met with silence at most this often (0.05)\n"
    "  --queries M        the number of queries that the paper's constants depend on (1000); ours do not\n"
    "  -o, --output FILE  write the plan there\n"
    "  --json             print one JSON object instead of the table\n"
    "  --c                print the plan as a C header, to link with the core\n";

struct command_plan_options {
  struct plan_target target;
  int has_epsilon, has_delta, has_silences, json, code, paper;
  enum plan_mechanism mechanism;
  uint32_t teachers; /* 0: not given */
  uint64_t queries;
  double agreement, silence;
  const char *output;
};

static int command_plan_count(const char *what, const char *text, uint64_t most, uint64_t *number) {
  struct rational ratio;
  if (rational_parse(text, &ratio) || ratio.den != 1 || ratio.num > most)
    return error_report(EXIT_INPUT, "%s: '%s' is not a whole number from 1 to %" PRIu64, what, text, most);
  *number = ratio.num;
  return EXIT_OK;
}

static int command_plan_share(const char *what, const char *text, double above, double most, double *share) {
  struct rational ratio;
  double value;
  if (rational_parse(text, &ratio) || (value = rational_value(ratio.num, ratio.den)) <= above || value > most)
    return error_report(EXIT_INPUT, "%s: '%s' is not a share above %g and up to %g", what, text, above, most);
  *share = value;
  return EXIT_OK;
}

static int command_plan_parse(int argc, char **argv, struct command_plan_options *options, int *help) {
  static const struct option names[] = {{"epsilon", required_argument, NULL, 'e'},
                                        {"delta", required_argument, NULL, 'd'},
                                        {"silences", required_argument, NULL, 't'},
                                        {"mechanism", required_argument, NULL, 'm'},
                                        {"paper", no_argument, NULL, 'p'},
                                        {"teachers", required_argument, NULL, 'k'},
                                        {"agreement", required_argument, NULL, 'a'},
                                        {"silence", required_argument, NULL, 's'},
                                        {"queries", required_argument, NULL, 'q'},
                                        {"output", required_argument, NULL, 'o'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"c", no_argument, NULL, 'c'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  int c, code = EXIT_OK, classic = 0;
  uint64_t number = 0;
  memset(options, 0, sizeof *options);
  options->queries = 1000;
  options->agreement = 0.9;
  options->silence = 0.05;
  *help = 0;
  optind = 0;
  while (!code && (c = getopt_long(argc, argv, ":o:h", names, NULL)) != -1) {
    switch (c) {
    case 'e':
      code = plan_target_epsilon(&options->target, "--epsilon", optarg);
      options->has_epsilon = 1;
      break;
    case 'd':
      code = plan_target_delta(&options->target, "--delta", optarg);
      options->has_delta = 1;
      break;
    case 't':
      code = command_plan_count("--silences", optarg, FUMATA_SILENCES_MAX, &number);
      options->target.silences = (uint32_t)number;
      options->has_silences = 1;
      break;
    case 'm':
      classic = !strcmp(optarg, "classic");
      if (!classic && strcmp(optarg, "meter"))
        code = error_report(EXIT_INPUT, "--mechanism: '%s' is neither meter nor classic", optarg);
      break;
    case 'p':
      options->paper = 1;
      break;
    case 'k':
      code = command_plan_count("--teachers", optarg, FUMATA_TEACHERS_MAX, &number);
      options->teachers = (uint32_t)number;
      break;
    case 'a':
      code = command_plan_share("--agreement", optarg, 0.5, 1, &options->agreement);
      break;
    case 's':
      code = command_plan_share("--silence", optarg, 2 * PLAN_FLOOR, 0.9, &options->silence);
      break;
    case 'q':
      code = command_plan_count("--queries", optarg, UINT64_C(1000000000000), &options->queries);
      break;
    case 'o':
      options->output = optarg;
      break;
    case 'j':
      options->json = 1;
      break;
    case 'c':
      options->code = 1;
      break;
    case 'h':
      *help = 1;
      return EXIT_OK;
    case ':':
      return error_report(EXIT_INPUT, "%s needs a value; fumata plan --help", argv[optind - 1]);
    default:
      return error_report(EXIT_INPUT, "no option '%s'; fumata plan --help", argv[optind - 1]);
    }
  }
  if (code) return code;
  if (optind < argc) return error_report(EXIT_INPUT, "'%s' is not expected here; fumata plan --help", argv[optind]);
  options->mechanism = classic || options->paper ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER;
  if (!options->has_delta) return error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (!options->has_epsilon && !options->has_silences)
    return error_report(EXIT_INPUT, "--epsilon and --silences are missing; one of them must be given");
  if ((!options->has_epsilon || !options->has_silences) && !options->teachers)
    return error_report(EXIT_INPUT, "%s is missing; with --teachers K it can be solved for",
                        options->has_epsilon ? "--silences" : "--epsilon");
  if ((!options->has_epsilon || !options->has_silences) && options->mechanism == PLAN_MECHANISM_CLASSIC)
    return error_report(EXIT_INPUT, "a classic plan needs both --epsilon and --silences");
  return EXIT_OK;
}

/* Makes the plan that the options describe and fills in what they left open. */
static int command_plan_make(struct command_plan_options *options, struct plan_box *box) {
  uint32_t agreeing = (uint32_t)floor(options->agreement * options->teachers + 1e-9);
  uint32_t distance = plan_vote_distance(options->teachers, agreeing);
  int code;
  if (options->paper) {
    if (plan_classic_paper(&options->target, options->queries, box))
      return error_report(EXIT_REFUSED, "the paper's constants give no plan that fits a table");
    return EXIT_OK;
  }
  if (options->mechanism == PLAN_MECHANISM_CLASSIC) return plan_classic_make(&options->target, NULL, box);
  if (!options->has_silences) {
    code = plan_meter_silences(&options->target, distance, options->silence, FUMATA_SILENCES_MAX, box,
                               &options->target.silences);
    if (!code && options->target.silences == 0)
      code = error_report(EXIT_REFUSED,
                          "%u teachers are too few: even with one silence a vote of %u against %u falls silent too "
                          "often",
                          options->teachers, agreeing, options->teachers - agreeing);
    return code;
  }
  if (!options->has_epsilon) {
    code = plan_meter_epsilon(&options->target, distance, options->silence, box);
    options->target.epsilon_num = box->claim.epsilon_num;
    options->target.epsilon_den = box->claim.epsilon_den;
    return code;
  }
  return plan_meter_make(&options->target, NULL, box);
}

/* What is worth knowing about a plan; UINT32_MAX stands for "never". */
struct command_plan_facts {
  uint32_t distance[3];            /* of 50 %, 5 %, 1 % silence */
  uint32_t unanimous, nine_tenths; /* teachers for an answer 95 times in 100 */
};

static const double command_plan_levels[3] = {0.5, 0.05, 0.01};

static void command_plan_look(const struct plan_box *box, struct command_plan_facts *facts) {
  int i;
  for (i = 0; i < 3; i++)
    facts->distance[i] = plan_distance(box, command_plan_levels[i]);
  facts->unanimous = plan_teachers(box, 1, 0.05);
  facts->nine_tenths = plan_teachers(box, 0.9, 0.05);
}

/* The share of `teachers` that must name one label, all others naming the same second one, to stand at `distance`;
 * above 1 when not even all of them suffice. */
static double command_plan_agreeing(uint32_t teachers, uint32_t distance) {
  return floor((teachers + 2.0 * distance + 2) / 2) / teachers;
}

static void command_plan_cell(char text[24], uint32_t number) {
  if (number == UINT32_MAX)
    strcpy(text, "-");
  else
    snprintf(text, 24, "%" PRIu32, number);
}

static void command_plan_percent(char text[24], uint32_t teachers, uint32_t distance) {
  double share = distance == UINT32_MAX ? 2 : command_plan_agreeing(teachers, distance);
  if (share > 1)
    strcpy(text, "never");
  else
    snprintf(text, 24, "%.1f %%", 100 * share);
}

static void command_plan_print(const struct command_plan_options *options, const struct plan_box *box,
                               const struct plan_box *paper, const struct plan_paper *constants) {
  struct command_plan_facts ours, theirs;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], a[24], b[24], c[24], d[24], scale[48];
  uint32_t teachers = options->teachers;
  int i;
  command_plan_look(box, &ours);
  memset(&theirs, 0xff, sizeof theirs);
  if (paper->memory[0]) command_plan_look(paper, &theirs);
  if (!teachers) teachers = ours.nine_tenths == UINT32_MAX ? 1000 : ours.nine_tenths;
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("%s plan, certified by the core: epsilon %s, delta %s, %" PRIu32 " silences\n",
         box->mechanism == PLAN_MECHANISM_METER ? "meter" : "classic", epsilon, delta, plan_limit(box));
  if (box->mechanism == PLAN_MECHANISM_METER) {
    printf("  alpha %" PRIu32 ", V %.9f, a table of %" PRIu32
           " distances; 1 - p at distance 1 is %.3g, p at the end %.3g\n",
           box->claim.alpha, ldexp((double)box->claim.v, -32), box->meter.size,
           ldexp((double)(0 - box->meter.silence[0]), -64),
           ldexp((double)box->meter.silence[box->meter.size - 1], -64));
  } else
    printf("  alpha %" PRIu32 ", width %" PRId64 ", tables of %" PRIu32 " and %" PRIu32 " entries\n", box->claim.alpha,
           box->classic.width, box->classic.threshold.size, box->classic.query.size);
  snprintf(scale, sizeof scale, "of %" PRIu32 " teachers", teachers);
  printf("\n%-36s %10s %20s   %s\n", "", "this plan", scale, "the paper's constants");
  for (i = 0; i < 3; i++) {
    char label[48];
    snprintf(label, sizeof label, "silence falls to %g %% at distance", 100 * command_plan_levels[i]);
    command_plan_cell(a, ours.distance[i]);
    command_plan_percent(b, teachers, ours.distance[i]);
    command_plan_cell(c, theirs.distance[i]);
    command_plan_percent(d, teachers, theirs.distance[i]);
    if (theirs.distance[i] == UINT32_MAX)
      printf("%-36s %10s %20s   -\n", label, a, b);
    else
      printf("%-36s %10s %20s   %s (%s)\n", label, a, b, c, d);
  }
  command_plan_cell(a, ours.unanimous);
  command_plan_cell(c, theirs.unanimous);
  printf("%-36s %10s %20s   %s\n", "teachers, unanimous, 95 % answered", a, "", c);
  command_plan_cell(a, ours.nine_tenths);
  command_plan_cell(c, theirs.nine_tenths);
  printf("%-36s %10s %20s   %s\n", "teachers, 90 % agree, 95 % answered", a, "", c);
  printf("\nthe paper (Algorithm 2, m = %" PRIu64 "): lambda %.1f, w %.0f, k %.0f teachers", options->queries,
         constants->lambda, constants->width, constants->teachers);
  if (paper->memory[0]) {
    rational_print(paper->claim.epsilon_num, paper->claim.epsilon_den, epsilon);
    printf("; the core certifies it at epsilon %s\n", epsilon);
  } else
    printf("; its noise does not fit a table here\n");
}

static void command_plan_json_number(const char *name, uint32_t number) {
  if (number == UINT32_MAX)
    printf("\"%s\": null", name);
  else
    printf("\"%s\": %" PRIu32, name, number);
}

static void command_plan_json_facts(const struct plan_box *box, uint32_t teachers) {
  static const char *const names[3] = {"50", "5", "1"};
  struct command_plan_facts facts;
  int i;
  command_plan_look(box, &facts);
  printf("\"distance\": {");
  for (i = 0; i < 3; i++) {
    fputs(i ? ", " : "", stdout);
    command_plan_json_number(names[i], facts.distance[i]);
  }
  printf("}, ");
  if (teachers) {
    printf("\"agreeing\": {");
    for (i = 0; i < 3; i++) {
      double share = facts.distance[i] == UINT32_MAX ? 2 : command_plan_agreeing(teachers, facts.distance[i]);
      if (share > 1)
        printf("%s\"%s\": null", i ? ", " : "", names[i]);
      else
        printf("%s\"%s\": %.6g", i ? ", " : "", names[i], share);
    }
    printf("}, ");
  }
  command_plan_json_number("teachers_unanimous", facts.unanimous);
  printf(", ");
  command_plan_json_number("teachers_nine_tenths", facts.nine_tenths);
}

static void command_plan_json(const struct command_plan_options *options, const struct plan_box *box,
                              const struct plan_box *paper, const struct plan_paper *constants) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("{\"certified\": true, \"mechanism\": \"%s\", \"epsilon\": \"%s\", \"delta\": \"%s\", \"silences\": %" PRIu32
         ", \"alpha\": %" PRIu32 ", ",
         box->mechanism == PLAN_MECHANISM_METER ? "meter" : "classic", epsilon, delta, plan_limit(box),
         box->claim.alpha);
  if (box->mechanism == PLAN_MECHANISM_METER)
    printf("\"v\": %" PRIu64 ", \"size\": %" PRIu32 ", ", box->claim.v, box->meter.size);
  else
    printf("\"width\": %" PRId64 ", \"sizes\": [%" PRIu32 ", %" PRIu32 "], ", box->classic.width,
           box->classic.threshold.size, box->classic.query.size);
  if (options->teachers) printf("\"teachers\": %" PRIu32 ", ", options->teachers);
  command_plan_json_facts(box, options->teachers);
  printf(", \"paper\": {\"queries\": %" PRIu64 ", \"lambda\": %.6g, \"width\": %.6g, \"teachers\": %.6g",
         options->queries, constants->lambda, constants->width, constants->teachers);
  if (paper->memory[0]) {
    rational_print(paper->claim.epsilon_num, paper->claim.epsilon_den, epsilon);
    printf(", \"certified_epsilon\": \"%s\", ", epsilon);
    command_plan_json_facts(paper, options->teachers);
  }
  printf("}}\n");
}

int command_plan(int argc, char **argv) {
  struct command_plan_options options;
  struct plan_box box, paper;
  struct plan_paper constants;
  int help, code = command_plan_parse(argc, argv, &options, &help);
  if (code) return code;
  if (help) {
    fputs(command_plan_help, stdout);
    return EXIT_OK;
  }
  memset(&box, 0, sizeof box);
  memset(&paper, 0, sizeof paper);
  code = command_plan_make(&options, &box);
  if (!code && options.output) code = plan_file_write(options.output, &box);
  if (!code && options.code)
    plan_code_print(stdout, &box);
  else if (!code) {
    plan_classic_constants(&options.target, options.queries, 0.1, &constants);
    plan_classic_paper(&options.target, options.queries, &paper);
    (options.json ? command_plan_json : command_plan_print)(&options, &box, &paper, &constants);
  }
  if (!code && (fflush(stdout) || ferror(stdout))) code = error_report(EXIT_SYSTEM, "standard output: cannot write");
  plan_free(&box);
  plan_free(&paper);
  return code;
}

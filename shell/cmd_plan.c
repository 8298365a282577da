/* fumata plan: what a budget buys, certified before it is printed. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballot.h"
#include "commands.h"
#include "plancode.h"
#include "planfile.h"
#include "planner.h"
#include "planner_classic.h"
#include "rational.h"
#include "say.h"

static const char fumata_plan_help[] =
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

typedef struct {
  fumata_target target;
  int has_epsilon, has_delta, has_silences, json, code, paper;
  fumata_mechanism mechanism;
  uint32_t teachers; /* 0: not given */
  uint64_t queries;
  double agreement, silence;
  const char *output;
} fumata_plan_options;

static int fumata_plan_count(const char *what, const char *text, uint64_t most, uint64_t *number) {
  fumata_rational ratio;
  if (fumata_rational_parse(text, &ratio) || ratio.den != 1 || ratio.num > most)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: '%s' is not a whole number from 1 to %" PRIu64, what, text, most);
  *number = ratio.num;
  return FUMATA_EXIT_OK;
}

static int fumata_plan_share(const char *what, const char *text, double above, double most, double *share) {
  fumata_rational ratio;
  double value;
  if (fumata_rational_parse(text, &ratio) || (value = fumata_rational_value(ratio.num, ratio.den)) <= above ||
      value > most)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: '%s' is not a share above %g and up to %g", what, text, above,
                            most);
  *share = value;
  return FUMATA_EXIT_OK;
}

static int fumata_plan_parse(int argc, char **argv, fumata_plan_options *options, int *help) {
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
  int c, code = FUMATA_EXIT_OK, classic = 0;
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
      code = fumata_target_epsilon(&options->target, "--epsilon", optarg);
      options->has_epsilon = 1;
      break;
    case 'd':
      code = fumata_target_delta(&options->target, "--delta", optarg);
      options->has_delta = 1;
      break;
    case 't':
      code = fumata_plan_count("--silences", optarg, FUMATA_SILENCES_MAX, &number);
      options->target.silences = (uint32_t)number;
      options->has_silences = 1;
      break;
    case 'm':
      classic = !strcmp(optarg, "classic");
      if (!classic && strcmp(optarg, "meter"))
        code = fumata_say_error(FUMATA_EXIT_INPUT, "--mechanism: '%s' is neither meter nor classic", optarg);
      break;
    case 'p':
      options->paper = 1;
      break;
    case 'k':
      code = fumata_plan_count("--teachers", optarg, FUMATA_TEACHERS_MAX, &number);
      options->teachers = (uint32_t)number;
      break;
    case 'a':
      code = fumata_plan_share("--agreement", optarg, 0.5, 1, &options->agreement);
      break;
    case 's':
      code = fumata_plan_share("--silence", optarg, 2 * FUMATA_PLANNER_FLOOR, 0.9, &options->silence);
      break;
    case 'q':
      code = fumata_plan_count("--queries", optarg, UINT64_C(1000000000000), &options->queries);
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
      return FUMATA_EXIT_OK;
    case ':':
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s needs a value; fumata plan --help", argv[optind - 1]);
    default:
      return fumata_say_error(FUMATA_EXIT_INPUT, "no option '%s'; fumata plan --help", argv[optind - 1]);
    }
  }
  if (code) return code;
  if (optind < argc)
    return fumata_say_error(FUMATA_EXIT_INPUT, "'%s' is not expected here; fumata plan --help", argv[optind]);
  options->mechanism = classic || options->paper ? FUMATA_MECHANISM_CLASSIC : FUMATA_MECHANISM_METER;
  if (!options->has_delta) return fumata_say_error(FUMATA_EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (!options->has_epsilon && !options->has_silences)
    return fumata_say_error(FUMATA_EXIT_INPUT, "--epsilon and --silences are missing; one of them must be given");
  if ((!options->has_epsilon || !options->has_silences) && !options->teachers)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s is missing; with --teachers K it can be solved for",
                            options->has_epsilon ? "--silences" : "--epsilon");
  if ((!options->has_epsilon || !options->has_silences) && options->mechanism == FUMATA_MECHANISM_CLASSIC)
    return fumata_say_error(FUMATA_EXIT_INPUT, "a classic plan needs both --epsilon and --silences");
  return FUMATA_EXIT_OK;
}

/* Makes the plan that the options describe and fills in what they left open. */
static int fumata_plan_make(fumata_plan_options *options, fumata_plan_box *box) {
  uint32_t agreeing = (uint32_t)floor(options->agreement * options->teachers + 1e-9);
  uint32_t distance = fumata_plan_vote_distance(options->teachers, agreeing);
  int code;
  if (options->paper) {
    if (fumata_planner_paper(&options->target, options->queries, box))
      return fumata_say_error(FUMATA_EXIT_REFUSED, "the paper's constants give no plan that fits a table");
    return FUMATA_EXIT_OK;
  }
  if (options->mechanism == FUMATA_MECHANISM_CLASSIC) return fumata_planner_classic(&options->target, NULL, box);
  if (!options->has_silences) {
    code = fumata_planner_silences(&options->target, distance, options->silence, FUMATA_SILENCES_MAX, box,
                                   &options->target.silences);
    if (!code && options->target.silences == 0)
      code = fumata_say_error(FUMATA_EXIT_REFUSED,
                              "%u teachers are too few: even with one silence a vote of %u against %u falls silent too "
                              "often",
                              options->teachers, agreeing, options->teachers - agreeing);
    return code;
  }
  if (!options->has_epsilon) {
    code = fumata_planner_epsilon(&options->target, distance, options->silence, box);
    options->target.epsilon_num = box->claim.epsilon_num;
    options->target.epsilon_den = box->claim.epsilon_den;
    return code;
  }
  return fumata_planner_meter(&options->target, NULL, box);
}

/* What is worth knowing about a plan; UINT32_MAX stands for "never". */
typedef struct {
  uint32_t distance[3];            /* of 50 %, 5 %, 1 % silence */
  uint32_t unanimous, nine_tenths; /* teachers for an answer 95 times in 100 */
} fumata_plan_facts;

static const double fumata_plan_levels[3] = {0.5, 0.05, 0.01};

static void fumata_plan_look(const fumata_plan_box *box, fumata_plan_facts *facts) {
  int i;
  for (i = 0; i < 3; i++)
    facts->distance[i] = fumata_plan_distance(box, fumata_plan_levels[i]);
  facts->unanimous = fumata_plan_teachers(box, 1, 0.05);
  facts->nine_tenths = fumata_plan_teachers(box, 0.9, 0.05);
}

/* The share of `teachers` that must name one label, all others naming the same second one, to stand at `distance`;
 * above 1 when not even all of them suffice. */
static double fumata_plan_agreeing(uint32_t teachers, uint32_t distance) {
  return floor((teachers + 2.0 * distance + 2) / 2) / teachers;
}

static void fumata_plan_cell(char text[24], uint32_t number) {
  if (number == UINT32_MAX)
    strcpy(text, "-");
  else
    snprintf(text, 24, "%" PRIu32, number);
}

static void fumata_plan_percent(char text[24], uint32_t teachers, uint32_t distance) {
  double share = distance == UINT32_MAX ? 2 : fumata_plan_agreeing(teachers, distance);
  if (share > 1)
    strcpy(text, "never");
  else
    snprintf(text, 24, "%.1f %%", 100 * share);
}

static void fumata_plan_print(const fumata_plan_options *options, const fumata_plan_box *box,
                              const fumata_plan_box *paper, const fumata_paper *constants) {
  fumata_plan_facts ours, theirs;
  char epsilon[FUMATA_RATIONAL_TEXT], delta[FUMATA_RATIONAL_TEXT], a[24], b[24], c[24], d[24], scale[48];
  uint32_t teachers = options->teachers;
  int i;
  fumata_plan_look(box, &ours);
  memset(&theirs, 0xff, sizeof theirs);
  if (paper->memory[0]) fumata_plan_look(paper, &theirs);
  if (!teachers) teachers = ours.nine_tenths == UINT32_MAX ? 1000 : ours.nine_tenths;
  fumata_rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  fumata_rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("%s plan, certified by the core: epsilon %s, delta %s, %" PRIu32 " silences\n",
         box->mechanism == FUMATA_MECHANISM_METER ? "meter" : "classic", epsilon, delta, fumata_plan_limit(box));
  if (box->mechanism == FUMATA_MECHANISM_METER) {
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
    snprintf(label, sizeof label, "silence falls to %g %% at distance", 100 * fumata_plan_levels[i]);
    fumata_plan_cell(a, ours.distance[i]);
    fumata_plan_percent(b, teachers, ours.distance[i]);
    fumata_plan_cell(c, theirs.distance[i]);
    fumata_plan_percent(d, teachers, theirs.distance[i]);
    if (theirs.distance[i] == UINT32_MAX)
      printf("%-36s %10s %20s   -\n", label, a, b);
    else
      printf("%-36s %10s %20s   %s (%s)\n", label, a, b, c, d);
  }
  fumata_plan_cell(a, ours.unanimous);
  fumata_plan_cell(c, theirs.unanimous);
  printf("%-36s %10s %20s   %s\n", "teachers, unanimous, 95 % answered", a, "", c);
  fumata_plan_cell(a, ours.nine_tenths);
  fumata_plan_cell(c, theirs.nine_tenths);
  printf("%-36s %10s %20s   %s\n", "teachers, 90 % agree, 95 % answered", a, "", c);
  printf("\nthe paper (Algorithm 2, m = %" PRIu64 "): lambda %.1f, w %.0f, k %.0f teachers", options->queries,
         constants->lambda, constants->width, constants->teachers);
  if (paper->memory[0]) {
    fumata_rational_print(paper->claim.epsilon_num, paper->claim.epsilon_den, epsilon);
    printf("; the core certifies it at epsilon %s\n", epsilon);
  } else
    printf("; its noise does not fit a table here\n");
}

static void fumata_plan_json_number(const char *name, uint32_t number) {
  if (number == UINT32_MAX)
    printf("\"%s\": null", name);
  else
    printf("\"%s\": %" PRIu32, name, number);
}

static void fumata_plan_json_facts(const fumata_plan_box *box, uint32_t teachers) {
  static const char *const names[3] = {"50", "5", "1"};
  fumata_plan_facts facts;
  int i;
  fumata_plan_look(box, &facts);
  printf("\"distance\": {");
  for (i = 0; i < 3; i++) {
    fputs(i ? ", " : "", stdout);
    fumata_plan_json_number(names[i], facts.distance[i]);
  }
  printf("}, ");
  if (teachers) {
    printf("\"agreeing\": {");
    for (i = 0; i < 3; i++) {
      double share = facts.distance[i] == UINT32_MAX ? 2 : fumata_plan_agreeing(teachers, facts.distance[i]);
      if (share > 1)
        printf("%s\"%s\": null", i ? ", " : "", names[i]);
      else
        printf("%s\"%s\": %.6g", i ? ", " : "", names[i], share);
    }
    printf("}, ");
  }
  fumata_plan_json_number("teachers_unanimous", facts.unanimous);
  printf(", ");
  fumata_plan_json_number("teachers_nine_tenths", facts.nine_tenths);
}

static void fumata_plan_json(const fumata_plan_options *options, const fumata_plan_box *box,
                             const fumata_plan_box *paper, const fumata_paper *constants) {
  char epsilon[FUMATA_RATIONAL_TEXT], delta[FUMATA_RATIONAL_TEXT];
  fumata_rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  fumata_rational_print(box->claim.delta_num, box->claim.delta_den, delta);
  printf("{\"certified\": true, \"mechanism\": \"%s\", \"epsilon\": \"%s\", \"delta\": \"%s\", \"silences\": %" PRIu32
         ", \"alpha\": %" PRIu32 ", ",
         box->mechanism == FUMATA_MECHANISM_METER ? "meter" : "classic", epsilon, delta, fumata_plan_limit(box),
         box->claim.alpha);
  if (box->mechanism == FUMATA_MECHANISM_METER)
    printf("\"v\": %" PRIu64 ", \"size\": %" PRIu32 ", ", box->claim.v, box->meter.size);
  else
    printf("\"width\": %" PRId64 ", \"sizes\": [%" PRIu32 ", %" PRIu32 "], ", box->classic.width,
           box->classic.threshold.size, box->classic.query.size);
  if (options->teachers) printf("\"teachers\": %" PRIu32 ", ", options->teachers);
  fumata_plan_json_facts(box, options->teachers);
  printf(", \"paper\": {\"queries\": %" PRIu64 ", \"lambda\": %.6g, \"width\": %.6g, \"teachers\": %.6g",
         options->queries, constants->lambda, constants->width, constants->teachers);
  if (paper->memory[0]) {
    fumata_rational_print(paper->claim.epsilon_num, paper->claim.epsilon_den, epsilon);
    printf(", \"certified_epsilon\": \"%s\", ", epsilon);
    fumata_plan_json_facts(paper, options->teachers);
  }
  printf("}}\n");
}

int fumata_cmd_plan(int argc, char **argv) {
  fumata_plan_options options;
  fumata_plan_box box, paper;
  fumata_paper constants;
  int help, code = fumata_plan_parse(argc, argv, &options, &help);
  if (code) return code;
  if (help) {
    fputs(fumata_plan_help, stdout);
    return FUMATA_EXIT_OK;
  }
  memset(&box, 0, sizeof box);
  memset(&paper, 0, sizeof paper);
  code = fumata_plan_make(&options, &box);
  if (!code && options.output) code = fumata_planfile_write(options.output, &box);
  if (!code && options.code)
    fumata_plancode_print(stdout, &box);
  else if (!code) {
    fumata_paper_constants(&options.target, options.queries, 0.1, &constants);
    fumata_planner_paper(&options.target, options.queries, &paper);
    (options.json ? fumata_plan_json : fumata_plan_print)(&options, &box, &paper, &constants);
  }
  if (!code && (fflush(stdout) || ferror(stdout)))
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "standard output: cannot write");
  fumata_plan_free(&box);
  fumata_plan_free(&paper);
  return code;
}

/* fumata certify: somebody's plan, and nothing but the proved core to judge it. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/rational.h"
#include "command/commands.h"
#include "plan/plan_file.h"

static const char certify_help[] =
    "usage: fumata certify FILE [--epsilon E] [--delta D]\n"
    "\n"
    "Runs the proved certificate on a plan file, whoever made it: exit code 0 if the plan keeps its claim, 1 if it\n"
    "does not (and which inequality fails where), 2 if the file is no plan.\n"
    "\n"
    "  fumata certify one.plan                               the claim that the file makes\n"
    "  fumata certify one.plan --epsilon 0.99 --delta 1e-5   a claim of your own about the same tables\n";

/* The core names one inequality and a place in the tables; the operator reads a sentence. */
static int certify_refuse(const char *path, const struct plan_box *box, const fumata_fault *fault) {
  const int meter = box->mechanism == PLAN_MECHANISM_METER;
  const uint32_t index = fault->index, size = box->classic.threshold.size;
  char cause[160] = "the core refuses it";
  switch (fault->kind) {
  case FUMATA_FAULT_CLAIM:
    strcpy(cause, "epsilon, delta, alpha or V is out of range");
    break;
  case FUMATA_FAULT_LIMIT:
    strcpy(cause, "the number of silences is out of range");
    break;
  case FUMATA_FAULT_TABLE:
    if (meter)
      snprintf(cause, sizeof cause, "the table is zero or rises at distance %" PRIu32, index + 1);
    else
      snprintf(cause, sizeof cause, "the %s is out of order or out of range",
               index == 0   ? "table of the threshold"
               : index == 1 ? "table of the query noise"
                            : "width");
    break;
  case FUMATA_FAULT_STEP:
    snprintf(cause, sizeof cause,
             "silence falls too fast between distances %" PRIu32 " and %" PRIu32 " (Theorem M (a))", index, index + 1);
    break;
  case FUMATA_FAULT_FIRST:
    strcpy(cause, "the silence at distance 1 is too rare for V (Theorem M (b))");
    break;
  case FUMATA_FAULT_RATIO:
    if (index <= size)
      snprintf(cause, sizeof cause, "the threshold noise has an unbounded ratio at outcome %" PRId64 " (Theorem C)",
               box->classic.threshold.first + (int64_t)index);
    else
      snprintf(cause, sizeof cause, "the query noise has an unbounded ratio at outcome %" PRId64 " (Theorem C)",
               box->classic.query.first + (int64_t)(index - size - 1));
    break;
  case FUMATA_FAULT_TOTAL:
    snprintf(cause, sizeof cause, "the total exceeds delta (Theorem %s)", meter ? "M" : "C");
    break;
  case FUMATA_FAULT_NONE:
    break;
  }
  return error_report(EXIT_REFUSED, "%s: not certified: %s", path, cause);
}

int command_certify(int argc, char **argv) {
  static const struct option names[] = {{"epsilon", required_argument, NULL, 'e'},
                                        {"delta", required_argument, NULL, 'd'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  struct plan_target target = {0, 0, 0, 0, 0};
  struct plan_box box;
  fumata_fault fault = {FUMATA_FAULT_NONE, 0};
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  int c, code = EXIT_OK;
  optind = 0;
  while (!code && (c = getopt_long(argc, argv, ":h", names, NULL)) != -1) {
    switch (c) {
    case 'e':
      code = plan_target_epsilon(&target, "--epsilon", optarg);
      break;
    case 'd':
      code = plan_target_delta(&target, "--delta", optarg);
      break;
    case 'h':
      fputs(certify_help, stdout);
      return EXIT_OK;
    case ':':
      return error_report(EXIT_INPUT, "%s needs a value; fumata certify --help", argv[optind - 1]);
    default:
      return error_report(EXIT_INPUT, "no option '%s'; fumata certify --help", argv[optind - 1]);
    }
  }
  if (code) return code;
  if (optind + 1 != argc) return error_report(EXIT_INPUT, "one plan file is expected; fumata certify --help");
  code = plan_file_read(argv[optind], &box);
  if (code) return code;
  if (target.epsilon_den) {
    box.claim.epsilon_num = target.epsilon_num;
    box.claim.epsilon_den = target.epsilon_den;
  }
  if (target.delta_den) {
    box.claim.delta_num = target.delta_num;
    box.claim.delta_den = target.delta_den;
  }
  if (plan_certify(&box, &box.claim, &fault) == FUMATA_OK) {
    rational_print(box.claim.epsilon_num, box.claim.epsilon_den, epsilon);
    rational_print(box.claim.delta_num, box.claim.delta_den, delta);
    printf("%s: certified: %s, epsilon %s, delta %s, %" PRIu32 " silences\n", argv[optind],
           box.mechanism == PLAN_MECHANISM_METER ? "meter" : "classic", epsilon, delta, plan_limit(&box));
    if (fflush(stdout) || ferror(stdout)) code = error_report(EXIT_SYSTEM, "standard output: cannot write");
  } else
    code = certify_refuse(argv[optind], &box, &fault);
  plan_free(&box);
  return code;
}

#include "plan/plan_constants.h"

#include "base/error.h"
#include "plan/mechanism.h"
#include "plan/plan_classic.h"
#include "plan/plan_gauss.h"
#include "plan/plan_poll.h"

const char *plan_constants_name(enum plan_constants constants) {
  static const char *const names[] = {"ours", "bassily", "liu", "gauss"};
  return names[constants];
}

enum plan_mechanism plan_constants_mechanism(enum plan_constants constants, const struct plan_target *target) {
  enum plan_mechanism mechanism = plan_target_mechanism(target);
  if (constants == PLAN_CONSTANTS_BASSILY || (constants == PLAN_CONSTANTS_LIU && mechanism == PLAN_MECHANISM_METER))
    return PLAN_MECHANISM_CLASSIC;
  return mechanism;
}

int plan_constants_check(enum plan_constants constants, enum plan_mechanism mechanism) {
  int is_classic = mechanism == PLAN_MECHANISM_CLASSIC, is_toll = mechanism == PLAN_MECHANISM_TOLL,
      is_poll = mechanism == PLAN_MECHANISM_POLL;
  if ((constants == PLAN_CONSTANTS_BASSILY && !is_classic) ||
      (constants == PLAN_CONSTANTS_LIU && !is_classic && !is_toll) ||
      (constants == PLAN_CONSTANTS_GAUSS && !is_toll && !is_poll))
    return error_report(EXIT_INPUT, "--constants %s: not of a %s plan", plan_constants_name(constants),
                        plan_mechanism_name(mechanism));
  return EXIT_OK;
}

/* A paper's constants, with the epsilon that they really cost. */
static int plan_constants_paper(enum plan_constants constants, enum plan_mechanism mechanism,
                                const struct plan_target *target, uint64_t queries, struct plan_box *box) {
  struct plan_paper paper;
  int failed;
  if (mechanism == PLAN_MECHANISM_TOLL) {
    failed = plan_gauss_paper(target, plan_gauss_sigma(target), box);
  } else {
    if (constants == PLAN_CONSTANTS_BASSILY)
      plan_classic_constants(target, queries, PLAN_PAPER_BETA, &paper);
    else
      plan_classic_liu(target, queries, PLAN_PAPER_BETA, &paper);
    failed = plan_classic_paper(target, &paper, box);
  }
  return failed ? error_report(EXIT_REFUSED, "the paper's constants give no plan that fits a table") : EXIT_OK;
}

int plan_constants_make(enum plan_constants constants, enum plan_mechanism mechanism, const struct plan_target *target,
                        uint64_t queries, struct plan_box *box) {
  double sigma;
  if (constants == PLAN_CONSTANTS_OURS) return mechanism_of(mechanism)->make(target, NULL, box);
  if (constants == PLAN_CONSTANTS_GAUSS && mechanism == PLAN_MECHANISM_POLL)
    return plan_poll_gauss(target, box, &sigma);
  if (constants == PLAN_CONSTANTS_GAUSS) return plan_gauss_make(target, box, &sigma);
  return plan_constants_paper(constants, mechanism, target, queries, box);
}

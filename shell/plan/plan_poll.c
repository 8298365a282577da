#include "plan/plan_poll.h"

#include <string.h>

#include "base/error.h"
#include "plan/plan_gauss.h"
#include "plan/plan_toll.h"

static const struct plan_aim plan_poll_aim = {.silence = PLAN_POLL_WRONG};

/* What a toll costs that sells as many answers as a record has votes, the poll costs. */
static struct plan_target plan_poll_toll(const struct plan_target *target) {
  struct plan_target toll = *target;
  toll.answers = target->votes;
  toll.votes = 0;
  return toll;
}

int plan_poll_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box) {
  struct plan_target toll = plan_poll_toll(target);
  int code = plan_target_votes(target);
  memset(box, 0, sizeof *box);
  if (!code) code = plan_toll_find(&toll, aim ? aim : &plan_poll_aim, box);
  if (!code) box->mechanism = PLAN_MECHANISM_POLL;
  return code < 0 ? plan_refuse(target) : code;
}

int plan_poll_gauss(const struct plan_target *target, struct plan_box *box, double *sigma) {
  struct plan_target toll = plan_poll_toll(target);
  int code = plan_target_votes(target);
  memset(box, 0, sizeof *box);
  if (!code) code = plan_gauss_make(&toll, box, sigma);
  if (!code) box->mechanism = PLAN_MECHANISM_POLL;
  return code;
}

/* ---- what plans of this mechanism are like: a toll's, but for the limit ---- */

/* A toll may have more answers than a record can have votes. */
static fumata_status plan_poll_certify(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault) {
  if (box->toll.limit <= FUMATA_POLL_VOTES_MAX) return fumata_certify_toll(&box->toll, claim, fault);
  *fault = (fumata_fault){FUMATA_FAULT_ANSWERS, 0};
  return FUMATA_ERR_LIMIT;
}

const struct mechanism plan_poll_mechanism = {.name = "poll",
                                              .number = 5,
                                              .theorem = 'N',
                                              .tables = MECHANISM_NAMED,
                                              .make = plan_poll_make,
                                              .certify = plan_poll_certify,
                                              .miss = {[PLAN_KIND_POLL] = plan_toll_loser},
                                              .digest_tables = mechanism_digest_tables,
                                              .write_tables = mechanism_write_tables,
                                              .read_tables = mechanism_read_tables,
                                              .print_code = mechanism_print_code};

#include <math.h>

#include "base/error.h"
#include "plan/plan_gauss.h"
#include "plan/plan_poll.h"
#include "plan/plan_toll.h"
#include "support/plans.h"
#include "support/scratch.h"

static struct plan_target votes_target(const char *epsilon, const char *delta, uint32_t votes) {
  struct plan_target target;
  plans_target(&target, epsilon, delta, 0);
  target.votes = votes;
  return target;
}

START_TEST(test_poll_far_and_wide) {
  static const struct {
    const char *epsilon, *delta;
    uint32_t votes;
  } cases[] = {{"0.05", "1e-5", 1},  {"0.1", "1e-9", 50}, {"1", "1e-12", 10}, {"50", "1e-5", 3},
               {"1/3", "1/7", 2},    {"10", "0.5", 1},    {"2", "1e-5", 40},  {"1", "1e-5", FUMATA_POLL_VOTES_MAX},
               {"0.01", "1e-5", 100}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct plan_target target = votes_target(cases[i].epsilon, cases[i].delta, cases[i].votes);
    struct plan_box box;
    uint32_t lead;
    ck_assert_msg(plan_poll_make(&target, NULL, &box) == 0, "case %zu", i);
    plans_expect_certified(&target, &box);
    ck_assert_int_eq(box.mechanism, PLAN_MECHANISM_POLL);
    ck_assert(plan_miss(&box, PLAN_KIND_POLL, 0) == 0.5);
    ck_assert(plan_miss(&box, PLAN_KIND_POLL, UINT32_MAX) <= PLAN_FLOOR);
    ck_assert(plan_miss(&box, PLAN_KIND_TOLL, 1000000) == 1); /* it answers no query of a toll, */
    ck_assert(plan_silence(&box, 1000000) == 1);              /* nor of a meter */
    lead = plan_miss_distance(&box, PLAN_KIND_POLL, 0.1);
    ck_assert(plan_miss(&box, PLAN_KIND_POLL, lead) <= 0.1 && plan_miss(&box, PLAN_KIND_POLL, lead - 1) > 0.1);
    plan_free(&box);
  }
}
END_TEST

/* Nine answers in ten are right from these leads on. */
START_TEST(test_leads_of_nine_in_ten) {
  static const struct {
    const char *epsilon;
    uint32_t votes, lead;
  } cases[] = {{"0.5", 10, 25}, {"0.5", 40, 49}, {"1", 10, 13}, {"1", 40, 26}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct plan_target target = votes_target(cases[i].epsilon, "1e-5", cases[i].votes);
    struct plan_box box;
    ck_assert_int_eq(plan_poll_make(&target, NULL, &box), 0);
    ck_assert_uint_le(plan_miss_distance(&box, PLAN_KIND_POLL, 0.1), cases[i].lead);
    plan_free(&box);
  }
}
END_TEST

/* A poll of B votes has the table and the claim of a toll of B answers with the same aim, bit by bit. */
START_TEST(test_it_is_a_tolls_table) {
  struct plan_target target = votes_target("0.5", "1e-5", 12), sold = target;
  struct plan_aim aim = {.silence = PLAN_POLL_WRONG};
  struct plan_box poll, toll;
  fumata_fault fault;
  sold.votes = 0;
  sold.answers = 12;
  ck_assert_int_eq(plan_poll_make(&target, NULL, &poll), 0);
  ck_assert_int_eq(plan_toll_make(&sold, &aim, &toll), 0);
  ck_assert_uint_eq(poll.toll.size, toll.toll.size);
  ck_assert_mem_eq(poll.toll.named, toll.toll.named, poll.toll.size * sizeof *poll.toll.named);
  ck_assert(poll.claim.alpha == toll.claim.alpha && poll.claim.u == toll.claim.u && poll.claim.v == 0);
  ck_assert_int_eq(fumata_certify_toll(&poll.toll, &poll.claim, &fault), FUMATA_OK);
  poll.toll.limit++; /* one vote more is one too many */
  ck_assert_int_eq(plan_certify(&poll, &poll.claim, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  plan_free(&poll);
  plan_free(&toll);
}
END_TEST

/* 16 bits count the votes of a record. A table that tells nothing keeps every claim, so only the number is at fault. */
START_TEST(test_a_poll_has_no_more_votes_than_are_counted) {
  static uint64_t flat[1] = {UINT64_C(1) << 63};
  struct plan_box box = {.mechanism = PLAN_MECHANISM_POLL,
                         .claim = {1, 1, 1, 2, 2, 0, UINT64_C(1) << 32},
                         .toll = {flat, 1, FUMATA_POLL_VOTES_MAX}};
  fumata_fault fault;
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_OK);
  box.toll.limit++;
  ck_assert_int_eq(fumata_certify_toll(&box.toll, &box.claim, &fault), FUMATA_OK);
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_ERR_LIMIT);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_ANSWERS);
  box.toll.limit = 0;
  ck_assert_int_eq(plan_certify(&box, &box.claim, &fault), FUMATA_ERR_LIMIT);
}
END_TEST

START_TEST(test_poll_refuses) {
  struct plan_target target = votes_target("1/4294967295", "1e-5", 1);
  struct plan_box box;
  double sigma;
  memset(&box, 0, sizeof box);
  scratch_expect(EXIT_REFUSED, plan_poll_make(&target, NULL, &box), "with 1 vote per record");
  ck_assert_ptr_null(box.memory[1]);
  target = votes_target("1", "1e-5", 0);
  scratch_expect(EXIT_INPUT, plan_poll_make(&target, NULL, &box), "votes per record: must be 1 to 65535");
  target.votes = FUMATA_POLL_VOTES_MAX + 1;
  scratch_expect(EXIT_INPUT, plan_poll_make(&target, NULL, &box), "votes per record: must be 1 to 65535");
  scratch_expect(EXIT_INPUT, plan_poll_gauss(&target, &box, &sigma), "votes per record: must be 1 to 65535");
}
END_TEST

/* Gaussian noise is never better than the table, and is certified as a poll. */
START_TEST(test_gauss_beside_it) {
  struct plan_target target = votes_target("1", "1e-5", 40);
  struct plan_box ours, gauss;
  double sigma = 0;
  ck_assert_int_eq(plan_poll_make(&target, NULL, &ours), 0);
  ck_assert_int_eq(plan_poll_gauss(&target, &gauss, &sigma), 0);
  plans_expect_certified(&target, &gauss);
  ck_assert_int_eq(gauss.mechanism, PLAN_MECHANISM_POLL);
  ck_assert(sigma > 15 && sigma < 25);
  ck_assert_uint_le(plan_miss_distance(&ours, PLAN_KIND_POLL, 0.1), plan_miss_distance(&gauss, PLAN_KIND_POLL, 0.1));
  plan_free(&ours);
  plan_free(&gauss);
}
END_TEST

SCRATCH_MAIN("plan_poll", test_poll_far_and_wide, test_leads_of_nine_in_ten, test_it_is_a_tolls_table,
             test_a_poll_has_no_more_votes_than_are_counted, test_poll_refuses, test_gauss_beside_it)

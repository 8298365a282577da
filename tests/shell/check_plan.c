#include <math.h>

#include "base/error.h"
#include "core/ballot.h"
#include "plan/plan_meter.h"
#include "support/plans.h"
#include "support/scratch.h"

static const uint64_t table[3] = {UINT64_MAX, UINT64_MAX / 2, 1}, cdf[2] = {1, 2};
static const fumata_claim claim = {1, 2, 1, 100000, 8, UINT64_C(1) << 33, 0};

static struct plan_box meter_box(void) {
  return (struct plan_box){.mechanism = PLAN_MECHANISM_METER, .claim = claim, .meter = {table, 3, 5}};
}

static struct plan_box classic_box(void) {
  return (struct plan_box){
      .mechanism = PLAN_MECHANISM_CLASSIC, .claim = claim, .classic = {{cdf, 2, -1}, {cdf, 2, -3}, 3, 5}};
}

static const uint64_t named[2] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 5};

static struct plan_box toll_box(void) {
  return (struct plan_box){.mechanism = PLAN_MECHANISM_TOLL,
                           .claim = {1, 2, 1, 100000, 8, 0, (UINT64_C(1) << 33) + 1},
                           .toll = {named, 2, 7}};
}

static struct plan_box both_box(void) {
  struct plan_box box = toll_box();
  box.mechanism = PLAN_MECHANISM_BOTH;
  box.claim.v = claim.v;
  box.meter = meter_box().meter;
  return box;
}

static struct plan_box poll_box(void) {
  struct plan_box box = toll_box();
  box.mechanism = PLAN_MECHANISM_POLL;
  return box;
}

static void expect_digest(const struct plan_box *box, const char *wanted) {
  struct plan_terms terms;
  char text[DIGEST_TEXT];
  plan_terms(box, &terms);
  digest_print(terms.digest, text);
  ck_assert_str_eq(text, wanted);
}

/* Ledgers call plans by these digests: they can never be other ones. From a SHA-256 that is not ours. */
START_TEST(test_digests_are_for_ever) {
  struct plan_box meter = meter_box(), classic = classic_box(), toll = toll_box(), both = both_box(), poll = poll_box();
  expect_digest(&toll, "690a69aa39fe059063d52260bf130bc78c7ccf90e90451d2bfa2599bd2422abb");
  expect_digest(&both, "ce9670d4710006de8f3c7dcbe1743fabb7d7eae3722f18e7357553ae72f69dbd");
  expect_digest(&poll, "c991ff5edfaa76953aaa685ba56d270a724cfd09438fee714ffbf0d990550f37");
  expect_digest(&meter, "c59726ba0170ee924040c9a7417385f46d494f06e1cc2646d9ae04158db88bae");
  expect_digest(&classic, "225b2dc1a36b0c52f38f3ff25e957cb0a89c978641c4f34fc2f435e840519e61");
}
END_TEST

static void expect_another(const struct plan_box *one, const struct plan_box *two) {
  struct plan_terms terms_one, terms_two;
  plan_terms(one, &terms_one);
  plan_terms(two, &terms_two);
  ck_assert_mem_ne(terms_one.digest, terms_two.digest, DIGEST_SIZE);
}

/* One of the claim's numbers that every mechanism has, 0 to 4. */
static void change_claim(fumata_claim *changed, int which) {
  if (which == 0) changed->epsilon_num++;
  if (which == 1) changed->epsilon_den++;
  if (which == 2) changed->delta_num++;
  if (which == 3) changed->delta_den++;
  if (which == 4) changed->alpha++;
}

START_TEST(test_every_number_of_a_plan_is_in_its_digest) {
  struct plan_box meter = meter_box(), classic = classic_box(), other;
  uint64_t changed[3];
  int i;
  for (i = 0; i < 3; i++) {
    memcpy(changed, table, sizeof changed);
    changed[i] ^= 1;
    other = meter;
    other.meter.silence = changed;
    expect_another(&meter, &other);
  }
  for (i = 0; i < 7; i++) {
    other = meter;
    change_claim(&other.claim, i);
    if (i == 5) other.claim.v++;
    if (i == 6) other.meter.limit++;
    expect_another(&meter, &other);
  }
  for (i = 0; i < 6; i++) {
    other = classic;
    if (i == 0) other.classic.width++;
    if (i == 1) other.classic.limit++;
    if (i == 2) other.classic.threshold.first++;
    if (i == 3) other.classic.query.first++;
    if (i == 4) other.classic.threshold.size--;
    if (i == 5) other.classic.query.size--;
    expect_another(&classic, &other);
  }
}
END_TEST

START_TEST(test_every_number_of_a_plan_with_answers_is_in_its_digest) {
  struct plan_box both = both_box(), other;
  uint64_t changed[2] = {named[0] + 1, named[1]};
  for (int i = 0; i < 12; i++) {
    other = both;
    change_claim(&other.claim, i);
    if (i == 5) other.claim.v++;
    if (i == 6) other.claim.u++;
    if (i == 7) other.meter.limit++;
    if (i == 8) other.toll.limit++;
    if (i == 9) other.meter.size--;
    if (i == 10) other.toll.size--;
    if (i == 11) other.toll.named = changed;
    expect_another(&both, &other);
  }
}
END_TEST

START_TEST(test_every_number_of_a_poll_is_in_its_digest) {
  struct plan_box poll = poll_box(), toll = toll_box(), other;
  uint64_t changed[2] = {named[0] + 1, named[1]};
  for (int i = 0; i < 9; i++) {
    other = poll;
    change_claim(&other.claim, i);
    if (i == 5) other.claim.u++;
    if (i == 6) other.toll.limit++;
    if (i == 7) other.toll.size--;
    if (i == 8) other.toll.named = changed;
    expect_another(&poll, &other);
  }
  expect_another(&poll, &toll);
}
END_TEST

START_TEST(test_quotas_in_words) {
  static const struct {
    struct plan_quota quota;
    const char *words;
  } cases[] = {{{5, 0}, "5 silences"}, {{0, 400}, "400 answers"}, {{5, 400}, "5 silences and 400 answers"}};
  struct plan_box poll = poll_box(), toll = toll_box();
  char text[PLAN_QUOTA_TEXT];
  for (int i = 0; i < 3; i++)
    ck_assert_str_eq(plan_quota_print(cases[i].quota, text), cases[i].words);
  ck_assert_str_eq(plan_limit_print(&poll, text), "7 votes per record");
  ck_assert_str_eq(plan_limit_print(&toll, text), "7 answers");
}
END_TEST

START_TEST(test_a_target_has_its_mechanism) {
  struct plan_target target;
  plans_target(&target, "1", "1e-5", 5);
  ck_assert_int_eq(plan_target_mechanism(&target), PLAN_MECHANISM_METER);
  target.answers = 5;
  ck_assert_int_eq(plan_target_mechanism(&target), PLAN_MECHANISM_BOTH);
  target.silences = 0;
  ck_assert_int_eq(plan_target_mechanism(&target), PLAN_MECHANISM_TOLL);
  target.answers = 0;
  target.votes = 5;
  ck_assert_int_eq(plan_target_mechanism(&target), PLAN_MECHANISM_POLL);
}
END_TEST

START_TEST(test_mechanisms_by_name) {
  enum plan_mechanism which;
  char names[64];
  ck_assert_int_eq(mechanism_find("meter", &which), 0);
  ck_assert_int_eq(which, PLAN_MECHANISM_METER);
  ck_assert_int_eq(mechanism_find("classic", &which), 0);
  ck_assert_int_eq(which, PLAN_MECHANISM_CLASSIC);
  ck_assert_int_eq(mechanism_find("metered", &which), -1);
  ck_assert_int_eq(mechanism_find("", &which), -1);
  ck_assert_str_eq(plan_mechanism_name(which), "classic");
  mechanism_names("|", names, sizeof names);
  ck_assert_str_eq(names, "meter|classic|toll|both|poll");
}
END_TEST

START_TEST(test_targets_refuse) {
  struct plan_target target;
  memset(&target, 0, sizeof target);
  ck_assert_int_eq(plan_target_epsilon(&target, "--epsilon", "0"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_epsilon(&target, "--epsilon", "4294967296"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_delta(&target, "--delta", "1"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_delta(&target, "--delta", "x"), EXIT_INPUT);
  ck_assert_int_eq(plan_target_delta(&target, "--delta", "1e-19"), 0);
}
END_TEST

START_TEST(test_vote_distance_is_the_ballots) {
  uint32_t teachers, agreeing;
  for (teachers = 1; teachers < 60; teachers++)
    for (agreeing = (teachers + 1) / 2; agreeing <= teachers; agreeing++) {
      uint32_t counts[2] = {agreeing, teachers - agreeing};
      fumata_verdict verdict;
      ck_assert_int_eq(fumata_ballot_decide(counts, 2, &verdict), FUMATA_OK);
      ck_assert_uint_eq(plan_vote_distance(teachers, agreeing), verdict.distance);
    }
}
END_TEST

START_TEST(test_teachers_suffice) {
  static const double agreements[] = {1, 0.95, 0.9, 0.75};
  struct plan_target target;
  struct plan_box box;
  size_t i;
  plans_target(&target, "2", "1e-5", 20);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  for (i = 0; i < 4; i++) {
    uint32_t least = plan_teachers(&box, agreements[i], 0.05), k;
    for (k = least; k < 3000; k++)
      ck_assert(plan_silence(&box, plan_vote_distance(k, (uint32_t)floor(agreements[i] * k + 1e-9))) <= 0.05);
    k = least - 1;
    ck_assert(plan_silence(&box, plan_vote_distance(k, (uint32_t)floor(agreements[i] * k + 1e-9))) > 0.05);
  }
  ck_assert_uint_eq(plan_teachers(&box, 0.5, 0.05), UINT32_MAX);
  ck_assert_uint_eq(plan_teachers(&box, 1, 1e-9), UINT32_MAX);
  plan_free(&box);
}
END_TEST

SCRATCH_MAIN("plan", test_digests_are_for_ever, test_every_number_of_a_plan_is_in_its_digest,
             test_every_number_of_a_plan_with_answers_is_in_its_digest, test_every_number_of_a_poll_is_in_its_digest,
             test_quotas_in_words, test_a_target_has_its_mechanism, test_mechanisms_by_name, test_targets_refuse,
             test_vote_distance_is_the_ballots, test_teachers_suffice)

#include "base/error.h"
#include "gate/machine.h"
#include "support/children.h"
#include "support/plans.h"
#include "support/scratch.h"

static struct coins coins;

/* A machine with 5 silences, or what is left of them, and its ledger. */
static void start(enum plan_mechanism mechanism, struct plan_box *box, struct ledger *ledger, struct machine *machine) {
  struct ledger_options options = {.make = 1};
  struct plan_terms terms;
  struct plan_quota left;
  coins_seed(&coins, 1);
  plans_make(box, mechanism, 5);
  plan_terms(box, &terms);
  ck_assert_int_eq(ledger_open(ledger, "l", &options), 0);
  ck_assert_int_eq(ledger_begin(ledger, &terms, 0, &left), 0);
  ck_assert_int_eq(machine_resume(machine, box, left), FUMATA_OK);
}

static void stop(struct plan_box *box, struct ledger *ledger) {
  ledger_shut(ledger);
  plan_free(box);
}

static int32_t answer(struct machine *machine, uint32_t distance) {
  fumata_verdict verdict = {1, distance};
  int32_t result = 7;
  ck_assert_int_eq(machine_answer(machine, &verdict, UINT64_C(1) << 63, &result), FUMATA_OK);
  return result;
}

static void live(enum plan_mechanism mechanism) {
  struct plan_box box;
  struct ledger ledger;
  struct machine machine;
  uint32_t i;
  start(mechanism, &box, &ledger, &machine);
  for (i = 0; i < 5; i++) {
    ck_assert_int_eq(machine_reserved(&machine).silences, 0);
    ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1), 0);
    ck_assert_int_eq(machine_reserved(&machine).silences, 1);
    ck_assert_uint_eq(machine_left(&machine).silences, 5 - i); /* the held one included */
    ck_assert_uint_eq(ledger.plans[0].left.silences, 4 - i);
    ck_assert_int_eq(answer(&machine, 100000), 1);
    ck_assert_int_eq(answer(&machine, 0), FUMATA_SILENT);
    ledger_record(&ledger, PLAN_KIND_METER, 1);
    ledger_record(&ledger, PLAN_KIND_METER, FUMATA_SILENT);
  }
  ck_assert_uint_eq(machine_left(&machine).silences, 0);
  scratch_expect(EXIT_REFUSED, machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1),
                 "this plan's silences are spent");
  ck_assert_int_eq(machine_close(&machine, &ledger), 0);
  stop(&box, &ledger);
  ck_assert_int_eq(unlink("l"), 0);
}

START_TEST(test_a_life) {
  live(PLAN_MECHANISM_METER);
  live(PLAN_MECHANISM_CLASSIC);
  live(PLAN_MECHANISM_BOTH);
}
END_TEST

/* Of labels 2 and 7 the first one wins; a coin below one half names it whatever the distance. */
static int32_t choose(struct machine *machine, struct ledger *ledger, uint32_t distance, uint64_t coin) {
  fumata_duel duel = {2, 7, distance};
  int32_t result = -5;
  ck_assert_int_eq(machine_answer_duel(machine, &duel, coin, &result), FUMATA_OK);
  ledger_record(ledger, PLAN_KIND_TOLL, result);
  return result;
}

/* Answers are paid for in threes; the last two are all that is left. */
static void live_by_the_toll(enum plan_mechanism mechanism) {
  const uint64_t low = (UINT64_C(1) << 63) - 1, high = UINT64_C(1) << 63;
  fumata_duel duel = {2, 7, 1};
  fumata_verdict verdict = {1, 100000};
  struct plan_box box;
  struct ledger ledger;
  struct machine machine;
  int32_t result = 7;
  start(mechanism, &box, &ledger, &machine);
  ck_assert_int_eq(machine_answer_duel(&machine, &duel, 0, &result), FUMATA_ERR_CLOSED);
  ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_TOLL, 3), 0);
  ck_assert_uint_eq(machine_reserved(&machine).answers, 3);
  ck_assert_uint_eq(machine_left(&machine).answers, 5);
  ck_assert_uint_eq(ledger.plans[0].left.answers, 2);
  ck_assert_int_eq(machine_answer(&machine, &verdict, 0, &result), FUMATA_ERR_CLOSED); /* answers pay for no label */
  ck_assert_int_eq(choose(&machine, &ledger, 0, low), 2);
  ck_assert_int_eq(choose(&machine, &ledger, 0, high), 7);
  ck_assert_int_eq(choose(&machine, &ledger, 100000, high), 2);
  ck_assert_int_eq(machine_answer_duel(&machine, &duel, 0, &result), FUMATA_ERR_CLOSED);
  ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_TOLL, 3), 0);
  ck_assert_uint_eq(machine_reserved(&machine).answers, 2);
  ck_assert_int_eq(choose(&machine, &ledger, 100000, high), 2);
  ck_assert_int_eq(machine_close(&machine, &ledger), 0);
  ck_assert_uint_eq(machine_left(&machine).answers, 1);
  ck_assert_uint_eq(ledger.plans[0].left.answers, 1);
  ck_assert_uint_eq(ledger.plans[0].left.silences, mechanism == PLAN_MECHANISM_BOTH ? 5 : 0);
  stop(&box, &ledger);
  ck_assert_int_eq(unlink("l"), 0);
}

START_TEST(test_a_life_by_the_toll) {
  live_by_the_toll(PLAN_MECHANISM_TOLL);
  live_by_the_toll(PLAN_MECHANISM_BOTH);
}
END_TEST

START_TEST(test_one_kind_does_not_pay_for_the_other) {
  struct plan_box box;
  struct ledger ledger;
  struct machine machine;
  start(PLAN_MECHANISM_TOLL, &box, &ledger, &machine);
  scratch_expect(EXIT_REFUSED, machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1), "silences are spent");
  stop(&box, &ledger);
  ck_assert_int_eq(system("rm -f l*"), 0);
  for (int i = 0; i < 2; i++) {
    start(i ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER, &box, &ledger, &machine);
    scratch_expect(EXIT_REFUSED, machine_reserve(&machine, &ledger, &coins, PLAN_KIND_TOLL, 1), "answers are spent");
    stop(&box, &ledger);
    ck_assert_int_eq(system("rm -f l*"), 0);
  }
}
END_TEST

/* The meter takes as many as it is asked to; classic has one threshold at a time. */
START_TEST(test_silences_in_batches) {
  for (int i = 0; i < 2; i++) {
    struct plan_box box;
    struct ledger ledger;
    struct machine machine;
    start(i ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER, &box, &ledger, &machine);
    ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 4), 0);
    ck_assert_uint_eq(machine_reserved(&machine).silences, i ? 1 : 4);
    ck_assert_uint_eq(ledger.plans[0].left.silences, i ? 4 : 1);
    stop(&box, &ledger); /* a crash loses what is reserved */
    start(i ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER, &box, &ledger, &machine);
    ck_assert_uint_eq(machine_left(&machine).silences, i ? 4 : 1);
    stop(&box, &ledger);
    ck_assert_int_eq(system("rm -f l*"), 0);
  }
}
END_TEST

/* What the row does not say has not happened. */
static void fail_to_reserve(enum plan_mechanism mechanism) {
  fumata_verdict verdict = {1, 0};
  struct plan_box box;
  struct ledger ledger;
  struct machine machine;
  int32_t result = 7;
  start(mechanism, &box, &ledger, &machine);
  ck_assert_int_eq(rename("l", "moved"), 0);
  scratch_expect(EXIT_SYSTEM, machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1), "moved or replaced");
  ck_assert_uint_eq(machine_left(&machine).silences, 5);
  ck_assert_int_eq(machine_reserved(&machine).silences, 0);
  ck_assert_int_eq(machine_answer(&machine, &verdict, 0, &result), FUMATA_ERR_CLOSED);
  ck_assert_int_eq(result, 7);
  stop(&box, &ledger);
  ck_assert_int_eq(system("rm -f l* moved"), 0);
}

START_TEST(test_the_row_comes_first) {
  fail_to_reserve(PLAN_MECHANISM_METER);
  fail_to_reserve(PLAN_MECHANISM_CLASSIC);
}
END_TEST

/* The coins of a seeded run are the same whoever made the program. */
START_TEST(test_only_classic_reserves_with_a_coin) {
  for (int i = 0; i < 2; i++) {
    struct coins fresh;
    struct plan_box box;
    struct ledger ledger;
    struct machine machine;
    uint64_t wanted = 0, got = 0;
    start(i ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER, &box, &ledger, &machine);
    coins_seed(&fresh, 1);
    if (i) ck_assert_int_eq(coins_draw(&fresh, &wanted), 0);
    ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1), 0);
    ck_assert_int_eq(coins_draw(&fresh, &wanted), 0);
    ck_assert_int_eq(coins_draw(&coins, &got), 0);
    ck_assert_uint_eq(got, wanted);
    stop(&box, &ledger);
    ck_assert_int_eq(system("rm -f l*"), 0);
  }
}
END_TEST

START_TEST(test_close_gives_back_what_the_mechanism_does) {
  for (int i = 0; i < 2; i++) {
    struct plan_box box;
    struct ledger ledger;
    struct machine machine;
    start(i ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER, &box, &ledger, &machine);
    ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1), 0);
    ck_assert_int_eq(machine_close(&machine, &ledger), 0);
    ck_assert_uint_eq(machine_left(&machine).silences, i ? 4 : 5);
    ck_assert_uint_eq(ledger.plans[0].left.silences, i ? 4 : 5);
    stop(&box, &ledger);
    ck_assert_int_eq(unlink("l"), 0);
  }
}
END_TEST

START_TEST(test_no_machine_without_a_certificate) {
  for (int i = 0; i < 2; i++) {
    struct machine machine;
    struct plan_box box;
    plans_make(&box, i ? PLAN_MECHANISM_CLASSIC : PLAN_MECHANISM_METER, 5);
    ck_assert_int_eq(machine_init(&machine, &box), FUMATA_OK);
    ck_assert_uint_eq(machine_left(&machine).silences, 5);
    ck_assert_int_eq(machine_resume(&machine, &box, (struct plan_quota){6, 0}), FUMATA_ERR_LEFT);
    box.claim.epsilon_num--;
    ck_assert_int_eq(machine_init(&machine, &box), FUMATA_ERR_UNCERTIFIED);
    ck_assert_int_eq(machine_resume(&machine, &box, (struct plan_quota){1, 0}), FUMATA_ERR_UNCERTIFIED);
    plan_free(&box);
  }
}
END_TEST

/* What a forked process has of its parent's. */
struct heirloom {
  struct machine *machine;
  struct ledger *ledger;
};

static int reserve_anyway(void *context) {
  struct heirloom *heirloom = context;
  return machine_reserve(heirloom->machine, heirloom->ledger, &coins, PLAN_KIND_METER, 1);
}

static int close_anyway(void *context) {
  struct heirloom *heirloom = context;
  return machine_close(heirloom->machine, heirloom->ledger);
}

static int answer_anyway(void *context) {
  struct heirloom *heirloom = context;
  fumata_verdict verdict = {1, 0};
  fumata_duel duel = {0, 1, 0};
  int32_t result = 7;
  return machine_answer(heirloom->machine, &verdict, 0, &result) == FUMATA_OK ||
         machine_answer_duel(heirloom->machine, &duel, 0, &result) == FUMATA_OK || result != 7;
}

static int shut_anyway(void *context) {
  struct heirloom *heirloom = context;
  ledger_shut(heirloom->ledger);
  return EXIT_OK;
}

/* What was reserved was reserved for one process. */
static void leave_alone(enum plan_mechanism mechanism) {
  struct plan_box box;
  struct ledger ledger;
  struct machine machine;
  struct heirloom heirloom = {&machine, &ledger};
  start(mechanism, &box, &ledger, &machine);
  scratch_expect(EXIT_REFUSED, children_run(reserve_anyway, &heirloom), "forked");
  ck_assert_int_eq(machine_reserve(&machine, &ledger, &coins, PLAN_KIND_METER, 1), 0);
  ck_assert_int_eq(children_run(answer_anyway, &heirloom), 0);
  scratch_expect(EXIT_REFUSED, children_run(close_anyway, &heirloom), "forked");
  ck_assert_int_eq(children_run(shut_anyway, &heirloom), 0);
  ck_assert_int_eq(access("l-wal", F_OK), 0);
  ck_assert_int_eq(access("l-mark", F_OK), 0);
  ck_assert_int_eq(answer(&machine, 0), FUMATA_SILENT);
  ledger_record(&ledger, PLAN_KIND_METER, FUMATA_SILENT);
  ck_assert_int_eq(machine_close(&machine, &ledger), 0);
  ck_assert_uint_eq(ledger.plans[0].left.silences, 4);
  stop(&box, &ledger);
  ck_assert_int_eq(unlink("l"), 0);
}

START_TEST(test_a_forked_process_has_no_machine) {
  leave_alone(PLAN_MECHANISM_METER);
  leave_alone(PLAN_MECHANISM_CLASSIC);
  leave_alone(PLAN_MECHANISM_BOTH);
}
END_TEST

SCRATCH_MAIN("machine", test_a_life, test_a_life_by_the_toll, test_one_kind_does_not_pay_for_the_other,
             test_silences_in_batches, test_the_row_comes_first, test_only_classic_reserves_with_a_coin,
             test_close_gives_back_what_the_mechanism_does, test_no_machine_without_a_certificate,
             test_a_forked_process_has_no_machine)

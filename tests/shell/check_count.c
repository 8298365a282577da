/* A count with noise: paid for before it is drawn, once, and by the process that paid. */
#include "gate/count.h"

#include "support/children.h"
#include "support/ledgers.h"
#include "support/plans.h"
#include "support/scratch.h"

static struct ledger ledger;
static struct plan_count noise;
static struct count count;
static struct coins coins;

static void make(const char *total) {
  struct ledger_options options = {.make = 1};
  struct plan_target target;
  ck_assert_int_eq(rational_parse(total, &options.total_epsilon), 0);
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  plans_target(&target, "1/2", "1e-9", 1);
  ck_assert_int_eq(plan_count_make(&target, 1, &noise), 0);
  coins_seed(&coins, 3);
}

static void end(void) {
  plan_count_free(&noise);
  ledger_shut(&ledger);
}

START_TEST(once) {
  uint64_t noisy = 0, again = 77;
  make("1");
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert(ledger.spent_epsilon.num == 1 && ledger.spent_epsilon.den == 2 && ledger.spent_delta.den == 1000000000);
  ck_assert_int_eq(count_release(&count, &coins, "count of units", "records", 1000, &noisy), 0);
  ck_assert_msg(noisy > 900 && noisy < 1100, "%llu", (unsigned long long)noisy);
  scratch_expect(EXIT_REFUSED, count_release(&count, &coins, "count of units", "records", 1000, &again),
                 "no reservation");
  ck_assert_uint_eq(again, 77);
  ck_assert_uint_eq(ledger_count(&ledger, "records"), noisy);
  end();
}
END_TEST

/* What is not paid for is not released: not before, and not when the ledger refuses. */
START_TEST(unpaid) {
  uint64_t noisy = 77;
  make("1/4");
  scratch_expect(EXIT_REFUSED, count_release(&count, &coins, "count of units", "records", 1000, &noisy),
                 "another process");
  scratch_expect(EXIT_REFUSED, count_pay(&count, &noise, &ledger, "count of units"), "too much");
  scratch_expect(EXIT_REFUSED, count_release(&count, &coins, "count of units", "records", 1000, &noisy),
                 "another process");
  ck_assert_int_eq(noisy, 77);
  end();
}
END_TEST

static int release_as_child(void *context) {
  return count_release(&count, &coins, "count of units", "records", 1000, context);
}

START_TEST(forked) {
  uint64_t *noisy = children_share(sizeof *noisy);
  make("1");
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert_int_eq(children_run(release_as_child, noisy), EXIT_REFUSED);
  ck_assert_int_eq(*noisy, 0);
  ck_assert_int_eq(count_release(&count, &coins, "count of units", "records", 1000, noisy), 0);
  end();
}
END_TEST

/* The process is killed: nothing of it is in memory any more. */
static void crash(void) {
  struct ledger_options options = {0};
  ledger_shut(&ledger);
  memset(&count, 0, sizeof count);
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
}

/* Paid for and not drawn: whoever comes next need not pay again, once; what was shown is not drawn again for nothing. */
START_TEST(crashed) {
  struct count other = {0};
  uint64_t noisy = 0;
  make("3/2");
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert(!count_is_paid(&noise, &ledger, "count of units")); /* this process's own is not for another count of it */
  ck_assert_int_eq(count_pay(&other, &noise, &ledger, "count of units"), 0);
  ck_assert(ledger.spent_epsilon.num == 1 && ledger.spent_epsilon.den == 1);
  crash();
  ck_assert(!count_is_paid(&noise, &ledger, "count of others"));
  ck_assert(count_is_paid(&noise, &ledger, "count of units"));
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert(ledger.spent_epsilon.num == 1 && ledger.spent_epsilon.den == 1);
  ck_assert(!count_is_paid(&noise, &ledger, "count of units"));
  crash();
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert(ledger.spent_epsilon.num == 1 && ledger.spent_epsilon.den == 1);
  ck_assert_int_eq(count_release(&count, &coins, "count of units", "records", 1000, &noisy), 0);
  crash();
  ck_assert_uint_eq(ledger_count(&ledger, "records"), noisy);
  ck_assert(!count_is_paid(&noise, &ledger, "count of units"));
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert(ledger.spent_epsilon.num == 3 && ledger.spent_epsilon.den == 2);
  end();
}
END_TEST

/* A charge belongs to its neighbours and to its version of the file. */
START_TEST(not_of_others) {
  const uint8_t data[DIGEST_SIZE] = {7};
  make("3/2");
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  crash();
  ck_assert_int_eq(ledger_protect(&ledger, "records", 0, 1), 0);
  ck_assert(!count_is_paid(&noise, &ledger, "count of units"));
  ck_assert_int_eq(ledger_protect(&ledger, LEDGER_VOTES, 0, 1), 0);
  ck_assert(count_is_paid(&noise, &ledger, "count of units"));
  ck_assert_int_eq(ledger_tie(&ledger, data, "f.csv", 1), 0);
  ck_assert(!count_is_paid(&noise, &ledger, "count of units"));
  end();
}
END_TEST

SCRATCH_MAIN("count", once, unpaid, forked, crashed, not_of_others)

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
  int64_t noisy = 0, again = 77;
  make("1");
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert(ledger.spent_epsilon.num == 1 && ledger.spent_epsilon.den == 2 && ledger.spent_delta.den == 1000000000);
  ck_assert_int_eq(count_release(&count, &coins, "count of units", 1000, &noisy), 0);
  ck_assert_msg(noisy > 900 && noisy < 1100, "%lld", (long long)noisy);
  scratch_expect(EXIT_REFUSED, count_release(&count, &coins, "count of units", 1000, &again), "no reservation");
  ck_assert_int_eq(again, 77);
  end();
}
END_TEST

/* What is not paid for is not released: not before, and not when the ledger refuses. */
START_TEST(unpaid) {
  int64_t noisy = 77;
  make("1/4");
  scratch_expect(EXIT_REFUSED, count_release(&count, &coins, "count of units", 1000, &noisy), "another process");
  scratch_expect(EXIT_REFUSED, count_pay(&count, &noise, &ledger, "count of units"), "too much");
  scratch_expect(EXIT_REFUSED, count_release(&count, &coins, "count of units", 1000, &noisy), "another process");
  ck_assert_int_eq(noisy, 77);
  end();
}
END_TEST

static int release_as_child(void *context) {
  return count_release(&count, &coins, "count of units", 1000, context);
}

START_TEST(forked) {
  int64_t *noisy = children_share(sizeof *noisy);
  make("1");
  ck_assert_int_eq(count_pay(&count, &noise, &ledger, "count of units"), 0);
  ck_assert_int_eq(children_run(release_as_child, noisy), EXIT_REFUSED);
  ck_assert_int_eq(*noisy, 0);
  ck_assert_int_eq(count_release(&count, &coins, "count of units", 1000, noisy), 0);
  end();
}
END_TEST

SCRATCH_MAIN("count", once, unpaid, forked)

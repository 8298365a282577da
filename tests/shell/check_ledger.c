#include "support/ledgers.h"

START_TEST(test_a_life) {
  struct ledger ledger;
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct ledgers_counter counter = ledgers_at_work(&ledger);
  struct plan_quota left;
  ledgers_answer(&ledger, &counter, LEDGERS_LABEL);
  ledgers_answer(&ledger, &counter, LEDGERS_LABEL);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(ledgers_reserve(&ledger, &counter), 0);
  ledgers_answer(&ledger, &counter, LEDGERS_LABEL);
  ck_assert_uint_eq(counter.left, 3);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);

  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.rows, 5); /* made, plan, reserve, reserve, close */
  ck_assert_uint_eq(ledger.plan_count, 1);
  ck_assert_uint_eq(ledger.plans[0].left.silences, 4); /* the unused reservation came back */
  ck_assert_uint_eq(ledger.plans[0].labels, 3);
  ck_assert_uint_eq(ledger.plans[0].silences, 1);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 0);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 1);
  ck_assert_uint_eq(ledger.spent_epsilon.den, 2);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(left.silences, 4);
  ck_assert_uint_eq(ledger.plan_count, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_the_reservation_is_on_disk_before_the_answer) {
  struct ledger ledger;
  struct ledgers_counter counter = ledgers_at_work(&ledger);
  ck_assert_uint_eq(counter.left, 4);
  ledger_shut(&ledger); /* without a finish: a crash */
  ck_assert_uint_eq(ledgers_left(), 4);
}
END_TEST

START_TEST(test_a_crash_loses_one) {
  struct ledger ledger;
  uint32_t crash;
  for (crash = 1; crash <= 5; crash++) {
    struct ledgers_counter counter = ledgers_at_work(&ledger);
    ck_assert_uint_eq(counter.left, 5 - crash);
    ledgers_answer(&ledger, &counter, crash % 2 ? LEDGERS_LABEL : LEDGERS_SILENCE);
    ledger_shut(&ledger);
    ck_assert_uint_eq(ledgers_left(), 5 - crash);
  }
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.plans[0].unclosed, 5);
  ck_assert_uint_eq(ledger.plans[0].sessions, 5);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_spent_plan_is_refused_unless_again) {
  struct ledger ledger;
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct ledgers_counter counter = ledgers_at_work(&ledger);
  struct plan_quota left;
  int i;
  for (i = 0; i < 4; i++) {
    ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
    ck_assert_int_eq(ledgers_reserve(&ledger, &counter), 0);
  }
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(ledgers_finish(&ledger, &counter), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.plans[0].silences, 5);
  scratch_expect(EXIT_REFUSED, ledger_begin(&ledger, &terms, 0, &left), "5 silences are spent");
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 1, &left), 0);
  ck_assert_uint_eq(left.silences, 5);
  ck_assert_uint_eq(ledger.plan_count, 2);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 1); /* 1/2 + 1/2 */
  ck_assert_uint_eq(ledger.spent_epsilon.den, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_other_terms_are_another_plan) {
  struct ledger ledger;
  struct plan_terms first = ledgers_terms(5, 1, 2), second = ledgers_terms(6, 1, 2), third = ledgers_terms(5, 1, 3);
  struct plan_quota left;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &first, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &second, 0, &left), 0);
  ck_assert_uint_eq(left.silences, 6);
  ck_assert_int_eq(ledger_begin(&ledger, &third, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &first, 0, &left), 0);
  ck_assert_uint_eq(ledger.plan_count, 3);
  ck_assert_uint_eq(ledger.spent_epsilon.num, 4); /* 1/2 + 1/2 + 1/3 */
  ck_assert_uint_eq(ledger.spent_epsilon.den, 3);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_classic_gives_nothing_back) {
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct ledger ledger;
  struct plan_quota left;
  int round;
  terms.mechanism = PLAN_MECHANISM_CLASSIC;
  for (round = 0; round < 2; round++) {
    ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
    ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
    ck_assert_uint_eq(left.silences, 5 - (uint32_t)round);
    ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(left.silences - 1, 0)), 0);
    if (round == 0) ck_assert_int_eq(ledger_finish(&ledger, ledgers_quota(left.silences - 1, 0)), 0);
    if (round == 1) scratch_expect(EXIT_SYSTEM, ledger_finish(&ledger, left), "given back that was not to spare");
    ledger_shut(&ledger);
  }
}
END_TEST

START_TEST(test_totals_are_a_ceiling) {
  struct ledger ledger;
  struct ledger_options options;
  struct plan_terms half = ledgers_terms(5, 1, 2), tenth = ledgers_terms(5, 1, 10),
                    hair = ledgers_terms(5, 1, 4000000000u);
  struct rational nothing = {0, 1}, more = {3, 10}, less = {2, 5};
  struct plan_quota left;
  memset(&options, 0, sizeof options);
  options.make = 1;
  options.total_epsilon.num = options.total_epsilon.den = 1;
  options.total_delta.num = 3;
  options.total_delta.den = 100000;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &half, 0, &left), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &tenth, 0, &left), 0);
  ck_assert_int_eq(ledger_afford(&ledger, less, nothing), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "error estimate", more, nothing), 0);
  scratch_expect(EXIT_REFUSED, ledger_afford(&ledger, less, nothing),
                 "epsilon 0.4 more is too much: 0.9 of the total 1 is spent");
  ck_assert_int_eq(ledger_charge(&ledger, "error estimate", (struct rational){1, 10}, nothing), 0);
  scratch_expect(EXIT_REFUSED, ledger_begin(&ledger, &hair, 0, &left), "too much"); /* not by a hair */
  ck_assert_int_eq(ledger_begin(&ledger, &half, 0, &left), 0);                      /* what was paid for may go on */
  ledger_shut(&ledger);
  options.total_epsilon.num = 2;
  scratch_expect(EXIT_INPUT, ledger_open(&ledger, "l", &options), "has a total epsilon of 1");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_delta_has_its_own_ceiling) {
  struct ledger ledger;
  struct ledger_options options;
  struct plan_terms one = ledgers_terms(5, 1, 2), two = ledgers_terms(6, 1, 2);
  struct plan_quota left;
  memset(&options, 0, sizeof options);
  options.make = 1;
  options.total_delta.num = 19;
  options.total_delta.den = 1000000;
  ck_assert_int_eq(ledger_open(&ledger, "l", &options), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &one, 0, &left), 0);
  scratch_expect(EXIT_REFUSED, ledger_begin(&ledger, &two, 0, &left),
                 "delta 1e-5 more is too much: 1e-5 of the total 1.9e-5 is spent");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_sum_that_does_not_fit_is_refused) {
  struct ledger ledger;
  struct rational odd = {1, UINT64_C(18446744073709551557)}, other = {1, UINT64_C(18446744073709551533)}, none = {0, 1};
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "x", odd, none), 0);
  scratch_expect(EXIT_REFUSED, ledger_charge(&ledger, "x", other, none), "does not fit 64 bits");
  ledger_shut(&ledger);
}
END_TEST

static const struct rational one = {1, 1}, two = {2, 1}, three = {3, 1}, little = {1, 1000}, none = {0, 0};

static void test_totals(const struct ledger *ledger, uint64_t epsilon, uint64_t delta_num) {
  ck_assert_uint_eq(ledger->total_epsilon.num, epsilon * ledger->total_epsilon.den);
  ck_assert_uint_eq(ledger->total_delta.num * 1000, delta_num * ledger->total_delta.den);
}

START_TEST(test_the_first_run_sets_the_totals) {
  struct ledger ledger;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_allow(&ledger, two, little, 0), 0);
  ck_assert_uint_eq(ledger.rows, 1); /* nothing is written before it costs */
  ck_assert_int_eq(ledger_charge(&ledger, "a", one, little), 0);
  ck_assert_uint_eq(ledger.rows, 3);
  test_totals(&ledger, 2, 1);
  ck_assert_int_eq(ledger_charge(&ledger, "b", one, none), 0);
  scratch_expect(EXIT_REFUSED, ledger_charge(&ledger, "c", one, none), "too much");
  scratch_expect(EXIT_REFUSED, ledger_allow(&ledger, one, none, 0),
                 "adds epsilon 1 and delta 0 to 2 and 0.001 spent, more than the total of 2 and 0.001; --raise-total");
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  test_totals(&ledger, 2, 1);
  ck_assert_int_eq(ledger_allow(&ledger, one, none, 1), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "c", one, none), 0);
  test_totals(&ledger, 3, 1);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  test_totals(&ledger, 3, 1);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_count_is_kept_for_its_file) {
  const uint8_t other[DIGEST_SIZE] = {7};
  struct ledger ledger;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_uint_eq(ledger_count(&ledger, "records"), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "count of units", little, little), 0);
  ck_assert_int_eq(ledger_keep_count(&ledger, "records", 4780), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger_count(&ledger, "records"), 4780);
  ck_assert_uint_eq(ledger_count(&ledger, "units of person"), 0);
  ck_assert_int_eq(ledger_tie(&ledger, other, "f.csv", 1), 0);
  ck_assert_uint_eq(ledger_count(&ledger, "records"), 0); /* before the new version's row is written ... */
  ck_assert_int_eq(ledger_charge(&ledger, "x", little, little), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger_count(&ledger, "records"), 0); /* ... and after */
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_plan_that_goes_on_needs_no_more) {
  struct ledger ledger;
  struct plan_terms terms = ledgers_terms(2, 1, 2);
  struct ledgers_counter counter = {2, 0};
  struct plan_quota left;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_allow_plan(&ledger, &terms, 0, 0), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_int_eq(ledger_allow_plan(&ledger, &terms, 0, 0), 0);
  ck_assert_int_eq(ledgers_reserve(&ledger, &counter), 0);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(ledgers_reserve(&ledger, &counter), 0);
  ledgers_answer(&ledger, &counter, LEDGERS_SILENCE);
  ck_assert_int_eq(ledger_allow_plan(&ledger, &terms, 0, 0), 0); /* ledger_begin will say that it is spent */
  scratch_expect(EXIT_REFUSED, ledger_allow_plan(&ledger, &terms, 1, 0), "--raise-total");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_a_ledger_knows_its_data_set) {
  struct ledger ledger;
  uint8_t first[DIGEST_SIZE] = {1}, second[DIGEST_SIZE] = {2}, third[DIGEST_SIZE] = {3};
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_tie(&ledger, first, "a.csv", 0), 0);
  ck_assert_uint_eq(ledger.rows, 1);
  ck_assert_int_eq(ledger_charge(&ledger, "a", one, none), 0);
  ck_assert_uint_eq(ledger.rows, 3);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_int_eq(ledger_tie(&ledger, first, "a.csv", 0), 0);
  scratch_expect(EXIT_REFUSED, ledger_tie(&ledger, second, "b.csv", 0), "another data set than b.csv; --same-data-set");
  ck_assert_int_eq(ledger_charge(&ledger, "a", one, none), 0);
  ck_assert_uint_eq(ledger.rows, 4); /* nothing of what was refused */
  ck_assert_int_eq(ledger_tie(&ledger, second, "b.csv", 1), 0);
  ck_assert_int_eq(ledger_charge(&ledger, "a", one, none), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_int_eq(ledger_tie(&ledger, first, "a.csv", 0), 0);
  ck_assert_int_eq(ledger_tie(&ledger, second, "b.csv", 0), 0);
  scratch_expect(EXIT_REFUSED, ledger_tie(&ledger, third, "c.csv", 0), "another data set");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_salts_differ) {
  struct ledger ledger;
  struct digest digest;
  uint8_t value[2][DIGEST_SIZE];
  int i;
  for (i = 0; i < 2; i++) {
    ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
    ledger_salt(&ledger, &digest);
    digest_add(&digest, "the same file", 13);
    digest_read(&digest, value[i]);
    ledger_shut(&ledger);
  }
  ck_assert_mem_ne(value[0], value[1], DIGEST_SIZE);
}
END_TEST

START_TEST(test_a_ledger_without_totals_stays_so) {
  struct ledger ledger;
  ledgers_use();
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_int_eq(ledger_allow(&ledger, three, little, 0), 0); /* it never had a total, and has costs: none now */
  ck_assert_int_eq(ledger_charge(&ledger, "a", one, none), 0);
  ck_assert_uint_eq(ledger.total_epsilon.den, 0);
  ledger_shut(&ledger);
}
END_TEST

/* Answers that are given after they are reserved, several at once. */
static void give(struct ledger *ledger, int count) {
  while (count-- > 0)
    ledger_record(ledger, PLAN_KIND_TOLL, 1);
}

START_TEST(test_answers_are_reserved_given_and_given_back) {
  struct plan_terms terms = ledgers_terms_both(0, 10);
  struct plan_quota left;
  struct ledger ledger;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(left.answers, 10);
  ck_assert_uint_eq(left.silences, 0);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(0, 6)), 0);
  give(&ledger, 4);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(0, 1)), 0);
  give(&ledger, 3);
  ck_assert_int_eq(ledger_finish(&ledger, ledgers_quota(0, 3)), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.plans[0].answers, 7);
  ck_assert_uint_eq(ledger.plans[0].left.answers, 3);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_uint_eq(left.answers, 3);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(0, 0)), 0);
  ledger_shut(&ledger); /* a crash: all three are gone */
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  scratch_expect(EXIT_REFUSED, ledger_begin(&ledger, &terms, 0, &left), "this plan's 10 answers are spent");
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_both_kinds_in_one_session) {
  struct plan_terms terms = ledgers_terms_both(5, 10);
  struct plan_quota left;
  struct ledger ledger;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(3, 10)), 0); /* two silences */
  ledger_record(&ledger, PLAN_KIND_METER, LEDGERS_SILENCE);
  ledger_record(&ledger, PLAN_KIND_METER, LEDGERS_LABEL);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(3, 6)), 0); /* four answers, one silence still held */
  give(&ledger, 4);
  ledger_record(&ledger, PLAN_KIND_METER, LEDGERS_SILENCE);
  ck_assert_int_eq(ledger_reserve(&ledger, ledgers_quota(3, 4)), 0);
  ck_assert_int_eq(ledger_finish(&ledger, ledgers_quota(3, 6)), 0);
  ledger_shut(&ledger);
  ck_assert_int_eq(ledgers_open(&ledger, 0), 0);
  ck_assert_uint_eq(ledger.plans[0].left.silences, 3);
  ck_assert_uint_eq(ledger.plans[0].left.answers, 6);
  ck_assert_uint_eq(ledger.plans[0].silences, 2);
  ck_assert_uint_eq(ledger.plans[0].labels, 1);
  ck_assert_uint_eq(ledger.plans[0].answers, 4);
  ledger_shut(&ledger);
}
END_TEST

/* What a row must not say, whoever runs the machine. */
static const struct {
  struct plan_quota first, second; /* left after the first reservation; in the next row */
  int given, is_close;
  const char *why;
} forbidden[] = {{{5, 6}, {5, 6}, 4, 0, "does not count down"},
                 {{5, 6}, {5, 7}, 4, 0, "does not count down"},
                 {{5, 6}, {5, 5}, 3, 0, "before the first was used"},
                 {{5, 6}, {4, 5}, 4, 0, "two kinds at once"},
                 {{5, 6}, {5, 5}, 5, 0, "more answers than were reserved"},
                 {{5, 6}, {5, 9}, 2, 1, "given back that was not to spare"},
                 {{5, 6}, {5, 5}, 4, 1, "given back that was not to spare"},
                 {{3, 10}, {3, 11}, 0, 1, "without its counts"},
                 {{3, 10}, {6, 10}, 0, 1, "without its counts"}};

START_TEST(test_rows_that_cannot_be) {
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
    struct plan_terms terms = ledgers_terms_both(5, 10);
    struct plan_quota left;
    struct ledger ledger;
    int code;
    ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
    ck_assert_int_eq(ledger_begin(&ledger, &terms, 0, &left), 0);
    ck_assert_int_eq(ledger_reserve(&ledger, forbidden[i].first), 0);
    give(&ledger, forbidden[i].given);
    code = forbidden[i].is_close ? ledger_finish(&ledger, forbidden[i].second)
                                 : ledger_reserve(&ledger, forbidden[i].second);
    scratch_expect(EXIT_SYSTEM, code, forbidden[i].why);
    ledger_shut(&ledger);
    ledgers_start_over();
  }
}
END_TEST

START_TEST(test_answers_as_bytes) {
  uint8_t bytes[3];
  ck_assert_uint_eq(ledger_encode(LEDGERS_SILENCE, bytes), 1);
  ck_assert_uint_eq(bytes[0], 0xff);
  ck_assert_uint_eq(ledger_encode(0xfd, bytes), 1);
  ck_assert_uint_eq(bytes[0], 0xfd);
  ck_assert_uint_eq(ledger_encode(1023, bytes), 3);
  ck_assert_mem_eq(bytes, "\xfe\xff\x03", 3);
}
END_TEST

START_TEST(test_looking_writes_nothing) {
  struct ledger ledger;
  struct plan_terms terms = ledgers_terms(5, 1, 2);
  struct plan_quota left = {77, 77};
  ledgers_use();
  ck_assert_int_eq(ledgers_look(&ledger), 0);
  scratch_expect(EXIT_SYSTEM, ledger_begin(&ledger, &terms, 0, &left), "not open for writing");
  ck_assert_uint_eq(left.silences, 77);
  ledger_shut(&ledger);
}
END_TEST

START_TEST(test_reserving_needs_a_plan) {
  struct ledger ledger;
  ck_assert_int_eq(ledgers_open(&ledger, 1), 0);
  scratch_expect(EXIT_SYSTEM, ledger_reserve(&ledger, ledgers_quota(4, 0)), "cannot reserve: no plan");
  scratch_expect(EXIT_SYSTEM, ledger_finish(&ledger, ledgers_quota(4, 0)), "cannot close the plan: no plan");
  ledger_shut(&ledger);
}
END_TEST

SCRATCH_MAIN("ledger", test_a_life, test_the_reservation_is_on_disk_before_the_answer, test_a_crash_loses_one,
             test_a_spent_plan_is_refused_unless_again, test_other_terms_are_another_plan,
             test_classic_gives_nothing_back, test_totals_are_a_ceiling, test_delta_has_its_own_ceiling,
             test_a_sum_that_does_not_fit_is_refused, test_answers_as_bytes, test_looking_writes_nothing,
             test_reserving_needs_a_plan, test_the_first_run_sets_the_totals, test_a_plan_that_goes_on_needs_no_more,
             test_a_ledger_knows_its_data_set, test_salts_differ, test_a_count_is_kept_for_its_file,
             test_a_ledger_without_totals_stays_so, test_answers_are_reserved_given_and_given_back,
             test_both_kinds_in_one_session, test_rows_that_cannot_be)

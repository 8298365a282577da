#include "base/rational.h"
#include "support/scratch.h"

START_TEST(test_rational_reads_exactly) {
  static const struct {
    const char *text;
    uint64_t num, den;
    const char *back;
  } cases[] = {{"3.16", 79, 25, "3.16"},
               {"1e-5", 1, 100000, "1e-5"},
               {"1E-5", 1, 100000, "1e-5"},
               {"0.00001", 1, 100000, "1e-5"},
               {"0.1", 1, 10, "0.1"},
               {"4.40", 22, 5, "4.4"},
               {"8", 8, 1, "8"},
               {"2.5e2", 250, 1, "250"},
               {"1/3", 1, 3, "1/3"},
               {"6/4", 3, 2, "1.5"},
               {".5", 1, 2, "0.5"},
               {"5.", 5, 1, "5"},
               {"007", 7, 1, "7"},
               {"1.23e-7", 123, 1000000000, "1.23e-7"},
               {"1.2e-7", 12, 100000000, "1.2e-7"},
               {"18446744073709551615", UINT64_MAX, 1, "18446744073709551615"},
               {"1e-19", 1, UINT64_C(10000000000000000000), "1e-19"},
               {"1000000000000000000e-18", 1, 1, "1"}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rational got = {0, 0}, again = {0, 0};
    char text[RATIONAL_TEXT];
    uint64_t a = cases[i].num, b = cases[i].den;
    while (b) {
      uint64_t rest = a % b;
      a = b, b = rest;
    }
    ck_assert_msg(rational_parse(cases[i].text, &got) == 0, "%s", cases[i].text);
    ck_assert_uint_eq(got.num, cases[i].num / a);
    ck_assert_uint_eq(got.den, cases[i].den / a);
    rational_print(got.num, got.den, text);
    ck_assert_str_eq(text, cases[i].back);
    ck_assert_int_eq(rational_parse(text, &again), 0);
    ck_assert_uint_eq(again.num, got.num);
    ck_assert_uint_eq(again.den, got.den);
  }
}
END_TEST

START_TEST(test_rational_refuses) {
  static const char *const bad[] = {"",
                                    "0",
                                    "0.0",
                                    "-1",
                                    "+1",
                                    " 1",
                                    "1 ",
                                    "1,5",
                                    "1e",
                                    "e5",
                                    ".",
                                    "1/0",
                                    "0/5",
                                    "1/",
                                    "1/2/3",
                                    "1/-2",
                                    "nan",
                                    "inf",
                                    "0x10",
                                    "1e20",
                                    "1e-20",
                                    "1e99999999999",
                                    "18446744073709551616",
                                    "1.5/2",
                                    "1..2"};
  size_t i;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct rational got = {7, 9};
    ck_assert_msg(rational_parse(bad[i], &got) == -1, "'%s' was read", bad[i]);
    ck_assert(got.num == 7 && got.den == 9);
  }
}
END_TEST

SCRATCH_MAIN("rational", test_rational_reads_exactly, test_rational_refuses)

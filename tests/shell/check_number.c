#include "base/number.h"

#include <math.h>

#include "support/scratch.h"

/* Every number is what strtod makes of it, bit by bit. */
START_TEST(test_agrees_with_strtod) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "-.25",
                                      "0.791665",
                                      "123456789012345678",
                                      "1234567890123456789",
                                      "9007199254740993",
                                      "9007199254740992",
                                      "1e22",
                                      "1e23",
                                      "1e-22",
                                      "1e-23",
                                      "3.14159265358979323846264338327950288",
                                      "1e308",
                                      "1e-320",
                                      "4.9e-324",
                                      "1e-400",
                                      "00000000000000000000000001.5",
                                      "0.00000000000000000000000000000000012345",
                                      "1E5",
                                      "1e+5",
                                      "123456789.123456789e-3",
                                      "179769313486231570000000000000000000000",
                                      "2.2250738585072011e-308",
                                      "18446744073709551616",
                                      "99999999999999999999",
                                      "0.30000000000000004",
                                      "1e0000000000000000000001"};
  size_t i;
  for (i = 0; i < sizeof texts / sizeof *texts; i++) {
    double wanted = strtod(texts[i], NULL), got = 12345;
    ck_assert_msg(number_parse(texts[i], strlen(texts[i]), &got) == NUMBER_OK, "%s", texts[i]);
    ck_assert_msg(memcmp(&wanted, &got, sizeof got) == 0, "%s: %.17g", texts[i], got);
  }
}
END_TEST

START_TEST(test_random_numbers_agree) {
  int i;
  srand48(1);
  for (i = 0; i < 200000; i++) {
    char text[64];
    double wanted, got;
    int n = snprintf(text, sizeof text, "%.*g", 1 + i % 19, (drand48() - 0.5) * pow(10, (double)(i % 61) - 30));
    wanted = strtod(text, NULL);
    ck_assert_int_eq(number_parse(text, (size_t)n, &got), NUMBER_OK);
    ck_assert_msg(memcmp(&wanted, &got, sizeof got) == 0, "%s: %.17g", text, got);
  }
}
END_TEST

START_TEST(test_refuses) {
  static const char *const none[] = {"",   "+",  "-",   ".",     "e5",  "1e",   "1e+", "0x10", "1,5",
                                     " 1", "1 ", "--1", "1.2.3", "abc", "nanx", "in",  "1d",   "+-1"};
  static const char *const infinite[] = {"nan", "NaN", "-nan", "inf", "-Inf", "INFINITY", "1e309", "-1e400"};
  double value;
  size_t i;
  for (i = 0; i < sizeof none / sizeof *none; i++)
    ck_assert_msg(number_parse(none[i], strlen(none[i]), &value) == NUMBER_NONE, "%s", none[i]);
  for (i = 0; i < sizeof infinite / sizeof *infinite; i++)
    ck_assert_msg(number_parse(infinite[i], strlen(infinite[i]), &value) == NUMBER_NOT_FINITE, "%s", infinite[i]);
}
END_TEST

/* A number may stand right before other digits of the buffer: the length alone ends it. */
START_TEST(test_length_ends_it) {
  double value;
  size_t used;
  ck_assert_int_eq(number_parse("123456", 3, &value), NUMBER_OK);
  ck_assert_double_eq(value, 123);
  ck_assert_int_eq(number_scan("1.5e3:7", 7, &value, &used), NUMBER_OK);
  ck_assert_uint_eq(used, 5);
  ck_assert_double_eq(value, 1500);
  ck_assert_int_eq(number_scan("12e", 3, &value, &used), NUMBER_OK);
  ck_assert_uint_eq(used, 2);
}
END_TEST

START_TEST(test_long_digits) {
  char text[3000];
  double value;
  memset(text, '9', sizeof text);
  text[1] = '.';
  ck_assert_int_eq(number_parse(text, 1000, &value), NUMBER_OK);
  ck_assert_double_eq(value, 10);
  ck_assert_int_eq(number_parse(text, sizeof text, &value), NUMBER_NONE);
  memset(text, '0', sizeof text); /* zeros in front say nothing, however many */
  memcpy(text + sizeof text - 4, "12.5", 4);
  ck_assert_int_eq(number_parse(text, sizeof text, &value), NUMBER_OK);
  ck_assert_double_eq(value, 12.5);
  text[0] = '-';
  ck_assert_int_eq(number_parse(text, sizeof text, &value), NUMBER_OK);
  ck_assert_double_eq(value, -12.5);
}
END_TEST

/* A text that the quick way takes: [-] digits [. digits], at least one digit and not too long. */
static int is_usual(const char *text, size_t length) {
  size_t sign = length && text[0] == '-', used = length - sign, points = 0;
  for (size_t i = sign; i < length; i++)
    if (text[i] == '.')
      points++;
    else if (text[i] < '0' || text[i] > '9')
      return 0;
  return points <= 1 && used > points && used <= 15;
}

/* The quick way reads around the text and is moved by nothing there: the bits of the plain one, wherever it is one that it
 * takes, and no other. The buffer ends where reading must, so that the sanitizers see a byte too many. */
static void check_amid(const char *text, size_t length) {
  static const char around[] = "0.,-e9\n\xff";
  double wanted = 12345, got = 12345;
  enum number_status status = number_parse(text, length, &wanted);
  char *buffer = malloc(AMID_MARGIN + length + AMID_MARGIN), *copy = buffer + AMID_MARGIN;
  ck_assert_ptr_nonnull(buffer);
  for (size_t b = 0; b < sizeof around - 1; b++) {
    memset(buffer, around[b], AMID_MARGIN + length + AMID_MARGIN);
    memcpy(copy, text, length);
    ck_assert_msg(number_amid(copy, length, &got) == (AMID_WIDE && is_usual(text, length)), "%.*s", (int)length, text);
    if (!AMID_WIDE || !is_usual(text, length)) continue;
    ck_assert_msg(status == NUMBER_OK && memcmp(&wanted, &got, sizeof got) == 0, "%.*s: %.17g", (int)length, text, got);
  }
  free(buffer);
}

/* Every whole and broken part up to ten digits, with signs, and what may spoil them at every place. */
START_TEST(test_amid_by_shape) {
  static const char digits[] = "9081726354", spoils[] = "./:-+eE x\x80\xb0";
  for (int whole = 0; whole <= 10; whole++)
    for (int broken = -1; broken <= 10; broken++)
      for (int sign = 0; sign < 3; sign++) {
        char text[64];
        int n = snprintf(text, sizeof text, "%.1s%.*s%s%.*s", &"\0-+"[sign], whole, digits, broken < 0 ? "" : ".",
                         broken < 0 ? 0 : broken, digits);
        check_amid(text, (size_t)n);
        for (int i = 0; i < n; i++)
          for (size_t s = 0; s < sizeof spoils - 1; s++) {
            char kept = text[i];
            text[i] = spoils[s];
            check_amid(text, (size_t)n);
            text[i] = kept;
          }
      }
}
END_TEST

START_TEST(test_amid_at_random) {
  static const char letters[] = "00123456789999.-+e";
  srand48(2);
  for (int i = 0; i < 100000; i++) {
    char text[64];
    int n = snprintf(text, sizeof text, "%.*f", i % 10, (drand48() - 0.5) * pow(10, i % 11));
    check_amid(text, (size_t)n);
    n = i % 20;
    for (int c = 0; c < n; c++)
      text[c] = letters[(size_t)(drand48() * (sizeof letters - 1))];
    check_amid(text, (size_t)n);
  }
}
END_TEST

/* The longest ones, with the point at every place. */
START_TEST(test_amid_at_its_end) {
  for (size_t length = 13; length < 19; length++)
    for (size_t point = 0; point <= length; point++) {
      char text[] = "-9999999999999999999";
      if (point < length) text[1 + point] = '.';
      check_amid(text, 1 + length);
      check_amid(text + 1, length);
    }
}
END_TEST

START_TEST(test_decimal_comma) {
  static const struct {
    const char *text;
    double value;
  } good[] = {{"1,5", 1.5},       {"-1,5", -1.5},      {"+0,25", 0.25},         {"1234", 1234},
              {"1234,5", 1234.5}, {"1.234,5", 1234.5}, {"1.234", 1234},         {"1.234.567,", 1234567},
              {",5", 0.5},        {"2,5e3", 2500},     {"12.345.678", 12345678}};
  static const char *const bad[] = {"",        ",",         "-",    "1,2,3",  "1.5", "1234.567", "1.23,4",
                                    "1,234.5", "12.34.567", ".234", "1..234", "a",   "1,5x"};
  double value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    ck_assert_msg(number_parse_comma(good[i].text, strlen(good[i].text), &value) == NUMBER_OK, "%s", good[i].text);
    ck_assert_double_eq(value, good[i].value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(number_parse_comma(bad[i], strlen(bad[i]), &value) == NUMBER_NONE, "%s", bad[i]);
  ck_assert_int_eq(number_parse_comma("nan", 3, &value), NUMBER_NOT_FINITE);
}
END_TEST

SCRATCH_MAIN("number", test_decimal_comma, test_agrees_with_strtod, test_random_numbers_agree, test_refuses,
             test_length_ends_it, test_long_digits, test_amid_by_shape, test_amid_at_random, test_amid_at_its_end)

#include "data/column.h"

#include <math.h>

#include "support/scratch.h"

static void check_log(const struct column *column, double x) {
  float got = column_scaled(column, x), wanted = column_place(column, column_log(x));
  if (memcmp(&got, &wanted, sizeof got) != 0) /* asserted so often, it would take minutes */
    ck_abort_msg("%.17g: %.9g instead of %.9g", x, (double)got, (double)wanted);
}

/* The quick logarithm shows in no bit: numbers of every size, and whole ones; ranges of every kind, one constant and one so narrow that a
 * double's last bits show. */
START_TEST(test_logarithms) {
  static const double ranges[][2] = {{0, 100000}, {12285, 1484705}, {0, 1},           {-1000, 1e9},
                                     {3, 3},      {1, 1e300},       {1e6, 1e6 + 1e-3}};
  srand48(4);
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
    struct column column = {.kind = COLUMN_LOG, .low = ranges[r][0], .high = ranges[r][1]};
    column_prepare(&column);
    check_log(&column, column.low);
    check_log(&column, column.high);
    check_log(&column, -0.0);
    for (int i = 0; i < 200000; i++) {
      double x = (drand48() - 0.1) * pow(10, i % 12 - 2);
      check_log(&column, x);
      check_log(&column, column.low + drand48() * (column.high - column.low));
      check_log(&column, floor(x));
    }
  }
}
END_TEST

START_TEST(test_log_is_log1p) {
  static const double numbers[] = {0.0, -0.0, 1e-320, 0.5, 1, 7, 1e300};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double wanted = log1p(numbers[i]), got = column_log(numbers[i]), minus = column_log(-numbers[i]);
    ck_assert_mem_eq(&wanted, &got, sizeof got);
    ck_assert_double_eq(minus, -wanted);
  }
}
END_TEST

SCRATCH_MAIN("column", test_logarithms, test_log_is_log1p)

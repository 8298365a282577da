#include "base/error.h"
#include "support/scratch.h"

/* Arguments and file names may hold anything: an error is one line all the same, and moves no cursor. */
START_TEST(one_line) {
  scratch_expect(EXIT_INPUT, error_report(EXIT_INPUT, "no option '%s'", "--a\nb\x1b[2J"), "no option '--a?b?[2J'");
}
END_TEST

START_TEST(captured) {
  char text[32];
  error_capture(text, sizeof text);
  error_private(1);
  ck_assert_int_eq(error_report(EXIT_REFUSED, "%s: why\r", "x\ty"), EXIT_REFUSED);
  ck_assert_str_eq(text, "x\ty: why? (private: do not publ");
  error_private(0);
  error_report(EXIT_SYSTEM, "%s", "no\nmore");
  ck_assert_str_eq(text, "no?more");
  error_capture(NULL, 0);
}
END_TEST

SCRATCH_MAIN("error", one_line, captured)

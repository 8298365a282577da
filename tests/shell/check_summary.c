#include "report/summary.h"

#include "base/error.h"
#include "support/scratch.h"

static int try_read(struct summary *summary, const char *text) {
  memset(summary, 0, sizeof *summary);
  scratch_text("s", text);
  return summary_read(summary, "s");
}

static void refuse(const char *text, const char *why) {
  struct summary summary;
  scratch_expect(EXIT_INPUT, try_read(&summary, text), why);
  summary_free(&summary);
}

START_TEST(test_fields) {
  struct summary summary;
  ck_assert_int_eq(
      try_read(&summary, "{\"a\": \"x\\\"\\\\\\u00e9\", \"b\": 1.5, \"c\": [1, \"]\\\"\", {}], \"\": \"\"}\n"),
      EXIT_OK);
  ck_assert_uint_eq(summary.count, 4);
  ck_assert_str_eq(summary_text(&summary, "a"), "x\"\\\xc3\xa9");
  ck_assert_double_eq(summary_number(&summary, "b", 0), 1.5);
  ck_assert_str_eq(summary_text(&summary, "c"), "[1, \"]\\\"\", {}]");
  ck_assert_str_eq(summary_text(&summary, ""), "");
  ck_assert_ptr_null(summary_text(&summary, "d"));
  summary_free(&summary);
}
END_TEST

START_TEST(test_escapes_that_are_none) {
  refuse("{\"a\": \"\\u  -1\"}", "a bad escape"); /* a number to strtoul */
  refuse("{\"a\": \"\\u0x1f\"}", "a bad escape");
  refuse("{\"a\": \"\\u12\"}", "a bad escape");
  refuse("{\"a\": \"\\u12", "cut off");
  refuse("{\"a\": \"\\q\"}", "a bad escape");
  refuse("{\"a\": \"x\\", "a string without end");
}
END_TEST

/* More than is read at once, in one string and in all. */
START_TEST(test_long) {
  static char text[(1 << 24) + 2];
  struct summary summary;
  memset(text, 'x', 100000);
  memcpy(text, "{\"a\": \"", 7);
  strcpy(text + 100000, "\"}");
  ck_assert_int_eq(try_read(&summary, text), EXIT_OK);
  ck_assert_uint_eq(strlen(summary_text(&summary, "a")), 100000 - 7);
  summary_free(&summary);
  memset(text, ' ', sizeof text - 1);
  refuse(text, "too long for a summary");
  text[sizeof text - 2] = '\0';
  refuse(text, "not a JSON object");
}
END_TEST

SCRATCH_MAIN("summary", test_fields, test_escapes_that_are_none, test_long)

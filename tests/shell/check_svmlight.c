#include "data/svmlight.h"

#include "support/scratch.h"

static uint32_t index_[64];
static float value[64];
static struct svmlight line;

static int parse(const char *text, uint32_t columns) {
  ck_assert_uint_le(svmlight_room(strlen(text)), 64);
  return svmlight_parse(text, strlen(text), columns, index_, value, &line);
}

START_TEST(test_line) {
  ck_assert_int_eq(parse("+1 1:0.5\t3:-2e1  7:1 # 9:9", 100), 0);
  ck_assert_uint_eq(line.label.length, 2);
  ck_assert_mem_eq(line.label.text, "+1", 2);
  ck_assert_uint_eq(line.entries, 3);
  ck_assert_uint_eq(line.largest, 7);
  ck_assert_uint_eq(index_[0], 0);
  ck_assert_uint_eq(index_[1], 2);
  ck_assert_uint_eq(index_[2], 6);
  ck_assert_float_eq(value[0], 0.5f);
  ck_assert_float_eq(value[1], -20.0f);
  ck_assert_float_eq(value[2], 1.0f);
}
END_TEST

START_TEST(test_unlabelled_empty_and_label_only) {
  ck_assert_int_eq(parse("2:1 4:1", 100), 0);
  ck_assert_ptr_null(line.label.text);
  ck_assert_uint_eq(line.entries, 2);
  ck_assert_int_eq(parse("5", 100), 0);
  ck_assert_uint_eq(line.label.length, 1);
  ck_assert_uint_eq(line.entries, 0);
  ck_assert_int_eq(parse("  # nothing", 100), 0);
  ck_assert_ptr_null(line.label.text);
  ck_assert_uint_eq(line.entries, 0);
}
END_TEST

/* What lies beyond the public columns is checked, counted and left out; zeros are left out. */
START_TEST(test_beyond_the_columns) {
  ck_assert_int_eq(parse("0 1:1 2:0 3:3 4:4", 3), 0);
  ck_assert_uint_eq(line.entries, 2);
  ck_assert_uint_eq(line.largest, 4);
  ck_assert_uint_eq(index_[1], 2);
}
END_TEST

START_TEST(test_shortest_entries_fit_the_room) {
  ck_assert_uint_ge(svmlight_room(strlen("1:1 2:1 3:1")), 3);
  ck_assert_int_eq(parse("1:1 2:1 3:1", 100), 0);
  ck_assert_uint_eq(line.entries, 3);
}
END_TEST

START_TEST(test_refuses) {
  static const struct {
    const char *text, *cause;
    size_t column;
  } bad[] = {{"1 0:1", "index 0", 3},
             {"1 2:1 2:1", "ascend", 7},
             {"1 3:1 2:1", "ascend", 7},
             {"1 16777217:1", "above 16777216", 3},
             {"1 99999999999999999999:1", "above 16777216", 3},
             {"1 a:1", "index:value", 3},
             {"1 5", "index:value", 3},
             {"1 :5", "index:value", 3},
             {"1 -1:5", "index:value", 3},
             {"1 qid:3 1:1", "index:value", 3},
             {"1 1:", "not a number", 5},
             {"1 1: 2", "not a number", 5},
             {"1 1:x", "not a number", 5},
             {"1 1:2x", "not a number", 5},
             {"1 1:2,3", "not a number", 5},
             {"1 1:nan", "not finite", 5},
             {"1 1:-inf", "not finite", 5},
             {"1 1:1e39", "not finite", 5}};
  size_t i;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    ck_assert_msg(parse(bad[i].text, 100) == -1, "%s", bad[i].text);
    ck_assert_msg(strstr(line.cause, bad[i].cause) != NULL, "%s: %s", bad[i].text, line.cause);
    ck_assert_msg(line.column == bad[i].column, "%s: column %zu", bad[i].text, line.column);
  }
  ck_assert_int_eq(parse("1 16777216:1", 100), 0);
}
END_TEST

SCRATCH_MAIN("svmlight", test_line, test_unlabelled_empty_and_label_only, test_beyond_the_columns,
             test_shortest_entries_fit_the_room, test_refuses)

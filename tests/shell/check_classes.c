#include "data/classes.h"

#include "base/error.h"
#include "support/scratch.h"

static int32_t find(const struct classes *classes, const char *text) {
  return classes_find(classes, text, strlen(text));
}

START_TEST(test_list) {
  struct classes classes;
  ck_assert_int_eq(classes_parse(&classes, "no,yes|true|>50K.,maybe"), EXIT_OK);
  ck_assert_uint_eq(classes.count, 3);
  ck_assert_str_eq(classes.name[0], "no");
  ck_assert_str_eq(classes.name[1], "yes");
  ck_assert_str_eq(classes.name[2], "maybe");
  ck_assert_int_eq(find(&classes, "no"), 0);
  ck_assert_int_eq(find(&classes, "true"), 1);
  ck_assert_int_eq(find(&classes, ">50K."), 1);
  ck_assert_int_eq(find(&classes, "maybe"), 2);
  ck_assert_int_eq(find(&classes, "mayb"), -1);
  ck_assert_int_eq(find(&classes, "maybe2"), -1);
  ck_assert_int_eq(find(&classes, ""), -1);
  classes_free(&classes);
}
END_TEST

START_TEST(test_quotes) {
  struct classes classes;
  ck_assert_int_eq(classes_parse(&classes, "\"yes, sick\"|\"a|b\",\"say \"\"no\"\"\",plain \"quote"), EXIT_OK);
  ck_assert_uint_eq(classes.count, 3);
  ck_assert_str_eq(classes.name[0], "yes, sick");
  ck_assert_int_eq(find(&classes, "a|b"), 0);
  ck_assert_str_eq(classes.name[1], "say \"no\"");
  ck_assert_str_eq(classes.name[2], "plain \"quote");
  classes_free(&classes);
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "a,\"b"), "a quote that is never closed");
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "a,\"b\"c"), "text after a closing quote");
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "\"\",b"), "empty");
}
END_TEST

static int32_t vote(const struct classes *classes, const char *text) {
  return classes_vote(classes, text, strlen(text));
}

/* A label stands for itself only where no class is called by a number. */
START_TEST(test_votes) {
  struct classes classes;
  ck_assert_int_eq(classes_parse(&classes, "no,yes"), EXIT_OK);
  ck_assert_int_eq(vote(&classes, "yes"), 1);
  ck_assert_int_eq(vote(&classes, "0"), 0);
  ck_assert_int_eq(vote(&classes, "1"), 1);
  ck_assert_int_eq(vote(&classes, "2"), -1);
  ck_assert_int_eq(vote(&classes, "0.5"), -1);
  ck_assert_int_eq(vote(&classes, "-1"), -1);
  ck_assert_int_eq(vote(&classes, ""), -1);
  classes_free(&classes);
  ck_assert_int_eq(classes_parse(&classes, "1,2"), EXIT_OK);
  ck_assert_int_eq(vote(&classes, "1"), 0);
  ck_assert_int_eq(vote(&classes, "2"), 1);
  ck_assert_int_eq(vote(&classes, "0"), -1);
  classes_free(&classes);
}
END_TEST

START_TEST(test_numbers_by_value) {
  struct classes classes;
  ck_assert_int_eq(classes_parse(&classes, "-1,+1"), EXIT_OK);
  ck_assert_int_eq(find(&classes, "1"), 1);
  ck_assert_int_eq(find(&classes, "1.0"), 1);
  ck_assert_int_eq(find(&classes, "-1e0"), 0);
  ck_assert_int_eq(find(&classes, "0"), -1);
  ck_assert_int_eq(find(&classes, "nan"), -1);
  classes_free(&classes);
}
END_TEST

START_TEST(test_refuses) {
  struct classes classes;
  char many[8192] = "";
  int i;
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "one"), "at least two classes");
  scratch_expect(EXIT_INPUT, classes_parse(&classes, ""), "empty");
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "a,,b"), "empty");
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "a,b,a"), "\"a\" is declared twice");
  scratch_expect(EXIT_INPUT, classes_parse(&classes, "1,2|1.0"), "\"1.0\" is declared twice");
  for (i = 0; i < 1025; i++)
    sprintf(many + strlen(many), "%s%d", i ? "," : "", i);
  scratch_expect(EXIT_INPUT, classes_parse(&classes, many), "more than 1024 classes");
  ck_assert_uint_eq(classes.count, 0);
  classes_init(&classes);
  scratch_expect(EXIT_INPUT, classes_alias(&classes, "file:3", "x", 1), "file:3: a spelling before");
}
END_TEST

SCRATCH_MAIN("classes", test_list, test_quotes, test_votes, test_numbers_by_value, test_refuses)

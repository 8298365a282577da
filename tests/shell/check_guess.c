#include "base/guess.h"

#include "support/suite.h"

static const char *const names[] = {"epsilon", "delta", "silences", "answers", "teachers", "test", NULL};

static const char *guessed(const char *word) {
  static char text[80];
  struct guess guess;
  guess_begin(&guess, word, strlen(word));
  for (size_t i = 0; names[i]; i++)
    guess_try(&guess, names[i]);
  return guess_words(&guess, "--", text);
}

START_TEST(near_names) {
  ck_assert_str_eq(guessed("epsilom"), "; did you mean '--epsilon'?");
  ck_assert_str_eq(guessed("espilon"), "; did you mean '--epsilon'?");
  ck_assert_str_eq(guessed("silence"), "; did you mean '--silences'?");
  ck_assert_str_eq(guessed("teachrs"), "; did you mean '--teachers'?");
  ck_assert_str_eq(guessed("tset"), "; did you mean '--test'?");
}
END_TEST

START_TEST(the_nearest) {
  ck_assert_str_eq(guessed("tests"), "; did you mean '--test'?");
  ck_assert_str_eq(guessed("answer"), "; did you mean '--answers'?");
}
END_TEST

START_TEST(nothing_near) {
  ck_assert_str_eq(guessed("nope"), "");
  ck_assert_str_eq(guessed("x"), "");
  ck_assert_str_eq(guessed(""), "");
  ck_assert_str_eq(guessed("a-word-that-is-much-longer-than-any-name-of-an-option"), "");
}
END_TEST

SUITE_MAIN("guess", near_names, the_nearest, nothing_near)

/* The main of every suite: one case, each test in its own process, the file named check_<suite>.c. */
#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suite_test {
  const TTest *test;
  int times; /* it runs so often, with _i from 0 */
};

typedef void (*suite_fixture)(void);

static inline int suite_run(const char *file, const char *name, const struct suite_test *tests, size_t count,
                            suite_fixture before, suite_fixture after) {
  Suite *suite = suite_create(name);
  TCase *tcase = tcase_create(name);
  SRunner *runner = srunner_create(suite);
  const char *stem = strrchr(file, '/');
  char wanted[100];
  int failed;
  snprintf(wanted, sizeof wanted, "check_%s.c", name);
  if (strcmp(stem ? stem + 1 : file, wanted) != 0) {
    fprintf(stderr, "%s: a suite called %s belongs into %s\n", file, name, wanted);
    return EXIT_FAILURE;
  }
  if (before) tcase_add_checked_fixture(tcase, before, after);
  tcase_set_timeout(tcase, 120);
  for (size_t i = 0; i < count; i++)
    tcase_add_loop_test(tcase, tests[i].test, 0, tests[i].times);
  suite_add_tcase(suite, tcase);
  srunner_run_all(runner, CK_ENV);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Tests that run once, between two fixtures or between none. */
static inline int suite_run_once(const char *file, const char *name, const TTest *const *tests, size_t count,
                                 suite_fixture before, suite_fixture after) {
  struct suite_test *once = calloc(count, sizeof *once);
  int code;
  for (size_t i = 0; i < count; i++)
    once[i] = (struct suite_test){tests[i], 1};
  code = suite_run(file, name, once, count, before, after);
  free(once);
  return code;
}

#define SUITE_MAIN(name, ...) SUITE_MAIN_BETWEEN(name, NULL, NULL, __VA_ARGS__)

#define SUITE_MAIN_BETWEEN(name, before, after, ...)                                                                   \
  int main(void) {                                                                                                     \
    const TTest *const tests[] = {__VA_ARGS__};                                                                        \
    return suite_run_once(__FILE__, name, tests, sizeof tests / sizeof *tests, before, after);                         \
  }

/* The same with entries {test, times}. */
#define SUITE_LOOPS(name, ...) SUITE_LOOPS_BETWEEN(name, NULL, NULL, __VA_ARGS__)

#define SUITE_LOOPS_BETWEEN(name, before, after, ...)                                                                  \
  int main(void) {                                                                                                     \
    const struct suite_test tests[] = {__VA_ARGS__};                                                                   \
    return suite_run(__FILE__, name, tests, sizeof tests / sizeof *tests, before, after);                              \
  }

#endif

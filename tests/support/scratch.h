/* For tests that read files: a directory of their own, and what was said on stderr. */
#ifndef FUMATA_SCRATCH_H
#define FUMATA_SCRATCH_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char scratch_place[] = "/tmp/fumata-check-XXXXXX";
static int scratch_stderr;

static inline void scratch_begin(void) {
  strcpy(scratch_place + strlen(scratch_place) - 6, "XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(scratch_place));
  ck_assert_int_eq(chdir(scratch_place), 0);
  scratch_stderr = dup(STDERR_FILENO);
  ck_assert_ptr_nonnull(freopen("said", "w+", stderr));
  setvbuf(stderr, NULL, _IONBF, 0);
}

static inline void scratch_end(void) {
  char command[sizeof scratch_place + 16];
  dup2(scratch_stderr, STDERR_FILENO);
  snprintf(command, sizeof command, "rm -rf %s", scratch_place);
  ck_assert_int_eq(system(command), 0);
}

/* Exactly one line was said since the last call, and it has this part. */
static inline void scratch_expect(int wanted, int code, const char *part) {
  static long before;
  char said[4096];
  FILE *file = fopen("said", "r");
  size_t size;
  ck_assert_ptr_nonnull(file);
  fseek(file, before, SEEK_SET);
  size = fread(said, 1, sizeof said - 1, file);
  said[size] = '\0';
  before = ftell(file);
  fclose(file);
  ck_assert_msg(code == wanted, "code %d instead of %d: %s", code, wanted, said);
  ck_assert_msg(strchr(said, '\n') == said + size - 1, "not one line: '%s'", said);
  ck_assert_msg(strstr(said, part) != NULL, "wanted '%s', heard '%s'", part, said);
}

static inline void scratch_write(const char *name, const void *bytes, size_t length) {
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  ck_assert_int_eq(fclose(file), 0);
}

static inline void scratch_text(const char *name, const char *text) {
  scratch_write(name, text, strlen(text));
}

static inline void scratch_gzip(const char *name, const void *bytes, size_t length) {
  gzFile file = gzopen(name, "wb");
  ck_assert_ptr_nonnull(file);
  if (length) ck_assert_int_eq(gzwrite(file, bytes, (unsigned)length), (int)length);
  ck_assert_int_eq(gzclose(file), Z_OK);
}

/* The suite's one case, each test in its own process and directory. */
static inline int scratch_run(const char *name, const TTest *const *tests, size_t count) {
  Suite *suite = suite_create(name);
  TCase *tcase = tcase_create(name);
  SRunner *runner;
  size_t i;
  int failed;
  tcase_add_checked_fixture(tcase, scratch_begin, scratch_end);
  tcase_set_timeout(tcase, 60);
  for (i = 0; i < count; i++)
    tcase_add_test(tcase, tests[i]);
  suite_add_tcase(suite, tcase);
  runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define SCRATCH_MAIN(name, ...)                                                                                        \
  int main(void) {                                                                                                     \
    const TTest *const tests[] = {__VA_ARGS__};                                                                        \
    return scratch_run(name, tests, sizeof tests / sizeof *tests);                                                     \
  }

#endif

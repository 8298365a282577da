/* For tests that read files: a directory of their own, and what was said on stderr. */
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "support/suite.h"

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

/* Each test in a directory of its own. */
#define SCRATCH_MAIN(name, ...) SUITE_MAIN_BETWEEN(name, scratch_begin, scratch_end, __VA_ARGS__)

#endif

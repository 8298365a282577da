#include "base/hush.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/threads.h"
#include "support/suite.h"

static char said[2][4096]; /* what came through descriptors 1 and 2 */

/* What `work` prints on both, read back from two files that take their place. */
static void hear(void (*work)(void)) {
  int before[2], file[2];
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    char path[] = "/tmp/hush-XXXXXX";
    before[i] = dup(i + 1);
    file[i] = mkstemp(path);
    unlink(path);
    dup2(file[i], i + 1);
  }
  work();
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    ssize_t length = pread(file[i], said[i], sizeof said[i] - 1, 0);
    dup2(before[i], i + 1);
    said[i][length < 0 ? 0 : length] = '\0';
    close(file[i]);
    close(before[i]);
  }
}

static void library(const char *text) {
  printf("%s", text);
  fprintf(stderr, "%s", text);
  ck_assert_int_ge(write(1, text, strlen(text)), 0);
  ck_assert_int_ge(write(2, text, strlen(text)), 0);
}

static void speak(void) {
  printf("before\n");
  hush_begin();
  library("SECRET");
  hush_begin();
  library("SECRET");
  error_warn("ours");
  hush_end();
  library("SECRET");
  hush_end();
  printf("after\n");
  error_warn("later");
}

START_TEST(test_a_library_is_not_heard_and_we_are) {
  hush_private();
  for (int i = 0; i < 3; i++) {
    hear(speak);
    ck_assert_str_eq(said[0], "before\nafter\n");
    ck_assert_str_eq(said[1], "ours\nlater\n");
  }
}
END_TEST

START_TEST(test_nothing_is_hushed_without_private_rows) {
  hear(speak);
  ck_assert_ptr_nonnull(strstr(said[0], "SECRET"));
  ck_assert_ptr_nonnull(strstr(said[1], "SECRET"));
}
END_TEST

static void chatter(void *context, unsigned number) {
  (void)context, (void)number;
  for (int i = 0; i < 200; i++) {
    hush_begin();
    library("SECRET");
    hush_end();
  }
}

static void crowd(void) {
  struct threads threads;
  hush_begin();
  threads_start(&threads, 8, chatter, NULL);
  for (int i = 0; i < 50; i++)
    error_warn("ours");
  threads_join(&threads);
  hush_end();
}

START_TEST(test_threads_may_overlap) {
  hush_private();
  hear(crowd);
  ck_assert_str_eq(said[0], "");
  ck_assert_uint_eq(strlen(said[1]), 50 * strlen("ours\n"));
  ck_assert_ptr_null(strstr(said[1], "SECRET"));
}
END_TEST

static int told;

static void full(void) {
  int before = dup(1), full = open("/dev/full", O_WRONLY);
  dup2(full, 1);
  printf("an answer");
  hush_begin();
  hush_end();
  errno = 0;
  told = ferror(stdout) ? error_unwritten("the answers") : EXIT_OK;
  dup2(before, 1);
  close(full);
  close(before);
}

START_TEST(test_a_full_disk_is_still_said) {
  hush_private();
  hear(full);
  ck_assert_int_eq(told, EXIT_SYSTEM);
  ck_assert_str_eq(said[1], "fumata: the answers: cannot write: No space left on device\n");
}
END_TEST

static void closed(void) {
  close(2);
  speak();
}

START_TEST(test_a_closed_descriptor_does_no_harm) {
  hush_private();
  hear(closed);
  ck_assert_str_eq(said[0], "before\nafter\n");
}
END_TEST

SUITE_MAIN("hush", test_a_library_is_not_heard_and_we_are, test_nothing_is_hushed_without_private_rows,
           test_threads_may_overlap, test_a_full_disk_is_still_said, test_a_closed_descriptor_does_no_harm)

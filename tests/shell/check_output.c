/* base/output: whole or not at all, never onto an input, folders made and unmade. */
#include "base/output.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/error.h"
#include "support/scratch.h"

static const char *const none[] = {NULL};

static int is_there(const char *path) {
  return access(path, F_OK) == 0;
}

static void file_is(const char *path, const char *wanted) {
  char text[64] = "";
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_lt(fread(text, 1, sizeof text - 1, file), sizeof text);
  fclose(file);
  ck_assert_str_eq(text, wanted);
}

START_TEST(test_whole_or_not_at_all) {
  struct output output;
  scratch_text("old", "old\n");
  ck_assert_int_eq(output_open(&output, "old"), EXIT_OK);
  fputs("new\n", output.stream);
  output_discard(&output);
  file_is("old", "old\n");
  ck_assert_int_eq(output_open(&output, "old"), EXIT_OK);
  fputs("new\n", output.stream);
  ck_assert_int_eq(output_commit(&output), EXIT_OK);
  file_is("old", "new\n");
}
END_TEST

START_TEST(test_folders) {
  struct output output;
  ck_assert_int_eq(mkdir("a", 0777), 0);
  ck_assert_int_eq(output_open(&output, "a/b//c/file"), EXIT_OK);
  output_discard(&output);
  ck_assert(is_there("a") && !is_there("a/b"));
  ck_assert_int_eq(output_open(&output, "a/b//c/file"), EXIT_OK);
  ck_assert_int_eq(output_commit(&output), EXIT_OK);
  ck_assert(is_there("a/b/c/file"));
  ck_assert_int_eq(output_open(&output, "a/b/d/file"), EXIT_OK);
  output_discard(&output);
  ck_assert(is_there("a/b/c/file") && !is_there("a/b/d"));
  scratch_text("plain", "");
  scratch_expect(EXIT_SYSTEM, output_open(&output, "plain/x/file"), "plain/x/file: cannot write: Not a directory");
  scratch_expect(EXIT_SYSTEM, output_open(&output, "a/b"), "a/b: cannot write: Is a directory");
  scratch_expect(EXIT_SYSTEM, output_open(&output, ""), ": cannot write");
}
END_TEST

START_TEST(test_allow) {
  const char *const inputs[] = {"other", "data@0:10", NULL};
  scratch_text("data", "1\n");
  ck_assert_int_eq(output_allow("new", 0, inputs), EXIT_OK);
  ck_assert_int_eq(symlink("data", "soft"), 0);
  ck_assert_int_eq(link("data", "hard"), 0);
  for (int force = 0; force < 2; force++) {
    scratch_expect(EXIT_INPUT, output_allow("data", force, inputs), "data: this is an input (data@0:10)");
    scratch_expect(EXIT_INPUT, output_allow("soft", force, inputs), "soft: this is an input");
    scratch_expect(EXIT_INPUT, output_allow("hard", force, inputs), "hard: this is an input");
  }
  scratch_expect(EXIT_INPUT, output_allow("data", 1, (const char *const[]){"x.npy,data@1:2", NULL}),
                 "this is an input");
  scratch_expect(EXIT_INPUT, output_allow("data", 1, (const char *const[]){"data,y.npy", NULL}), "this is an input");
  ck_assert_int_eq(output_allow("data", 1, (const char *const[]){"dat,ta@1:2", NULL}), EXIT_OK);
  scratch_expect(EXIT_INPUT, output_allow("data", 0, none), "data: exists already; --force");
  ck_assert_int_eq(output_allow("data", 1, none), EXIT_OK);
  ck_assert_int_eq(output_allow("/dev/null", 0, none), EXIT_OK);
}
END_TEST

START_TEST(test_pipe) {
  struct output output;
  struct stat about;
  char got[8] = "";
  int reader;
  ck_assert_int_eq(mkfifo("pipe", 0666), 0);
  reader = open("pipe", O_RDONLY | O_NONBLOCK);
  ck_assert_int_eq(output_open(&output, "pipe"), EXIT_OK);
  fputs("text", output.stream);
  ck_assert_int_eq(output_commit(&output), EXIT_OK);
  ck_assert_int_eq(read(reader, got, sizeof got), 4);
  ck_assert_str_eq(got, "text");
  ck_assert_int_eq(stat("pipe", &about), 0);
  ck_assert(S_ISFIFO(about.st_mode));
  close(reader);
}
END_TEST

SCRATCH_MAIN("output", test_whole_or_not_at_all, test_folders, test_allow, test_pipe)

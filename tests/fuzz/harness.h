/* What the fuzzing harnesses share. A harness is one file, tests/fuzz/NAME.c, that says what is done with some bytes:
 *
 *   int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
 *
 * and what must be true of it (FUZZ_MUST). libFuzzer brings its own main (tests/fuzz/run, -DFUZZ_ENGINE); without it the
 * program replays the files that it is given, which is how `make check` goes through tests/fuzz/seeds. */
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What must hold whatever the bytes are. */
#define FUZZ_MUST(condition) ((condition) ? (void)0 : fuzz_stop(__FILE__, __LINE__, #condition))

static inline void fuzz_stop(const char *file, int line, const char *condition) {
  fprintf(stderr, "%s:%d: it must be that %s\n", file, line, condition);
  abort();
}

/* ---- bytes as a stream of choices; behind the end there are zeros ---- */

struct fuzz {
  const uint8_t *at;
  size_t left;
};

/* A number of `length` bytes, the lowest first. */
static inline uint64_t fuzz_number(struct fuzz *fuzz, size_t length) {
  uint64_t number = 0;
  for (size_t i = 0; i < length && fuzz->left; i++, fuzz->left--)
    number |= (uint64_t)*fuzz->at++ << (8 * i);
  return number;
}

static inline uint8_t fuzz_byte(struct fuzz *fuzz) {
  return (uint8_t)fuzz_number(fuzz, 1);
}

/* The next `length` bytes, or those that are left. */
static inline struct fuzz fuzz_cut(struct fuzz *fuzz, size_t length) {
  struct fuzz part = {fuzz->at, length < fuzz->left ? length : fuzz->left};
  fuzz->at += part.left;
  fuzz->left -= part.left;
  return part;
}

/* All that is left, as a text; to be freed. */
static inline char *fuzz_text(const struct fuzz *fuzz) {
  char *text = malloc(fuzz->left + 1);
  FUZZ_MUST(text != NULL);
  if (fuzz->left) memcpy(text, fuzz->at, fuzz->left);
  text[fuzz->left] = '\0';
  return text;
}

/* ---- files ---- */

#define FUZZ_FILES 3

/* The path of a file in memory that has these bytes; there are FUZZ_FILES places. */
static inline const char *fuzz_file(size_t place, const void *bytes, size_t size) {
  static int fd[FUZZ_FILES];
  static char path[FUZZ_FILES][32];
  if (!fd[place]) {
    fd[place] = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_MUST(fd[place] > 0);
    snprintf(path[place], sizeof path[place], "/proc/self/fd/%d", fd[place]);
  }
  FUZZ_MUST(ftruncate(fd[place], 0) == 0);
  FUZZ_MUST(size == 0 || pwrite(fd[place], bytes, size, 0) == (ssize_t)size);
  return path[place];
}

/* ---- what was said ---- */

static char fuzz_said[1 << 13];

/* From here on error lines are kept and not printed. */
static inline void fuzz_listen(void) {
  fuzz_said[0] = '\0';
  error_capture(fuzz_said, sizeof fuzz_said);
}

/* A call that fails has said why, in one line, and knows its exit code; one that succeeds has said nothing. */
static inline int fuzz_judge(int code) {
  FUZZ_MUST(code == EXIT_OK || code == EXIT_REFUSED || code == EXIT_INPUT || code == EXIT_SYSTEM);
  FUZZ_MUST((code == EXIT_OK) == (fuzz_said[0] == '\0'));
  FUZZ_MUST(strchr(fuzz_said, '\n') == NULL);
  return code;
}

/* The same where nothing but the bytes can be at fault: the machine has enough of everything. */
static inline int fuzz_judge_input(int code) {
  FUZZ_MUST(code != EXIT_SYSTEM);
  return fuzz_judge(code);
}

#ifndef FUZZ_ENGINE

static void fuzz_replay(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes;
  long size;
  FUZZ_MUST(file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0);
  rewind(file);
  bytes = malloc(size ? (size_t)size : 1); /* no byte more: a sanitizer sees what reads beyond */
  FUZZ_MUST(bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  LLVMFuzzerTestOneInput(bytes, (size_t)size);
  free(bytes);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    fuzz_replay(argv[i]);
  return argc > 1 ? 0 : 2;
}

#endif

#endif

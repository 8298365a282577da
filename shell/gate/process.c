#include "gate/process.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

typedef _Atomic uint64_t process_word;

static process_word process_no_page;       /* its address stands for: this kernel does not wipe pages */
static process_word *_Atomic process_page; /* the token's; NULL at first */

static process_word *process_map(void) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  process_word *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *first = NULL;
  if (page == MAP_FAILED) page = &process_no_page;
  if (page != &process_no_page && madvise(page, size, MADV_WIPEONFORK) != 0) {
    munmap(page, size);
    page = &process_no_page;
  }
  if (atomic_compare_exchange_strong(&process_page, &first, page)) return page;
  if (page != &process_no_page) munmap(page, size); /* another thread was quicker */
  return first;
}

/* The first call in a process. */
static uint64_t process_begin(process_word *page) {
  uint64_t token, before = 0;
  if (getrandom(&token, sizeof token, 0) != (ssize_t)sizeof token || token == 0) token = (uint64_t)getpid();
  return atomic_compare_exchange_strong(page, &before, token) ? token : before;
}

uint64_t process_token(void) {
  process_word *page = atomic_load_explicit(&process_page, memory_order_acquire);
  uint64_t token;
  if (!page) page = process_map();
  if (page == &process_no_page) return (uint64_t)getpid();
  token = atomic_load_explicit(page, memory_order_relaxed);
  return token ? token : process_begin(page);
}

void process_note(struct process *process) {
  process->token = process_token();
  process->pid = getpid();
}

int process_is_this(const struct process *process) {
  return process->token == process_token() && process->pid == getpid();
}

int process_check(const struct process *owner, const char *what) {
  if (process_is_this(owner)) return EXIT_OK;
  return error_report(EXIT_REFUSED, "%s: opened by another process, from which this one was forked: refused here",
                      what);
}

/* A word as a shell takes it: in quotes unless it is plain. Needs at most 4 bytes a letter and 3 more. */
static char *process_quote(char *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (*word && !word[strspn(word, plain)]) return stpcpy(out, word);
  *out++ = '\'';
  for (; *word; word++)
    if (*word == '\'')
      out = stpcpy(out, "'\\''");
    else
      *out++ = *word;
  return stpcpy(out, "'");
}

int process_command(char **command) {
  static const size_t most = 1 << 21; /* of a command line: the kernel's limit */
  FILE *file = fopen("/proc/self/cmdline", "rb");
  char *words = NULL, *out;
  size_t size;
  int code;
  *command = NULL;
  if (!file) return EXIT_OK;
  code = memory_take(&words, most + 1, 1);
  size = code ? 0 : fread(words, 1, most, file);
  fclose(file);
  if (!code && size) code = memory_take(command, 7 * size + 1, 1);
  out = *command;
  for (char *word = words; out && word < words + size; word += strlen(word) + 1) {
    if (word != words) *out++ = ' ';
    out = process_quote(out, word);
  }
  free(words);
  return code;
}

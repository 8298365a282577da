#include "gate/process.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"

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

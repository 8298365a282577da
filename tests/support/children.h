/* Forked processes that do one thing. */
#ifndef SUPPORT_CHILDREN_H
#define SUPPORT_CHILDREN_H

#include <check.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What `act` returned in a forked process, 0 to 255. */
static inline int children_run(int (*act)(void *context), void *context) {
  int status;
  pid_t child = fork();
  if (child == 0) _exit(act(context));
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* Memory that a forked process and its parent both write to. */
static inline void *children_share(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(memory, MAP_FAILED);
  return memory;
}

#endif

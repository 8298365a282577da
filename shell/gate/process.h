/* Which process this is. A forked one has its parent's memory, and must be able to tell that it is another. */
#ifndef GATE_PROCESS_H
#define GATE_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* Zeroed: no process. */
struct process {
  uint64_t token;
  pid_t pid;
};

/* A random number that a process keeps for life and does not share: it lies in a page that the kernel wipes at a
 * fork, so that asking costs a load. Where the kernel does not wipe pages, the pid. Never 0. */
uint64_t process_token(void);

void process_note(struct process *process); /* the one that runs */
int process_is_this(const struct process *process);

/* Refuses, with one line that begins with `what`, in any process but the one that opened it. Exit code (error.h). */
int process_check(const struct process *owner, const char *what);

#endif

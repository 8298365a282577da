/* What a command takes: bench_cost FILE COMMAND... Writes seconds on the clock, seconds of CPU and the peak of its resident
 * memory in KB to FILE; exits as the command does.
 *
 * A small program, because Linux counts the memory of whoever forks as the peak of what is executed then: measured from Python with a
 * table in memory, every command would seem as large as the table. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

static double seconds(struct timeval time) {
  return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int main(int argc, char **argv) {
  double started = machine_seconds(), wall;
  struct rusage usage;
  FILE *out;
  pid_t child;
  int status;
  if (argc < 3) return 2;
  child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 126;
  wall = machine_seconds() - started;
  out = fopen(argv[1], "w");
  if (!out ||
      fprintf(out, "%.6f %.6f %ld\n", wall, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss) < 0 ||
      fclose(out))
    return 126;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

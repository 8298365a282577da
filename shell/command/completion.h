/* What a shell needs to complete a command line, made from the tables of options. */
#ifndef COMMAND_COMPLETION_H
#define COMMAND_COMPLETION_H

#include <stddef.h>

struct completion_command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *line;
};

/* `fumata completion bash`, `zsh` or `fish`: prints the script; `--help`: what to do with it. Returns an exit code (error.h). */
int completion_print(const char *shell, const struct completion_command *commands, size_t count);

#endif

/* One function a command; argv[0] is the command's name, the result is the exit code. And the list of them. */
#ifndef COMMAND_COMMANDS_H
#define COMMAND_COMMANDS_H

#include <stddef.h>

#define COMMAND_SECONDS_MAX 1000000 /* CPU time that one run of an exec learner may be given */

int command_answer(int argc, char **argv);
int command_certify(int argc, char **argv);
int command_learn(int argc, char **argv);
int command_ledger(int argc, char **argv);
int command_model(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_report(int argc, char **argv);
int command_vote(int argc, char **argv);

struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *line; /* what it is for */
};

/* `fumata completion SHELL`: prints the script for bash, zsh or fish, made from the tables of options. Exit code (error.h). */
int completion_print(const char *shell, const struct command *commands, size_t count);

#endif

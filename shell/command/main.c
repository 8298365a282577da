/* The fumata program: finds the command and hands over. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/guess.h"
#include "base/interrupt.h"
#include "command/commands.h"

static const struct command commands[] = {
    {"learn", command_learn, "private data + public data -> public labels and a student model"},
    {"answer", command_answer, "answer queries or ready votes, one line each, within the budget"},
    {"vote", command_vote, "train and vote one share of the teachers, for machines that work side by side"},
    {"predict", command_predict, "label any data with a student model"},
    {"model", command_model, "what is in a student: columns, weights, digest; as JSON for other programs"},
    {"plan", command_plan, "what (epsilon, delta) buys: a certified plan"},
    {"certify", command_certify, "check any plan with the proved core alone"},
    {"report", command_report, "a page about a run, for those who decide and those who audit"},
    {"ledger", command_ledger, "what was spent on a data set, and whether the file is whole"},
};

static void main_help(FILE *stream) {
  fputs("fumata: labels from private data that are safe to publish\n\n"
        "usage: fumata COMMAND [OPTION...]        fumata COMMAND --help explains by example\n\n",
        stream);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    fprintf(stream, "  %-9s %s\n", commands[i].name, commands[i].line);
  fputs("\nfumata version prints the version; fumata completion --help explains completion in bash, zsh and fish\n"
        "exit codes: 0 done, 1 refused (not certified, budget spent), 2 wrong option or file, 3 the machine failed\n",
        stream);
}

/* Checks that all output was written. If a signal ended the command, the program ends by that signal too, so that its caller sees
 * it. */
static int main_finish(int code) {
  int number;
  if ((fflush(stdout) || ferror(stdout)) && code == EXIT_OK) code = error_unwritten("standard output");
  if (code != EXIT_UNREAD && code != EXIT_STOPPED) return code;
  number = code == EXIT_UNREAD ? SIGPIPE : interrupt_signal();
  signal(number, SIG_DFL);
  raise(number);
  return 128 + number;
}

static int main_run(int argc, char **argv) {
  const char *word = argc >= 2 ? argv[1] : NULL;
  struct guess guess;
  char text[80];
  if (!word) return main_help(stderr), EXIT_INPUT;
  if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) return main_help(stdout), EXIT_OK;
  if (!strcmp(word, "--version") || !strcmp(word, "version")) return puts("fumata " FUMATA_VERSION), EXIT_OK;
  if (!strcmp(word, "completion"))
    return completion_print(argc == 3 ? argv[2] : "", commands, sizeof commands / sizeof *commands);
  guess_begin(&guess, word, strlen(word));
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (!strcmp(word, commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    guess_try(&guess, commands[i].name);
  }
  return error_report(EXIT_INPUT, "no command '%s'%s; fumata --help lists them", word, guess_words(&guess, "", text));
}

int main(int argc, char **argv) {
  /* OpenBLAS starts threads of its own as soon as it is loaded, and they spin; pool.c spreads the work instead. Only this
   * variable prevents it. If the program cannot be started again, the threads do no harm. */
  if (!getenv("OPENBLAS_NUM_THREADS")) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  /* A closed pipe must be an error of write, so that open files are closed in order before the end. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* and so must a file that may not grow */
  interrupt_watch();
  return main_finish(main_run(argc, argv));
}

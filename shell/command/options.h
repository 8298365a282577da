/* Options are data: a table for each command, from which one parser reads the command line and makes the text of --help.
 *
 * Every command has --help, --quiet and --verbose beside its own.
 *
 * A row says where its value goes (an offset into the command's struct) and which function parses it; that function is the
 * row's kind. A command may have a function of its own as a kind. */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct options_row;

/* Puts `text` (NULL for a flag) where `value` points. Returns an exit code (error.h), its line printed. */
typedef int options_taker(const struct options_row *row, const char *text, void *value);

struct options_choice {
  const char *name; /* NULL: the end */
  int value;
};

struct options_row {
  const char *name;     /* "teachers" for --teachers; NULL: the end of the rows */
  const char *argument; /* what --help calls the value; NULL: a flag */
  options_taker *take;
  size_t at;        /* of the value in the group's struct */
  const char *help; /* NULL: --help does not show it */
  char letter;      /* 'o' for -o; 0: none */
  /* for the kinds that need it */
  double above, most;
  const char *wanted; /* ratio: "a positive number" */
  const struct options_choice *choices;
};

/* Rows under one heading. Rows that several commands share have a struct of their own, which each command's struct contains. */
struct options_group {
  const char *heading; /* NULL: goes on under the one before */
  const struct options_row *rows;
  size_t at; /* of the rows' struct in the command's */
};

struct options_command {
  const char *name;                   /* "plan" */
  const char *before;                 /* usage, purpose and examples: the help above the table */
  const struct options_group *groups; /* until rows is NULL */
  const char *after;                  /* below it; NULL: nothing */
  int arguments;                      /* how many words that are not options may be given; OPTIONS_ANY */
};
#define OPTIONS_ANY (-1)

/* What is left of a command line. */
struct options_rest {
  int is_help; /* the help was asked for and is printed: nothing else is to be done */
  int count;
  char **word;
};

/* Reads argv[1 .. argc - 1] into `values`, in order; words that are not options are gathered at the front of argv. A
 * name may be cut to what is unique. Everything after "--" is a word. Returns an exit code (error.h). */
int options_parse(const struct options_command *command, int argc, char **argv, void *values,
                  struct options_rest *rest);

void options_help(const struct options_command *command, FILE *stream);

/* The options for a shell's completion, a line each: --list-options, which --help does not show. */
void options_list(const struct options_command *command, FILE *stream);

/* The kinds. */
options_taker options_flag;       /* int, becomes 1 */
options_taker options_text;       /* const char * */
options_taker options_count;      /* uint32_t, 1 to most */
options_taker options_long_count; /* uint64_t, 1 to most */
options_taker options_share;      /* double, above `above` and up to `most` */
options_taker options_ratio;      /* struct rational; `wanted` is what the message asks for */
options_taker options_choice;     /* int, the value of one of `choices` */
options_taker options_delimiter;  /* char, the delimiter of CSV files */
options_taker options_decimal;    /* char, a comma or a point */
options_taker options_epsilon;    /* struct plan_target, its epsilon */
options_taker options_delta;      /* struct plan_target, its delta */

#endif

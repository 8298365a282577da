/* The options that `learn`, `answer` and `vote` have in common. */
#ifndef COMMAND_TRAINING_H
#define COMMAND_TRAINING_H

#include "command/options.h"
#include "run/budget.h"
#include "run/teachers.h"

struct training {
  struct teachers teachers;
  struct budget budget;
  struct coins coins;
  uint64_t seed;
  int is_seeded;
  int core_dumps;   /* may leave memory images */
  char *protects;   /* "units of COLUMN" */
  int is_answering; /* standard output is for the answers alone */
};

/* Tables of options whose values go into a struct training. */
extern const struct options_row training_data[], training_teachers[], training_key[], training_budget[],
    training_answers[], training_tests[];

/* A schema, for the end of a command's help. */
extern const char training_schema_help[];

void training_init(struct training *training);
void training_free(struct training *training);

/* The operating system's coins, or those of --unsafe-seed; the student's differ from those of the answers. */
void training_coins(const struct training *training, int is_students, struct coins *coins);

/* Before private records are read: keeps images of the memory that they are in from being made. */
void training_close_memory(const struct training *training);

/* Notes for the ledger what the claim protects: `neighbours` or, if NULL, records or the units of --unit. Exit code. */
int training_protects(struct training *training, const char *neighbours);

/* Prints how the columns were read, from public cells alone: a misread column ruins every teacher, and nothing else shows it. On
 * standard output or, if that is for answers, on stderr with --verbose; warnings always go to stderr. */
void training_tell_columns(const struct training *training);

/* With seeded coins, warns on stderr that the results are not private. */
void training_warn(const struct training *training);

#endif

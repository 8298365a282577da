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
  int is_answering; /* standard output belongs to the answers */
};

/* Tables of options whose values go into a struct training. */
extern const struct options_row training_data[], training_teachers[], training_key[], training_budget[],
    training_answers[], training_tests[];

/* A schema, for the end of a command's help. */
extern const char training_schema_help[];

void training_init(struct training *training);
void training_free(struct training *training);

/* The operating system's coins, or those of --unsafe-seed; the student has others than the answers. */
void training_coins(const struct training *training, int is_students, struct coins *coins);

/* Before private records are read: nobody gets an image of the memory that they are in. */
void training_close_memory(const struct training *training);

/* Of which neighbours the claims are, for the ledger: `neighbours`, or (NULL) records or the units that were named. Exit code. */
int training_protects(struct training *training, const char *neighbours);

/* How the columns were read, from public cells alone: a column that was misread ruins every teacher without a word. On
 * standard output, or, where that belongs to answers, on stderr with --verbose; warnings go to stderr always. */
void training_tell_columns(const struct training *training);

/* Says on stderr, when coins are seeded, that nothing of this is private. */
void training_warn(const struct training *training);

#endif

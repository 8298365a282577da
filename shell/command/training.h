/* What `learn` and `answer` have in common: options, private rows, a plan and teachers trained. */
#ifndef COMMAND_TRAINING_H
#define COMMAND_TRAINING_H

#include <getopt.h>

#include "base/rational.h"
#include "data/ballots.h"
#include "data/encoding.h"
#include "data/partition.h"
#include "data/reader.h"
#include "data/rows.h"
#include "data/transform.h"
#include "learn/ensemble.h"
#include "learn/student.h"
#include "plan/plan_meter.h"
#include "release/session.h"

/* Values of long options that have no letter; commands number their own from TRAINING_OWN. */
enum {
  TRAINING_FIRST = 256,
  TRAINING_PRIVATE = TRAINING_FIRST,
  TRAINING_PUBLIC,
  TRAINING_SCHEMA,
  TRAINING_LABEL,
  TRAINING_UNIT,
  TRAINING_CLASSES,
  TRAINING_FEATURES,
  TRAINING_LEARNER,
  TRAINING_TEACHERS,
  TRAINING_EPSILON,
  TRAINING_DELTA,
  TRAINING_SILENCES,
  TRAINING_PLAN,
  TRAINING_LEDGER,
  TRAINING_NAME,
  TRAINING_TOTAL_EPSILON,
  TRAINING_TOTAL_DELTA,
  TRAINING_AGAIN,
  TRAINING_SECONDS,
  TRAINING_SEED,
  TRAINING_VERBOSE,
  TRAINING_OWN
};

#define TRAINING_OPTIONS                                                                                               \
  {"private", required_argument, NULL, TRAINING_PRIVATE}, {"public", required_argument, NULL, TRAINING_PUBLIC},        \
      {"schema", required_argument, NULL, TRAINING_SCHEMA}, {"label", required_argument, NULL, TRAINING_LABEL},        \
      {"unit", required_argument, NULL, TRAINING_UNIT}, {"classes", required_argument, NULL, TRAINING_CLASSES},        \
      {"features", required_argument, NULL, TRAINING_FEATURES},                                                        \
      {"learner", required_argument, NULL, TRAINING_LEARNER},                                                          \
      {"teachers", required_argument, NULL, TRAINING_TEACHERS},                                                        \
      {"epsilon", required_argument, NULL, TRAINING_EPSILON}, {"delta", required_argument, NULL, TRAINING_DELTA},      \
      {"silences", required_argument, NULL, TRAINING_SILENCES}, {"plan", required_argument, NULL, TRAINING_PLAN},      \
      {"ledger", required_argument, NULL, TRAINING_LEDGER}, {"name", required_argument, NULL, TRAINING_NAME},          \
      {"total-epsilon", required_argument, NULL, TRAINING_TOTAL_EPSILON},                                              \
      {"total-delta", required_argument, NULL, TRAINING_TOTAL_DELTA}, {"again", no_argument, NULL, TRAINING_AGAIN},    \
      {"seconds", required_argument, NULL, TRAINING_SECONDS}, {"unsafe-seed", required_argument, NULL, TRAINING_SEED}, \
  {                                                                                                                    \
    "unsafe-verbose", no_argument, NULL, TRAINING_VERBOSE                                                              \
  }

struct training {
  struct encoding_request request;
  const char *private_path, *plan_path, *learner_text;
  uint32_t teachers; /* 0: not given */
  struct plan_target target;
  int has_epsilon, has_delta, has_silences;
  struct session_options session;
  uint32_t seconds; /* 0: not given */
  int verbose;
  uint64_t seed;
  int is_seeded;
  /* what becomes of it */
  struct coins coins;
  struct partition partition;
  struct encoding encoding;
  struct learner learner;
  struct rows rows; /* private */
  struct plan_box plan;
  struct ensemble ensemble;
};

/* Each returns an exit code (error.h). */
void training_init(struct training *recipe);
void training_free(struct training *recipe);

/* Takes an option of TRAINING_OPTIONS; any other value is an error about argv[optind - 1]. */
int training_option(struct training *recipe, const char *command, int value, char *text, char **argv);

/* "12" -> 12, from 1 to `most`. */
int training_count(const char *what, const char *text, uint64_t most, uint64_t *number);

/* Coins, key, classes, encoding, learner; then every private row: a bad cell is found before anything is spent. */
int training_prepare(struct training *recipe);
int training_load(struct training *recipe);

/* Fills in --teachers and --silences where they are open, from the budget and the numbers of records and queries. */
int training_size(struct training *recipe, uint64_t records, uint64_t queries);

/* The plan of --plan or the planner's. */
int training_plan(struct training *recipe);

/* Trains on the rows that `keep` names (NULL: all) and forgets the rows. */
int training_teach(struct training *recipe, const unsigned char *keep);

/* Says on stderr, when coins are seeded, that nothing of this is private. */
void training_warn(const struct training *recipe);

#endif

/* What `learn` and `answer` have in common: options, private rows, a plan and teachers trained. */
#ifndef FUMATA_RECIPE_H
#define FUMATA_RECIPE_H

#include <getopt.h>

#include "data.h"
#include "ensemble.h"
#include "planner.h"
#include "rational.h"
#include "student.h"
#include "vote.h"

/* Values of long options that have no letter; commands number their own from FUMATA_RECIPE_OWN. */
enum {
  FUMATA_RECIPE_FIRST = 256,
  FUMATA_RECIPE_PRIVATE = FUMATA_RECIPE_FIRST,
  FUMATA_RECIPE_PUBLIC,
  FUMATA_RECIPE_SCHEMA,
  FUMATA_RECIPE_LABEL,
  FUMATA_RECIPE_UNIT,
  FUMATA_RECIPE_CLASSES,
  FUMATA_RECIPE_FEATURES,
  FUMATA_RECIPE_LEARNER,
  FUMATA_RECIPE_TEACHERS,
  FUMATA_RECIPE_EPSILON,
  FUMATA_RECIPE_DELTA,
  FUMATA_RECIPE_SILENCES,
  FUMATA_RECIPE_PLAN,
  FUMATA_RECIPE_LEDGER,
  FUMATA_RECIPE_NAME,
  FUMATA_RECIPE_TOTAL_EPSILON,
  FUMATA_RECIPE_TOTAL_DELTA,
  FUMATA_RECIPE_AGAIN,
  FUMATA_RECIPE_SECONDS,
  FUMATA_RECIPE_SEED,
  FUMATA_RECIPE_VERBOSE,
  FUMATA_RECIPE_OWN
};

#define FUMATA_RECIPE_OPTIONS                                                                                          \
  {"private", required_argument, NULL, FUMATA_RECIPE_PRIVATE},                                                         \
      {"public", required_argument, NULL, FUMATA_RECIPE_PUBLIC},                                                       \
      {"schema", required_argument, NULL, FUMATA_RECIPE_SCHEMA},                                                       \
      {"label", required_argument, NULL, FUMATA_RECIPE_LABEL}, {"unit", required_argument, NULL, FUMATA_RECIPE_UNIT},  \
      {"classes", required_argument, NULL, FUMATA_RECIPE_CLASSES},                                                     \
      {"features", required_argument, NULL, FUMATA_RECIPE_FEATURES},                                                   \
      {"learner", required_argument, NULL, FUMATA_RECIPE_LEARNER},                                                     \
      {"teachers", required_argument, NULL, FUMATA_RECIPE_TEACHERS},                                                   \
      {"epsilon", required_argument, NULL, FUMATA_RECIPE_EPSILON},                                                     \
      {"delta", required_argument, NULL, FUMATA_RECIPE_DELTA},                                                         \
      {"silences", required_argument, NULL, FUMATA_RECIPE_SILENCES},                                                   \
      {"plan", required_argument, NULL, FUMATA_RECIPE_PLAN},                                                           \
      {"ledger", required_argument, NULL, FUMATA_RECIPE_LEDGER},                                                       \
      {"name", required_argument, NULL, FUMATA_RECIPE_NAME},                                                           \
      {"total-epsilon", required_argument, NULL, FUMATA_RECIPE_TOTAL_EPSILON},                                         \
      {"total-delta", required_argument, NULL, FUMATA_RECIPE_TOTAL_DELTA},                                             \
      {"again", no_argument, NULL, FUMATA_RECIPE_AGAIN}, {"seconds", required_argument, NULL, FUMATA_RECIPE_SECONDS},  \
      {"unsafe-seed", required_argument, NULL, FUMATA_RECIPE_SEED}, {                                                  \
    "unsafe-verbose", no_argument, NULL, FUMATA_RECIPE_VERBOSE                                                         \
  }

typedef struct {
  fumata_encoding_request request;
  const char *private_path, *plan_path, *learner_text;
  uint32_t teachers; /* 0: not given */
  fumata_target target;
  int has_epsilon, has_delta, has_silences;
  fumata_session_options session;
  uint32_t seconds; /* 0: not given */
  int verbose;
  uint64_t seed;
  int is_seeded;
  /* what becomes of it */
  fumata_coins coins;
  fumata_partition partition;
  fumata_encoding encoding;
  fumata_learner learner;
  fumata_rows rows; /* private */
  fumata_plan_box plan;
  fumata_ensemble ensemble;
} fumata_recipe;

/* Each returns an exit code (say.h). */
void fumata_recipe_init(fumata_recipe *recipe);
void fumata_recipe_free(fumata_recipe *recipe);

/* Takes an option of FUMATA_RECIPE_OPTIONS; any other value is an error about argv[optind - 1]. */
int fumata_recipe_option(fumata_recipe *recipe, const char *command, int value, char *text, char **argv);

/* "12" -> 12, from 1 to `most`. */
int fumata_recipe_count(const char *what, const char *text, uint64_t most, uint64_t *number);

/* Coins, key, classes, encoding, learner; then every private row: a bad cell is found before anything is spent. */
int fumata_recipe_prepare(fumata_recipe *recipe);
int fumata_recipe_load(fumata_recipe *recipe);

/* Fills in --teachers and --silences where they are open, from the budget and the numbers of records and queries. */
int fumata_recipe_size(fumata_recipe *recipe, uint64_t records, uint64_t queries);

/* The plan of --plan or the planner's. */
int fumata_recipe_plan(fumata_recipe *recipe);

/* Trains on the rows that `keep` names (NULL: all) and forgets the rows. */
int fumata_recipe_teach(fumata_recipe *recipe, const unsigned char *keep);

/* Says on stderr, when coins are seeded, that nothing of this is private. */
void fumata_recipe_warn(const fumata_recipe *recipe);

#endif

#include "recipe.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planfile.h"
#include "say.h"

void fumata_recipe_init(fumata_recipe *recipe) {
  memset(recipe, 0, sizeof *recipe);
  recipe->learner_text = "logistic";
  fumata_encoding_init(&recipe->encoding);
  fumata_rows_init(&recipe->rows, 1, 1);
}

void fumata_recipe_free(fumata_recipe *recipe) {
  fumata_ensemble_free(&recipe->ensemble);
  fumata_plan_free(&recipe->plan);
  fumata_rows_free(&recipe->rows);
  fumata_learner_free(&recipe->learner);
  fumata_encoding_free(&recipe->encoding);
  fumata_partition_free(&recipe->partition);
}

int fumata_recipe_count(const char *what, const char *text, uint64_t most, uint64_t *number) {
  fumata_rational ratio;
  if (fumata_rational_parse(text, &ratio) || ratio.den != 1 || ratio.num < 1 || ratio.num > most)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: '%.40s' is not a whole number from 1 to %" PRIu64, what, text,
                            most);
  *number = ratio.num;
  return FUMATA_EXIT_OK;
}

static int fumata_recipe_ratio(const char *what, const char *text, fumata_rational *ratio) {
  if (fumata_rational_parse(text, ratio))
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: '%.40s' is not a positive number such as 0.5 or 1e-5", what, text);
  return FUMATA_EXIT_OK;
}

int fumata_recipe_option(fumata_recipe *recipe, const char *command, int value, char *text, char **argv) {
  uint64_t number = 0;
  char *end;
  int code = FUMATA_EXIT_OK;
  switch (value) {
  case FUMATA_RECIPE_PRIVATE:
    recipe->private_path = text;
    break;
  case FUMATA_RECIPE_PUBLIC:
    recipe->request.public_path = text;
    break;
  case FUMATA_RECIPE_SCHEMA:
    recipe->request.schema_path = text;
    break;
  case FUMATA_RECIPE_LABEL:
    recipe->request.label = text;
    break;
  case FUMATA_RECIPE_UNIT:
    recipe->request.unit = text;
    break;
  case FUMATA_RECIPE_CLASSES:
    recipe->request.classes = text;
    break;
  case FUMATA_RECIPE_FEATURES:
    recipe->request.features = text;
    break;
  case FUMATA_RECIPE_LEARNER:
    recipe->learner_text = text;
    break;
  case FUMATA_RECIPE_TEACHERS:
    code = fumata_recipe_count("--teachers", text, FUMATA_TEACHERS_MAX, &number);
    recipe->teachers = (uint32_t)number;
    break;
  case FUMATA_RECIPE_EPSILON:
    code = fumata_target_epsilon(&recipe->target, "--epsilon", text);
    recipe->has_epsilon = 1;
    break;
  case FUMATA_RECIPE_DELTA:
    code = fumata_target_delta(&recipe->target, "--delta", text);
    recipe->has_delta = 1;
    break;
  case FUMATA_RECIPE_SILENCES:
    code = fumata_recipe_count("--silences", text, FUMATA_SILENCES_MAX, &number);
    recipe->target.silences = (uint32_t)number;
    recipe->has_silences = 1;
    break;
  case FUMATA_RECIPE_PLAN:
    recipe->plan_path = text;
    break;
  case FUMATA_RECIPE_LEDGER:
    recipe->session.ledger_path = text;
    break;
  case FUMATA_RECIPE_NAME:
    recipe->session.name = text;
    break;
  case FUMATA_RECIPE_TOTAL_EPSILON:
    code = fumata_recipe_ratio("--total-epsilon", text, &recipe->session.total_epsilon);
    break;
  case FUMATA_RECIPE_TOTAL_DELTA:
    code = fumata_recipe_ratio("--total-delta", text, &recipe->session.total_delta);
    break;
  case FUMATA_RECIPE_AGAIN:
    recipe->session.again = 1;
    break;
  case FUMATA_RECIPE_SECONDS:
    code = fumata_recipe_count("--seconds", text, 1000000, &number);
    recipe->seconds = (uint32_t)number;
    break;
  case FUMATA_RECIPE_SEED:
    recipe->seed = strtoull(text, &end, 10);
    recipe->is_seeded = 1;
    if (*text < '0' || *text > '9' || *end)
      code = fumata_say_error(FUMATA_EXIT_INPUT, "--unsafe-seed: '%.40s' is not a whole number", text);
    break;
  case FUMATA_RECIPE_VERBOSE:
    recipe->verbose = 1;
    break;
  case ':':
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s needs a value; fumata %s --help", argv[optind - 1], command);
    break;
  default:
    code = fumata_say_error(FUMATA_EXIT_INPUT, "no option '%s'; fumata %s --help", argv[optind - 1], command);
  }
  return code;
}

void fumata_recipe_warn(const fumata_recipe *recipe) {
  if (recipe->is_seeded) fumata_say("NOT PRIVATE: --unsafe-seed makes every coin and the partition known");
}

static int fumata_recipe_check(const fumata_recipe *recipe) {
  if (!recipe->private_path) return fumata_say_error(FUMATA_EXIT_INPUT, "--private FILE is missing: the labelled data");
  if (!recipe->request.public_path && !recipe->request.schema_path)
    return fumata_say_error(FUMATA_EXIT_INPUT, "--public FILE (or --schema FILE) is missing: how to encode a record "
                                               "must come from public data");
  if (!recipe->request.classes && !recipe->request.schema_path)
    return fumata_say_error(FUMATA_EXIT_INPUT, "--classes is missing, for instance --classes no,yes: the private file "
                                               "is not asked which labels exist");
  return FUMATA_EXIT_OK;
}

int fumata_recipe_prepare(fumata_recipe *recipe) {
  int code = fumata_recipe_check(recipe);
  if (code) return code;
  if (recipe->is_seeded)
    fumata_coins_seed(&recipe->coins, recipe->seed);
  else
    fumata_coins_init(&recipe->coins);
  code = fumata_learner_parse(&recipe->learner, "--learner", recipe->learner_text);
  if (code) return code;
  if (recipe->seconds) recipe->learner.seconds = recipe->seconds;
  recipe->learner.verbose = recipe->verbose;
  code = fumata_partition_init(&recipe->partition, &recipe->coins);
  if (code) return code;
  code = fumata_encoding_make(&recipe->encoding, &recipe->request);
  if (code) return code;
  if (recipe->encoding.classes.count < 2)
    return fumata_say_error(FUMATA_EXIT_INPUT, "two classes or more must be declared, for instance --classes no,yes");
  if (recipe->encoding.classes.count > FUMATA_CLASSES_MAX)
    return fumata_say_error(FUMATA_EXIT_INPUT, "more than %u classes", FUMATA_CLASSES_MAX);
  recipe->learner.classes = recipe->encoding.classes.count;
  recipe->learner.columns = recipe->encoding.columns;
  return fumata_learner_try(&recipe->learner);
}

int fumata_recipe_load(fumata_recipe *recipe) {
  fumata_reader_options options = {.labels = FUMATA_LABELS_REQUIRE, .partition = &recipe->partition};
  int code;
  fumata_rows_free(&recipe->rows);
  code = fumata_reader_load(&recipe->rows, recipe->private_path, &recipe->encoding, &options);
  if (!code && recipe->rows.count == 0)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: no records", recipe->private_path);
  return code;
}

/* A student needs hundreds of answered records; once it has them, fewer and better taught teachers help it more than
 * further answers do (measured on a9a, adult, dutch_census, hotel_bookings, kdd99 and MNIST). */
#define FUMATA_RECIPE_QUERIES  1500
#define FUMATA_RECIPE_SMALLEST 50

int fumata_recipe_size(fumata_recipe *recipe, uint64_t records, uint64_t queries) {
  fumata_setting setting = {.records = records,
                            .queries = queries < FUMATA_RECIPE_QUERIES ? queries : FUMATA_RECIPE_QUERIES,
                            .smallest = FUMATA_RECIPE_SMALLEST};
  fumata_target target = recipe->target;
  uint32_t teachers = 0, distance;
  fumata_plan_box box = {0};
  int code = FUMATA_EXIT_OK;
  if (recipe->plan_path) {
    if (!recipe->teachers) code = fumata_say_error(FUMATA_EXIT_INPUT, "--plan needs --teachers K beside it");
    return code;
  }
  if (!recipe->teachers && !recipe->has_silences) {
    code = fumata_planner_advise(&target, &setting, &teachers);
    if (code) return code;
    recipe->teachers = teachers;
    recipe->target.silences = target.silences;
  } else if (!recipe->teachers) {
    code = fumata_planner_meter(&target, NULL, &box);
    if (code) return code;
    recipe->teachers = fumata_plan_teachers(&box, 0.9, 0.05);
    fumata_plan_free(&box);
    if (recipe->teachers > FUMATA_TEACHERS_MAX || recipe->teachers > records)
      return fumata_say_error(FUMATA_EXIT_REFUSED, "%u silences ask for more teachers than there are records",
                              target.silences);
  } else if (!recipe->has_silences) {
    distance = fumata_plan_vote_distance(recipe->teachers, (uint32_t)floor(0.9 * recipe->teachers));
    code = fumata_planner_silences(&target, distance, 0.05, FUMATA_SILENCES_MAX, &box, &recipe->target.silences);
    fumata_plan_free(&box);
    if (!code && recipe->target.silences == 0)
      code = fumata_say_error(FUMATA_EXIT_REFUSED,
                              "%u teachers are too few for this epsilon; fumata plan says how many "
                              "it takes",
                              recipe->teachers);
  }
  recipe->has_silences = !code;
  return code;
}

int fumata_recipe_plan(fumata_recipe *recipe) {
  fumata_fault fault;
  int code;
  if (!recipe->plan_path) return fumata_planner_meter(&recipe->target, NULL, &recipe->plan);
  code = fumata_planfile_read(recipe->plan_path, &recipe->plan);
  if (!code && fumata_plan_certify(&recipe->plan, &recipe->plan.claim, &fault) != FUMATA_OK)
    code = fumata_say_error(FUMATA_EXIT_REFUSED, "%s: the core does not certify this plan; fumata certify says why",
                            recipe->plan_path);
  return code;
}

int fumata_recipe_teach(fumata_recipe *recipe, const unsigned char *keep) {
  fumata_chunks chunks;
  int code = fumata_chunks_make(&chunks, &recipe->rows, keep, recipe->teachers);
  if (code) return code;
  code = fumata_ensemble_train(&recipe->ensemble, &recipe->learner, &recipe->rows, &chunks);
  fumata_chunks_free(&chunks);
  if (!code) code = fumata_ensemble_ready(&recipe->ensemble);
  fumata_rows_free(&recipe->rows);
  return code;
}

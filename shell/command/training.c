#include "command/training.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/plan_advise.h"
#include "plan/plan_file.h"

void training_init(struct training *recipe) {
  memset(recipe, 0, sizeof *recipe);
  recipe->learner_text = "logistic";
  encoding_init(&recipe->encoding);
  rows_init(&recipe->rows, 1, 1);
}

void training_free(struct training *recipe) {
  ensemble_free(&recipe->ensemble);
  plan_free(&recipe->plan);
  rows_free(&recipe->rows);
  learner_free(&recipe->learner);
  encoding_free(&recipe->encoding);
  partition_free(&recipe->partition);
}

int training_count(const char *what, const char *text, uint64_t most, uint64_t *number) {
  struct rational ratio;
  if (rational_parse(text, &ratio) || ratio.den != 1 || ratio.num < 1 || ratio.num > most)
    return error_report(EXIT_INPUT, "%s: '%.40s' is not a whole number from 1 to %" PRIu64, what, text, most);
  *number = ratio.num;
  return EXIT_OK;
}

static int training_ratio(const char *what, const char *text, struct rational *ratio) {
  if (rational_parse(text, ratio))
    return error_report(EXIT_INPUT, "%s: '%.40s' is not a positive number such as 0.5 or 1e-5", what, text);
  return EXIT_OK;
}

int training_option(struct training *recipe, const char *command, int value, char *text, char **argv) {
  uint64_t number = 0;
  char *end;
  int code = EXIT_OK;
  switch (value) {
  case TRAINING_PRIVATE:
    recipe->private_path = text;
    break;
  case TRAINING_PUBLIC:
    recipe->request.public_path = text;
    break;
  case TRAINING_SCHEMA:
    recipe->request.schema_path = text;
    break;
  case TRAINING_LABEL:
    recipe->request.label = text;
    break;
  case TRAINING_UNIT:
    recipe->request.unit = text;
    break;
  case TRAINING_CLASSES:
    recipe->request.classes = text;
    break;
  case TRAINING_FEATURES:
    recipe->request.features = text;
    break;
  case TRAINING_LEARNER:
    recipe->learner_text = text;
    break;
  case TRAINING_TEACHERS:
    code = training_count("--teachers", text, FUMATA_TEACHERS_MAX, &number);
    recipe->teachers = (uint32_t)number;
    break;
  case TRAINING_EPSILON:
    code = plan_target_epsilon(&recipe->target, "--epsilon", text);
    recipe->has_epsilon = 1;
    break;
  case TRAINING_DELTA:
    code = plan_target_delta(&recipe->target, "--delta", text);
    recipe->has_delta = 1;
    break;
  case TRAINING_SILENCES:
    code = training_count("--silences", text, FUMATA_SILENCES_MAX, &number);
    recipe->target.silences = (uint32_t)number;
    recipe->has_silences = 1;
    break;
  case TRAINING_PLAN:
    recipe->plan_path = text;
    break;
  case TRAINING_LEDGER:
    recipe->session.ledger_path = text;
    break;
  case TRAINING_NAME:
    recipe->session.name = text;
    break;
  case TRAINING_TOTAL_EPSILON:
    code = training_ratio("--total-epsilon", text, &recipe->session.total_epsilon);
    break;
  case TRAINING_TOTAL_DELTA:
    code = training_ratio("--total-delta", text, &recipe->session.total_delta);
    break;
  case TRAINING_AGAIN:
    recipe->session.again = 1;
    break;
  case TRAINING_SECONDS:
    code = training_count("--seconds", text, 1000000, &number);
    recipe->seconds = (uint32_t)number;
    break;
  case TRAINING_SEED:
    recipe->seed = strtoull(text, &end, 10);
    recipe->is_seeded = 1;
    if (*text < '0' || *text > '9' || *end)
      code = error_report(EXIT_INPUT, "--unsafe-seed: '%.40s' is not a whole number", text);
    break;
  case TRAINING_VERBOSE:
    recipe->verbose = 1;
    break;
  case ':':
    code = error_report(EXIT_INPUT, "%s needs a value; fumata %s --help", argv[optind - 1], command);
    break;
  default:
    code = error_report(EXIT_INPUT, "no option '%s'; fumata %s --help", argv[optind - 1], command);
  }
  return code;
}

void training_warn(const struct training *recipe) {
  if (recipe->is_seeded) error_note("NOT PRIVATE: --unsafe-seed makes every coin and the partition known");
}

static int training_check(const struct training *recipe) {
  if (!recipe->private_path) return error_report(EXIT_INPUT, "--private FILE is missing: the labelled data");
  if (!recipe->request.public_path && !recipe->request.schema_path)
    return error_report(EXIT_INPUT, "--public FILE (or --schema FILE) is missing: how to encode a record "
                                    "must come from public data");
  if (!recipe->request.classes && !recipe->request.schema_path)
    return error_report(EXIT_INPUT, "--classes is missing, for instance --classes no,yes: the private file "
                                    "is not asked which labels exist");
  return EXIT_OK;
}

int training_prepare(struct training *recipe) {
  int code = training_check(recipe);
  if (code) return code;
  if (recipe->is_seeded)
    coins_seed(&recipe->coins, recipe->seed);
  else
    coins_init(&recipe->coins);
  code = learner_parse(&recipe->learner, "--learner", recipe->learner_text);
  if (code) return code;
  if (recipe->seconds) recipe->learner.seconds = recipe->seconds;
  recipe->learner.verbose = recipe->verbose;
  code = partition_init(&recipe->partition, &recipe->coins);
  if (code) return code;
  code = encoding_make(&recipe->encoding, &recipe->request);
  if (code) return code;
  if (recipe->encoding.classes.count < 2)
    return error_report(EXIT_INPUT, "two classes or more must be declared, for instance --classes no,yes");
  if (recipe->encoding.classes.count > FUMATA_CLASSES_MAX)
    return error_report(EXIT_INPUT, "more than %u classes", FUMATA_CLASSES_MAX);
  recipe->learner.classes = recipe->encoding.classes.count;
  recipe->learner.columns = recipe->encoding.columns;
  return learner_try(&recipe->learner);
}

int training_load(struct training *recipe) {
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &recipe->partition};
  int code;
  rows_free(&recipe->rows);
  code = reader_load(&recipe->rows, recipe->private_path, &recipe->encoding, &options);
  if (!code && recipe->rows.count == 0) code = error_report(EXIT_INPUT, "%s: no records", recipe->private_path);
  return code;
}

/* A student needs hundreds of answered records; once it has them, fewer and better taught teachers help it more than
 * further answers do (measured on a9a, adult, dutch_census, hotel_bookings, kdd99 and MNIST). */
#define TRAINING_QUERIES  1500
#define TRAINING_SMALLEST 50

int training_size(struct training *recipe, uint64_t records, uint64_t queries) {
  struct plan_setting setting = {.records = records,
                                 .queries = queries < TRAINING_QUERIES ? queries : TRAINING_QUERIES,
                                 .smallest = TRAINING_SMALLEST};
  struct plan_target target = recipe->target;
  uint32_t teachers = 0, distance;
  struct plan_box box = {0};
  int code = EXIT_OK;
  if (recipe->plan_path) {
    if (!recipe->teachers) code = error_report(EXIT_INPUT, "--plan needs --teachers K beside it");
    return code;
  }
  if (!recipe->teachers && !recipe->has_silences) {
    code = plan_advise(&target, &setting, &teachers);
    if (code) return code;
    recipe->teachers = teachers;
    recipe->target.silences = target.silences;
  } else if (!recipe->teachers) {
    code = plan_meter_make(&target, NULL, &box);
    if (code) return code;
    recipe->teachers = plan_teachers(&box, 0.9, 0.05);
    plan_free(&box);
    if (recipe->teachers > FUMATA_TEACHERS_MAX || recipe->teachers > records)
      return error_report(EXIT_REFUSED, "%u silences ask for more teachers than there are records", target.silences);
  } else if (!recipe->has_silences) {
    distance = plan_vote_distance(recipe->teachers, (uint32_t)floor(0.9 * recipe->teachers));
    code = plan_meter_silences(&target, distance, 0.05, FUMATA_SILENCES_MAX, &box, &recipe->target.silences);
    plan_free(&box);
    if (!code && recipe->target.silences == 0)
      code = error_report(EXIT_REFUSED,
                          "%u teachers are too few for this epsilon; fumata plan says how many "
                          "it takes",
                          recipe->teachers);
  }
  recipe->has_silences = !code;
  return code;
}

int training_plan(struct training *recipe) {
  fumata_fault fault;
  int code;
  if (!recipe->plan_path) return plan_meter_make(&recipe->target, NULL, &recipe->plan);
  code = plan_file_read(recipe->plan_path, &recipe->plan);
  if (!code && plan_certify(&recipe->plan, &recipe->plan.claim, &fault) != FUMATA_OK)
    code = error_report(EXIT_REFUSED, "%s: the core does not certify this plan; fumata certify says why",
                        recipe->plan_path);
  return code;
}

int training_teach(struct training *recipe, const unsigned char *keep) {
  struct chunks chunks;
  int code = chunks_make(&chunks, &recipe->rows, keep, recipe->teachers);
  if (code) return code;
  code = ensemble_train(&recipe->ensemble, &recipe->learner, &recipe->rows, &chunks);
  chunks_free(&chunks);
  if (!code) code = ensemble_ready(&recipe->ensemble);
  rows_free(&recipe->rows);
  return code;
}

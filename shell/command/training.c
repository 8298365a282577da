#include "command/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/data_set.h"
#include "command/spread.h"
#include "data/column_report.h"
#include "data/key_file.h"
#include "data/missing.h"
#include "learn/error_estimate.h"
#include "learn/ranks.h"
#include "ledger/ledger_sum.h"
#include "plan/mechanism.h"
#include "plan/plan_advise.h"
#include "plan/plan_file.h"
#include "plan/policy.h"

static int training_seed(const struct options_row *row, const char *text, void *value) {
  struct training *training = value;
  char *end;
  training->seed = strtoull(text, &end, 10);
  training->is_seeded = 1;
  if (*text < '0' || *text > '9' || *end)
    return error_report(EXIT_INPUT, "--%s: '%.40s' is not a whole number", row->name, text);
  return EXIT_OK;
}

#define TRAINING_AT(member) offsetof(struct training, member)

const struct options_row training_data[] = {
    {"private", "FILE", options_text, TRAINING_AT(private_path),
     .help = "labelled records, one chunk of them a teacher"},
    {"public", "FILE", options_text, TRAINING_AT(request.public_path),
     .help = "records without labels (labels in it are ignored): the queries of `fumata learn`, and all that scaling, "
             "categories and projections are learned from"},
    {"schema", "FILE", options_text, TRAINING_AT(request.schema_path),
     .help = "what is known about the columns beforehand"},
    {"label", "COLUMN", options_text, TRAINING_AT(request.label), .help = "the label's column (CSV)"},
    {"classes", "A,B|B2", options_text, TRAINING_AT(request.classes),
     .help = "the classes in order, with other spellings"},
    {"missing", "A,B", options_text, TRAINING_AT(request.missing),
     .help = "further spellings of a cell that is missing, beside the empty one, " MISSING_USUAL},
    {"missing-only", NULL, options_flag, TRAINING_AT(request.missing_only),
     .help = "only the empty cell and those of --missing are missing"},
    {"delimiter", "C", options_delimiter, TRAINING_AT(request.style.delimiter),
     .help = "what separates the cells of CSV files, if no comma does: one character, or tab"},
    {"no-header", NULL, options_flag, TRAINING_AT(request.style.no_header),
     .help = "CSV files have no header line; columns are called 1, 2, ..."},
    {"unit", "COLUMN", options_text, TRAINING_AT(request.unit),
     .help = "the privacy unit's column; without it each record is its own unit"},
    {"features", "F", options_text, TRAINING_AT(request.features),
     .help = "raw (default), standard, range or pca:N, fitted on the public file; hog for images, which is fitted on "
             "nothing; "
             "several with a plus: hog+pca:100"},
    {0}};

const struct options_row training_teachers[] = {
    {"teachers", "K", options_count, TRAINING_AT(teachers), .most = FUMATA_TEACHERS_MAX, .help = "number of chunks"},
    {"learner", "L", options_text, TRAINING_AT(learner_text),
     .help =
         "logistic[:C=100], svm[:C=1], trees[:rounds=20,depth=4,rate=0.3], exec:COMMAND or committee:N,L; balance=1 "
         "weighs small classes up"},
    {"seconds", "S", options_count, TRAINING_AT(seconds), .most = COMMAND_SECONDS_MAX,
     .help = "CPU time of one run of an exec learner (60)"},
    {0}};

const struct options_row training_key[] = {
    {"key", "FILE", options_text, TRAINING_AT(key_path),
     .help = "the secret that says which unit reaches which teacher, as `fumata vote --new-key FILE` makes it; without "
             "it a fresh one that is never written"},
    {0}};

const struct options_row training_budget[] = {
    {"epsilon", "E", options_epsilon, TRAINING_AT(target), .help = "a decimal or a fraction, taken exactly"},
    {"delta", "D", options_delta, TRAINING_AT(target), .help = "likewise, below 1"},
    {"silences", "T", options_count, TRAINING_AT(target.silences), .most = FUMATA_SILENCES_MAX,
     .help = "how many queries may go unanswered before the session closes"},
    {"plan", "FILE", options_text, TRAINING_AT(plan_path),
     .help = "a plan made by `fumata plan` instead of E, D and T; teachers trained here then need --teachers"},
    {"ledger", "FILE", options_text, TRAINING_AT(session.ledger_path),
     .help = "where spending is recorded, made when it is not there; without it FILE.ledger beside the private file"},
    {"same-data-set", NULL, options_flag, TRAINING_AT(same_data_set),
     .help = "the private file is a new version of the one that the ledger belongs to"},
    {"name", "N", options_text, TRAINING_AT(session.name), .help = "the name of a new ledger"},
    {"total-epsilon", "E", options_ratio, TRAINING_AT(session.total_epsilon),
     .wanted = "a positive number such as 0.5 or 1e-5",
     .help = "a new ledger's ceiling for the sum of epsilons (what its first run costs)"},
    {"total-delta", "D", options_ratio, TRAINING_AT(session.total_delta),
     .wanted = "a positive number such as 0.5 or 1e-5",
     .help = "a new ledger's ceiling for the sum of deltas (likewise)"},
    {"raise-total", NULL, options_flag, TRAINING_AT(raise_total),
     .help = "let this run pass the ledger's ceilings, and raise them to what it takes"},
    {"anyway", NULL, options_flag, TRAINING_AT(anyway),
     .help = "spend on a budget that protects nobody, or with too few teachers for any label"},
    {"again", NULL, options_flag, TRAINING_AT(session.again), .help = "spend on a plan that is used up a second time"},
    {0}};

const struct options_row training_answers[] = {
    {"answers", "L", options_count, TRAINING_AT(target.answers), .most = FUMATA_ANSWERS_MAX,
     .help = "how many answers of the toll are paid for: each names one of two candidates; alone or beside --silences"},
    {"reserve", "N", options_count, TRAINING_AT(session.reserve), .most = FUMATA_ANSWERS_MAX,
     .help = "pay for so many silences or answers at a time (one silence more than were used, a tenth of the answers): "
             "the disk "
             "is waited for less often, and a crash loses up to so many"},
    {0}};

const struct options_row training_tests[] = {
    {"unsafe-seed", "N", training_seed, 0, .help = "reproducible coins, for tests: the result is NOT private"},
    {"unsafe-verbose", NULL, options_flag, TRAINING_AT(verbose), .help = "show what exec learners print"},
    {0}};

const char training_schema_help[] =
    "\n"
    "a schema (--schema) says beforehand what the public file would otherwise tell, a statement a line:\n"
    "  label sick\n"
    "  class no\n"
    "  class yes, sick              a name may have commas here\n"
    "  alias y                      another spelling of the class above\n"
    "  missing -99                  another spelling of the empty cell\n"
    "  column age\n"
    "    number 0 120               its public range; log 0 1000000 for a long tail\n"
    "  column ward\n"
    "    category                   with the values that count\n"
    "    value north\n"
    "    value south\n"
    "  column note\n"
    "    skip\n";

void training_init(struct training *training) {
  memset(training, 0, sizeof *training);
  training->learner_text = "logistic";
  encoding_init(&training->encoding);
  rows_init(&training->rows, 1, 1);
}

void training_free(struct training *training) {
  ensemble_free(&training->ensemble);
  plan_free(&training->plan);
  rows_free(&training->rows);
  learner_free(&training->learner);
  encoding_free(&training->encoding);
  partition_free(&training->partition);
  free(training->ledger);
  free(training->words);
}

void training_warn(const struct training *training) {
  if (training->is_seeded) error_warn("NOT PRIVATE: --unsafe-seed makes every coin and the partition known");
}

int training_learner(const struct training *training, const char *option, const char *text, struct learner *learner) {
  int code = learner_parse(learner, option, text);
  if (code) return code;
  if (training->seconds) learner->seconds = training->seconds;
  learner->verbose = training->verbose;
  return EXIT_OK;
}

void training_coins(struct training *training) {
  if (training->is_seeded)
    coins_seed(&training->coins, training->seed);
  else
    coins_init(&training->coins);
}

static int training_check(const struct training *training) {
  if (!training->private_path) return error_report(EXIT_INPUT, "--private FILE is missing: the labelled data");
  if (!training->request.public_path && !training->request.schema_path)
    return error_report(EXIT_INPUT, "--public FILE (or --schema FILE) is missing: how to encode a record "
                                    "must come from public data");
  if (!training->request.classes && !training->request.schema_path)
    return error_report(EXIT_INPUT, "--classes is missing, for instance --classes no,yes: the private file "
                                    "is not asked which labels exist");
  return EXIT_OK;
}

void training_tell_columns(const struct training *training) {
  const struct encoding *encoding = &training->encoding;
  const char *path = training->request.public_path ? training->request.public_path : training->request.schema_path;
  size_t most = say_level() == SAY_VERBOSE ? SIZE_MAX : COLUMN_REPORT_MOST;
  FILE *stream = training->is_answering ? stderr : stdout;
  column_report_warn(path, encoding->column, encoding->column_count);
  if (!encoding->column_count || say_level() == SAY_QUIET) return;
  if (training->is_answering && say_level() != SAY_VERBOSE) return;
  fprintf(stream, "columns, as read from %s:\n", path);
  column_report_print(stream, encoding->column, encoding->column_count, most);
}

/* With a key of its own, or with that of a file, for which no coin is spent. */
static int training_partition(struct training *training) {
  uint64_t key[2];
  int code;
  if (!training->key_path) {
    code = partition_init(&training->partition, &training->coins);
    if (ranks_count() > 1) training->partition.by_content = 1; /* all ranks have the key, none the coins of another */
    return code;
  }
  code = key_file_read(training->key_path, key);
  if (!code) partition_open(&training->partition, key);
  explicit_bzero(key, sizeof key);
  return code;
}

int training_prepare(struct training *training) {
  int code = training_check(training);
  if (code) return code;
  training_coins(training);
  code = training_learner(training, "--learner", training->learner_text, &training->learner);
  if (code) return code;
  code = training_partition(training);
  if (code) return code;
  code = encoding_make(&training->encoding, &training->request);
  if (code) return code;
  if (training->encoding.classes.count < 2)
    return error_report(EXIT_INPUT, "two classes or more must be declared, for instance --classes no,yes");
  if (training->encoding.classes.count > FUMATA_CLASSES_MAX)
    return error_report(EXIT_INPUT, "more than %u classes", FUMATA_CLASSES_MAX);
  training->learner.classes = training->encoding.classes.count;
  training->learner.columns = training->encoding.columns;
  return learner_try(&training->learner);
}

int training_ledger(struct training *training) {
  int code;
  if (training->session.ledger_path || !training->private_path) return EXIT_OK;
  code = data_set_ledger(training->private_path, &training->ledger);
  training->session.ledger_path = training->ledger;
  return code;
}

int training_open(struct training *training, struct session *session) {
  int code = session_open(session, &training->session, &training->coins);
  if (code || !training->private_path) return code;
  return data_set_tie(&session->ledger, training->private_path, training->same_data_set);
}

int training_load(struct training *training) {
  return ranks_count() > 1 && !training->last ? spread_survey(training) : training_load_whole(training);
}

int training_load_whole(struct training *training) {
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &training->partition};
  int code;
  if (training->last) {
    options.teachers = training->teachers;
    options.first = training->first;
    options.last = training->last;
  }
  rows_free(&training->rows);
  partition_rewind(&training->partition);
  error_private(1);
  code = reader_load(&training->rows, training->private_path, &training->encoding, &options);
  error_private(0);
  return code;
}

int training_identify(const struct training *training, struct digest *key, struct digest *data) {
  digest_init(data);
  digest_add_u64(data, training->partition.key[0]);
  digest_add_u64(data, training->partition.key[1]);
  if (key) *key = *data;
  return data_set_add(training->private_path, "--private", data);
}

int training_encoding(const struct training *training, char **text, size_t *size) {
  FILE *stream = open_memstream(text, size);
  int code = stream ? encoding_save(&training->encoding, stream) : memory_short();
  if (stream && fclose(stream) != 0 && !code) code = memory_short();
  return code;
}

static int training_read_plan(struct training *training) {
  struct plan_terms terms;
  fumata_fault fault;
  int code = plan_file_read(training->plan_path, &training->plan);
  if (!code) code = plan_for_teachers(&training->plan);
  if (code) return code;
  if (plan_certify(&training->plan, &training->plan.claim, &fault) != FUMATA_OK)
    return error_report(EXIT_REFUSED, "%s: the core does not certify this plan; fumata certify says why",
                        training->plan_path);
  plan_terms(&training->plan, &terms);
  return training->anyway ? EXIT_OK : plan_advise_budget(training->plan_path, terms.epsilon, terms.delta);
}

int training_plan(struct training *training, uint32_t teachers) {
  const struct plan_target *target = &training->target;
  int code = training->plan_path ? training_read_plan(training)
                                 : mechanism_of(plan_target_mechanism(target))->make(target, NULL, &training->plan);
  if (code || !teachers || training->anyway) return code;
  return plan_advise_enough(&training->plan, teachers);
}

int training_budget_check(const struct training *training, struct rational more) {
  const struct plan_target *target = &training->target;
  struct rational epsilon = {target->epsilon_num, target->epsilon_den}, delta = {target->delta_num, target->delta_den};
  if (training->anyway || training->plan_path) return EXIT_OK;
  if (ledger_sum_add(epsilon, more, &epsilon))
    return error_report(EXIT_INPUT, "epsilons without a sum that fits 64 bits; use rounder numbers");
  return plan_advise_budget(NULL, epsilon, delta);
}

int training_half(const struct training *training, uint32_t half, unsigned char **mark) {
  const struct rows *rows = &training->rows;
  int code = memory_take(mark, rows->count, 1);
  if (code) return code;
  for (size_t i = 0; i < rows->count; i++)
    (*mark)[i] = partition_half(&training->partition, rows->unit[i]) == half;
  return EXIT_OK;
}

/* The chunks of this process; of one half, if the rows are halved. */
static int training_chunks(const struct training *training, uint32_t half, uint32_t teachers, struct chunks *chunks) {
  unsigned char *mark = NULL;
  int code = training->is_halved ? training_half(training, half, &mark) : EXIT_OK;
  if (!code) code = chunks_make(chunks, &training->rows, mark, teachers);
  if (!code && training->last) chunks_slice(chunks, training->first, training->last);
  free(mark);
  return code;
}

int training_examine(struct training *training, uint32_t chunks, uint32_t *sum) {
  struct chunks held;
  int code;
  if (ranks_count() > 1 && !training->last) return spread_examine(training, chunks, sum);
  code = training_chunks(training, 1, chunks, &held);
  if (code) return code;
  error_private(1);
  code = error_estimate_sum(&training->learner, &training->rows, &held, sum);
  error_private(0);
  chunks_free(&held);
  return code;
}

int training_teach(struct training *training) {
  struct chunks chunks;
  int code;
  if (ranks_count() > 1 && !training->last) return spread_teach(training);
  code = training_chunks(training, 0, training->teachers, &chunks);
  if (code) return code;
  error_private(1);
  code = ensemble_train(&training->ensemble, &training->learner, &training->rows, &chunks);
  if (!code) code = ensemble_ready(&training->ensemble);
  error_private(0);
  chunks_free(&chunks);
  rows_free(&training->rows);
  return code;
}

int training_room(const struct training *training, size_t count, void **room) {
  if (ranks_count() > 1) return memory_take(room, 1, spread_room(training, count));
  return memory_take(room, count, training->ensemble.teachers * ensemble_width(&training->ensemble));
}

int training_vote(const struct training *training, const struct rows *rows, size_t first, size_t count, void *room,
                  struct votes *votes) {
  const struct ensemble *ensemble = &training->ensemble;
  if (ranks_count() > 1) return spread_vote(training, rows, first, count, room, votes);
  memset(votes, 0, sizeof *votes);
  votes->count = count;
  votes->teachers = ensemble->teachers;
  if (ensemble_width(ensemble) == 1)
    votes->labels8 = room;
  else
    votes->labels16 = room;
  return ensemble_vote(ensemble, rows, first, count, room);
}

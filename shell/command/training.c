#include "command/training.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/hush.h"
#include "base/say.h"
#include "command/commands.h"
#include "data/advice.h"

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
    {"private", "FILE", options_text, TRAINING_AT(teachers.path), .help = "the labelled records"},
    {"public", "FILE", options_text, TRAINING_AT(teachers.request.public_path),
     .help = "records without labels (labels in it are ignored): the queries of `fumata learn`, and all that scaling, "
             "categories and projections are learned from"},
    {"schema", "FILE", options_text, TRAINING_AT(teachers.request.schema_path),
     .help = "what is known about the columns beforehand, see below"},
    {"label", "COLUMN", options_text, TRAINING_AT(teachers.request.label), .help = "the label's column (CSV)"},
    {"classes", "A,B|B2", options_text, TRAINING_AT(teachers.request.classes),
     .help = "the classes in order; after a bar other spellings of the same class"},
    {"missing", "A,B", options_text, TRAINING_AT(teachers.request.missing),
     .help = "further spellings of a missing value, besides the empty cell, " ENCODING_MISSING},
    {"missing-only", NULL, options_flag, TRAINING_AT(teachers.request.missing_only),
     .help = "only the empty cell and those of --missing are missing"},
    {"delimiter", "C", options_delimiter, TRAINING_AT(teachers.request.style.delimiter),
     .help = "the separator of cells in CSV files, if it is not a comma: one character, or tab"},
    {"decimal", "C", options_decimal, TRAINING_AT(teachers.request.style.decimal),
     .help = "the decimal separator in CSV files: a comma, or a point (the default)"},
    {"skip", "A,B", options_text, TRAINING_AT(teachers.request.skip),
     .help = "columns that are not used, such as ids (CSV)"},
    {"no-header", NULL, options_flag, TRAINING_AT(teachers.request.style.no_header),
     .help = "CSV files have no header line; columns are called 1, 2, ..."},
    {"unit", "COLUMN", options_text, TRAINING_AT(teachers.request.unit),
     .help = "the column that names the privacy unit; without it each record is its own unit"},
    {"features", "F", options_text, TRAINING_AT(teachers.request.features),
     .help = "raw, standard (the default if most columns are numbers), range or pca:N, fitted on the public file; "
             "hog for images, which needs no fitting; join several by a plus: hog+pca:100"},
    {0}};

const struct options_row training_teachers[] = {
    {"teachers", "K", options_count, TRAINING_AT(teachers.count), .most = FUMATA_TEACHERS_MAX,
     .help = "number of teachers, each of which learns from its own chunk of the private records"},
    {"learner", "L", options_text, TRAINING_AT(teachers.learner_text), .help = LEARNER_HELP},
    {"seconds", "S", options_count, TRAINING_AT(teachers.seconds), .most = COMMAND_SECONDS_MAX,
     .help = "CPU time of one run of an exec learner (60)"},
    {0}};

const struct options_row training_key[] = {
    {"key", "FILE", options_text, TRAINING_AT(teachers.key_path),
     .help = "the secret that says which unit reaches which teacher, made by `fumata vote --new-key FILE`; the default "
             "is a new one that is never written to disk"},
    {0}};

const struct options_row training_budget[] = {
    {"epsilon", "E", options_epsilon, TRAINING_AT(budget.target), .help = "a decimal or a fraction, taken exactly"},
    {"delta", "D", options_delta, TRAINING_AT(budget.target), .help = "likewise, below 1"},
    {"silences", "T", options_count, TRAINING_AT(budget.target.silences), .most = FUMATA_SILENCES_MAX,
     .help = "how many queries may go unanswered before the session closes"},
    {"plan", "FILE", options_text, TRAINING_AT(budget.plan_path),
     .help = "a plan made by `fumata plan` instead of E, D and T; teachers trained here also need --teachers"},
    {"ledger", "FILE", options_text, TRAINING_AT(budget.session.ledger_path),
     .help = "where spending is recorded, made if it does not exist; the default is FILE.ledger beside the private "
             "file"},
    {"same-data-set", NULL, options_flag, TRAINING_AT(budget.same_data_set),
     .help = "the private file is a new version of the one that the ledger belongs to"},
    {"name", "N", options_text, TRAINING_AT(budget.session.name), .help = "the name of a new ledger"},
    {"total-epsilon", "E", options_ratio, TRAINING_AT(budget.session.total_epsilon),
     .wanted = "a positive number such as 0.5 or 1e-5",
     .help = "a new ledger's ceiling for the sum of epsilons (what its first run costs)"},
    {"total-delta", "D", options_ratio, TRAINING_AT(budget.session.total_delta),
     .wanted = "a positive number such as 0.5 or 1e-5",
     .help = "a new ledger's ceiling for the sum of deltas (likewise)"},
    {"raise-total", NULL, options_flag, TRAINING_AT(budget.raise_total),
     .help = "let this run pass the ledger's ceilings, and raise them to what it takes"},
    {"mix-neighbours", NULL, options_flag, TRAINING_AT(budget.session.mixes),
     .help = "spend from a ledger whose costs protect something else (records, units, labels): their sum is then not a "
             "claim"},
    {"anyway", NULL, options_flag, TRAINING_AT(budget.anyway),
     .help = "go on with a budget whose bound means nothing, with too few teachers for any label, or if public records "
             "seem to be private ones"},
    {"again", NULL, options_flag, TRAINING_AT(budget.session.again),
     .help = "pay a second time for a plan that is used up"},
    {0}};

const struct options_row training_answers[] = {
    {"answers", "L", options_count, TRAINING_AT(budget.target.answers), .most = FUMATA_ANSWERS_MAX,
     .help = "how many answers of the toll are paid for, each one of two candidates; alone or beside --silences"},
    {"reserve", "N", options_count, TRAINING_AT(budget.session.reserve), .most = FUMATA_ANSWERS_MAX,
     .help = "pay for N silences or answers at a time (default: one silence more than were used, a tenth of the "
             "answers): fewer waits for the disk, but a crash loses up to N"},
    {0}};

const struct options_row training_tests[] = {
    {"core-dumps", NULL, options_flag, TRAINING_AT(core_dumps),
     .help = "let a crash leave a memory image, which has private records in it"},
    {"unsafe-seed", "N", training_seed, 0, .help = "reproducible coins, for tests: the result is NOT private"},
    {"unsafe-verbose", NULL, options_flag, TRAINING_AT(teachers.verbose), .help = "show what exec learners print"},
    {0}};

const char training_schema_help[] =
    "\n"
    "a schema (--schema) states beforehand what would otherwise be learned from the public file, a statement a line:\n"
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
    "  column admitted\n"
    "    date dmy                   day first; ymd: year first, mdy: month first\n"
    "  column note\n"
    "    skip\n";

void training_init(struct training *training) {
  memset(training, 0, sizeof *training);
  teachers_init(&training->teachers);
  budget_init(&training->budget);
}

void training_free(struct training *training) {
  teachers_free(&training->teachers);
  budget_free(&training->budget);
  free(training->protects);
}

void training_close_memory(const struct training *training) {
  static const struct rlimit none = {0, 0};
  hush_private();
  if (training->core_dumps) return;
  setrlimit(RLIMIT_CORE, &none); /* the learners' programs too */
  prctl(PR_SET_DUMPABLE, 0);
}

int training_protects(struct training *training, const char *neighbours) {
  struct session_options *session = &training->budget.session;
  const char *unit = training->teachers.request.unit;
  free(training->protects);
  training->protects = NULL;
  session->is_seeded = training->is_seeded;
  session->protects = neighbours ? neighbours : "records";
  if (neighbours || !unit) return EXIT_OK;
  if (memory_print(&training->protects, "units of %s", unit)) return EXIT_SYSTEM;
  session->protects = training->protects;
  return EXIT_OK;
}

void training_warn(const struct training *training) {
  if (training->is_seeded) error_warn("NOT PRIVATE: --unsafe-seed makes every coin and the partition known");
}

void training_coins(const struct training *training, int is_students, struct coins *coins) {
  if (training->is_seeded)
    coins_seed(coins, is_students ? ~training->seed : training->seed);
  else
    coins_init(coins);
}

void training_tell_columns(const struct training *training) {
  const struct teachers *teachers = &training->teachers;
  const struct encoding *encoding = &teachers->encoding;
  const char *path = teachers->request.public_path ? teachers->request.public_path : teachers->request.schema_path;
  size_t most = say_level() == SAY_VERBOSE ? SIZE_MAX : COLUMN_LISTED;
  FILE *stream = training->is_answering ? stderr : stdout;
  column_warn(path, encoding->column, encoding->column_count);
  advice_columns(path, encoding);
  if (teachers->path != path) { /* one file for both: its labels are private */
    if (teachers->request.public_path) advice_names(path, encoding);
    advice_unused(path, teachers->path, encoding);
  }
  if (!encoding->column_count || say_level() == SAY_QUIET) return;
  if (training->is_answering && say_level() != SAY_VERBOSE) return;
  fprintf(stream, "columns, as read from %s:\n", path);
  column_print(stream, encoding->column, encoding->column_count, most);
}

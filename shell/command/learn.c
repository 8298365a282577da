/* fumata learn: private data and public data in, public labels and a student model out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/learn.h"
#include "data/identity.h"
#include "learn/ranks.h"
#include "plan/plan_constants.h"
#include "plan/plan_file.h"

static int learn_silent_as(const struct options_row *row, const char *text, void *value) {
  enum silent_as silent_as = SILENT_DROP;
  int code = student_parse(&silent_as, text);
  (void)row;
  *(int *)value = (int)silent_as;
  return code;
}

static int learn_way(const struct options_row *row, const char *text, void *value) {
  enum asking_way way = ASKING_RANDOM;
  int code = asking_parse(&way, text);
  (void)row;
  *(int *)value = (int)way;
  return code;
}

static int learn_aim(const struct options_row *row, const char *text, void *value) {
  enum polling_aim aim = POLLING_ACCURACY;
  int code = polling_parse(&aim, text);
  (void)row;
  *(int *)value = (int)aim;
  return code;
}

static int learn_error_rate(const struct options_row *row, const char *text, void *value) {
  struct rational rate;
  if (rational_parse(text, &rate) || rate.num >= rate.den)
    return error_report(EXIT_INPUT, "--%s: '%.40s' is not a share such as 0.2", row->name, text);
  *(double *)value = rational_value(rate.num, rate.den);
  return EXIT_OK;
}

static int learn_seed(const struct options_row *row, const char *text, void *value) {
  (void)row, (void)text, (void)value;
  return error_report(EXIT_INPUT, "--seed would undo the privacy; for a test there is --unsafe-seed");
}

#define LEARN_AT(member) offsetof(struct learn, member)
#define LEARN_ABOUT_MAX  1e12

static const struct options_row learn_data[] = {
    {"label-private", NULL, options_flag, LEARN_AT(learning.label_private),
     .help = "only the labels are private: one file (--private), of which half keeps its labels and the other half "
             "becomes the queries"},
    {0}};

static const struct options_choice learn_voters[] = {
    {"neighbours", LEARN_NEIGHBOURS}, {"teachers", LEARN_TEACHERS}, {NULL, 0}};

static const struct options_row learn_voters_options[] = {
    {"voters", "V", options_choice, LEARN_AT(voters), .choices = learn_voters,
     .help = "who votes: neighbours (the private records near a public one, each with its own label; default) or "
             "teachers (models that learn from chunks of them; default if an option below is for teachers, for exec "
             "learners and with --label-private)"},
    {"aim", "A", learn_aim, LEARN_AT(neighbours.aim),
     .help = "neighbours: accuracy (default), or balanced: rare classes count as much as common ones"},
    {0}};

static const struct options_choice learn_mechanisms[] = {{"meter", PLAN_MECHANISM_METER},
                                                         {"toll", PLAN_MECHANISM_TOLL},
                                                         {"both", PLAN_MECHANISM_BOTH},
                                                         {"classic", PLAN_MECHANISM_CLASSIC},
                                                         {NULL, 0}};

static const struct options_choice learn_constants[] = {{"ours", PLAN_CONSTANTS_OURS},
                                                        {"bassily", PLAN_CONSTANTS_BASSILY},
                                                        {"liu", PLAN_CONSTANTS_LIU},
                                                        {"gauss", PLAN_CONSTANTS_GAUSS},
                                                        {NULL, 0}};

static const struct options_row learn_student_options[] = {
    {"ask", "W", learn_way, LEARN_AT(training.budget.way),
     .help = "which public records are asked about: random, margin (where the student is least sure; default for two "
             "classes), disagreement (where hypotheses still differ) or combined (first those that met silence; "
             "default for more)"},
    {"student", "L", options_text, LEARN_AT(learning.student_text),
     .help = "the student's learner (default: the teachers'; with neighbours the best on released answers)"},
    {"silent-as", "S", learn_silent_as, LEARN_AT(learning.silent_as),
     .help = "how the student learns from a record that met silence: soft (as half of each class; default for two "
             "classes), drop (not at all; default for more) or random (a random label, as in the paper)"},
    {"test", "FILE", options_text, LEARN_AT(learning.test_path), .help = "labelled records to measure the student on"},
    {0}};

static const struct options_row learn_budget[] = {
    {"about", "N", options_long_count, LEARN_AT(training.budget.about), .most = LEARN_ABOUT_MAX,
     .help = "roughly how many private records (with --unit units) there are, a public number; without it and "
             "--teachers they are counted with noise, for 1/50 of epsilon and delta"},
    {"mechanism", "M", options_choice, LEARN_AT(training.budget.mechanism), .choices = learn_mechanisms,
     .help =
         "meter (free labels, paid silences), toll (paid answers; default for two classes), both (default for more) "
         "or classic (the papers' Algorithm 2)"},
    {"constants", "C", options_choice, LEARN_AT(training.budget.constants), .choices = learn_constants,
     .help = "ours, or a paper's as in `fumata plan`: bassily, liu, gauss"},
    {"error-rate", "R", learn_error_rate, LEARN_AT(training.budget.error_rate),
     .help = "T by the paper's Theorem 3.2 for teachers of error rate R"},
    {"estimate-error", "E2", options_ratio, LEARN_AT(training.budget.estimate), .wanted = "an epsilon such as 0.5",
     .help = "T by a private estimate of R on half of the private data; costs an extra E2"},
    {0}};

static const struct options_row learn_results[] = {
    {"output", "DIR", options_text, LEARN_AT(results.folder), .letter = 'o',
     .help = "the folder for student.model, labels.csv, plan and summary.json"},
    {"dry-run", NULL, options_flag, LEARN_AT(dry_run),
     .help = "show how the columns are read, the plan, what to expect and how long it takes; spend and write nothing, "
             "and read no private record"},
    {"json", NULL, options_flag, LEARN_AT(json), .help = "print only summary.json, at the end"},
    {"unsafe-compare", NULL, options_flag, LEARN_AT(compare),
     .help = "also train without privacy on all private records and print its --test accuracy"},
    {"seed", "N", learn_seed, 0, .help = NULL},
    {0}};

static const struct options_group learn_groups[] = {
    {"data (CSV with a header, LIBSVM text, idx images or .npy rows, also packed; FILE@FIRST:LAST takes a part,\n"
     "  FILE,LABELS names the file with the labels of idx and .npy)",
     training_data, LEARN_AT(training)},
    {NULL, learn_data, 0},
    {"voters and student", learn_voters_options, 0},
    {NULL, training_teachers, LEARN_AT(training)},
    {NULL, training_key, LEARN_AT(training)},
    {NULL, learn_student_options, 0},
    {"budget", training_budget, LEARN_AT(training)},
    {NULL, training_answers, LEARN_AT(training)},
    {NULL, learn_budget, 0},
    {"output", learn_results, 0},
    {NULL, training_tests, LEARN_AT(training)},
    {0}};

static const struct options_command learn_command = {
    .name = "learn",
    .before =
        "usage: fumata learn --private FILE --public FILE --classes A,B --epsilon E --delta D -o DIR [OPTION...]\n"
        "\n"
        "A student asks about public records. The private records near each of them vote, each at most B times; or,\n"
        "with --voters teachers, models vote that learned from disjoint chunks of the private data. The answers are\n"
        "released within the budget, and the student learns from them. Answers, student and everything computed from\n"
        "them are (E, D)-differentially private: with neighbours for one record (unit) added or removed, and\n"
        "(2E, (1 + e^E) D) for one that is changed; with teachers for one added, removed or changed.\n"
        "\n"
        "  fumata learn --private clinic.csv --public survey.csv --label sick --classes no,yes \\\n"
        "               --epsilon 1 --delta 1e-6 -o out                     with the defaults\n"
        "  fumata learn ... --about 20000 --dry-run                        what would that give? costs nothing\n"
        "  fumata learn ... --unit patient_id                              one person may have many rows\n"
        "  fumata learn ... --about 20000                                  a public number: records are not counted\n"
        "  fumata learn ... --teachers 250 --silences 100 --test held.csv  your own numbers; measure the student\n"
        "  fumata learn --private train-images-idx3-ubyte.gz@0:50000 --public train-images-idx3-ubyte.gz@50000: \\\n"
        "               --classes 0,1,2,3,4,5,6,7,8,9 --features hog+pca:100 --epsilon 4 --delta 1e-5 -o out\n"
        "\n",
    .groups = learn_groups,
    .after = training_schema_help};

/* ---- who votes ---- */

/* An option for teachers only that was given, or NULL. */
static const char *learn_teachers_option(const struct learn *learn) {
  const struct teachers *teachers = &learn->training.teachers;
  const struct budget *budget = &learn->training.budget;
  const struct {
    const char *name;
    int is_given;
  } options[] = {{"--teachers", teachers->count != 0},
                 {"--mechanism", budget->mechanism != BUDGET_OPEN},
                 {"--constants", budget->constants != PLAN_CONSTANTS_OURS},
                 {"--silences", budget->target.silences != 0},
                 {"--answers", budget->target.answers != 0},
                 {"--reserve", budget->session.reserve != 0},
                 {"--error-rate", budget->error_rate > 0},
                 {"--estimate-error", budget->estimate.den != 0},
                 {"--ask", budget->way != BUDGET_OPEN},
                 {"--silent-as", learn->learning.silent_as != LEARNING_OPEN},
                 {"--key", teachers->key_path != NULL},
                 {"--label-private", learn->learning.label_private}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (options[i].is_given) return options[i].name;
  return NULL;
}

/* Does this learner run another program? */
static int learn_is_command(const char *text) {
  return text && strstr(text, "exec:") != NULL;
}

/* Is it the plan of a poll? If the file cannot be read, a later step reports it. */
static int learn_is_poll_plan(const char *path) {
  struct plan_box box = {0};
  char unsaid[256];
  int is_poll;
  error_capture(unsaid, sizeof unsaid);
  is_poll = plan_file_read(path, &box) == EXIT_OK && box.mechanism == PLAN_MECHANISM_POLL;
  error_capture(NULL, 0);
  plan_free(&box);
  return is_poll;
}

/* Decides who votes if --voters was not given. With neighbours --learner is the student's. */
static int learn_choose(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  struct budget *budget = &learn->training.budget;
  const char *option = learn_teachers_option(learn);
  int is_command = learn_is_command(teachers->learner_text) || learn_is_command(learn->learning.student_text);
  if (learn->voters == LEARN_OPEN) {
    learn->voters = option || is_command ? LEARN_TEACHERS : LEARN_NEIGHBOURS;
    if (budget->plan_path && !learn_is_poll_plan(budget->plan_path)) learn->voters = LEARN_TEACHERS;
  }
  budget->is_poll = learn->voters == LEARN_NEIGHBOURS;
  if (!budget->is_poll) return EXIT_OK;
  if (option) return error_report(EXIT_INPUT, "%s is for teachers: leave it out, or use --voters teachers", option);
  if (is_command) return error_report(EXIT_INPUT, "exec learners are for teachers: use --voters teachers");
  if (!learn->learning.student_text && teachers->learner_text != teachers_usual_learner)
    learn->learning.student_text = teachers->learner_text;
  return EXIT_OK;
}

/* ---- before anything is read ---- */

static int learn_check_budget(const struct budget *budget) {
  const struct plan_target *target = &budget->target;
  int has_epsilon = target->epsilon_den != 0, has_delta = target->delta_den != 0;
  int rules = (target->silences != 0) + (budget->error_rate > 0) + (budget->estimate.den != 0);
  int has_kind = budget->mechanism != BUDGET_OPEN || budget->constants != PLAN_CONSTANTS_OURS;
  if (budget->plan_path && (has_epsilon || has_delta || rules || target->answers || has_kind))
    return error_report(EXIT_INPUT, "--plan already sets epsilon, delta, mechanism, silences and answers: leave out "
                                    "the options for these");
  if (!budget->plan_path && !has_epsilon) return error_report(EXIT_INPUT, "--epsilon is missing");
  if (!budget->plan_path && !has_delta)
    return error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (rules > 1)
    return error_report(EXIT_INPUT, "--silences, --error-rate and --estimate-error exclude each other: give one");
  return budget_check(budget);
}

static int learn_check(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  int code;
  if (!learn->results.folder && !learn->dry_run)
    return error_report(EXIT_INPUT, "-o DIR is missing: where the results go");
  code = learn_choose(learn);
  if (!code) code = learn_check_budget(&learn->training.budget);
  if (!code) code = spread_check(teachers->count, "teachers");
  if (code) return code;
  if (learn->compare && !learn->learning.test_path) return error_report(EXIT_INPUT, "--unsafe-compare needs --test");
  if (!learn->learning.label_private)
    return teachers->request.public_path ? EXIT_OK
                                         : error_report(EXIT_INPUT, "--public FILE is missing: the records to label");
  if (teachers->request.public_path)
    return error_report(EXIT_INPUT, "--label-private takes its queries from --private: leave out --public");
  teachers->request.public_path = teachers->path;
  if (teachers->request.unit)
    return error_report(EXIT_INPUT, "--label-private protects each label on its own: leave out --unit");
  if (learn->training.budget.estimate.den)
    return error_report(EXIT_INPUT, "--label-private uses both halves of the records: leave out --estimate-error");
  return EXIT_OK;
}

/* A dry run compares names only, and does not open the private file. */
int learn_apart(const struct learn *learn) {
  int (*apart)(const char *, const char *, const char *) = learn->dry_run ? identity_named_apart : identity_apart;
  const struct teachers *teachers = &learn->training.teachers;
  int code = EXIT_OK;
  if (!learn->learning.label_private) code = apart(teachers->path, teachers->request.public_path, "--public");
  return code ? code : apart(teachers->path, learn->learning.test_path, "--test");
}

void learn_tell_data(const struct learn *learn) {
  const struct encoding *encoding = &learn->training.teachers.encoding;
  say_text("%zu public records to ask about, %u classes, %u features\n", learn->learning.queries.count,
           encoding->classes.count, encoding->columns);
  training_tell_columns(&learn->training);
}

/* Refuses public or test records that seem to be private ones. */
static int learn_compare_records(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  struct learning *learning = &learn->learning;
  int code = EXIT_OK;
  if (learn->training.budget.anyway) return EXIT_OK;
  if (!learning->label_private)
    code = teachers_apart(teachers, &learning->open, "--public", teachers->request.public_path);
  if (!code && learning->test_path) code = teachers_apart(teachers, &learning->held, "--test", learning->test_path);
  return code;
}

/* Whatever is wrong with options or encoding is reported before a record is read. */
static int learn_prepare(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  int is_poll = training->budget.is_poll;
  int code = is_poll && !learn->learning.student_text ? EXIT_OK : learning_parse(&learn->learning, teachers);
  if (!code) code = learn_apart(learn);
  if (!code) code = budget_find_ledger(&training->budget, teachers->path);
  if (!code) code = results_open(&learn->results);
  training_coins(training, 0, &training->coins);
  if (!code) code = teachers_prepare(teachers, &training->coins);
  if (code) return code;
  training_warn(training);
  teachers->is_halved = learn->learning.label_private || training->budget.estimate.den;
  code = learning_settle(&learn->learning, teachers);
  if (!code)
    code = is_poll ? neighbours_load(&learn->neighbours, &learn->learning, teachers)
                   : learning_load(&learn->learning, teachers, &training->coins, &training->budget.about);
  if (!code) code = learn_compare_records(learn);
  if (!code) code = results_reserve(&learn->results);
  if (!code) learn_tell_data(learn);
  return code;
}

/* ---- the run ---- */

static int learn_teach(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  uint64_t about = budget_teaching(&learn->training.budget, teachers);
  struct plan_quota left = session_left(&learn->session);
  if (!left.silences && !left.answers) return EXIT_OK; /* an earlier run used them all */
  if (about)
    say_text("%u teachers learn from about %" PRIu64 " %s each\n", teachers->count, about / teachers->count,
             budget_noun(teachers));
  else
    say_text("%u teachers learn, each from its own chunk\n", teachers->count);
  fflush(stdout);
  return teachers_teach(teachers);
}

/* "asked 643 of 9000 (margin): 643 answers; the budget is closed", or the same of neighbours. */
static void learn_tell_asked(const struct learn *learn) {
  const struct learning *learning = &learn->learning;
  const struct neighbours *neighbours = &learn->neighbours;
  const struct session *session = &learn->session;
  struct asking_said said;
  struct plan_quota left, limit = plan_limit(&learn->training.budget.plan);
  if (learn->training.budget.is_poll) {
    say_text("asked about %zu of %zu public records: %" PRIu64 " answers", neighbours->lesson.count,
             learning->queries.count, neighbours->questions);
    if (neighbours->recalled)
      say_text(", %" PRIu64 " of them given and paid for by an earlier run", neighbours->recalled);
    say_line("%s", "");
    return;
  }
  left = session_left(session);
  said = asking_said(&learning->asking);
  say_text("asked %zu of %zu (%s): ", learning->asking.count, learning->queries.count,
           asking_name(learning->asking.way));
  if (limit.silences) say_text("%" PRIu64 " labels, %" PRIu64 " silences", said.labels, said.silences);
  if (limit.answers) say_text("%s%" PRIu64 " answers", limit.silences ? ", " : "", said.answers);
  say_line("%s", left.silences || left.answers ? "; nothing is left to ask" : "; the budget is closed");
}

/* The lines at the end of a run. */
static void learn_tell(const struct learn *learn) {
  const struct learning *learning = &learn->learning;
  const struct budget *budget = &learn->training.budget;
  struct plan_quota left, limit = plan_limit(&budget->plan);
  struct rational epsilon, delta;
  char text[RATIONAL_TEXT];
  learn_tell_asked(learn);
  if (learning->measured.records && say_level() >= SAY_NORMAL)
    metrics_print(&learning->measured, learn->training.teachers.encoding.classes.name, METRICS_CLASSES, stdout);
  if (budget->is_counted || budget->estimate.den) {
    budget_total(budget, &epsilon, &delta);
    rational_print(epsilon.num, epsilon.den, text);
    say_text("total epsilon %s: the plan%s%s\n", text, budget->is_counted ? ", the count" : "",
             budget->estimate.den ? ", the estimate" : "");
  }
  left = budget->is_poll ? limit : session_left(&learn->session);
  if (limit.silences) say_text("silences left: %u of %u\n", left.silences, limit.silences);
  if (limit.answers) say_text("answers left: %u of %u\n", left.answers, limit.answers);
  say_text("written: %s/student.model labels.csv plan summary.json; ledger: %s\n", learn->results.folder,
           budget->session.ledger_path);
  if (learn->training.is_seeded) say_line("NOT PRIVATE: made with --unsafe-seed");
  judgement_tell(&learning->facts, learn->training.teachers.encoding.classes.name);
}

static int learn_from_teachers(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  struct budget *budget = &training->budget;
  struct learning *learning = &learn->learning;
  struct coins own;
  int code;
  learning_temper(learning, plan_limit(&budget->plan));
  code = learning_recall(learning, teachers, &learn->session.ledger, &budget->plan, &budget->session.again);
  if (!code) code = session_begin(&learn->session, &budget->session, &budget->plan, teachers->learner.classes);
  if (!code) code = budget_link(budget);
  if (!code && learn->compare) code = learning_compare(learning, teachers);
  if (!code) code = learn_teach(learn);
  training_coins(training, 1, &own);
  if (!code) code = learning_ask(learning, teachers, (enum asking_way)budget->way, &learn->session, &own);
  return code ? code : learning_finish(learning, teachers->learner.balance > 0);
}

static int learn_from_neighbours(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  const struct polling_rule *rule = &training->budget.rule;
  struct neighbours *neighbours = &learn->neighbours;
  int code;
  say_text("about %u of the private %s are asked a question, %u questions in all\n", rule->voters,
           budget_noun(teachers), rule->questions);
  fflush(stdout);
  code = neighbours_begin(neighbours, &learn->learning, teachers, &training->budget, &learn->session.ledger,
                          &training->coins);
  if (!code) code = budget_link(&training->budget);
  if (!code) code = neighbours_ask(neighbours, teachers);
  if (!code) code = neighbours_finish(neighbours, &learn->learning);
  if (!code && learn->compare) code = learning_compare(&learn->learning, teachers);
  return code;
}

static int learn_run(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  struct budget *budget = &training->budget;
  struct learning *learning = &learn->learning;
  int code = learn_prepare(learn);
  if (!code) code = training_protects(training, learning->label_private ? "labels" : NULL);
  if (!code) code = budget_open(budget, teachers->path, &learn->session, &training->coins);
  if (!code) code = results_claim(&learn->results);
  if (!code && budget->is_poll)
    code = neighbours_identify(teachers, &learn->session.ledger, &training->coins, budget->data);
  interrupt_keeps(
      "%sno results were written; the ledger %s has what was spent and answered: run the same command to go on",
      ranks_count() > 1 ? "a rank has died, or mpirun was stopped: " : "", budget->session.ledger_path);
  if (!code) code = budget_settle(budget, teachers, learning->queries.count, &learn->session, &training->coins);
  if (!code) code = budget->is_poll ? learn_from_neighbours(learn) : learn_from_teachers(learn);
  if (!code) code = results_write(&learn->results);
  if (!code && learn->json) results_print(&learn->results, stdout);
  if (!code) learn_tell(learn);
  return code;
}

int command_learn(int argc, char **argv) {
  struct options_rest rest;
  struct learn *learn;
  int code = ranks_open(argc, argv);
  if (!code) code = memory_take(&learn, 1, sizeof *learn);
  if (code) return code;
  training_init(&learn->training);
  learning_init(&learn->learning);
  learn->voters = LEARN_OPEN;
  learn->results = (struct results){&learn->training.teachers, &learn->training.budget, &learn->learning,
                                    &learn->neighbours,        &learn->session,         .folder = NULL};
  code = options_parse(&learn_command, argc, argv, learn, &rest);
  training_close_memory(&learn->training);
  learn->results.is_seeded = learn->training.is_seeded;
  if (ranks_number() > 0) {
    code = spread_serve(&learn->training.teachers, code);
  } else if (!code && !rest.is_help) {
    if (learn->json) say_set(SAY_QUIET);
    code = learn_check(learn);
    if (!code) code = learn->dry_run ? learn_dry_run(learn) : learn_run(learn);
  }
  spread_end();
  neighbours_free(&learn->neighbours);
  session_shut(&learn->session);
  results_tidy(&learn->results);
  learning_free(&learn->learning);
  training_free(&learn->training);
  free(learn);
  ranks_close();
  return code;
}

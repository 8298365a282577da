/* fumata learn: private data and public data in, public labels and a student model out. */
#include "command/learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/spread.h"
#include "data/identity.h"
#include "learn/ranks.h"
#include "plan/plan_constants.h"

static int learn_silent_as(const struct options_row *row, const char *text, void *value) {
  struct learn *learn = value;
  (void)row;
  learn->has_silent_as = 1;
  return student_parse(&learn->silent_as, text);
}

static int learn_way(const struct options_row *row, const char *text, void *value) {
  struct learn *learn = value;
  (void)row;
  learn->has_way = 1;
  return asking_parse(&learn->way, text);
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
    {"label-private", NULL, options_flag, LEARN_AT(label_private),
     .help = "one file (--private): half of it keeps its labels, the other half becomes the queries; only the labels "
             "are private then"},
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
    {"ask", "W", learn_way, 0,
     .help = "which public records are asked about: random, margin (where the student wavers; default for two "
             "classes), disagreement (where hypotheses still differ) or combined (what the meter was silent on first; "
             "default for more)"},
    {"student", "L", options_text, LEARN_AT(student_text), .help = "the student's learner; the same if not given"},
    {"silent-as", "S", learn_silent_as, 0,
     .help = "what an unanswered record is to the student: soft (half this, half that; default for two classes), drop "
             "(default for more) or random (the paper's)"},
    {"test", "FILE", options_text, LEARN_AT(test_path), .help = "labelled records to measure the student on"},
    {0}};

static const struct options_row learn_budget[] = {
    {"about", "N", options_long_count, LEARN_AT(about), .most = LEARN_ABOUT_MAX,
     .help = "so many private records (units with --unit) there are, about: a number that is public; without it and "
             "--teachers they are counted with noise, for 1/50 of epsilon and delta"},
    {"mechanism", "M", options_choice, LEARN_AT(mechanism), .choices = learn_mechanisms,
     .help =
         "meter (free labels, paid silences), toll (paid answers; default for two classes), both (default for more) "
         "or classic (the papers' Algorithm 2)"},
    {"constants", "C", options_choice, LEARN_AT(constants), .choices = learn_constants,
     .help = "ours, or a paper's as in `fumata plan`: bassily, liu, gauss"},
    {"error-rate", "R", learn_error_rate, LEARN_AT(error_rate),
     .help = "T by the paper's Theorem 3.2 for teachers of error rate R"},
    {"estimate-error", "E2", options_ratio, LEARN_AT(estimate), .wanted = "an epsilon such as 0.5",
     .help = "T by a private estimate of R on half of the private data; costs E2 more"},
    {0}};

static const struct options_row learn_results[] = {
    {"output", "DIR", options_text, LEARN_AT(output), .letter = 'o',
     .help = "gets student.model, labels.csv, plan, summary.json"},
    {"dry-run", NULL, options_flag, LEARN_AT(dry_run),
     .help = "say how the columns are read, the plan, what to expect of it and how long it takes; spend and write "
             "nothing, and read no private record"},
    {"json", NULL, options_flag, LEARN_AT(json), .help = "print summary.json at the end, and nothing else"},
    {"unsafe-compare", NULL, options_flag, LEARN_AT(compare),
     .help = "also train without privacy on all private records and print its --test accuracy"},
    {"seed", "N", learn_seed, 0, .help = NULL},
    {0}};

static const struct options_group learn_groups[] = {
    {"data (CSV with a header, LIBSVM text, idx images or .npy rows, also gzip'ed; FILE@FIRST:LAST takes a part, "
     "FILE,LABELS\n  names the labels of idx and .npy)",
     training_data, LEARN_AT(training)},
    {NULL, learn_data, 0},
    {"teachers and student", training_teachers, LEARN_AT(training)},
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
        "Teachers learn from disjoint chunks of the private data and vote on the public records that a student asks "
        "about;\n"
        "the answers are released within the budget, and the student learns from them. Answers, student and "
        "everything\n"
        "computed from them are (E, D)-differentially private.\n"
        "\n"
        "  fumata learn --private clinic.csv --public survey.csv --label sick --classes no,yes \\\n"
        "               --epsilon 1 --delta 1e-6 -o out                     teachers and answers as the planner "
        "advises\n"
        "  fumata learn ... --about 20000 --dry-run                        what would that give? costs nothing\n"
        "  fumata learn ... --unit patient_id                              one person may have many rows\n"
        "  fumata learn ... --about 20000                                  so many records: public, and nothing is "
        "counted\n"
        "  fumata learn ... --teachers 250 --silences 100 --test held.csv  say it yourself, and measure the student\n"
        "  fumata learn --private train-images-idx3-ubyte.gz@0:50000 --public train-images-idx3-ubyte.gz@50000: \\\n"
        "               --classes 0,1,2,3,4,5,6,7,8,9 --features hog+pca:100 --epsilon 4 --delta 1e-5 -o out\n"
        "\n",
    .groups = learn_groups,
    .after = training_schema_help};

static int learn_check_budget(const struct learn *learn) {
  const struct training *training = &learn->training;
  int has_epsilon = training->target.epsilon_den != 0, has_delta = training->target.delta_den != 0;
  int rules = (training->target.silences != 0) + (learn->error_rate > 0) + (learn->estimate.den != 0);
  int has_kind = learn->mechanism != LEARN_OPEN || learn->constants != PLAN_CONSTANTS_OURS;
  if (training->plan_path && (has_epsilon || has_delta || rules || training->target.answers || has_kind))
    return error_report(EXIT_INPUT, "--plan already says epsilon, delta, mechanism, silences and answers");
  if (!training->plan_path && !has_epsilon) return error_report(EXIT_INPUT, "--epsilon is missing");
  if (!training->plan_path && !has_delta)
    return error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (rules > 1) return error_report(EXIT_INPUT, "--silences, --error-rate and --estimate-error exclude each other");
  return training_budget_check(training, learn->estimate);
}

static int learn_check_label_private(const struct learn *learn) {
  const struct encoding_request *request = &learn->training.request;
  if (request->public_path)
    return error_report(EXIT_INPUT, "--label-private takes its queries from --private; --public is too much");
  if (request->unit) return error_report(EXIT_INPUT, "--label-private has no --unit: it is each label");
  if (learn->estimate.den) return error_report(EXIT_INPUT, "--label-private has no half left for --estimate-error");
  return EXIT_OK;
}

static int learn_check(struct learn *learn) {
  struct training *training = &learn->training;
  int code;
  if (!learn->output && !learn->dry_run) return error_report(EXIT_INPUT, "-o DIR is missing: where the results go");
  code = learn_check_budget(learn);
  if (!code) code = spread_check(&learn->training);
  if (code) return code;
  if (learn->compare && !learn->test_path) return error_report(EXIT_INPUT, "--unsafe-compare needs --test");
  if (learn->label_private) {
    code = learn_check_label_private(learn);
    training->request.public_path = training->private_path;
  } else if (!training->request.public_path) {
    code = error_report(EXIT_INPUT, "--public FILE is missing: the records to label");
  }
  return code;
}

static int learn_teach(struct learn *learn) {
  uint64_t about = learn_plan_teaching(learn);
  if (about)
    say_text("%u teachers learn from about %" PRIu64 " %s each\n", learn->training.teachers,
             about / learn->training.teachers, learn_plan_noun(learn));
  else
    say_text("%u teachers learn, each from a chunk of its own\n", learn->training.teachers);
  fflush(stdout);
  return training_teach(&learn->training);
}

/* Trains on every private record and tests. */
static int learn_compare_rows(const struct learn *learn) {
  const struct rows *rows = &learn->training.rows;
  struct lesson lesson = {.rows = rows, .count = rows->count};
  struct learned learned = {0};
  struct learner careful = learn->student;
  size_t *order, right, tested;
  int code = memory_take(&order, rows->count, sizeof *order);
  if (code) return code;
  /* The peer is given all the time it needs: on many rows the usual tolerance stops too early. */
  if (careful.tolerance > 0.001) careful.tolerance = 0.001;
  for (size_t i = 0; i < rows->count; i++)
    order[i] = i;
  lesson.row = order;
  code = learner_train(&careful, &lesson, &learned);
  if (!code) code = student_score(&careful, &learned, &learn->test, &right, &tested);
  if (!code)
    say_text("NOT PRIVATE, for comparison: the same learner on all private records reaches %.1f %%\n",
             100.0 * (double)right / (double)tested);
  learned_free(&learned);
  free(order);
  return code;
}

/* The same learner on every private record at once, for comparison. Of several ranks rank 0 does it, while the others wait. */
static int learn_compare(struct learn *learn) {
  int is_alone = ranks_count() == 1, code = is_alone ? EXIT_OK : training_load_whole(&learn->training);
  if (!code) code = learn_compare_rows(learn);
  if (!is_alone) rows_free(&learn->training.rows);
  return code;
}

static int learn_student(struct learn *learn) {
  int code = learn_ask_student(learn);
  if (!code && learn->test_path) {
    code = student_score(&learn->student, &learn->learned, &learn->test, &learn->right, &learn->tested);
    learn->has_score = !code && learn->tested;
  }
  return code;
}

static int learn_apart(const struct learn *learn) {
  const struct training *training = &learn->training;
  int code = learn->label_private ? EXIT_OK
                                  : identity_apart(training->private_path, training->request.public_path, "--public");
  return code ? code : identity_apart(training->private_path, learn->test_path, "--test");
}

/* All that can be wrong with options and encoding is said before a record is read. */
static int learn_prepare(struct learn *learn) {
  struct training *training = &learn->training;
  const char *text = learn->student_text;
  int code = text ? training_learner(training, "--student", text, &learn->student)
                  : training_learner(training, "--learner", training->learner_text, &learn->student);
  if (!code) code = learn_apart(learn);
  if (!code) code = training_ledger(training);
  if (!code) code = learn_output_open(learn);
  if (!code) code = training_prepare(training);
  if (code) return code;
  training_warn(training);
  learn->student.classes = training->learner.classes;
  learn->student.columns = training->learner.columns;
  if (!learn->has_silent_as) learn->silent_as = student_default(training->encoding.classes.count);
  return text ? learner_try(&learn->student) : EXIT_OK;
}

static int learn_load_test(struct learn *learn) {
  struct reader_options labelled = {.labels = LABELS_REQUIRE};
  if (!learn->test_path) return EXIT_OK;
  return reader_load(&learn->test, learn->test_path, &learn->training.encoding, &labelled);
}

static int learn_run(struct learn *learn) {
  struct training *training = &learn->training;
  int code = learn_prepare(learn);
  if (!code) code = learn_load_test(learn);
  if (!code) code = learn_queries_load(learn);
  if (!code) code = training_open(training, &learn->session);
  interrupt_keeps("%sno results were written; the ledger %s has what was spent",
                  ranks_count() > 1 ? "a rank has died, or mpirun was stopped: " : "", training->session.ledger_path);
  if (!code) code = learn_plan(learn);
  if (!code) code = session_begin(&learn->session, &training->session, &training->plan, training->learner.classes);
  if (!code && learn->compare) code = learn_compare(learn);
  if (!code) code = learn_teach(learn);
  if (!code) code = learn_ask(learn);
  if (!code) code = learn_student(learn);
  if (!code) code = learn_judge(learn);
  if (!code) code = learn_output_write(learn);
  if (!code && learn->json) code = learn_output_print(learn);
  if (!code) learn_output_tell(learn);
  if (!code) judgement_tell(&learn->facts, training->encoding.classes.name);
  return code;
}

static void learn_free(struct learn *learn) {
  session_shut(&learn->session);
  learn_output_tidy(learn);
  plan_count_free(&learn->noise);
  learned_free(&learn->learned);
  learner_free(&learn->student);
  rows_free(&learn->queries);
  rows_free(&learn->test);
  training_free(&learn->training);
  free(learn->id);
  asking_free(&learn->asking);
  free(learn->staging);
  free(learn);
}

int command_learn(int argc, char **argv) {
  struct options_rest rest;
  struct learn *learn;
  int code = ranks_open(argc, argv);
  if (!code) code = memory_take(&learn, 1, sizeof *learn);
  if (code) return code;
  training_init(&learn->training);
  learn->mechanism = LEARN_OPEN;
  rows_init(&learn->queries, 1, 1);
  rows_init(&learn->test, 1, 1);
  code = options_parse(&learn_command, argc, argv, learn, &rest);
  if (ranks_number() > 0) {
    code = spread_serve(&learn->training, code);
  } else if (!code && !rest.is_help) {
    if (learn->json) say_set(SAY_QUIET);
    code = learn_check(learn);
    if (!code) code = learn->dry_run ? learn_dry_run(learn) : learn_run(learn);
  }
  spread_end();
  learn_free(learn);
  ranks_close();
  return code;
}

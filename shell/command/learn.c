/* fumata learn: private data and public data in, public labels and a student model out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/training.h"
#include "data/identity.h"
#include "learn/pool.h"
#include "learn/ranks.h"
#include "plan/plan_constants.h"
#include "run/results.h"

struct learn {
  struct training training;
  struct learning learning;
  struct session session;
  struct results results;
  int compare, json, dry_run;
};

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
    {"ask", "W", learn_way, LEARN_AT(training.budget.way),
     .help = "which public records are asked about: random, margin (where the student wavers; default for two "
             "classes), disagreement (where hypotheses still differ) or combined (what the meter was silent on first; "
             "default for more)"},
    {"student", "L", options_text, LEARN_AT(learning.student_text),
     .help = "the student's learner; the same if not given"},
    {"silent-as", "S", learn_silent_as, LEARN_AT(learning.silent_as),
     .help = "what an unanswered record is to the student: soft (half this, half that; default for two classes), drop "
             "(default for more) or random (the paper's)"},
    {"test", "FILE", options_text, LEARN_AT(learning.test_path), .help = "labelled records to measure the student on"},
    {0}};

static const struct options_row learn_budget[] = {
    {"about", "N", options_long_count, LEARN_AT(training.budget.about), .most = LEARN_ABOUT_MAX,
     .help = "so many private records (units with --unit) there are, about: a number that is public; without it and "
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
     .help = "T by a private estimate of R on half of the private data; costs E2 more"},
    {0}};

static const struct options_row learn_results[] = {
    {"output", "DIR", options_text, LEARN_AT(results.folder), .letter = 'o',
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

static int learn_check_budget(const struct budget *budget) {
  const struct plan_target *target = &budget->target;
  int has_epsilon = target->epsilon_den != 0, has_delta = target->delta_den != 0;
  int rules = (target->silences != 0) + (budget->error_rate > 0) + (budget->estimate.den != 0);
  int has_kind = budget->mechanism != BUDGET_OPEN || budget->constants != PLAN_CONSTANTS_OURS;
  if (budget->plan_path && (has_epsilon || has_delta || rules || target->answers || has_kind))
    return error_report(EXIT_INPUT, "--plan already says epsilon, delta, mechanism, silences and answers");
  if (!budget->plan_path && !has_epsilon) return error_report(EXIT_INPUT, "--epsilon is missing");
  if (!budget->plan_path && !has_delta)
    return error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (rules > 1) return error_report(EXIT_INPUT, "--silences, --error-rate and --estimate-error exclude each other");
  return budget_check(budget);
}

static int learn_check(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  int code;
  if (!learn->results.folder && !learn->dry_run)
    return error_report(EXIT_INPUT, "-o DIR is missing: where the results go");
  code = learn_check_budget(&learn->training.budget);
  if (!code) code = spread_check(teachers->count, "teachers");
  if (code) return code;
  if (learn->compare && !learn->learning.test_path) return error_report(EXIT_INPUT, "--unsafe-compare needs --test");
  if (!learn->learning.label_private)
    return teachers->request.public_path ? EXIT_OK
                                         : error_report(EXIT_INPUT, "--public FILE is missing: the records to label");
  if (teachers->request.public_path)
    return error_report(EXIT_INPUT, "--label-private takes its queries from --private; --public is too much");
  teachers->request.public_path = teachers->path;
  if (teachers->request.unit) return error_report(EXIT_INPUT, "--label-private has no --unit: it is each label");
  if (learn->training.budget.estimate.den)
    return error_report(EXIT_INPUT, "--label-private has no half left for --estimate-error");
  return EXIT_OK;
}

/* Is the private file none of the public ones? A dry run asks for names only, and does not open it. */
static int learn_apart(const struct learn *learn) {
  int (*apart)(const char *, const char *, const char *) = learn->dry_run ? identity_named_apart : identity_apart;
  const struct teachers *teachers = &learn->training.teachers;
  int code = EXIT_OK;
  if (!learn->learning.label_private) code = apart(teachers->path, teachers->request.public_path, "--public");
  return code ? code : apart(teachers->path, learn->learning.test_path, "--test");
}

/* What there is to ask about, and how its columns were read. */
static void learn_tell_data(const struct learn *learn) {
  const struct encoding *encoding = &learn->training.teachers.encoding;
  say_text("%zu public records to ask about, %u classes, %u features\n", learn->learning.queries.count,
           encoding->classes.count, encoding->columns);
  training_tell_columns(&learn->training);
}

/* All that can be wrong with options and encoding is said before a record is read. */
static int learn_prepare(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  int code = learning_parse(&learn->learning, teachers);
  if (!code) code = learn_apart(learn);
  if (!code) code = budget_find_ledger(&training->budget, teachers->path);
  if (!code) code = results_open(&learn->results);
  training_coins(training, 0, &training->coins);
  if (!code) code = teachers_prepare(teachers, &training->coins);
  if (code) return code;
  training_warn(training);
  teachers->is_halved = learn->learning.label_private || training->budget.estimate.den;
  code = learning_settle(&learn->learning, teachers);
  if (!code) code = learning_load(&learn->learning, teachers, &training->coins, &training->budget.about);
  if (!code) code = results_reserve(&learn->results);
  if (!code) learn_tell_data(learn);
  return code;
}

static int learn_teach(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  uint64_t about = budget_teaching(&learn->training.budget, teachers);
  struct plan_quota left = session_left(&learn->session);
  if (!left.silences && !left.answers) return EXIT_OK; /* all was answered before */
  if (about)
    say_text("%u teachers learn from about %" PRIu64 " %s each\n", teachers->count, about / teachers->count,
             budget_noun(teachers));
  else
    say_text("%u teachers learn, each from a chunk of its own\n", teachers->count);
  fflush(stdout);
  return teachers_teach(teachers);
}

/* The lines at the end of a run: "asked 643 of 9000 (margin): 643 answers; the budget is closed", ... */
static void learn_tell(const struct learn *learn) {
  const struct learning *learning = &learn->learning;
  const struct budget *budget = &learn->training.budget;
  const struct session *session = &learn->session;
  struct plan_quota left = session_left(session), limit = plan_limit(&budget->plan);
  struct asking_said said = asking_said(&learning->asking);
  struct rational epsilon, delta;
  char text[RATIONAL_TEXT];
  say_text("asked %zu of %zu (%s): ", learning->asking.count, learning->queries.count,
           asking_name(learning->asking.way));
  if (limit.silences) say_text("%" PRIu64 " labels, %" PRIu64 " silences", said.labels, said.silences);
  if (limit.answers) say_text("%s%" PRIu64 " answers", limit.silences ? ", " : "", said.answers);
  say_line("%s", left.silences || left.answers ? "; nothing is left to ask" : "; the budget is closed");
  if (learning->tested)
    say_text("the student is right on %.1f %% of %zu test records\n",
             100.0 * (double)learning->right / (double)learning->tested, learning->tested);
  if (budget->is_counted || budget->estimate.den) {
    budget_total(budget, &epsilon, &delta);
    rational_print(epsilon.num, epsilon.den, text);
    say_text("total epsilon %s: the plan%s%s\n", text, budget->is_counted ? ", the count" : "",
             budget->estimate.den ? ", the estimate" : "");
  }
  if (limit.silences) say_text("silences left: %u of %u\n", left.silences, limit.silences);
  if (limit.answers) say_text("answers left: %u of %u\n", left.answers, limit.answers);
  say_text("written: %s/student.model labels.csv plan summary.json; ledger: %s\n", learn->results.folder,
           budget->session.ledger_path);
  if (learn->training.is_seeded) say_line("NOT PRIVATE: made with --unsafe-seed");
  judgement_tell(&learning->facts, learn->training.teachers.encoding.classes.name);
}

static int learn_run(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  struct budget *budget = &training->budget;
  struct learning *learning = &learn->learning;
  struct coins own;
  int code = learn_prepare(learn);
  if (!code) code = training_protects(training, learning->label_private ? "labels" : NULL);
  if (!code) code = budget_open(budget, teachers->path, &learn->session, &training->coins);
  interrupt_keeps(
      "%sno results were written; the ledger %s has what was spent and answered, and the same command goes on",
      ranks_count() > 1 ? "a rank has died, or mpirun was stopped: " : "", budget->session.ledger_path);
  if (!code) code = budget_settle(budget, teachers, learning->queries.count, &learn->session, &training->coins);
  if (!code) learning_temper(learning, plan_limit(&budget->plan));
  if (!code) code = learning_recall(learning, teachers, &learn->session.ledger, &budget->plan, &budget->session.again);
  if (!code) code = session_begin(&learn->session, &budget->session, &budget->plan, teachers->learner.classes);
  if (!code) code = budget_link(budget);
  if (!code && learn->compare) code = learning_compare(learning, teachers);
  if (!code) code = learn_teach(learn);
  training_coins(training, 1, &own);
  if (!code) code = learning_ask(learning, teachers, (enum asking_way)budget->way, &learn->session, &own);
  if (!code) code = learning_finish(learning);
  if (!code) code = results_write(&learn->results);
  if (!code && learn->json) results_print(&learn->results, stdout);
  if (!code) learn_tell(learn);
  return code;
}

/* ---- --dry-run ----
 * Columns, plan, what to expect of it and how long it takes, from public data and options alone. Of the private file only the name
 * is looked at, and nothing is spent: so the number of units is what --about says, or unknown. */

#define LEARN_DRY_CHUNK 100u  /* records of a teacher where their number is not known */
#define LEARN_DRY_TRIES 3u    /* teachers that are trained to see how long it takes */
#define LEARN_DRY_VOTES 1000u /* public records that they vote on */

static int learn_dry_load(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  struct learning *learning = &learn->learning;
  int code = learning_parse(learning, teachers);
  if (!code) code = learn_apart(learn);
  training_coins(training, 0, &training->coins);
  if (!code) code = teachers_prepare(teachers, &training->coins);
  if (!code) code = teachers_load_public(teachers, teachers->request.public_path, &learning->queries);
  if (code) return code;
  learner_fit(&teachers->learner, &learning->queries, teachers->learner.classes);
  /* Where only labels are private the number of records is public; one half teaches. */
  if (learning->label_private && !training->budget.about) training->budget.about = learning->queries.count;
  if (learning->label_private) training->budget.about /= 2;
  learn_tell_data(learn);
  return EXIT_OK;
}

static const double learn_dry_shares[] = {1, 0.95, 0.9, 0.8, 0.7, 0.6};

static void learn_dry_expect(const struct learn *learn) {
  const struct plan_box *plan = &learn->training.budget.plan;
  uint32_t teachers = learn->training.teachers.count;
  struct plan_quota limit = plan_limit(plan);
  say_text("what to expect of a query on which so many of the %u teachers agree, and the others on one other class:\n",
           teachers);
  for (size_t i = 0; i < sizeof learn_dry_shares / sizeof *learn_dry_shares; i++) {
    double share = learn_dry_shares[i];
    uint32_t distance = plan_vote_distance(teachers, (uint32_t)(share * teachers + 0.5));
    say_text("  %3.0f %%", 100 * share);
    if (limit.silences) {
      /* Labels before the T-th silence, if every query were like this one. */
      double silence = plan_silence(plan, distance), all = (double)learn->learning.queries.count * (1 - silence);
      double paid = silence > 0 ? limit.silences * (1 - silence) / silence : all;
      say_text("   silent %5.1f %%; were all like that: about %.0f labels for %u silences", 100 * silence,
               paid < all ? paid : all, limit.silences);
    }
    if (limit.answers)
      say_text("%s the toll names the right one of two in %5.1f %%", limit.silences ? ";" : "  ",
               100 * (1 - plan_miss(plan, PLAN_KIND_TOLL, distance)));
    say_text("\n");
  }
}

/* One teacher of public records with labels made up; the seconds of its training and of its votes on `votes` records. */
static int learn_dry_teacher(const struct learn *learn, struct lesson *lesson, size_t votes, double *train,
                             double *vote) {
  const struct learner *learner = &learn->training.teachers.learner;
  struct learned learned = {0};
  struct ensemble single = {0};
  void *room = NULL;
  double start = clock_now(), middle;
  int code = learner_train(learner, lesson, &learned);
  middle = clock_now();
  if (!code) code = memory_take(&room, votes, sizeof(uint16_t));
  if (!code) code = ensemble_single(&single, learner, &learned);
  if (!code) code = ensemble_vote(&single, &learn->learning.queries, 0, votes, room);
  *train += middle - start;
  *vote += clock_now() - middle;
  ensemble_free(&single);
  learned_free(&learned);
  free(room);
  return code;
}

static int learn_dry_time(const struct learn *learn, double *seconds) {
  const struct teachers *teachers = &learn->training.teachers;
  uint64_t units = budget_teaching(&learn->training.budget, teachers);
  size_t rows = learn->learning.queries.count;
  size_t chunk = units ? (size_t)(units / teachers->count) + 1 : LEARN_DRY_CHUNK;
  size_t votes = rows < LEARN_DRY_VOTES ? rows : LEARN_DRY_VOTES, *row = NULL;
  struct lesson lesson = {.rows = &learn->learning.queries, .count = chunk < rows ? chunk : rows};
  double train = 0, vote = 0;
  int32_t *label = NULL;
  int code = memory_take(&row, lesson.count, sizeof *row);
  if (!code) code = memory_take(&label, lesson.count, sizeof *label);
  for (size_t i = 0; !code && i < lesson.count; i++) {
    row[i] = i;
    label[i] = (int32_t)(i % teachers->learner.classes);
  }
  lesson.row = row;
  lesson.label = label;
  for (unsigned t = 0; !code && t < LEARN_DRY_TRIES; t++)
    code = learn_dry_teacher(learn, &lesson, votes, &train, &vote);
  *seconds = (train + vote * (double)rows / (double)votes) / LEARN_DRY_TRIES * teachers->count / pool_width();
  free(row);
  free(label);
  return code;
}

/* Nobody said how many units there are: plans for several numbers. */
static int learn_dry_guess(struct learn *learn) {
  static const uint64_t numbers[] = {1000, 3000, 10000, 30000, 100000, 300000};
  struct teachers *teachers = &learn->training.teachers;
  struct budget *budget = &learn->training.budget;
  struct plan_target target = budget->target;
  char unsaid[256], limit[PLAN_QUOTA_TEXT];
  say_text(
      "how many private %s there are is not known: say --about N, a number that is public; a run without it counts "
      "them with noise, for 1/50 of the budget. Plans for some N:\n",
      budget_noun(teachers));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int code;
    error_capture(unsaid, sizeof unsaid);
    code = budget_size(budget, teachers, numbers[i], learn->learning.queries.count);
    error_capture(NULL, 0);
    say_text("  %7" PRIu64 "  ", numbers[i]);
    if (code)
      say_text("%s\n", unsaid);
    else
      say_text("%u teachers, %s\n", teachers->count, plan_quota_print(plan_limit(&budget->plan), limit));
    plan_free(&budget->plan);
    teachers->count = 0;
    budget->target = target;
  }
  return EXIT_OK;
}

static int learn_dry_plan(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  struct budget *budget = &learn->training.budget;
  const fumata_claim *claim = &budget->plan.claim;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  uint64_t units = budget_teaching(budget, teachers);
  double seconds;
  int code = budget_size(budget, teachers, units, learn->learning.queries.count);
  if (code) return code;
  rational_print(claim->epsilon_num, claim->epsilon_den, epsilon);
  rational_print(claim->delta_num, claim->delta_den, delta);
  say_text("plan: %s, epsilon %s and delta %s pay for %s; the core certifies it\n",
           plan_mechanism_name(budget->plan.mechanism), epsilon, delta,
           plan_quota_print(plan_limit(&budget->plan), limit));
  say_text("%u teachers", teachers->count);
  if (units) say_text(", about %" PRIu64 " %s each", units / teachers->count, budget_noun(teachers));
  say_text("\n");
  learn_dry_expect(learn);
  code = learn_dry_time(learn, &seconds);
  if (code) return code;
  if (seconds < 60)
    say_text("time: about %.0f seconds for the teachers on %u cores\n", seconds < 1 ? 1 : seconds, pool_width());
  else
    say_text("time: about %.0f minutes for the teachers on %u cores\n", seconds / 60, pool_width());
  return EXIT_OK;
}

static int learn_dry_run(struct learn *learn) {
  const struct budget *budget = &learn->training.budget;
  int code = learn_dry_load(learn);
  if (code) return code;
  code = !budget->plan_path && !learn->training.teachers.count && !budget->about ? learn_dry_guess(learn)
                                                                                 : learn_dry_plan(learn);
  if (!code) say_text("nothing was spent or written, and the private file was not opened\n");
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
  learn->results = (struct results){&learn->training.teachers, &learn->training.budget, &learn->learning,
                                    &learn->session, .folder = NULL};
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
  session_shut(&learn->session);
  results_tidy(&learn->results);
  learning_free(&learn->learning);
  training_free(&learn->training);
  free(learn);
  ranks_close();
  return code;
}

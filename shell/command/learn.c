/* fumata learn: private data and public data in, public labels and a student model out. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "base/progress.h"
#include "command/commands.h"
#include "command/training.h"
#include "learn/error_estimate.h"
#include "learn/model.h"
#include "plan/plan_file.h"
#include "release/answers.h"

static const char learn_help[] =
    "usage: fumata learn --private FILE --public FILE --classes A,B --epsilon E --delta D -o DIR [OPTION...]\n"
    "\n"
    "Teachers learn from disjoint chunks of the private data and vote on the public records; what they agree on is\n"
    "released as labels, within the budget; a student learns from those. Labels, student and everything computed from\n"
    "them are (E, D)-differentially private.\n"
    "\n"
    "  fumata learn --private clinic.csv --public survey.csv --label sick --classes no,yes \\\n"
    "               --epsilon 1 --delta 1e-6 -o out                     teachers and silences as the planner advises\n"
    "  fumata learn ... --unit patient_id                              one person may have many rows\n"
    "  fumata learn ... --teachers 250 --silences 100 --test held.csv  say it yourself, and measure the student\n"
    "  fumata learn --private train-images-idx3-ubyte.gz@0:50000 --public train-images-idx3-ubyte.gz@50000: \\\n"
    "               --classes 0,1,2,3,4,5,6,7,8,9 --features pca:60 --epsilon 4 --delta 1e-5 -o out\n"
    "\n"
    "data (CSV with a header, LIBSVM text or idx images, also gzip'ed; FILE@FIRST:LAST takes a part)\n"
    "  --private FILE      labelled records, one chunk of them a teacher\n"
    "  --public FILE       records without labels (labels in it are ignored): the queries, and all that scaling,\n"
    "                      categories and projections are learned from\n"
    "  --schema FILE       what is known about the columns beforehand\n"
    "  --label COLUMN      the label's column (CSV)\n"
    "  --classes A,B|B2    the classes in order, with other spellings\n"
    "  --unit COLUMN       the privacy unit's column; without it each record is its own unit\n"
    "  --features F        raw (default), standard or pca:N, fitted on the public file\n"
    "  --label-private     one file (--private): half of it keeps its labels, the other half becomes the queries; "
    "only\n"
    "                      the labels are private then\n"
    "teachers and student\n"
    "  --teachers K        number of chunks\n"
    "  --learner L         logistic[:C=100], svm[:C=1], trees[:rounds=20,depth=4,rate=0.3] or exec:COMMAND\n"
    "  --student L         the student's learner; the same if not given\n"
    "  --silent-as S       what an unanswered record is to the student: soft (half this, half that; default for two\n"
    "                      classes), drop (default for more) or random (the paper's)\n"
    "  --test FILE         labelled records to measure the student on\n"
    "  --seconds S         CPU time of one run of an exec learner (60)\n"
    "budget\n"
    "  --epsilon E --delta D    decimals or fractions, taken exactly\n"
    "  --silences T        how many queries may go unanswered before the session closes\n"
    "  --error-rate R      T by the paper's Theorem 3.2 for teachers of error rate R\n"
    "  --estimate-error E2 T by a private estimate of R on half of the private data; costs E2 more\n"
    "  --plan FILE         a plan made by `fumata plan` instead of E, D and T; needs --teachers\n"
    "  --ledger FILE       where spending is recorded (DIR/ledger); one ledger for each private data set\n"
    "  --name N --total-epsilon E --total-delta D    name and ceilings of a new ledger\n"
    "  --again             spend on a plan that is used up a second time\n"
    "output\n"
    "  -o, --output DIR    gets student.model, labels.csv, plan, summary.json, ledger\n"
    "  --unsafe-compare    also train without privacy on all private records and print its --test accuracy\n"
    "  --unsafe-seed N     reproducible coins, for tests: the result is NOT private\n"
    "  --unsafe-verbose    show what exec learners print\n";

enum {
  LEARN_STUDENT = TRAINING_OWN,
  LEARN_TEST,
  LEARN_SILENT_AS,
  LEARN_ERROR_RATE,
  LEARN_ESTIMATE,
  LEARN_LABEL_PRIVATE,
  LEARN_COMPARE,
  LEARN_SEED
};

struct learn {
  struct training recipe;
  const char *student_text, *test_path, *output;
  enum silent_as silent_as;
  int has_silent_as, label_private, compare;
  double error_rate;        /* 0: not given */
  struct rational estimate; /* den 0: not asked for */
  /* state */
  struct learner student;
  struct rows queries; /* public rows in the order in which they are asked */
  size_t *id;          /* record number of each */
  unsigned char *keep; /* private rows that teach; NULL: all */
  int32_t *answers;
  size_t asked;
  uint64_t records; /* private rows */
  struct learned learned;
  struct session session;
  struct error_estimate_noise noise;
  double estimated;
  int is_closed, has_score;
  size_t right, tested;
  char *ledger, *staging;
  int made_folder;
};

static int learn_parse(int argc, char **argv, struct learn *learn, int *help) {
  static const struct option names[] = {TRAINING_OPTIONS,
                                        {"student", required_argument, NULL, LEARN_STUDENT},
                                        {"test", required_argument, NULL, LEARN_TEST},
                                        {"silent-as", required_argument, NULL, LEARN_SILENT_AS},
                                        {"error-rate", required_argument, NULL, LEARN_ERROR_RATE},
                                        {"estimate-error", required_argument, NULL, LEARN_ESTIMATE},
                                        {"label-private", no_argument, NULL, LEARN_LABEL_PRIVATE},
                                        {"unsafe-compare", no_argument, NULL, LEARN_COMPARE},
                                        {"seed", required_argument, NULL, LEARN_SEED},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  struct rational ratio;
  int c, code = EXIT_OK;
  optind = 0;
  while (!code && (c = getopt_long(argc, argv, ":o:h", names, NULL)) != -1) {
    switch (c) {
    case LEARN_STUDENT:
      learn->student_text = optarg;
      break;
    case LEARN_TEST:
      learn->test_path = optarg;
      break;
    case LEARN_SILENT_AS:
      code = student_parse(&learn->silent_as, optarg);
      learn->has_silent_as = 1;
      break;
    case LEARN_ERROR_RATE:
      if (rational_parse(optarg, &ratio) || ratio.num >= ratio.den)
        code = error_report(EXIT_INPUT, "--error-rate: '%.40s' is not a share such as 0.2", optarg);
      else
        learn->error_rate = rational_value(ratio.num, ratio.den);
      break;
    case LEARN_ESTIMATE:
      if (rational_parse(optarg, &learn->estimate))
        code = error_report(EXIT_INPUT, "--estimate-error: '%.40s' is not an epsilon such as 0.5", optarg);
      break;
    case LEARN_LABEL_PRIVATE:
      learn->label_private = 1;
      break;
    case LEARN_COMPARE:
      learn->compare = 1;
      break;
    case LEARN_SEED:
      code = error_report(EXIT_INPUT, "--seed would undo the privacy; for a test there is --unsafe-seed");
      break;
    case 'o':
      learn->output = optarg;
      break;
    case 'h':
      *help = 1;
      return EXIT_OK;
    default:
      code = training_option(&learn->recipe, "learn", c, optarg, argv);
    }
  }
  if (!code && optind < argc)
    code = error_report(EXIT_INPUT, "'%s' is not expected here; fumata learn --help", argv[optind]);
  return code;
}

static int learn_check(struct learn *learn) {
  struct training *recipe = &learn->recipe;
  int rules = recipe->has_silences + (learn->error_rate > 0) + (learn->estimate.den != 0);
  if (!learn->output) return error_report(EXIT_INPUT, "-o DIR is missing: where the results go");
  if (recipe->plan_path && (recipe->has_epsilon || recipe->has_delta || rules))
    return error_report(EXIT_INPUT, "--plan already says epsilon, delta and silences");
  if (!recipe->plan_path && !recipe->has_epsilon) return error_report(EXIT_INPUT, "--epsilon is missing");
  if (!recipe->plan_path && !recipe->has_delta)
    return error_report(EXIT_INPUT, "--delta is missing, for instance --delta 1e-5");
  if (rules > 1) return error_report(EXIT_INPUT, "--silences, --error-rate and --estimate-error exclude each other");
  if (learn->compare && !learn->test_path) return error_report(EXIT_INPUT, "--unsafe-compare needs --test");
  if (learn->label_private) {
    if (recipe->request.public_path)
      return error_report(EXIT_INPUT, "--label-private takes its queries from --private; --public is too much");
    if (recipe->request.unit) return error_report(EXIT_INPUT, "--label-private has no --unit: it is each label");
    if (learn->estimate.den) return error_report(EXIT_INPUT, "--label-private has no half left for --estimate-error");
    recipe->request.public_path = recipe->private_path;
  } else if (!recipe->request.public_path) {
    return error_report(EXIT_INPUT, "--public FILE is missing: the records to label");
  }
  return EXIT_OK;
}

static char *learn_path(const char *folder, const char *name) {
  char *path = NULL;
  return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static const char *const learn_files[] = {"student.model", "labels.csv", "plan", "summary.json"};
#define LEARN_FILES (sizeof learn_files / sizeof *learn_files)

/* The folder, with a place inside where results wait until all of them are there. */
static int learn_folder(struct learn *learn) {
  int code = EXIT_OK;
  if (mkdir(learn->output, 0777) == 0)
    learn->made_folder = 1;
  else if (errno != EEXIST)
    return error_report(EXIT_INPUT, "%s: cannot write: %s", learn->output, strerror(errno));
  for (size_t i = 0; !code && i < LEARN_FILES; i++) {
    char *path = learn_path(learn->output, learn_files[i]);
    if (!path)
      code = error_report(EXIT_SYSTEM, "out of memory");
    else if (access(path, F_OK) == 0)
      code = error_report(EXIT_INPUT, "%s: exists already; results are never overwritten", path);
    free(path);
  }
  if (code) return code;
  learn->staging = learn_path(learn->output, ".new.XXXXXX");
  learn->ledger = learn->recipe.session.ledger_path ? strdup(learn->recipe.session.ledger_path)
                                                    : learn_path(learn->output, "ledger");
  if (!learn->staging || !learn->ledger) return error_report(EXIT_SYSTEM, "out of memory");
  if (!mkdtemp(learn->staging)) {
    free(learn->staging);
    learn->staging = NULL;
    return error_report(EXIT_INPUT, "%s: cannot write: %s", learn->output, strerror(errno));
  }
  learn->recipe.session.ledger_path = learn->ledger;
  return EXIT_OK;
}

/* Copies rows order[0 .. count - 1] in that order. */
static int learn_gather(const struct rows *in, const size_t *order, size_t count, struct rows *out) {
  size_t entries = 0;
  int code;
  rows_init(out, in->columns, in->is_dense);
  for (size_t i = 0; !in->is_dense && i < count; i++)
    entries += in->start[order[i] + 1] - in->start[order[i]];
  code = rows_reserve(out, count, entries);
  for (size_t i = 0; !code && i < count; i++) {
    size_t from = order[i];
    if (in->is_dense) {
      float *row = rows_push_dense(out, ROWS_UNLABELLED, 0, in->line[from]);
      memcpy(row, in->dense + from * in->columns, in->columns * sizeof *row);
    } else {
      size_t first = out->start[out->count], length = in->start[from + 1] - in->start[from];
      memcpy(out->index + first, in->index + in->start[from], length * sizeof *out->index);
      memcpy(out->value + first, in->value + in->start[from], length * sizeof *out->value);
      rows_push_sparse(out, first + length, ROWS_UNLABELLED, 0, in->line[from]);
    }
  }
  return code;
}

/* Asks in random order: a file sorted by label would otherwise spend the budget on its first class. `mine` (or NULL:
 * all) says which rows are queries. */
static int learn_queries(struct learn *learn, const struct rows *rows, const unsigned char *mine) {
  size_t count = 0;
  int code = EXIT_OK;
  learn->id = malloc((rows->count + 1) * sizeof *learn->id);
  if (!learn->id) return error_report(EXIT_SYSTEM, "out of memory");
  for (size_t i = 0; i < rows->count; i++)
    if (!mine || mine[i]) learn->id[count++] = i;
  for (size_t i = count; !code && i > 1; i--) {
    uint64_t word;
    size_t other, keep = learn->id[i - 1];
    code = coins_draw(&learn->recipe.coins, &word);
    other = (size_t)(((unsigned __int128)word * i) >> 64);
    learn->id[i - 1] = learn->id[other];
    learn->id[other] = keep;
  }
  if (!code) code = learn_gather(rows, learn->id, count, &learn->queries);
  if (!code && count == 0) code = error_report(EXIT_INPUT, "no public records to ask about");
  return code;
}

/* Marks the rows of half `half` (by whole units). */
static int learn_halve(struct learn *learn, uint32_t half, unsigned char **mark) {
  const struct rows *rows = &learn->recipe.rows;
  *mark = malloc(rows->count + 1);
  if (!*mark) return error_report(EXIT_SYSTEM, "out of memory");
  for (size_t i = 0; i < rows->count; i++)
    (*mark)[i] = partition_half(&learn->recipe.partition, rows->unit[i]) == half;
  return EXIT_OK;
}

static int learn_load(struct learn *learn) {
  struct training *recipe = &learn->recipe;
  struct reader_options unlabelled = {.labels = LABELS_IGNORE};
  unsigned char *mine = NULL;
  struct rows all;
  int code;
  if (learn->label_private) {
    code = training_load(recipe);
    if (!code) code = learn_halve(learn, 0, &learn->keep);
    if (!code) code = learn_halve(learn, 1, &mine);
    if (!code) code = learn_queries(learn, &recipe->rows, mine);
    free(mine);
  } else {
    code = reader_load(&all, recipe->request.public_path, &recipe->encoding, &unlabelled);
    if (code) return code;
    code = learn_queries(learn, &all, NULL);
    rows_free(&all);
    if (!code) code = training_load(recipe);
    if (!code && learn->estimate.den) code = learn_halve(learn, 0, &learn->keep);
  }
  if (code) return code;
  learner_fit(&recipe->learner, &learn->queries, recipe->encoding.classes.count);
  learner_fit(&learn->student, &learn->queries, recipe->encoding.classes.count);
  learn->records = recipe->rows.count;
  printf("%zu private records, %zu public ones to ask about, %u classes, %u features\n", recipe->rows.count,
         learn->queries.count, recipe->encoding.classes.count, recipe->encoding.columns);
  return EXIT_OK;
}

/* Remark 1: pays for the estimate, makes it on the half that does not teach, and sets T by it. */
static int learn_estimate(struct learn *learn) {
  struct training *recipe = &learn->recipe;
  unsigned char *held = NULL;
  char text[RATIONAL_TEXT];
  int code = error_estimate_noise_make(&learn->noise, learn->estimate);
  uint32_t chunks;
  if (code) return code;
  if (!recipe->teachers) {
    uint32_t silences = recipe->target.silences;
    code = training_size(recipe, learn->records / 2, learn->queries.count);
    recipe->target.silences = silences;
    recipe->has_silences = 0;
    if (code) return code;
  }
  chunks = recipe->teachers / 2 ? recipe->teachers / 2 : 1;
  code = ledger_charge(&learn->session.ledger, "error estimate", learn->noise.epsilon, learn->noise.delta);
  if (code) return code;
  code = learn_halve(learn, 1, &held);
  if (!code)
    code = error_estimate_run(&recipe->learner, &recipe->rows, held, chunks, &learn->noise, &recipe->coins,
                              &learn->estimated);
  free(held);
  if (code) return code;
  rational_print(learn->estimate.num, learn->estimate.den, text);
  printf("error rate of a teacher, estimated on half of the private records for epsilon %s more: %.1f %%\n", text,
         100 * learn->estimated);
  learn->error_rate = learn->estimated;
  return EXIT_OK;
}

static int learn_plan(struct learn *learn) {
  struct training *recipe = &learn->recipe;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  uint64_t teaching = learn->keep ? learn->records / 2 : learn->records;
  int code = EXIT_OK;
  if (learn->estimate.den) code = learn_estimate(learn);
  if (!code && (learn->error_rate > 0 || learn->estimate.den)) {
    recipe->target.silences = error_estimate_silences(learn->error_rate, learn->queries.count);
    recipe->has_silences = 1;
  }
  if (!code) code = training_size(recipe, teaching, learn->queries.count);
  if (!code) code = training_plan(recipe);
  if (code) return code;
  rational_print(recipe->plan.claim.epsilon_num, recipe->plan.claim.epsilon_den, epsilon);
  rational_print(recipe->plan.claim.delta_num, recipe->plan.claim.delta_den, delta);
  printf("plan: epsilon %s and delta %s pay for %u silences; labels are free; the core certifies it\n", epsilon, delta,
         plan_limit(&recipe->plan));
  return EXIT_OK;
}

static void learn_receive(void *context, int32_t answer) {
  struct learn *learn = context;
  learn->answers[learn->asked++] = answer;
}

/* Block after block: votes, then answers until the budget is closed. */
static int learn_ask(struct learn *learn) {
  const struct ensemble *ensemble = &learn->recipe.ensemble;
  size_t width = ensemble_width(ensemble), count = learn->queries.count, row = ensemble->teachers * width;
  size_t block = ensemble->learner->kind == LEARNER_EXEC ? 65536 : 4096;
  unsigned char *votes = malloc((block < count ? block : count) * row);
  struct progress progress;
  int code = EXIT_OK, open = 1;
  learn->answers = malloc((count + 1) * sizeof *learn->answers);
  if (!votes || !learn->answers) {
    free(votes);
    return error_report(EXIT_SYSTEM, "out of memory");
  }
  progress_start(&progress, "asking the teachers", count);
  for (size_t first = 0; !code && open && first < count; first += block) {
    size_t size = count - first < block ? count - first : block;
    code = ensemble_vote(ensemble, &learn->queries, first, size, votes);
    struct votes batch = {.count = size, .teachers = ensemble->teachers};
    if (width == 1)
      batch.labels8 = votes;
    else
      batch.labels16 = (const uint16_t *)votes;
    if (!code) code = session_answer_batch(&learn->session, &batch, learn_receive, learn);
    open = learn->asked == first + size;
    progress_step(&progress, learn->asked);
  }
  progress_end(&progress);
  free(votes);
  if (!code) code = session_finish(&learn->session);
  learn->is_closed = session_left(&learn->session) == 0;
  return code;
}

/* The same learner on every private record at once, for comparison. */
static int learn_compare(struct learn *learn, const struct rows *test) {
  const struct rows *rows = &learn->recipe.rows;
  size_t *order = malloc((rows->count + 1) * sizeof *order), right, tested;
  struct lesson lesson = {.rows = rows, .row = order, .count = rows->count};
  struct learned learned = {0};
  struct learner careful = learn->student;
  int code = order ? EXIT_OK : error_report(EXIT_SYSTEM, "out of memory");
  /* The peer is given all the time it needs: on many rows the usual tolerance stops too early. */
  if (careful.tolerance > 0.001) careful.tolerance = 0.001;
  for (size_t i = 0; order && i < rows->count; i++)
    order[i] = i;
  if (!code) code = learner_train(&careful, &lesson, &learned);
  if (!code) code = student_score(&careful, &learned, test, &right, &tested);
  if (!code)
    printf("NOT PRIVATE, for comparison: the same learner on all private records reaches %.1f %%\n",
           100.0 * (double)right / (double)tested);
  learned_free(&learned);
  free(order);
  return code;
}

static int learn_student(struct learn *learn, const struct rows *test) {
  struct training *recipe = &learn->recipe;
  int code = student_train(&learn->student, &learn->queries, learn->answers, learn->asked, learn->silent_as,
                           &recipe->coins, &learn->learned);
  if (!code && learn->test_path) {
    code = student_score(&learn->student, &learn->learned, test, &learn->right, &learn->tested);
    learn->has_score = !code && learn->tested;
  }
  return code;
}

static int learn_order(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

static int learn_write_labels(const struct learn *learn, const char *path) {
  char *const *name = learn->recipe.encoding.classes.name;
  size_t(*pair)[2] = malloc((learn->asked + 1) * sizeof *pair);
  struct output output;
  int code = pair ? output_open(&output, path) : error_report(EXIT_SYSTEM, "out of memory");
  if (!code) {
    for (size_t i = 0; i < learn->asked; i++) {
      pair[i][0] = learn->id[i];
      pair[i][1] = i;
    }
    qsort(pair, learn->asked, sizeof *pair, learn_order);
    fputs("id,answer\n", output.stream);
    for (size_t i = 0; i < learn->asked; i++) {
      int32_t answer = learn->answers[pair[i][1]];
      fprintf(output.stream, "%zu,", pair[i][0]);
      answers_print(output.stream, answer == FUMATA_SILENT ? NULL : name[answer]);
    }
    code = output_commit(&output);
  }
  free(pair);
  return code;
}

static void learn_json(FILE *stream, const char *key, const char *text) {
  fprintf(stream, "  \"%s\": ", key);
  json_text(stream, text);
  fputs(",\n", stream);
}

/* Only what was released, or never depended on the private records. */
static int learn_write_summary(const struct learn *learn, const char *path) {
  const struct training *recipe = &learn->recipe;
  char text[4200], head[DIGEST_TEXT];
  struct output output;
  FILE *out;
  int code = output_open(&output, path);
  if (code) return code;
  out = output.stream;
  fputs("{\n", out);
  fprintf(out, "  \"private\": %s,\n", recipe->is_seeded ? "false" : "true");
  if (recipe->is_seeded) learn_json(out, "warning", "NOT PRIVATE: made with --unsafe-seed");
  learn_json(out, "protects", learn->label_private ? "labels" : recipe->request.unit ? "units" : "records");
  if (recipe->request.unit) learn_json(out, "unit", recipe->request.unit);
  learn_json(out, "mechanism", recipe->plan.mechanism == PLAN_MECHANISM_METER ? "meter" : "classic");
  rational_print(recipe->plan.claim.epsilon_num, recipe->plan.claim.epsilon_den, text);
  learn_json(out, "epsilon", text);
  rational_print(recipe->plan.claim.delta_num, recipe->plan.claim.delta_den, text);
  learn_json(out, "delta", text);
  if (learn->estimate.den) {
    rational_print(learn->noise.epsilon.num, learn->noise.epsilon.den, text);
    learn_json(out, "estimate_epsilon", text);
    rational_print(learn->noise.delta.num, learn->noise.delta.den, text);
    learn_json(out, "estimate_delta", text);
    fprintf(out, "  \"estimated_error\": %.4f,\n", learn->estimated);
    fprintf(out, "  \"total_epsilon\": %.10g,\n",
            rational_value(recipe->plan.claim.epsilon_num, recipe->plan.claim.epsilon_den) +
                rational_value(learn->estimate.num, learn->estimate.den));
  }
  fprintf(out, "  \"silences\": %u,\n  \"silences_left\": %u,\n", plan_limit(&recipe->plan),
          session_left(&learn->session));
  fprintf(out, "  \"teachers\": %u,\n  \"classes\": %u,\n  \"features\": %u,\n", recipe->teachers,
          recipe->encoding.classes.count, recipe->encoding.columns);
  learner_print(&recipe->learner, text, sizeof text);
  learn_json(out, "learner", text);
  learner_print(&learn->student, text, sizeof text);
  learn_json(out, "student", text);
  learn_json(out, "silent_as", student_name(learn->silent_as));
  fprintf(out, "  \"queries\": %zu,\n  \"asked\": %zu,\n  \"answered\": %" PRIu64 ",\n  \"silent\": %" PRIu64 ",\n",
          learn->queries.count, learn->asked, learn->session.labels, learn->session.silences);
  if (learn->has_score)
    fprintf(out, "  \"tested\": %zu,\n  \"test_accuracy\": %.6f,\n", learn->tested,
            (double)learn->right / (double)learn->tested);
  learn_json(out, "ledger", learn->ledger);
  ledger_head(&learn->session.ledger, head);
  fprintf(out, "  \"ledger_head\": \"%s\"\n}\n", head);
  return output_commit(&output);
}

/* Everything into the waiting place, then all of it into the folder, the summary last. */
static int learn_write(struct learn *learn) {
  char *from[LEARN_FILES] = {0}, *to[LEARN_FILES] = {0};
  int code = EXIT_OK;
  for (size_t i = 0; i < LEARN_FILES; i++) {
    from[i] = learn_path(learn->staging, learn_files[i]);
    to[i] = learn_path(learn->output, learn_files[i]);
    if (!from[i] || !to[i]) code = error_report(EXIT_SYSTEM, "out of memory");
  }
  if (!code) code = model_write(from[0], &learn->recipe.encoding, &learn->student, &learn->learned);
  if (!code) code = learn_write_labels(learn, from[1]);
  if (!code) code = plan_file_write(from[2], &learn->recipe.plan);
  if (!code) code = learn_write_summary(learn, from[3]);
  for (size_t i = 0; !code && i < LEARN_FILES; i++)
    if (rename(from[i], to[i]) != 0) {
      code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", to[i], strerror(errno));
      while (i--)
        unlink(to[i]);
      break;
    }
  for (size_t i = 0; i < LEARN_FILES; i++) {
    free(from[i]);
    free(to[i]);
  }
  return code;
}

static void learn_tell(const struct learn *learn) {
  const struct training *recipe = &learn->recipe;
  char text[RATIONAL_TEXT];
  printf("asked %zu of %zu: %" PRIu64 " labels, %" PRIu64 " silences; %s\n", learn->asked, learn->queries.count,
         learn->session.labels, learn->session.silences,
         learn->is_closed ? "the budget is closed" : "every record was asked");
  if (learn->has_score)
    printf("the student is right on %.1f %% of %zu test records\n",
           100.0 * (double)learn->right / (double)learn->tested, learn->tested);
  if (learn->estimate.den) {
    double total = rational_value(recipe->plan.claim.epsilon_num, recipe->plan.claim.epsilon_den) +
                   rational_value(learn->estimate.num, learn->estimate.den);
    rational_print(learn->estimate.num, learn->estimate.den, text);
    printf("total epsilon %.10g: the estimate's %s and the plan's\n", total, text);
  }
  printf("silences left: %u of %u\n", session_left(&learn->session), plan_limit(&recipe->plan));
  printf("written: %s/student.model labels.csv plan summary.json; ledger: %s\n", learn->output, learn->ledger);
  if (recipe->is_seeded) puts("NOT PRIVATE: made with --unsafe-seed");
}

/* What is left of a run that failed: the ledger if anything was spent, else nothing. */
static void learn_tidy(struct learn *learn) {
  for (size_t i = 0; learn->staging && i < LEARN_FILES; i++) {
    char *path = learn_path(learn->staging, learn_files[i]);
    if (path) unlink(path);
    free(path);
  }
  if (learn->staging) rmdir(learn->staging);
  if (learn->made_folder) rmdir(learn->output);
}

static int learn_run(struct learn *learn) {
  struct training *recipe = &learn->recipe;
  struct reader_options labelled = {.labels = LABELS_REQUIRE};
  struct rows test;
  int code =
      learner_parse(&learn->student, "--student", learn->student_text ? learn->student_text : recipe->learner_text);
  if (!code && recipe->seconds) learn->student.seconds = recipe->seconds;
  learn->student.verbose = recipe->verbose;
  if (!code) code = learn_folder(learn);
  if (!code) code = training_prepare(recipe);
  if (code) return code;
  training_warn(recipe);
  learn->student.classes = recipe->learner.classes;
  learn->student.columns = recipe->learner.columns;
  if (learn->student_text) code = learner_try(&learn->student);
  if (!learn->has_silent_as) learn->silent_as = student_default(recipe->encoding.classes.count);
  rows_init(&test, recipe->encoding.columns, recipe->encoding.is_dense);
  if (!code && learn->test_path) {
    rows_free(&test);
    code = reader_load(&test, learn->test_path, &recipe->encoding, &labelled);
    if (!code && test.count == 0) code = error_report(EXIT_INPUT, "%s: no records", learn->test_path);
  }
  if (!code) code = learn_load(learn);
  if (!code) code = session_open(&learn->session, &recipe->session, &recipe->coins);
  if (!code) code = learn_plan(learn);
  if (!code) code = session_begin(&learn->session, &recipe->session, &recipe->plan, recipe->learner.classes);
  if (!code && learn->compare) code = learn_compare(learn, &test);
  if (!code) {
    printf("%u teachers learn from about %" PRIu64 " records each\n", recipe->teachers,
           (learn->keep ? learn->records / 2 : learn->records) / recipe->teachers);
    fflush(stdout);
    code = training_teach(recipe, learn->keep);
  }
  if (!code) code = learn_ask(learn);
  if (!code) code = learn_student(learn, &test);
  rows_free(&test);
  if (!code) code = learn_write(learn);
  if (!code) learn_tell(learn);
  return code;
}

int command_learn(int argc, char **argv) {
  struct learn *learn = calloc(1, sizeof *learn);
  int help = 0, code;
  if (!learn) return error_report(EXIT_SYSTEM, "out of memory");
  training_init(&learn->recipe);
  rows_init(&learn->queries, 1, 1);
  code = learn_parse(argc, argv, learn, &help);
  if (help)
    fputs(learn_help, stdout);
  else {
    if (!code) code = learn_check(learn);
    if (!code) code = learn_run(learn);
  }
  session_shut(&learn->session);
  learn_tidy(learn);
  error_estimate_noise_free(&learn->noise);
  learned_free(&learn->learned);
  learner_free(&learn->student);
  rows_free(&learn->queries);
  training_free(&learn->recipe);
  free(learn->id);
  free(learn->keep);
  free(learn->answers);
  free(learn->ledger);
  free(learn->staging);
  free(learn);
  return code;
}

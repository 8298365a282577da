#include "learn/linear.h"

#include <float.h>
#include <linear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/ensemble.h"
#include "learn/model.h"

/* The score of a class that does not occur in the lesson: all other scores are higher. */
#define LINEAR_NEVER (-1e30f)

uint32_t linear_scores(uint32_t classes) {
  return classes == 2 ? 1 : classes;
}

/* ---- learning ---- */

static void linear_hush(const char *text) {
  (void)text;
}

/* The distinct rows of a lesson as liblinear wants them; entries that repeat a row share its nodes. */
struct linear_problem {
  struct feature_node *nodes;
  struct feature_node **x;
  double *y;
  size_t count;
};

static struct feature_node *linear_put(struct feature_node *node, const struct learner *learner,
                                       const struct rows *rows, size_t i) {
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (uint32_t j = 0; j < rows->columns; j++)
      if (row[j] != 0) *node++ = (struct feature_node){(int)j + 1, (double)row[j] * learner->scale};
  } else {
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
      *node++ = (struct feature_node){(int)rows->index[e] + 1, (double)rows->value[e] * learner->scale};
  }
  *node++ = (struct feature_node){(int)rows->columns + 1, 1};
  *node++ = (struct feature_node){-1, 0};
  return node;
}

static int linear_problem_make(struct linear_problem *problem, const struct learner *learner,
                               const struct lesson *lesson) {
  const struct rows *rows = lesson->rows;
  size_t nodes = 0, count = 0;
  struct feature_node *node;
  int code;
  for (size_t e = 0; e < lesson->count; e++) {
    size_t i = lesson->row[e];
    nodes += 2 + (rows->is_dense ? rows->columns : rows->start[i + 1] - rows->start[i]);
  }
  problem->count = lesson_size(lesson);
  code = memory_align(&problem->nodes, nodes, sizeof *problem->nodes);
  if (!code) code = memory_take(&problem->x, problem->count, sizeof *problem->x);
  if (!code) code = memory_take(&problem->y, problem->count, sizeof *problem->y);
  if (code) return code;
  node = problem->nodes;
  for (size_t e = 0; e < lesson->count; e++) {
    size_t i = lesson->row[e], times = lesson_times(lesson, e);
    struct feature_node *first = node;
    if (e && lesson->row[e - 1] == i)
      first = problem->x[count - 1];
    else
      node = linear_put(node, learner, rows, i);
    for (; times; times--, count++) {
      problem->x[count] = first;
      problem->y[count] = lesson_label(lesson, e);
    }
  }
  return EXIT_OK;
}

/* Turns liblinear's weights (feature-major, classes in order of appearance) into one row of floats for each score. */
static void linear_take(const struct learner *learner, const struct model *model, float *scores) {
  uint32_t width = learner->columns + 1, rows = linear_scores(learner->classes);
  int pair = model->nr_class == 2, step = pair ? 1 : model->nr_class;
  for (uint32_t s = 0; s < rows; s++)
    scores[(size_t)s * width + learner->columns] = rows > 1 ? LINEAR_NEVER : 0;
  for (int c = 0; c < model->nr_class; c++) {
    int label = model->label[c];
    double sign = pair && c == 1 ? -1 : 1;
    float *score = scores + (rows > 1 ? (size_t)label * width : 0);
    if (rows == 1 && label == 0) continue;
    for (uint32_t j = 0; j < width; j++) {
      double w = sign * model->w[(size_t)j * (size_t)step + (size_t)(pair ? 0 : c)];
      score[j] = (float)(j < learner->columns ? w * learner->scale : w);
    }
  }
}

/* A lesson of one class: the model always says that label. */
static void linear_constant(const struct learner *learner, int32_t label, float *scores) {
  uint32_t width = learner->columns + 1, rows = linear_scores(learner->classes);
  for (uint32_t s = 0; s < rows; s++) {
    float *bias = &scores[(size_t)s * width + learner->columns];
    if (rows == 1)
      *bias = label ? 1 : -1;
    else
      *bias = s == (uint32_t)label ? 0 : LINEAR_NEVER;
  }
}

/* The classes that occur in the lesson, and the weight of their rows: liblinear complains about the others. */
static int linear_weigh(const struct learner *learner, const struct linear_problem *problem, double *weight,
                        struct parameter *parameter) {
  unsigned char *is_shown = NULL;
  int code = memory_take(&is_shown, learner->classes, 1);
  if (!code) code = memory_take(&parameter->weight_label, learner->classes, sizeof *parameter->weight_label);
  for (size_t e = 0; !code && e < problem->count; e++)
    is_shown[(int)problem->y[e]] = 1;
  parameter->weight = weight;
  for (uint32_t c = 0; !code && c < learner->classes; c++) {
    if (!is_shown[c]) continue;
    weight[parameter->nr_weight] = weight[c];
    parameter->weight_label[parameter->nr_weight++] = (int)c;
  }
  free(is_shown);
  return code;
}

/* liblinear's own weights, for a lesson with two classes or more. */
static int linear_solve(const struct learner *learner, const struct lesson *lesson, struct linear_problem *problem,
                        float *scores) {
  struct problem input = {
      .l = (int)problem->count, .n = (int)learner->columns + 1, .y = problem->y, .x = problem->x, .bias = 1};
  struct parameter parameter = {.solver_type = learner->kind == &learner_svm ? L2R_L2LOSS_SVC : L2R_LR,
                                .eps = learner->tolerance,
                                .C = learner->cost / (lesson->times ? lesson->share : 1)};
  struct model *model;
  double *weight = NULL;
  int code = EXIT_OK;
  if (learner->balance > 0) code = lesson_balance(lesson, learner->classes, learner->balance, &weight);
  if (!code && weight) code = linear_weigh(learner, problem, weight, &parameter);
  if (!code) {
    set_print_string_function(linear_hush);
    model = train(&input, &parameter);
    linear_take(learner, model, scores);
    free_and_destroy_model(&model);
  }
  free(weight);
  free(parameter.weight_label);
  return code;
}

static int linear_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  struct linear_problem problem = {0};
  size_t scores = (size_t)linear_scores(learner->classes) * (learner->columns + 1);
  int code = linear_problem_make(&problem, learner, lesson), constant = 1;
  float *weights = NULL;
  if (!code && problem.count) code = memory_take(&weights, scores, sizeof *weights);
  if (!code && weights) {
    for (size_t i = 1; i < problem.count; i++)
      constant &= problem.y[i] == problem.y[0];
    if (constant)
      linear_constant(learner, (int32_t)problem.y[0], weights);
    else
      code = linear_solve(learner, lesson, &problem, weights);
    learned->bytes = (unsigned char *)weights;
    learned->size = scores * sizeof *weights;
  }
  free(problem.nodes);
  free(problem.x);
  free(problem.y);
  return code;
}

/* Two classes, by logistic regression: answers of a poll, or labels. */
static int linear_train_logistic(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  size_t scores = (size_t)linear_scores(learner->classes) * (learner->columns + 1);
  float *weights;
  int code;
  if (!lesson->heard) return linear_train(learner, lesson, learned);
  code = memory_take(&weights, scores, sizeof *weights);
  if (code) return code;
  learned->bytes = (unsigned char *)weights;
  learned->size = scores * sizeof *weights;
  return linear_heard(learner, lesson, weights);
}

static int linear_fits(const struct learner *learner, const struct learned *learned) {
  return !learned->size || learned->size == linear_scores(learner->classes) * (learner->columns + 1) * sizeof(float);
}

/* ---- scores ---- */

static float linear_score_one(const struct learned *learned, const struct rows *rows, size_t i, uint32_t score) {
  const float *weight = (const float *)learned->bytes + (size_t)score * (rows->columns + 1);
  float sum = weight[rows->columns];
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (uint32_t j = 0; j < rows->columns; j++)
      sum += row[j] * weight[j];
  } else {
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
      sum += rows->value[e] * weight[rows->index[e]];
  }
  return sum;
}

void linear_score_row(const struct learned *learned, uint32_t classes, const struct rows *rows, size_t i,
                      float *score) {
  uint32_t scores = linear_scores(classes);
  memset(score, 0, classes * sizeof *score);
  for (uint32_t s = 0; learned->size && s < scores; s++)
    score[scores == 1 ? 1 : s] = linear_score_one(learned, rows, i, s);
}

void linear_score(const struct learned *learned, uint32_t classes, const struct rows *rows, float *score) {
  for (size_t i = 0; i < rows->count; i++, score += classes)
    linear_score_row(learned, classes, rows, i, score);
}

void linear_shift(struct learned *learned, float by) {
  if (learned->size) ((float *)learned->bytes)[learned->size / sizeof(float) - 1] += by;
}

int32_t linear_label(const struct learned *learned, uint32_t classes, const struct rows *rows, size_t i) {
  uint32_t scores = linear_scores(classes), best = 0;
  float most = learned->size ? linear_score_one(learned, rows, i, 0) : 0;
  if (!learned->size || scores == 1) return most > 0;
  for (uint32_t s = 1; s < scores; s++) {
    float value = linear_score_one(learned, rows, i, s);
    if (value <= most) continue;
    most = value;
    best = s;
  }
  return (int32_t)best;
}

static void linear_score_view(const struct learner *learner, const struct learned *learned, const struct rows *rows,
                              size_t i, float *score) {
  linear_score_row(learned, learner->classes, rows, i, score);
}

static int linear_score_single(const struct ensemble *single, const struct rows *rows, float *score) {
  linear_score(single->learned, single->learner->classes, rows, score);
  return EXIT_OK;
}

/* ---- for people and programs ---- */

static int linear_heavier(const void *a, const void *b, void *context) {
  const float *weight = context;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  float left = fabsf(weight[x]), right = fabsf(weight[y]);
  if (left != right) return left > right ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The heaviest weights of each score, by the names of their features. */
static int linear_show(const struct student_model *model, size_t most, FILE *out) {
  const struct classes *classes = &model->encoding.classes;
  uint32_t scores = linear_scores(classes->count), columns = model->learner.columns, *order;
  float *weight = (float *)model->learned.bytes;
  int code = memory_take(&order, columns, sizeof *order);
  for (uint32_t s = 0; !code && s < scores; s++, weight += columns + 1) {
    if (scores == 1)
      fprintf(out, "weights: above 0 in all is %s, else %s\n", classes->name[1], classes->name[0]);
    else
      fprintf(out, "weights of %s\n", classes->name[s]);
    for (uint32_t j = 0; j < columns; j++)
      order[j] = j;
    qsort_r(order, columns, sizeof *order, linear_heavier, weight);
    for (uint32_t i = 0; !code && i < columns && i < most && weight[order[i]] != 0; i++) {
      char *name;
      code = encoding_feature_name(&model->encoding, order[i], &name);
      if (!code) fprintf(out, "  %+11.5g  %s\n", (double)weight[order[i]], name);
      free(name);
    }
    if (!code) fprintf(out, "  %+11.5g  (always)\n", (double)weight[columns]);
  }
  free(order);
  return code;
}

/* {"weights": a row of numbers for each score, "bias": a number for each score} */
static int linear_print_weights(const struct learner *learner, const struct learned *learned, struct json *json) {
  const float *weight = (const float *)learned->bytes;
  uint32_t scores = learned->size ? linear_scores(learner->classes) : 0, width = learner->columns + 1;
  json_open(json, NULL, '{', 0);
  json_open(json, "weights", '[', 1);
  for (uint32_t s = 0; s < scores; s++)
    json_floats(json, NULL, weight + (size_t)s * width, learner->columns, 1);
  json_close(json);
  json_floats(json, "bias", weight ? weight + learner->columns : NULL, scores, width);
  json_close(json);
  return EXIT_OK;
}

/* ---- the tables ---- */

/* The usual parameters. Chosen on a9a, adult, dutch_census, Fashion-MNIST and MNIST with chunks of 50 to 200 rows. */
#define LINEAR_LOGISTIC_COST 100
#define LINEAR_SVM_COST      1
#define LINEAR_TOLERANCE     0.01

#define LINEAR_BELOW_ONE (1 - DBL_EPSILON / 2)

static const struct learner_parameter linear_logistic[] = {
    {"C", offsetof(struct learner, cost), 0, DBL_TRUE_MIN, 1e9, LINEAR_LOGISTIC_COST, 0},
    {"tolerance", offsetof(struct learner, tolerance), 0, DBL_TRUE_MIN, LINEAR_BELOW_ONE, LINEAR_TOLERANCE, 0},
    {"scale", offsetof(struct learner, said_scale), 0, 1e-6, 1e6, 0, 1},
    {"balance", offsetof(struct learner, balance), 0, 0, 1, 0, 1},
    {0}};

static const struct learner_parameter linear_svm[] = {
    {"C", offsetof(struct learner, cost), 0, DBL_TRUE_MIN, 1e9, LINEAR_SVM_COST, 0},
    {"tolerance", offsetof(struct learner, tolerance), 0, DBL_TRUE_MIN, LINEAR_BELOW_ONE, LINEAR_TOLERANCE, 0},
    {"scale", offsetof(struct learner, said_scale), 0, 1e-6, 1e6, 0, 1},
    {"balance", offsetof(struct learner, balance), 0, 0, 1, 0, 1},
    {0}};

const struct learner_kind learner_logistic = {.name = "logistic",
                                              .form = "logistic",
                                              .traits =
                                                  LEARNER_LINEAR | LEARNER_MEMBER | LEARNER_PROBABILITY | LEARNER_HEARS,
                                              .parameter = linear_logistic,
                                              .train = linear_train_logistic,
                                              .fits = linear_fits,
                                              .open_all = linear_vote_open,
                                              .vote_all = linear_vote_cast,
                                              .close_all = linear_vote_close,
                                              .score = linear_score_single,
                                              .score_row = linear_score_view,
                                              .shift = linear_shift,
                                              .show = linear_show,
                                              .print_weights = linear_print_weights};

const struct learner_kind learner_svm = {.name = "svm",
                                         .form = "svm",
                                         .traits = LEARNER_LINEAR | LEARNER_MEMBER,
                                         .parameter = linear_svm,
                                         .train = linear_train,
                                         .fits = linear_fits,
                                         .open_all = linear_vote_open,
                                         .vote_all = linear_vote_cast,
                                         .close_all = linear_vote_close,
                                         .score = linear_score_single,
                                         .score_row = linear_score_view,
                                         .shift = linear_shift,
                                         .unlikely = "an svm has no probabilities",
                                         .show = linear_show,
                                         .print_weights = linear_print_weights};

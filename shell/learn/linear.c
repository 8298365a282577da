#include "learn/linear.h"

#include <linear.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The score of a class that the lesson does not show: no other score is as low. */
#define LINEAR_NEVER (-1e30f)

uint32_t linear_scores(uint32_t classes) {
  return classes == 2 ? 1 : classes;
}

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

static void linear_problem_free(struct linear_problem *problem) {
  free(problem->nodes);
  free(problem->x);
  free(problem->y);
}

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

/* liblinear's weights (feature-major, classes in order of appearance) into one row of floats a score. */
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

/* A lesson of one class: that label, always. */
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

/* liblinear's own weights, for a lesson that shows two classes or more. */
static int linear_solve(const struct learner *learner, const struct lesson *lesson, struct linear_problem *problem,
                        float *scores) {
  struct problem input = {
      .l = (int)problem->count, .n = (int)learner->columns + 1, .y = problem->y, .x = problem->x, .bias = 1};
  struct parameter parameter = {.solver_type = learner->kind == LEARNER_SVM ? L2R_L2LOSS_SVC : L2R_LR,
                                .eps = learner->tolerance,
                                .C = learner->cost / (lesson->times ? lesson->share : 1)};
  struct model *model;
  double *weight = NULL;
  int *label = NULL, code = EXIT_OK;
  if (learner->balance > 0) code = lesson_balance(lesson, learner->classes, learner->balance, &weight);
  if (!code && weight) code = memory_take(&label, learner->classes, sizeof *label);
  if (!code) {
    for (uint32_t c = 0; weight && c < learner->classes; c++)
      label[c] = (int)c;
    parameter.nr_weight = weight ? (int)learner->classes : 0;
    parameter.weight_label = label;
    parameter.weight = weight;
    set_print_string_function(linear_hush);
    model = train(&input, &parameter);
    linear_take(learner, model, scores);
    free_and_destroy_model(&model);
  }
  free(weight);
  free(label);
  return code;
}

int linear_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
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
  linear_problem_free(&problem);
  return code;
}

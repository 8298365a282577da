/* A linear model of a poll's answers. Its weights have the least loss: how unlikely they find the answers (heard.h), plus
 * half their squared length, weighed as in liblinear. Found by L-BFGS (Nocedal 1980): the last few steps tell how the loss
 * bends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/linear.h"

#define LINEAR_HEARD_STEPS  100
#define LINEAR_HEARD_KEPT   8    /* steps that are remembered */
#define LINEAR_HEARD_LEAST  1e-5 /* a step must gain this part of the loss */
#define LINEAR_HEARD_HALVES 20   /* a step is halved at most this often, ... */
#define LINEAR_HEARD_SLOPE  1e-4 /* ... until it gains this part of what its slope promises */
#define LINEAR_HEARD_FROM   4.0  /* the first bias is from minus this to this, ... */
#define LINEAR_HEARD_BY     0.25 /* ... in steps of this */

struct linear_heard {
  const struct learner *learner;
  const struct lesson *lesson;
  uint32_t width;            /* columns and the bias */
  double *weight, *gradient; /* at the current point */
  double *next, *after;      /* at the point that is tried */
  double *way;               /* direction of the step */
  double *moved, *turned,
      bent[LINEAR_HEARD_KEPT]; /* the remembered steps: of weights, of gradients, one over their product */
  uint32_t steps;
  double loss;
};

static double linear_heard_dot(const double *a, const double *b, uint32_t width) {
  double sum = 0;
  for (uint32_t j = 0; j < width; j++)
    sum += a[j] * b[j];
  return sum;
}

static void linear_heard_add(double *out, const double *in, double by, uint32_t width) {
  for (uint32_t j = 0; j < width; j++)
    out[j] += by * in[j];
}

static double linear_heard_score(const struct linear_heard *in, size_t i, const double *weight) {
  const struct rows *rows = in->lesson->rows;
  double sum = 0;
  for (uint32_t j = 0; rows->is_dense && j < rows->columns; j++)
    sum += (double)rows->dense[i * rows->columns + j] * weight[j];
  for (size_t k = rows->is_dense ? 0 : rows->start[i]; !rows->is_dense && k < rows->start[i + 1]; k++)
    sum += (double)rows->value[k] * weight[rows->index[k]];
  return sum * (double)in->learner->scale + weight[in->width - 1];
}

static void linear_heard_turn(const struct linear_heard *in, size_t i, double by, double *gradient) {
  const struct rows *rows = in->lesson->rows;
  double scaled = by * (double)in->learner->scale;
  for (uint32_t j = 0; rows->is_dense && j < rows->columns; j++)
    gradient[j] += scaled * (double)rows->dense[i * rows->columns + j];
  for (size_t k = rows->is_dense ? 0 : rows->start[i]; !rows->is_dense && k < rows->start[i + 1]; k++)
    gradient[rows->index[k]] += scaled * (double)rows->value[k];
  gradient[in->width - 1] += by;
}

static double linear_heard_loss(const struct linear_heard *in, const double *weight, double *gradient) {
  const struct lesson *lesson = in->lesson;
  double loss = linear_heard_dot(weight, weight, in->width) / 2, cost = in->learner->cost, slope, bend;
  memcpy(gradient, weight, in->width * sizeof *gradient);
  for (size_t e = 0; e < lesson->count; e++) {
    size_t i = lesson->row[e];
    double score = linear_heard_score(in, i, weight);
    loss += cost * heard_loss(&lesson->heard[e], lesson_label(lesson, e) == 1, score, &slope, &bend);
    linear_heard_turn(in, i, cost * slope, gradient);
  }
  return loss;
}

/* Finds the best bias alone: for a rare class it is far from 0, where the loss is flat. */
static void linear_heard_begin(struct linear_heard *in) {
  double best = HUGE_VAL, slope, bend;
  for (double bias = -LINEAR_HEARD_FROM; bias <= LINEAR_HEARD_FROM; bias += LINEAR_HEARD_BY) {
    double loss = 0;
    for (size_t e = 0; e < in->lesson->count; e++)
      loss += heard_loss(&in->lesson->heard[e], lesson_label(in->lesson, e) == 1, bias, &slope, &bend);
    if (loss >= best) continue;
    best = loss;
    in->weight[in->width - 1] = bias;
  }
  in->loss = linear_heard_loss(in, in->weight, in->gradient);
}

/* Turns the gradient into a direction, by the remembered steps. */
static void linear_heard_aim(struct linear_heard *in) {
  uint32_t width = in->width, kept = in->steps < LINEAR_HEARD_KEPT ? in->steps : LINEAR_HEARD_KEPT;
  double part[LINEAR_HEARD_KEPT], scale = 1 / sqrt(linear_heard_dot(in->gradient, in->gradient, width) + 1e-30);
  memcpy(in->way, in->gradient, width * sizeof *in->way);
  for (uint32_t k = 1; k <= kept; k++) {
    uint32_t at = (in->steps - k) % LINEAR_HEARD_KEPT;
    const double *turned = in->turned + (size_t)at * width;
    part[at] = in->bent[at] * linear_heard_dot(in->moved + (size_t)at * width, in->way, width);
    linear_heard_add(in->way, turned, -part[at], width);
    if (k == 1) scale = 1 / (in->bent[at] * linear_heard_dot(turned, turned, width));
  }
  for (uint32_t j = 0; j < width; j++)
    in->way[j] *= scale;
  for (uint32_t k = kept; k > 0; k--) {
    uint32_t at = (in->steps - k) % LINEAR_HEARD_KEPT;
    double back = in->bent[at] * linear_heard_dot(in->turned + (size_t)at * width, in->way, width);
    linear_heard_add(in->way, in->moved + (size_t)at * width, part[at] - back, width);
  }
}

/* Remembers the step from weight to next, and goes there. */
static void linear_heard_take(struct linear_heard *in) {
  uint32_t width = in->width, at = in->steps % LINEAR_HEARD_KEPT;
  double *moved = in->moved + (size_t)at * width, *turned = in->turned + (size_t)at * width, product;
  for (uint32_t j = 0; j < width; j++) {
    moved[j] = in->next[j] - in->weight[j];
    turned[j] = in->after[j] - in->gradient[j];
  }
  product = linear_heard_dot(moved, turned, width);
  if (product > 1e-12) {
    in->bent[at] = 1 / product;
    in->steps++;
  }
  memcpy(in->weight, in->next, width * sizeof *in->weight);
  memcpy(in->gradient, in->after, width * sizeof *in->gradient);
}

/* Takes one step; returns 0 if there is hardly anything left to gain. */
static int linear_heard_step(struct linear_heard *in) {
  double size = 1, slope, before = in->loss, loss;
  linear_heard_aim(in);
  slope = linear_heard_dot(in->gradient, in->way, in->width);
  if (!(slope > 0)) return 0;
  for (int halves = 0;; halves++, size /= 2) {
    memcpy(in->next, in->weight, in->width * sizeof *in->next);
    linear_heard_add(in->next, in->way, -size, in->width);
    loss = linear_heard_loss(in, in->next, in->after);
    if (loss <= before - LINEAR_HEARD_SLOPE * size * slope || halves == LINEAR_HEARD_HALVES) break;
  }
  if (!(loss < before)) return 0;
  linear_heard_take(in);
  in->loss = loss;
  return before - loss >= LINEAR_HEARD_LEAST * before;
}

int linear_heard(const struct learner *learner, const struct lesson *lesson, float *out) {
  struct linear_heard in = {.learner = learner, .lesson = lesson, .width = learner->columns + 1};
  size_t width = in.width;
  int code = memory_take(&in.weight, width * (5 + 2 * LINEAR_HEARD_KEPT), sizeof *in.weight);
  if (code) return code;
  in.gradient = in.weight + width;
  in.next = in.gradient + width;
  in.after = in.next + width;
  in.way = in.after + width;
  in.moved = in.way + width;
  in.turned = in.moved + LINEAR_HEARD_KEPT * width;
  linear_heard_begin(&in);
  for (int step = 0; step < LINEAR_HEARD_STEPS && linear_heard_step(&in); step++) {
  }
  for (size_t j = 0; j < width; j++)
    out[j] = (float)(in.weight[j] * (j + 1 < width ? (double)learner->scale : 1));
  free(in.weight);
  return EXIT_OK;
}

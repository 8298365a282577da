/* Learners: black boxes that turn labelled rows into a model and rows into labels, the same for teachers and student.
 *
 *   logistic:C=100        L2-regularised logistic regression (liblinear, one class against the rest)
 *   svm:C=5               linear support vector machine, squared hinge (liblinear)
 *   trees:rounds=20,depth=4,rate=0.3   boosted trees (xgboost)
 *   exec:COMMAND          any program (exec.h); --seconds limits its CPU time
 *   committee:25,LEARNER  a majority of one of the first three (committee.h); logistic if it is not said
 *
 * Training is a function of the lesson and the parameters alone: it draws no randomness, reads no clock and does not
 * know which other lessons exist. */
#ifndef LEARN_LEARNER_H
#define LEARN_LEARNER_H

#include <stddef.h>
#include <stdint.h>

#include "data/rows.h"
#include "learn/learned.h"
#include "learn/lesson.h"

enum learner_kind { LEARNER_LOGISTIC, LEARNER_SVM, LEARNER_TREES, LEARNER_EXEC };

struct learner {
  enum learner_kind kind;
  uint32_t classes, columns;
  float scale;      /* linear: rows are multiplied by it; from public rows (learner_fit), never from private ones */
  int is_scaled;    /* the scale was said */
  double cost;      /* linear: C, for rows of length about 1 */
  double tolerance; /* linear: when to stop */
  uint32_t rounds, depth; /* trees */
  double rate;
  double balance;   /* linear, trees: what share of the classes' imbalance is weighted away (lesson_balance) */
  uint32_t members; /* committee: so many of these learners; 0: one */
  char *command;    /* exec */
  uint32_t seconds; /* exec: CPU time of one training or prediction */
  int verbose;      /* exec: let the command's own messages through */
};

/* Is its model one set of weights, as linear.h says? */
int learner_is_linear(const struct learner *learner);

/* "logistic:C=0.5"; `option` names the option in the message. Returns an exit code (error.h). */
int learner_parse(struct learner *learner, const char *option, const char *text);
void learner_free(struct learner *learner);

/* The text that parses to the same learner, for files and summaries. */
void learner_print(const struct learner *learner, char *text, size_t size);

/* May these bytes be a model of this learner? Its sizes are known. */
int learner_fits(const struct learner *learner, const struct learned *learned);

/* Sizes, and unless it was said the scale that gives the public rows a mean squared length of 1. */
void learner_fit(struct learner *learner, const struct rows *public_rows, uint32_t classes);

/* Trains. A lesson that the learner cannot learn from (none, or a command that fails) gives the model of size 0; an
 * exit code that is not 0 means that the machine failed, and its line is printed. */
int learner_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned);

/* Does the command of an exec learner work at all? Tried on made-up rows, so that the answer tells nothing private. */
int learner_try(const struct learner *learner);

#endif

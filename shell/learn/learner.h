/* Learners: black boxes that turn labelled rows into a model and rows into labels, the same for teachers and student.
 *
 *   logistic:C=100        L2-regularised logistic regression (liblinear, one class against the rest)
 *   svm:C=5               linear support vector machine, squared hinge (liblinear)
 *   trees:rounds=20,depth=4,rate=0.3   boosted trees (xgboost)
 *   kernel:C=1,width=1,landmarks=300   logistic regression on a Gaussian kernel (kernel.c)
 *   exec:COMMAND          any program (exec.c); --seconds limits its CPU time
 *   committee:25,LEARNER  a majority of several of one kind (committee.h); logistic if it is not said
 *
 * Training is a function of the lesson and the parameters alone: it draws no randomness, reads no clock and does not
 * know which other lessons exist.
 *
 * A kind of learner is one file that fills a struct learner_kind, as trees.c does, a line in the list of learner.c and its
 * name and parameters here; all else knows a learner by its table alone. */
#ifndef LEARN_LEARNER_H
#define LEARN_LEARNER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "data/rows.h"
#include "learn/learned.h"
#include "learn/lesson.h"

struct ensemble;
struct learner;
struct student_model;

/* For --help. */
#define LEARNER_HELP                                                                                                   \
  "logistic[:C=100], svm[:C=1], trees[:rounds=20,depth=4,rate=0.3], kernel[:C=1,width=1,landmarks=300], exec:COMMAND " \
  "or committee:N,L; balance=1 "                                                                                       \
  "weighs small classes up"

enum learner_trait {
  LEARNER_LINEAR = 1,      /* a model is one set of weights, as in linear.h */
  LEARNER_COMMAND = 2,     /* runs a program that the model names: safe only for those who trust the model */
  LEARNER_MEMBER = 4,      /* a committee may have members of this kind */
  LEARNER_PROBABILITY = 8, /* its scores become probabilities */
  LEARNER_SOFTMAX = 16, /* with more than two classes the scores compete; else each class is scored against the rest */
  LEARNER_COUNTS = 32,  /* the scores are counts, and a class has its share of them */
  LEARNER_HEARS = 64    /* learns from lessons with `heard`, has `score_row` and `shift` */
};

/* NAME=VALUE: a number from `least` to `most` for the member of struct learner at `at`. */
struct learner_parameter {
  const char *name;
  size_t at;
  int is_whole; /* a uint32_t, not a double */
  double least, most, usual;
  int is_optional; /* not printed if it has its usual value */
};

/* The int functions return an exit code (error.h), but for `fits`. */
struct learner_kind {
  const char *name; /* "logistic" */
  const char *form; /* how to ask for it, in messages: "exec:COMMAND" */
  int traits;

  /* Its parameters, ended by one without a name; or it reads the text behind its name and a colon (NULL: no text), and
   * prints it. */
  const struct learner_parameter *parameter;
  int (*parse)(struct learner *learner, const char *option, const char *text);
  void (*print)(const struct learner *learner, char *text, size_t size);

  /* Turns a lesson, which is not empty, into a model; a lesson that it cannot learn from gives a model of size 0. */
  int (*train)(const struct learner *learner, const struct lesson *lesson, struct learned *learned);

  /* May these bytes be a model? NULL: any may. */
  int (*fits)(const struct learner *learner, const struct learned *learned);

  /* Does it work at all? Tried on made-up rows, so the answer tells nothing private. NULL: it does. */
  int (*try_out)(const struct learner *learner);

  /* Opens a model, which outlives this, to label rows first .. first + count - 1. A model of size 0 labels them 0. If a
   * command fails *failed is 1. `close` NULL: nothing to do. */
  int (*open)(const struct learner *learner, const struct learned *learned, void **model);
  int (*label)(const struct learner *learner, void *model, const struct rows *rows, size_t first, size_t count,
               uint32_t *labels, int *failed);
  void (*close)(void *model);

  /* Or, instead of these three, opens all models of an ensemble at once, into ensemble->all. It may take the bytes of
   * several models (free ensemble->learned), but not those of a single one. */
  int (*open_all)(struct ensemble *ensemble);
  int (*vote_all)(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count, void *votes);
  void (*close_all)(void *all);

  /* Scores of all rows by an ensemble of one, one for each class in each row: the largest is the label. With two classes
   * the first score may be 0 and the second say all. NULL: it has no scores; `unlikely` says why it has no probabilities. */
  int (*score)(const struct ensemble *single, const struct rows *rows, float *score);
  const char *unlikely;

  /* The same for one row, by its own loop that reads nothing else: for places (places.h). NULL: it has none. */
  void (*score_row)(const struct learner *learner, const struct learned *learned, const struct rows *rows, size_t i,
                    float *score);

  /* If `score_row` does not read the model itself: replaces the model by what it reads; the model is then good for nothing
   * else. NULL: it reads the model. */
  int (*by_row)(const struct learner *learner, struct learned *learned);

  /* With two classes: adds to the second score. NULL: it cannot. */
  void (*shift)(struct learned *learned, float by);

  /* For people: the `most` heaviest parts of a model. NULL: nothing to show. */
  int (*show)(const struct student_model *model, size_t most, FILE *out);

  /* Writes sets of weights for programs, into a list: each {"weights": ..., "bias": ...}. NULL: none. */
  int (*print_weights)(const struct learner *learner, const struct learned *learned, struct json *json);

  /* Writes other parts of a model for programs, into an object: a member of its own. NULL: nothing. */
  int (*print_member)(const struct learner *learner, const struct learned *learned, struct json *json);
};

extern const struct learner_kind learner_logistic, learner_svm, learner_trees, learner_kernel, learner_exec,
    learner_committee;

struct learner {
  const struct learner_kind *kind;
  const struct learner_kind *member; /* committee: the kind of its members, ... */
  uint32_t members;                  /* ... and their number */
  uint32_t classes, columns;
  float scale;            /* linear: factor of the rows; from public rows (learner_fit), never from private ones */
  double said_scale;      /* linear: the requested scale; 0: none */
  double cost;            /* linear: C, for rows of length about 1 */
  double tolerance;       /* linear: when to stop */
  uint32_t rounds, depth; /* trees */
  double rate;
  double width; /* kernel: width of its bell, in root mean squared distances of rows */
  uint32_t landmarks;
  double balance;   /* linear, trees, kernel: what share of the classes' imbalance is weighted away (lesson_balance) */
  char *command;    /* exec */
  uint32_t seconds; /* exec: CPU time of one training or prediction */
  int verbose;      /* exec: let the command's own messages through */
};

/* "logistic:C=0.5"; `option` names the option in the message. Returns an exit code (error.h). */
int learner_parse(struct learner *learner, const char *option, const char *text);
void learner_free(struct learner *learner);

/* The text that parses to the same learner, for files and summaries. */
void learner_print(const struct learner *learner, char *text, size_t size);

/* "logistic, svm or trees": the kinds that have these traits. */
#define LEARNER_NAMES 160
const char *learner_names(int traits, char text[LEARNER_NAMES]);

/* Its kind; for a committee the kind of its members. */
const struct learner_kind *learner_base(const struct learner *learner);

/* One member of a committee. */
struct learner learner_member(const struct learner *committee);

/* May these bytes be a model of this learner? Its sizes are known. */
int learner_fits(const struct learner *learner, const struct learned *learned);

/* Refuses a learner without probabilities; `path` is its model's, for the message. */
int learner_check_probability(const struct learner *learner, const char *path);

/* Sets the sizes, and the scale, unless it was requested, so that the public rows have a mean squared length of 1. */
void learner_fit(struct learner *learner, const struct rows *public_rows, uint32_t classes);

/* Trains. If the learner cannot learn from the lesson (it is empty, or a command fails), the model has size 0. An exit
 * code that is not 0 means that the machine failed; its line is already printed. */
int learner_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned);

/* Does the learner work at all? Tried on made-up rows. */
int learner_try(const struct learner *learner);

#endif

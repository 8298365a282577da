#include "learn/learner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "learn/exec.h"
#include "learn/linear.h"
#include "learn/trees.h"

/* What a learner is without parameters. Chosen on a9a, adult, dutch_census, Fashion-MNIST and MNIST with chunks of 50
 * to 200 rows. */
#define LEARNER_LOGISTIC_COST 100
#define LEARNER_SVM_COST      1
#define LEARNER_TOLERANCE     0.01
#define LEARNER_ROUNDS        20
#define LEARNER_DEPTH         4
#define LEARNER_RATE          0.3
#define LEARNER_SECONDS       60 /* exec: CPU time of one run, unless --seconds says otherwise */

static const struct {
  const char *name;
  enum learner_kind kind;
} learner_names[] = {
    {"logistic", LEARNER_LOGISTIC}, {"svm", LEARNER_SVM}, {"trees", LEARNER_TREES}, {"exec", LEARNER_EXEC}};

int learner_is_linear(const struct learner *learner) {
  return learner->kind == LEARNER_LOGISTIC || learner->kind == LEARNER_SVM;
}

/* Takes "NAME=VALUE" if it is a parameter of this learner with a value in range. */
static int learner_set(struct learner *learner, const char *name, size_t length, double value) {
#define LEARNER_IS(text) (length == strlen(text) && !memcmp(name, text, length))
  int whole = value == floor(value);
  if (learner_is_linear(learner)) {
    if (LEARNER_IS("C") && value > 0 && value <= 1e9) return learner->cost = value, 1;
    if (LEARNER_IS("tolerance") && value > 0 && value < 1) return learner->tolerance = value, 1;
  }
  if (learner->kind == LEARNER_TREES) {
    if (LEARNER_IS("rounds") && whole && value >= 1 && value <= 10000) return learner->rounds = (uint32_t)value, 1;
    if (LEARNER_IS("depth") && whole && value >= 1 && value <= 30) return learner->depth = (uint32_t)value, 1;
    if (LEARNER_IS("rate") && value > 0 && value <= 1) return learner->rate = value, 1;
  }
  return 0;
#undef LEARNER_IS
}

int learner_parse(struct learner *learner, const char *option, const char *text) {
  size_t length = strcspn(text, ":"), known = sizeof learner_names / sizeof *learner_names, i;
  memset(learner, 0, sizeof *learner);
  for (i = 0; i < known; i++)
    if (strlen(learner_names[i].name) == length && !memcmp(learner_names[i].name, text, length)) break;
  if (i == known)
    return error_report(EXIT_INPUT, "%s: '%.*s' is not logistic, svm, trees or exec:COMMAND", option,
                        (int)(length < 40 ? length : 40), text);
  learner->kind = learner_names[i].kind;
  learner->scale = 1;
  learner->cost = learner->kind == LEARNER_SVM ? LEARNER_SVM_COST : LEARNER_LOGISTIC_COST;
  learner->tolerance = LEARNER_TOLERANCE;
  learner->rounds = LEARNER_ROUNDS;
  learner->depth = LEARNER_DEPTH;
  learner->rate = LEARNER_RATE;
  learner->seconds = LEARNER_SECONDS;
  text += length;
  if (learner->kind == LEARNER_EXEC) {
    if (*text != ':' || !text[1])
      return error_report(EXIT_INPUT, "%s: exec needs a command, for instance exec:./learner.py", option);
    return memory_print(&learner->command, "%s", text + 1);
  }
  while (*text) {
    size_t name = strcspn(++text, "="), end = strcspn(text, ",");
    double value = 0;
    if (name >= end || number_parse(text + name + 1, end - name - 1, &value) != NUMBER_OK ||
        !learner_set(learner, text, name, value))
      return error_report(EXIT_INPUT, "%s: '%.*s' is not a parameter of %s, or its value is out of range", option,
                          (int)(end < 40 ? end : 40), text, learner_names[i].name);
    text += end;
  }
  return EXIT_OK;
}

void learner_free(struct learner *learner) {
  free(learner->command);
  memset(learner, 0, sizeof *learner);
}

void learner_print(const struct learner *learner, char *text, size_t size) {
  switch (learner->kind) {
  case LEARNER_LOGISTIC:
  case LEARNER_SVM:
    snprintf(text, size, "%s:C=%.17g,tolerance=%.17g", learner->kind == LEARNER_SVM ? "svm" : "logistic", learner->cost,
             learner->tolerance);
    break;
  case LEARNER_TREES:
    snprintf(text, size, "trees:rounds=%u,depth=%u,rate=%.17g", learner->rounds, learner->depth, learner->rate);
    break;
  case LEARNER_EXEC:
    snprintf(text, size, "exec:%s", learner->command);
    break;
  }
}

void learner_fit(struct learner *learner, const struct rows *public_rows, uint32_t classes) {
  double sum = 0;
  size_t entries = rows_entries(public_rows);
  const float *value = public_rows->is_dense ? public_rows->dense : public_rows->value;
  for (size_t i = 0; i < entries; i++)
    sum += (double)value[i] * value[i];
  learner->scale = sum > 0 ? (float)sqrt((double)public_rows->count / sum) : 1;
  learner->columns = public_rows->columns;
  learner->classes = classes;
}

int learner_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  memset(learned, 0, sizeof *learned);
  if (lesson->count == 0) return EXIT_OK;
  if (learner_is_linear(learner)) return linear_train(learner, lesson, learned);
  if (learner->kind == LEARNER_TREES) return trees_train(learner, lesson, learned);
  return exec_train(learner, lesson, learned);
}

int learner_try(const struct learner *learner) {
  return learner->kind == LEARNER_EXEC ? exec_try(learner) : EXIT_OK;
}

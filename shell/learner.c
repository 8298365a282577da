#include "learner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learner_exec.h"
#include "learner_linear.h"
#include "learner_trees.h"
#include "number.h"
#include "say.h"

/* Chosen on a9a, adult, dutch_census, Fashion-MNIST and MNIST with chunks of 50 to 200 rows. */
#define FUMATA_LEARNER_LOGISTIC_COST 100
#define FUMATA_LEARNER_SVM_COST      1

static const struct {
  const char *name;
  fumata_learner_kind kind;
} fumata_learner_names[] = {{"logistic", FUMATA_LEARNER_LOGISTIC},
                            {"svm", FUMATA_LEARNER_SVM},
                            {"trees", FUMATA_LEARNER_TREES},
                            {"exec", FUMATA_LEARNER_EXEC}};

static int fumata_learner_is_linear(const fumata_learner *learner) {
  return learner->kind == FUMATA_LEARNER_LOGISTIC || learner->kind == FUMATA_LEARNER_SVM;
}

/* Takes "NAME=VALUE" if it is a parameter of this learner with a value in range. */
static int fumata_learner_set(fumata_learner *learner, const char *name, size_t length, double value) {
#define FUMATA_LEARNER_IS(text) (length == strlen(text) && !memcmp(name, text, length))
  int whole = value == floor(value);
  if (fumata_learner_is_linear(learner)) {
    if (FUMATA_LEARNER_IS("C") && value > 0 && value <= 1e9) return learner->cost = value, 1;
    if (FUMATA_LEARNER_IS("tolerance") && value > 0 && value < 1) return learner->tolerance = value, 1;
  }
  if (learner->kind == FUMATA_LEARNER_TREES) {
    if (FUMATA_LEARNER_IS("rounds") && whole && value >= 1 && value <= 10000)
      return learner->rounds = (uint32_t)value, 1;
    if (FUMATA_LEARNER_IS("depth") && whole && value >= 1 && value <= 30) return learner->depth = (uint32_t)value, 1;
    if (FUMATA_LEARNER_IS("rate") && value > 0 && value <= 1) return learner->rate = value, 1;
  }
  return 0;
#undef FUMATA_LEARNER_IS
}

int fumata_learner_parse(fumata_learner *learner, const char *option, const char *text) {
  size_t length = strcspn(text, ":"), known = sizeof fumata_learner_names / sizeof *fumata_learner_names, i;
  memset(learner, 0, sizeof *learner);
  for (i = 0; i < known; i++)
    if (strlen(fumata_learner_names[i].name) == length && !memcmp(fumata_learner_names[i].name, text, length)) break;
  if (i == known)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: '%.*s' is not logistic, svm, trees or exec:COMMAND", option,
                            (int)(length < 40 ? length : 40), text);
  learner->kind = fumata_learner_names[i].kind;
  learner->scale = 1;
  learner->cost = learner->kind == FUMATA_LEARNER_SVM ? FUMATA_LEARNER_SVM_COST : FUMATA_LEARNER_LOGISTIC_COST;
  learner->tolerance = 0.01;
  learner->rounds = 20;
  learner->depth = 4;
  learner->rate = 0.3;
  learner->seconds = 60;
  text += length;
  if (learner->kind == FUMATA_LEARNER_EXEC) {
    if (*text != ':' || !text[1])
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s: exec needs a command, for instance exec:./learner.py", option);
    learner->command = strdup(text + 1);
    return learner->command ? FUMATA_EXIT_OK : fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  }
  while (*text) {
    size_t name = strcspn(++text, "="), end = strcspn(text, ",");
    double value = 0;
    if (name >= end || fumata_number_parse(text + name + 1, end - name - 1, &value) != FUMATA_NUMBER_OK ||
        !fumata_learner_set(learner, text, name, value))
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s: '%.*s' is not a parameter of %s, or its value is out of range",
                              option, (int)(end < 40 ? end : 40), text, fumata_learner_names[i].name);
    text += end;
  }
  return FUMATA_EXIT_OK;
}

void fumata_learner_free(fumata_learner *learner) {
  free(learner->command);
  memset(learner, 0, sizeof *learner);
}

void fumata_learner_print(const fumata_learner *learner, char *text, size_t size) {
  switch (learner->kind) {
  case FUMATA_LEARNER_LOGISTIC:
  case FUMATA_LEARNER_SVM:
    snprintf(text, size, "%s:C=%.17g,tolerance=%.17g", learner->kind == FUMATA_LEARNER_SVM ? "svm" : "logistic",
             learner->cost, learner->tolerance);
    break;
  case FUMATA_LEARNER_TREES:
    snprintf(text, size, "trees:rounds=%u,depth=%u,rate=%.17g", learner->rounds, learner->depth, learner->rate);
    break;
  case FUMATA_LEARNER_EXEC:
    snprintf(text, size, "exec:%s", learner->command);
    break;
  }
}

void fumata_learner_fit(fumata_learner *learner, const fumata_rows *public_rows, uint32_t classes) {
  double sum = 0;
  size_t entries = fumata_rows_entries(public_rows);
  const float *value = public_rows->is_dense ? public_rows->dense : public_rows->value;
  for (size_t i = 0; i < entries; i++)
    sum += (double)value[i] * value[i];
  learner->scale = sum > 0 ? (float)sqrt((double)public_rows->count / sum) : 1;
  learner->columns = public_rows->columns;
  learner->classes = classes;
}

int fumata_learner_train(const fumata_learner *learner, const fumata_lesson *lesson, fumata_learned *learned) {
  memset(learned, 0, sizeof *learned);
  if (lesson->count == 0) return FUMATA_EXIT_OK;
  if (fumata_learner_is_linear(learner)) return fumata_linear_train(learner, lesson, learned);
  if (learner->kind == FUMATA_LEARNER_TREES) return fumata_trees_train(learner, lesson, learned);
  return fumata_exec_train(learner, lesson, learned);
}

void fumata_learned_free(fumata_learned *learned) {
  free(learned->bytes);
  memset(learned, 0, sizeof *learned);
}

int fumata_learner_try(const fumata_learner *learner) {
  return learner->kind == FUMATA_LEARNER_EXEC ? fumata_exec_try(learner) : FUMATA_EXIT_OK;
}

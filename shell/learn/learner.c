#include "learn/learner.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "learn/committee.h"
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
  return (learner->kind == LEARNER_LOGISTIC || learner->kind == LEARNER_SVM) && !learner->members;
}

/* Takes "NAME=VALUE" if it is a parameter of this learner with a value in range. */
static int learner_set(struct learner *learner, const char *name, size_t length, double value) {
#define LEARNER_IS(text) (length == strlen(text) && !memcmp(name, text, length))
  int whole = value == floor(value);
  if (learner_is_linear(learner)) {
    if (LEARNER_IS("C") && value > 0 && value <= 1e9) return learner->cost = value, 1;
    if (LEARNER_IS("tolerance") && value > 0 && value < 1) return learner->tolerance = value, 1;
    if (LEARNER_IS("scale") && value >= 1e-6 && value <= 1e6)
      return learner->is_scaled = 1, learner->scale = (float)value, 1;
  }
  if (learner->kind == LEARNER_TREES) {
    if (LEARNER_IS("rounds") && whole && value >= 1 && value <= 10000) return learner->rounds = (uint32_t)value, 1;
    if (LEARNER_IS("depth") && whole && value >= 1 && value <= 30) return learner->depth = (uint32_t)value, 1;
    if (LEARNER_IS("rate") && value > 0 && value <= 1) return learner->rate = value, 1;
  }
  if (LEARNER_IS("balance") && value >= 0 && value <= 1) return learner->balance = value, 1;
  return 0;
#undef LEARNER_IS
}

static void learner_default(struct learner *learner, enum learner_kind kind) {
  memset(learner, 0, sizeof *learner);
  learner->kind = kind;
  learner->scale = 1;
  learner->cost = kind == LEARNER_SVM ? LEARNER_SVM_COST : LEARNER_LOGISTIC_COST;
  learner->tolerance = LEARNER_TOLERANCE;
  learner->rounds = LEARNER_ROUNDS;
  learner->depth = LEARNER_DEPTH;
  learner->rate = LEARNER_RATE;
  learner->seconds = LEARNER_SECONDS;
}

/* Parameters: NAME=VALUE,... */
static int learner_parameters(struct learner *learner, const char *option, const char *text) {
  for (;;) {
    size_t name = strcspn(text, "="), end = strcspn(text, ",");
    double value = 0;
    if (name >= end || number_parse(text + name + 1, end - name - 1, &value) != NUMBER_OK ||
        !learner_set(learner, text, name, value))
      return error_report(EXIT_INPUT, "%s: '%.*s' is not a parameter of %s, or its value is out of range", option,
                          (int)(end < 40 ? end : 40), text, learner_names[learner->kind].name);
    if (!text[end]) return EXIT_OK;
    text += end + 1;
  }
}

static int learner_parse_one(struct learner *learner, const char *option, const char *text) {
  size_t length = strcspn(text, ":"), known = sizeof learner_names / sizeof *learner_names, i;
  for (i = 0; i < known; i++)
    if (strlen(learner_names[i].name) == length && !memcmp(learner_names[i].name, text, length)) break;
  if (i == known)
    return error_report(EXIT_INPUT, "%s: '%.*s' is not logistic, svm, trees, exec:COMMAND or committee:N,LEARNER",
                        option, (int)(length < 40 ? length : 40), text);
  /* cppcheck-suppress arrayIndexOutOfBounds ; i is below known */
  learner_default(learner, learner_names[i].kind);
  text += length;
  if (learner->kind == LEARNER_EXEC) {
    if (*text != ':' || !text[1])
      return error_report(EXIT_INPUT, "%s: exec needs a command, for instance exec:./learner.py", option);
    return memory_print(&learner->command, "%s", text + 1);
  }
  return *text ? learner_parameters(learner, option, text + 1) : EXIT_OK;
}

/* What stands after "committee:". */
static int learner_parse_committee(struct learner *learner, const char *option, const char *text) {
  size_t length = strcspn(text, ",");
  double members = 0;
  int code;
  if (number_parse(text, length, &members) != NUMBER_OK || members != floor(members) || members < 2 ||
      members > COMMITTEE_MAX)
    return error_report(EXIT_INPUT, "%s: a committee has 2 to %u members, as in committee:25,logistic", option,
                        COMMITTEE_MAX);
  code = learner_parse_one(learner, option, text[length] ? text + length + 1 : "logistic");
  if (!code && learner->kind == LEARNER_EXEC)
    code = error_report(EXIT_INPUT, "%s: a committee is of logistic, svm or trees", option);
  learner->members = (uint32_t)members;
  return code;
}

int learner_parse(struct learner *learner, const char *option, const char *text) {
  static const char committee[] = "committee:";
  memset(learner, 0, sizeof *learner);
  if (!strncmp(text, committee, sizeof committee - 1))
    return learner_parse_committee(learner, option, text + sizeof committee - 1);
  return learner_parse_one(learner, option, text);
}

void learner_free(struct learner *learner) {
  free(learner->command);
  memset(learner, 0, sizeof *learner);
}

/* printf to the end of `text`, which is cut off where it is full. */
static void learner_append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

/* ",NAME=VALUE" (or without the comma, first of all), with as few digits as give the value back. */
static void learner_append_value(char *text, size_t size, const char *name, double value) {
  char digits[32];
  for (int n = 6; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, value);
    if (strtod(digits, NULL) == value) break;
  }
  learner_append(text, size, "%s%s=%s", text[strlen(text) - 1] == ':' ? "" : ",", name, digits);
}

void learner_print(const struct learner *learner, char *text, size_t size) {
  int is_linear = learner->kind == LEARNER_LOGISTIC || learner->kind == LEARNER_SVM;
  text[0] = '\0';
  if (learner->members) learner_append(text, size, "committee:%u,", learner->members);
  learner_append(text, size, "%s:", learner_names[learner->kind].name);
  if (learner->kind == LEARNER_EXEC) learner_append(text, size, "%s", learner->command);
  if (is_linear) learner_append_value(text, size, "C", learner->cost);
  if (is_linear) learner_append_value(text, size, "tolerance", learner->tolerance);
  if (is_linear && learner->is_scaled) learner_append_value(text, size, "scale", (double)learner->scale);
  if (learner->kind == LEARNER_TREES) {
    learner_append_value(text, size, "rounds", learner->rounds);
    learner_append_value(text, size, "depth", learner->depth);
    learner_append_value(text, size, "rate", learner->rate);
  }
  if (learner->balance > 0) learner_append_value(text, size, "balance", learner->balance);
}

void learner_fit(struct learner *learner, const struct rows *public_rows, uint32_t classes) {
  double sum = 0;
  size_t entries = rows_entries(public_rows);
  const float *value = public_rows->is_dense ? public_rows->dense : public_rows->value;
  for (size_t i = 0; i < entries; i++)
    sum += (double)value[i] * value[i];
  if (!learner->is_scaled) learner->scale = sum > 0 ? (float)sqrt((double)public_rows->count / sum) : 1;
  learner->columns = public_rows->columns;
  learner->classes = classes;
}

static int learner_fits_committee(const struct learner *learner, const struct learned *learned) {
  struct learner single = *learner;
  struct learned *member;
  int fits = memory_take(&member, learner->members, sizeof *member) == EXIT_OK;
  if (!fits) return 0;
  single.members = 0;
  fits = committee_open(learned, learner->members, member) == EXIT_OK;
  for (uint32_t m = 0; m < learner->members; m++) {
    fits = fits && learner_fits(&single, &member[m]);
    learned_free(&member[m]);
  }
  free(member);
  return fits;
}

int learner_fits(const struct learner *learner, const struct learned *learned) {
  size_t scores = (size_t)linear_scores(learner->classes) * (learner->columns + 1) * sizeof(float);
  if (learner->members) return learner_fits_committee(learner, learned);
  return !learner_is_linear(learner) || learned->size == 0 || learned->size == scores;
}

int learner_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  memset(learned, 0, sizeof *learned);
  if (lesson->count == 0) return EXIT_OK;
  if (learner->members) return committee_train(learner, lesson, learned);
  if (learner_is_linear(learner)) return linear_train(learner, lesson, learned);
  if (learner->kind == LEARNER_TREES) return trees_train(learner, lesson, learned);
  return exec_train(learner, lesson, learned);
}

int learner_try(const struct learner *learner) {
  return learner->kind == LEARNER_EXEC ? exec_try(learner) : EXIT_OK;
}

#include "learn/learner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hush.h"
#include "base/memory.h"
#include "base/number.h"

#define LEARNER_SECONDS 60 /* exec: CPU time of one run, unless --seconds says otherwise */

static const struct learner_kind *const learner_list[] = {&learner_logistic, &learner_svm,  &learner_trees,
                                                          &learner_kernel,   &learner_exec, &learner_committee};
#define LEARNER_COUNT (sizeof learner_list / sizeof *learner_list)

const char *learner_names(int traits, char text[LEARNER_NAMES]) {
  size_t used = 0, left = 0;
  for (size_t i = 0; i < LEARNER_COUNT; i++)
    left += (learner_list[i]->traits & traits) == traits;
  for (size_t i = 0; i < LEARNER_COUNT && used < LEARNER_NAMES; i++) {
    if ((learner_list[i]->traits & traits) != traits) continue;
    used += (size_t)snprintf(text + used, LEARNER_NAMES - used, "%s%s", learner_list[i]->form,
                             --left > 1 ? ", "
                             : left     ? " or "
                                        : "");
  }
  return text;
}

const struct learner_kind *learner_base(const struct learner *learner) {
  return learner->member ? learner->member : learner->kind;
}

struct learner learner_member(const struct learner *committee) {
  struct learner member = *committee;
  member.kind = committee->member;
  member.member = NULL;
  member.members = 0;
  return member;
}

/* ---- texts ---- */

static double learner_value(const struct learner *learner, const struct learner_parameter *parameter) {
  const void *at = (const char *)learner + parameter->at;
  return parameter->is_whole ? *(const uint32_t *)at : *(const double *)at;
}

static void learner_set(struct learner *learner, const struct learner_parameter *parameter, double value) {
  void *at = (char *)learner + parameter->at;
  if (parameter->is_whole)
    *(uint32_t *)at = (uint32_t)value;
  else
    *(double *)at = value;
}

/* Parameters: NAME=VALUE,... */
static int learner_parse_parameters(struct learner *learner, const char *option, const char *text) {
  for (;;) {
    const struct learner_parameter *parameter = learner->kind->parameter;
    size_t name = strcspn(text, "="), end = strcspn(text, ",");
    double value = 0;
    int is_number = name < end && number_parse(text + name + 1, end - name - 1, &value) == NUMBER_OK;
    while (parameter->name && (strlen(parameter->name) != name || memcmp(parameter->name, text, name)))
      parameter++;
    if (!is_number || !parameter->name || value < parameter->least || value > parameter->most ||
        (parameter->is_whole && value != floor(value)))
      return error_report(EXIT_INPUT, "%s: '%.*s' is not a parameter of %s, or its value is out of range", option,
                          (int)(end < 40 ? end : 40), text, learner->kind->name);
    learner_set(learner, parameter, value);
    if (!text[end]) return EXIT_OK;
    text += end + 1;
  }
}

int learner_parse(struct learner *learner, const char *option, const char *text) {
  size_t length = strcspn(text, ":"), i = 0;
  const struct learner_parameter *parameter;
  char names[LEARNER_NAMES];
  int code = EXIT_OK;
  memset(learner, 0, sizeof *learner);
  while (i < LEARNER_COUNT && (strlen(learner_list[i]->name) != length || memcmp(learner_list[i]->name, text, length)))
    i++;
  if (i == LEARNER_COUNT)
    return error_report(EXIT_INPUT, "%s: '%.*s' is not %s", option, (int)(length < 40 ? length : 40), text,
                        learner_names(0, names));
  /* cppcheck-suppress arrayIndexOutOfBounds ; i is below LEARNER_COUNT */
  learner->kind = learner_list[i];
  learner->scale = 1;
  learner->seconds = LEARNER_SECONDS;
  text = text[length] ? text + length + 1 : NULL;
  if (learner->kind->parse) return learner->kind->parse(learner, option, text);
  for (parameter = learner->kind->parameter; parameter->name; parameter++)
    learner_set(learner, parameter, parameter->usual);
  if (text) code = learner_parse_parameters(learner, option, text);
  learner->said_scale = (float)learner->said_scale; /* as precise as it is used */
  if (learner->said_scale > 0) learner->scale = (float)learner->said_scale;
  return code;
}

void learner_free(struct learner *learner) {
  free(learner->command);
  memset(learner, 0, sizeof *learner);
}

void learner_print(const struct learner *learner, char *text, size_t size) {
  const struct learner_parameter *parameter = learner->kind->parameter;
  const char *between = ":";
  size_t used = (size_t)snprintf(text, size, "%s%s", learner->kind->name, learner->kind->print ? ":" : "");
  if (learner->kind->print) learner->kind->print(learner, text + used, size - used);
  for (; parameter && parameter->name && used < size; parameter++) {
    double value = learner_value(learner, parameter);
    char digits[32];
    if (parameter->is_optional && value == parameter->usual) continue;
    for (int n = 6; n <= 17; n++) { /* with the fewest digits that give the value back */
      snprintf(digits, sizeof digits, "%.*g", n, value);
      if (strtod(digits, NULL) == value) break;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s=%s", between, parameter->name, digits);
    between = ",";
  }
}

/* ---- training and labelling ---- */

void learner_fit(struct learner *learner, const struct rows *public_rows, uint32_t classes) {
  double sum = 0;
  size_t entries = rows_entries(public_rows);
  const float *value = public_rows->is_dense ? public_rows->dense : public_rows->value;
  for (size_t i = 0; i < entries; i++)
    sum += (double)value[i] * value[i];
  if (!(learner->said_scale > 0)) learner->scale = sum > 0 ? (float)sqrt((double)public_rows->count / sum) : 1;
  learner->columns = public_rows->columns;
  learner->classes = classes;
}

int learner_fits(const struct learner *learner, const struct learned *learned) {
  return !learner->kind->fits || learner->kind->fits(learner, learned);
}

int learner_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  int code;
  memset(learned, 0, sizeof *learned);
  if (!lesson->count) return EXIT_OK;
  hush_begin();
  code = learner->kind->train(learner, lesson, learned);
  hush_end();
  return code;
}

int learner_try(const struct learner *learner) {
  return learner->kind->try_out ? learner->kind->try_out(learner) : EXIT_OK;
}

int learner_check_probability(const struct learner *learner, const char *path) {
  char names[LEARNER_NAMES];
  if (learner->kind->traits & LEARNER_PROBABILITY) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: --proba: %s; --student %s has probabilities", path, learner->kind->unlikely,
                      learner_names(LEARNER_PROBABILITY, names));
}

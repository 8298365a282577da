#include "data/features.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define FEATURES_PIXELS 65536u /* rows or columns of an image at most */

struct transform *features_add(struct features *features, enum transform_kind kind) {
  struct transform *step;
  if (features->count == FEATURES_STEPS) return NULL;
  step = &features->step[features->count++];
  transform_init(step);
  step->kind = kind;
  return step;
}

void features_free(struct features *features) {
  for (size_t s = 0; s < features->count; s++)
    transform_free(&features->step[s]);
  memset(features, 0, sizeof *features);
}

struct transform *features_image(struct features *features) {
  return features->count && features->step[0].kind == TRANSFORM_HOG ? &features->step[0] : NULL;
}

/* A number from 1 to `most` without leading zero; NULL if there is none, else what follows it. */
static const char *features_number(const char *text, unsigned long most, uint32_t *number) {
  char *end;
  unsigned long n;
  if (*text < '1' || *text > '9') return NULL;
  n = strtoul(text, &end, 10);
  if (n > most) return NULL;
  *number = (uint32_t)n;
  return end;
}

/* "28x28" */
static int features_shape(struct transform *step, const char *text) {
  text = features_number(text, FEATURES_PIXELS, &step->hog.rows);
  if (text && *text == 'x') text = features_number(text + 1, FEATURES_PIXELS, &step->hog.columns);
  return text && !*text && step->hog.columns;
}

/* Takes one word, if it may stand here. */
static int features_take(struct features *features, const char *word, int *is_raw) {
  static const struct {
    const char *name;
    enum transform_kind kind;
  } plain[] = {{"standard", TRANSFORM_STANDARD}, {"range", TRANSFORM_RANGE}, {"hog", TRANSFORM_HOG}};
  int is_first = features->count == 0 && !*is_raw, may_be_hog = features->count == 0;
  struct transform *step;
  if (!strcmp(word, "raw")) return *is_raw = is_first;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (!strcmp(word, plain[i].name)) {
      if (plain[i].kind == TRANSFORM_HOG && !may_be_hog) return 0;
      step = features_add(features, plain[i].kind);
      if (step) step->keeps = *is_raw && step->kind == TRANSFORM_HOG;
      return step != NULL;
    }
  if (!strncmp(word, "hog:", 4) && may_be_hog) {
    step = features_add(features, TRANSFORM_HOG);
    step->keeps = *is_raw;
    return features_shape(step, word + 4);
  }
  if (!strncmp(word, "pca:", 4)) {
    const char *end;
    step = features_add(features, TRANSFORM_PCA);
    end = step ? features_number(word + 4, TRANSFORM_PCA_MAX, &step->outputs) : NULL;
    return end && !*end;
  }
  return 0;
}

int features_parse(struct features *features, const char *text) {
  int is_raw = 0;
  memset(features, 0, sizeof *features);
  for (;;) {
    size_t length = strcspn(text, "+");
    char word[32];
    int is_short = length < sizeof word;
    if (is_short) memcpy(word, text, length), word[length] = '\0';
    if (!is_short || !features_take(features, word, &is_raw))
      return error_report(EXIT_INPUT,
                          "--features: '%.*s' cannot stand here; it is [raw+]hog[:ROWSxCOLUMNS], then standard, range "
                          "or pca:N (N from 1 to %u), at most %d with a plus between two; or raw alone",
                          (int)(length < 40 ? length : 40), text, TRANSFORM_PCA_MAX, FEATURES_STEPS);
    if (!text[length]) return EXIT_OK;
    text += length + 1;
  }
}

uint32_t features_outputs(const struct features *features, uint32_t inputs) {
  return features->count ? features->step[features->count - 1].outputs : inputs;
}

int features_check(const struct features *features, uint32_t inputs, const char *where) {
  for (size_t s = 0; s < features->count; inputs = features->step[s++].outputs)
    if (features->step[s].inputs != inputs)
      return error_report(EXIT_INPUT, "%s: features: a step for %u numbers where there are %u", where,
                          features->step[s].inputs, inputs);
  return EXIT_OK;
}

int features_apply(const struct features *features, struct rows stage[FEATURES_STEPS], struct rows *out) {
  int code = EXIT_OK;
  for (size_t s = 0; !code && s < features->count; s++) {
    const struct transform *step = &features->step[s];
    int is_last = s + 1 == features->count;
    if (!is_last && stage[s + 1].columns != step->outputs) {
      rows_free(&stage[s + 1]);
      rows_init(&stage[s + 1], step->outputs, 1);
    }
    if (!is_last) rows_clear(&stage[s + 1]);
    code = transform_apply(step, &stage[s], is_last ? out : &stage[s + 1]);
  }
  return code;
}

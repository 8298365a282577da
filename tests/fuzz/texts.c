/* Small languages of the command line: numbers, fractions, classes, features, learners, delimiters, ranges. */
#include <math.h>

#include "base/number.h"
#include "base/rational.h"
#include "data/classes.h"
#include "data/csv.h"
#include "data/features.h"
#include "data/source.h"
#include "fuzz/harness.h"
#include "learn/learner.h"

/* Rounded as the C library does it. */
static void try_number(const char *text, size_t length) {
  double number = 0, wanted;
  char *end;
  enum number_status status = number_parse(text, length, &number);
  if (status == NUMBER_NONE) return;
  wanted = strtod(text, &end);
  FUZZ_MUST(end == text + length);
  FUZZ_MUST(status == (isfinite(wanted) ? NUMBER_OK : NUMBER_NOT_FINITE));
  if (status == NUMBER_OK) FUZZ_MUST(!memcmp(&number, &wanted, sizeof number));
}

/* In lowest terms, and printed and read again the same. */
static void try_rational(const char *text) {
  struct rational number, again;
  char printed[RATIONAL_TEXT];
  uint64_t a, b;
  if (rational_parse(text, &number) != 0) return;
  FUZZ_MUST(number.num >= 1 && number.den >= 1);
  for (a = number.num, b = number.den; b;) {
    uint64_t rest = a % b;
    a = b, b = rest;
  }
  FUZZ_MUST(a == 1);
  rational_print(number.num, number.den, printed);
  FUZZ_MUST(rational_parse(printed, &again) == 0 && again.num == number.num && again.den == number.den);
}

static void try_classes(const char *text) {
  struct classes classes;
  if (fuzz_judge_input(classes_parse(&classes, text)) != EXIT_OK) return;
  FUZZ_MUST(classes.count >= 2 && classes.spellings >= classes.count);
  for (uint32_t i = 0; i < classes.count; i++)
    FUZZ_MUST(classes_find(&classes, classes.name[i], strlen(classes.name[i])) == (int32_t)i);
  classes_free(&classes);
}

static void try_features(const char *text) {
  struct features features;
  if (fuzz_judge_input(features_parse(&features, text)) == EXIT_OK) FUZZ_MUST(features.count <= FEATURES_STEPS);
  features_free(&features);
}

/* Printed and parsed again it is the same learner. */
static void try_learner(const char *text) {
  struct learner learner, again;
  char once[4096], twice[4096];
  if (fuzz_judge_input(learner_parse(&learner, "--learner", text)) == EXIT_OK && strlen(text) < 1000) {
    learner_print(&learner, once, sizeof once);
    FUZZ_MUST(learner_parse(&again, "--learner", once) == EXIT_OK);
    learner_print(&again, twice, sizeof twice);
    FUZZ_MUST(!strcmp(once, twice));
    learner_free(&again);
  }
  learner_free(&learner);
}

static void try_range(const char *text) {
  uint64_t first, last;
  char *file = NULL, *labels = NULL;
  if (fuzz_judge_input(source_range(text, &file, &labels, &first, &last)) == EXIT_OK)
    FUZZ_MUST(file && first < last && strlen(file) <= strlen(text));
  free(file);
  free(labels);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t which = fuzz_byte(&fuzz) % 7;
  char *text = fuzz_text(&fuzz);
  fuzz_listen();
  if (which == 0) try_number(text, strlen(text));
  if (which == 1) try_rational(text);
  if (which == 2) try_classes(text);
  if (which == 3) try_features(text);
  if (which == 4) try_learner(text);
  if (which == 5) try_range(text);
  if (which == 6) FUZZ_MUST(csv_delimiter(text) != '"' && csv_delimiter(text) != '\n');
  free(text);
  return 0;
}

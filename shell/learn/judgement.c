#include "learn/judgement.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quote.h"

#define JUDGEMENT_SURE                                                                                                 \
  1.645 /* standard deviations by which a student must beat the majority: 95 times in 100 it is not chance */
#define JUDGEMENT_FEW 10 /* records of a class; a class with fewer may be missed */

/* ---- facts ---- */

/* Finds the classes that the student names for public records. */
static int judgement_gather_named(struct judgement_facts *facts, const struct learner *student,
                                  const struct learned *learned, const struct rows *rows, size_t *times) {
  struct ensemble single = {0};
  uint32_t *answer = NULL;
  int code = ensemble_single(&single, student, learned);
  if (!code) code = memory_take(&answer, rows->count, sizeof *answer);
  if (!code) code = metrics_ask(&single, rows, 0, answer, NULL);
  memset(times, 0, student->classes * sizeof *times);
  for (size_t i = 0; !code && i < rows->count; i++)
    times[answer[i]]++;
  facts->unnamed = student->classes;
  for (uint32_t c = student->classes; c-- > 0;) {
    facts->named += times[c] > 0;
    if (!times[c]) facts->unnamed = c;
  }
  free(answer);
  ensemble_free(&single);
  return code;
}

int judgement_gather(struct judgement_facts *facts, const struct learner *student, const struct learned *learned,
                     const struct rows *rows, const int32_t *answer, size_t count) {
  size_t *times;
  int code = memory_take(&times, student->classes, sizeof *times);
  memset(facts, 0, sizeof *facts);
  if (code) return code;
  for (size_t i = 0; i < count; i++)
    if (answer[i] >= 0) times[answer[i]]++;
  for (uint32_t c = 0; c < student->classes; c++) {
    facts->labels += times[c];
    if (times[c] <= facts->times) continue;
    facts->times = times[c];
    facts->commonest = c;
  }
  code = judgement_gather_named(facts, student, learned, rows, times);
  free(times);
  return code;
}

/* ---- foreseeing ---- */

size_t judgement_entries(size_t fold, int is_held_out, const size_t *row, size_t count, size_t *entry) {
  size_t own = 0, most = count < JUDGEMENT_ENTRIES ? count : JUDGEMENT_ENTRIES;
  for (size_t k = 0; k < most; k++)
    if ((row[k * count / most] % JUDGEMENT_FOLDS == fold) == is_held_out) entry[own++] = k * count / most;
  return own;
}

size_t judgement_part(size_t fold, int is_held_out, const size_t *row, const int32_t *answer, size_t count,
                      size_t *own_row, int32_t *own_answer) {
  size_t own = judgement_entries(fold, is_held_out, row, count, own_row);
  for (size_t k = 0; k < own; k++) {
    own_answer[k] = answer[own_row[k]];
    own_row[k] = row[own_row[k]];
  }
  return own;
}

static int judgement_foresee_fold(struct metrics *released, const struct learner *student,
                                  const struct learned *learned, const struct rows *rows, const size_t *row,
                                  const int32_t *answer, size_t count) {
  struct ensemble single = {0};
  uint32_t *said = NULL;
  struct rows held;
  int code = ensemble_single(&single, student, learned);
  rows_init(&held, 1, 1);
  if (!code) code = rows_gather(rows, row, count, &held);
  if (!code) code = memory_take(&said, count, sizeof *said);
  if (!code) code = metrics_ask(&single, &held, 0, said, NULL);
  if (!code) code = metrics_add(released, count, answer, said, NULL, 0);
  free(said);
  rows_free(&held);
  ensemble_free(&single);
  return code;
}

int judgement_foresee(struct metrics *released, const struct learner *student, const struct rows *rows,
                      const size_t *row, const int32_t *answer, size_t count, judgement_teach teach, void *context) {
  size_t *own_row = NULL, own;
  int32_t *own_answer = NULL;
  char unsaid[256];
  int is_command = student->kind->traits & LEARNER_COMMAND, code = metrics_begin(released, student->classes);
  if (is_command) error_capture(unsaid, sizeof unsaid);
  if (!code) code = memory_take(&own_row, count, sizeof *own_row);
  if (!code) code = memory_take(&own_answer, count, sizeof *own_answer);
  for (size_t fold = 0; !code && fold < JUDGEMENT_FOLDS; fold++) {
    struct learned learned = {0};
    own = judgement_part(fold, 1, row, answer, count, own_row, own_answer);
    if (own) code = teach(context, fold, &learned);
    if (!code && own) code = judgement_foresee_fold(released, student, &learned, rows, own_row, own_answer, own);
    learned_free(&learned);
  }
  free(own_row);
  free(own_answer);
  if (is_command) error_capture(NULL, 0);
  if (code && is_command) { /* a command that fails on part of a lesson must not lose what was paid for */
    metrics_free(released);
    code = metrics_begin(released, student->classes);
  }
  return code ? code : metrics_end(released);
}

/* ---- the verdict ---- */

/* The numbers that decide: the test's, if it has two classes or more. */
static const struct metrics *judgement_evidence(const struct judgement_facts *facts) {
  return facts->test && metrics_occurring(facts->test) > 1 ? facts->test : facts->released;
}

static int judgement_names_one(const struct metrics *metrics) {
  uint32_t named = 0;
  for (uint32_t c = 0; c < metrics->classes; c++)
    named += metrics_named(metrics, c) > 0;
  return named == 1;
}

/* The class of the test that is found least often, if that is too little; a class of few records does not count. Released
 * labels are noisy: how often a class is found among them says nothing about true labels. */
static int judgement_missed(const struct judgement_facts *facts, uint32_t *missed) {
  const struct metrics *test = judgement_evidence(facts);
  double least = 0.5 / metrics_occurring(test);
  int is_missed = 0;
  for (uint32_t c = 0; test == facts->test && c < test->classes; c++) {
    double recall = metrics_recall(test, c).value;
    if (metrics_count(test, c) < JUDGEMENT_FEW || !(recall < least)) continue;
    least = recall;
    *missed = c;
    is_missed = 1;
  }
  return is_missed;
}

/* Is it right more often than the commonest class would be? On a test this must be clear of chance. Many released labels
 * are of records that the student found hard, so there any difference is enough. */
static int judgement_beats_majority(const struct judgement_facts *facts, const struct metrics *evidence) {
  uint64_t won, lost;
  metrics_against_majority(evidence, &won, &lost);
  if (evidence != facts->test) return won > lost;
  return (double)won - (double)lost > JUDGEMENT_SURE * sqrt((double)won + (double)lost);
}

enum judgement judgement_of(const struct judgement_facts *facts) {
  const struct metrics *evidence = judgement_evidence(facts);
  struct metrics_value balanced;
  uint32_t missed;
  double chance;
  if (facts->labels == 0) return JUDGEMENT_NO_LABELS;
  if (facts->times == facts->labels) return JUDGEMENT_ONE_CLASS;
  if (facts->named < 2 || judgement_names_one(evidence)) return JUDGEMENT_CONSTANT;
  if (!evidence->records) return JUDGEMENT_UNCLEAR;
  balanced = metrics_balanced(evidence);
  chance = 1.0 / metrics_occurring(evidence);
  if (!(balanced.value > chance)) return JUDGEMENT_CHANCE;
  if (!(balanced.low > chance)) return JUDGEMENT_UNCLEAR;
  if (!facts->is_balanced && !judgement_beats_majority(facts, evidence)) return JUDGEMENT_MAJORITY;
  return facts->named < evidence->classes || judgement_missed(facts, &missed) ? JUDGEMENT_MISSES : JUDGEMENT_FINE;
}

const char *judgement_name(enum judgement judgement) {
  static const char *const names[] = {[JUDGEMENT_FINE] = "fine",
                                      [JUDGEMENT_NO_LABELS] = "no labels",
                                      [JUDGEMENT_ONE_CLASS] = "one class",
                                      [JUDGEMENT_CONSTANT] = "constant",
                                      [JUDGEMENT_CHANCE] = "no better than chance",
                                      [JUDGEMENT_UNCLEAR] = "unclear",
                                      [JUDGEMENT_MAJORITY] = "no better than the majority",
                                      [JUDGEMENT_MISSES] = "misses a class"};
  return names[judgement];
}

/* ---- messages ---- */

#define JUDGEMENT_MORE "a larger --epsilon or more private records; "
#define JUDGEMENT_LOOK "look at how the columns were read and whether --label and --classes are right (--dry-run); "
#define JUDGEMENT_RARE                                                                                                 \
  "where a rare class matters, --aim balanced (of teachers balance=1 in --learner), or fumata predict --threshold"

static void judgement_try(enum judgement judgement) {
  static const char *const what[] = {
      [JUDGEMENT_NO_LABELS] = JUDGEMENT_LOOK JUDGEMENT_MORE "answers instead of silences (--mechanism toll)",
      [JUDGEMENT_ONE_CLASS] = JUDGEMENT_LOOK JUDGEMENT_MORE JUDGEMENT_RARE,
      [JUDGEMENT_CONSTANT] = JUDGEMENT_MORE JUDGEMENT_LOOK JUDGEMENT_RARE,
      [JUDGEMENT_CHANCE] = JUDGEMENT_LOOK JUDGEMENT_MORE "another learner (--student, --learner); " JUDGEMENT_RARE,
      [JUDGEMENT_UNCLEAR] =
          "--test FILE with labelled records that are not the private ones decides it; " JUDGEMENT_MORE
          "more public records; " JUDGEMENT_RARE,
      [JUDGEMENT_MAJORITY] = JUDGEMENT_MORE JUDGEMENT_RARE,
      [JUDGEMENT_MISSES] = JUDGEMENT_RARE "; " JUDGEMENT_MORE "fewer classes"};
  error_warn("to try: %s", what[judgement]);
}

/* Compares the student with always saying one class. */
static void judgement_tell_share(enum judgement judgement, const struct judgement_facts *facts, char *const *names) {
  const struct metrics *evidence = judgement_evidence(facts);
  const char *records = evidence == facts->test ? "test records" : "released labels that it had not seen";
  struct metrics_value balanced = metrics_balanced(evidence);
  uint32_t which = metrics_majority(evidence);
  struct quote quote;
  if (!evidence->records) {
    error_warn("WARNING: nothing tells whether the student is of use: it could not be taught again to try it");
    return;
  }
  if (judgement == JUDGEMENT_MISSES && !judgement_missed(facts, &which)) which = facts->unnamed;
  quote_name(&quote, names[which], strlen(names[which]));
  if (judgement == JUDGEMENT_MISSES && facts->named < evidence->classes)
    error_warn("WARNING: the student never says %u of the %u classes, %s among them; do not use it for these",
               evidence->classes - facts->named, evidence->classes,
               quote_name(&quote, names[facts->unnamed], strlen(names[facts->unnamed])));
  else if (judgement == JUDGEMENT_MISSES)
    error_warn("WARNING: the student finds %.1f %% of the %" PRIu64 " %s of class %s; do not use it for that class",
               100 * metrics_recall(evidence, which).value, metrics_count(evidence, which), records, quote.text);
  else if (judgement == JUDGEMENT_MAJORITY)
    error_warn("WARNING: the student is right on %.1f %% of %" PRIu64 " %s, which is not better than always saying %s "
               "(%.1f %%); its balanced accuracy is %.1f %%",
               100 * metrics_accuracy(evidence).value, evidence->records, records, quote.text,
               100 * metrics_share(metrics_count(evidence, which), evidence->records).value, 100 * balanced.value);
  else
    error_warn("WARNING: the student's balanced accuracy on %" PRIu64 " %s is %.1f %% (95 %% interval %.1f to %.1f); "
               "always saying one class comes to %.1f %%%s",
               evidence->records, records, 100 * balanced.value, 100 * balanced.low, 100 * balanced.high,
               100.0 / metrics_occurring(evidence), judgement == JUDGEMENT_UNCLEAR ? "" : "; do not use it");
}

void judgement_tell(const struct judgement_facts *facts, char *const *names) {
  enum judgement judgement = judgement_of(facts);
  struct quote quote;
  if (judgement == JUDGEMENT_FINE) return;
  quote_name(&quote, names[facts->commonest], strlen(names[facts->commonest]));
  if (judgement == JUDGEMENT_NO_LABELS)
    error_warn("WARNING: no label was released, so the student has learned nothing; do not use it");
  else if (judgement == JUDGEMENT_ONE_CLASS)
    error_warn("WARNING: all %zu labels are %s, and that is all the student says; do not use it", facts->labels,
               quote.text);
  else if (judgement == JUDGEMENT_CONSTANT)
    error_warn("WARNING: the student says one and the same class of every record; do not use it");
  else
    judgement_tell_share(judgement, facts, names);
  judgement_try(judgement);
}

#include "learn/judgement.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quote.h"
#include "learn/ensemble.h"

#define JUDGEMENT_BLOCK 4096u /* rows labelled at a time */

/* The label released most often. */
static int judgement_count(struct judgement_facts *facts, const int32_t *answer, size_t count, uint32_t classes) {
  size_t *times;
  int code = memory_take(&times, classes, sizeof *times);
  if (code) return code;
  for (size_t i = 0; i < count; i++)
    if (answer[i] >= 0) times[answer[i]]++;
  for (uint32_t c = 0; c < classes; c++) {
    facts->labels += times[c];
    if (times[c] <= facts->times) continue;
    facts->times = times[c];
    facts->commonest = c;
  }
  free(times);
  return EXIT_OK;
}

/* The student's labels of all rows. */
static int judgement_predict(const struct ensemble *single, const struct rows *rows, uint32_t *label) {
  void *votes;
  int code = memory_take(&votes, JUDGEMENT_BLOCK, ensemble_width(single));
  for (size_t first = 0; !code && first < rows->count; first += JUDGEMENT_BLOCK) {
    size_t size = rows->count - first < JUDGEMENT_BLOCK ? rows->count - first : JUDGEMENT_BLOCK;
    code = ensemble_vote(single, rows, first, size, votes);
    for (size_t i = 0; !code && i < size; i++)
      label[first + i] = ensemble_label(single, votes, i);
  }
  free(votes);
  return code;
}

int judgement_gather(struct judgement_facts *facts, const struct learner *student, const struct learned *learned,
                     const struct rows *rows, const size_t *row, const int32_t *answer, size_t count) {
  struct ensemble single = {0};
  uint32_t *label = NULL;
  int code;
  memset(facts, 0, sizeof *facts);
  code = judgement_count(facts, answer, count, student->classes);
  if (code || facts->labels == 0) return code;
  code = ensemble_single(&single, student, learned);
  if (!code) code = memory_take(&label, rows->count, sizeof *label);
  if (!code) code = judgement_predict(&single, rows, label);
  for (size_t i = 0; !code && i < count; i++)
    facts->agreed += answer[i] >= 0 && label[row[i]] == (uint32_t)answer[i];
  free(label);
  ensemble_free(&single);
  return code;
}

void judgement_test(struct judgement_facts *facts, const struct rows *test, size_t right) {
  facts->right = right;
  for (size_t i = 0; i < test->count; i++) {
    facts->tested += test->label[i] >= 0;
    facts->tested_commonest += test->label[i] == (int32_t)facts->commonest;
  }
}

enum judgement judgement_of(const struct judgement_facts *facts) {
  if (facts->labels == 0) return JUDGEMENT_NO_LABELS;
  if (facts->times == facts->labels) return JUDGEMENT_ONE_CLASS;
  if (facts->tested && facts->right < facts->tested_commonest) return JUDGEMENT_BELOW_RECORDS;
  return facts->agreed < facts->times ? JUDGEMENT_BELOW_LABELS : JUDGEMENT_FINE;
}

const char *judgement_name(enum judgement judgement) {
  static const char *const names[] = {[JUDGEMENT_FINE] = "fine",
                                      [JUDGEMENT_NO_LABELS] = "no labels",
                                      [JUDGEMENT_ONE_CLASS] = "one class",
                                      [JUDGEMENT_BELOW_LABELS] = "below the majority",
                                      [JUDGEMENT_BELOW_RECORDS] = "below the majority"};
  return names[judgement];
}

static double judgement_percent(size_t part, size_t whole) {
  return 100.0 * (double)part / (double)whole;
}

void judgement_tell(const struct judgement_facts *facts, char *const *names) {
  enum judgement judgement = judgement_of(facts);
  struct quote quote;
  const char *name = quote_name(&quote, names[facts->commonest], strlen(names[facts->commonest]));
  if (judgement == JUDGEMENT_FINE) return;
  if (judgement == JUDGEMENT_NO_LABELS)
    error_warn("WARNING: no label was released, so the student knows nothing; do not use it");
  else if (judgement == JUDGEMENT_ONE_CLASS)
    error_warn("WARNING: all %zu labels are %s, and that is all the student says; do not use it", facts->labels, name);
  else if (judgement == JUDGEMENT_BELOW_RECORDS)
    error_warn("WARNING: the student is right on %.1f %% of the test records; always saying %s would be on %.1f %%",
               judgement_percent(facts->right, facts->tested), name,
               judgement_percent(facts->tested_commonest, facts->tested));
  else
    error_warn(
        "WARNING: the student gives %.1f %% of the labels that it learned from; always saying %s would give %.1f %%",
        judgement_percent(facts->agreed, facts->labels), name, judgement_percent(facts->times, facts->labels));
  error_warn(
      "to try: look at how the columns were read and whether --label and --classes are right; a larger --epsilon or "
      "more private records; a learner that does well on few records (--learner); weights for rare classes "
      "(balance=1 in --learner); answers instead of silences (--mechanism toll)");
}

#include "learn/judgement.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quote.h"
#include "learn/ensemble.h"

int judgement_gather(struct judgement_facts *facts, const struct learner *student, const struct learned *learned,
                     const struct rows *rows, const size_t *row, const int32_t *answer, size_t count) {
  struct ensemble single = {0};
  size_t *times;
  void *votes = NULL;
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
  free(times);
  if (facts->labels == 0) return EXIT_OK;
  code = ensemble_single(&single, student, learned);
  if (!code) code = memory_take(&votes, rows->count, ensemble_width(&single));
  if (!code) code = ensemble_vote(&single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < count; i++)
    facts->agreed += answer[i] >= 0 && ensemble_label(&single, votes, row[i]) == (uint32_t)answer[i];
  free(votes);
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

/* Is the student worth anything? Judged by what was released and by public test records alone, so that saying it costs
 * nothing. */
#ifndef LEARN_JUDGEMENT_H
#define LEARN_JUDGEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "learn/learner.h"

enum judgement {
  JUDGEMENT_FINE,
  JUDGEMENT_NO_LABELS,    /* nothing to learn from */
  JUDGEMENT_ONE_CLASS,    /* every label is the same: so is every answer of the student */
  JUDGEMENT_BELOW_LABELS, /* it agrees with its own labels less often than always saying the commonest would */
  JUDGEMENT_BELOW_RECORDS /* the same on test records */
};

struct judgement_facts {
  size_t labels, agreed;   /* released ones, and those that the student gives, too */
  uint32_t commonest;      /* the label released most often, the smallest of equals, ... */
  size_t times;            /* ... how often, ... */
  size_t tested, right;    /* test records (0: none), and those that the student labels rightly */
  size_t tested_commonest; /* ... and how often it is right of the test records */
};

/* Fills in the first four: answer[i] (a label or FUMATA_SILENT) was given to row[i] of `rows`. Returns an exit code
 * (error.h). */
int judgement_gather(struct judgement_facts *facts, const struct learner *student, const struct learned *learned,
                     const struct rows *rows, const size_t *row, const int32_t *answer, size_t count);

/* Fills in how often the commonest label is right of test records. */
void judgement_test(struct judgement_facts *facts, const struct rows *test, size_t right);

enum judgement judgement_of(const struct judgement_facts *facts);

/* For summaries: "fine", "no labels", "one class", "below the majority". */
const char *judgement_name(enum judgement judgement);

/* Says it on stderr, loudly, and what to try; nothing if all is well. `names` are those of the classes. */
void judgement_tell(const struct judgement_facts *facts, char *const *names);

#endif

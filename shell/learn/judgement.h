/* Is the student worth anything? Judged by what was released and by the operator's own test records alone, so that saying it costs
 * nothing.
 *
 * Where there is a test, it decides; else the released labels do, each foreseen by a student that was taught without it. Chance is what
 * always saying one class comes to: a balanced accuracy of one over the number of classes. */
#ifndef LEARN_JUDGEMENT_H
#define LEARN_JUDGEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "learn/metrics.h"

#define JUDGEMENT_FOLDS   5
#define JUDGEMENT_ENTRIES 3000u /* labels that are foreseen at most: more take time and hardly change the verdict */

enum judgement {
  JUDGEMENT_FINE,
  JUDGEMENT_NO_LABELS, /* nothing to learn from */
  JUDGEMENT_ONE_CLASS, /* every label is the same: so is every answer of the student */
  JUDGEMENT_CONSTANT,  /* it names one class for every public record, or for every test record */
  JUDGEMENT_CHANCE,    /* its balanced accuracy is that of chance, or less, ... */
  JUDGEMENT_UNCLEAR,   /* ... or more, but by so little that it may be chance */
  JUDGEMENT_MAJORITY, /* it is not right more often than always saying the commonest class would be; nobody asked for balance */
  JUDGEMENT_MISSES /* it never names a class, or finds less than half as much of it in the test as a guess would */
};

struct judgement_facts {
  size_t labels;      /* that were released */
  uint32_t commonest; /* the one released most often, the smallest of equals, ... */
  size_t times;       /* ... and how often */
  uint32_t named;     /* classes that the student names for some public record, ... */
  uint32_t unnamed;   /* ... and the first of the others, if there are any */
  int is_balanced;    /* it is to do well on each class alike, not to be right as often as possible */
  const struct metrics *released,
      *test; /* the student that was taught without a label foresees it; on test records, or NULL */
};

/* Fills in all but the last three: the answers are labels or FUMATA_SILENT, `rows` all public ones. Returns an exit code (error.h). */
int judgement_gather(struct judgement_facts *facts, const struct learner *student, const struct learned *learned,
                     const struct rows *rows, const int32_t *answer, size_t count);

/* Teaches a student all that was released but for the rows of a fold, by judgement_part. */
typedef int (*judgement_teach)(void *context, size_t fold, struct learned *learned);

/* The entries whose rows are in the fold, or all others, in their order: at most JUDGEMENT_ENTRIES of both, evenly spaced. Returns how
 * many; the arrays have room for all and are not the ones that are read. The first tells their numbers, the second what they are. */
size_t judgement_entries(size_t fold, int is_held_out, const size_t *row, size_t count, size_t *entry);
size_t judgement_part(size_t fold, int is_held_out, const size_t *row, const int32_t *answer, size_t count,
                      size_t *own_row, int32_t *own_answer);

/* How well students that were taught the other folds foresee the labels of each: answer[i] was given to row[i] of `rows`. One that is a
 * command and fails leaves no records in `released`. */
int judgement_foresee(struct metrics *released, const struct learner *student, const struct rows *rows,
                      const size_t *row, const int32_t *answer, size_t count, judgement_teach teach, void *context);

enum judgement judgement_of(const struct judgement_facts *facts);

/* For summaries: "fine", "no labels", "one class", "constant", "no better than chance", "unclear", "no better than the majority",
 * "misses a class". */
const char *judgement_name(enum judgement judgement);

/* Says it on stderr, loudly, and what to try; nothing if all is well. `names` are those of the classes. */
void judgement_tell(const struct judgement_facts *facts, char *const *names);

#endif

/* Is the student good for anything? Judged only by what was released and by the operator's own test records, so the
 * verdict costs nothing.
 *
 * The test decides if there is one; else the released labels, each foreseen by a student that was taught without it.
 * Always saying one class is the level of chance: a balanced accuracy of one over the number of classes. */
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
  JUDGEMENT_ONE_CLASS, /* all labels are the same: so are all answers of the student */
  JUDGEMENT_CONSTANT,  /* it names one class for every public record, or for every test record */
  JUDGEMENT_CHANCE,    /* its balanced accuracy is that of chance or less, ... */
  JUDGEMENT_UNCLEAR,   /* ... or more, but by so little that it may be chance */
  JUDGEMENT_MAJORITY,  /* it is right no more often than the commonest class would be; balance was not requested */
  JUDGEMENT_MISSES     /* it never names a class, or finds less than half as much of it in the test as a guess would */
};

struct judgement_facts {
  size_t labels;      /* how many were released */
  uint32_t commonest; /* the class released most often, the smallest of equals, ... */
  size_t times;       /* ... and how often */
  uint32_t named;     /* how many classes the student names for public records, ... */
  uint32_t unnamed;   /* ... and the first class that it does not name, if there is one */
  int is_balanced;    /* it is to do well on each class alike, not to be right as often as possible */
  const struct metrics *released,
      *test; /* released labels, each foreseen by a student taught without it; and test records, or NULL */
};

/* Fills in all members but the last three: the answers are labels or FUMATA_SILENT, `rows` are all public rows. Returns an
 * exit code (error.h). */
int judgement_gather(struct judgement_facts *facts, const struct learner *student, const struct learned *learned,
                     const struct rows *rows, const int32_t *answer, size_t count);

/* Teaches a student all released labels except those of a fold, by judgement_part. */
typedef int (*judgement_teach)(void *context, size_t fold, struct learned *learned);

/* The entries whose rows are in the fold, or all others, in their order: at most JUDGEMENT_ENTRIES of both, evenly spaced.
 * Returns their number. The arrays have room for all and are not those that are read. The first one gives the entries'
 * numbers, the second one the entries. */
size_t judgement_entries(size_t fold, int is_held_out, const size_t *row, size_t count, size_t *entry);
size_t judgement_part(size_t fold, int is_held_out, const size_t *row, const int32_t *answer, size_t count,
                      size_t *own_row, int32_t *own_answer);

/* How well students that were taught the other folds foresee the labels of each fold: answer[i] was given to row[i] of
 * `rows`. If a student is a command and fails, `released` has no records. */
int judgement_foresee(struct metrics *released, const struct learner *student, const struct rows *rows,
                      const size_t *row, const int32_t *answer, size_t count, judgement_teach teach, void *context);

enum judgement judgement_of(const struct judgement_facts *facts);

/* For summaries: "fine", "no labels", "one class", "constant", "no better than chance", "unclear", "no better than the majority",
 * "misses a class". */
const char *judgement_name(enum judgement judgement);

/* Prints a warning on stderr, with what to try; nothing if all is well. `names` are those of the classes. */
void judgement_tell(const struct judgement_facts *facts, char *const *names);

#endif

/* The student that asks private records near public points (the poll): how many are asked how often, which question comes next,
 * and what the answers say.
 *
 * All of this is post-processing: it reads public rows and answers that were released. It is a function of the rule, the public
 * rows, the seed and the answers so far: whoever replays the answers gets the same questions. */
#ifndef LEARN_POLLING_H
#define LEARN_POLLING_H

#include "learn/learner.h"
#include "learn/places.h"

/* What the student should be good at: naming the likeliest class, or each class alike. */
enum polling_aim { POLLING_ACCURACY, POLLING_BALANCED };

/* What the rule is made of: all public. */
struct polling_facts {
  uint64_t units; /* private units, from a noisy count or from the operator */
  size_t pool;    /* public rows */
  double epsilon, delta;
  uint32_t classes;
};

/* How the poll is held. */
struct polling_rule {
  uint32_t voters;    /* K: about so many units are asked a question */
  uint32_t questions; /* L: in all */
  uint32_t votes;     /* B: of a unit, the plan's limit */
  uint32_t first;     /* questions that are asked at random points, before there is a student */
  uint32_t rounds;    /* the others: in so many rounds, the student learns after each */
  size_t candidates;  /* public rows that may be asked about */
  size_t measures;    /* public rows by which a radius is measured */
  double rank;        /* so many of them lie within it */
  double noise; /* deviation of the noise on a lead, about: a part of the answers' law that a student can reckon with */
};

void polling_rule_make(struct polling_rule *rule, const struct polling_facts *facts);

/* Who lies within the root of `radius` from the place of public row `row` is asked; a label c weighs weights[c]. */
struct polling_question {
  size_t row;
  uint32_t radius;        /* squared */
  const int16_t *weights; /* classes */
  uint32_t most;          /* no weight is above it, or below -most */
};

struct polling {
  const struct polling_rule *rule;
  const struct rows *pool; /* public rows */
  struct places *places;   /* sharpened by the poll's own student between rounds */
  enum polling_aim aim;
  uint32_t classes;
  /* the batch at hand */
  struct polling_question *question;
  size_t size, heard;
  uint32_t sharpened; /* how often places were sharpened: places of before another number are old */
  struct polling_inside *inside;
};

/* Each int is an exit code (error.h). */

int polling_parse(enum polling_aim *aim, const char *text);
const char *polling_name(enum polling_aim aim);

/* `rule`, `pool` and `places`, which were fitted to the pool, must outlive this. `seed` is not a secret: keep it with the answers. */
int polling_init(struct polling *polling, const struct polling_rule *rule, const struct rows *pool,
                 struct places *places, uint32_t classes, enum polling_aim aim, uint64_t seed);
void polling_free(struct polling *polling);

/* Makes the next batch: polling->question, of which there are polling->size; 0: nothing is left to ask. Questions of one batch do not
 * depend on each other's answers. It may sharpen the places (polling->sharpened has grown): before the batch is put to the records,
 * their places are made again. All of a batch is to be heard before the next. */
int polling_next(struct polling *polling);

/* Takes the answer to the next question of the batch: 1 yes, 0 no. */
void polling_hear(struct polling *polling, int yes);

/* Does this learner, which was fitted, learn quickly enough to be tried? Trees do where columns times classes are at most that. */
int polling_student_is_quick(const struct learner *learner, uint64_t most);

/* What a student learns from: public rows with labels. The arrays are for the caller to free. */
struct polling_lesson {
  size_t *row;
  int32_t *label;
  struct heard *heard; /* what was asked, where a label is no more than its answer (heard.h); NULL: a label is one */
  size_t count;
  size_t blind; /* the first ones: at random points, not where a student wavers */
};
int polling_lesson_make(const struct polling *polling, struct polling_lesson *lesson);

/* Where a class of two is rare, or both are to count alike, questions are about many shares: then the lesson is of all answers and says
 * at which share each was asked. Elsewhere it is that of polling_lesson_make. */
int polling_lesson_hear(const struct polling *polling, struct polling_lesson *lesson);

/* For a learner; the parts are those of `heard`. */
struct lesson polling_lesson(const struct polling *polling, const struct polling_lesson *heard);
void polling_lesson_free(struct polling_lesson *lesson);

/* The student that learns from all that was heard: by the learner `said`, or, where that is NULL, by the one that does best on
 * answers that it has not seen. `student` is then the caller's to free. */
int polling_student(const struct polling *polling, const struct learner *said, struct learner *student,
                    struct learned *learned);

/* The same learner taught all but the rows of a fold (judgement.h). */
int polling_student_fold(const struct polling *polling, const struct learner *student, size_t fold,
                         struct learned *learned);

#endif

/* The student that asks private records near public points (the poll): how many are asked and how often, which question
 * comes next, and what the answers mean.
 *
 * All of this is post-processing: it reads public rows and released answers. It is a function of the rule, the public
 * rows, the seed and the answers so far: with the same answers it asks the same questions. */
#ifndef LEARN_POLLING_H
#define LEARN_POLLING_H

#include "learn/learner.h"
#include "learn/places.h"

/* The goal of the student: to name the likeliest class, or to do equally well on each class. */
enum polling_aim { POLLING_ACCURACY, POLLING_BALANCED };

/* What the rule depends on: all public. */
struct polling_facts {
  uint64_t units; /* private units, from a noisy count or from the operator */
  size_t pool;    /* public rows */
  double epsilon, delta;
  uint32_t classes;
};

/* How the poll is run. */
struct polling_rule {
  uint32_t voters;    /* K: about how many units are asked a question */
  uint32_t questions; /* L: the number of questions */
  uint32_t votes;     /* B: votes of a unit, the plan's limit */
  uint32_t first;     /* questions at random points, before there is a student */
  uint32_t rounds;    /* of the other questions; the student learns after each */
  size_t candidates;  /* public rows that may be asked about */
  size_t measures;    /* public rows that measure a radius */
  double rank;        /* how many of these are within the radius */
  double noise;       /* about the deviation of a lead's noise: part of the answers' distribution */
};

void polling_rule_make(struct polling_rule *rule, const struct polling_facts *facts);

/* Asks the units within the square root of `radius` from the place of public row `row`; a label c weighs weights[c]. */
struct polling_question {
  size_t row;
  uint32_t radius;        /* squared */
  const int16_t *weights; /* classes */
  uint32_t most;          /* all weights are from -most to most */
};

struct polling {
  const struct polling_rule *rule;
  const struct rows *pool; /* public rows */
  struct places *places;   /* the poll's own student sharpens them between rounds */
  enum polling_aim aim;
  uint32_t classes;
  /* the current batch */
  struct polling_question *question;
  size_t size, heard;
  uint32_t sharpened; /* how often places were sharpened: places made at another count are old */
  struct polling_inside *inside;
};

/* Each int is an exit code (error.h). */

int polling_parse(enum polling_aim *aim, const char *text);
const char *polling_name(enum polling_aim aim);

/* `rule`, `pool` and `places`, which were fitted to the pool, must outlive this. `seed` is not a secret: keep it with the
 * answers. */
int polling_init(struct polling *polling, const struct polling_rule *rule, const struct rows *pool,
                 struct places *places, uint32_t classes, enum polling_aim aim, uint64_t seed);
void polling_free(struct polling *polling);

/* Makes the next batch: polling->question, with polling->size questions; 0: all is asked. Questions of one batch do not
 * depend on each other's answers. It may sharpen the places (polling->sharpened has grown): then make the records' places
 * again before they are asked. Take all answers of a batch before the next. */
int polling_next(struct polling *polling);

/* Takes the answer to the next question of the batch: 1 yes, 0 no. */
void polling_hear(struct polling *polling, int yes);

/* Can this learner, which was fitted, be trained fast enough? Trees can if columns times classes are at most `most`. */
int polling_student_is_quick(const struct learner *learner, uint64_t most);

/* What a student learns from: public rows with labels. The caller frees the arrays. */
struct polling_lesson {
  size_t *row;
  int32_t *label;
  struct heard *heard; /* the questions, if a label is only an answer to one (heard.h); NULL: a label is a label */
  size_t count;
  size_t blind; /* the first ones: at random points, not where a student wavers */
};
int polling_lesson_make(const struct polling *polling, struct polling_lesson *lesson);

/* If one of two classes is rare, or both are to count alike, questions are about many shares: then the lesson has all
 * answers, and for each the share that was asked about. Otherwise it is the lesson of polling_lesson_make. */
int polling_lesson_hear(const struct polling *polling, struct polling_lesson *lesson);

/* For a learner; the parts belong to `heard`. */
struct lesson polling_lesson(const struct polling *polling, const struct polling_lesson *heard);
void polling_lesson_free(struct polling_lesson *lesson);

/* The student that learns from all answers: by the learner `said`, or, if that is NULL, by the one that does best on
 * answers that it was not taught. The caller frees `student`. */
int polling_student(const struct polling *polling, const struct learner *said, struct learner *student,
                    struct learned *learned);

/* The same learner, taught all rows but those of a fold (judgement.h). */
int polling_student_fold(const struct polling *polling, const struct learner *student, size_t fold,
                         struct learned *learned);

#endif

/* How good a student is on labelled records: how often it is right, class by class, how well it ranks, and how far its
 * probabilities can be believed; each with a 95 % interval.
 *
 *   shares (accuracy, recall, precision)   Wilson's score interval
 *   balanced accuracy                      the recalls' Wilson intervals, squared and added (Newcombe's MOVER)
 *   AUC                                    Newcombe's method 5: Hanley and McNeil's variance, solved as a score interval
 *   log loss                               the mean and 1.96 standard errors
 *
 * These stay honest when a share is 0 or 1 and records are few. */
#ifndef LEARN_METRICS_H
#define LEARN_METRICS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "data/rows.h"
#include "learn/ensemble.h"

#define METRICS_BINS    10
#define METRICS_CLASSES 12 /* a longer table of classes is printed only on request */

/* A number and its interval; NAN: there is none. */
struct metrics_value {
  double value, low, high;
};

/* Records for which the student gave a probability in one tenth of 0 to 1: with two classes that of the second one, with
 * more that of the likeliest. */
struct metrics_bin {
  uint64_t records, right; /* `right`: the class was this one */
  double sum;              /* of the probabilities */
};

struct metrics {
  uint32_t classes;
  uint64_t records, right;
  uint64_t *confusion;                /* [truth * classes + answer] */
  struct metrics_value auc, log_loss; /* with several classes the mean of each against the rest */
  int has_probability;
  struct metrics_bin bin[METRICS_BINS];
  /* until metrics_end: scores of all records, one for two classes, else one for each class */
  float *score;
  int32_t *truth;
  size_t score_room, truth_room;
  double loss, loss_squared;
  int is_unranked; /* there are no scores, or too many to keep */
};

/* Exit codes (error.h). `score`: one for each class of a record, or NULL; they are probabilities or, like an svm's, only
 * larger for a likelier class. A truth below 0 is not known and does not count. */
int metrics_begin(struct metrics *metrics, uint32_t classes);
int metrics_add(struct metrics *metrics, size_t count, const int32_t *truth, const uint32_t *answer, const float *score,
                int is_probability);
int metrics_end(struct metrics *metrics);
void metrics_free(struct metrics *metrics);

/* The answers of a student (an ensemble of one) for rows, as metrics_add takes them: labels, and scores if it has any
 * (NULL: not wanted). With two classes the second one is named from `threshold` on, if that is above 0. */
int metrics_ask(const struct ensemble *single, const struct rows *rows, double threshold, uint32_t *answer,
                float *score);
int metrics_has_scores(const struct ensemble *single);
int metrics_has_probability(const struct ensemble *single);

/* All rows at once, from begin to end. */
int metrics_rows(struct metrics *metrics, const struct ensemble *single, const struct rows *rows, double threshold);

/* ---- the numbers ---- */

struct metrics_value metrics_share(uint64_t part, uint64_t whole); /* Wilson's interval */
struct metrics_value metrics_accuracy(const struct metrics *metrics);
struct metrics_value metrics_balanced(const struct metrics *metrics); /* the mean recall of the classes that occur */
struct metrics_value metrics_recall(const struct metrics *metrics, uint32_t label);
struct metrics_value metrics_precision(const struct metrics *metrics, uint32_t label);
uint64_t metrics_count(const struct metrics *metrics, uint32_t label); /* records of it */
uint64_t metrics_named(const struct metrics *metrics, uint32_t label); /* records for which the student names it */
uint32_t metrics_majority(const struct metrics *metrics);              /* the commonest class, the first of equals */
uint32_t metrics_occurring(const struct metrics *metrics);             /* how many classes occur */

/* How many records the student has right where the commonest class is wrong; and the other way round. */
void metrics_against_majority(const struct metrics *metrics, uint64_t *won, uint64_t *lost);

/* For people: two lines, then a line for each class if there are at most `most`. For programs: members whose names begin
 * with `prefix`. */
void metrics_print(const struct metrics *metrics, char *const *names, uint32_t most, FILE *out);
void metrics_json(const struct metrics *metrics, char *const *names, const char *prefix, struct json *json);

#endif

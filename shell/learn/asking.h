/* The student that asks: which public records the teachers are asked about next, by which kind of query, and between which
 * two candidates.
 *
 *   random         the public records in random order
 *   margin         where the student's two likeliest classes are closest; the first part at random
 *   disagreement   where two hypotheses that are still possible differ (Hanneke's RobustCAL with an ERM oracle)
 *   combined       the meter first, in random order; where it was silent the question is hard, and goes to the toll
 *
 * All of this is post-processing: it reads public rows and released answers, never a vote. Its coins are its own, so that
 * a question and an answer never use the same coin. */
#ifndef LEARN_ASKING_H
#define LEARN_ASKING_H

#include "gate/coins.h"
#include "learn/learner.h"
#include "learn/student.h"

enum asking_way { ASKING_RANDOM, ASKING_MARGIN, ASKING_DISAGREEMENT, ASKING_COMBINED };

/* By the meter: the label that the teachers agree on, or silence. By the toll: one of two candidates. */
enum asking_kind { ASKING_METER, ASKING_TOLL };

/* The questions and answers of a session, in their order. */
struct asking_answer {
  size_t row;
  enum asking_kind kind;
  int32_t answer; /* a label or FUMATA_SILENT */
};

struct asking_query {
  size_t row;
  uint32_t first, second; /* candidates of the toll: first < second */
};

/* How many queries of each kind may still be asked. */
struct asking_budget {
  uint32_t silences, answers;
};

struct asking {
  enum asking_way way;
  const struct rows *pool; /* in random order */
  struct learner asker;    /* linear: the student's learner where that is linear */
  enum silent_as silent_as;
  struct coins coins;
  struct asking_answer *said;
  size_t count, capacity;
  unsigned char *mark;    /* state of each row: ASKING_MARK_... of asking.c */
  uint32_t *named;        /* how often each class was */
  int32_t *agreed;        /* label of a row that needs no asking (disagreement), or ROWS_UNLABELLED */
  size_t next;            /* the pool's order was followed up to this row */
  size_t block;           /* rows that the meter is asked about at a time */
  uint32_t rounds;        /* of questions to the toll */
  uint32_t whole;         /* the answers of the whole budget */
  uint32_t stage;         /* disagreement: how many there were */
  struct learned learned; /* by the asker, from the answers so far */
  float *score;           /* of the pool: rows x classes, by that model */
  /* this round */
  enum asking_kind kind;
  struct asking_query *query;
  size_t size, room, answered;
};

/* The int functions return an exit code (error.h). */

int asking_parse(enum asking_way *way, const char *text);
const char *asking_name(enum asking_way way);

/* `student` must be fitted (learner_fit); it and the pool must outlive the asking. `coins` are copied: use them for
 * nothing else. */
int asking_init(struct asking *asking, enum asking_way way, const struct learner *student, const struct rows *pool,
                enum silent_as silent_as, const struct coins *coins);
void asking_free(struct asking *asking);

/* Makes the next round: asking->query, with asking->size queries, all of one kind. 0 queries: all is asked, or the budget
 * is spent. */
int asking_next(struct asking *asking, const struct asking_budget *left);

/* Takes the answer to the next query of the round. There may be fewer answers than queries: the budget closed. */
void asking_take_answer(struct asking *asking, int32_t answer);

/* Takes an earlier run's answer about this row: nothing is asked twice. Call it after asking_init, before the first round. */
int asking_take_earlier(struct asking *asking, size_t row, enum asking_kind kind, int32_t answer);

/* How many labels, silences and answers of the toll there are so far. */
struct asking_said {
  uint64_t labels, silences, answers;
};
struct asking_said asking_said(const struct asking *asking);

/* Was the meter silent on this row? */
int asking_was_silent(const struct asking *asking, size_t row);

/* What a student learns from: the toll's answer replaces an earlier silence, and labels that needed no question are added.
 * The caller frees the arrays. */
struct asking_lesson {
  size_t *row;
  int32_t *answer;
  size_t count;
  size_t said; /* the first ones were asked about */
};
int asking_lesson_make(const struct asking *asking, struct asking_lesson *lesson);
void asking_lesson_free(struct asking_lesson *lesson);

#endif

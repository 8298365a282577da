/* The public side of `fumata learn`: which public records are asked about, the student that learns from the answers, and
 * how good it is. It reads public rows and released answers; from the teachers it gets only the answers of the session. */
#ifndef RUN_LEARNING_H
#define RUN_LEARNING_H

#include "gate/session.h"
#include "learn/asking.h"
#include "learn/judgement.h"
#include "run/questions.h"
#include "run/teachers.h"

struct learning {
  /* requested */
  const char *student_text; /* NULL: as for the teachers */
  const char *test_path;
  int silent_as;     /* an enum silent_as, or LEARNING_OPEN */
  int label_private; /* one file: one half teaches, the other half is asked about */
  /* made by the run */
  struct learner student;
  struct rows queries; /* public rows in the order in which they are asked */
  size_t *id;          /* record number of each */
  struct rows test;
  struct overlap open, held; /* what public and test records are compared with private ones by */
  struct questions before;   /* the answers to an earlier run of the same command */
  struct asking asking;
  struct learned learned;
  struct metrics measured; /* on test records; without a test it has 0 of them */
  struct metrics foreseen; /* on labels that a student was not taught (judgement.h) */
  double compared;         /* accuracy of a student without privacy; 0: not requested */
  struct judgement_facts facts;
};
#define LEARNING_OPEN (-1)

void learning_init(struct learning *learning);
void learning_free(struct learning *learning);

/* Each int below is an exit code (error.h). */

/* Reads the student's learner; the second one, once the teachers are prepared, settles what was left open. */
int learning_parse(struct learning *learning, const struct teachers *teachers);
int learning_settle(struct learning *learning, const struct teachers *teachers);

/* Loads the test, public and private rows, and shuffles the queries. Sets *about to the number of private records if that
 * is public (0: not known). */
int learning_load(struct learning *learning, struct teachers *teachers, struct coins *coins, uint64_t *about);

/* Noisy answers need a more cautious student than the teachers' own labels: sets its C, unless it was given. */
void learning_temper(struct learning *learning, struct plan_quota limit);

/* Once the plan is known and before it begins: finds the answers to an earlier run of the same command, so that nothing is
 * paid for twice. *again is as in questions_recall. */
int learning_recall(struct learning *learning, const struct teachers *teachers, struct ledger *ledger,
                    const struct plan_box *plan, int *again);

/* Asks until all is asked or the budget is spent. `coins` are the student's own: the choice of a question never shares a
 * coin with an answer. */
int learning_ask(struct learning *learning, const struct teachers *teachers, enum asking_way way,
                 struct session *session, const struct coins *coins);

/* The student that learns from all answers, and how good it is. `is_balanced`: it is to do well on each class alike. */
int learning_finish(struct learning *learning, int is_balanced);

/* How good a trained student is: on the test, if there is one, and on labels that it was not taught. */
struct learning_said {
  const size_t *row;
  const int32_t *answer;
  size_t count, judged; /* the student is judged by the first `judged` of them */
};
int learning_judge(struct learning *learning, const struct learning_said *said, int is_balanced, judgement_teach teach,
                   void *context);

/* The same learner on all private records at once, for comparison: prints and keeps its accuracy, which is not private.
 * With several ranks rank 0 does this, while the others wait. */
int learning_compare(struct learning *learning, struct teachers *teachers);

#endif

/* The public side of `fumata learn`: which public records are asked about, the student that learns from the answers, and what
 * it is worth. It reads public rows and released answers; of the teachers it hears what the session has answered. */
#ifndef RUN_LEARNING_H
#define RUN_LEARNING_H

#include "gate/session.h"
#include "learn/asking.h"
#include "learn/judgement.h"
#include "run/questions.h"
#include "run/teachers.h"

struct learning {
  /* what was asked for */
  const char *student_text; /* NULL: as the teachers */
  const char *test_path;
  int silent_as;     /* an enum silent_as, or LEARNING_OPEN */
  int label_private; /* one file: one half teaches, the other one is asked about */
  /* what becomes of it */
  struct learner student;
  struct rows queries; /* public rows in the order in which they are asked */
  size_t *id;          /* record number of each */
  struct rows test;
  struct overlap open, held; /* what public and test records are compared with private ones by */
  struct questions before;   /* what an earlier run of the same command was answered */
  struct asking asking;
  struct learned learned;
  struct metrics measured; /* on test records; 0 of them: there was no test */
  struct metrics foreseen; /* on labels that a student was not taught (judgement.h) */
  double compared;         /* accuracy of a student without privacy; 0: not asked for */
  struct judgement_facts facts;
};
#define LEARNING_OPEN (-1)

void learning_init(struct learning *learning);
void learning_free(struct learning *learning);

/* Each int below is an exit code (error.h). */

/* Reads what the student learns by; and, once the teachers are prepared, settles what was left open. */
int learning_parse(struct learning *learning, const struct teachers *teachers);
int learning_settle(struct learning *learning, const struct teachers *teachers);

/* Loads the test, public and private rows, and shuffles the queries. Sets *about (0: not known) to how many private records
 * there are where that is public. */
int learning_load(struct learning *learning, struct teachers *teachers, struct coins *coins, uint64_t *about);

/* Noisy answers need a more cautious student than the teachers' own labels: sets its C, unless it was given. */
void learning_temper(struct learning *learning, struct plan_quota limit);

/* Once the plan is known and before it begins: takes up what an earlier run of the same command was answered, so that nothing is
 * paid for twice. *again as questions_recall has it. */
int learning_recall(struct learning *learning, const struct teachers *teachers, struct ledger *ledger,
                    const struct plan_box *plan, int *again);

/* Asks until nothing is left to ask or to pay with. `coins` are the student's own: no choice of a question shares a coin with
 * an answer. */
int learning_ask(struct learning *learning, const struct teachers *teachers, enum asking_way way,
                 struct session *session, const struct coins *coins);

/* The student that learns from all that was said, and what it is worth. `is_balanced`: it is to do well on each class alike. */
int learning_finish(struct learning *learning, int is_balanced);

/* What a student is worth that has learned: on the test, if there is one, and on labels that it was not taught. */
struct learning_said {
  const size_t *row;
  const int32_t *answer;
  size_t count, judged; /* the first ones: it is judged by these */
};
int learning_judge(struct learning *learning, const struct learning_said *said, int is_balanced, judgement_teach teach,
                   void *context);

/* The same learner on every private record at once, for comparison: prints and keeps its accuracy, which is not private. Of several
 * ranks rank 0 does it, while the others wait. */
int learning_compare(struct learning *learning, struct teachers *teachers);

#endif

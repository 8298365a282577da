/* fumata learn: rounds of questions. The student says what is asked next (learn/asking.h), the teachers vote on that and
 * nothing else, and the session answers what is paid for. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "command/learn.h"

/* A command costs a process a teacher and round. */
#define LEARN_ASK_EXEC_BLOCK  65536u
#define LEARN_ASK_EXEC_ROUNDS 6u

/* One round, in the order of its queries. */
struct learn_ask_round {
  struct rows rows;
  size_t *row;
  struct session_pair *pairs;
  void *room;
};

static int learn_ask_init(struct learn *learn) {
  struct training *training = &learn->training;
  int code;
  /* Coins of its own: no choice of a question shares a coin with an answer. */
  struct coins coins;
  if (training->is_seeded)
    coins_seed(&coins, ~training->seed);
  else
    coins_init(&coins);
  code = asking_init(&learn->asking, learn->way, &learn->student, &learn->queries, learn->silent_as, &coins);
  if (!code && training->learner.kind->traits & LEARNER_COMMAND) {
    learn->asking.block = LEARN_ASK_EXEC_BLOCK;
    learn->asking.rounds = LEARN_ASK_EXEC_ROUNDS;
  }
  return code;
}

static int learn_ask_gather(struct learn *learn, struct learn_ask_round *round) {
  const struct asking *asking = &learn->asking;
  int code = memory_take(&round->row, asking->size, sizeof *round->row);
  if (!code) code = memory_take(&round->pairs, asking->size, sizeof *round->pairs);
  if (!code) code = training_room(&learn->training, asking->size, &round->room);
  for (size_t i = 0; !code && i < asking->size; i++) {
    round->row[i] = asking->query[i].row;
    round->pairs[i] = (struct session_pair){asking->query[i].first, asking->query[i].second};
  }
  return code ? code : rows_gather(&learn->queries, round->row, asking->size, &round->rows);
}

static void learn_ask_free(struct learn_ask_round *round) {
  rows_free(&round->rows);
  free(round->row);
  free(round->pairs);
  free(round->room);
}

static void learn_ask_hear(void *context, int32_t answer) {
  asking_take_answer(context, answer);
}

static int learn_ask_round(struct learn *learn) {
  struct asking *asking = &learn->asking;
  struct learn_ask_round round = {0};
  struct votes votes;
  int code;
  rows_init(&round.rows, 1, 1);
  code = learn_ask_gather(learn, &round);
  if (!code) code = training_vote(&learn->training, &round.rows, 0, asking->size, round.room, &votes);
  if (!code)
    code = asking->kind == ASKING_METER
               ? session_answer_batch(&learn->session, &votes, learn_ask_hear, asking)
               : session_choose_batch(&learn->session, &votes, round.pairs, learn_ask_hear, asking);
  learn_ask_free(&round);
  return code;
}

static int learn_ask_rounds(struct learn *learn) {
  struct asking *asking = &learn->asking;
  struct plan_quota left = session_left(&learn->session);
  struct progress progress;
  int code = EXIT_OK;
  progress_start(&progress, "asking the teachers", left.silences ? learn->queries.count + left.answers : left.answers);
  do {
    struct asking_budget budget;
    left = session_left(&learn->session);
    budget = (struct asking_budget){left.silences, left.answers};
    code = asking_next(asking, &budget);
    if (!code && asking->size) code = learn_ask_round(learn);
    progress_step(&progress, asking->count);
  } while (!code && asking->size);
  progress_end(&progress);
  return code;
}

int learn_ask(struct learn *learn) {
  int finish, code = learn_ask_init(learn);
  if (!code) code = learn_ask_rounds(learn);
  finish = session_finish(&learn->session); /* whatever went wrong, an unused reservation goes back */
  return code ? code : finish;
}

int learn_ask_student(struct learn *learn) {
  struct asking_lesson lesson;
  int code = asking_lesson_make(&learn->asking, &lesson);
  if (!code)
    code = student_train(&learn->student, &learn->queries, lesson.row, lesson.answer, lesson.count, learn->silent_as,
                         &learn->asking.coins, &learn->learned);
  asking_lesson_free(&lesson);
  return code;
}

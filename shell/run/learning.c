#include "run/learning.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/say.h"
#include "learn/ranks.h"

/* A command costs one process for each teacher and round. */
#define LEARNING_EXEC_BLOCK  65536u
#define LEARNING_EXEC_ROUNDS 6u

/* C of a student that learns from answers of the toll. */
#define LEARNING_COST_ANSWERS 200.0 /* the number of answers over this, at least 1 ... */
#define LEARNING_COST_BOTH    15.0  /* ... but this if there are labels too */

#define LEARNING_TOLERANCE 0.001 /* of the student that is compared with: on many rows the usual one stops too early */

void learning_init(struct learning *learning) {
  memset(learning, 0, sizeof *learning);
  learning->silent_as = LEARNING_OPEN;
  rows_init(&learning->queries, 1, 1);
  rows_init(&learning->test, 1, 1);
}

void learning_free(struct learning *learning) {
  learned_free(&learning->learned);
  learner_free(&learning->student);
  rows_free(&learning->queries);
  rows_free(&learning->test);
  metrics_free(&learning->measured);
  metrics_free(&learning->foreseen);
  asking_free(&learning->asking);
  questions_free(&learning->before);
  overlap_free(&learning->open);
  overlap_free(&learning->held);
  free(learning->id);
}

int learning_parse(struct learning *learning, const struct teachers *teachers) {
  const char *text = learning->student_text;
  return text ? teachers_learner(teachers, "--student", text, &learning->student)
              : teachers_learner(teachers, "--learner", teachers->learner_text, &learning->student);
}

int learning_settle(struct learning *learning, const struct teachers *teachers) {
  learning->student.classes = teachers->learner.classes;
  learning->student.columns = teachers->learner.columns;
  if (learning->silent_as == LEARNING_OPEN) learning->silent_as = (int)student_default(teachers->learner.classes);
  return learning->student_text ? learner_try(&learning->student) : EXIT_OK;
}

/* ---- what is asked about ---- */

/* Asks in random order: a file sorted by label would otherwise spend the budget on its first class. `mine` (or NULL: all)
 * marks the rows that are queries. */
static int learning_shuffle(struct learning *learning, struct coins *coins, const struct rows *rows,
                            const unsigned char *mine) {
  size_t count = 0, *id;
  int code = memory_take(&learning->id, rows->count, sizeof *learning->id);
  if (code) return code;
  id = learning->id;
  for (size_t i = 0; i < rows->count; i++)
    if (!mine || mine[i]) id[count++] = i;
  /* Fisher and Yates. */
  for (size_t i = count; i > 1; i--) {
    uint64_t word;
    size_t other, keep = id[i - 1];
    code = coins_draw(coins, &word);
    if (code) return code;
    other = (size_t)(((unsigned __int128)word * i) >> 64);
    id[i - 1] = id[other];
    id[other] = keep;
  }
  code = rows_gather(rows, id, count, &learning->queries);
  if (!code && count == 0) code = error_report(EXIT_INPUT, "no public records to ask about");
  return code;
}

/* --label-private: one half teaches, the other half is asked about. With several ranks each keeps the rows of its own
 * teachers, and rank 0 the queries. If only labels are private, the number of records is public. */
static int learning_split(struct learning *learning, struct teachers *teachers, struct coins *coins, uint64_t *about) {
  unsigned char *mine = NULL;
  int code = teachers_load(teachers);
  if (!code && ranks_count() > 1) code = teachers_load_whole(teachers);
  if (!code) code = teachers_half(teachers, 1, &mine);
  if (!code) code = learning_shuffle(learning, coins, &teachers->rows, mine);
  if (!code && !*about) *about = teachers->rows.count;
  if (ranks_count() > 1) rows_free(&teachers->rows);
  free(mine);
  return code;
}

int learning_load(struct learning *learning, struct teachers *teachers, struct coins *coins, uint64_t *about) {
  struct reader_options labelled = {.labels = LABELS_REQUIRE, .overlap = &learning->held};
  struct rows all;
  int code = EXIT_OK;
  if (learning->test_path) code = reader_load(&learning->test, learning->test_path, &teachers->encoding, &labelled);
  if (code) return code;
  if (learning->label_private) {
    code = learning_split(learning, teachers, coins, about);
  } else {
    code = teachers_load_public(teachers, teachers->request.public_path, &all, &learning->open);
    if (code) return code;
    code = learning_shuffle(learning, coins, &all, NULL);
    rows_free(&all);
    if (!code) code = teachers_load(teachers);
  }
  if (code) return code;
  learner_fit(&teachers->learner, &learning->queries, teachers->learner.classes);
  learner_fit(&learning->student, &learning->queries, teachers->learner.classes);
  return EXIT_OK;
}

void learning_temper(struct learning *learning, struct plan_quota limit) {
  struct learner *student = &learning->student;
  if (learning->student_text || learner_base(student) != &learner_logistic || !limit.answers) return;
  student->cost = limit.silences                          ? LEARNING_COST_BOTH
                  : limit.answers > LEARNING_COST_ANSWERS ? limit.answers / LEARNING_COST_ANSWERS
                                                          : 1;
}

/* ---- what was answered before ---- */

/* --label-private: each run asks about another half. Records that have an answer already become queries. */
static int learning_widen(struct learning *learning, const struct rows *all) {
  struct rows wider;
  unsigned char *has = NULL;
  size_t *id = NULL, count = learning->queries.count;
  int code = memory_take(&has, all->count, 1);
  if (!code) code = memory_take(&id, count + learning->before.count, sizeof *id);
  for (size_t i = 0; !code && i < count; i++)
    has[id[i] = learning->id[i]] = 1;
  for (size_t i = 0; !code && i < learning->before.count; i++) {
    uint64_t query = learning->before.answer[i].query;
    if (query < all->count && !has[query]) has[id[count++] = (size_t)query] = 1;
  }
  free(has);
  rows_init(&wider, 1, 1);
  if (!code) code = rows_gather(all, id, count, &wider);
  if (code) {
    free(id);
    return code;
  }
  rows_free(&learning->queries);
  learning->queries = wider;
  free(learning->id);
  learning->id = id;
  return EXIT_OK;
}

int learning_recall(struct learning *learning, const struct teachers *teachers, struct ledger *ledger,
                    const struct plan_box *plan, int *again) {
  static const char command[] = "learn";
  struct questions *before = &learning->before;
  struct plan_terms terms;
  int code;
  plan_terms(plan, &terms);
  questions_begin(before, ledger, command);
  questions_add_text(before, teachers->learner_text);
  questions_add_text(before, teachers->request.unit);
  questions_add_number(before, teachers->count);
  questions_add_number(before, (uint64_t)learning->label_private);
  code = questions_add_file(before, teachers->request.public_path);
  if (!code) code = questions_recall(before, ledger, &terms, command, &teachers->encoding.classes, again);
  if (!code && before->count && learning->label_private && ranks_count() == 1)
    code = learning_widen(learning, &teachers->rows);
  if (!code && before->count) say_text("%zu answers that an earlier run paid for are taken up\n", before->count);
  return code;
}

/* Gives the asking the answers of an earlier run. */
static int learning_remind(struct learning *learning) {
  const struct questions *before = &learning->before;
  size_t *row = NULL, most = 0;
  int code;
  for (size_t i = 0; i < learning->queries.count; i++)
    if (learning->id[i] > most) most = learning->id[i];
  code = before->count ? memory_take(&row, most + 1, sizeof *row) : EXIT_OK;
  for (size_t i = 0; row && i < learning->queries.count; i++)
    row[learning->id[i]] = i + 1;
  for (size_t i = 0; row && !code && i < before->count; i++) {
    const struct journal_answer *said = &before->answer[i];
    if (said->query <= most && row[said->query] && said->answer < (int32_t)learning->student.classes)
      code = asking_take_earlier(&learning->asking, row[said->query] - 1,
                                 said->kind == PLAN_KIND_TOLL ? ASKING_TOLL : ASKING_METER, said->answer);
  }
  free(row);
  return code;
}

/* ---- rounds of questions ---- */

static void learning_hear(void *context, int32_t answer) {
  asking_take_answer(context, answer);
}

/* Asks one round, in the order of its queries: the teachers vote on these rows only. */
static int learning_round(struct learning *learning, const struct teachers *teachers, struct session *session) {
  struct asking *asking = &learning->asking;
  struct session_pair *pairs = NULL;
  uint64_t *question = NULL;
  struct votes votes;
  struct rows rows;
  size_t *row = NULL;
  void *room = NULL;
  int code = memory_take(&row, asking->size, sizeof *row);
  rows_init(&rows, 1, 1);
  if (!code) code = memory_take(&pairs, asking->size, sizeof *pairs);
  if (!code) code = memory_take(&question, asking->size, sizeof *question);
  if (!code) code = teachers_room(teachers, asking->size, &room);
  for (size_t i = 0; !code && i < asking->size; i++) {
    row[i] = asking->query[i].row;
    question[i] = learning->id[row[i]];
    pairs[i] = (struct session_pair){asking->query[i].first, asking->query[i].second};
  }
  if (!code) code = rows_gather(asking->pool, row, asking->size, &rows);
  if (!code) code = teachers_vote(teachers, &rows, 0, asking->size, room, &votes);
  session->question = question;
  if (!code)
    code = asking->kind == ASKING_METER ? session_answer_batch(session, &votes, learning_hear, asking)
                                        : session_answer_pairs(session, &votes, pairs, learning_hear, asking);
  session->question = NULL;
  rows_free(&rows);
  free(row);
  free(pairs);
  free(question);
  free(room);
  return code;
}

static int learning_rounds(struct learning *learning, const struct teachers *teachers, struct session *session) {
  struct asking *asking = &learning->asking;
  struct plan_quota left = session_left(session);
  struct progress progress;
  int code = EXIT_OK;
  progress_start(&progress, "asking the teachers", left.silences ? asking->pool->count + left.answers : left.answers);
  do {
    struct asking_budget budget;
    left = session_left(session);
    budget = (struct asking_budget){left.silences, left.answers};
    code = asking_next(asking, &budget);
    if (!code && asking->size) code = learning_round(learning, teachers, session);
    progress_step(&progress, asking->count);
  } while (!code && asking->size);
  progress_end(&progress);
  return code;
}

int learning_ask(struct learning *learning, const struct teachers *teachers, enum asking_way way,
                 struct session *session, const struct coins *coins) {
  struct asking *asking = &learning->asking;
  int finish, code = asking_init(asking, way, &learning->student, &learning->queries,
                                 (enum silent_as)learning->silent_as, coins);
  if (!code && teachers->learner.kind->traits & LEARNER_COMMAND) {
    asking->block = LEARNING_EXEC_BLOCK;
    asking->rounds = LEARNING_EXEC_ROUNDS;
  }
  if (!code) code = learning_remind(learning);
  session->reserve_rounds = 1;
  if (!code) code = learning_rounds(learning, teachers, session);
  finish = session_finish(session); /* even after an error, an unused reservation goes back */
  return code ? code : finish;
}

/* ---- the student ---- */

static int learning_measure(struct learning *learning) {
  struct ensemble single;
  int code = ensemble_single(&single, &learning->student, &learning->learned);
  if (code) return code;
  code = metrics_rows(&learning->measured, &single, &learning->test, 0);
  ensemble_free(&single);
  return code;
}

int learning_judge(struct learning *learning, const struct learning_said *said, int is_balanced, judgement_teach teach,
                   void *context) {
  const struct learner *student = &learning->student;
  struct judgement_facts *facts = &learning->facts;
  int code = learning->test_path ? learning_measure(learning) : EXIT_OK;
  if (!code) code = judgement_gather(facts, student, &learning->learned, &learning->queries, said->answer, said->count);
  if (!code)
    code = judgement_foresee(&learning->foreseen, student, &learning->queries, said->row, said->answer, said->judged,
                             teach, context);
  facts->is_balanced = is_balanced || student->balance > 0;
  facts->released = &learning->foreseen;
  facts->test = learning->measured.records ? &learning->measured : NULL;
  return code;
}

struct learning_lesson {
  const struct learning *learning;
  const struct asking_lesson *lesson;
};

/* If the student takes a silence for a random label, this leaves the silence out, so that no coin is drawn. */
static int learning_teach(void *context, size_t fold, struct learned *learned) {
  const struct learning_lesson *all = context;
  const struct learning *learning = all->learning;
  enum silent_as as = learning->silent_as == SILENT_RANDOM ? SILENT_DROP : (enum silent_as)learning->silent_as;
  size_t *row = NULL, count;
  int32_t *answer = NULL;
  int code = memory_take(&row, all->lesson->count, sizeof *row);
  if (!code) code = memory_take(&answer, all->lesson->count, sizeof *answer);
  if (!code) {
    count = judgement_part(fold, 0, all->lesson->row, all->lesson->answer, all->lesson->count, row, answer);
    code = student_train(&learning->student, &learning->queries, row, answer, count, as, NULL, learned);
  }
  free(row);
  free(answer);
  return code;
}

int learning_finish(struct learning *learning, int is_balanced) {
  struct asking_lesson lesson;
  struct learning_lesson all = {learning, &lesson};
  int code = asking_lesson_make(&learning->asking, &lesson);
  if (!code)
    code = student_train(&learning->student, &learning->queries, lesson.row, lesson.answer, lesson.count,
                         (enum silent_as)learning->silent_as, &learning->asking.coins, &learning->learned);
  if (!code)
    code = learning_judge(learning, &(struct learning_said){lesson.row, lesson.answer, lesson.count, lesson.said},
                          is_balanced, learning_teach, &all);
  asking_lesson_free(&lesson);
  return code;
}

/* Trains on all private records and tests. */
static int learning_compare_rows(struct learning *learning, const struct rows *rows) {
  struct lesson lesson = {.rows = rows, .count = rows->count};
  struct learned learned = {0};
  struct learner careful = learning->student;
  size_t *order, right, tested;
  int code = memory_take(&order, rows->count, sizeof *order);
  if (code) return code;
  if (careful.tolerance > LEARNING_TOLERANCE) careful.tolerance = LEARNING_TOLERANCE;
  for (size_t i = 0; i < rows->count; i++)
    order[i] = i;
  lesson.row = order;
  code = learner_train(&careful, &lesson, &learned);
  if (!code) code = student_score(&careful, &learned, &learning->test, &right, &tested);
  if (!code) learning->compared = (double)right / (double)tested;
  if (!code)
    say_text("NOT PRIVATE, for comparison: the same learner on all private records reaches %.1f %%\n",
             100 * learning->compared);
  learned_free(&learned);
  free(order);
  return code;
}

int learning_compare(struct learning *learning, struct teachers *teachers) {
  int is_alone = ranks_count() == 1, code = is_alone ? EXIT_OK : teachers_load_whole(teachers);
  if (!code) code = learning_compare_rows(learning, &teachers->rows);
  if (!is_alone) rows_free(&teachers->rows);
  return code;
}

#include "learn/asking.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/meter.h"
#include "learn/linear_score.h"

/* Chosen on public answers alone, on the data sets that tests/bench/accuracy names. */
#define ASKING_BLOCK       4096u /* records that the meter is asked about in one round */
#define ASKING_BLIND       4 /* one such part of the answers is asked at random, before the student knows where it errs; */
#define ASKING_FEW         200 /* of fewer answers than these ... */
#define ASKING_BLIND_FEW   15  /* ... no more than these */
#define ASKING_ROUNDS      30  /* in so many rounds all of them are asked */
#define ASKING_HARDLY      3   /* a class that was named less often may have been forgotten */
#define ASKING_FIRST_STAGE 64  /* disagreement: answers of the first stage */

enum { ASKING_MARK_LABEL = 1, ASKING_MARK_SILENT = 2, ASKING_MARK_TOLL = 4, ASKING_MARK_CHOSEN = 8 };

static const char *const asking_names[] = {"random", "margin", "disagreement", "combined"};
#define ASKING_WAYS (int)(sizeof asking_names / sizeof *asking_names)

int asking_parse(enum asking_way *way, const char *text) {
  for (int i = 0; i < ASKING_WAYS; i++)
    if (!strcmp(text, asking_names[i])) return *way = (enum asking_way)i, EXIT_OK;
  return error_report(EXIT_INPUT, "--ask: '%.40s' is not random, margin, disagreement or combined", text);
}

const char *asking_name(enum asking_way way) {
  return asking_names[way];
}

/* A student whose model tells no scores (trees, a command) asks with a linear one. */
static int asking_learner(struct asking *asking, const struct learner *student) {
  int code;
  if (learner_is_linear(student)) {
    asking->asker = *student;
    asking->asker.command = NULL;
    return EXIT_OK;
  }
  code = learner_parse(&asking->asker, "--ask", "logistic");
  if (!code) learner_fit(&asking->asker, asking->pool, student->classes);
  return code;
}

int asking_init(struct asking *asking, enum asking_way way, const struct learner *student, const struct rows *pool,
                enum silent_as silent_as, const struct coins *coins) {
  int code;
  memset(asking, 0, sizeof *asking);
  asking->way = way;
  asking->pool = pool;
  asking->silent_as = silent_as;
  asking->coins = *coins;
  asking->block = ASKING_BLOCK;
  asking->rounds = ASKING_ROUNDS;
  code = asking_learner(asking, student);
  if (!code) code = memory_take(&asking->mark, pool->count, 1);
  if (!code) code = memory_take(&asking->named, student->classes, sizeof *asking->named);
  if (!code) code = memory_take(&asking->agreed, pool->count, sizeof *asking->agreed);
  if (!code) code = memory_align(&asking->score, pool->count * student->classes, sizeof *asking->score);
  for (size_t i = 0; !code && i < pool->count; i++)
    asking->agreed[i] = ROWS_UNLABELLED;
  if (code) asking_free(asking);
  return code;
}

void asking_free(struct asking *asking) {
  learned_free(&asking->learned);
  learner_free(&asking->asker);
  free(asking->said);
  free(asking->mark);
  free(asking->agreed);
  free(asking->named);
  free(asking->score);
  free(asking->query);
  memset(asking, 0, sizeof *asking);
}

/* ---- what was said ---- */

int asking_is_open(const struct asking *asking, size_t row) {
  const int is_done = ASKING_MARK_LABEL | ASKING_MARK_TOLL | ASKING_MARK_CHOSEN;
  return !(asking->mark[row] & is_done) && asking->agreed[row] == ROWS_UNLABELLED;
}

int asking_was_silent(const struct asking *asking, size_t row) {
  return asking->mark[row] & ASKING_MARK_SILENT;
}

void asking_hear(struct asking *asking, int32_t answer) {
  size_t row = asking->query[asking->heard++].row;
  asking->said[asking->count++] = (struct asking_answer){row, asking->kind, answer};
  if (answer != FUMATA_SILENT) asking->named[answer]++;
  if (asking->kind == ASKING_TOLL) asking->mark[row] |= ASKING_MARK_TOLL;
  if (asking->kind == ASKING_METER)
    asking->mark[row] |= answer == FUMATA_SILENT ? ASKING_MARK_SILENT : ASKING_MARK_LABEL;
}

static void asking_lesson_add(struct asking_lesson *lesson, size_t row, int32_t answer) {
  lesson->row[lesson->count] = row;
  lesson->answer[lesson->count++] = answer;
}

int asking_lesson_make(const struct asking *asking, struct asking_lesson *lesson) {
  size_t room = asking->count + asking->pool->count;
  int code;
  memset(lesson, 0, sizeof *lesson);
  code = memory_take(&lesson->row, room, sizeof *lesson->row);
  if (!code) code = memory_take(&lesson->answer, room, sizeof *lesson->answer);
  if (code) return code;
  for (size_t i = 0; i < asking->count; i++) {
    const struct asking_answer *said = &asking->said[i];
    int is_answered = said->kind == ASKING_METER && (asking->mark[said->row] & ASKING_MARK_TOLL);
    if (!is_answered) asking_lesson_add(lesson, said->row, said->answer);
  }
  for (size_t i = 0; i < asking->pool->count; i++)
    if (asking->agreed[i] != ROWS_UNLABELLED) asking_lesson_add(lesson, i, asking->agreed[i]);
  return EXIT_OK;
}

void asking_lesson_free(struct asking_lesson *lesson) {
  free(lesson->row);
  free(lesson->answer);
  memset(lesson, 0, sizeof *lesson);
}

/* ---- what the student makes of it ---- */

int asking_think(struct asking *asking) {
  struct asking_lesson lesson;
  int code = asking_lesson_make(asking, &lesson);
  learned_free(&asking->learned);
  if (!code)
    code = student_train(&asking->asker, asking->pool, lesson.row, lesson.answer, lesson.count, asking->silent_as,
                         &asking->coins, &asking->learned);
  asking_lesson_free(&lesson);
  if (!code) linear_score(&asking->learned, asking->asker.classes, asking->pool, asking->score);
  return code;
}

struct asking_pair asking_pair(const struct asking *asking, size_t row) {
  uint32_t classes = asking->asker.classes;
  const float *score = asking->score + row * classes;
  struct asking_pair pair = {score[1] > score[0], score[1] <= score[0], 0};
  for (uint32_t c = 2; c < classes; c++)
    if (score[c] > score[pair.likeliest]) {
      pair.second = pair.likeliest;
      pair.likeliest = c;
    } else if (score[c] > score[pair.second])
      pair.second = c;
  pair.margin = score[pair.likeliest] - score[pair.second];
  return pair;
}

int asking_below(struct asking *asking, size_t bound, size_t *number) {
  uint64_t word;
  int code = coins_draw(&asking->coins, &word);
  if (!code) *number = (size_t)(((unsigned __int128)word * bound) >> 64);
  return code;
}

/* Any two classes, where there are more: nothing is known. */
static int asking_guess(struct asking *asking, struct asking_pair *pair) {
  size_t first = 0, second = 0;
  int code = asking_below(asking, asking->asker.classes, &first);
  if (!code) code = asking_below(asking, asking->asker.classes - 1, &second);
  pair->likeliest = (uint32_t)first;
  pair->second = (uint32_t)(second + (second >= first));
  return code;
}

/* Every other time, one of the classes that were hardly ever named instead of the second likeliest, if there are any. */
static int asking_recall(struct asking *asking, struct asking_pair *pair) {
  uint32_t classes = asking->asker.classes;
  size_t missing = 0, which = 0;
  int code;
  for (uint32_t c = 0; c < classes; c++)
    missing += asking->named[c] < ASKING_HARDLY && c != pair->likeliest;
  if (!missing) return EXIT_OK;
  code = asking_below(asking, 2 * missing, &which);
  for (uint32_t c = 0; !code && which < missing && c < classes; c++)
    if (asking->named[c] < ASKING_HARDLY && c != pair->likeliest && which-- == 0) {
      pair->second = c;
      break;
    }
  return code;
}

int asking_put(struct asking *asking, size_t row) {
  struct asking_pair pair = asking_pair(asking, row);
  int is_known = asking->learned.size || asking->asker.classes == 2, code = EXIT_OK;
  struct asking_query *query = &asking->query[asking->size++];
  if (!is_known) code = asking_guess(asking, &pair);
  if (is_known && asking->asker.classes > 2) code = asking_recall(asking, &pair);
  query->row = row;
  query->first = pair.likeliest < pair.second ? pair.likeliest : pair.second;
  query->second = pair.likeliest < pair.second ? pair.second : pair.likeliest;
  asking->mark[row] |= ASKING_MARK_CHOSEN;
  return code;
}

/* ---- rounds ---- */

/* Room for the queries of a round and for their answers. */
static int asking_room(struct asking *asking, size_t size) {
  int code = memory_grow(&asking->query, &asking->room, size, sizeof *asking->query);
  return code ? code : memory_grow(&asking->said, &asking->capacity, asking->count + size, sizeof *asking->said);
}

/* The pool in its own order, which is random: up to `wanted` rows that are still open. */
static int asking_in_order(struct asking *asking, size_t wanted) {
  int code = EXIT_OK;
  for (; !code && asking->size < wanted && asking->next < asking->pool->count; asking->next++)
    if (asking_is_open(asking, asking->next)) code = asking_put(asking, asking->next);
  return code;
}

static int asking_meter_round(struct asking *asking) {
  size_t left = asking->pool->count - asking->next, size = left < asking->block ? left : asking->block;
  int code = asking_room(asking, size);
  asking->kind = ASKING_METER;
  for (size_t i = 0; !code && i < size; i++)
    asking->query[asking->size++] = (struct asking_query){.row = asking->next++};
  return code;
}

/* How many answers the next round asks for. */
static size_t asking_round_size(const struct asking *asking, uint32_t left) {
  size_t size = (asking->whole + asking->rounds - 1) / asking->rounds;
  if (asking->way == ASKING_DISAGREEMENT)
    size = (size_t)ASKING_FIRST_STAGE << (asking->stage < 32 ? asking->stage : 32);
  return size < left ? size : left;
}

/* How many answers are asked for at random before the margin is trusted. */
static uint32_t asking_blind(uint32_t whole) {
  uint32_t part = whole / ASKING_BLIND;
  return whole < ASKING_FEW && part > ASKING_BLIND_FEW ? ASKING_BLIND_FEW : part;
}

/* Before the student has heard much it asks at random. */
static int asking_is_blind(const struct asking *asking) {
  if (asking->way == ASKING_RANDOM) return 1;
  return asking->count < (asking->way == ASKING_MARGIN ? asking_blind(asking->whole) : 1);
}

static int asking_toll_round(struct asking *asking, uint32_t left) {
  size_t wanted = asking_round_size(asking, left);
  int is_blind = asking_is_blind(asking), code = asking_room(asking, wanted);
  asking->kind = ASKING_TOLL;
  if (!code) code = asking_think(asking);
  if (!code && !is_blind && asking->way == ASKING_DISAGREEMENT) code = asking_disagreement(asking, wanted);
  if (!code && !is_blind && asking->way == ASKING_COMBINED) code = asking_margin(asking, wanted, 1);
  if (!code && !is_blind) code = asking_margin(asking, wanted, 0);
  if (!code) code = asking_in_order(asking, wanted);
  asking->stage++;
  return code;
}

int asking_next(struct asking *asking, const struct asking_budget *left) {
  if (asking->kind == ASKING_METER)
    asking->next -= asking->size - asking->heard; /* the meter was closed before these */
  asking->size = asking->heard = 0;
  if (!asking->whole) asking->whole = left->answers;
  if (left->silences && asking->next < asking->pool->count) return asking_meter_round(asking);
  return left->answers ? asking_toll_round(asking, left->answers) : EXIT_OK;
}

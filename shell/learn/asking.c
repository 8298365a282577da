#include "learn/asking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/meter.h"
#include "learn/linear.h"
#include "learn/margin.h"
#include "learn/pool.h"

/* Chosen on public answers alone, on the data sets that tests/bench/accuracy names. */
#define ASKING_BLOCK       4096u /* records that the meter is asked about in one round */
#define ASKING_BLIND       4 /* one in this many answers is asked at random, before the student knows where it errs; */
#define ASKING_FEW         200 /* if there are fewer answers than these ... */
#define ASKING_BLIND_FEW   15  /* ... at most these */
#define ASKING_ROUNDS      30  /* all answers are used in this many rounds */
#define ASKING_HARDLY      3   /* a class that was named less often may have been forgotten */
#define ASKING_CLOSEST     2   /* margin: from this many times the wanted queries, the closest, some are drawn */
#define ASKING_FIRST_STAGE 64  /* disagreement: answers of the first stage, */
#define ASKING_EXAMINED    64u /* records examined at a time, on all cores, */
#define ASKING_TRIES       16u /* and in total for each wanted one; then the student's margin decides */
#define ASKING_CHANCE      3.0 /* standard deviations of the count of errors that chance explains */

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
  if (student->kind->traits & LEARNER_LINEAR) {
    asking->asker = *student;
    code = EXIT_OK;
  } else { /* its model does not tell how close two classes are: a linear learner asks */
    code = learner_parse(&asking->asker, "--ask", "logistic");
    if (!code) learner_fit(&asking->asker, pool, student->classes);
  }
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

/* ---- answers ---- */

/* May the toll be asked about this row? It has no answer, is not in this round, and has no label agreed on. */
static int asking_is_open(const struct asking *asking, size_t row) {
  const int is_done = ASKING_MARK_LABEL | ASKING_MARK_TOLL | ASKING_MARK_CHOSEN;
  return !(asking->mark[row] & is_done) && asking->agreed[row] == ROWS_UNLABELLED;
}

int asking_was_silent(const struct asking *asking, size_t row) {
  return asking->mark[row] & ASKING_MARK_SILENT;
}

static void asking_say(struct asking *asking, size_t row, enum asking_kind kind, int32_t answer) {
  asking->said[asking->count++] = (struct asking_answer){row, kind, answer};
  if (answer != FUMATA_SILENT) asking->named[answer]++;
  if (kind == ASKING_TOLL) asking->mark[row] |= ASKING_MARK_TOLL;
  if (kind == ASKING_METER) asking->mark[row] |= answer == FUMATA_SILENT ? ASKING_MARK_SILENT : ASKING_MARK_LABEL;
}

void asking_take_answer(struct asking *asking, int32_t answer) {
  asking_say(asking, asking->query[asking->answered++].row, asking->kind, answer);
}

int asking_take_earlier(struct asking *asking, size_t row, enum asking_kind kind, int32_t answer) {
  int code = memory_grow(&asking->said, &asking->capacity, asking->count + 1, sizeof *asking->said);
  if (code) return code;
  asking_say(asking, row, kind, answer);
  return EXIT_OK;
}

struct asking_said asking_said(const struct asking *asking) {
  struct asking_said said = {0, 0, 0};
  for (size_t i = 0; i < asking->count; i++)
    ++*(asking->said[i].kind == ASKING_TOLL       ? &said.answers
        : asking->said[i].answer == FUMATA_SILENT ? &said.silences
                                                  : &said.labels);
  return said;
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
    if (said->kind == ASKING_METER && asking->mark[said->row] & ASKING_MARK_TOLL) continue;
    lesson->row[lesson->count] = said->row;
    lesson->answer[lesson->count++] = said->answer;
  }
  lesson->said = lesson->count;
  for (size_t i = 0; i < asking->pool->count; i++) {
    if (asking->agreed[i] == ROWS_UNLABELLED) continue;
    lesson->row[lesson->count] = i;
    lesson->answer[lesson->count++] = asking->agreed[i];
  }
  return EXIT_OK;
}

void asking_lesson_free(struct asking_lesson *lesson) {
  free(lesson->row);
  free(lesson->answer);
  memset(lesson, 0, sizeof *lesson);
}

/* ---- training, and choosing what to ask ---- */

/* Trains the asker on the answers and scores the pool. */
static int asking_train(struct asking *asking) {
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

static struct margin_pair asking_pair(const struct asking *asking, size_t row) {
  return margin_pair(asking->score + row * asking->asker.classes, asking->asker.classes);
}

/* A number below `bound`, each equally likely to within bound / 2^64. */
static int asking_below(struct asking *asking, size_t bound, size_t *number) {
  uint64_t word;
  int code = coins_draw(&asking->coins, &word);
  if (!code) *number = (size_t)(((unsigned __int128)word * bound) >> 64);
  return code;
}

/* Every second time takes one of the rarely named classes, if there are any, instead of the second likeliest: it would
 * otherwise never be a candidate. */
static int asking_recall(struct asking *asking, struct margin_pair *pair) {
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

/* Puts a row into this round, between its two likeliest classes. Before the first training, with more than two classes,
 * between any two. */
static int asking_put(struct asking *asking, size_t row) {
  struct margin_pair pair = asking_pair(asking, row);
  uint32_t classes = asking->asker.classes;
  struct asking_query *query = &asking->query[asking->size++];
  size_t first = 0, second = 0;
  int code = EXIT_OK;
  if (classes > 2 && asking->learned.size) {
    code = asking_recall(asking, &pair);
  } else if (classes > 2) {
    code = asking_below(asking, classes, &first);
    if (!code) code = asking_below(asking, classes - 1, &second);
    pair.likeliest = (uint32_t)first;
    pair.second = (uint32_t)(second + (second >= first));
  }
  query->row = row;
  query->first = pair.likeliest < pair.second ? pair.likeliest : pair.second;
  query->second = pair.likeliest < pair.second ? pair.second : pair.likeliest;
  asking->mark[row] |= ASKING_MARK_CHOSEN;
  return code;
}

/* ---- by margin: where the student's two likeliest classes are closest ---- */

/* Adds up to `wanted` queries to the round: from the closest few at random. With `silent`, silent rows only. */
static int asking_margin(struct asking *asking, size_t wanted, int silent) {
  struct margin_row *close = NULL;
  size_t count = 0, few = 0;
  int code = EXIT_OK;
  if (asking->size >= wanted) return code;
  code = memory_take(&close, asking->pool->count, sizeof *close);
  for (size_t i = 0; !code && i < asking->pool->count; i++)
    if (asking_is_open(asking, i) && (!silent || asking_was_silent(asking, i)))
      close[count++] = (struct margin_row){asking_pair(asking, i).margin, i};
  if (!code) margin_sort(close, count);
  few = (wanted - asking->size) * ASKING_CLOSEST;
  for (few = few < count ? few : count; !code && few && asking->size < wanted; few--) {
    size_t at = 0;
    code = asking_below(asking, few, &at);
    if (!code) code = asking_put(asking, close[at].row);
    close[at] = close[few - 1];
  }
  free(close);
  return code;
}

/* ---- by disagreement (RobustCAL with an ERM oracle) ---- */

/* A record is asked about only if two hypotheses that are still possible differ on it. The learner stands for empirical
 * risk minimisation. One hypothesis is what it learns from the answers. The other is what it learns when the record, with
 * its second likeliest label, is added at a large weight. The second is still possible if it errs on at most `tolerance`
 * answers more than the first, about as many as chance alone explains. Stages double, so that becomes a smaller and
 * smaller share of the answers. If the second is not possible, all agree on the likeliest label, which is free. */
struct asking_examined {
  const struct asking *asking;
  size_t *row; /* answers, and a last place for the record that is forced */
  int32_t *label;
  uint32_t *times;
  size_t answers;
  size_t tolerance; /* errors that a hypothesis may make */
  size_t candidate[ASKING_EXAMINED];
  unsigned char is_possible[ASKING_EXAMINED];
};

/* Errors of a model on the answers. */
static size_t asking_errors(const struct asking_examined *examined, const struct learned *learned) {
  const struct asking *asking = examined->asking;
  size_t errors = 0;
  for (size_t i = 0; i < examined->answers; i++)
    errors += linear_label(learned, asking->asker.classes, asking->pool, examined->row[i]) != examined->label[i];
  return errors;
}

/* Learns with a candidate as its second likeliest label: is the result still possible? */
static int asking_force(void *context, size_t job, unsigned worker) {
  struct asking_examined *examined = context;
  const struct asking *asking = examined->asking;
  size_t count = examined->answers + 1, *row = NULL;
  struct learned learned = {0};
  int32_t *label = NULL;
  int code = memory_take(&row, count, sizeof *row);
  (void)worker;
  if (!code) code = memory_take(&label, count, sizeof *label);
  if (!code) {
    struct lesson lesson = {
        .rows = asking->pool, .row = row, .label = label, .times = examined->times, .share = 1, .count = count};
    memcpy(row, examined->row, examined->answers * sizeof *row);
    memcpy(label, examined->label, examined->answers * sizeof *label);
    row[count - 1] = examined->candidate[job];
    label[count - 1] = (int32_t)asking_pair(asking, examined->candidate[job]).second;
    code = learner_train(&asking->asker, &lesson, &learned);
  }
  if (!code) examined->is_possible[job] = asking_errors(examined, &learned) <= examined->tolerance;
  learned_free(&learned);
  free(row);
  free(label);
  return code;
}

/* Takes the answers that are labels, and the number of errors that are still possible. */
static int asking_examine(struct asking_examined *examined, const struct asking *asking) {
  size_t errors;
  int code = memory_take(&examined->row, asking->count + 1, sizeof *examined->row);
  if (!code) code = memory_take(&examined->label, asking->count + 1, sizeof *examined->label);
  if (!code) code = memory_take(&examined->times, asking->count + 1, sizeof *examined->times);
  if (code) return code;
  examined->asking = asking;
  for (size_t i = 0; i < asking->count; i++) {
    if (asking->said[i].answer == FUMATA_SILENT) continue;
    examined->times[examined->answers] = 1;
    examined->row[examined->answers] = asking->said[i].row;
    examined->label[examined->answers++] = asking->said[i].answer;
  }
  examined->times[examined->answers] = (uint32_t)examined->answers + 1; /* the forced record outweighs all others */
  errors = asking_errors(examined, &asking->learned);
  examined->tolerance = errors + (size_t)floor(ASKING_CHANCE * sqrt((double)errors + 1));
  return EXIT_OK;
}

/* Adds up to `wanted` queries to the round: the next rows, in the pool's order, that are in the region of disagreement;
 * rows passed over get the label that is agreed on. */
static int asking_disagreement(struct asking *asking, size_t wanted) {
  struct asking_examined examined = {0};
  size_t tries = wanted * ASKING_TRIES, count;
  int code = asking_examine(&examined, asking);
  for (; !code && asking->size < wanted && tries; tries -= count) {
    for (count = 0; count < tries && count < ASKING_EXAMINED && asking->next < asking->pool->count; asking->next++)
      if (asking_is_open(asking, asking->next)) examined.candidate[count++] = asking->next;
    if (!count) break;
    code = pool_run(count, asking_force, &examined, NULL);
    for (size_t i = 0; !code && i < count; i++) {
      size_t row = examined.candidate[i];
      if (!examined.is_possible[i])
        asking->agreed[row] = (int32_t)asking_pair(asking, row).likeliest;
      else if (asking->size < wanted)
        code = asking_put(asking, row);
    }
  }
  free(examined.row);
  free(examined.label);
  free(examined.times);
  return code;
}

/* ---- rounds ---- */

/* Room for the queries of a round and for their answers. */
static int asking_room(struct asking *asking, size_t size) {
  int code = memory_grow(&asking->query, &asking->room, size, sizeof *asking->query);
  return code ? code : memory_grow(&asking->said, &asking->capacity, asking->count + size, sizeof *asking->said);
}

/* Passes over rows that an earlier run was answered about. */
static int asking_meter_round(struct asking *asking) {
  size_t left = asking->pool->count - asking->next, size = left < asking->block ? left : asking->block;
  int code = asking_room(asking, size);
  asking->kind = ASKING_METER;
  for (; !code && asking->size < size && asking->next < asking->pool->count; asking->next++)
    if (!(asking->mark[asking->next] & (ASKING_MARK_LABEL | ASKING_MARK_SILENT)))
      asking->query[asking->size++] = (struct asking_query){.row = asking->next};
  return code;
}

/* Before the student has enough answers it asks at random. */
static int asking_is_blind(const struct asking *asking) {
  uint32_t blind = asking->whole / ASKING_BLIND;
  if (asking->whole < ASKING_FEW && blind > ASKING_BLIND_FEW) blind = ASKING_BLIND_FEW;
  if (asking->way == ASKING_RANDOM) return 1;
  return asking->count < (asking->way == ASKING_MARGIN ? blind : 1);
}

static int asking_toll_round(struct asking *asking, uint32_t left) {
  size_t wanted = (asking->whole + asking->rounds - 1) / asking->rounds;
  int is_blind = asking_is_blind(asking), code;
  if (asking->way == ASKING_DISAGREEMENT)
    wanted = (size_t)ASKING_FIRST_STAGE << (asking->stage < 32 ? asking->stage : 32);
  if (wanted > left) wanted = left;
  code = asking_room(asking, wanted);
  asking->kind = ASKING_TOLL;
  if (!code) code = asking_train(asking);
  if (!code && !is_blind && asking->way == ASKING_DISAGREEMENT) code = asking_disagreement(asking, wanted);
  if (!code && !is_blind && asking->way == ASKING_COMBINED) code = asking_margin(asking, wanted, 1);
  if (!code && !is_blind) code = asking_margin(asking, wanted, 0);
  /* The rest in the pool's own order, which is random. */
  for (; !code && asking->size < wanted && asking->next < asking->pool->count; asking->next++)
    if (asking_is_open(asking, asking->next)) code = asking_put(asking, asking->next);
  asking->stage++;
  return code;
}

int asking_next(struct asking *asking, const struct asking_budget *left) {
  int code = EXIT_OK;
  if (asking->kind == ASKING_METER && asking->answered < asking->size)
    asking->next = asking->query[asking->answered].row; /* the meter closed before these */
  asking->size = asking->answered = 0;
  if (!asking->whole) {
    uint32_t before = (uint32_t)asking_said(asking).answers;
    asking->whole = left->answers + before;
    while (((size_t)ASKING_FIRST_STAGE << (asking->stage + 1)) - ASKING_FIRST_STAGE <= before)
      asking->stage++;
  }
  if (left->silences && asking->next < asking->pool->count) code = asking_meter_round(asking);
  return code || asking->size || !left->answers ? code : asking_toll_round(asking, left->answers);
}

#include "learn/polling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/crowd.h"
#include "learn/choosing.h"
#include "learn/student.h"

/* The rule. Chosen on a9a, dutch_census, hotel_bookings, mushrooms and Fashion-MNIST. */
#define POLLING_VOTERS     0.6   /* K: so many times the root of the number of units over that of epsilon, ... */
#define POLLING_CLASSES    2.0   /* ... and over the root of the classes by this, ... */
#define POLLING_VOTERS_MIN 20    /* ... at least */
#define POLLING_QUESTIONS  8000  /* L at most, ... */
#define POLLING_PER_ROW    0.5   /* ... and of a public row so many */
#define POLLING_SPARE      2.0   /* B: so many times the votes that a unit has on average */
#define POLLING_BLIND      0.25  /* share of the questions that are asked at random points */
#define POLLING_ROUNDS     6     /* the others */
#define POLLING_CANDIDATES 20000 /* public rows that may be asked about, at most */
#define POLLING_MEASURES   8192  /* public rows by which a radius is measured: these, ... */
#define POLLING_RANK       10    /* ... or as many more as put so many of them within it */

#define POLLING_CLOSEST 2    /* of so many times the wanted ones, those of least margin, some are asked at random */
#define POLLING_TEXT    4200 /* of a learner: the command of an exec learner is the longest */
#define POLLING_BLOCK   64   /* centres measured at a time */

/* Who asks, and who is the student where nobody says. Places are sharpened by askers, so that these score row by row. */
static const char *const polling_askers[] = {"logistic:C=3", "kernel:C=3,landmarks=150"};
static const char *const polling_students[] = {"logistic:C=1", "logistic:C=10", "trees:rounds=50,depth=4,rate=0.1",
                                               "kernel:C=10"};
#define POLLING_ASKERS   (sizeof polling_askers / sizeof *polling_askers)
#define POLLING_STUDENTS (sizeof polling_students / sizeof *polling_students)

void polling_rule_make(struct polling_rule *rule, const struct polling_facts *facts) {
  double n = facts->units > 1 ? (double)facts->units : 1, pool = (double)facts->pool;
  double voters = POLLING_VOTERS * sqrt(n / facts->epsilon * POLLING_CLASSES / facts->classes);
  double questions = POLLING_PER_ROW * pool, measures, votes;
  if (voters < POLLING_VOTERS_MIN) voters = POLLING_VOTERS_MIN;
  if (voters > n) voters = n;
  if (questions > POLLING_QUESTIONS) questions = POLLING_QUESTIONS;
  if (questions < 1) questions = 1;
  measures = POLLING_RANK * n / voters > POLLING_MEASURES ? POLLING_RANK * n / voters : POLLING_MEASURES;
  votes = ceil(POLLING_SPARE * questions * voters / n);
  rule->voters = (uint32_t)voters;
  rule->questions = (uint32_t)questions;
  rule->votes = votes < 1 ? 1 : votes > FUMATA_POLL_VOTES_MAX ? FUMATA_POLL_VOTES_MAX : (uint32_t)votes;
  rule->first = (uint32_t)ceil(POLLING_BLIND * questions);
  rule->rounds = POLLING_ROUNDS;
  rule->candidates = facts->pool < POLLING_CANDIDATES ? facts->pool : POLLING_CANDIDATES;
  rule->measures = measures < pool ? (size_t)measures : facts->pool;
  rule->rank = voters * (double)rule->measures / n;
}

/* What became of a candidate, and what is still open at the point at hand: of more than two classes, which are left. */
struct polling_said {
  size_t candidate;
  int32_t label;
};

struct polling_point {
  size_t candidate;
  uint32_t radius;
  uint32_t left; /* classes that may still be it: inside->order[point * classes ...], the first ones */
  int16_t *weights;
};

struct polling_inside {
  uint64_t state; /* of the generator */
  size_t *row;    /* candidates */
  size_t candidates;
  unsigned char *is_asked;
  fumata_points here;    /* places of candidates */
  fumata_points measure; /* places of the rows that measure */
  size_t *measured;      /* which rows these are */
  uint32_t *distances;
  struct learner asker[POLLING_ASKERS];
  struct learned learned[2]; /* the student of now, whom the places know, and the one before */
  int now;
  float *score; /* candidates x classes, by that student */
  struct polling_said *said;
  size_t count, capacity;
  /* the round at hand */
  struct polling_point *point;
  size_t points, points_room, weights_room, order_room, question_room;
  uint32_t *order;
  int16_t *weights;
  size_t *asks; /* which point each question of the batch is of */
  size_t asks_room;
  uint32_t round, asked;
};

/* Fits learners to the pool. None of them owns memory. */
static int polling_learners_make(const char *const *text, size_t count, const struct polling *polling,
                                 struct learner *learner) {
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < count; i++) {
    code = learner_parse(&learner[i], "--student", text[i]);
    if (!code) learner_fit(&learner[i], polling->pool, polling->classes);
  }
  return code;
}

/* splitmix64: the seed is public. */
static uint64_t polling_word(struct polling_inside *in) {
  uint64_t z = in->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static size_t polling_below(struct polling_inside *in, size_t bound) {
  return (size_t)(((unsigned __int128)polling_word(in) * bound) >> 64);
}

int polling_parse(enum polling_aim *aim, const char *text) {
  if (!strcmp(text, "accuracy")) return *aim = POLLING_ACCURACY, EXIT_OK;
  if (!strcmp(text, "balanced")) return *aim = POLLING_BALANCED, EXIT_OK;
  return error_report(EXIT_INPUT, "--aim: '%.40s' is not accuracy or balanced", text);
}

const char *polling_name(enum polling_aim aim) {
  return aim == POLLING_BALANCED ? "balanced" : "accuracy";
}

/* ---- places of public rows ---- */

static int polling_points_take(fumata_points *points, size_t count, uint32_t dimensions) {
  int code = memory_align(&points->places, count * dimensions, sizeof *points->places);
  if (!code) code = memory_take(&points->norms, count, sizeof *points->norms);
  points->size = (uint32_t)count;
  points->dimensions = dimensions;
  return code;
}

/* Makes all places again; `whole`: not only what the student changes. */
static int polling_settle(struct polling *polling, fumata_points *points, const size_t *row, int whole) {
  for (uint32_t i = 0; i < points->size; i++) {
    int16_t *place = points->places + (size_t)i * points->dimensions;
    (whole ? places_of_row : places_sharpen_row)(polling->places, polling->pool, row[i], place);
  }
  return fumata_crowd_settle(points) == FUMATA_OK ? EXIT_OK : error_report(EXIT_SYSTEM, "places that are not places");
}

/* `count` of `total` numbers, in random order. */
static int polling_draw(struct polling_inside *in, size_t total, size_t count, size_t **chosen) {
  size_t *all;
  int code = memory_take(&all, total, sizeof *all);
  if (code) return code;
  for (size_t i = 0; i < total; i++)
    all[i] = i;
  for (size_t i = 0; i < count; i++) {
    size_t other = i + polling_below(in, total - i), keep = all[i];
    all[i] = all[other];
    all[other] = keep;
  }
  *chosen = all;
  return EXIT_OK;
}

int polling_init(struct polling *polling, const struct polling_rule *rule, const struct rows *pool,
                 struct places *places, uint32_t classes, enum polling_aim aim, uint64_t seed) {
  struct polling_inside *in;
  int code;
  memset(polling, 0, sizeof *polling);
  polling->rule = rule;
  polling->pool = pool;
  polling->places = places;
  polling->classes = classes;
  polling->aim = aim;
  code = memory_take(&polling->inside, 1, sizeof *polling->inside);
  if (code) return code;
  in = polling->inside;
  in->state = seed;
  in->candidates = rule->candidates;
  code = polling_learners_make(polling_askers, POLLING_ASKERS, polling, in->asker);
  if (!code) code = polling_draw(in, pool->count, in->candidates, &in->row);
  if (!code) code = polling_draw(in, pool->count, rule->measures, &in->measured);
  if (!code) code = memory_take(&in->is_asked, in->candidates, 1);
  if (!code) code = memory_take(&in->score, in->candidates * classes, sizeof *in->score);
  if (!code) code = memory_align(&in->distances, POLLING_BLOCK * rule->measures, sizeof *in->distances);
  if (!code) code = polling_points_take(&in->here, in->candidates, places->dimensions);
  if (!code) code = polling_points_take(&in->measure, rule->measures, places->dimensions);
  if (!code) code = polling_settle(polling, &in->here, in->row, 1);
  if (!code) code = polling_settle(polling, &in->measure, in->measured, 1);
  if (code) polling_free(polling);
  return code;
}

void polling_free(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  if (in) {
    free(in->row);
    free(in->measured);
    free(in->is_asked);
    free(in->score);
    free(in->distances);
    free(in->here.places);
    free(in->here.norms);
    free(in->measure.places);
    free(in->measure.norms);
    learned_free(&in->learned[0]);
    learned_free(&in->learned[1]);
    free(in->said);
    free(in->point);
    free(in->order);
    free(in->weights);
    free(in->asks);
    free(in);
  }
  free(polling->question);
  memset(polling, 0, sizeof *polling);
}

/* ---- radius ---- */

/* The value that stands at `rank` once all are in order; the values are moved about. */
static uint32_t polling_select(uint32_t *value, size_t count, size_t rank) {
  size_t low = 0, high = count - 1;
  while (low < high) {
    uint32_t pivot = value[low + (high - low) / 2];
    size_t i = low, j = high;
    for (;;) {
      while (value[i] < pivot)
        i++;
      while (value[j] > pivot)
        j--;
      if (i >= j) break;
      uint32_t keep = value[i];
      value[i++] = value[j];
      value[j--] = keep;
    }
    if (rank <= j)
      high = j;
    else
      low = j + 1;
  }
  return value[low];
}

/* The radius of each point of the round. */
static int polling_measure(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  size_t rank = (size_t)(polling->rule->rank + 0.5), dimensions = polling->places->dimensions;
  fumata_points block = {0};
  int code = polling_points_take(&block, POLLING_BLOCK, polling->places->dimensions);
  if (rank >= in->measure.size) rank = in->measure.size - 1;
  for (size_t p = 0; !code && p < in->points; p += POLLING_BLOCK) {
    block.size = (uint32_t)(in->points - p < POLLING_BLOCK ? in->points - p : POLLING_BLOCK);
    for (uint32_t q = 0; q < block.size; q++)
      memcpy(block.places + q * dimensions, in->here.places + in->point[p + q].candidate * dimensions,
             dimensions * sizeof *block.places);
    if (fumata_crowd_settle(&block) || fumata_crowd_find(&in->measure, &block, in->distances))
      code = error_report(EXIT_SYSTEM, "places that are not places");
    for (uint32_t q = 0; !code && q < block.size; q++)
      in->point[p + q].radius = polling_select(in->distances + (size_t)q * in->measure.size, in->measure.size, rank);
  }
  free(block.places);
  free(block.norms);
  return code;
}

/* ---- the student of now ---- */

/* Trains the one of the two askers that does better on answers it has not seen; scores of candidates and places follow. */
static int polling_train(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  struct polling_lesson heard;
  struct learned learned = {0};
  const struct learner *asker;
  size_t best = 0;
  int code = polling_lesson_make(polling, &heard);
  struct lesson lesson = {.rows = polling->pool, .row = heard.row, .label = heard.label, .count = heard.count};
  if (!code) code = choosing_best(in->asker, POLLING_ASKERS, &lesson, &best);
  asker = &in->asker[best];
  if (!code) code = learner_train(asker, &lesson, &learned);
  polling_lesson_free(&heard);
  if (code) return code;
  in->now = !in->now;
  learned_free(&in->learned[in->now]);
  in->learned[in->now] = learned;
  for (size_t i = 0; i < in->candidates; i++)
    asker->kind->score_row(asker, &learned, polling->pool, in->row[i], in->score + i * polling->classes);
  code = places_sharpen(polling->places, asker, &in->learned[in->now], polling->pool);
  polling->sharpened++;
  if (!code) code = polling_settle(polling, &in->here, in->row, 0);
  if (!code) code = polling_settle(polling, &in->measure, in->measured, 0);
  return code;
}

/* The two likeliest classes of a candidate, and how far apart they are. */
struct polling_pair {
  uint32_t likeliest, second;
  float margin;
};

static struct polling_pair polling_pair(const struct polling *polling, size_t candidate) {
  const float *score = polling->inside->score + candidate * polling->classes;
  struct polling_pair pair = {score[1] > score[0], score[1] <= score[0], 0};
  for (uint32_t c = 2; c < polling->classes; c++)
    if (score[c] > score[pair.likeliest]) {
      pair.second = pair.likeliest;
      pair.likeliest = c;
    } else if (score[c] > score[pair.second])
      pair.second = c;
  pair.margin = score[pair.likeliest] - score[pair.second];
  return pair;
}

/* ---- points of a round ---- */

struct polling_close {
  float margin;
  size_t candidate;
};

static int polling_closer(const void *a, const void *b) {
  const struct polling_close *x = a, *y = b;
  if (x->margin != y->margin) return x->margin < y->margin ? -1 : 1;
  return x->candidate < y->candidate ? -1 : x->candidate > y->candidate;
}

/* Chooses up to `wanted` points: at random, or among those of least margin. */
static int polling_choose(struct polling *polling, size_t wanted) {
  struct polling_inside *in = polling->inside;
  struct polling_close *close;
  size_t count = 0, few;
  int is_blind = !in->learned[in->now].size, code = memory_take(&close, in->candidates, sizeof *close);
  for (size_t i = 0; !code && i < in->candidates; i++)
    if (!in->is_asked[i]) close[count++] = (struct polling_close){is_blind ? 0 : polling_pair(polling, i).margin, i};
  if (!code && !is_blind) qsort(close, count, sizeof *close, polling_closer);
  few = is_blind ? count : wanted * POLLING_CLOSEST;
  if (few > count) few = count;
  in->points = 0;
  if (!code) code = memory_grow(&in->point, &in->points_room, wanted, sizeof *in->point);
  for (; !code && few && in->points < wanted; few--) {
    size_t at = polling_below(in, few);
    in->point[in->points++] = (struct polling_point){.candidate = close[at].candidate};
    in->is_asked[close[at].candidate] = 1;
    close[at] = close[few - 1];
  }
  free(close);
  return code;
}

/* Which classes are in question at each point: the student's two likeliest, or all of them, in random order. */
static int polling_open(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  uint32_t classes = polling->classes;
  int code = memory_grow(&in->order, &in->order_room, in->points * classes, sizeof *in->order);
  if (!code) code = memory_grow(&in->weights, &in->weights_room, in->points * classes, sizeof *in->weights);
  for (size_t p = 0; !code && p < in->points; p++) {
    uint32_t *order = in->order + p * classes;
    if (classes > 2 && in->learned[in->now].size) {
      struct polling_pair pair = polling_pair(polling, in->point[p].candidate);
      order[0] = pair.likeliest;
      order[1] = pair.second;
      in->point[p].left = 2;
      continue;
    }
    in->point[p].left = classes;
    for (uint32_t c = 0; c < classes; c++)
      order[c] = c;
    for (uint32_t c = classes; classes > 2 && c > 1; c--) {
      size_t other = polling_below(in, c);
      uint32_t keep = order[c - 1];
      order[c - 1] = order[other];
      order[other] = keep;
    }
  }
  return code;
}

/* The next question of each point at which more than one class is left: is it of the second half? */
static int polling_ask(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  uint32_t classes = polling->classes;
  int code = memory_grow(&polling->question, &in->question_room, in->points, sizeof *polling->question);
  if (!code) code = memory_grow(&in->asks, &in->asks_room, in->points, sizeof *in->asks);
  polling->size = polling->heard = 0;
  for (size_t p = 0; !code && p < in->points; p++) {
    struct polling_point *point = &in->point[p];
    int16_t *weights = in->weights + p * classes;
    if (point->left < 2) continue;
    memset(weights, 0, classes * sizeof *weights);
    for (uint32_t c = 0; c < point->left; c++)
      weights[in->order[p * classes + c]] = c < point->left / 2 ? -1 : 1;
    in->asks[polling->size] = p;
    polling->question[polling->size++] =
        (struct polling_question){in->row[point->candidate], point->radius, weights, 1};
  }
  return code;
}

void polling_hear(struct polling *polling, int yes) {
  struct polling_inside *in = polling->inside;
  size_t p = in->asks[polling->heard++];
  struct polling_point *point = &in->point[p];
  uint32_t *order = in->order + p * polling->classes, half = point->left / 2;
  if (yes) memmove(order, order + half, (point->left - half) * sizeof *order);
  point->left = yes ? point->left - half : half;
  in->asked++;
  if (point->left > 1) return;
  in->said[in->count++] = (struct polling_said){point->candidate, (int32_t)order[0]};
}

/* Points of the next round: as many as its questions allow. */
static size_t polling_wanted(const struct polling *polling) {
  const struct polling_rule *rule = polling->rule;
  const struct polling_inside *in = polling->inside;
  uint32_t left = rule->questions > in->asked ? rule->questions - in->asked : 0, each = 1;
  if (in->round > rule->rounds) return 0;
  if (in->round == 0) {
    while ((UINT32_C(1) << each) < polling->classes)
      each++;
    return (rule->first + each - 1) / each;
  }
  return left / (rule->rounds + 1 - in->round);
}

int polling_next(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  int code = polling_ask(polling);
  if (code || polling->size) return code;
  if (in->round && in->round <= polling->rule->rounds && in->count) code = polling_train(polling);
  if (!code) code = polling_choose(polling, polling_wanted(polling));
  if (!code) code = memory_grow(&in->said, &in->capacity, in->count + in->points, sizeof *in->said);
  if (!code) code = polling_measure(polling);
  if (!code) code = polling_open(polling);
  in->round++;
  return code ? code : polling_ask(polling);
}

/* ---- what was said ---- */

int polling_lesson_make(const struct polling *polling, struct polling_lesson *lesson) {
  const struct polling_inside *in = polling->inside;
  int code;
  memset(lesson, 0, sizeof *lesson);
  code = memory_take(&lesson->row, in->count, sizeof *lesson->row);
  if (!code) code = memory_take(&lesson->label, in->count, sizeof *lesson->label);
  for (; !code && lesson->count < in->count; lesson->count++) {
    lesson->row[lesson->count] = in->row[in->said[lesson->count].candidate];
    lesson->label[lesson->count] = in->said[lesson->count].label;
  }
  if (code) polling_lesson_free(lesson);
  return code;
}

void polling_lesson_free(struct polling_lesson *lesson) {
  free(lesson->row);
  free(lesson->label);
  memset(lesson, 0, sizeof *lesson);
}

static int polling_choose_learner(const struct polling *polling, const struct polling_lesson *heard,
                                  struct learner *student) {
  struct learner learner[POLLING_STUDENTS] = {0};
  struct lesson lesson = {.rows = polling->pool, .row = heard->row, .label = heard->label, .count = heard->count};
  size_t best = 0;
  int code = polling_learners_make(polling_students, POLLING_STUDENTS, polling, learner);
  if (!code) code = choosing_best(learner, POLLING_STUDENTS, &lesson, &best);
  if (!code) *student = learner[best]; /* none of them owns memory */
  return code;
}

int polling_student(const struct polling *polling, const struct learner *said, struct learner *student,
                    struct learned *learned) {
  struct polling_lesson lesson;
  char text[POLLING_TEXT];
  int code = polling_lesson_make(polling, &lesson);
  memset(student, 0, sizeof *student);
  if (code) return code;
  if (said) {
    learner_print(said, text, sizeof text);
    code = learner_parse(student, "--student", text);
    if (!code) learner_fit(student, polling->pool, polling->classes);
  } else {
    code = polling_choose_learner(polling, &lesson, student);
  }
  if (!code)
    code = student_train(student, polling->pool, lesson.row, lesson.label, lesson.count, SILENT_DROP, NULL, learned);
  polling_lesson_free(&lesson);
  if (code) learner_free(student);
  return code;
}

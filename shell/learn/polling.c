#include "learn/polling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/crowd.h"
#include "learn/choosing.h"
#include "learn/margin.h"

#define POLLING_CLOSEST 2    /* from this many times the wanted points, those of least margin, some are drawn */
#define POLLING_BLOCK   64   /* centres whose distances are measured at a time */
#define POLLING_WEIGHT  1000 /* weight of the heaviest class, if classes are weighed by their share */

/* The learners that ask. They sharpen the places, so they score row by row. */
static const char *const polling_askers[] = {"logistic:C=3", "kernel:C=3,landmarks=150",
                                             "trees:rounds=50,depth=4,rate=0.1"};
#define POLLING_ASKERS (sizeof polling_askers / sizeof *polling_askers)

#define POLLING_ASKER_TREES 500  /* columns times classes: above this trees do not ask, because they take too long */
#define POLLING_LEAD        0.96 /* trees ask if answers are this much less unlikely to them than to other askers */
#define POLLING_COMPARE     3    /* askers are compared before the first round and before every third one after it */

/* If two classes count alike, or one of two is rare: first find the share at which half of the random points say yes.
 * Start at one half, and halve it (or the rest) each time. */
#define POLLING_PARTS   8     /* parts of the random points, each asked at one share */
#define POLLING_FEW     0.35  /* if fewer say yes, the share is too high; if fewer say no, too low */
#define POLLING_LEAST   0.002 /* the smallest share */
#define POLLING_RARE    0.1   /* a class is rare if it is likeliest at fewer points: this share is asked about, ... */
#define POLLING_CROWDED 2     /* at most this many times as many records are asked as at a share of one half */
#define POLLING_NEVER   0.01  /* the student's own shares are cut off this close to 0 and 1 */
#define POLLING_LAST    2 /* ... but the last rounds, this many, ask about one half, where that class is likeliest */

/* A candidate with its label. */
struct polling_said {
  size_t candidate;
  int32_t label;
  double share;  /* the share that it was asked at */
  double voters; /* about how many records were asked */
};

struct polling_point {
  size_t candidate;
  uint32_t radius;
  uint32_t left; /* how many classes may still be the answer: the first ones of inside->order[point * classes ...] */
  int16_t *weights;
  double share; /* of the second class, that is asked about */
};

struct polling_inside {
  uint64_t state; /* of the generator */
  size_t *row;    /* candidates */
  size_t candidates;
  unsigned char *is_asked;
  fumata_points here;    /* places of candidates */
  fumata_points measure; /* places of the rows that measure a radius */
  size_t *measured;      /* the public row of each */
  uint32_t *distances;
  struct learner asker[POLLING_ASKERS];
  size_t askers, steady;     /* their number; how many of them, the first, learn a threshold other than one half well */
  size_t best;               /* the current asker */
  struct learned learned[2]; /* the current student, which the places use, and the one before */
  int now;
  float *score; /* candidates x classes, by the current student */
  struct polling_said *said;
  size_t count, capacity;
  size_t blind; /* the first ones of `said`: at random points */
  /* this round */
  struct polling_point *point;
  size_t points, points_room, weights_room, order_room, question_room;
  uint32_t *order;
  int16_t *weights;
  size_t *asks; /* the point of each question of the batch */
  size_t asks_room;
  uint32_t round;
  double asked; /* questions so far; one that asks more records counts as more */
  /* two classes: the share of the second one that is asked about, and the share that was found for a student that ranks */
  double share, ranked, too_low, too_high;
  int is_sought; /* the share is not found yet */
  uint32_t part;
  size_t part_first; /* how many of `said` came before this part */
};

/* Fits the askers that are quick enough to the pool. None of them owns memory. */
static int polling_askers_make(const struct polling *polling, struct polling_inside *in) {
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < POLLING_ASKERS; i++) {
    struct learner *asker = &in->asker[in->askers];
    code = learner_parse(asker, "--student", polling_askers[i]);
    if (!code) learner_fit(asker, polling->pool, polling->classes);
    in->askers += !code && polling_student_is_quick(asker, POLLING_ASKER_TREES);
    if (!code && asker->kind->traits & LEARNER_HEARS) in->steady = in->askers;
  }
  return code;
}

/* The asker that finds the answers likeliest. One that is not steady must lead clearly: its neighbours are all records
 * that score alike by chance. */
static int polling_askers_compare(struct polling_inside *in, size_t askers, const struct lesson *lesson) {
  double loss[POLLING_ASKERS];
  int code = choosing_losses(in->asker, askers, lesson, loss);
  in->best = 0;
  for (size_t i = 1; !code && i < askers; i++)
    if (loss[i] < loss[in->best] * (i < in->steady ? 1 : POLLING_LEAD)) in->best = i;
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

/* Makes all places again; `whole`: not only the part that the student changes. */
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
  in->share = in->ranked = 0.5;
  in->too_high = 1;
  in->is_sought = classes == 2;
  in->candidates = rule->candidates;
  code = polling_askers_make(polling, in);
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

/* How many times as many records are asked about this share as about one half: a lead is a difference of shares times the
 * number of records, and about a rare class these differences are small. */
static double polling_crowded(const struct polling *polling) {
  double share = polling->inside->share, more = 0.25 / (share * (1 - share));
  return more < POLLING_CROWDED ? more : POLLING_CROWDED;
}

/* ---- radius ---- */

/* The value at `rank` in ascending order; reorders the values. */
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

/* Finds the radius of each point of the round. */
static int polling_measure(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  size_t rank = (size_t)(polling->rule->rank * polling_crowded(polling) + 0.5),
         dimensions = polling->places->dimensions;
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

/* ---- the current student ---- */

/* Trains the asker that does best on answers it was not taught, then scores candidates and makes places. If a class is
 * rare, student and asker are learners whose threshold can be moved. */
static int polling_train(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  struct polling_lesson heard;
  struct learned learned = {0};
  const struct learner *asker;
  int code = polling_lesson_hear(polling, &heard);
  struct lesson lesson = polling_lesson(polling, &heard);
  size_t askers = heard.heard ? in->steady : in->askers;
  if (!code && in->round % POLLING_COMPARE == 1) code = polling_askers_compare(in, askers, &lesson);
  asker = &in->asker[in->best];
  if (!code) code = learner_train(asker, &lesson, &learned);
  if (!code && asker->kind->by_row) code = asker->kind->by_row(asker, &learned);
  polling_lesson_free(&heard);
  if (code) return learned_free(&learned), code;
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

/* Is each point asked about the share that the student foresees there? */
static int polling_is_spread(const struct polling *polling) {
  const struct polling_inside *in = polling->inside;
  return polling->classes == 2 && in->share != 0.5 && in->learned[in->now].size;
}

static struct margin_pair polling_pair(const struct polling *polling, size_t candidate) {
  return margin_pair(polling->inside->score + candidate * polling->classes, polling->classes);
}

/* ---- points of a round ---- */

/* The share of the second class that the current student foresees. */
static double polling_foreseen(const struct polling *polling, size_t candidate) {
  const float *score = polling->inside->score + candidate * polling->classes;
  double share = 1 / (1 + exp((double)score[0] - (double)score[1]));
  return share < POLLING_NEVER ? POLLING_NEVER : share > 1 - POLLING_NEVER ? 1 - POLLING_NEVER : share;
}

/* Candidates with the smallest keys are asked about: those of least margin; or, for a student that ranks, a random draw in
 * which a candidate is the likelier, the likelier it is of the rarer class. */
static float polling_key(struct polling *polling, size_t candidate) {
  double share, even;
  if (!polling_is_spread(polling)) return polling_pair(polling, candidate).margin;
  share = polling_foreseen(polling, candidate);
  even = ((double)(polling_word(polling->inside) >> 11) + 0.5) * 0x1p-53;
  return (float)(-log(even) / (share < 0.5 ? share : 1 - share));
}

/* Chooses up to `wanted` points: at random, or among those of least margin. */
static int polling_choose(struct polling *polling, size_t wanted) {
  struct polling_inside *in = polling->inside;
  struct margin_row *close;
  size_t count = 0, few;
  int is_blind = !in->learned[in->now].size, is_spread = polling_is_spread(polling);
  int code = memory_take(&close, in->candidates, sizeof *close);
  for (size_t i = 0; !code && i < in->candidates; i++)
    if (!in->is_asked[i]) close[count++] = (struct margin_row){is_blind ? 0 : polling_key(polling, i), i};
  if (!code && !is_blind) margin_sort(close, count);
  few = is_blind ? count : is_spread ? wanted : wanted * POLLING_CLOSEST;
  if (few > count) few = count;
  in->points = 0;
  if (!code) code = memory_grow(&in->point, &in->points_room, wanted, sizeof *in->point);
  for (; !code && few && in->points < wanted; few--) {
    size_t at = polling_below(in, few), candidate = close[at].row;
    double share = is_spread ? polling_foreseen(polling, candidate) : in->share;
    in->point[in->points++] = (struct polling_point){.candidate = candidate, .share = share};
    in->is_asked[candidate] = 1;
    close[at] = close[few - 1];
  }
  free(close);
  return code;
}

/* Sets the possible classes of each point: the student's two likeliest, or all of them, in random order. */
static int polling_open(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  uint32_t classes = polling->classes;
  int code = memory_grow(&in->order, &in->order_room, in->points * classes, sizeof *in->order);
  if (!code) code = memory_grow(&in->weights, &in->weights_room, in->points * classes, sizeof *in->weights);
  for (size_t p = 0; !code && p < in->points; p++) {
    uint32_t *order = in->order + p * classes;
    if (classes > 2 && in->learned[in->now].size) {
      struct margin_pair pair = polling_pair(polling, in->point[p].candidate);
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

/* Counts how often each class was named. */
static void polling_count(const struct polling *polling, double *named) {
  const struct polling_inside *in = polling->inside;
  for (uint32_t c = 0; c < polling->classes; c++)
    named[c] = 1;
  for (size_t i = 0; i < in->count; i++)
    named[in->said[i].label]++;
}

/* The weights of a point's classes: its second half against its first. With two classes the share gives the weights. With
 * more that count alike, each weighs one over how often it was named. */
static uint32_t polling_weigh(const struct polling *polling, size_t p, const double *named, int16_t *weights) {
  const struct polling_inside *in = polling->inside;
  const uint32_t *order = in->order + p * polling->classes, left = in->point[p].left;
  double share = in->point[p].share, most = 0, weight[2] = {share, 1 - share};
  int is_pair = polling->classes == 2;
  int is_even = is_pair ? share == 0.5 : polling->aim == POLLING_ACCURACY || !in->learned[in->now].size;
  memset(weights, 0, polling->classes * sizeof *weights);
  for (uint32_t k = 0; k < left; k++)
    most = fmax(most, is_even ? 1 : is_pair ? weight[order[k]] : 1 / named[order[k]]);
  for (uint32_t k = 0; k < left; k++) {
    double scaled = is_even ? 1 : rint(POLLING_WEIGHT * (is_pair ? weight[order[k]] : 1 / named[order[k]]) / most);
    weights[order[k]] = (int16_t)((k < left / 2 ? -1 : 1) * (scaled < 1 ? 1 : scaled));
  }
  return is_even ? 1 : POLLING_WEIGHT;
}

/* Makes the next question of each point with more than one class left: is it of the second half? */
static int polling_ask(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  double *named = NULL;
  int code = memory_grow(&polling->question, &in->question_room, in->points, sizeof *polling->question);
  if (!code) code = memory_grow(&in->asks, &in->asks_room, in->points, sizeof *in->asks);
  if (!code) code = memory_take(&named, polling->classes, sizeof *named);
  if (!code) polling_count(polling, named);
  polling->size = polling->heard = 0;
  for (size_t p = 0; !code && p < in->points; p++) {
    struct polling_point *point = &in->point[p];
    int16_t *weights = in->weights + p * polling->classes;
    if (point->left < 2) continue;
    in->asks[polling->size] = p;
    polling->question[polling->size] = (struct polling_question){in->row[point->candidate], point->radius, weights, 0};
    polling->question[polling->size++].most = polling_weigh(polling, p, named, weights);
  }
  free(named);
  return code;
}

void polling_hear(struct polling *polling, int yes) {
  struct polling_inside *in = polling->inside;
  size_t p = in->asks[polling->heard++];
  struct polling_point *point = &in->point[p];
  uint32_t *order = in->order + p * polling->classes, half = point->left / 2;
  if (yes) memmove(order, order + half, (point->left - half) * sizeof *order);
  point->left = yes ? point->left - half : half;
  in->asked += polling_crowded(polling);
  if (point->left > 1) return;
  in->said[in->count++] = (struct polling_said){point->candidate, (int32_t)order[0], point->share,
                                                polling_crowded(polling) * polling->rule->voters};
}

/* How many points the next round has: as many as its questions allow; a question that asks more records counts as more. */
static size_t polling_wanted(const struct polling *polling) {
  const struct polling_rule *rule = polling->rule;
  const struct polling_inside *in = polling->inside;
  double more = polling_crowded(polling), rest = rule->questions > in->asked ? rule->questions - in->asked : 0;
  uint32_t left = (uint32_t)(rest / more), each = 1;
  if (in->round > rule->rounds) return 0;
  if (in->round) return left / (rule->rounds + 1 - in->round);
  while ((UINT32_C(1) << each) < polling->classes)
    each++;
  left = (uint32_t)((rule->first + each - 1) / each / more);
  return in->is_sought ? (left + POLLING_PARTS - 1) / POLLING_PARTS : left - left * in->part / POLLING_PARTS;
}

/* Chooses the next share after a part of the random points. A share at which nearly all say the same teaches little. After
 * a change of share, points may be asked again. */
static void polling_seek(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  size_t yes = 0, count = in->count - in->part_first;
  double say_yes, before = in->share;
  for (size_t i = in->part_first; i < in->count; i++)
    yes += in->said[i].label == 1;
  say_yes = count ? (double)yes / (double)count : 0.5;
  in->part_first = in->count;
  in->part++;
  if (polling->aim == POLLING_ACCURACY && in->part == 1 && say_yes >= POLLING_RARE && say_yes <= 1 - POLLING_RARE)
    in->is_sought = 0;
  else if (say_yes < POLLING_FEW)
    in->too_high = in->share;
  else if (say_yes > 1 - POLLING_FEW)
    in->too_low = in->share;
  else
    in->is_sought = 0;
  if (!in->is_sought) return;
  if (in->too_low > 0 && in->too_high < 1)
    in->share = sqrt(in->too_low * in->too_high);
  else
    in->share = in->too_low > 0 ? 1 - (1 - in->share) / 2 : in->share / 2;
  if (in->share < POLLING_LEAST || in->share > 1 - POLLING_LEAST) in->share = before;
  in->is_sought = in->share != before && in->part + 1 < POLLING_PARTS;
  in->ranked = in->share;
  if (in->share != before) memset(in->is_asked, 0, in->candidates);
}

/* If a class is rare, the last rounds look for the likeliest class. */
static void polling_turn(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  if (polling->aim == POLLING_BALANCED || in->share == 0.5 || in->round + POLLING_LAST <= polling->rule->rounds) return;
  in->share = 0.5;
  memset(in->is_asked, 0, in->candidates);
}

int polling_next(struct polling *polling) {
  struct polling_inside *in = polling->inside;
  int code = polling_ask(polling), was_sought = in->is_sought;
  if (code || polling->size) return code;
  if (was_sought && in->count) polling_seek(polling);
  if (in->round <= 1) in->blind = in->count;
  if (in->round && in->round <= polling->rule->rounds && in->count) code = polling_train(polling);
  polling_turn(polling);
  if (!code) code = polling_choose(polling, polling_wanted(polling));
  if (!code) code = memory_grow(&in->said, &in->capacity, in->count + in->points, sizeof *in->said);
  if (!code) code = polling_measure(polling);
  if (!code) code = polling_open(polling);
  in->round += !in->is_sought;
  return code ? code : polling_ask(polling);
}

/* ---- answers ---- */

/* Does this answer imply one at another share? Not even the smaller share means not the larger. */
static int polling_implies(const struct polling_said *said, double share) {
  return said->label ? said->share >= share : said->share <= share;
}

/* Adds answers to a lesson: those at this share (0: at any), or those that imply one at it. */
static void polling_lesson_add(const struct polling *polling, size_t first, size_t last, double share, int is_implied,
                               struct polling_lesson *lesson) {
  const struct polling_inside *in = polling->inside;
  for (size_t i = first; i < last; i++) {
    const struct polling_said *said = &in->said[i];
    int is_same = share == 0 || said->share == share;
    if (is_implied ? is_same || !polling_implies(said, share) : !is_same) continue;
    if (lesson->heard) lesson->heard[lesson->count] = heard_make(said->share, said->voters, polling->rule->noise);
    lesson->row[lesson->count] = in->row[said->candidate];
    lesson->label[lesson->count++] = said->label;
  }
}

static int polling_lesson_begin(const struct polling *polling, int is_heard, struct polling_lesson *lesson) {
  size_t count = polling->inside->count;
  int code;
  memset(lesson, 0, sizeof *lesson);
  code = memory_take(&lesson->row, count, sizeof *lesson->row);
  if (!code) code = memory_take(&lesson->label, count, sizeof *lesson->label);
  if (!code && is_heard) code = memory_take(&lesson->heard, count, sizeof *lesson->heard);
  if (code) polling_lesson_free(lesson);
  return code;
}

int polling_lesson_make(const struct polling *polling, struct polling_lesson *lesson) {
  const struct polling_inside *in = polling->inside;
  double share = polling->aim == POLLING_BALANCED ? in->ranked : in->share;
  int code = polling_lesson_begin(polling, 0, lesson);
  if (code) return code;
  polling_lesson_add(polling, 0, in->blind, share, 0, lesson);
  lesson->blind = lesson->count;
  polling_lesson_add(polling, in->blind, in->count, share, 0, lesson);
  polling_lesson_add(polling, 0, in->count, share, 1, lesson);
  return EXIT_OK;
}

int polling_lesson_hear(const struct polling *polling, struct polling_lesson *lesson) {
  const struct polling_inside *in = polling->inside;
  int is_heard = polling->classes == 2 && (in->ranked != 0.5 || polling->aim == POLLING_BALANCED), code;
  if (!is_heard) return polling_lesson_make(polling, lesson);
  code = polling_lesson_begin(polling, 1, lesson);
  if (!code) polling_lesson_add(polling, 0, in->count, 0, 0, lesson);
  return code;
}

struct lesson polling_lesson(const struct polling *polling, const struct polling_lesson *heard) {
  struct lesson lesson = {.rows = polling->pool, .row = heard->row, .label = heard->label, .count = heard->count};
  lesson.heard = heard->heard;
  return lesson;
}

void polling_lesson_free(struct polling_lesson *lesson) {
  free(lesson->row);
  free(lesson->label);
  free(lesson->heard);
  memset(lesson, 0, sizeof *lesson);
}

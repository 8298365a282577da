/* The student that asks records near public points: its rule, its questions, and what it learns from a poll that the core holds. */
#include <math.h>

#include "core/crowd.h"
#include "learn/ensemble.h"
#include "learn/polling.h"
#include "learn/student.h"
#include "plan/plan_poll.h"
#include "support/lessons.h"
#include "support/scratch.h"

START_TEST(rule) {
  static const uint64_t units[] = {0, 1, 30, 3000, 60000, 1000000, 60000000};
  static const size_t pools[] = {1, 50, 10000, 1000000};
  static const double epsilons[] = {0.05, 0.5, 8};
  for (size_t u = 0; u < 7; u++)
    for (size_t p = 0; p < 4; p++)
      for (size_t e = 0; e < 3; e++)
        for (uint32_t classes = 2; classes < 1025; classes *= 8) {
          struct polling_facts facts = {units[u], pools[p], epsilons[e], 1e-5, classes};
          struct polling_rule rule;
          polling_rule_make(&rule, &facts);
          ck_assert(rule.voters >= 1 && (rule.voters <= units[u] || units[u] == 0));
          ck_assert(rule.votes >= 1 && rule.votes <= FUMATA_POLL_VOTES_MAX);
          ck_assert(rule.questions >= 1 && rule.first >= 1 && rule.first <= rule.questions);
          ck_assert(rule.candidates >= 1 && rule.candidates <= pools[p]);
          ck_assert(rule.measures >= 1 && rule.measures <= pools[p]);
          ck_assert((double)rule.votes * (double)(units[u] ? units[u] : 1) >= (double)rule.questions * rule.voters);
        }
}
END_TEST

START_TEST(aims) {
  enum polling_aim aim;
  ck_assert_int_eq(polling_parse(&aim, "accuracy"), 0);
  ck_assert_str_eq(polling_name(aim), "accuracy");
  ck_assert_int_eq(polling_parse(&aim, "balanced"), 0);
  ck_assert_str_eq(polling_name(aim), "balanced");
  scratch_expect(EXIT_INPUT, polling_parse(&aim, "fair"), "'fair' is not accuracy or balanced");
}
END_TEST

/* ---- a poll in the clear ---- */

struct hall {
  struct rows private, shown;
  struct places places;
  struct polling_rule rule;
  struct polling polling;
  struct plan_box plan;
  fumata_poll poll;
  fumata_points crowd;
  uint16_t *label;
  uint64_t coins;
  uint32_t sharpened;
};

static void hall_open(struct hall *hall, uint32_t epsilon, uint32_t classes, enum polling_aim aim, uint64_t seed) {
  struct plan_target target = {.epsilon_num = epsilon, .epsilon_den = 1, .delta_num = 1, .delta_den = 100000};
  struct polling_facts facts = {hall->private.count, hall->shown.count, epsilon, 1e-5, classes};
  size_t count = hall->private.count;
  polling_rule_make(&hall->rule, &facts);
  target.votes = hall->rule.votes;
  ck_assert_int_eq(plan_poll_make(&target, NULL, &hall->plan), 0);
  ck_assert_int_eq(places_fit(&hall->places, NULL, &hall->shown, classes), 0);
  ck_assert_int_eq(polling_init(&hall->polling, &hall->rule, &hall->shown, &hall->places, classes, aim, seed), 0);
  hall->crowd = (fumata_points){.size = (uint32_t)count, .dimensions = hall->places.dimensions};
  hall->crowd.places = calloc(count * hall->places.dimensions, sizeof(int16_t));
  hall->crowd.norms = calloc(count, sizeof(uint32_t));
  hall->label = calloc(count, sizeof *hall->label);
  hall->poll.uses = (fumata_uses){calloc(count, sizeof(uint16_t)), (uint32_t)count};
  hall->poll.leads = (fumata_leads){calloc(10000, sizeof(int32_t)), 10000};
  hall->coins = 5;
  hall->sharpened = UINT32_MAX;
  for (size_t i = 0; i < count; i++)
    hall->label[i] = (uint16_t)hall->private.label[i];
  ck_assert_int_eq(fumata_poll_init(&hall->poll, &hall->plan.toll, &hall->plan.claim), FUMATA_OK);
}

static void hall_close(struct hall *hall) {
  polling_free(&hall->polling);
  places_free(&hall->places);
  plan_free(&hall->plan);
  rows_free(&hall->private);
  rows_free(&hall->shown);
  free(hall->crowd.places);
  free(hall->crowd.norms);
  free(hall->label);
  free(hall->poll.uses.used);
  free(hall->poll.leads.lead);
}

/* Puts the batch at hand to the crowd; the answers go into yes[]. */
static void hall_ask(struct hall *hall, unsigned char *yes) {
  struct polling *polling = &hall->polling;
  uint32_t *distances = calloc(hall->crowd.size, sizeof *distances), norm, said;
  for (uint32_t i = 0; polling->sharpened != hall->sharpened && i < hall->crowd.size; i++)
    places_of_row(&hall->places, &hall->private, i, hall->crowd.places + (size_t)i * hall->crowd.dimensions);
  hall->sharpened = polling->sharpened;
  ck_assert_int_eq(fumata_crowd_settle(&hall->crowd), FUMATA_OK);
  for (size_t q = 0; q < polling->size; q++) {
    const struct polling_question *asked = &polling->question[q];
    int16_t place[FUMATA_DIMENSIONS_MAX];
    fumata_points centre = {place, &norm, 1, hall->crowd.dimensions};
    fumata_question question = {asked->weights, polling->classes, asked->most, asked->radius};
    fumata_voices voices = {distances, hall->label};
    places_of_row(&hall->places, polling->pool, asked->row, place);
    ck_assert_int_eq(fumata_crowd_settle(&centre), FUMATA_OK);
    ck_assert_int_eq(fumata_crowd_find(&hall->crowd, &centre, distances), FUMATA_OK);
    ck_assert_int_eq(fumata_poll_vote(&hall->poll, &question, &voices), FUMATA_OK);
  }
  ck_assert_int_eq(fumata_poll_stored(&hall->poll), FUMATA_OK);
  for (size_t q = 0; q < polling->size; q++) {
    uint64_t high = lessons_next(&hall->coins);
    ck_assert_int_eq(fumata_poll_answer(&hall->poll, high << 33 | (uint64_t)lessons_next(&hall->coins) << 2, &said),
                     FUMATA_OK);
    yes[q] = (unsigned char)said;
  }
  ck_assert_int_eq(fumata_poll_clear(&hall->poll), FUMATA_OK);
  free(distances);
}

/* Holds the whole poll; the answers in their order go into `all` (or NULL), and their number is returned. */
static size_t hall_hold(struct hall *hall, unsigned char *all) {
  struct polling *polling = &hall->polling;
  unsigned char yes[10000];
  size_t count = 0;
  for (;;) {
    size_t size;
    ck_assert_int_eq(polling_next(polling), 0);
    size = polling->size;
    if (!size) return count;
    hall_ask(hall, yes);
    for (size_t q = 0; q < size; q++) {
      polling_hear(polling, yes[q]);
      if (all) all[count] = yes[q];
      count++;
    }
  }
}

/* How often the student finds class 1 likelier in a row of that class than in one of the other. */
static double hall_ranks(const struct ensemble *single, const struct rows *test) {
  float *share = calloc(2 * test->count, sizeof *share);
  double pairs = 0, right = 0;
  ck_assert_int_eq(ensemble_probability(single, test, share), 0);
  for (size_t a = 0; a < test->count; a++)
    for (size_t b = 0; test->label[a] == 1 && b < test->count; b++)
      if (test->label[b] == 0) {
        pairs++;
        right += share[2 * a + 1] > share[2 * b + 1] ? 1 : share[2 * a + 1] == share[2 * b + 1] ? 0.5 : 0;
      }
  free(share);
  return right / pairs;
}

static double hall_accuracy(struct hall *hall, uint32_t classes, const struct rows *test, double *balanced,
                            double *ranks) {
  struct learner student;
  struct learned learned;
  struct ensemble single;
  uint8_t *votes = calloc(test->count, 1);
  double hit[8] = {0}, all[8] = {0}, right = 0;
  ck_assert_int_eq(polling_student(&hall->polling, NULL, &student, &learned), 0);
  ck_assert_int_eq(ensemble_single(&single, &student, &learned), 0);
  ck_assert_int_eq(ensemble_vote(&single, test, 0, test->count, votes), 0);
  for (size_t i = 0; i < test->count; i++) {
    all[test->label[i]]++;
    hit[test->label[i]] += votes[i] == test->label[i];
    right += votes[i] == test->label[i];
  }
  *balanced = 0;
  for (uint32_t c = 0; c < classes; c++)
    *balanced += hit[c] / all[c] / classes;
  if (ranks) *ranks = hall_ranks(&single, test);
  ensemble_free(&single);
  learned_free(&learned);
  learner_free(&student);
  free(votes);
  return right / (double)test->count;
}

/* Clouds that lie apart are told apart, two of them or five, dense rows or sparse. */
START_TEST(learns) {
  for (uint32_t classes = 2; classes < 6; classes += 3)
    for (int dense = 0; dense < 2; dense++) {
      struct hall hall = {0};
      struct rows test;
      double balanced, accuracy;
      lessons_make(&hall.private, 4000, 10, classes, dense, 1);
      lessons_make(&hall.shown, 1000, 10, classes, dense, 2);
      lessons_make(&test, 500, 10, classes, dense, 3);
      hall_open(&hall, 1, classes, POLLING_ACCURACY, 7);
      ck_assert_uint_le(hall_hold(&hall, NULL), hall.rule.questions + hall.rule.questions / 4);
      accuracy = hall_accuracy(&hall, classes, &test, &balanced, NULL);
      ck_assert_msg(accuracy > (dense ? 0.9 : 0.8), "%u classes, dense %d: %.3f", classes, dense, accuracy);
      rows_free(&test);
      hall_close(&hall);
    }
}
END_TEST

/* Pools of a few rows, and crowds that are smaller than a neighbourhood, end in a student too. */
START_TEST(small_pools) {
  static const size_t pools[] = {1, 2, 3, 7, 40};
  for (size_t p = 0; p < sizeof pools / sizeof *pools; p++)
    for (uint32_t classes = 2; classes < 6; classes += 3)
      for (int aim = POLLING_ACCURACY; aim <= POLLING_BALANCED; aim++) {
        struct hall hall = {0};
        double balanced;
        lessons_make(&hall.private, 15, 4, classes, 1, 1);
        lessons_make(&hall.shown, pools[p], 4, classes, 0, 2);
        hall_open(&hall, 1, classes, (enum polling_aim)aim, 7);
        ck_assert_uint_ge(hall_hold(&hall, NULL), 1);
        hall_accuracy(&hall, classes, &hall.private, &balanced, NULL);
        hall_close(&hall);
      }
}
END_TEST

/* Rows of one column each of two classes that overlap; one in `every` is of class 1. */
static void overlap(struct rows *rows, size_t count, int every, uint64_t seed) {
  uint64_t state = seed;
  rows_init(rows, 3, 1);
  ck_assert_int_eq(rows_reserve(rows, count, 0), 0);
  for (size_t i = 0; i < count; i++) {
    int32_t label = lessons_next(&state) % (uint32_t)every == 0;
    float *row = rows_push_dense(rows, label, 0, 0);
    row[0] = lessons_unit(&state) + lessons_unit(&state) + (label ? 0.6f : 0);
    row[1] = lessons_unit(&state);
    row[2] = lessons_unit(&state);
  }
}

/* One record in fifteen is of class 1, and nowhere are they the most: a student that names the likeliest class names hardly any of
 * them, and is right nearly always; where classes count alike it finds most. Both rank. */
START_TEST(rare_class) {
  double balanced[2], accuracy[2], ranks[2];
  for (int aim = POLLING_ACCURACY; aim <= POLLING_BALANCED; aim++) {
    struct hall hall = {0};
    struct rows test;
    overlap(&hall.private, 8000, 15, 1);
    overlap(&hall.shown, 3000, 15, 2);
    overlap(&test, 3000, 15, 3);
    hall_open(&hall, 1, 2, (enum polling_aim)aim, 3);
    hall_hold(&hall, NULL);
    accuracy[aim] = hall_accuracy(&hall, 2, &test, &balanced[aim], &ranks[aim]);
    ck_assert_msg(ranks[aim] > 0.78, "aim %d ranks %.3f", aim, ranks[aim]);
    rows_free(&test);
    hall_close(&hall);
  }
  ck_assert_msg(accuracy[POLLING_ACCURACY] > 0.92, "%.3f", accuracy[POLLING_ACCURACY]);
  ck_assert_msg(balanced[POLLING_ACCURACY] < 0.65 && balanced[POLLING_BALANCED] > 0.72, "%.3f and %.3f",
                balanced[POLLING_ACCURACY], balanced[POLLING_BALANCED]);
}
END_TEST

/* ---- questions ---- */

/* Whoever replays the answers gets the same questions, one by one; with another seed they differ. */
static size_t replay(uint64_t seed, const unsigned char *all, size_t count, size_t *rows, uint32_t *radius) {
  struct hall hall = {0};
  size_t heard = 0;
  lessons_make(&hall.private, 1000, 6, 3, 1, 1);
  lessons_make(&hall.shown, 400, 6, 3, 1, 2);
  hall_open(&hall, 1, 3, POLLING_BALANCED, seed);
  while (heard < count) {
    ck_assert_int_eq(polling_next(&hall.polling), 0);
    if (!hall.polling.size) break;
    for (size_t q = 0, size = hall.polling.size; q < size && heard < count; q++) {
      const struct polling_question *asked = &hall.polling.question[q];
      int plus = 0, minus = 0;
      for (uint32_t c = 0; c < 3; c++) {
        ck_assert_int_le(abs(asked->weights[c]), (int)asked->most);
        plus += asked->weights[c] > 0;
        minus += asked->weights[c] < 0;
      }
      ck_assert(plus && minus && asked->most >= 1 && asked->most <= FUMATA_WEIGHT_MAX);
      ck_assert_uint_lt(asked->row, hall.shown.count);
      rows[heard] = asked->row;
      radius[heard] = asked->radius;
      polling_hear(&hall.polling, all[heard++]);
    }
  }
  hall_close(&hall);
  return heard;
}

START_TEST(replays) {
  static size_t rows[3][10000];
  static uint32_t radius[3][10000];
  unsigned char all[10000];
  struct hall hall = {0};
  size_t count, others;
  lessons_make(&hall.private, 1000, 6, 3, 1, 1);
  lessons_make(&hall.shown, 400, 6, 3, 1, 2);
  hall_open(&hall, 1, 3, POLLING_BALANCED, 11);
  count = hall_hold(&hall, all);
  hall_close(&hall);
  ck_assert_uint_gt(count, 20);
  ck_assert_uint_eq(replay(11, all, count, rows[0], radius[0]), count);
  ck_assert_uint_eq(replay(11, all, count, rows[1], radius[1]), count);
  ck_assert_mem_eq(rows[0], rows[1], count * sizeof(size_t));
  ck_assert_mem_eq(radius[0], radius[1], count * sizeof(uint32_t));
  others = replay(12, all, count, rows[2], radius[2]);
  ck_assert(others != count || memcmp(rows[0], rows[2], count * sizeof(size_t)) != 0);
}
END_TEST

SCRATCH_MAIN("polling", rule, aims, learns, small_pools, rare_class, replays)

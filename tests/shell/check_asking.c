/* The student that asks: what it puts to the teachers, in which order, and what it makes of the answers. */
#include <math.h>

#include "base/error.h"
#include "core/fumata.h"
#include "learn/asking.h"
#include "support/lessons.h"
#include "support/scratch.h"

#define POOL 1200

/* Points on a line; the truth is their sign, or which third they lie in. */
static void line(struct rows *rows, struct learner *learner, uint32_t classes) {
  uint64_t state = 7;
  rows_init(rows, 1, 1);
  for (int i = 0; i < POOL; i++) {
    ck_assert_int_eq(rows_reserve(rows, 1, 0), 0);
    *rows_push_dense(rows, ROWS_UNLABELLED, 0, 0) = 2 * lessons_unit(&state) - 1;
  }
  lessons_learner(learner, "logistic", rows, classes);
}

static int32_t truth(const struct rows *rows, size_t row, uint32_t classes) {
  float x = rows->dense[row];
  return classes == 2 ? x > 0 : x < -0.33f ? 0 : x < 0.33f ? 1 : 2;
}

/* As a teacher would: the meter is silent near a border, the toll names the true class if it is a candidate. */
static int32_t reply(const struct asking *asking, const struct asking_query *query, uint32_t classes) {
  int32_t label = truth(asking->pool, query->row, classes);
  float x = asking->pool->dense[query->row];
  if (asking->kind == ASKING_METER) return x > -0.1f && x < 0.1f ? FUMATA_SILENT : label;
  ck_assert_uint_lt(query->first, query->second);
  ck_assert_uint_lt(query->second, classes);
  return label == (int32_t)query->second ? label : (int32_t)query->first;
}

static void begin(struct asking *asking, enum asking_way way, const struct learner *learner, const struct rows *rows,
                  uint64_t seed) {
  struct coins coins;
  coins_seed(&coins, seed);
  ck_assert_int_eq(asking_init(asking, way, learner, rows, SILENT_DROP, &coins), 0);
}

/* Asks until the budget is gone. */
static void ask(struct asking *asking, uint32_t classes, uint32_t silences, uint32_t answers) {
  struct asking_budget left = {silences, answers};
  for (;;) {
    uint32_t *pay;
    ck_assert_int_eq(asking_next(asking, &left), 0);
    if (!asking->size) return;
    pay = asking->kind == ASKING_TOLL ? &left.answers : &left.silences;
    if (asking->kind == ASKING_TOLL) ck_assert_uint_le(asking->size, left.answers);
    for (size_t i = 0; i < asking->size && *pay; i++) {
      int32_t answer = reply(asking, &asking->query[i], classes);
      asking_take_answer(asking, answer);
      *pay -= asking->kind == ASKING_TOLL || answer == FUMATA_SILENT;
    }
  }
}

/* How far from 0 the answers of the toll with numbers first .. are, on average. */
static double far(const struct asking *asking, size_t first) {
  double sum = 0;
  for (size_t i = first; i < asking->count; i++)
    sum += fabs((double)asking->pool->dense[asking->said[i].row]);
  return sum / (double)(asking->count - first);
}

static void expect_nothing_twice(const struct asking *asking, enum asking_kind kind) {
  char *seen = calloc(asking->pool->count, 1);
  for (size_t i = 0; i < asking->count; i++)
    if (asking->said[i].kind == kind) ck_assert_int_eq(seen[asking->said[i].row]++, 0);
  free(seen);
}

START_TEST(test_names) {
  enum asking_way way;
  ck_assert_int_eq(asking_parse(&way, "disagreement"), 0);
  ck_assert_int_eq(way, ASKING_DISAGREEMENT);
  ck_assert_str_eq(asking_name(ASKING_COMBINED), "combined");
  scratch_expect(EXIT_INPUT, asking_parse(&way, "often"), "'often' is not random, margin, disagreement or combined");
}
END_TEST

/* The pool's order is random already; the budget is used up to the last answer. */
START_TEST(test_random) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  line(&rows, &learner, 2);
  begin(&asking, ASKING_RANDOM, &learner, &rows, 1);
  ask(&asking, 2, 0, 100);
  ck_assert_uint_eq(asking.count, 100);
  for (size_t i = 0; i < 100; i++) {
    ck_assert_uint_eq(asking.said[i].row, i);
    ck_assert_int_eq(asking.said[i].kind, ASKING_TOLL);
  }
  asking_free(&asking);
  rows_free(&rows);
}
END_TEST

/* Asks for `answers` answers, of which the first `blind` must be the pool's first rows and the next one must be chosen. */
static void expect_margin(uint32_t answers, size_t blind) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  line(&rows, &learner, 2);
  begin(&asking, ASKING_MARGIN, &learner, &rows, 1);
  ask(&asking, 2, 0, answers);
  ck_assert_uint_eq(asking.count, answers);
  expect_nothing_twice(&asking, ASKING_TOLL);
  for (size_t i = 0; i < blind; i++)
    ck_assert_uint_eq(asking.said[i].row, i);
  ck_assert_uint_ne(asking.said[blind].row, blind);
  ck_assert_double_lt(far(&asking, blind), 0.2);
  asking_free(&asking);
  rows_free(&rows);
}

/* A quarter blindly, but at most fifteen of few, in whole rounds; then where the classes meet. The mean distance of points at
 * random is 1/2. */
START_TEST(test_margin) {
  expect_margin(240, 64); /* 60, in rounds of 8 */
  expect_margin(90, 15);
  expect_margin(40, 10);
}
END_TEST

/* The meter goes through the pool until its silences are gone; then the toll is asked about these first. */
START_TEST(test_combined) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  struct asking_lesson lesson;
  size_t met = 0, chosen = 0;
  line(&rows, &learner, 2);
  begin(&asking, ASKING_COMBINED, &learner, &rows, 1);
  ask(&asking, 2, 10, 30);
  expect_nothing_twice(&asking, ASKING_TOLL);
  for (size_t i = 0; i < asking.count; i++) {
    const struct asking_answer *said = &asking.said[i];
    if (said->kind == ASKING_METER) {
      ck_assert_uint_eq(chosen, 0);
      ck_assert_uint_eq(said->row, met++);
    } else if (++chosen <= 10) {
      ck_assert(asking_was_silent(&asking, said->row));
    }
  }
  ck_assert_uint_eq(chosen, 30);
  /* Every silence was answered later, so that the student learns from labels only, one for each of these rows. */
  ck_assert_int_eq(asking_lesson_make(&asking, &lesson), 0);
  ck_assert_uint_eq(lesson.count, met - 10 + 30);
  for (size_t i = 0; i < lesson.count; i++)
    ck_assert_int_eq(lesson.answer[i], truth(&rows, lesson.row[i], 2));
  asking_lesson_free(&lesson);
  asking_free(&asking);
  rows_free(&rows);
}
END_TEST

/* Rows that the meter did not come to are still there for the toll, however large its block was. */
START_TEST(test_combined_with_few_labels) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  line(&rows, &learner, 2);
  for (int way = ASKING_RANDOM; way <= ASKING_COMBINED; way++) {
    begin(&asking, (enum asking_way)way, &learner, &rows, 1);
    ask(&asking, 2, 1, 120);
    ck_assert_uint_gt(asking.count, 120);
    ck_assert_int_eq(asking.said[asking.count - 120].kind, ASKING_TOLL);
    expect_nothing_twice(&asking, ASKING_TOLL);
    asking_free(&asking);
  }
  rows_free(&rows);
}
END_TEST

/* What lies far from the border is agreed on and costs nothing; what is agreed on is right here, and never asked. */
START_TEST(test_disagreement) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  struct asking_lesson lesson;
  size_t agreed = 0;
  line(&rows, &learner, 2);
  begin(&asking, ASKING_DISAGREEMENT, &learner, &rows, 1);
  ask(&asking, 2, 0, 200);
  ck_assert_uint_gt(asking.count, 64); /* the region may become empty before the budget does */
  expect_nothing_twice(&asking, ASKING_TOLL);
  for (size_t i = 0; i < 64; i++)
    ck_assert_uint_eq(asking.said[i].row, i);
  ck_assert_double_lt(far(&asking, 64), 0.2);
  for (size_t i = 0; i < rows.count; i++)
    if (asking.agreed[i] != ROWS_UNLABELLED) {
      agreed++;
      ck_assert_int_eq(asking.agreed[i], truth(&rows, i, 2));
    }
  ck_assert_uint_gt(agreed, 300);
  for (size_t i = 0; i < asking.count; i++)
    ck_assert_int_eq(asking.agreed[asking.said[i].row], ROWS_UNLABELLED);
  ck_assert_int_eq(asking_lesson_make(&asking, &lesson), 0);
  ck_assert_uint_eq(lesson.count, asking.count + agreed);
  asking_lesson_free(&lesson);
  asking_free(&asking);
  rows_free(&rows);
}
END_TEST

/* Of three classes the candidates are those between which the student wavers: neighbours on the line. */
START_TEST(test_candidates) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  struct asking_budget left = {0, 900};
  size_t wide = 0;
  line(&rows, &learner, 3);
  begin(&asking, ASKING_COMBINED, &learner, &rows, 1);
  ask(&asking, 3, 20, 0);
  ck_assert_int_eq(asking_next(&asking, &left), 0);
  ck_assert_int_eq(asking.kind, ASKING_TOLL);
  ck_assert_uint_gt(asking.size, 0);
  for (size_t i = 0; i < asking.size; i++)
    wide += asking.query[i].first == 0 && asking.query[i].second == 2;
  ck_assert_uint_le(wide * 10, asking.size * 4);
  asking_free(&asking);
  /* While nothing is known, any two. */
  begin(&asking, ASKING_MARGIN, &learner, &rows, 1);
  ck_assert_int_eq(asking_next(&asking, &left), 0);
  wide = 0;
  for (size_t i = 0; i < asking.size; i++)
    wide += asking.query[i].second == 2;
  ck_assert_uint_gt(wide, 0);
  ck_assert_uint_lt(wide, asking.size);
  asking_free(&asking);
  rows_free(&rows);
}
END_TEST

/* A class that the meter never named is a candidate all the same, and is found. */
START_TEST(test_forgotten_class) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  struct asking_budget left = {1000, 0};
  size_t found = 0;
  line(&rows, &learner, 3);
  begin(&asking, ASKING_COMBINED, &learner, &rows, 1);
  asking.block = 100;
  ck_assert_int_eq(asking_next(&asking, &left), 0);
  for (size_t i = 0; i < 100; i++) {
    int32_t label = truth(&rows, asking.query[i].row, 3);
    asking_take_answer(&asking, label == 1 ? FUMATA_SILENT : label);
  }
  ask(&asking, 3, 0, 60);
  for (size_t i = 100; i < asking.count; i++)
    found += asking.said[i].answer == 1;
  ck_assert_uint_gt(found, 10);
  asking_free(&asking);
  rows_free(&rows);
}
END_TEST

/* The same answers and coins, the same questions; other coins, others. */
START_TEST(test_coins_of_its_own) {
  struct rows rows;
  struct learner learner;
  struct asking asking[3];
  size_t differ = 0;
  line(&rows, &learner, 2);
  for (int i = 0; i < 3; i++) {
    begin(&asking[i], ASKING_MARGIN, &learner, &rows, i < 2 ? 5 : 6);
    ask(&asking[i], 2, 0, 90);
  }
  for (size_t i = 0; i < 90; i++) {
    ck_assert_uint_eq(asking[0].said[i].row, asking[1].said[i].row);
    differ += asking[0].said[i].row != asking[2].said[i].row;
  }
  ck_assert_uint_gt(differ, 10);
  for (int i = 0; i < 3; i++)
    asking_free(&asking[i]);
  rows_free(&rows);
}
END_TEST

/* A small pool is asked about once and no more, whatever the budget; a student without scores asks with a linear one. */
START_TEST(test_ends) {
  struct rows rows;
  struct learner learner;
  struct asking asking;
  line(&rows, &learner, 2);
  lessons_learner(&learner, "trees", &rows, 2);
  for (int way = ASKING_RANDOM; way <= ASKING_COMBINED; way++) {
    rows.count = 50;
    begin(&asking, (enum asking_way)way, &learner, &rows, 3);
    ck_assert_ptr_eq(asking.asker.kind, &learner_logistic);
    ask(&asking, 2, 0, 80);
    ck_assert_uint_le(asking.count, 50);
    if (way != ASKING_DISAGREEMENT) ck_assert_uint_eq(asking.count, 50);
    expect_nothing_twice(&asking, ASKING_TOLL);
    asking_free(&asking);
  }
  rows.count = POOL;
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("asking", test_names, test_random, test_margin, test_combined, test_combined_with_few_labels,
             test_disagreement, test_candidates, test_forgotten_class, test_coins_of_its_own, test_ends)

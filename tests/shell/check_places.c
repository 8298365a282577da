/* Places: a row's own, to the last bit, whoever else is in the file. */
#include <math.h>

#include "core/crowd.h"
#include "learn/ensemble.h"
#include "learn/places.h"
#include "support/lessons.h"
#include "support/suite.h"

#define ROOM FUMATA_DIMENSIONS_MAX

/* The same numbers in the other layout. */
static void turn(const struct rows *in, struct rows *out) {
  float *row = malloc(in->columns * sizeof *row);
  rows_init(out, in->columns, !in->is_dense);
  for (size_t i = 0; i < in->count; i++) {
    rows_expand(in, i, row);
    ck_assert_int_eq(rows_reserve(out, 1, in->columns), 0);
    if (out->is_dense) {
      memcpy(rows_push_dense(out, in->label[i], 0, i + 1), row, in->columns * sizeof *row);
      continue;
    }
    size_t end = out->start[out->count];
    for (uint32_t j = 0; j < in->columns; j++)
      if (row[j] != 0) out->index[end] = j, out->value[end++] = row[j];
    rows_push_sparse(out, end, in->label[i], 0, i + 1);
  }
  free(row);
}

/* A student that has learned from all rows. */
static void teach(const char *text, const struct rows *rows, uint32_t classes, struct learner *student,
                  struct learned *learned) {
  size_t *order = lessons_order(rows->count);
  struct lesson lesson = {.rows = rows, .row = order, .count = rows->count};
  lessons_learner(student, text, rows, classes);
  ck_assert_int_eq(learner_train(student, &lesson, learned), 0);
  if (student->kind->by_row) ck_assert_int_eq(student->kind->by_row(student, learned), 0);
  free(order);
}

static void own(uint32_t columns, uint32_t classes, int is_dense, const char *student_text) {
  struct rows shown, private, reversed, turned;
  struct learner student;
  struct learned learned;
  struct places places;
  size_t *back;
  int16_t one[ROOM], other[ROOM];
  lessons_make(&shown, 200, columns, classes, is_dense, 1);
  lessons_make(&private, 60, columns, classes, is_dense, 2);
  back = lessons_order(60);
  for (size_t i = 0; i < 60; i++)
    back[i] = 59 - i;
  ck_assert_int_eq(rows_gather(&private, back, 30, &reversed), 0); /* half of them, from behind */
  turn(&private, &turned);
  ck_assert_int_eq(places_fit(&places, NULL, &shown, classes), 0);
  ck_assert_uint_eq(places.dimensions % FUMATA_CROWD_LANES, 0);
  ck_assert_uint_le(places.dimensions, FUMATA_DIMENSIONS_MAX);
  teach(student_text, &shown, classes, &student, &learned);
  for (int sharpened = 0; sharpened < 2; sharpened++) {
    if (sharpened) ck_assert_int_eq(places_sharpen(&places, &student, &learned, &shown), 0);
    ck_assert_uint_eq(places.scores, sharpened ? (classes == 2 ? 1 : classes) : 0);
    for (size_t i = 0; i < 30; i++) {
      memset(one, 0x55, sizeof one);
      memset(other, 0xaa, sizeof other);
      places_of_row(&places, &private, 59 - i, one);
      places_of_row(&places, &reversed, i, other);
      ck_assert_mem_eq(one, other, places.dimensions * sizeof *one);
      places_of_row(&places, &turned, 59 - i, other);
      ck_assert_mem_eq(one, other, places.plain * sizeof *one);
      ck_assert_uint_eq((uint16_t)other[places.dimensions], 0xaaaa); /* and no further */
      for (uint32_t k = 0; k < places.dimensions; k++) {
        ck_assert_int_le(abs(one[k]), FUMATA_PLACE_MAX);
        if (k >= places.plain + places.scores) ck_assert_int_eq(one[k], 0);
      }
    }
  }
  learned_free(&learned);
  places_free(&places);
  rows_free(&shown);
  rows_free(&private);
  rows_free(&reversed);
  rows_free(&turned);
  free(back);
}

START_TEST(own_row) {
  for (int dense = 0; dense < 2; dense++) {
    own(5, 2, dense, "logistic");
    own(40, 7, dense, "kernel:landmarks=20");
    own(300, 2, dense, "logistic"); /* more columns than coordinates */
    own(1500, 3, dense, "logistic");
    own(12, 2, dense, "trees");
    own(12, 7, dense, "trees:rounds=3");
  }
}
END_TEST

/* A new student moves the scores' coordinates and no others, and those are what the whole place has there. */
START_TEST(sharpening) {
  struct rows shown;
  struct learner student[2];
  struct learned learned[2];
  struct places places;
  int16_t plain[ROOM], sharp[ROOM], whole[ROOM];
  size_t moved = 0;
  lessons_make(&shown, 300, 12, 2, 1, 3);
  ck_assert_int_eq(places_fit(&places, NULL, &shown, 2), 0);
  teach("logistic:C=1", &shown, 2, &student[0], &learned[0]);
  teach("kernel:landmarks=30", &shown, 2, &student[1], &learned[1]);
  for (int s = 0; s < 2; s++)
    for (size_t i = 0; i < shown.count; i++) {
      places_of_row(&places, &shown, i, plain);
      ck_assert_int_eq(places_sharpen(&places, &student[s], &learned[s], &shown), 0);
      memcpy(sharp, plain, sizeof sharp);
      places_sharpen_row(&places, &shown, i, sharp);
      places_of_row(&places, &shown, i, whole);
      ck_assert_mem_eq(sharp, whole, places.dimensions * sizeof *whole);
      ck_assert_mem_eq(sharp, plain, places.plain * sizeof *plain);
      moved += sharp[places.plain] != plain[places.plain];
    }
  ck_assert_uint_gt(moved, 1);
  for (size_t i = 0; i < shown.count; i++) { /* the scores tell the classes apart */
    places_of_row(&places, &shown, i, whole);
    if (whole[places.plain] > 100) ck_assert_int_eq(shown.label[i], 1);
    if (whole[places.plain] < -100) ck_assert_int_eq(shown.label[i], 0);
  }
  learned_free(&learned[0]);
  learned_free(&learned[1]);
  places_free(&places);
  rows_free(&shown);
}
END_TEST

/* One far value does not press all others together, and what was never seen is somewhere too. */
START_TEST(tails) {
  static const float far[] = {1e30f, -1e30f, 3e38f, -3e38f, 1e-38f};
  struct rows shown, strange;
  struct places places;
  int16_t low[ROOM], high[ROOM];
  rows_init(&shown, 2, 1);
  rows_init(&strange, 2, 1);
  ck_assert_int_eq(rows_reserve(&shown, 1000, 0), 0);
  for (int i = 0; i < 1000; i++) {
    float *row = rows_push_dense(&shown, 0, 0, 0);
    row[0] = i == 999 ? 1e6f : (float)(i % 10);
    row[1] = 4; /* says nothing */
  }
  ck_assert_int_eq(places_fit(&places, NULL, &shown, 2), 0);
  places_of_row(&places, &shown, 0, low);
  places_of_row(&places, &shown, 9, high);
  ck_assert_int_ne(low[0], high[0]);
  ck_assert_int_eq(low[1], high[1]);
  ck_assert_int_eq(rows_reserve(&strange, 5, 0), 0);
  for (int i = 0; i < 5; i++) {
    float *row = rows_push_dense(&strange, 0, 0, 0);
    row[0] = row[1] = far[i];
    places_of_row(&places, &strange, (size_t)i, low);
    ck_assert_int_le(abs(low[0]), FUMATA_PLACE_MAX);
    ck_assert_int_le(abs(low[1]), FUMATA_PLACE_MAX);
  }
  places_free(&places);
  rows_free(&shown);
  rows_free(&strange);
}
END_TEST

/* Trees that are walked by row say what xgboost says of all rows. */
START_TEST(walks) {
  for (int job = 0; job < 4; job++) {
    uint32_t classes = job / 2 ? 5 : 2;
    struct rows rows;
    struct learner trees;
    struct learned learned = {0};
    struct ensemble single;
    size_t *order = lessons_order(300);
    float *all = malloc(300 * classes * sizeof *all), one[5];
    struct lesson lesson = {.rows = &rows, .row = order, .count = 200};
    lessons_make(&rows, 300, 10, classes, job % 2, 7);
    lessons_learner(&trees, "trees:rounds=8,depth=3", &rows, classes);
    ck_assert_int_eq(learner_train(&trees, &lesson, &learned), 0);
    ck_assert_int_eq(ensemble_single(&single, &trees, &learned), 0);
    ck_assert_int_eq(trees.kind->score(&single, &rows, all), 0);
    ensemble_free(&single);
    ck_assert_int_eq(trees.kind->by_row(&trees, &learned), 0);
    for (size_t i = 0; i < rows.count; i++) {
      trees.kind->score_row(&trees, &learned, &rows, i, one);
      for (uint32_t c = 1; c < classes; c++)
        ck_assert_float_eq_tol(one[c] - one[0], all[i * classes + c] - all[i * classes], 1e-4f);
    }
    learned_free(&learned);
    rows_free(&rows);
    free(order);
    free(all);
  }
}
END_TEST

/* A column of two values counts the same however rare one of them is, and whatever these are: no more than a number does. */
START_TEST(flags) {
  struct rows shown;
  struct places places;
  int16_t one[ROOM], other[ROOM];
  rows_init(&shown, 4, 1);
  ck_assert_int_eq(rows_reserve(&shown, 1000, 0), 0);
  for (int i = 0; i < 1000; i++) {
    float *row = rows_push_dense(&shown, 0, 0, 0);
    row[0] = (float)(i % 2);
    row[1] = i % 500 == 1;
    row[2] = i % 500 == 1 ? 21 : -1;
    row[3] = (float)(i % 10); /* a number: 9 is 3.1 deviations away from 0 */
  }
  ck_assert_int_eq(places_fit(&places, NULL, &shown, 2), 0);
  places_of_row(&places, &shown, 0, one);
  places_of_row(&places, &shown, 1, other); /* both flags, and the rare one */
  for (int k = 0; k < 3; k++)
    ck_assert_int_le(abs(other[k] - one[k] - (int)places.unit), 1);
  places_of_row(&places, &shown, 9, other);
  ck_assert_int_gt(other[3] - one[3], 3 * (int)places.unit);
  places_free(&places);
  rows_free(&shown);
}
END_TEST

SUITE_MAIN("places", own_row, sharpening, tails, walks, flags)

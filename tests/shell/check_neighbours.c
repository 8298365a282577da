/* A voter's place, and which unit it is, depend on its own record and the public rule alone. */
#include "run/neighbours.h"

#include "support/lessons.h"
#include "support/suite.h"

#define ROWS    9000u /* more than one worker takes at a time */
#define COLUMNS 37u
#define CLASSES 3u

/* Row i of `from` behind those of `to`, bit by bit. */
static void push(struct rows *to, const struct rows *from, size_t i) {
  ck_assert_int_eq(rows_reserve(to, 1, from->columns), 0);
  if (from->is_dense) {
    memcpy(rows_push_dense(to, from->label[i], from->unit[i], 1), from->dense + i * from->columns,
           from->columns * sizeof(float));
    return;
  }
  size_t end = to->start[to->count];
  for (size_t e = from->start[i]; e < from->start[i + 1]; e++, end++) {
    to->index[end] = from->index[e];
    to->value[end] = from->value[e];
  }
  rows_push_sparse(to, end, from->label[i], from->unit[i], 1);
}

static void place(const struct places *places, const struct rows *rows, int whole, fumata_points *points) {
  points->size = (uint32_t)rows->count;
  points->dimensions = places->dimensions;
  if (whole) points->places = calloc(rows->count * places->dimensions, sizeof *points->places);
  ck_assert_int_eq(neighbours_place(places, rows, NULL, whole, points), 0);
}

/* Of `all` rows the place of row i is that of row at[i] of `other`. */
static void expect_same(const fumata_points *all, const fumata_points *other, const size_t *at) {
  size_t width = all->dimensions;
  for (size_t i = 0; i < all->size; i++)
    if (at[i] != SIZE_MAX)
      ck_assert_msg(!memcmp(all->places + i * width, other->places + at[i] * width, width * sizeof *all->places),
                    "row %zu lies elsewhere", i);
}

static void student_make(const struct rows *rows, struct learner *student, struct learned *learned) {
  size_t *row = calloc(rows->count, sizeof *row);
  struct lesson lesson = {.rows = rows, .count = 500, .row = row};
  for (size_t i = 0; i < rows->count; i++)
    row[i] = i;
  ck_assert_int_eq(learner_parse(student, "--student", "logistic"), 0);
  learner_fit(student, rows, CLASSES);
  ck_assert_int_eq(learner_train(student, &lesson, learned), 0);
  free(row);
}

/* The file, the file with one more record, without one, and in another order; before and after a student sharpens the places. */
START_TEST(test_places_do_not_depend_on_others) {
  struct rows base, public_rows, other[3];
  struct places places;
  struct learner student;
  struct learned learned = {0};
  fumata_points here = {0}, there[3] = {{0}};
  static size_t at[3][ROWS];
  lessons_make(&base, ROWS, COLUMNS, CLASSES, _i, 5);
  lessons_make(&public_rows, 2000, COLUMNS, CLASSES, _i, 6);
  for (int k = 0; k < 3; k++)
    rows_init(&other[k], COLUMNS, _i);
  for (size_t i = 0; i < ROWS; i++) {
    if (i == 4321) push(&other[0], &public_rows, 7);
    at[0][i] = other[0].count;
    push(&other[0], &base, i);
    at[1][i] = i == 17 ? SIZE_MAX : other[1].count;
    if (i != 17) push(&other[1], &base, i);
    at[2][i] = ROWS - 1 - i;
    push(&other[2], &base, ROWS - 1 - i);
  }
  ck_assert_int_eq(places_fit(&places, NULL, &public_rows, CLASSES), 0);
  student_make(&public_rows, &student, &learned);
  for (int is_sharp = 0; is_sharp < 2; is_sharp++) {
    if (is_sharp) ck_assert_int_eq(places_sharpen(&places, &student, &learned, &public_rows), 0);
    place(&places, &base, !is_sharp, &here);
    for (int k = 0; k < 3; k++) {
      place(&places, &other[k], !is_sharp, &there[k]);
      expect_same(&here, &there[k], at[k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    rows_free(&other[k]);
    free(there[k].places);
  }
  free(here.places);
  rows_free(&base);
  rows_free(&public_rows);
  places_free(&places);
  learned_free(&learned);
  learner_free(&student);
}
END_TEST

/* The words of units are another key's in another run; units and their order are not. */
START_TEST(test_units_stand_in_the_order_of_the_file) {
  static const uint64_t words[2][8] = {{9, 5, 9, 7, 5, 1, 9, 7}, {2, 30, 2, 1, 30, 99, 2, 1}};
  static const size_t wanted[] = {0, 2, 6, 1, 4, 3, 7, 5};
  static const uint32_t firsts[] = {0, 3, 5, 7, 8};
  for (int key = 0; key < 2; key++) {
    size_t order[8];
    uint32_t first[9], units;
    ck_assert_int_eq(neighbours_group(words[key], 8, order, first, &units), 0);
    ck_assert_uint_eq(units, 4);
    for (int i = 0; i < 8; i++)
      ck_assert_uint_eq(order[i], wanted[i]);
    for (int u = 0; u < 5; u++)
      ck_assert_uint_eq(first[u], firsts[u]);
  }
}
END_TEST

SUITE_LOOPS("neighbours", {test_places_do_not_depend_on_others, 2}, {test_units_stand_in_the_order_of_the_file, 1})

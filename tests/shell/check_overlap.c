#include "data/overlap.h"

#include "base/error.h"
#include "support/scratch.h"

static uint64_t state;

static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % below);
}

/* Rows of `columns` numbers out of `values`. */
static void fill(struct rows *rows, size_t count, uint32_t columns, uint32_t values, int is_dense) {
  rows_init(rows, columns, is_dense);
  ck_assert_int_eq(rows_reserve(rows, count, count * columns), EXIT_OK);
  for (size_t i = 0; i < count; i++) {
    size_t at = is_dense ? 0 : rows->start[i];
    float *row = is_dense ? rows_push_dense(rows, 0, 0, 0) : NULL;
    for (uint32_t j = 0; j < columns; j++) {
      uint32_t x = draw(values);
      if (is_dense) row[j] = (float)x;
      if (is_dense || !x) continue;
      rows->index[at] = j;
      rows->value[at++] = (float)x;
    }
    if (!is_dense) rows_push_sparse(rows, at, 0, 0, 0);
  }
}

static void add(struct overlap *overlap, const struct rows *rows) {
  for (size_t i = 0; i < rows->count; i++)
    ck_assert_int_eq(overlap_add(overlap, overlap_row(rows, i)), EXIT_OK);
}

static int compare(const struct rows *a, const struct rows *b) {
  struct overlap left = {0}, right = {0};
  int large;
  add(&left, a);
  add(&right, b);
  large = overlap_is_too_large(&left, &right);
  ck_assert_int_eq(large, overlap_is_too_large(&right, &left));
  overlap_free(&left);
  overlap_free(&right);
  return large;
}

/* Two samples of one population, from records that never coincide to records that nearly always do. */
START_TEST(test_samples_of_one_population) {
  static const uint32_t values[] = {2, 3, 5, 8, 20, 100, 1000000};
  for (int is_dense = 0; is_dense < 2; is_dense++)
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
      for (uint64_t seed = 1; seed <= 20; seed++) {
        struct rows a, b;
        state = seed;
        fill(&a, 100 * seed, 3, values[v], is_dense);
        fill(&b, 1000, 3, values[v], is_dense);
        ck_assert_int_eq(compare(&a, &b), 0);
        rows_free(&a);
        rows_free(&b);
      }
}
END_TEST

/* All records of the one in another order; a tenth of the larger one; a part that is mixed with others. */
START_TEST(test_records_of_the_other) {
  for (int is_dense = 0; is_dense < 2; is_dense++) {
    struct rows a, b, others;
    size_t order[2000];
    state = 5;
    fill(&a, 2000, 4, 30, is_dense);
    for (size_t i = 0; i < 2000; i++)
      order[i] = i * 1999 % 2000;
    ck_assert_int_eq(rows_gather(&a, order, 2000, &b), EXIT_OK);
    ck_assert_int_eq(compare(&a, &b), 1);
    b.count = 200;
    ck_assert_int_eq(compare(&a, &b), 1);
    fill(&others, 1000, 4, 30, is_dense);
    ck_assert_int_eq(compare(&a, &others), 0);
    if (is_dense) {
      memcpy(others.dense, a.dense, 150 * 4 * sizeof *a.dense);
      ck_assert_int_eq(compare(&a, &others), 1);
    }
    rows_free(&a);
    rows_free(&b);
    rows_free(&others);
  }
}
END_TEST

/* The place of a number counts, and how many records there are to judge by. */
START_TEST(test_what_counts) {
  struct rows a, b;
  rows_init(&a, 2, 1);
  rows_init(&b, 2, 1);
  ck_assert_int_eq(rows_reserve(&a, 100, 0), EXIT_OK);
  ck_assert_int_eq(rows_reserve(&b, 100, 0), EXIT_OK);
  for (int i = 0; i < 100; i++) {
    float *left = rows_push_dense(&a, 0, 0, 0), *right = rows_push_dense(&b, 0, 0, 0);
    left[0] = right[1] = (float)i;
    left[1] = right[0] = (float)(i + 1000);
  }
  ck_assert_int_eq(compare(&a, &b), 0);
  ck_assert_int_eq(compare(&a, &a), 1);
  a.count = 4;
  ck_assert_int_eq(compare(&a, &a), 0);
  a.count = 0;
  ck_assert_int_eq(compare(&a, &b), 0);
  rows_free(&a);
  rows_free(&b);
}
END_TEST

SUITE_MAIN("overlap", test_samples_of_one_population, test_records_of_the_other, test_what_counts)

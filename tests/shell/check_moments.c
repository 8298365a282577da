#include "data/moments.h"

#include <math.h>

#include "base/error.h"
#include "support/scratch.h"

/* Points along (3, 4) around (1000000, 1000000), a small spread across, and a constant. */
static void fill(struct rows *rows, size_t n, int is_dense) {
  rows_init(rows, 3, is_dense);
  ck_assert_int_eq(rows_reserve(rows, n, 3 * n), EXIT_OK);
  for (size_t i = 0; i < n; i++) {
    float along = (float)(i % 8) * 5, across = (float)(i / 8 % 2);
    float point[3] = {1000000 + 3 * along - 4 * across, 1000000 + 4 * along + 3 * across, 7};
    if (is_dense) {
      memcpy(rows_push_dense(rows, 0, 0, 0), point, sizeof point);
    } else {
      size_t end = rows->start[i];
      for (uint32_t j = 0; j < 3; j++, end++) {
        rows->index[end] = j;
        rows->value[end] = point[j];
      }
      rows_push_sparse(rows, end, 0, 0, 0);
    }
  }
}

/* Moments added in pieces are those of the whole, also far away from zero, dense or sparse, full or not. */
START_TEST(test_batches) {
  for (int is_full = 0; is_full < 2; is_full++) {
    struct moments whole, pieces;
    struct rows dense, sparse, part;
    fill(&dense, 1600, 1);
    fill(&sparse, 1600, 0);
    ck_assert_int_eq(moments_init(&whole, 3, is_full), EXIT_OK);
    ck_assert_int_eq(moments_init(&pieces, 3, is_full), EXIT_OK);
    ck_assert_int_eq(moments_add(&whole, &sparse), EXIT_OK);
    part = dense; /* a view */
    for (part.count = 200; part.dense < dense.dense + 3 * 1600; part.dense += 3 * 200)
      ck_assert_int_eq(moments_add(&pieces, &part), EXIT_OK);
    for (size_t i = 0; i < 3; i++)
      for (size_t j = is_full ? 0 : i; j <= i; j++)
        ck_assert_double_eq_tol(moments_covariance(&whole, i, j), moments_covariance(&pieces, i, j), 1e-6);
    ck_assert_double_eq_tol(moments_mean(&whole, 0), 1000000 + 3 * 17.5 - 2, 1e-6);
    ck_assert_double_eq_tol(moments_mean(&pieces, 1), 1000000 + 4 * 17.5 + 1.5, 1e-6);
    ck_assert(moments_covariance(&whole, 2, 2) == 0); /* a constant, exactly */
    moments_free(&whole);
    moments_free(&pieces);
    rows_free(&dense);
    rows_free(&sparse);
  }
}
END_TEST

START_TEST(test_principal) {
  double axis[6], variance[3];
  struct moments moments;
  struct rows rows;
  fill(&rows, 1600, 1);
  ck_assert_int_eq(moments_init(&moments, 3, 1), EXIT_OK);
  ck_assert_int_eq(moments_add(&moments, &rows), EXIT_OK);
  ck_assert_int_eq(moments_principal(&moments, 2, axis, variance), EXIT_OK);
  ck_assert_double_eq_tol(variance[1], 25 * 25 * 5.25, 1e-4); /* 0, 5, .., 35 times a vector of length 5 */
  ck_assert_double_eq_tol(variance[0], 25 * 0.25, 1e-4);
  ck_assert_double_eq_tol(fabs(axis[3]), 0.6, 1e-6);
  ck_assert_double_eq_tol(fabs(axis[4]), 0.8, 1e-6);
  ck_assert_double_eq_tol(axis[5], 0, 1e-6);
  moments_free(&moments);
  rows_free(&rows);
}
END_TEST

START_TEST(test_refuses) {
  struct moments moments;
  scratch_expect(EXIT_INPUT, moments_init(&moments, 4097, 1), "at most 4096 columns");
  scratch_expect(EXIT_INPUT, moments_init(&moments, 65537, 0), "at most 65536 columns");
}
END_TEST

SCRATCH_MAIN("moments", test_batches, test_principal, test_refuses)

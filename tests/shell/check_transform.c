#include "data/features.h"

#include <math.h>

#include "base/error.h"
#include "support/scratch.h"

/* Rows of `columns` numbers, dense or sparse, from a fixed generator; about half are zero. */
static void fill(struct rows *rows, size_t n, uint32_t columns, int is_dense) {
  size_t i;
  uint32_t j;
  srand48(3);
  rows_init(rows, columns, is_dense);
  ck_assert_int_eq(rows_reserve(rows, n, n * columns), EXIT_OK);
  for (i = 0; i < n; i++) {
    float *dense = is_dense ? rows_push_dense(rows, (int32_t)(i % 3), i, i + 1) : NULL;
    size_t end = is_dense ? 0 : rows->start[i];
    double common = drand48();
    for (j = 0; j < columns; j++) {
      double x = drand48() < 0.5 ? 0 : drand48() * (j + 1) + 3 * common;
      if (j == 4) x = 0.1; /* a constant column */
      if (is_dense) {
        dense[j] = (float)x;
      } else if (x != 0) {
        rows->index[end] = j;
        rows->value[end++] = (float)x;
      }
    }
    if (!is_dense) rows_push_sparse(rows, end, (int32_t)(i % 3), i, i + 1);
  }
}

static void fit(struct transform *transform, const char *features, const struct rows *rows) {
  struct features wanted;
  struct moments moments;
  ck_assert_int_eq(features_parse(&wanted, features), EXIT_OK);
  ck_assert_uint_eq(wanted.count, 1);
  *transform = wanted.step[0];
  if (transform->kind == TRANSFORM_HOG) {
    ck_assert_int_eq(transform_shape(transform, transform->hog.rows, transform->hog.columns), EXIT_OK);
    return;
  }
  ck_assert_int_eq(moments_init(&moments, rows->columns, transform->kind == TRANSFORM_PCA), EXIT_OK);
  ck_assert_int_eq(moments_add(&moments, rows), EXIT_OK);
  ck_assert_int_eq(transform_fit(transform, transform->kind, transform->outputs, &moments), EXIT_OK);
  moments_free(&moments);
}

START_TEST(test_standard) {
  struct transform transform;
  struct rows rows, out;
  int is_dense;
  for (is_dense = 0; is_dense < 2; is_dense++) {
    size_t i, j;
    fill(&rows, 1500, 9, is_dense);
    fit(&transform, "standard", &rows);
    rows_init(&out, transform.outputs, 1);
    ck_assert_int_eq(transform_apply(&transform, &rows, &out), EXIT_OK);
    ck_assert_uint_eq(out.count, 1500);
    for (j = 0; j < 9; j++) {
      double sum = 0, square = 0;
      for (i = 0; i < 1500; i++) {
        sum += (double)out.dense[i * 9 + j];
        square += (double)out.dense[i * 9 + j] * (double)out.dense[i * 9 + j];
      }
      ck_assert_double_lt(fabs(sum / 1500), 1e-5);
      ck_assert_double_lt(fabs(square / 1500 - (j != 4)), 1e-4); /* a constant column becomes zero */
    }
    ck_assert_int_eq(out.label[4], 1);
    ck_assert_uint_eq(out.unit[4], 4);
    ck_assert_uint_eq(out.line[4], 5);
    rows_free(&out);
    rows_free(&rows);
    transform_free(&transform);
  }
}
END_TEST

/* The public rows span -1 .. 1 in each column; another row may lie outside. */
START_TEST(test_range) {
  struct transform transform;
  struct rows rows, out;
  for (int is_dense = 0; is_dense < 2; is_dense++) {
    fill(&rows, 500, 9, is_dense);
    fit(&transform, "range", &rows);
    rows_init(&out, 9, 1);
    ck_assert_int_eq(transform_apply(&transform, &rows, &out), EXIT_OK);
    for (size_t j = 0; j < 9; j++) {
      float low = 2, high = -2;
      for (size_t i = 0; i < 500; i++) {
        low = fminf(low, out.dense[i * 9 + j]);
        high = fmaxf(high, out.dense[i * 9 + j]);
      }
      ck_assert_float_eq_tol(low, j == 4 ? 0 : -1, 1e-6); /* a constant column becomes zero */
      ck_assert_float_eq_tol(high, j == 4 ? 0 : 1, 1e-6);
    }
    rows_free(&out);
    rows_free(&rows);
    transform_free(&transform);
  }
}
END_TEST

/* Components are uncorrelated, in falling order, of mean variance one; all of them keep the distances. */
START_TEST(test_pca) {
  enum { N = 2000, D = 12 };
  struct transform transform;
  struct rows rows, out;
  double covariance[D][D] = {{0}}, total = 0, raw, projected, ratio = 0;
  size_t i, a, b;
  fill(&rows, N, D, 1);
  fit(&transform, "pca:12", &rows);
  rows_init(&out, transform.outputs, 1);
  ck_assert_int_eq(transform_apply(&transform, &rows, &out), EXIT_OK);
  for (i = 0; i < N; i++)
    for (a = 0; a < D; a++)
      for (b = 0; b < D; b++)
        covariance[a][b] += (double)out.dense[i * D + a] * (double)out.dense[i * D + b] / N;
  for (a = 0; a < D; a++) {
    total += covariance[a][a];
    if (a) ck_assert_double_le(covariance[a][a], covariance[a - 1][a - 1]);
    for (b = 0; b < a; b++)
      ck_assert_double_lt(fabs(covariance[a][b]), 1e-4);
  }
  ck_assert_double_lt(fabs(total / D - 1), 1e-4);
  for (i = 1; i < 50; i++) {
    raw = projected = 0;
    for (a = 0; a < D; a++) {
      raw += pow((double)rows.dense[i * D + a] - (double)rows.dense[a], 2);
      projected += pow((double)out.dense[i * D + a] - (double)out.dense[a], 2);
    }
    if (i == 1) ratio = projected / raw;
    ck_assert_double_lt(fabs(projected / raw / ratio - 1), 1e-4);
  }
  rows_free(&out);
  rows_free(&rows);
  transform_free(&transform);
}
END_TEST

/* A row's features are the same to the last bit whatever rows come with it, dense or sparse. */
START_TEST(test_rows_do_not_touch_each_other) {
  static const char *const features[] = {"standard", "range", "pca:7", "hog:4x4", "raw+hog:4x4"};
  size_t f, i;
  for (f = 0; f < sizeof features / sizeof *features; f++) {
    struct transform transform;
    struct rows rows, sparse, all, other, one;
    fill(&rows, 300, 16, 1);
    fill(&sparse, 300, 16, 0);
    fit(&transform, features[f], &rows);
    rows_init(&all, transform.outputs, 1);
    rows_init(&other, transform.outputs, 1);
    ck_assert_int_eq(transform_apply(&transform, &rows, &all), EXIT_OK);
    ck_assert_int_eq(transform_apply(&transform, &sparse, &other), EXIT_OK);
    ck_assert_mem_eq(all.dense, other.dense, 300 * transform.outputs * sizeof(float));
    for (i = 0; i < 300; i += 37) {
      struct rows single;
      rows_init(&single, 16, 1);
      rows_init(&one, transform.outputs, 1);
      ck_assert_int_eq(rows_reserve(&single, 1, 0), EXIT_OK);
      rows_expand(&rows, i, rows_push_dense(&single, 0, 0, 1));
      ck_assert_int_eq(transform_apply(&transform, &single, &one), EXIT_OK);
      ck_assert_mem_eq(one.dense, all.dense + i * transform.outputs, transform.outputs * sizeof(float));
      rows_free(&single);
      rows_free(&one);
    }
    rows_free(&rows);
    rows_free(&sparse);
    rows_free(&all);
    rows_free(&other);
    transform_free(&transform);
  }
}
END_TEST

START_TEST(test_refuses) {
  struct transform transform = {.kind = TRANSFORM_HOG};
  struct moments moments;
  struct rows rows;
  scratch_expect(EXIT_INPUT, transform_shape(&transform, 3, 28),
                 "3 x 28 pixels are too small, too large or too narrow");
  scratch_expect(EXIT_INPUT, transform_shape(&transform, 0, 28), "too narrow");
  scratch_expect(EXIT_INPUT, transform_shape(&transform, 65536, 65536), "too large");
  ck_assert_int_eq(moments_init(&moments, 5, 1), EXIT_OK);
  fill(&rows, 1, 5, 1);
  ck_assert_int_eq(moments_add(&moments, &rows), EXIT_OK);
  scratch_expect(EXIT_INPUT, transform_fit(&transform, TRANSFORM_PCA, 2, &moments), "fewer than two");
  ck_assert_int_eq(moments_add(&moments, &rows), EXIT_OK);
  scratch_expect(EXIT_INPUT, transform_fit(&transform, TRANSFORM_PCA, 6, &moments),
                 "pca:6, but the data have only 5 columns");
  moments_free(&moments);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("transform", test_standard, test_range, test_pca, test_rows_do_not_touch_each_other, test_refuses)

#include "data/features.h"

#include <math.h>

#include "base/error.h"
#include "support/scratch.h"

START_TEST(test_texts) {
  struct features features;
  ck_assert_int_eq(features_parse(&features, "raw"), EXIT_OK);
  ck_assert_uint_eq(features.count, 0);
  ck_assert_uint_eq(features_outputs(&features, 7), 7);
  ck_assert_int_eq(features_parse(&features, "raw+standard"), EXIT_OK);
  ck_assert_uint_eq(features.count, 1);
  ck_assert_int_eq(features.step[0].kind, FEATURES_STANDARD);
  ck_assert_int_eq(features_parse(&features, "raw+hog+standard+pca:100"), EXIT_OK);
  ck_assert_uint_eq(features.count, 3);
  ck_assert_int_eq(features.step[0].kind, FEATURES_HOG);
  ck_assert_int_eq(features.step[0].keeps, 1);
  ck_assert_int_eq(features.step[1].kind, FEATURES_STANDARD);
  ck_assert_int_eq(features.step[2].kind, FEATURES_PCA);
  ck_assert_uint_eq(features.step[2].outputs, 100);
  ck_assert_int_eq(features_parse(&features, "hog:28x14+pca:4096+range"), EXIT_OK);
  ck_assert_int_eq(features.step[0].keeps, 0);
  ck_assert_uint_eq(features.step[0].hog.rows, 28);
  ck_assert_uint_eq(features.step[0].hog.columns, 14);
  ck_assert_int_eq(features.step[2].kind, FEATURES_RANGE);
}
END_TEST

START_TEST(test_wrong_texts) {
  static const char *const bad[] = {"",
                                    "pca",
                                    "pca:",
                                    "pca:0",
                                    "pca:-1",
                                    "pca:5x",
                                    "pca:4097",
                                    "pca:99999999999",
                                    "PCA:5",
                                    "+",
                                    "pca:5+",
                                    "+pca:5",
                                    "pca:5++range",
                                    "standard+raw",
                                    "raw+raw",
                                    "pca:5+hog",
                                    "hog+hog",
                                    "hog:",
                                    "hog:28",
                                    "hog:28x",
                                    "hog:x28",
                                    "hog:28x28x3",
                                    "hog:0x28",
                                    "hog:99999x28",
                                    "range+range+range+range+range",
                                    "standardstandardstandardstandardstandard"};
  struct features features;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    scratch_expect(EXIT_INPUT, features_parse(&features, bad[i]), "cannot stand here");
}
END_TEST

/* Two steps are one after the other, and a row has the same features whatever rows come with it. */
START_TEST(test_chain) {
  float mean[2][2] = {{1, 2}, {0, 0}}, scale[2][2] = {{2, 3}, {10, 100}};
  struct features features = {.count = 2};
  struct rows stage[FEATURES_STEPS] = {{0}}, out;
  for (int s = 0; s < 2; s++)
    features.step[s] =
        (struct features_step){.kind = FEATURES_RANGE, .inputs = 2, .outputs = 2, .mean = mean[s], .scale = scale[s]};
  ck_assert_int_eq(features_check(&features, 2, "x"), EXIT_OK);
  scratch_expect(EXIT_INPUT, features_check(&features, 3, "x"), "x: features: a step for 2 numbers where there are 3");
  rows_init(&out, 2, 1);
  for (int n = 1; n < 40; n += 13) {
    rows_init(&stage[0], 2, 1);
    rows_clear(&out);
    ck_assert_int_eq(rows_reserve(&stage[0], 40, 0), EXIT_OK);
    for (int i = 0; i < n; i++) {
      float *row = rows_push_dense(&stage[0], i, (uint64_t)i, (uint64_t)i);
      row[0] = row[1] = (float)i;
    }
    ck_assert_int_eq(features_apply(&features, stage, &out), EXIT_OK);
    ck_assert_uint_eq(out.count, (size_t)n);
    for (int i = 0; i < n; i++) {
      ck_assert_float_eq(out.dense[2 * i], ((float)i - 1) * 20);
      ck_assert_float_eq(out.dense[2 * i + 1], ((float)i - 2) * 300);
      ck_assert_int_eq(out.label[i], i);
    }
    rows_free(&stage[0]);
  }
  rows_free(&stage[1]);
  rows_free(&out);
}
END_TEST

/* ---- one step ---- */

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

static void fit(struct features_step *step, const char *features, const struct rows *rows) {
  struct features wanted;
  struct moments moments;
  ck_assert_int_eq(features_parse(&wanted, features), EXIT_OK);
  ck_assert_uint_eq(wanted.count, 1);
  *step = wanted.step[0];
  if (step->kind == FEATURES_HOG) {
    ck_assert_int_eq(features_shape(step, step->hog.rows, step->hog.columns), EXIT_OK);
    return;
  }
  ck_assert_int_eq(moments_init(&moments, rows->columns, step->kind == FEATURES_PCA), EXIT_OK);
  ck_assert_int_eq(moments_add(&moments, rows), EXIT_OK);
  ck_assert_int_eq(features_fit(step, step->kind, step->outputs, &moments), EXIT_OK);
  moments_free(&moments);
}

START_TEST(test_standard) {
  struct features_step step;
  struct rows rows, out;
  int is_dense;
  for (is_dense = 0; is_dense < 2; is_dense++) {
    size_t i, j;
    fill(&rows, 1500, 9, is_dense);
    fit(&step, "standard", &rows);
    rows_init(&out, step.outputs, 1);
    ck_assert_int_eq(features_apply_step(&step, &rows, &out), EXIT_OK);
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
    features_free_step(&step);
  }
}
END_TEST

/* The public rows span -1 .. 1 in each column; another row may lie outside. */
START_TEST(test_range) {
  struct features_step step;
  struct rows rows, out;
  for (int is_dense = 0; is_dense < 2; is_dense++) {
    fill(&rows, 500, 9, is_dense);
    fit(&step, "range", &rows);
    rows_init(&out, 9, 1);
    ck_assert_int_eq(features_apply_step(&step, &rows, &out), EXIT_OK);
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
    features_free_step(&step);
  }
}
END_TEST

/* Components are uncorrelated, in falling order, of mean variance one; all of them keep the distances. */
START_TEST(test_pca) {
  enum { N = 2000, D = 12 };
  struct features_step step;
  struct rows rows, out;
  double covariance[D][D] = {{0}}, total = 0, raw, projected, ratio = 0;
  size_t i, a, b;
  fill(&rows, N, D, 1);
  fit(&step, "pca:12", &rows);
  rows_init(&out, step.outputs, 1);
  ck_assert_int_eq(features_apply_step(&step, &rows, &out), EXIT_OK);
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
  features_free_step(&step);
}
END_TEST

/* A row's features are the same to the last bit whatever rows come with it, dense or sparse. */
START_TEST(test_rows_do_not_touch_each_other) {
  static const char *const features[] = {"standard", "range", "pca:7", "hog:4x4", "raw+hog:4x4"};
  size_t f, i;
  for (f = 0; f < sizeof features / sizeof *features; f++) {
    struct features_step step;
    struct rows rows, sparse, all, other, one;
    fill(&rows, 300, 16, 1);
    fill(&sparse, 300, 16, 0);
    fit(&step, features[f], &rows);
    rows_init(&all, step.outputs, 1);
    rows_init(&other, step.outputs, 1);
    ck_assert_int_eq(features_apply_step(&step, &rows, &all), EXIT_OK);
    ck_assert_int_eq(features_apply_step(&step, &sparse, &other), EXIT_OK);
    ck_assert_mem_eq(all.dense, other.dense, 300 * step.outputs * sizeof(float));
    for (i = 0; i < 300; i += 37) {
      struct rows single;
      rows_init(&single, 16, 1);
      rows_init(&one, step.outputs, 1);
      ck_assert_int_eq(rows_reserve(&single, 1, 0), EXIT_OK);
      rows_expand(&rows, i, rows_push_dense(&single, 0, 0, 1));
      ck_assert_int_eq(features_apply_step(&step, &single, &one), EXIT_OK);
      ck_assert_mem_eq(one.dense, all.dense + i * step.outputs, step.outputs * sizeof(float));
      rows_free(&single);
      rows_free(&one);
    }
    rows_free(&rows);
    rows_free(&sparse);
    rows_free(&all);
    rows_free(&other);
    features_free_step(&step);
  }
}
END_TEST

START_TEST(test_refuses) {
  struct features_step step = {.kind = FEATURES_HOG};
  struct moments moments;
  struct rows rows;
  scratch_expect(EXIT_INPUT, features_shape(&step, 3, 28), "3 x 28 pixels are too small, too large or too narrow");
  scratch_expect(EXIT_INPUT, features_shape(&step, 0, 28), "too narrow");
  scratch_expect(EXIT_INPUT, features_shape(&step, 65536, 65536), "too large");
  ck_assert_int_eq(moments_init(&moments, 5, 1), EXIT_OK);
  fill(&rows, 1, 5, 1);
  ck_assert_int_eq(moments_add(&moments, &rows), EXIT_OK);
  scratch_expect(EXIT_INPUT, features_fit(&step, FEATURES_PCA, 2, &moments), "fewer than two");
  ck_assert_int_eq(moments_add(&moments, &rows), EXIT_OK);
  scratch_expect(EXIT_INPUT, features_fit(&step, FEATURES_PCA, 6, &moments), "pca:6, but the data have only 5 columns");
  moments_free(&moments);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("features", test_texts, test_wrong_texts, test_chain, test_standard, test_range, test_pca,
             test_rows_do_not_touch_each_other, test_refuses)

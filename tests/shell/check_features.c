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
  ck_assert_int_eq(features.step[0].kind, TRANSFORM_STANDARD);
  ck_assert_int_eq(features_parse(&features, "raw+hog+standard+pca:100"), EXIT_OK);
  ck_assert_uint_eq(features.count, 3);
  ck_assert_int_eq(features.step[0].kind, TRANSFORM_HOG);
  ck_assert_int_eq(features.step[0].keeps, 1);
  ck_assert_int_eq(features.step[1].kind, TRANSFORM_STANDARD);
  ck_assert_int_eq(features.step[2].kind, TRANSFORM_PCA);
  ck_assert_uint_eq(features.step[2].outputs, 100);
  ck_assert_int_eq(features_parse(&features, "hog:28x14+pca:4096+range"), EXIT_OK);
  ck_assert_int_eq(features.step[0].keeps, 0);
  ck_assert_uint_eq(features.step[0].hog.rows, 28);
  ck_assert_uint_eq(features.step[0].hog.columns, 14);
  ck_assert_int_eq(features.step[2].kind, TRANSFORM_RANGE);
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
        (struct transform){.kind = TRANSFORM_RANGE, .inputs = 2, .outputs = 2, .mean = mean[s], .scale = scale[s]};
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

SCRATCH_MAIN("features", test_texts, test_wrong_texts, test_chain)
